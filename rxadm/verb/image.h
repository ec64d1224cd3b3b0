/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_IMAGE_H
#define RXADM_VERB_IMAGE_H

#include "args/args.h"

rx_verb_run cmd_save;
rx_verb_run cmd_restore;

#endif
