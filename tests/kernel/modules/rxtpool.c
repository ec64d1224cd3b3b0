// SPDX-License-Identifier: GPL-2.0-only
/*
 * Claims a disk through rx/pool.h as rxcache does, tries what the header
 * promises, and refuses to load with a line in the log if a promise is broken.
 * Then it holds the claim until it is removed.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>
#include <rx/pages.h>
#include <rx/pool.h>

static char *disk = "rxd0";
module_param(disk, charp, 0);
MODULE_PARM_DESC(disk, "name of the disk");

static bool erase;
module_param(erase, bool, 0);
MODULE_PARM_DESC(erase, "take a disk that holds data");

/* The largest block is 64 KiB: 2^4 pages of 4 KiB, or one page of 64 KiB. */
enum { MAX_ORDER_TAKEN = 16 - PAGE_SHIFT };

static struct rxd_pool *pool;
static LIST_HEAD(held);

#define EXPECT(cond) expect(cond, #cond, __LINE__)

static int broken;

static void expect(bool ok, const char *what, int line)
{
	if (ok)
		return;
	pr_err("rxtpool: line %d: not so: %s\n", line, what);
	broken = -EIO;
}

static struct page *take_one(unsigned int order)
{
	struct page *page;

	return rxd_pool_alloc_bulk(pool, order, &page, 1) ? page : NULL;
}

static long take(unsigned int order, long most)
{
	long nr = 0;
	struct page *page;

	while (nr < most && (page = take_one(order))) {
		list_add(&page->lru, &held);
		memset(page_address(page), 0xa5, PAGE_SIZE << order);
		nr++;
		cond_resched();
	}
	return nr;
}

static void give(unsigned int order)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &held, lru) {
		list_del(&page->lru);
		rxd_pool_free(pool, page, order);
		cond_resched();
	}
}

/* Pages in use stay within the size and its slack, and make room at once. */
static void test_limit(void)
{
	u64 size = rxd_pool_size(pool);
	long limit = (size + clamp_t(u64, size / 8, SZ_32M, SZ_256M)) / PAGE_SIZE;
	unsigned int order;

	EXPECT(rxd_pool_slack(pool) == limit - (long)(size / PAGE_SIZE));
	/* What becomes spare is to be found again. */
	migrate_disable();
	for (order = 0; order <= MAX_ORDER_TAKEN; order++) {
		rxd_pool_trim(pool, ULONG_MAX);
		EXPECT(take(order, LONG_MAX) == limit >> order);
		EXPECT(!rxd_pool_has_room(pool, order));
		give(order);
		EXPECT(rxd_pool_has_room(pool, order));
	}
	migrate_enable();
}

static struct irq_work hard_work;
static DECLARE_COMPLETION(hard_done);

static void in_hard_irq(struct irq_work *work)
{
	struct page *a = take_one(0);
	struct page *b = take_one(2);

	EXPECT(in_hardirq());
	EXPECT(rxd_pool_size(pool));
	if (a)
		rxd_pool_free(pool, a, 0);
	if (b)
		rxd_pool_free(pool, b, 2);
	complete(&hard_done);
}

static void test_contexts(void)
{
	int i;

	init_irq_work(&hard_work, in_hard_irq);
	for (i = 0; i < 50; i++) {
		irq_work_queue(&hard_work);
		wait_for_completion(&hard_done);
		irq_work_sync(&hard_work);
	}
}

/* Puts @nr pages that were just taken on their way back, to be had again. */
static void retire(struct page **pages, unsigned int nr)
{
	struct rx_pages row = {};
	unsigned int i;

	for (i = 0; i < nr; i++)
		rx_pages_add(&row, pages[i]);
	rxd_pool_retire(pool, &row, 0);
}

/* Fewer pages than the stock of one CPU holds, of any size. */
enum { ROW = SZ_256K / PAGE_SIZE };

/* What is retired is kept, given out first, bounded, and goes when asked for. */
static void test_spare(void)
{
	static struct page *pages[ROW], *again[ROW];
	unsigned int i, j, same = 0;
	struct rx_pages none = {};

	rxd_pool_retire(pool, &none, 0);
	rxd_pool_trim(pool, ULONG_MAX);
	EXPECT(!rxd_pool_spare(pool));
	/* The stock is this CPU's. */
	migrate_disable();
	EXPECT(rxd_pool_alloc_bulk(pool, 0, pages, ROW) == ROW);
	retire(pages, ROW);
	EXPECT(rxd_pool_spare(pool) == ROW);
	EXPECT(rxd_pool_used(pool) == ROW * PAGE_SIZE);

	/* Others than were asked for have to wait. */
	again[0] = take_one(1);
	EXPECT(again[0] && rxd_pool_spare(pool) == ROW);
	if (again[0])
		rxd_pool_free(pool, again[0], 1);
	again[0] = take_one(0);
	EXPECT(rxd_pool_alloc_bulk(pool, 0, again + 1, ROW - 1) == ROW - 1);
	EXPECT(!rxd_pool_spare(pool));
	for (i = 0; i < ROW; i++)
		for (j = 0; j < ROW; j++)
			same += again[i] == pages[j];
	EXPECT(same == ROW);

	/* A page that somebody still reads is not handed out. */
	get_page(again[ROW / 2]);
	retire(again, ROW);
	EXPECT(rxd_pool_spare(pool) == ROW - 1);
	EXPECT(page_count(again[ROW / 2]) == 1);
	put_page(again[ROW / 2]);

	EXPECT(rxd_pool_trim(pool, ROW / 4) == ROW / 4 &&
	       rxd_pool_spare(pool) == ROW - 1 - ROW / 4);
	EXPECT(rxd_pool_trim(pool, ULONG_MAX) == ROW - 1 - ROW / 4 && !rxd_pool_used(pool));
	EXPECT(!rxd_pool_trim(pool, ULONG_MAX));
	migrate_enable();
}

