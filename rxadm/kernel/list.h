/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks and caches, each kind in the order of their numbers or as added. */
#ifndef RXADM_LIST_H
#define RXADM_LIST_H

#include "kernel/object.h"

struct rx_list {
	struct rx_disk *disks;
	size_t n_disks;
	struct rx_cache *caches;
	size_t n_caches;
	bool absent[RX_FAMILIES];	/* modules that are not loaded */
};

void list_add(struct rx_list *list, enum rx_family family, const void *object);
struct rx_device *list_device(const struct rx_list *list, size_t at);
struct rx_device *list_find(const struct rx_list *list, const char *name, size_t at);
bool list_first_on_disk(const struct rx_list *list, const struct rx_cache *cache);
uint64_t list_cached_with(const struct rx_list *list, const struct rx_cache *cache);
uint64_t list_beside(const struct rx_list *list, const struct rx_cache *cache);
void list_sort(struct rx_list *list);
void list_free(struct rx_list *list);

#endif
