// SPDX-License-Identifier: GPL-2.0-only
/* Two samples of the counters, and what happened between them. */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>

#include "rxadm.h"

#define IO_COUNTERS	(offsetof(struct rx_io, in_flight) / sizeof(uint64_t))
#define STAT_COUNTERS	(sizeof(struct rx_stats) / sizeof(uint64_t))

/* The kernel prints the time as 32 bits of milliseconds. */
#define TICKS_WRAP_NS	((1ULL << 32) * 1000000)

/* NOW becomes the difference; a counter that the kernel lacks stays unknown. */
static void subtract(uint64_t *now, const uint64_t *before, size_t count)
{
	for (; count; count--, now++, before++)
		if (*now != RX_NONE && *before != RX_NONE)
			*now = *now >= *before ? *now - *before : *now;
}

static uint64_t ticks(uint64_t now, uint64_t before)
{
	if (now == RX_NONE || before == RX_NONE)
		return now;
	return now >= before ? now - before : now + TICKS_WRAP_NS - before;
}

static void subtract_io(struct rx_io *now, const struct rx_io *before)
{
	uint64_t read_ns = ticks(now->read_ns, before->read_ns);
	uint64_t write_ns = ticks(now->write_ns, before->write_ns);

	subtract(&now->reads, &before->reads, IO_COUNTERS);
	now->read_ns = read_ns;
	now->write_ns = write_ns;
}

/* What is not known, as of a disk that /sys does not show, tells nothing. */
static bool made_anew(const struct rx_io *now, const struct rx_io *before)
{
	return now->inode != RX_NONE && before->inode != RX_NONE &&
	       now->inode != before->inode;
}

/* Lists are mostly alike, so the search begins at the same place: AT. */
static const struct rx_disk *old_disk(const struct rx_list *before,
				      const struct rx_disk *disk, size_t at)
{
	const struct rx_disk *old;
	size_t i;

	for (i = 0; i < before->n_disks; i++) {
		old = &before->disks[(at + i) % before->n_disks];
		if (!strcmp(old->name, disk->name))
			return made_anew(&disk->io, &old->io) ? NULL : old;
	}
	return NULL;
}

/* Numbers of mappings begin anew when the module is loaded again. */
static const struct rx_cache *old_cache(const struct rx_list *before,
					const struct rx_cache *cache, size_t at)
{
	const struct rx_cache *old;
	size_t i;

	for (i = 0; i < before->n_caches; i++) {
		old = &before->caches[(at + i) % before->n_caches];
		if (!strcmp(old->name, cache->name))
			return old->id != cache->id ||
			       made_anew(&cache->io, &old->io) ? NULL : old;
	}
	return NULL;
}

/*
 * The counters of NOW become what was added since BEFORE. A device that is new,
 * or was made anew under its old name, began with nothing.
 */
void list_subtract(struct rx_list *now, const struct rx_list *before)
{
	const struct rx_cache *old_c;
	const struct rx_disk *old_d;
	struct rx_cache *c;
	struct rx_disk *d;
	size_t i;

	for (i = 0; i < now->n_disks; i++) {
		d = &now->disks[i];
		old_d = old_disk(before, d, i);
		if (!old_d)
			continue;
		subtract_io(&d->io, &old_d->io);
		subtract(&d->no_space, &old_d->no_space, 1);
		subtract(&d->slow_writes, &old_d->slow_writes, 1);
	}
	for (i = 0; i < now->n_caches; i++) {
		c = &now->caches[i];
		old_c = old_cache(before, c, i);
		if (!old_c)
			continue;
		subtract_io(&c->io, &old_c->io);
		subtract((uint64_t *)&c->stats, (const uint64_t *)&old_c->stats,
			 STAT_COUNTERS);
		model_derive(c);
	}
}

/* A copy of the figures alone: lists of words stay with the original. */
struct rx_list list_figures(const struct rx_list *list)
{
	struct rx_list copy = { 0 };
	size_t i;

	for (i = 0; i < list->n_disks; i++) {
		list_add_disk(&copy, &list->disks[i]);
		memset(&copy.disks[i].mounts, 0, sizeof(struct rx_strv));
	}
	for (i = 0; i < list->n_caches; i++) {
		list_add_cache(&copy, &list->caches[i]);
		memset(&copy.caches[i].mounts, 0, sizeof(struct rx_strv));
	}
	return copy;
}
