/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the verbs; the table that names them is in verbs.c. */
#ifndef RXADM_VERBS_H
#define RXADM_VERBS_H

#include "args/args.h"

struct rx_view;

/* Where a verb has columns of disks and caches: nowhere, in JSON alone, or in tables too. */
enum rx_shows { SHOWS_NONE, SHOWS_JSON, SHOWS_TABLE };
enum rx_shows verb_shows(const struct rx_verb *verb);
const struct rx_view *const *verb_views(const struct rx_verb *verb, size_t *count);

#endif
