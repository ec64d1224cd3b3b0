// SPDX-License-Identifier: GPL-2.0-only
/* stat: figures since creation, then what each interval added. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "rxadm.h"

#define DISK_COLS \
	"NAME,USED,READS,READ,WRITES,WRITTEN,DISCARDED,NO-SPACE,SLOW-WRITES"
#define CACHE_COLS \
	"NAME,CACHED,HIT%,READS,WRITES,READ-HIT,READ-MISS,READ-JOIN,BYPASS," \
	"EVICT,RECLAIM,ERRORS"

static const char *size(uint64_t bytes)
{
	static char bufs[4][32];
	static unsigned int next;
	char *buf = bufs[next++ % ARRAY_SIZE(bufs)];

	if (bytes == RX_NONE)
		return "?";
	if (rx.bytes)
		snprintf(buf, sizeof(bufs[0]), "%" PRIu64, bytes);
	else
		size_print(bytes, buf, sizeof(bufs[0]));
	return buf;
}

/* Unknown counters read as none: the page is for people. */
static uint64_t n(uint64_t count)
{
	return count == RX_NONE ? 0 : count;
}

static void report_disk(const struct rx_disk *d)
{
	const struct rx_io *io = &d->io;

	printf("%s  RAM disk of %s", d->name, size(d->size));
	if (*d->holder)
		printf(", memory of cache %s", d->holder);
	printf("%s\n", d->read_only == 1 ? ", read-only" : "");
	printf("  memory      %s hold data, %s on the way back to the machine\n",
	       size(d->used), size(d->freeing));
	/* A cache takes its memory without requests. */
	if (io->reads != RX_NONE && !*d->holder) {
		printf("  reads       %" PRIu64 " requests, %s\n", io->reads,
		       size(io->read_bytes));
		printf("  writes      %" PRIu64 " requests, %s\n", io->writes,
		       size(io->write_bytes));
		printf("  discards    %" PRIu64 " requests, %s\n",
		       io->discards, size(io->discard_bytes));
	}
	printf("  shortage    %" PRIu64 " writes found no memory, %" PRIu64
	       " had to wait for it\n", n(d->no_space), n(d->slow_writes));
}

static void report_cache(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;
	const uint64_t *state = &c->state;

	printf("%s  cache of %s (%s) in %s, %s%s, %s%s\n", c->name,
	       c->origin_path, size(c->origin_size), c->disk,
	       c->mode < RX_MODES ? rx_mode_names[c->mode] : "?",
	       c->mode == 0 && c->write_allocate == 0 ?
	       " without allocation" : "",
	       *state <= RX_STATE_FAILED ? rx_state_names[*state] : "?",
	       c->read_only == 1 ? ", read-only" : "");
	printf("  memory      %s of %s hold blocks, %s more for the index\n",
	       size(c->cached), size(c->size), size(c->metadata));
	if (c->hit_ratio < 0)
		printf("  reads       %" PRIu64 " requests\n", n(s->reads));
	else
		printf("  reads       %" PRIu64
		       " requests, %.1f%% of their blocks from memory\n",
		       n(s->reads), c->hit_ratio * 100);
	printf("    hit       %" PRIu64 " blocks from memory\n",
	       n(s->read_hit));
	printf("    miss      %" PRIu64
	       " blocks from the origin, put into the cache\n",
	       n(s->read_miss));
	printf("    join      %" PRIu64
	       " blocks that another reader was fetching\n",
	       n(s->read_join));
	printf("    bypass    %" PRIu64
	       " blocks past the cache: %" PRIu64 " no memory, %" PRIu64
	       " being written, %" PRIu64 " fill raced or full, %" PRIu64
	       " in bypass mode\n",
	       n(c->bypass), n(s->bypass_memory), n(s->bypass_write),
	       n(s->bypass_fill), n(s->bypass_mode));
	printf("  writes      %" PRIu64 " requests\n", n(s->writes));
	printf("    update    %" PRIu64 " cached blocks brought up to date\n",
	       n(s->write_update));
	printf("    allocate  %" PRIu64 " blocks put into the cache\n",
	       n(s->write_allocate));
	printf("    bypass    %" PRIu64 " blocks not kept\n",
	       n(s->write_bypass));
	printf("  dropped     %" PRIu64 " blocks to make room, %" PRIu64
	       " by writes, discards and flush, %" PRIu64
	       " to give memory back\n",
	       n(s->evict), n(s->invalidate), n(s->reclaim));
	printf("  origin      %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64
	       " flushes, %" PRIu64 " discards\n",
	       n(s->origin_reads), n(s->origin_writes), n(s->flushes),
	       n(s->discards));
	printf("  errors      %" PRIu64 " reads, %" PRIu64
	       " writes; fills: %" PRIu64 " failed, %" PRIu64
	       " dropped because a write raced them\n",
	       n(s->read_errors), n(s->write_errors), n(s->fill_error),
	       n(s->fill_drop));
	if (c->verify.running == RX_NONE)
		return;
	printf("  verify      %s%" PRIu64 " blocks compared with the origin, %"
	       PRIu64 " differed, %" PRIu64 " skipped\n",
	       c->verify.running == 1 ? "going on: " : "",
	       n(c->verify.compared), n(c->verify.mismatches),
	       n(c->verify.skipped));
}