/* Many more than a stock holds: the rest goes back at once. */
static void test_spare_bound(void)
{
	struct rx_pages row = {};
	struct page *page, *next;

	/* What taking leaves in a stock is in the same one. */
	migrate_disable();
	EXPECT(take(0, SZ_16M / PAGE_SIZE) == SZ_16M / PAGE_SIZE);
	list_for_each_entry_safe(page, next, &held, lru) {
		list_del(&page->lru);
		rx_pages_add(&row, page);
	}
	rxd_pool_retire(pool, &row, 0);
	migrate_enable();
	EXPECT(rxd_pool_spare(pool) >= SZ_64K / PAGE_SIZE &&
	       rxd_pool_spare(pool) <= SZ_1M / PAGE_SIZE);
	EXPECT(rxd_pool_used(pool) == rxd_pool_spare(pool) * PAGE_SIZE);
	rxd_pool_trim(pool, ULONG_MAX);
}

static long retire_some(void *unused)
{
	static struct page *pages[256];
	unsigned int i;

	for (i = 0; i < 256; i += 64)
		rxd_pool_alloc_bulk(pool, 0, pages + i, 64);
	retire(pages, 256);
	return rxd_pool_spare(pool);
}

/* Gives back some of the pages that take() has. */
static long retire_held(void *unused)
{
	struct rx_pages row = {};
	struct page *page;
	unsigned int i;

	for (i = 0; i < ROW && !list_empty(&held); i++) {
		page = list_first_entry(&held, struct page, lru);
		list_del(&page->lru);
		rx_pages_add(&row, page);
	}
	rxd_pool_retire(pool, &row, 0);
	return rxd_pool_spare(pool);
}

static long take_all(void *unused)
{
	return take(0, LONG_MAX);
}

/* What one CPU gives back another one can have: all of the limit, not what is left. */
static void test_spare_elsewhere(void)
{
	u64 size = rxd_pool_size(pool);
	long limit = (size + clamp_t(u64, size / 8, SZ_32M, SZ_256M)) / PAGE_SIZE;
	unsigned int i;

	if (!cpu_online(0) || !cpu_online(1))
		return;
	EXPECT(work_on_cpu(0, retire_some, NULL) > 0);
	EXPECT(work_on_cpu(1, take_all, NULL) == limit);
	EXPECT(!rxd_pool_spare(pool));
	/* A full pool notes that no CPU has any, and then that one has. */
	EXPECT(work_on_cpu(1, take_all, NULL) == 0);
	for (i = 0; i < 3; i++) {
		EXPECT(work_on_cpu(0, retire_held, NULL) > 0);
		EXPECT(work_on_cpu(1, take_all, NULL) == ROW);
	}
	give(0);
	rxd_pool_trim(pool, ULONG_MAX);
}

static void test_claims(void)
{
	struct rxd_pool *other;
	const char *why = NULL;

	other = rxd_pool_claim("rxd999999", "rxt1", false, &why);
	EXPECT(other == ERR_PTR(-ENODEV) && why);
	why = NULL;
	other = rxd_pool_claim("sda", "rxt1", false, &why);
	EXPECT(other == ERR_PTR(-ENODEV) && why);
	why = NULL;
	other = rxd_pool_claim(disk, "rxt1", true, &why);
	EXPECT(other == ERR_PTR(-EBUSY) && why);
}

static int __init rxt_init(void)
{
	const char *why = NULL;

	pool = rxd_pool_claim(disk, "rxt0", erase, &why);
	if (IS_ERR(pool)) {
		pr_info("rxtpool: %s: %s\n", disk, why);
		return PTR_ERR(pool);
	}
	test_claims();
	test_limit();
	test_contexts();
	test_spare();
	test_spare_elsewhere();
	test_spare_bound();
	/* What the list then shows as used. */
	EXPECT(take(4, 2) == 2);
	if (broken) {
		give(4);
		rxd_pool_release(pool);
	}
	return broken;
}

static void __exit rxt_exit(void)
{
	struct page *pages[64];

	give(4);
	/* What is spare goes with the pool. */
	retire(pages, rxd_pool_alloc_bulk(pool, 0, pages, 64));
	rxd_pool_release(pool);
}

module_init(rxt_init);
module_exit(rxt_exit);

MODULE_DESCRIPTION("test of the in-kernel interface of rxdsk");
MODULE_LICENSE("GPL");
