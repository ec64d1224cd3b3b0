// SPDX-License-Identifier: GPL-2.0-only
/* Lists of disks and caches. */
#define _GNU_SOURCE
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

static int by_number(const char *a, const char *b)
{
	return atoi(a + 3) - atoi(b + 3);
}

static int by_disk(const void *a, const void *b)
{
	return by_number(((const struct rx_disk *)a)->name,
			 ((const struct rx_disk *)b)->name);
}

static int by_cache(const void *a, const void *b)
{
	return by_number(((const struct rx_cache *)a)->name,
			 ((const struct rx_cache *)b)->name);
}

/* In the order of their numbers. */
void list_sort(struct rx_list *list)
{
	if (list->n_disks)
		qsort(list->disks, list->n_disks, sizeof(*list->disks),
		      by_disk);
	if (list->n_caches)
		qsort(list->caches, list->n_caches, sizeof(*list->caches),
		      by_cache);
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
