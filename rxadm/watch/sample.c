// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes samples for top. A sample takes one question to each module and one file of /sys
 * for each device, and is compared with the sample before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/wait.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/protocol.h"
#include "run/fetch.h"
#include "system/dev.h"
#include "kernel/name.h"
#include "watch/rates.h"
#include "watch/sample.h"
#include "watch/top.h"

/*
 * Asks for the devices of FAMILY. The first question makes the kernel load the module.
 * Later, a module that is absent is not asked again until it is loaded.
 */
static int ask(struct rx_sampler *s, enum rx_family family,
	       struct rx_list *list, struct rx_err *err)
{
	int ret;

	memset(err, 0, sizeof(*err));
	if (s->absent[family] && !sys_module_runs(model_family(family)))
		return 0;
	ret = nl_list(family, list, err);
	/* The module was removed and loaded again. */
	if (ret && err->absent && sys_module_runs(model_family(family)))
		ret = nl_list(family, list, err);
	s->absent[family] = ret && err->absent;
	return s->absent[family] ? 0 : ret;
}

static void keep_named(struct rx_list *list, const struct rx_objects *only)
{
	size_t i, n;

	for (i = n = 0; i < list->n_disks; i++)
		if (objects_have(only, list->disks[i].name))
			list->disks[n++] = list->disks[i];
	list->n_disks = n;
	for (i = n = 0; i < list->n_caches; i++)
		if (objects_have(only, list->caches[i].name))
			list->caches[n++] = list->caches[i];
	list->n_caches = n;
}

/* Looks up the path of an origin only for a cache that the last sample lacks. */
static void add_origin(struct rx_cache *c, const struct rx_list *last,
		       size_t at)
{
	const struct rx_cache *old;

	old = at < last->n_caches ? &last->caches[at] : NULL;
	if (old && old->id == c->id && !strcmp(old->name, c->name) &&
	    !strcmp(old->origin, c->origin) && *old->origin_path)
		strcpy(c->origin_path, old->origin_path);
	else
		dev_origin_path(c);
}

static void add_system(struct rx_sampler *s, struct rx_list *list)
{
	struct rx_device *device;
	size_t i;

	if (s->mounts) {
		list_add_system(list);
		return;
	}
	for (i = 0; (device = list_device(list, i)); i++)
		dev_io(device->name, &device->io);
	for (i = 0; i < list->n_caches; i++)
		add_origin(&list->caches[i], &s->last, i);
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

	if (ask(s, RX_DISK, &list, err) || ask(s, RX_CACHE, &list, err)) {
		list_free(&list);
		return -1;
	}
	if (s->only.n)
		keep_named(&list, &s->only);
	list_sort(&list);
	add_system(s, &list);
	figures = list_figures(&list);
	if (s->last_ns)
		list_subtract(&list, &s->last);
	rates_make(&s->rates, &list, &figures, interval);
	dev_memory(&s->rates.total.memory, &s->rates.total.free_now,
		   &s->rates.total.available);
	list_free(&s->list);
	list_free(&s->last);
	s->list = list;
	s->last = figures;
	s->last_ns = now;
	return 0;
}

void sample_free(struct rx_sampler *s)
{
	list_free(&s->list);
	list_free(&s->last);
	rates_free(&s->rates);
}
