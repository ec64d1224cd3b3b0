/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_LIST_H
#define RXADM_VERB_LIST_H

#include "args/args.h"

rx_verb_run cmd_list, cmd_stat, cmd_metrics;

#endif
