// SPDX-License-Identifier: GPL-2.0-only
/* Rates from two samples. Between them devices come, go and are made again. */
#include <math.h>

#include "kernel/derive.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/object.h"
#include "kernel/protocol.h"
#include "rx_test.h"
#include "watch/sample.h"

static struct rx_disk disk(const char *name, uint64_t inode, uint64_t reads)
{
	struct rx_disk d;

	model_clear(RX_DISK, &d);
	strcpy(d.name, name);
	d.size = 1 << 30;
	d.used = 8192;
	d.freeing = 4096;
	d.open = 0;
	d.no_space = reads;
	d.io = (struct rx_io){
		.reads = reads, .read_bytes = reads * 4096,
		.read_ns = reads * 50000, .writes = reads / 2,
		.write_bytes = reads * 512, .in_flight = 3, .inode = inode,
	};
	return d;
}

static struct rx_cache cache(const char *name, uint64_t id, uint64_t hit,
			     uint64_t miss)
{
	struct rx_cache c;

	model_clear(RX_CACHE, &c);
	strcpy(c.name, name);
	c.id = id;
	c.state = 1;
	c.cached = 65536;
	c.metadata = 100;
	c.stats.reads = hit + miss;
	c.stats.read_hit = hit;
	c.stats.read_miss = miss;
	c.stats.fill = miss;
	model_derive(&c);
	return c;
}

/* Two of three caches share a disk, and its index. */
static void test_shared(void)
{
	struct rx_list list = { 0 };
	struct rx_rates rates = { 0 };
	struct rx_cache c;
	int i;

	for (i = 0; i < 3; i++) {
		c = cache((const char *[]){ "rxc0", "rxc1", "rxc2" }[i], i + 1, 90, 10);
		strcpy(c.disk, i == 1 ? "rxd1" : "rxd0");
		list_add(&list, RX_CACHE, &c);
	}
	rates_make(&rates, &list, 1000000000);
	check(rates.index == 200, "an index that caches share counts once");
	free(rates.rows);
	list_free(&list);
}

static const struct rx_rate *row(const struct rx_rates *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (!strcmp(r->rows[i].name, name))
			return &r->rows[i];
	return NULL;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * (1 + fabs(b));
}

static void test_rates(void)
{
	struct rx_list before = { 0 }, now = { 0 }, all;
	struct rx_rates rates = { 0 };
	struct rx_disk d[] = { disk("rxd0", 7, 100), disk("rxd1", 8, 100),
			       disk("rxd2", 9, 100) };
	struct rx_cache c = cache("rxc0", 1, 90, 10);

	list_add(&before, RX_DISK, &d[0]);
	list_add(&before, RX_DISK, &d[1]);
	list_add(&before, RX_CACHE, &c);
	c = cache("rxc1", 2, 50, 50);
	list_add(&before, RX_CACHE, &c);

	/* rxd0 is gone, rxd1 had I/O, rxd2 is new, and rxc0 was mapped again. */
	d[1] = disk("rxd1", 8, 300);
	list_add(&now, RX_DISK, &d[1]);
	list_add(&now, RX_DISK, &d[2]);
	c = cache("rxc0", 3, 95, 95);
	list_add(&now, RX_CACHE, &c);
	c = cache("rxc1", 2, 60, 80);
	list_add(&now, RX_CACHE, &c);
	all = list_figures(&now, NULL);
	list_subtract(&now, &before);
	rates_make(&rates, &now, 2000000000);

	check(rates.n == 4 && !row(&rates, "rxd0"), "one row per device");
	check(near(row(&rates, "rxd1")->reads, 100), "reads per second");
	check(near(row(&rates, "rxd1")->read_bytes, 100 * 4096), "bytes");
	check(near(row(&rates, "rxd1")->read_ns, 50000), "mean time");
	check(near(row(&rates, "rxd2")->reads, 50), "a new one began with 0");
	check(near(row(&rates, "rxc0")->hit, 0.5), "an old name begins anew");
	check(near(row(&rates, "rxc1")->hit, 0.25), "hit ratio");
	check(row(&rates, "rxc1")->reads < 0 && row(&rates, "rxc1")->read_bytes < 0 &&
	      row(&rates, "rxc1")->read_ns < 0, "what is not known");
	check(rates.used == 2 * 12288 && rates.index == 200,
	      "memory of all");
	rates_make(&rates, &all, 0);
	check(row(&rates, "rxd1")->reads < 0 && row(&rates, "rxc1")->hit < 0 &&
	      row(&rates, "rxd1")->read_ns < 0,
	      "one sample has no rates");
	free(rates.rows);
	list_free(&before);
	list_free(&now);
	list_free(&all);
}

static uint64_t reads_after(uint64_t inode, uint64_t old_reads, uint64_t reads)
{
	struct rx_list before = { 0 }, now = { 0 };
	struct rx_disk d = disk("rxd0", 7, old_reads);
	uint64_t ret;

	list_add(&before, RX_DISK, &d);
	d = disk("rxd0", inode, reads);
	list_add(&now, RX_DISK, &d);
	list_subtract(&now, &before);
	ret = now.disks[0].io.reads;
	list_free(&before);
	list_free(&now);
	return ret;
}

static void test_anew(void)
{
	struct rx_list before = { 0 }, now = { 0 };
	struct rx_disk d = disk("rxd0", 7, 1);
	struct rx_cache c = cache("rxc0", 1, 5, 5);

	check(reads_after(7, 10, 15) == 5, "the same disk");
	check(reads_after(9, 10, 15) == 15, "a disk made anew");
	check(reads_after(7, 10, 3) == 3, "a counter that fell begins anew");
	check(reads_after(RX_NONE, 10, 15) == 5, "no inode tells nothing");

	d.io.read_ns = 4294967290ULL * 1000000;
	list_add(&before, RX_DISK, &d);
	d.io.read_ns = 4 * 1000000;
	list_add(&now, RX_DISK, &d);
	c.io = (struct rx_io){ .inode = 1, .reads = 5 };
	list_add(&before, RX_CACHE, &c);
	c = cache("rxc0", 1, 7, 7);
	c.io = (struct rx_io){ .inode = 2, .reads = 6 };
	list_add(&now, RX_CACHE, &c);
	list_subtract(&now, &before);
	check(now.disks[0].io.read_ns == 10000000, "time wraps at 32 bits");
	check(now.caches[0].stats.read_hit == 7 && now.caches[0].io.reads == 6,
	      "the module was loaded anew and numbers caches from 1 again");
	list_free(&before);
	list_free(&now);
}

int main(void)
{
	test_rates();
	test_shared();
	test_anew();
	return done();
}
