// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints an advice in words, for readers who have never seen a cache: whether the cache
 * helps, bars for the sizes, and what to change and how. In a UTF-8 locale the bars are block
 * characters, exact to an eighth of a column; elsewhere they are number signs.
 */
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "advise/advice.h"
#include "advise/page.h"
#include "advise/steps.h"
#include "base/global.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/strv.h"
#include "kernel/model_gen.h"

#define GHOSTS_MANY	0.05
#define BYPASS_MUCH	0.01
#define LOST_MANY	0.2
#define BAR_MIN		10

static void put_bar(double ratio, size_t width)
{
	static const char *const eighths[] = {
		"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"
	};
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	size_t n = ratio * width * 8 + 0.5, i;

	if (!utf8)
		n = (n + 4) / 8 * 8;
	for (i = 0; i < n / 8; i++)
		fputs(utf8 ? "█" : "#", stdout);
	fputs(eighths[n % 8], stdout);
}

static size_t longer(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

/*
 * Each row is a line "  SIZE LABEL  HIT% BAR <-" that fits into the page, unless the
 * shortest bars need more. The arrow is at rows that are chosen. HEADING stands above the
 * labels. An empty line comes before the rows and one after them.
 */
void plot_bars(const struct rx_plot_row *rows, size_t n, const char *heading)
{
	size_t size = strlen("SIZE"), label = rx.noheadings ? 0 : strlen(heading);
	size_t mark = 0, used, bar, width = page_width(), i;

	for (i = 0; i < n; i++) {
		size = longer(size, rows[i].size);
		label = longer(label, rows[i].label);
		if (rows[i].chosen)
			mark = strlen("<-");
	}
	used = 2 + size + 1 + label + 1 + 5 + 1 + mark + 1;
	bar = width > used + BAR_MIN ? width - used : BAR_MIN;
	putchar('\n');
	if (!rx.noheadings)
		printf("  %*s %-*s %5s\n", (int)size, "SIZE", (int)label, heading, "HIT%");
	for (i = 0; i < n; i++) {
		printf("  %*s %-*s %5.1f", (int)size, rows[i].size, (int)label,
		       rows[i].label, rows[i].ratio * 100);
		if (rows[i].ratio > 0 || rows[i].chosen)
			putchar(' ');
		put_bar(rows[i].ratio, bar);
		puts(rows[i].chosen ? " <-" : "");
	}
	putchar('\n');
}

static const char *size_at(const struct rx_advice *a, size_t at)
{
	return page_size(advice_size(a, at));
}

static double ratio_at(const struct rx_advice *a, size_t at)
{
	return a->curve.at[at].ratio;
}

/* Returns "13 points", "1.5 points" or "1 point". */
static const char *points(double from, double to)
{
	double diff = fabs(to - from) * 100;

	diff = round(diff * (diff < 9.95 ? 10 : 1)) / (diff < 9.95 ? 10 : 1);
	return page_text("%.4g point%s", diff, diff == 1 ? "" : "s");
}

static const char *origin(const struct rx_cache *c)
{
	return shown(*c->origin_path ? c->origin_path : c->origin);
}

static void say_help(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;

	if (a->ratio < 0)
		return;
	page_para("%s %s of the blocks read %s came from memory.",
		  a->ratio >= ADVICE_USELESS ? "It helps:" : "It hardly helps:",
		  page_percent(a->ratio),
		  a->lately ? "in the last hour" :
		  a->frozen ? "while it was not frozen" : "since the counters began");
	if (a->saved_ns > 0 && c->stats_age != RX_NONE)
		page_para("In the last %s hits saved %s of waiting for the origin: a hit takes %s, a miss %s.",
			  page_span(c->stats_age), page_span(a->saved_ns),
			  page_span(c->latency[RX_TIME_HIT].mean_ns),
			  page_span(c->latency[RX_TIME_MISS].mean_ns));
}

/* Returns the size relative to the present one: "2x", "1/2x", "all" or "now". */
static const char *label(const struct rx_advice *a, size_t at)
{
	double times = (double)a->curve.at[at].size / a->curve.at[a->now].size;

	if (at == a->now)
		return "now";
	if (at == a->whole)
		return "all";
	return times < 1 ? page_text("1/%.0fx", 1 / times) : page_text("%.0fx", times);
}

static void draw(const struct rx_advice *a)
{
	bool judged = verdict_resizes(a->verdict) || a->verdict == VERDICT_KEEP;
	struct rx_plot_row rows[CURVE_MAX], *row;
	size_t i;

	for (i = 0; i < a->curve.n; i++) {
		row = &rows[i];
		snprintf(row->size, sizeof(row->size), "%s", size_at(a, i));
		snprintf(row->label, sizeof(row->label), "%s", label(a, i));
		row->ratio = ratio_at(a, i);
		row->chosen = judged && i == a->best;
	}
	plot_bars(rows, a->curve.n, "");
}

static void say_no_figures(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	const struct rx_shadow *s = &c->shadow;

	switch (a->verdict) {
	case VERDICT_NOT_ACTIVE:
		page_para("It is %s, and there is nothing to judge.",
			  c->state <= RX_STATE_FAILED ?
			  rx_state_names[c->state] : "not active");
		break;
	case VERDICT_BYPASS:
		page_para(c->status == RX_STATUS_MISMATCH ?
			  "It is bypassed because verify found that it differs from the origin: find out who wrote there before you use it again, with:" :
			  "It is in bypass mode: all reads and writes go past it, and it does nothing. To use it again, empty at first:");
		break;
	case VERDICT_UNUSED:
		page_para("Hardly anything was read through it%s%s. What is to be cached has to be read from /dev/%s, and mounted from there, not from %s.",
			  c->stats_age == RX_NONE ? "" : " in ",
			  c->stats_age == RX_NONE ? "" : page_span(c->stats_age),
			  c->name, origin(c));
		break;
	case VERDICT_IDLE:
		page_para("It is idle: nothing was read in the last hour or more, so there is nothing to judge. Ask again when it is used.");
		break;
	case VERDICT_BLIND:
		page_para("The effect of other sizes is not known, because the module keeps no shadow of it: the module is older, its parameter shadow is off, or there was no memory. A recording of the load can tell: see --trace in rxadm-advise(8).");
		break;
	case VERDICT_FEW:
		if (or_zero(s->reads) < ADVICE_READS_MIN)
			page_para("Too early to say more: it has seen only %s sampled reads (one block in %s is looked at), and %d are needed. Come back later.",
				  page_count(s->reads), page_count(s->rate), ADVICE_READS_MIN);
		else if (a->first > ADVICE_FIRST_MOST)
			page_para("Too early to say more: %s of the reads were first reads of their blocks, which no cache of any size could serve. It is not known yet how many of these blocks are read again, and which size keeps them until then. Come back when the load has been through its data more than once.",
				  page_percent(a->first));
		else
			page_para("Too early to say more: it is not full yet, %s of %s, and hardly anything has been read twice. Come back later.",
				  page_size(c->cached), page_size(c->size));
		break;
	default:
		break;
	}
}

static void say_page_cache(const struct rx_advice *a)
{
	page_para("Leave the memory to the page cache. It made %s of the reads that came here: programs read files in the ordinary way, and the kernel keeps those in memory by itself. The data that is read repeatedly fits into %s, and %s are available to the page cache, besides the memory of this cache. It would be found there sooner, and not be held twice: a cache below the page cache sees only the reads that the page cache missed.",
		  page_percent(a->buffered), size_at(a, a->wanted),
		  page_size(a->memory.available));
	page_para("Keep the cache if the page cache cannot do that. Programs under a memory limit (a cgroup) can't use all available memory. A backup or drop_caches empties the page cache, and leaves this cache mostly as it is.");
}

static void say_useless(const struct rx_advice *a)
{
	size_t last = a->curve.n - 1;

	if (last == a->now) {
		page_para("Give its memory back: hardly anything is read twice.");
		return;
	}
	page_para("Give its memory back: hardly anything is read twice, and even %s, %.0f times as much, would serve %s.",
		  size_at(a, last), (double)a->curve.at[last].size /
				    a->curve.at[a->now].size,
		  page_percent(ratio_at(a, last)));
}

/* Says what keeps the cache from the size that would be right. */
static void say_limit(const struct rx_advice *a)
{
	const char *why = "the limit: the machine has none to spare.";

	if (a->wanted <= a->best || verdict_unmaps(a->verdict) ||
	    a->verdict == VERDICT_SHRINK)
		return;
	if (a->pressed)
		why = "short already: the machine takes back what the cache has, and a larger one would not get it.";
	else if (a->room > a->curve.at[a->now].size)
		why = page_text("the limit: there is room for a cache of %s here.",
				page_size(a->room & ~((1ULL << 20) - 1)));
	page_para("With %s it would be %s, but memory is %s",
		  size_at(a, a->wanted), page_percent(ratio_at(a, a->wanted)),
		  why);
}

static void say_grow(const struct rx_advice *a)
{
	size_t last = a->curve.n - 1;
	const char *saves = "";

	if (a->gain_ns > 0)
		saves = page_text(", which saves about %s of waiting in an hour",
				  page_span(a->gain_ns));
	page_para("Give it %s: the hit ratio would go from %s to %s%s.",
		  size_at(a, a->best), page_percent(ratio_at(a, a->now)),
		  page_percent(ratio_at(a, a->best)), saves);
	if (a->wanted == a->best && last > a->best)
		page_para("More than that adds little: %s would add %s.",
			  size_at(a, last),
			  ratio_at(a, last) <= ratio_at(a, a->best) ? "nothing" :
			  points(ratio_at(a, a->best), ratio_at(a, last)));
	if (a->ghost > GHOSTS_MANY)
		page_para("Another sign that it is too small: %s of the blocks put into it had been dropped shortly before.",
			  page_percent(a->ghost));
}

static void say_shrink(const struct rx_advice *a)
{
	const char *now = page_percent(ratio_at(a, a->now));
	const char *then = page_percent(ratio_at(a, a->best));
	bool same = !strcmp(now, then);

	page_para("Half would do as well: with %s the hit ratio %s %s%s%s, and %s come back.",
		  size_at(a, a->best), same ? "stays at" : "would be", then,
		  same ? "" : " instead of ", same ? "" : now,
		  size_at(a, a->best));
}

static void say_keep(const struct rx_advice *a)
{
	double now = ratio_at(a, a->now), other;
	const char *twice = "", *half = "";

	if (!a->full && !a->evicted) {
		page_para("Leave its size: it is not full, and no block had to be evicted for another in the last hour, so more would not help. It takes memory only as it fills, now %s of %s.",
			  page_size(a->cache->cached), page_size(a->cache->size));
		return;
	}
	if (a->now + 1 < a->curve.n) {
		other = ratio_at(a, a->now + 1);
		twice = page_text("twice as much would %s %s",
				  other < now ? "lose" : "add", points(now, other));
	}
	if (a->now) {
		other = ratio_at(a, a->now - 1);
		half = page_text("%shalf would %s %s", *twice ? ", " : "",
				 other > now ? "add" : "lose", points(now, other));
	}
	page_para("Leave its size: %s%s.", twice, half);
}

/*
 * Says that more than the origin has is never cached. Other caches on the disk, or a max
 * share, leave too little of it for that.
 */
static void say_whole(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;

	if (a->whole == CURVE_MAX || verdict_unmaps(a->verdict) || a->shared || a->limited)
		return;
	if (a->whole <= a->now && a->verdict != VERDICT_SHRINK)
		page_para("All of %s, %s, fits into it. It never takes more than that.",
			  origin(c), page_size(c->origin_size));
	else if (a->best == a->whole)
		page_para("All of %s fits into %s, so more is never used.", origin(c),
			  size_at(a, a->whole));
}

static void say_verdict(const struct rx_advice *a)
{
	static void (*const say[VERDICTS])(const struct rx_advice *a) = {
		[VERDICT_PAGE_CACHE] = say_page_cache,
		[VERDICT_USELESS] = say_useless, [VERDICT_GROW] = say_grow,
		[VERDICT_SHRINK] = say_shrink, [VERDICT_KEEP] = say_keep,
	};

	(say[a->verdict] ? say[a->verdict] : say_no_figures)(a);
	if (a->curve.n) {
		say_limit(a);
		say_whole(a);
	}
}

/* Says what a max share means for the sizes, and for a larger disk. */
static void say_max_share(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	const char *larger = "";

	if (a->at_max && or_zero(c->max_share_percent))
		larger = page_text(" It has that now, and gets at most %u %% of what is added to the disk, unless its max share grows too.",
				   (unsigned int)c->max_share_percent);
	else if (a->at_max)
		larger = " It has that now, and gets no more from a larger disk, unless its max share grows too.";
	page_para("Its max share is %s of %s.%s%s", page_size(c->max_share), c->disk, larger,
		  a->shared ? "" : " The sizes above are about a cache without one.");
}

/* Prints further findings. Called only for a cache that keeps its memory. */
static void say_settings(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;
	uint64_t taken = or_zero(c->stats.reclaim) * or_zero(c->block);

	if (a->shared)
		page_para("It shares %s with other caches and has %s of it now. The sizes above are about a cache that has its disk to itself.",
			  c->disk, page_size(c->cached));
	if (a->limited)
		say_max_share(a);
	if (a->lost > LOST_MANY)
		page_para("At times it was read faster than the shadow could follow, and %s of the samples were lost: the estimates for other sizes are less certain.",
			  page_percent(a->lost));
	if (a->flip)
		page_para(c->write_allocate ?
			  "Without write-allocate the hit ratio would be %s: blocks that are written push out others that are read." :
			  "With write-allocate the hit ratio would be %s: blocks that are written are read soon.",
			  page_percent(a->flipped));
	if (or_zero(c->stats.ahead_issued) && or_zero(c->read_ahead))
		page_para("Of %s blocks that were read ahead readers came to %s, and %s were in vain.%s%s",
			  page_count(c->stats.ahead_issued), page_count(c->stats.ahead_used),
			  page_percent(a->vain), or_zero(c->stats.ahead_saved) ?
			  page_text(" That saved %s of waiting.", page_time(c->stats.ahead_saved)) : "",
			  a->no_ahead ? " The origin is better off without." : "");
	if (a->compress)
		page_para("With --compress lz4 its memory would hold about %.1f times as many blocks: the hit ratio would be %s, as with so much more memory. A hit of a compressed block takes some microseconds more.%s",
			  a->times, page_percent(a->compressed),
			  a->verdict == VERDICT_GROW ?
			  page_text(" Instead of more memory: rxadm set %s --compress lz4", c->name) : "");
	if (a->scanned)
		page_para("If long sequential reads went past it the hit ratio would be %s. A backup of the device is better read from %s, which always holds everything, with O_DIRECT.",
			  page_percent(a->sequential), origin(c));
	if (c->mode == RX_MODE_AROUND)
		page_para("In mode around a write drops the cached block; mode through keeps it, costs no memory, and mostly hits more: rxadm set %s --mode through",
			  c->name);
	if (taken > c->size / 16)
		page_para("The machine took %s back from it when memory was short. It may do so down to --floor, now %s.",
			  page_size(taken), page_size(c->floor));
	if (or_zero(c->read_blocks) && or_zero(c->stats.read_bypass_memory) >
	    BYPASS_MUCH * c->read_blocks)
		page_para("%s of the blocks read went past it because there was no memory.",
			  page_percent((double)c->stats.read_bypass_memory /
				       c->read_blocks));
}

static void say_steps(const struct rx_advice *a)
{
	struct rx_strv steps = { 0 };
	size_t i;

	advice_steps(a, &steps);
	if (verdict_resizes(a->verdict))
		page_para(a->verdict == VERDICT_GROW ?
			  "It grows while it is in use, and keeps what it has:" :
			  "It shrinks while it is in use, and keeps the blocks that are read most:");
	for (i = 0; i < steps.n; i++)
		printf("    # %s\n", steps.v[i]);
	strv_free(&steps);
}

void advice_page(const struct rx_advice *a)
{
	const struct rx_cache *c = a->cache;

	printf("%s  cache of %s (%s) in %s, %s\n", c->name,
	       origin(c), page_size(c->origin_size), c->disk,
	       page_size(a->disk_size == RX_NONE ? c->size : a->disk_size));
	if (a->verdict > VERDICT_IDLE)
		say_help(a);
	if (a->curve.n)
		draw(a);
	say_verdict(a);
	if (c->state == RX_STATE_ACTIVE && c->mode != RX_MODE_BYPASS && c->frozen == 1)
		page_para("It is frozen: no block enters it until: rxadm set %s --frozen no",
			  c->name);
	if (a->curve.n && !verdict_unmaps(a->verdict))
		say_settings(a);
	say_steps(a);
}
