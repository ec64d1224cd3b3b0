// SPDX-License-Identifier: GPL-2.0-only
/* Prints stat --interval: a line for each cache and interval, as iostat does. */
#include <unistd.h>

#include "base/global.h"
#include "base/page.h"
#include "show/out.h"
#include "watch/statline.h"

/* A terminal gets the heading again after this many reports. */
#define HEADING_EVERY	20

static const struct {
	const char *name;
	int width;		/* below 0: to the left */
} cols[] = {
	{ "NAME", -5 }, { "HITS", 6 }, { "MISSES", 6 }, { "HIT%", 5 },
	{ "BYPASS", 6 }, { "FILL", 5 }, { "EVICT", 5 }, { "R-MiB/s", 7 },
	{ "W-MiB/s", 7 }, { "LAT-HIT", 7 }, { "LAT-MISS", 8 },
};

/* CELLS are NULL for the heading. */
static void put_row(const char *const *cells)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cols); i++)
		printf("%s%*s", i ? " " : "", rx.raw ? 0 : cols[i].width,
		       cells ? cells[i] : cols[i].name);
	putchar('\n');
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
	const char *cells[ARRAY_SIZE(cols)] = {
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
	static unsigned int reports;
	size_t i;

	if (!rx.noheadings && !rx.raw &&
	    (!reports || (isatty(STDOUT_FILENO) && !(reports % HEADING_EVERY))))
		put_row(NULL);
	reports++;
	for (i = 0; i < list->n_caches; i++)
		put_cache(&list->caches[i], interval_ns);
	out_flush();
}
