// SPDX-License-Identifier: GPL-2.0-only
/* Computes the difference of two samples of the counters, and rates from it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/derive.h"
#include "kernel/list.h"
#include "kernel/object.h"
#include "watch/rates.h"
#include "watch/top.h"

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

/* Copies the figures only: the lists of mount points stay with the original. */
struct rx_list list_figures(const struct rx_list *list)
{
	struct rx_list copy = { 0 };
	struct rx_device *device;
	size_t i;

	for (i = 0; (device = list_device(list, i)); i++)
		list_add(&copy, device->family, device);
	for (i = 0; (device = list_device(&copy, i)); i++)
		device->mounts = (struct rx_strv){ 0 };
	return copy;
}

static double per_second(uint64_t count, uint64_t ns)
{
	return count == RX_NONE || !ns ? -1 : count * 1e9 / ns;
}

static void rate_io(struct rx_rate *r, const struct rx_io *io, uint64_t ns)
{
	r->in_flight = io->in_flight;
	r->reads = per_second(io->reads, ns);
	r->read_bytes = per_second(io->read_bytes, ns);
	r->writes = per_second(io->writes, ns);
	r->write_bytes = per_second(io->write_bytes, ns);
	r->discards = per_second(io->discards, ns);
	r->discard_bytes = per_second(io->discard_bytes, ns);
	r->read_ns = ns ? ratio_of(io->read_ns, io->reads) : -1;
	r->write_ns = ns ? ratio_of(io->write_ns, io->writes) : -1;
}

static void rate_disk(struct rx_rate *r, const struct rx_disk *d, uint64_t ns)
{
	strcpy(r->cache, d->holder);
	if (*d->holder)
		strcpy(r->state, "cache");
	else if (d->open != RX_NONE)
		strcpy(r->state, d->open ? "open" : "idle");
	r->size = d->size;
	r->used = d->used;
	r->freeing = d->freeing;
	r->index = RX_NONE;
	r->hit = r->hit_all = -1;
	r->fills = r->evicts = r->reclaims = -1;
	/* A disk counts no other errors than writes that found no memory. */
	r->errors = per_second(d->no_space, ns);
}

static void rate_cache(struct rx_rate *r, const struct rx_cache *c, double hit_all,
		       uint64_t ns)
{
	strcpy(r->disk, c->disk);
	strcpy(r->origin, c->origin_path);
	if (c->status <= RX_STATUS_FROZEN)
		strcpy(r->state, rx_status_names[c->status]);
	r->size = c->size;
	r->used = c->cached;
	r->freeing = RX_NONE;
	r->index = c->metadata;
	r->hit = ns ? c->hit_ratio : -1;
	r->hit_all = hit_all;
	/* /sys may not show the device yet, or no longer. */
	if (r->reads < 0)
		r->reads = per_second(c->stats.reads, ns);
	if (r->writes < 0)
		r->writes = per_second(c->stats.writes, ns);
	if (r->discards < 0)
		r->discards = per_second(c->stats.discards, ns);
	r->fills = per_second(c->stats.fill, ns);
	r->evicts = per_second(c->stats.evict, ns);
	r->reclaims = per_second(c->stats.reclaim, ns);
	r->errors = per_second(c->errors, ns);
}

static void add_rate(double *sum, double value)
{
	if (value >= 0)
		*sum = *sum < 0 ? value : *sum + value;
}

static void total_make(struct rx_total *t, const struct rx_rates *rates,
		       const struct rx_list *delta)
{
	uint64_t hits = 0, blocks = 0;
	const struct rx_cache *c;
	const struct rx_rate *r;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->disks = delta->n_disks;
	t->caches = delta->n_caches;
	t->reads = t->read_bytes = t->writes = t->write_bytes = t->hit = -1;
	for (i = 0; i < rates->n; i++) {
		r = &rates->rows[i];
		add_rate(&t->reads, r->reads);
		add_rate(&t->read_bytes, r->read_bytes);
		add_rate(&t->writes, r->writes);
		add_rate(&t->write_bytes, r->write_bytes);
		if (r->family == RX_DISK) {
			t->size += or_zero(r->size);
			t->used += or_zero(r->used) + or_zero(r->freeing);
		}
	}
	for (i = 0; i < delta->n_caches; i++) {
		c = &delta->caches[i];
		hits += or_zero(c->stats.read_hit);
		blocks += or_zero(c->read_blocks);
		/* Caches on one disk have one index, and each of them shows all of it. */
		if (list_first_on_disk(delta, c))
			t->index += or_zero(c->metadata);
	}
	if (rates->interval_ns && blocks)
		t->hit = (double)hits / blocks;
}

/*
 * DELTA has the counts of INTERVAL_NS. ALL has the same objects in the same order, with
 * their counts since they were made.
 */
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		const struct rx_list *all, uint64_t interval_ns)
{
	const struct rx_device *device;
	struct rx_rate *r;
	size_t i;

	rates_free(rates);
	rates->interval_ns = interval_ns;
	rates->rows = mem_zero(delta->n_disks + delta->n_caches,
			       sizeof(*rates->rows));
	for (i = 0; (device = list_device(delta, i)); i++) {
		r = &rates->rows[rates->n++];
		r->family = device->family;
		strcpy(r->name, device->name);
		rate_io(r, &device->io, interval_ns);
		if (device->family == RX_DISK)
			rate_disk(r, (const struct rx_disk *)device, interval_ns);
		else
			rate_cache(r, (const struct rx_cache *)device,
				   all->caches[i - delta->n_disks].hit_ratio, interval_ns);
	}
	total_make(&rates->total, rates, delta);
}

void rates_free(struct rx_rates *rates)
{
	free(rates->rows);
	memset(rates, 0, sizeof(*rates));
}

static double measure(const struct rx_rate *r, enum rx_sort sort)
{
	switch (sort) {
	case SORT_IO:
		return r->reads < 0 ? -1 : r->reads + r->writes;
	case SORT_BYTES:
		return r->read_bytes < 0 ? -1 : r->read_bytes + r->write_bytes;
	case SORT_HIT:
		return r->hit;
	case SORT_MEMORY:
		return r->used == RX_NONE ? -1 : (double)r->used;
	case SORT_LATENCY:
		return r->read_ns > r->write_ns ? r->read_ns : r->write_ns;
	default:
		return 0;
	}
}

/*
 * Sorts the largest first, equal ones by name, and unknown ones last in either direction.
 */
static int compare(const void *a, const void *b, void *arg)
{
	const struct rx_rate *x = a, *y = b;
	const struct rx_top *top = arg;
	double p = measure(x, top->sort), q = measure(y, top->sort);
	int order = p < q ? 1 : p > q ? -1 : 0;

	if (order)
		return top->reverse && p >= 0 && q >= 0 ? -order : order;
	order = x->family != y->family ? (int)x->family - (int)y->family :
		atoi(x->name + 3) - atoi(y->name + 3);
	return top->reverse && top->sort == SORT_NAME ? -order : order;
}

/* Returns the *N rows that are shown, in their order. The caller frees them. */
struct rx_rate *top_rows(const struct rx_top *top, const struct rx_rates *rates,
			 size_t *n)
{
	struct rx_rate *rows = mem_zero(rates->n, sizeof(*rows));
	size_t i;

	*n = 0;
	for (i = 0; i < rates->n; i++)
		if (rates->rows[i].family == RX_DISK ? top->disks : top->caches)
			rows[(*n)++] = rates->rows[i];
	qsort_r(rows, *n, sizeof(*rows), compare, (void *)top);
	return rows;
}
