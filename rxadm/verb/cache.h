/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_CACHE_H
#define RXADM_VERB_CACHE_H

#include "args/args.h"

rx_verb_run cmd_drop;
rx_verb_run cmd_unmap;
rx_verb_run cmd_set;
rx_verb_run cmd_verify;

#endif
