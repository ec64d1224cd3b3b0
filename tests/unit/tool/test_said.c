// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stat, advise and top say of caches in unusual states: a cache that only writes or
 * only discards, one that has just grown, is frozen, shares its disk, or was reset. Each row
 * is a state with the sentences that are true then, and with those that would be false.
 */
#include "advise/advice.h"
#include "advise/page.h"
#include "base/global.h"
#include "base/say.h"
#include "kernel/derive.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/protocol.h"
#include "rx_test.h"
#include "watch/sample.h"
#include "watch/stat.h"

#define MIB	(1ULL << 20)
#define HOUR_NS	3600000000000ULL

static struct rx_cache c;
static struct rx_memory memory;
static uint64_t beside;

/* An active cache of 128 MiB without any request, whose counters the kernel sends as 0. */
static void fresh(void)
{
	uint64_t *counter = (uint64_t *)&c.stats;
	size_t i;

	model_clear(RX_CACHE, &c);
	strcpy(c.name, "rxc0");
	strcpy(c.disk, "rxd0");
	strcpy(c.origin_path, "/dev/sdb");
	c.state = RX_STATE_ACTIVE;
	c.mode = RX_MODE_THROUGH;
	c.write_allocate = 1;
	c.frozen = 0;
	c.read_ahead = 0;
	c.block = 4096;
	c.size = 128 * MIB;
	c.cached = c.slack = 0;
	c.metadata = MIB;
	c.sharers = 1;
	c.min_share = 0;
	c.max_share = c.size;
	c.origin_size = 1ULL << 40;
	c.stats_age = HOUR_NS / 2;
	for (i = 0; i < sizeof(c.stats) / sizeof(*counter); i++)
		counter[i] = 0;
	memset(c.recent, 0, sizeof(c.recent));
	memset(c.latency, 0, sizeof(c.latency));
	memory = (struct rx_memory){ 64ULL << 30, 32ULL << 30, 0, 0 };
	beside = 0;
}

static void evicted(uint64_t blocks)
{
	c.stats.evict = blocks;
	c.recent[RX_LAST_10S].evict = blocks / 30;
	c.recent[RX_LAST_5MIN].evict = c.recent[RX_LAST_1H].evict = blocks;
}

static void filled(uint64_t blocks)
{
	c.stats.reads = c.stats.read_none = c.stats.read_miss = c.stats.fill = blocks;
	c.recent[RX_LAST_5MIN].fill = c.recent[RX_LAST_5MIN].read_miss = blocks;
	c.recent[RX_LAST_1H].reads = c.recent[RX_LAST_1H].read_miss = blocks;
}

/* As many sampled reads as an advice needs, of which PERCENT hit at any size. */
static void judged(unsigned int percent)
{
	struct rx_points *points = &c.shadow.points;
	int i;

	c.shadow.rate = 256;
	c.shadow.reads = 100000;
	c.shadow.lost = 0;
	for (i = 0; i < 5; i++)
		points->at[points->n++] = (struct rx_point){
			c.size / 2 << i, c.shadow.reads / 100 * percent, RX_AS_IS
		};
}

static void only_writes(void)
{
	c.cached = 127 * MIB;
	c.stats.writes = c.stats.write_allocate = 50000;
	c.stats.write_bytes = 50000 * 4096;
	c.stats.origin_writes = 50000;
	evicted(17000);
}

static void writes_and_few_reads(void)
{
	only_writes();
	filled(868);
	evicted(24186);
}

static void only_discards(void)
{
	c.stats.discards = 3;
	c.stats.flushes = 2;
	c.stats.origin_writes = 5;
	c.stats.invalidate = 7;
}

static void mixed_writes(void)
{
	c.stats.writes = 6;
	only_discards();
	c.stats.origin_writes = 11;
	c.stats.origin_write_bytes = 6 * 4096;
}

static void just_grown(void)
{
	filled(40000);
	evicted(12000);
	c.size = c.max_share = 150 * MIB;
	c.cached = 99 * MIB + 600 * 1024;
	judged(2);
}

static void just_grown_and_helps(void)
{
	just_grown();
	c.shadow.points.n = 0;
	judged(70);
	c.stats.read_hit = c.recent[RX_LAST_1H].read_hit = 90000;
}

static void full(void)
{
	filled(40000);
	evicted(12000);
	c.cached = 120 * MIB;
}

/* The stock for the next fills is the rest of the memory. */
static void full_with_stock(void)
{
	full();
	c.cached = 100 * MIB;
	c.slack = 20 * MIB;
}

static void one_eviction(void)
{
	full();
	evicted(1);
}

static void full_and_quiet(void)
{
	full();
	evicted(0);
}

static void frozen(void)
{
	full_and_quiet();
	c.frozen = 1;
	c.stats.read_bypass_frozen = 10000;
	c.recent[RX_LAST_1H].read_bypass = 10000;
	judged(2);
}

static void frozen_and_empty(void)
{
	c.frozen = 1;
}

