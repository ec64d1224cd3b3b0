/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_IMAGE_H
#define RXADM_VERB_IMAGE_H

#include "verb/args.h"

rx_verb_run cmd_restore;
/* The part of cmd_save() for disks. */
int disk_save(const struct rx_args *args, const char *name);

#endif
