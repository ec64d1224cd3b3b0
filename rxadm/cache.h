/* SPDX-License-Identifier: GPL-2.0-only */
/* What several verbs do with a cache. */
#ifndef RXADM_CACHE_H
#define RXADM_CACHE_H

struct rx_list;

int cache_unmap(const char *name, long wait_ms, struct rx_list *done);

#endif
