// SPDX-License-Identifier: GPL-2.0-only
/* stat --interval: a line for each cache and interval, as iostat has them. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <unistd.h>

#include "out.h"
#include "page.h"
#include "stat.h"

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

static void put(size_t col, const char *text)
{
	printf("%s%*s", col ? " " : "", rx.raw ? 0 : cols[col].width, text);
}

static void put_heading(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cols); i++)
		put(i, cols[i].name);
	putchar('\n');
}

/* Large counts are shortened, so that columns keep their place. */
static void put_count(size_t col, uint64_t count)
{
	char buf[32] = "-";

	if (count != RX_NONE && count < 1000000)
		snprintf(buf, sizeof(buf), "%" PRIu64, count);
	else if (count != RX_NONE && count < 1000000000)
		snprintf(buf, sizeof(buf), "%.1fM", count / 1e6);
	else if (count != RX_NONE)
		snprintf(buf, sizeof(buf), "%.1fG", count / 1e9);
	put(col, buf);
}

static void put_rate(size_t col, uint64_t bytes, uint64_t ns)
{
	char buf[32] = "-";

	if (bytes != RX_NONE && ns != RX_NONE && ns)
		snprintf(buf, sizeof(buf), "%.1f",
			 bytes / 1048576.0 / (ns / 1e9));
	put(col, buf);
}

static void put_span(size_t col, double ns)
{
	put(col, ns >= 0 ? page_span(ns) : "-");
}

static uint64_t both(uint64_t a, uint64_t b)
{
	return a == RX_NONE || b == RX_NONE ? RX_NONE : a + b;
}

/* The counters of NS nanoseconds; 0 stands for since the counters began. */
static void put_line(const struct rx_cache *c, uint64_t ns)
{
	const struct rx_stats *s = &c->stats;
	char ratio[16] = "-";

	if (!ns)
		ns = c->stats_age;
	if (c->hit_ratio >= 0)
		snprintf(ratio, sizeof(ratio), "%.1f", c->hit_ratio * 100);
	put(0, c->name);
	put_count(1, s->read_hit);
	put_count(2, both(s->read_miss, s->read_join));
	put(3, ratio);
	put_count(4, c->bypass);
	put_count(5, s->fill);
	put_count(6, s->evict);
	put_rate(7, s->read_bytes, ns);
	put_rate(8, s->write_bytes, ns);
	put_span(9, c->latency[RX_TIME_HIT].mean_ns);
	put_span(10, c->latency[RX_TIME_MISS].mean_ns);
	putchar('\n');
}

void stat_lines(const struct rx_list *list, uint64_t interval_ns)
{
	static unsigned int reports;
	size_t i;

	if (!rx.noheadings && !rx.raw &&
	    (!reports || (isatty(STDOUT_FILENO) && !(reports % HEADING_EVERY))))
		put_heading();
	reports++;
	for (i = 0; i < list->n_caches; i++)
		put_line(&list->caches[i], interval_ns);
	out_flush();
}
