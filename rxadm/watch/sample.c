// SPDX-License-Identifier: GPL-2.0-only
/*
 * The difference of two samples of the counters, for stat, and the samples of top, of whose
 * differences it makes rates.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sys.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/object.h"
#include "run/fetch.h"
#include "system/dev.h"
#include "watch/sample.h"

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

/* That a module is absent is no error: then there are no devices. */
static int ask(struct rx_sampler *s, struct rx_list *list, struct rx_err *err)
{
	int ret = fetch_all(true, true, list, err);

	/* The module was removed and loaded again. */
	if (ret && err->absent && sys_module_runs(model_family(RX_DISK)))
		ret = fetch_all(true, true, list, err);
	s->absent = ret && err->absent;
	return s->absent ? 0 : ret;
}

static double per_second(uint64_t count, uint64_t ns)
{
	return count == RX_NONE || !ns ? -1 : count * 1e9 / ns;
}

static void rate_io(struct rx_rate *r, const struct rx_io *io, uint64_t ns)
{
	r->reads = per_second(io->reads, ns);
	r->read_bytes = per_second(io->read_bytes, ns);
	r->writes = per_second(io->writes, ns);
	r->write_bytes = per_second(io->write_bytes, ns);
	r->read_ns = ns ? ratio_of(io->read_ns, io->reads) : -1;
	r->write_ns = ns ? ratio_of(io->write_ns, io->writes) : -1;
}

static void rate_disk(struct rx_rate *r, const struct rx_disk *d)
{
	if (*d->holder)
		strcpy(r->state, "cache");
	else if (d->open != RX_NONE)
		strcpy(r->state, d->open ? "open" : "idle");
	r->used = d->used;
	r->hit = -1;
}

static void rate_cache(struct rx_rate *r, const struct rx_cache *c, uint64_t ns)
{
	strcpy(r->origin, c->origin_path);
	if (c->status <= RX_STATUS_FROZEN)
		strcpy(r->state, rx_status_names[c->status]);
	r->used = c->cached;
	r->hit = ns ? c->hit_ratio : -1;
}

/* DELTA has the counts of INTERVAL_NS, which is 0 for the first sample. */
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		uint64_t interval_ns)
{
	const struct rx_device *device;
	const struct rx_cache *c;
	const struct rx_disk *d;
	struct rx_rate *r;
	size_t i;

	free(rates->rows);
	memset(rates, 0, sizeof(*rates));
	rates->rows = mem_zero(delta->n_disks + delta->n_caches,
			       sizeof(*rates->rows));
	for (i = 0; (device = list_device(delta, i)); i++) {
		r = &rates->rows[rates->n++];
		r->family = device->family;
		strcpy(r->name, device->name);
		rate_io(r, &device->io, interval_ns);
		if (device->family == RX_DISK) {
			d = (const struct rx_disk *)device;
			rate_disk(r, d);
			rates->size += or_zero(d->size);
			rates->used += or_zero(d->used) + or_zero(d->freeing);
			continue;
		}
		c = (const struct rx_cache *)device;
		rate_cache(r, c, interval_ns);
		rates->compressed += or_zero(c->compressed);
		rates->compressed_memory += or_zero(c->compressed_memory);
		/* Caches on one disk have one index, and each of them shows all of it. */
		if (list_first_on_disk(delta, c))
			rates->index += or_zero(c->metadata);
	}
}

/*
 * Takes a sample. Returns 0, or -1 with *ERR set and the last sample kept. An absent
 * module counts as one without devices.
 */
int sample(struct rx_sampler *s, struct rx_err *err)
{
	struct rx_list list = { 0 }, figures;
	int64_t now = now_ns();
	uint64_t interval = s->last_ns ? now - s->last_ns : 0;
	int ret = ask(s, &list, err);

	figures = list_figures(&list, &s->only);
	list_free(&list);
	if (ret) {
		list_free(&figures);
		return -1;
	}
	list = list_figures(&figures, NULL);
	if (s->last_ns)
		list_subtract(&list, &s->last);
	rates_make(&s->rates, &list, interval);
	dev_memory(&s->rates.memory, &s->rates.available);
	list_free(&list);
	list_free(&s->last);
	s->last = figures;
	s->last_ns = now;
	return 0;
}

void sample_free(struct rx_sampler *s)
{
	list_free(&s->last);
	free(s->rates.rows);
}