static void shares_full_disk(void)
{
	full();
	c.sharers = 2;
	c.cached = 20 * MIB;
	beside = 100 * MIB;
}

static void shares_and_nobody_knows(void)
{
	shares_full_disk();
	beside = RX_NONE;
}

static void has_max_share(void)
{
	full();
	c.sharers = 2;
	c.max_share = 20 * MIB;
	c.cached = 19 * MIB;
	beside = RX_NONE;
}

static void all_fits_but_for_its_share(void)
{
	has_max_share();
	c.origin_size = c.size;
	judged(70);
	c.shadow.points.at[0].hits /= 2;
	c.stats.read_hit = c.recent[RX_LAST_1H].read_hit = 90000;
}

static void all_fits(void)
{
	full();
	c.origin_size = c.size;
	judged(70);
	c.shadow.points.at[0].hits /= 2;
	c.stats.read_hit = c.recent[RX_LAST_1H].read_hit = 90000;
}

static void useless_at_any_size(void)
{
	full();
	c.origin_size = c.size;
	judged(2);
}

static void refused(void)
{
	c.stats.reads = c.stats.read_again = 9;
}

static void reset_in_use(void)
{
	full_and_quiet();
	c.stats.reads = c.stats.read_none = c.stats.read_miss = c.stats.fill = 0;
	memset(c.recent, 0, sizeof(c.recent));
	c.stats_age = 1000000;
}

/* A write did not race these, and nobody waited for memory. */
static void other_reasons(void)
{
	filled(100);
	c.stats.read_bypass_fill = 100;
	c.stats.fill = 0;
	c.stats.fill_drop = 100;
}

static void starting(void)
{
	model_clear(RX_CACHE, &c);
	strcpy(c.name, "rxc0");
	c.state = RX_STATE_STARTING;
}

static const struct row {
	void (*state)(void);
	const char *name;
	const char *stat[4], *stat_not[4];	/* parts of the page of stat */
	const char *advice[3], *advice_not[3];	/* and of that of advise */
} rows[] = {
	{ only_writes, "only writes",
	  { "  nothing was read since the counters began\n",
	    "  it is full: about 17000 blocks were evicted in the last 5 min\n" },
	  { "%", "so far" },
	  { "Hardly anything was read through it in 30m." }, { "It helps", "is full" } },
	{ writes_and_few_reads, "868 fills beside 24186 evictions",
	  { "it is full: about 24186 blocks were evicted" }, { "100 %", "of 868" },
	  { NULL }, { "100 %" } },
	{ only_discards, "only discards",
	  { "nothing was read since", "flushes     2 requests, also as part of writes\n",
	    "discards    3 requests, also for zeroes\n",
	    "0 reads (0B), 5 writes, flushes and discards (0B written)\n" },
	  { "is full", "evicted in", "%", "5 writes (" },
	  { "Hardly anything was read through it" }, { "is full" } },
	{ mixed_writes, "11 requests for the origin, 6 of them writes",
	  { "writes      6 requests", "11 writes, flushes and discards (24K written)" },
	  { "11 writes (", "2 flushes, 3" }, { NULL }, { NULL } },
	{ just_grown, "just grown",
	  { "  about 12000 blocks were evicted in the last 5 min\n", "99.6M of 150M hold blocks" },
	  { "it is full" },
	  { "Too early to say more: it is not full yet, 99.6M of 150M" }, { "Give its memory back" } },
	{ just_grown_and_helps, "just grown, and of use", { NULL }, { "it is full" },
	  { "Leave its size: " }, { "no block had to be evicted", "it is not full" } },
	{ full, "full", { "it is full: about 12000 blocks were evicted" }, { NULL },
	  { NULL }, { NULL } },
	{ full_with_stock, "full, with a stock of pages",
	  { "it is full: ", "20M in flight or in stock\n" }, { "on the way back" },
	  { NULL }, { NULL } },
	{ one_eviction, "one block",
	  { "it is full: about 1 block was evicted in the last 5 min\n" }, { NULL },
	  { NULL }, { NULL } },
	{ full_and_quiet, "full, and nothing has to go", { NULL }, { "is full", "evicted in" },
	  { NULL }, { NULL } },
	{ frozen, "frozen",
	  { ", frozen\n", "20 % of the blocks read bypassed it: frozen" }, { "evicted in", "of reads" },
	  { "It is frozen: no block enters it until: rxadm set rxc0 --frozen no" }, { NULL } },
	{ frozen_and_empty, "frozen and never read", { "nothing was read since" }, { "is full" },
	  { "Hardly anything was read", "It is frozen: no block enters it" }, { NULL } },
	{ shares_full_disk, "shares a full disk", { "it is full: about 12000" }, { NULL },
	  { NULL }, { NULL } },
	{ shares_and_nobody_knows, "shares a disk of which the rest is not known",
	  { "  about 12000 blocks were evicted" }, { "it is full" }, { NULL }, { NULL } },
	{ has_max_share, "has its max share", { "  it has its max share: about 12000 blocks" },
	  { "it is full" }, { NULL }, { NULL } },
	{ all_fits, "all of the origin fits", { NULL }, { NULL },
	  { "All of /dev/sdb, 128M, fits into it." }, { NULL } },
	{ all_fits_but_for_its_share, "all of it would fit, but for the share", { NULL }, { NULL },
	  { "Its max share is 20M of rxd0." }, { "fits into it" } },
	{ useless_at_any_size, "of no use, and larger it can't be", { NULL }, { NULL },
	  { "Give its memory back: hardly anything is read twice.\n" }, { "1 times" } },
	{ refused, "only reads that may not wait",
	  { "nothing was read since the counters began",
	    "0 served whole by memory, 0 in part, 0 not at all, 9 refused\n" },
	  { "is full" }, { "Hardly anything was read" }, { NULL } },
	{ reset_in_use, "reset", { "nothing was read since the counters began", "120M of 128M" },
	  { "so far", "evicted in" }, { NULL }, { "so far" } },
	{ other_reasons, "fills that no write raced",
	  { "bypassed it: fill full",
	    "0 blocks kept, 100 dropped (raced by a write, frozen meanwhile or no room)" },
	  { "because a write raced" }, { NULL }, { NULL } },
	{ starting, "starting", { "nothing was read" }, { "is full", "%", "nan" },
	  { "It is starting, and there is nothing to judge." }, { "is full" } },
};

