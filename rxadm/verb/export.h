/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_EXPORT_H
#define RXADM_VERB_EXPORT_H

#include "system/exportrec.h"
#include "verb/args.h"

rx_verb_run cmd_export;
rx_verb_run cmd_unexport;
/* Reads the options. Says what is wrong and returns false. */
bool export_read(const struct rx_args *args, const char *name, struct rx_export *export);

#endif
