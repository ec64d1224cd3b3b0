/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of the reads of a start: recorded, and played into the cache. */
#ifndef RXADM_RECORD_H
#define RXADM_RECORD_H

#include "kernel/object.h"

int record_reads(const char *verb, const struct rx_cache *cache, const char *path,
		 uint64_t until);

#endif
