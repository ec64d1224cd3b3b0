/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_UP_H
#define RXADM_UP_UP_H

#include "args/args.h"

rx_verb_run cmd_up_down;
rx_verb_run cmd_check_tab;
rx_verb_run cmd_tab_image;

#endif
