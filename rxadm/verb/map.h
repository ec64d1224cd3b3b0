/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_MAP_H
#define RXADM_VERB_MAP_H

#include "args/args.h"

rx_verb_run cmd_map;

#endif
