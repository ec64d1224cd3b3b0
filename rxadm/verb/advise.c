// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb advise says whether a cache helps and how large it should be, for caches that
 * are mapped. With --trace it does so for a cache that could be mapped; see trace.c.
 */
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>
#include <linux/rxcache.h>

#include "advise/advice.h"
#include "advise/compressed.h"
#include "advise/json.h"
#include "advise/page.h"
#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/fetch.h"
#include "show/json.h"
#include "system/dev.h"
#include "table/load.h"
#include "table/table.h"
#include "verb/advise.h"
#include "verb/trace.h"

/*
 * Returns the memory that caches on other disks do not use yet, but will use when they are
 * full.
 */
static uint64_t promised(const struct rx_cache *c, const struct rx_list *all)
{
	const struct rx_cache *other = all->caches;
	uint64_t sum = 0, cached;

	for (; other < all->caches + all->n_caches; other++) {
		cached = list_cached_with(all, other);
		if (strcmp(other->disk, c->disk) && list_first_on_disk(all, other) &&
		    other->size != RX_NONE && other->cached != RX_NONE &&
		    cached < other->size)
			sum += other->size - cached;
	}
	return sum;
}

/* Finds the line of the table that has the size of the cache's memory. */
static void find_line(struct rx_advice *a, const struct rx_tab *tab)
{
	const struct tab_line *line = tab_find(tab, a->cache->name);

	a->table = tab->path;
	if (line)
		a->table_line = line->disk ? line->disk->name : line->name;
}

/*
 * Asks what compression would save. Who may not know, and a kernel that can't say, get an
 * advice without it.
 */
static void weigh(struct rx_advice *a)
{
	struct rx_cache weighed;
	struct rx_req req;
	struct rx_err err;

	if (!compressed_asks(a) || a->cache->block > (uint64_t)sysconf(_SC_PAGESIZE))
		return;
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_WEIGH, a->cache->name);
	req_num(&req, RXCACHE_A_CACHE_COMPRESS, RXCACHE_COMPRESS_LZ4);
	if (!nl_do(&req, &weighed, &err))
		compressed_judge(a, &weighed);
	req_free(&req);
}

/* An empty line comes before each page but the first. */
static void tell(const struct rx_cache *c, const struct rx_list *all,
		 struct json_object *array, bool first)
{
	const struct rx_device *disk = list_find(all, c->disk, 0);
	struct rx_memory memory = {
		.promised = promised(c, all),
		.beside = list_cached_with(all, c) - or_zero(c->cached),
	};
	struct rx_advice a;
	struct rx_tab tab;
	bool has_tab = !tab_load(&tab, RXTAB_PATH);

	dev_memory(&memory.total, &memory.available);
	advise(&a, c, disk ? ((const struct rx_disk *)disk)->size : RX_NONE, &memory);
	weigh(&a);
	if (has_tab)
		find_line(&a, &tab);
	if (array) {
		json_object_array_add(array, advice_json(&a));
	} else {
		if (!first)
			putchar('\n');
		advice_page(&a);
	}
	if (has_tab)
		tab_free(&tab);
}

static int tell_named(const struct rx_args *args, const struct rx_list *all,
		      struct json_object *array)
{
	const struct rx_device *cache;
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	size_t i;

	for (i = 0; i < args->n_objects; i++) {
		name_parse(args->objects[i], &family, name);
		cache = list_find(all, name, 0);
		if (!cache) {
			say("advise", name, "no such cache; see: rxadm list");
			tally(&t, RX_KERNEL);
			continue;
		}
		tell((const struct rx_cache *)cache, all, array, !t.done);
		tally(&t, RX_OK);
	}
	return tally_exit(&t);
}

static int tell_all(const struct rx_list *all, struct json_object *array)
{
	size_t i;

	for (i = 0; i < all->n_caches; i++)
		tell(&all->caches[i], all, array, !i);
	if (!all->n_caches && !array)
		say_hint(NULL, NULL, "no caches; make one: rxadm map --size 1G /dev/ORIGIN");
	return RX_OK;
}

int cmd_advise(const struct rx_args *args)
{
	struct json_object *root = NULL, *array = NULL;
	struct rx_list all = { 0 };
	char name[RX_NAME_LEN];
	struct rx_err err;
	size_t i;
	int ret, absent;

	if (rx.quiet)
		return args_quiet(args);
	if (args_has(args, "trace"))
		return advise_trace(args);
	for (i = 0; i < args->n_objects; i++)
		if (!object_is(args->verb->name, args->objects[i], RX_CACHE, name))
			return RX_USAGE;
	/* Fetches all caches, because they share the memory of the machine. */
	if (fetch_all(false, true, &all, &err) ||
	    (all.absent[RX_CACHE] && args->n_objects) ||
	    fetch_all(true, false, &all, &err)) {
		list_free(&all);
		return err_report(args->verb->name, NULL, &err);
	}
	absent = fetch_absent(args->verb->name, RX_CACHE, all.absent);
	if (rx.json) {
		root = out_json_root();
		fetch_json_absent(root, all.absent);
		array = json_object_new_array();
	}
	ret = args->n_objects ? tell_named(args, &all, array) : tell_all(&all, array);
	if (root) {
		json_object_object_add(root, "advice", array);
		out_json_print(root);
	}
	list_free(&all);
	return absent ? absent : ret;
}
