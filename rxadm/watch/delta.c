// SPDX-License-Identifier: GPL-2.0-only
/* Computes the difference of two samples of the counters. */
#include <stddef.h>
#include <string.h>

#include "kernel/derive.h"
#include "kernel/list.h"
#include "kernel/object.h"
#include "watch/delta.h"

#define IO_COUNTERS	(offsetof(struct rx_io, in_flight) / sizeof(uint64_t))
#define STAT_COUNTERS	(sizeof(struct rx_stats) / sizeof(uint64_t))

/* The kernel prints the time as 32 bits of milliseconds. */
#define TICKS_WRAP_NS	((1ULL << 32) * 1000000)

/* Subtracts BEFORE from NOW. A counter that the kernel lacks stays unknown. */
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

/*
 * Tells whether the counters began anew since BEFORE. An unknown inode, as of a disk that
 * /sys does not show, proves nothing. The id of a cache alone does not suffice, because a
 * module that is loaded again counts ids from 1. After a reset the counters are younger.
 */
static bool began_anew(const struct rx_device *now, const struct rx_device *before)
{
	const struct rx_cache *c = (const struct rx_cache *)now;
	const struct rx_cache *old = (const struct rx_cache *)before;

	if (now->io.inode != RX_NONE && before->io.inode != RX_NONE &&
	    now->io.inode != before->io.inode)
		return true;
	return now->family == RX_CACHE &&
	       (c->id != old->id ||
		(c->stats_age != RX_NONE && old->stats_age != RX_NONE &&
		 c->stats_age < old->stats_age));
}

static void subtract_disk(struct rx_disk *now, const struct rx_disk *before)
{
	subtract(&now->no_space, &before->no_space, 1);
	subtract(&now->slow_writes, &before->slow_writes, 1);
}

static void subtract_cache(struct rx_cache *now, const struct rx_cache *before)
{
	size_t i;

	subtract((uint64_t *)&now->stats, (const uint64_t *)&before->stats, STAT_COUNTERS);
	for (i = 0; i < RX_TIMES; i++)
		subtract(&now->latency[i].sum_ns, &before->latency[i].sum_ns, 1 + RX_BUCKETS);
	model_derive(now);
}

/*
 * Subtracts the counters of BEFORE from those of NOW. A device that is new, or was made
 * anew under its old name, began at zero.
 */
void list_subtract(struct rx_list *now, const struct rx_list *before)
{
	const struct rx_device *old;
	struct rx_device *device;
	size_t i;

	for (i = 0; (device = list_device(now, i)); i++) {
		old = list_find(before, device->name, i);
		if (!old || began_anew(device, old))
			continue;
		subtract_io(&device->io, &old->io);
		if (device->family == RX_DISK)
			subtract_disk((struct rx_disk *)device, (const struct rx_disk *)old);
		else
			subtract_cache((struct rx_cache *)device, (const struct rx_cache *)old);
	}
}

/*
 * Copies the figures only: the lists of mount points stay with the original. ONLY: the devices
 * to copy; all of them if it is NULL or names none.
 */
struct rx_list list_figures(const struct rx_list *list, const struct rx_objects *only)
{
	struct rx_list copy = { 0 };
	struct rx_device *device;
	size_t i;

	for (i = 0; (device = list_device(list, i)); i++)
		if (!only || !only->n || objects_have(only, device->name))
			list_add(&copy, device->family, device);
	for (i = 0; (device = list_device(&copy, i)); i++)
		device->mounts = (struct rx_strv){ 0 };
	return copy;
}
