// SPDX-License-Identifier: GPL-2.0-only
/* stat: a page about a disk or a cache, in words. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "page.h"
#include "stat.h"

void stat_page_disk(const struct rx_disk *d)
{
	const struct rx_io *io = &d->io;

	printf("%s  RAM disk of %s", d->name, page_size(d->size));
	if (*d->holder)
		printf(", memory of cache %s", d->holder);
	printf("%s\n", d->read_only == 1 ? ", read-only" : "");
	printf("  memory      %s hold data, %s on the way back to the machine\n",
	       page_size(d->used), page_size(d->freeing));
	/* A cache takes its memory without requests. */
	if (io->reads != RX_NONE && !*d->holder) {
		printf("  reads       %" PRIu64 " requests, %s\n", io->reads,
		       page_size(io->read_bytes));
		printf("  writes      %" PRIu64 " requests, %s\n", io->writes,
		       page_size(io->write_bytes));
		printf("  discards    %" PRIu64 " requests, %s\n",
		       io->discards, page_size(io->discard_bytes));
	}
	printf("  shortage    %" PRIu64 " writes found no memory, %" PRIu64
	       " had to wait for it\n", or_zero(d->no_space), or_zero(d->slow_writes));
}

/*
 * " (last 10 s 80 %, 5 min 83 %)": the windows that had reads and are shorter than
 * the time since the counters began.
 */
static void say_recent(const struct rx_cache *c)
{
	static const struct {
		const char *name;
		uint64_t seconds;
	} windows[] = { { "10 s", 10 }, { "5 min", 300 }, { "1 h", 3600 } };
	const char *before = " (last ";
	int i;

	for (i = 0; i < RX_WINDOWS; i++) {
		if (c->recent[i].hit_ratio < 0 ||
		    (c->stats_age != RX_NONE &&
		     c->stats_age <= windows[i].seconds * 1000000000))
			continue;
		printf("%s%s %s", before, windows[i].name,
		       page_percent(c->recent[i].hit_ratio));
		before = ", ";
	}
	if (*before == ',')
		putchar(')');
}

/* "; 6 % of reads bypassed: no memory"; several reasons have a share each. */
static void say_bypass(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;
	const struct {
		uint64_t blocks;
		const char *why;
	} reasons[] = {
		{ or_zero(s->read_bypass_memory), "no memory" },
		{ or_zero(s->read_bypass_write), "being written" },
		{ or_zero(s->read_bypass_fill), "fill raced or full" },
		{ or_zero(s->read_bypass_mode), "bypass mode" },
	};
	const char *before = ": ";
	size_t i;

	if (!or_zero(c->bypass))
		return;
	printf("; %s of reads bypassed",
	       page_percent((double)c->bypass / c->read_blocks));
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!reasons[i].blocks)
			continue;
		if (reasons[i].blocks == c->bypass)
			printf("%s%s", before, reasons[i].why);
		else
			printf("%s%s %s", before, page_percent((double)
				reasons[i].blocks / c->read_blocks),
			       reasons[i].why);
		before = ", ";
	}
}

/* The answer first: does the cache help, and is it full? */
static void say_summary(const struct rx_cache *c)
{
	const struct rx_recent *last = &c->recent[RX_LAST_5MIN];

	if (c->hit_ratio < 0) {
		puts("  nothing was read so far");
	} else {
		printf("  hit ratio %s", page_percent(c->hit_ratio));
		say_recent(c);
		say_bypass(c);
		putchar('\n');
	}
	if (c->saved_ns >= 0)
		printf("  hits saved %s of waiting for the origin: a hit takes %s, a miss %s\n",
		       page_time(c->saved_ns), page_time(c->latency[RX_TIME_HIT].mean_ns),
		       page_time(c->latency[RX_TIME_MISS].mean_ns));
	if (or_zero(last->fill) && or_zero(last->evict))
		printf("  it is full: of %" PRIu64
		       " blocks filled in the last 5 min, %s pushed others out\n",
		       last->fill, page_percent(last->evict < last->fill ?
				   (double)last->evict / last->fill : 1));
	if (c->stats_age != RX_NONE)
		printf("  counted for %s\n", page_span(c->stats_age));
}

static void say_latency(const struct rx_cache *c)
{
	static const char *const names[] = { "hit", "miss", "write", "origin" };
	const struct rx_latency *l;
	int i;

	for (i = 0; i < RX_TIMES; i++) {
		l = &c->latency[i];
		if (l->mean_ns >= 0)
			printf("  %-11s %s on average, median %s, p99 %s (%" PRIu64
			       " sample%s)\n", names[i], page_time(l->mean_ns),
			       page_time(l->p50_ns), page_time(l->p99_ns), l->count,
			       l->count == 1 ? "" : "s");
	}
}

