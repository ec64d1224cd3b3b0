// SPDX-License-Identifier: GPL-2.0-only
/* Lists of disks and caches. */
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "mem.h"

void list_add_disk(struct rx_list *list, const struct rx_disk *disk)
{
	list->disks = mem_grow(list->disks, list->n_disks, sizeof(*list->disks));
	list->disks[list->n_disks++] = *disk;
}

void list_add_cache(struct rx_list *list, const struct rx_cache *cache)
{
	list->caches = mem_grow(list->caches, list->n_caches, sizeof(*list->caches));
	list->caches[list->n_caches++] = *cache;
}

void list_add(struct rx_list *list, enum rx_family family, const void *object)
{
	if (family == RX_DISK)
		list_add_disk(list, object);
	else
		list_add_cache(list, object);
}

_Static_assert(!offsetof(struct rx_disk, name) &&
	       !offsetof(struct rx_cache, name), "the name is first");

static int by_number(const void *a, const void *b)
{
	return atoi((const char *)a + 3) - atoi((const char *)b + 3);
}

/* In the order of their numbers. */
void list_sort(struct rx_list *list)
{
	if (list->n_disks)
		qsort(list->disks, list->n_disks, sizeof(*list->disks),
		      by_number);
	if (list->n_caches)
		qsort(list->caches, list->n_caches, sizeof(*list->caches),
		      by_number);
}

void list_free(struct rx_list *list)
{
	size_t i;

	for (i = 0; i < list->n_disks; i++)
		strv_free(&list->disks[i].mounts);
	for (i = 0; i < list->n_caches; i++)
		strv_free(&list->caches[i].mounts);
	free(list->disks);
	free(list->caches);
	memset(list, 0, sizeof(*list));
}
