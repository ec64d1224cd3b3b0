// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the page of stat about a disk or a cache, in words, and for stat --interval a line
 * for each cache and interval, as iostat does.
 */
#include <unistd.h>

#include "base/global.h"
#include "base/page.h"
#include "base/quote.h"
#include "kernel/model_gen.h"
#include "kernel/list.h"
#include "kernel/object.h"
#include "show/out.h"
#include "watch/stat.h"

void stat_page_disk(const struct rx_disk *d)
{
	const struct rx_io *io = &d->io;

	printf("%s  RAM disk of %s", d->name, page_size(d->size));
	if (*d->holder)
		printf(", memory of %s", d->holder);
	printf("%s\n", d->read_only == 1 ? ", read-only" : "");
	/* Memory that a cache or a preallocated disk has need not hold anything yet. */
	printf("  memory      %s %s, %s on the way back to the machine\n",
	       page_size(d->used), *d->holder || d->prealloc == 1 ? "taken" : "hold data",
	       page_size(d->freeing));
	/* A cache takes its memory without requests. */
	if (io->reads != RX_NONE && !*d->holder) {
		printf("  reads       %s requests, %s\n", page_count(io->reads),
		       page_size(io->read_bytes));
		printf("  writes      %s requests, %s\n", page_count(io->writes),
		       page_size(io->write_bytes));
		printf("  discards    %s requests, %s\n", page_count(io->discards),
		       page_size(io->discard_bytes));
	}
	printf("  shortage    %s writes found no memory, %s had to wait for it\n",
	       page_count(d->no_space), page_count(d->slow_writes));
}

/*
 * Prints " (last 10 s 80 %, 5 min 83 %)": the windows that had reads and are shorter than
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

/*
 * Prints "; 6 % of the blocks read bypassed it: no memory". If there are several reasons,
 * each has its share.
 */
static void say_bypass(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;
	const struct {
		uint64_t blocks;
		const char *why;
	} reasons[] = {
		{ or_zero(s->read_bypass_memory), "no memory" },
		{ or_zero(s->read_bypass_write), "being written" },
		{ or_zero(s->read_bypass_fill), "fill full" },
		{ or_zero(s->read_bypass_mode), "bypass mode" },
		{ or_zero(s->read_bypass_frozen), "frozen" },
	};
	const char *before = ": ";
	size_t i;

	if (!or_zero(c->bypass))
		return;
	printf("; %s of the blocks read bypassed it",
	       page_percent((double)c->bypass / c->read_blocks));
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!reasons[i].blocks)
			continue;
		fputs(before, stdout);
		if (reasons[i].blocks != c->bypass)
			printf("%s ", page_percent((double)reasons[i].blocks / c->read_blocks));
		fputs(reasons[i].why, stdout);
		before = ", ";
	}
}

/* Tells whether more than 9/10 of SIZE are taken; what is not known is not. */
static bool mostly(uint64_t taken, uint64_t size)
{
	return taken != RX_NONE && size != RX_NONE && taken > size / 10 * 9;
}

/*
 * Says what a full cache does, and that a cache evicts. Both have to be seen apart: a
 * cache that has just grown is not full, but has evicted, and min_free or a smaller size
 * evict without being asked for room. BESIDE are the bytes that other caches have of the
 * same memory; RX_NONE: not known.
 */
static void say_evicted(const struct rx_cache *c, uint64_t beside)
{
	uint64_t evicted = or_zero(c->recent[RX_LAST_5MIN].evict);
	const char *full = "";

	if (!evicted)
		return;
	if (c->max_share < c->size && mostly(c->cached, c->max_share))
		full = "it has its max share: ";
	else if (beside != RX_NONE && c->cached != RX_NONE &&
		 mostly(c->cached + beside + or_zero(c->slack), c->size))
		full = "it is full: ";
	printf("  %sabout %s block%s evicted in the last 5 min\n", full, page_count(evicted),
	       evicted == 1 ? " was" : "s were");
}

