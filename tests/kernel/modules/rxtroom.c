// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has three writers share the last pages that a disk's memory limit allows. The first and
 * the second write the same PAIR pages, and the third writes the THIRD pages behind them.
 * The limit is all of these pages, but the first two may both have pages for the same place
 * for a moment. The first one's buffer is in thousands of pieces, so that this moment is
 * long. An interrupt holds its processor in it, until the others have ended or had time to.
 * It comes a quarter later in each round, because machines and queue modes take different
 * times up to that moment, and on a busy host it often comes too late. So there are rounds
 * until ENOUGH have met it, or one of the three has failed.
 * Each of them is within the limit. When all have ended, a write of one page more is not.
 *
 * The disk is discarded before each round. "failed" counts the writes of the three that
 * failed in a round that was quick, "beyond" the writes of a page more that did not, and
 * "waited" the rounds in which the third one did not end before the first went on.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include "compat.h"
#include "compat_claim.h"

enum {
	/* Pages that a writer takes at a time. */
	PAIR	= 16,
	THIRD	= 8,
	/* Pieces of the first one's buffer, of at least 4 bytes with pages of 4 KiB. */
	PIECES	= 16384,
	BYTE	= 7,
	/* From the first one's start to the interrupt, at least and about at most. */
	LATER_NS = 5000,
	LATEST_NS = 10000000,
	ROUNDS	= 600,
	ENOUGH	= 3,
	/* How long the first one is held. */
	HOLD_MS	= 20,
};

static char *dev;
module_param(dev, charp, 0);
MODULE_PARM_DESC(dev, "path of the block device");

static int rounds;
module_param(rounds, int, 0444);
MODULE_PARM_DESC(rounds, "rounds that were needed");

static int failed;
module_param(failed, int, 0444);
MODULE_PARM_DESC(failed, "writes within the limit that failed");

static int beyond;
module_param(beyond, int, 0444);
MODULE_PARM_DESC(beyond, "writes beyond the limit that did not fail");

static int waited;
module_param(waited, int, 0444);
MODULE_PARM_DESC(waited, "rounds in which the third one waited");

/* A write, its buffer, and its end. */
struct writer {
	struct bio bio;
	struct bio_vec *vecs;
	struct completion ended;
};

static struct writer one, two, three;
static struct writer *const w[] = { &one, &two, &three };
static struct page *page;
static bool begun, held, release;

static void write_end(struct bio *bio)
{
	complete(&container_of(bio, struct writer, bio)->ended);
}

/* Prepares a write of @pages pages from the @first on, in @nr pieces that share one page. */
static void write_init(struct writer *writer, struct block_device *bdev, unsigned int first,
		       unsigned int pages, unsigned int nr)
{
	unsigned int i;

	init_completion(&writer->ended);
	bio_init(&writer->bio, bdev, writer->vecs, nr, REQ_OP_WRITE | REQ_SYNC);
	for (i = 0; i < nr; i++)
		writer->vecs[i] = (struct bio_vec){ page, pages * PAGE_SIZE / nr, 0 };
	writer->bio.bi_vcnt = nr;
	writer->bio.bi_iter.bi_size = pages * PAGE_SIZE;
	writer->bio.bi_iter.bi_sector = first * (PAGE_SIZE >> SECTOR_SHIFT);
	writer->bio.bi_end_io = write_end;
}

/* Whether a write that has ended failed. */
static bool write_failed(struct writer *writer)
{
	bio_uninit(&writer->bio);
	return writer->bio.bi_status != BLK_STS_OK;
}