static void print_pages(const struct rx_list *list)
{
	size_t i;

	for (i = 0; i < list->n_disks; i++) {
		report_disk(&list->disks[i]);
		if (i + 1 < list->n_disks || list->n_caches)
			putchar('\n');
	}
	for (i = 0; i < list->n_caches; i++) {
		report_cache(&list->caches[i]);
		if (i + 1 < list->n_caches)
			putchar('\n');
	}
}

static void print_tables(const struct rx_list *list, uint64_t interval_ns)
{
	char buf[32];

	if (!rx.noheadings && !rx.raw)
		printf("%s%s\n", interval_ns ? "\nin the last " : "since creation",
		       interval_ns ? time_print(interval_ns, buf, sizeof(buf)) :
		       "");
	if (list->n_disks)
		out_table(&view_disks, list->disks, list->n_disks,
			  rx.columns ? rx.columns : DISK_COLS);
	if (list->n_caches)
		out_table(&view_caches, list->caches, list->n_caches,
			  rx.columns ? rx.columns : CACHE_COLS);
	out_flush();
}

/* BEFORE, which may be NULL, is what the last report was made from. */
static void report(struct rx_list *now, const struct rx_list *before,
		   uint64_t interval_ns, bool stream)
{
	if (before)
		list_subtract(now, before);
	if (rx.json)
		out_json_print(out_json_report(now, true, true,
					       before ? interval_ns : 0));
	else if (stream || rx.columns)
		print_tables(now, before ? interval_ns : 0);
	else
		print_pages(now);
}

static int reset_one(const char *verb, const char *name, struct rx_list *done)
{
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret = RX_OK;

	req_init(&req, RX_CACHE, "map-reset-stats");
	req_text(&req, "name", name);
	if (rx.dry_run)
		req_show(&req);
	else if (nl_do(&req, &cache, &err))
		ret = err_report(verb, name, &err);
	else
		list_add_cache(done, &cache);
	req_free(&req);
	return ret;
}

/* Of caches; a disk's counters are the block layer's, which has no such thing. */
static int reset(const struct rx_verb *verb, const struct rx_args *args)
{
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	size_t i;

	if (!args->n_objects)
		return usage_error("stat: --reset of which cache? say: rxadm stat --reset rxc0");
	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb->name, args->objects[i], RX_CACHE, name))
			return RX_USAGE;
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb->name, args->objects[i], RX_CACHE, name);
		tally(&t, reset_one(verb->name, name, &done));
	}
	out_result(&done);
	list_free(&done);
	return tally_exit(&t);
}

int cmd_stat(const struct rx_verb *verb, const struct rx_args *args)
{
	uint64_t interval = args_num(args, "interval", 0);
	uint64_t count = args_num(args, "count", interval ? RX_NONE : 1);
	struct rx_list now = { 0 }, before = { 0 }, copy;
	int64_t start = now_ms(), left;
	uint64_t i;
	int ret = RX_OK;

	if (!out_columns_valid(views_list, ARRAY_SIZE(views_list)))
		return RX_USAGE;
	if (args_has(args, "reset"))
		return reset(verb, args);
	if (interval && interval < 10000000)
		return usage_error("stat: the shortest interval is 10ms");
	if (interval)
		signals_take();
	for (i = 0; i < count; i++) {
		/* On a busy machine a report may be late; below 0 is for ever. */
		left = start + (int64_t)(interval / 1000000 * i) - now_ms();
		if (i && wait_fd(-1, left > 0 ? left : 0) == WAIT_SIGNAL)
			break;
		ret = fetch(verb, args, true, true, &now);
		if (ret && (ret != RX_PARTIAL || interval))
			break;
		copy = list_figures(&now);
		report(&now, i ? &before : NULL, interval, interval);
		list_free(&now);
		list_free(&before);
		before = copy;
		if (!out_flush())
			break;
	}
	list_free(&now);
	list_free(&before);
	return ret;
}