/* Returns what PRINT writes, until the next call. */
static const char *said(void (*print)(void))
{
	static char *text;
	static size_t len;
	FILE *out = stdout;

	free(text);
	stdout = open_memstream(&text, &len);
	print();
	fclose(stdout);
	stdout = out;
	return text;
}

static void print_stat(void)
{
	stat_page_cache(&c, beside);
}

static void print_advice(void)
{
	struct rx_advice a;

	memory.beside = beside == RX_NONE ? 0 : beside;
	advise(&a, &c, c.size, &memory);
	advice_page(&a);
}

static void check_page(const char *page, const char *verb, const char *name,
		       const char *const *has, size_t n_has, const char *const *lacks,
		       size_t n_lacks)
{
	bool ok = true;
	size_t i;

	for (i = 0; i < n_has; i++)
		ok &= !has[i] || strstr(page, has[i]);
	for (i = 0; i < n_lacks; i++)
		ok &= !lacks[i] || !strstr(page, lacks[i]);
	check(ok, "%s: %s", verb, name);
	if (!ok)
		printf("# %s\n", page);
}

static void test_caches(void)
{
	const struct row *r;

	for (r = rows; r < rows + ARRAY_SIZE(rows); r++) {
		fresh();
		r->state();
		model_derive(&c);
		check_page(said(print_stat), "stat", r->name, r->stat, ARRAY_SIZE(r->stat),
			   r->stat_not, ARRAY_SIZE(r->stat_not));
		check_page(said(print_advice), "advise", r->name, r->advice,
			   ARRAY_SIZE(r->advice), r->advice_not, ARRAY_SIZE(r->advice_not));
	}
}

static struct rx_disk disk;

static void print_disk(void)
{
	stat_page_disk(&disk);
}

static void test_disks(void)
{
	model_clear(RX_DISK, &disk);
	strcpy(disk.name, "rxd0");
	disk.size = disk.used = MIB;
	disk.freeing = disk.prealloc = 0;
	check(strstr(said(print_disk), "1M hold data"), "memory is taken when it is written");
	disk.prealloc = 1;
	check(strstr(said(print_disk), "1M taken"), "of a preallocated disk it is taken before");
	disk.prealloc = 0;
	strcpy(disk.holder, "rxc0");
	check(strstr(said(print_disk), "1M taken"), "a cache takes it for blocks to come, too");
}

/* The other caches on the disk are known if all of them are in the list. */
static void test_beside(void)
{
	struct rx_list list = { 0 };

	fresh();
	c.cached = 5;
	c.sharers = 2;
	list_add(&list, RX_CACHE, &c);
	check(list_beside(&list, &list.caches[0]) == RX_NONE, "the other cache is not in the list");
	c.cached = 3;
	list_add(&list, RX_CACHE, &c);
	strcpy(c.disk, "rxd1");
	list_add(&list, RX_CACHE, &c);
	check(list_beside(&list, &list.caches[0]) == 3 && list_beside(&list, &list.caches[1]) == 5,
	      "it is");
	list.caches[2].sharers = RX_NONE;
	check(list_beside(&list, &list.caches[2]) == 0, "an older module has no sharers");
	list_free(&list);
}

static void test_top(void)
{
	struct rx_list list = { 0 };
	struct rx_rates rates = { 0 };

	fresh();
	only_writes();
	list_add(&list, RX_CACHE, &c);
	rates_make(&rates, &list, 1000000000);
	check(rates.rows[0].hit < 0, "no hit ratio without reads");
	free(rates.rows);
	list_free(&list);
}

int main(void)
{
	test_caches();
	test_disks();
	test_beside();
	test_top();
	return done();
}