static int submit_first(void *arg)
{
	struct writer *writer = arg;

	WRITE_ONCE(begun, true);
	submit_bio(&writer->bio);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Keeps a processor from all else, in an interrupt. */
static void stay(void *unused)
{
	u64 end = ktime_get_ns() + 10 * HOLD_MS * NSEC_PER_MSEC;

	WRITE_ONCE(held, true);
	while (!READ_ONCE(release) && ktime_get_ns() < end)
		cpu_relax();
}

/* Has the first one write on @cpu, and the others while it is held after @ns. */
static void race_on(unsigned int cpu, struct task_struct *first, u64 ns)
{
	u64 begin;
	int i, err;

	begun = held = release = false;
	kthread_bind(first, cpu);
	wake_up_process(first);
	while (!READ_ONCE(begun))
		cond_resched();
	for (begin = ktime_get_ns(); ktime_get_ns() - begin < ns;)
		cpu_relax();
	err = smp_call_function_single(cpu, stay, NULL, false);
	while (!err && !READ_ONCE(held))
		cpu_relax();
	submit_bio(&w[1]->bio);
	submit_bio(&w[2]->bio);
	for (i = 0; i < HOLD_MS; i++) {
		if (completion_done(&w[1]->ended) && completion_done(&w[2]->ended))
			break;
		usleep_range(1000, 1100);
	}
	waited += !completion_done(&w[0]->ended) && !completion_done(&w[2]->ended);
	WRITE_ONCE(release, true);
}

/*
 * Counts the failures of a round of @ns. The disk waits a second for pages in doubt, and the host may take a processor away for
 * longer, so those of a slow round prove nothing.
 */
static void count_failed(u64 ns)
{
	int i, n = 0;

	for (i = 0; i < 3; i++)
		n += write_failed(w[i]);
	if (ns < NSEC_PER_SEC / 2)
		failed += n;
}

/* Return: 0 or an errno. */
static int race(struct block_device *bdev, u64 ns)
{
	struct task_struct *first;
	unsigned int cpu;
	u64 begin;
	int i, err;

	rounds++;
	err = blkdev_issue_discard(bdev, 0, bdev_nr_sectors(bdev), GFP_KERNEL);
	if (err)
		return err;
	first = kthread_create(submit_first, w[0], "rxtroom");
	if (IS_ERR(first))
		return PTR_ERR(first);
	migrate_disable();
	cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	if (cpu >= nr_cpu_ids) {
		migrate_enable();
		kthread_stop(first);
		return -ENODEV;
	}
	write_init(w[0], bdev, 0, PAIR, PIECES);
	write_init(w[1], bdev, 0, PAIR, PAIR);
	write_init(w[2], bdev, PAIR, THIRD, THIRD);
	begin = ktime_get_ns();
	race_on(cpu, first, ns);
	for (i = 0; i < 3; i++)
		wait_for_completion(&w[i]->ended);
	count_failed(ktime_get_ns() - begin);
	migrate_enable();
	kthread_stop(first);

	write_init(w[2], bdev, PAIR + THIRD, 1, 1);
	submit_bio(&w[2]->bio);
	wait_for_completion(&w[2]->ended);
	beyond += !write_failed(w[2]);
	return 0;
}

/* How long after the first one's start the interrupt comes in this round. */
static u64 later(void)
{
	static u64 ns = LATER_NS;

	ns = ns < LATEST_NS ? ns + ns / 4 : LATER_NS;
	return ns;
}

static int __init rxtroom_init(void)
{
	struct rx_claim claim = {};
	dev_t number;
	int err;

	page = alloc_page(GFP_KERNEL);
	w[0]->vecs = vmalloc(sizeof(*w[0]->vecs) * (PIECES + PAIR + THIRD));
	err = page && w[0]->vecs ? lookup_bdev(dev, &number) : -ENOMEM;
	if (!err)
		err = rx_claim_open(&claim, number, false);
	if (!err) {
		w[1]->vecs = w[0]->vecs + PIECES;
		w[2]->vecs = w[1]->vecs + PAIR;
		memset(page_address(page), BYTE, PAGE_SIZE);
		while (!err && !failed && waited < ENOUGH && rounds < ROUNDS)
			err = race(claim.bdev, later());
		rx_claim_close(&claim);
	}
	vfree(w[0]->vecs);
	if (page)
		__free_page(page);
	return err;
}

static void __exit rxtroom_exit(void)
{
}

module_init(rxtroom_init);
module_exit(rxtroom_exit);
MODULE_DESCRIPTION("rxdsk test: writers that share the last pages of a disk's limit");
MODULE_LICENSE("GPL");
