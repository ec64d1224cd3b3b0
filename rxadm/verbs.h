/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the verbs; the table that names them is in verbs.c. */
#ifndef RXADM_VERBS_H
#define RXADM_VERBS_H

#include "args/args.h"

struct rx_view;

const struct rx_view *const *verb_views(const struct rx_verb *verb, size_t *count);

#endif
