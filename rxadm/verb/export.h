/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_EXPORT_H
#define RXADM_VERB_EXPORT_H

#include "args/args.h"

rx_verb_run cmd_export;
rx_verb_run cmd_unexport;

#endif
