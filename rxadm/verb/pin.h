/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_PIN_H
#define RXADM_VERB_PIN_H

#include "args/args.h"

rx_verb_run cmd_pin;
rx_verb_run cmd_unpin;

#endif
