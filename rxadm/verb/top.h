/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_TOP_H
#define RXADM_VERB_TOP_H

#include "args/args.h"

rx_verb_run cmd_top;

#endif
