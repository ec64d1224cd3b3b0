// SPDX-License-Identifier: GPL-2.0-only
/* Where pages come from, and how much is left to others. */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/moduleparam.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include "compat.h"
#include "rxdsk.h"

enum {
	/* 256 KiB, but no fewer than are taken at a time. */
	CREDIT_PAGES	= SZ_256K / PAGE_SIZE > 16 ? SZ_256K / PAGE_SIZE : 16,
	MIN_FREE_LOW	= 16,		/* MiB, of the default */
	MIN_FREE_HIGH	= 1024,
	WAIT_ROUNDS	= 7,
};

static unsigned int min_free = UINT_MAX;
module_param(min_free, uint, 0644);
MODULE_PARM_DESC(min_free,
		 "MiB of available memory that disks and caches leave to everybody else, 0 or more, and 1.5 times the high watermarks in any case (default: 1/32 of memory or that, if it is more; at least 16, at most 1024)");

static DEFINE_PER_CPU(int, credit);

/*
 * When unmovable and movable pages have to share a block, the kernel boosts
 * its watermarks, by 1.5 times the high one at most unless told otherwise.
 * si_mem_available() does not know that. Where nothing is left to reclaim the
 * boost stays, and whoever needs a page is killed for it with so much free.
 * One allocation of ours may bring all of it, so it is left alone before.
 * In pages, of all zones.
 */
static long boost_max(void)
{
	struct zone *zone;
	long high, sum = 0;
	int nid, i;

	for_each_online_node(nid) {
		for (i = 0; i < MAX_NR_ZONES; i++) {
			zone = &NODE_DATA(nid)->node_zones[i];
			high = READ_ONCE(zone->_watermark[WMARK_HIGH]);
			sum += max_t(long, READ_ONCE(zone->watermark_boost),
				     high * 3 / 2);
		}
	}
	return sum;
}

/* Whether there is more than what is left to everybody else. Context: any. */
bool rxd_mem_above_floor(void)
{
	long floor = (long)READ_ONCE(min_free) << (20 - PAGE_SHIFT);

	return si_mem_available() >= max(floor, boost_max()) + CREDIT_PAGES;
}

/*
 * si_mem_available() adds up the counters of all zones and nodes, so it is
 * asked once for CREDIT_PAGES pages, which the CPU may then take unasked. The
 * floor is missed by no more than the credit of all CPUs (256 KiB each, with
 * pages of 64 KiB 1 MiB) and by what others take meanwhile.
 *
 * Callers may interrupt each other or change CPUs in between. A check sets the
 * credit instead of adding to it, so no interleaving makes it exceed
 * CREDIT_PAGES; a lost update is one request's pages.
 */
static bool budget_take(unsigned int nr)
{
	if (likely(this_cpu_sub_return(credit, (int)nr) >= 0))
		return true;
	if (!rxd_mem_above_floor()) {
		this_cpu_write(credit, 0);
		return false;
	}
	this_cpu_write(credit, CREDIT_PAGES - (int)nr);
	return true;
}

/*
 * 2^@order contiguous pages, or NULL: none to be had with @gfp, or the floor
 * is reached. Their content is undefined. Context: as @gfp allows, down to
 * hard interrupt.
 */
struct page *rxd_page_alloc(unsigned int order, gfp_t gfp)
{
	if (!budget_take(1U << order))
		return NULL;
	/* Compound: an origin's driver may take references on each page. */
	return alloc_pages(gfp | __GFP_HIGHMEM | (order ? __GFP_COMP : 0),
			   order);
}

/*
 * Gives 2^@order pages back. Of a single page that has failed the allocator sees
 * the mark and keeps it. Of several it does not look at each, so these are left
 * where they are, and lost. Context: any.
 */
void rxd_pages_free(struct page *page, unsigned int order)
{
	if (!order || !rxd_pages_poisoned(page, order))
		__free_pages(page, order);
}

/*
 * Up to @nr single pages, at most CREDIT_PAGES, of the local node. Context: as
 * @gfp allows. Return: how many there are in @pages; their content is
 * undefined.
 */
unsigned int rxd_page_alloc_bulk(struct page **pages, unsigned int nr,
				 gfp_t gfp)
{
	/* The kernel exports no bulk for a task with a memory policy of its own. */
	if (nr == 1 || rx_task_has_mempolicy()) {
		pages[0] = rxd_page_alloc(0, gfp);
		return pages[0] ? 1 : 0;
	}
	if (!budget_take(nr))
		return 0;
	memset(pages, 0, nr * sizeof(*pages));
	return rx_alloc_pages_bulk(gfp | __GFP_HIGHMEM, nr, pages);
}

/*
 * After a failed allocation with RXD_GFP_SLEEP: lets memory come back. False
 * when there is nothing to wait for, or @round (from 0) waits were in vain,
 * about a second in all. Context: process, may sleep.
 */
bool rxd_mem_wait(unsigned int round)
{
	long pause = msecs_to_jiffies(8) << round;

	if (round >= WAIT_ROUNDS)
		return false;
	if (rxd_reap_wait() || rxd_clear_wait())
		return true;
	if (!rxd_mem_above_floor())
		return false;
	/* Page cache that can be reclaimed, but not by us: dirty, or busy. */
	schedule_timeout_uninterruptible(pause);
	return true;
}

void rxd_mem_init(void)
{
	unsigned long ram = totalram_pages();
	unsigned long want = max_t(unsigned long, ram / 32, boost_max());

	if (min_free == UINT_MAX)
		min_free = clamp_t(unsigned long, want >> (20 - PAGE_SHIFT),
				   MIN_FREE_LOW, MIN_FREE_HIGH);
}
