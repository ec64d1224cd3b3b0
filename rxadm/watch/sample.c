// SPDX-License-Identifier: GPL-2.0-only
/* Takes samples for top, and makes rates of the difference from the sample before. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sys.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "run/fetch.h"
#include "system/dev.h"
#include "watch/delta.h"
#include "watch/sample.h"
#include "watch/top.h"

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
