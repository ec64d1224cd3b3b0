/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_WARM_H
#define RXADM_VERB_WARM_H

#include "args/args.h"

rx_verb_run cmd_save_list;
rx_verb_run cmd_load_list;

#endif