/* Prints the answer first: does the cache help, and is it full? */
static void say_summary(const struct rx_cache *c, uint64_t beside)
{
	if (c->hit_ratio < 0) {
		puts("  nothing was read since the counters began");
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
	say_evicted(c, beside);
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
			printf("  %-11s %s on average, median %s, p99 %s (%s sample%s)\n",
			       names[i], page_time(l->mean_ns), page_time(l->p50_ns),
			       page_time(l->p99_ns), page_count(l->count),
			       l->count == 1 ? "" : "s");
	}
}

static void say_reads(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	printf("  reads       %s requests", page_count(s->reads));
	if (c->hit_ratio >= 0)
		printf(", %.1f%% of their blocks from memory", c->hit_ratio * 100);
	putchar('\n');
	if (s->read_full != RX_NONE)
		printf("    requests  %s served whole by memory, %s in part, %s not at all, %s refused\n",
		       page_count(s->read_full), page_count(s->read_partial),
		       page_count(s->read_none), page_count(s->read_again));
	if (s->read_bytes != RX_NONE)
		printf("    bytes     %s, %s of them from memory\n",
		       page_size(s->read_bytes), page_size(s->read_hit_bytes));
	printf("    hit       %s blocks from memory\n", page_count(s->read_hit));
	printf("    miss      %s blocks from the origin, fetched into the cache\n",
	       page_count(s->read_miss));
	printf("    join      %s blocks that another reader was fetching\n",
	       page_count(s->read_join));
	printf("    bypass    %s blocks past the cache: %s no memory, %s being written, %s fill full, %s in bypass mode, %s while frozen\n",
	       page_count(c->bypass), page_count(s->read_bypass_memory),
	       page_count(s->read_bypass_write), page_count(s->read_bypass_fill),
	       page_count(s->read_bypass_mode), page_count(s->read_bypass_frozen));
}

static void say_rest(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	printf("  writes      %s requests", page_count(s->writes));
	if (s->write_bytes != RX_NONE)
		printf(", %s", page_size(s->write_bytes));
	putchar('\n');
	printf("    update    %s cached blocks brought up to date\n",
	       page_count(s->write_update));
	printf("    allocate  %s blocks put into the cache\n",
	       page_count(s->write_allocate));
	printf("    bypass    %s blocks not kept\n", page_count(s->write_bypass));
	printf("  flushes     %s requests, also as part of writes\n", page_count(s->flushes));
	printf("  discards    %s requests, also for zeroes\n", page_count(s->discards));
	printf("  fills       %s blocks kept, %s dropped (raced by a write, frozen meanwhile or no room), %s lost because the origin failed\n",
	       page_count(s->fill), page_count(s->fill_drop), page_count(s->fill_drop_error));
	printf("  dropped     %s blocks evicted to make room or by a smaller size, %s invalidated by writes, discards and drop, %s given back to the machine\n",
	       page_count(s->evict), page_count(s->invalidate), page_count(s->reclaim));
	/* The kernel counts all of these requests as writes of the origin. */
	printf("  origin      %s reads (%s), %s writes, flushes and discards (%s written)\n",
	       page_count(s->origin_reads), page_size(s->origin_read_bytes),
	       page_count(s->origin_writes), page_size(s->origin_write_bytes));
	printf("  errors      %s reads, %s writes; of the origin: %s reads, %s writes\n",
	       page_bad(s->read_errors), page_bad(s->write_errors),
	       page_bad(s->origin_read_errors), page_bad(s->origin_write_errors));
}

/* Prints what read-ahead did, also before it was switched off. */
static void say_ahead(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	if (!or_zero(c->read_ahead) && !or_zero(s->ahead_issued))
		return;
	printf("  read-ahead  %s: %s blocks, %s of them read since, %s late, %s in vain",
	       *c->ahead ? c->ahead : "?", page_count(s->ahead_issued),
	       page_count(s->ahead_used), page_count(s->ahead_late),
	       page_count(s->ahead_vain));
	if (or_zero(s->ahead_saved))
		printf("; it saved %s of waiting", page_time(s->ahead_saved));
	putchar('\n');
}

