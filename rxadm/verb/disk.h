/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_DISK_H
#define RXADM_VERB_DISK_H

#include "args/args.h"

rx_verb_run cmd_attach;
rx_verb_run cmd_detach;
rx_verb_run cmd_resize;
rx_verb_run cmd_erase;

#endif
