/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_GENERATOR_H
#define RXADM_UP_GENERATOR_H

#include "args/args.h"

rx_verb_run cmd_generator;

#endif
