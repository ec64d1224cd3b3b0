/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_MONITOR_H
#define RXADM_VERB_MONITOR_H

#include "args/args.h"

rx_verb_run cmd_monitor;

#endif