/* Why compression by auto pauses, or NULL. */
static const char *compress_pause(const struct rx_cache *c)
{
	static const char *const words[RX_JUDGEMENTS] = {
		[RX_JUDGED_LITTLE_GAIN] = "blocks take nearly as much memory as plain ones",
		[RX_JUDGED_PROCESSOR] = "it took more than an eighth of the time that readers waited for misses",
		[RX_JUDGED_FAST_ORIGIN] = "a miss takes less than eight times as long as to decompress a block",
	};

	return c->compress_verdict < RX_JUDGEMENTS ? words[c->compress_verdict] : NULL;
}

/* Prints what compression did, also after it was switched off. */
static void say_compress(const struct rx_cache *c)
{
	const struct rx_stats *s = &c->stats;

	if (!or_zero(c->compress) && !or_zero(c->compressed))
		return;
	printf("  compress    %s: %s of blocks in %s",
	       c->compress < RX_CODECS ? rx_codec_names[c->compress] : "?",
	       page_size(or_zero(c->compressed)), page_size(or_zero(c->compressed_memory)));
	if (or_zero(c->compressed_memory))
		printf(", %.1f times smaller; %s of blocks are plain",
		       ratio_of(or_zero(c->compressed), c->compressed_memory),
		       page_size(or_zero(c->cached) - c->compressed_memory));
	if (or_zero(s->read_hit_compressed))
		printf("; %s hits of them, %s each", page_count(s->read_hit_compressed),
		       page_time(or_zero(s->decompress_ns) / s->read_hit_compressed));
	if (or_zero(s->compressed_damaged))
		printf("; %s damaged in memory", page_bad(s->compressed_damaged));
	putchar('\n');
	if (compress_pause(c))
		printf("              paused, and tried again later: %s\n", compress_pause(c));
	if (or_zero(c->compress_tried))
		printf("  compressor  %s of %s blocks tried were worth it; %s of processor time; %s of plain blocks are not worth it\n",
		       page_count(or_zero(c->compress_done)), page_count(c->compress_tried),
		       page_time(or_zero(c->compress_ns)), page_size(or_zero(c->incompressible)));
}

static void say_warm(const struct rx_cache *c)
{
	const struct rx_warm *w = &c->warm;

	if (w->state == RX_WARM_WAITING)
		puts("  warm        waiting to be loaded");
	else if (w->state != RX_NONE)
		printf("  warm        %s of %s loaded%s\n",
		       w->ratio < 0 ? "all" : page_percent(w->ratio), page_size(w->size),
		       w->state == RX_WARM_LOADING ? ", going on" :
		       w->state == RX_WARM_STOPPED ? ", stopped" : "");
}

/* Prints the resize, unless it is done, which the size itself shows. */
static void say_resize(const struct rx_cache *c)
{
	const struct rx_resize *r = &c->resize;

	if (r->running == 1)
		printf("  resize      to %s, still running\n", page_size(r->size));
	else if (or_zero(r->error))
		printf("  resize      not to %s: %s\n", page_size(r->size), r->message);
}