static void say_reads(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	if (c->hit_ratio < 0)
		printf("  reads       %" PRIu64 " requests\n", or_zero(s->reads));
	else
		printf("  reads       %" PRIu64
		       " requests, %.1f%% of their blocks from memory\n",
		       or_zero(s->reads), c->hit_ratio * 100);
	if (s->read_full != RX_NONE)
		printf("    requests  %" PRIu64 " served whole by memory, %"
		       PRIu64 " in part, %" PRIu64 " not at all\n",
		       s->read_full, or_zero(s->read_partial), or_zero(s->read_none));
	if (s->read_bytes != RX_NONE)
		printf("    bytes     %s, %s of them from memory\n",
		       page_size(s->read_bytes), page_size(s->read_hit_bytes));
	printf("    hit       %" PRIu64 " blocks from memory\n",
	       or_zero(s->read_hit));
	printf("    miss      %" PRIu64
	       " blocks from the origin, put into the cache\n",
	       or_zero(s->read_miss));
	printf("    join      %" PRIu64
	       " blocks that another reader was fetching\n",
	       or_zero(s->read_join));
	printf("    bypass    %" PRIu64
	       " blocks past the cache: %" PRIu64 " no memory, %" PRIu64
	       " being written, %" PRIu64 " fill raced or full, %" PRIu64
	       " in bypass mode\n",
	       or_zero(c->bypass), or_zero(s->read_bypass_memory), or_zero(s->read_bypass_write),
	       or_zero(s->read_bypass_fill), or_zero(s->read_bypass_mode));
}

static void say_rest(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	if (s->write_bytes != RX_NONE)
		printf("  writes      %" PRIu64 " requests, %s\n", or_zero(s->writes),
		       page_size(s->write_bytes));
	else
		printf("  writes      %" PRIu64 " requests\n", or_zero(s->writes));
	printf("    update    %" PRIu64 " cached blocks brought up to date\n",
	       or_zero(s->write_update));
	printf("    allocate  %" PRIu64 " blocks put into the cache\n",
	       or_zero(s->write_allocate));
	printf("    bypass    %" PRIu64 " blocks not kept\n",
	       or_zero(s->write_bypass));
	printf("  fills       %" PRIu64 " blocks kept, %" PRIu64
	       " dropped because a write raced them, %" PRIu64
	       " because the origin failed\n", or_zero(s->fill), or_zero(s->fill_drop),
	       or_zero(s->fill_drop_error));
	printf("  dropped     %" PRIu64 " blocks to make room, %" PRIu64
	       " by writes, discards and flush, %" PRIu64
	       " to give memory back\n",
	       or_zero(s->evict), or_zero(s->invalidate), or_zero(s->reclaim));
	printf("  origin      %" PRIu64 " reads (%s), %" PRIu64
	       " writes (%s), %" PRIu64 " flushes, %" PRIu64 " discards\n",
	       or_zero(s->origin_reads), page_size(s->origin_read_bytes),
	       or_zero(s->origin_writes), page_size(s->origin_write_bytes),
	       or_zero(s->flushes), or_zero(s->discards));
	printf("  errors      %" PRIu64 " reads, %" PRIu64
	       " writes; of the origin: %" PRIu64 " reads, %" PRIu64
	       " writes\n", or_zero(s->read_errors), or_zero(s->write_errors),
	       or_zero(s->origin_read_errors), or_zero(s->origin_write_errors));
}

void stat_page_cache(const struct rx_cache *c)
{
	const uint64_t *state = &c->state;

	printf("%s  cache of %s (%s) in %s, %s%s, %s%s\n", c->name,
	       c->origin_path, page_size(c->origin_size), c->disk,
	       c->mode < RX_MODES ? rx_mode_names[c->mode] : "?",
	       c->mode == 0 && c->write_allocate == 0 ?
	       " without allocation" : "",
	       *state <= RX_STATE_FAILED ? rx_state_names[*state] : "?",
	       c->read_only == 1 ? ", read-only" : "");
	say_summary(c);
	printf("  memory      %s of %s hold blocks, %s more for the index, %s in flight or on the way back\n",
	       page_size(c->cached), page_size(c->size), page_size(c->metadata),
	       page_size(c->slack));
	say_reads(c);
	say_rest(c);
	say_latency(c);
	if (c->verify.running == RX_NONE)
		return;
	printf("  verify      %s%" PRIu64 " blocks compared with the origin, %"
	       PRIu64 " differed, %" PRIu64 " skipped\n",
	       c->verify.running == 1 ? "going on: " : "",
	       or_zero(c->verify.compared), or_zero(c->verify.mismatches),
	       or_zero(c->verify.skipped));
}
