// SPDX-License-Identifier: GPL-2.0-only
/* Lists of disks and caches. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "kernel/list.h"

void list_add(struct rx_list *list, enum rx_family family, const void *object)
{
	if (family == RX_DISK) {
		list->disks = mem_grow(list->disks, list->n_disks, sizeof(*list->disks));
		list->disks[list->n_disks++] = *(const struct rx_disk *)object;
	} else {
		list->caches = mem_grow(list->caches, list->n_caches, sizeof(*list->caches));
		list->caches[list->n_caches++] = *(const struct rx_cache *)object;
	}
}

/* Returns the device AT of the disks and, after them, the caches; NULL after the last. */
struct rx_device *list_device(const struct rx_list *list, size_t at)
{
	if (at < list->n_disks)
		return &list->disks[at].device;
	at -= list->n_disks;
	return at < list->n_caches ? &list->caches[at].device : NULL;
}

/*
 * Returns the device NAME, or NULL. The search begins at AT, the device's place in
 * another list, because two lists are mostly alike.
 */
struct rx_device *list_find(const struct rx_list *list, const char *name, size_t at)
{
	size_t n = list->n_disks + list->n_caches, i;
	struct rx_device *device;

	for (i = 0; i < n; i++) {
		device = list_device(list, (at + i) % n);
		if (!strcmp(device->name, name))
			return device;
	}
	return NULL;
}

/*
 * Tells whether CACHE, of LIST, is the first there of the caches that share its disk. What
 * these caches have together is counted for the first one.
 */
bool list_first_on_disk(const struct rx_list *list, const struct rx_cache *cache)
{
	const struct rx_cache *other = list->caches;

	if (!*cache->disk)
		return true;
	while (other < cache && strcmp(other->disk, cache->disk))
		other++;
	return other == cache;
}

/* Returns what the caches that share a disk with CACHE hold together. */
uint64_t list_cached_with(const struct rx_list *list, const struct rx_cache *cache)
{
	const struct rx_cache *other = list->caches;
	uint64_t sum = 0;

	for (; other < list->caches + list->n_caches; other++)
		if (!strcmp(other->disk, cache->disk))
			sum += or_zero(other->cached);
	return sum;
}

/*
 * Returns what the caches that share a disk with CACHE, of LIST, hold besides it, or
 * RX_NONE if LIST lacks one of them.
 */
uint64_t list_beside(const struct rx_list *list, const struct rx_cache *cache)
{
	const struct rx_cache *other = list->caches;
	uint64_t sharers = 0;

	for (; other < list->caches + list->n_caches; other++)
		sharers += !strcmp(other->disk, cache->disk);
	if (cache->sharers != RX_NONE && cache->sharers > sharers)
		return RX_NONE;
	return list_cached_with(list, cache) - or_zero(cache->cached);
}

static int by_number(const void *a, const void *b)
{
	const struct rx_device *x = a, *y = b;

	return atoi(x->name + 3) - atoi(y->name + 3);
}

/* Sorts the disks and the caches by their numbers. */
void list_sort(struct rx_list *list)
{
	if (list->n_disks)
		qsort(list->disks, list->n_disks, sizeof(*list->disks), by_number);
	if (list->n_caches)
		qsort(list->caches, list->n_caches, sizeof(*list->caches), by_number);
}

void list_free(struct rx_list *list)
{
	struct rx_device *device;
	size_t i;

	for (i = 0; (device = list_device(list, i)); i++)
		strv_free(&device->mounts);
	free(list->disks);
	free(list->caches);
	memset(list, 0, sizeof(*list));
}