/* BESIDE are the bytes that other caches have of the same memory; RX_NONE: not known. */
void stat_page_cache(const struct rx_cache *c, uint64_t beside)
{
	printf("%s  cache of %s (%s) in %s, %s%s, %s%s%s\n", c->name,
	       shown(c->origin_path), page_size(c->origin_size), c->disk,
	       c->mode < RX_MODES ? page_state(rx_mode_names[c->mode]) : "?",
	       c->mode == RX_MODE_THROUGH && !c->write_allocate ? " without allocation" : "",
	       c->state < RX_STATES ? page_state(rx_state_names[c->state]) : "?",
	       c->frozen == 1 ? ", frozen" : "", c->read_only == 1 ? ", read-only" : "");
	say_summary(c, beside);
	printf("  memory      %s of %s hold blocks, %s more for the index, %s in flight or in stock\n",
	       page_size(c->cached), page_size(c->size), page_size(c->metadata),
	       page_size(c->slack));
	if (c->sharers != RX_NONE && c->sharers > 1)
		printf("  shared      %s caches share this memory, each with its own blocks\n",
		       page_count(c->sharers));
	if (or_zero(c->min_share) || (c->max_share != RX_NONE && c->max_share < c->size))
		printf("  share       others leave %s of it, and it takes %s at most\n",
		       page_size(or_zero(c->min_share)), page_size(c->max_share));
	if (or_zero(c->pinned))
		printf("  pinned      %s, %s of that cached; at most %s can be pinned\n",
		       page_size(c->pinned), page_size(c->pinned_cached),
		       page_size(c->pin_limit));
	say_reads(c);
	say_rest(c);
	say_ahead(c);
	say_compress(c);
	say_latency(c);
	say_warm(c);
	say_resize(c);
	if (c->verify.running == RX_NONE)
		return;
	printf("  verify      %s%s blocks compared with the origin, %s differed, %s skipped\n",
	       c->verify.running == 1 ? "going on: " : "",
	       page_count(c->verify.compared), page_bad(c->verify.mismatches),
	       page_count(c->verify.skipped));
}

/* A terminal gets the heading again after this many reports. */
#define HEADING_EVERY	20

#define CELLS		11

static void put_row(const char *const c[CELLS])
{
	printf(rx.raw ? "%s %s %s %s %s %s %s %s %s %s %s\n" :
	       "%-5s %6s %6s %5s %6s %5s %5s %7s %7s %7s %8s\n",
	       c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10]);
}

/* Shortens large counts, so that columns keep their place. */
static const char *count(uint64_t n)
{
	if (n == RX_NONE)
		return "-";
	if (n < 1000000)
		return page_count(n);
	return n < 1000000000 ? page_text("%.1fM", n / 1e6) : page_text("%.1fG", n / 1e9);
}

/* Returns MiB per second. */
static const char *rate(uint64_t bytes, uint64_t ns)
{
	if (bytes == RX_NONE || ns == RX_NONE || !ns)
		return "-";
	return page_text("%.1f", bytes / 1048576.0 / (ns / 1e9));
}

static const char *span(double ns)
{
	return ns >= 0 ? page_span(ns) : "-";
}

static uint64_t both(uint64_t a, uint64_t b)
{
	return a == RX_NONE || b == RX_NONE ? RX_NONE : a + b;
}

/*
 * Prints the counters of NS nanoseconds. An NS of 0 stands for the time since the
 * counters began.
 */
static void put_cache(const struct rx_cache *c, uint64_t ns)
{
	uint64_t time = ns ? ns : c->stats_age;
	const struct rx_stats *s = &c->stats;
	const char *cells[CELLS] = {
		c->name, count(s->read_hit), count(both(s->read_miss, s->read_join)),
		c->hit_ratio >= 0 ? page_text("%.1f", c->hit_ratio * 100) : "-",
		count(c->bypass), count(s->fill), count(s->evict),
		rate(s->read_bytes, time), rate(s->write_bytes, time),
		span(c->latency[RX_TIME_HIT].mean_ns),
		span(c->latency[RX_TIME_MISS].mean_ns),
	};

	put_row(cells);
}

void stat_lines(const struct rx_list *list, uint64_t interval_ns)
{
	static const char *const names[CELLS] = {
		"NAME", "HITS", "MISSES", "HIT%", "BYPASS", "FILL", "EVICT", "R-MiB/s", "W-MiB/s",
		"LAT-HIT", "LAT-MISS",
	};
	static unsigned int reports;
	size_t i;

	if (!rx.noheadings && !rx.raw &&
	    (!reports || (isatty(STDOUT_FILENO) && !(reports % HEADING_EVERY))))
		put_row(names);
	reports++;
	for (i = 0; i < list->n_caches; i++)
		put_cache(&list->caches[i], interval_ns);
	out_flush();
}
