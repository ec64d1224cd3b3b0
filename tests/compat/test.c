// SPDX-License-Identifier: GPL-2.0-only
/* Every wrapper of module/compat has its one meaning on this kernel (-DKERNEL). */
#include "compat.h"

struct task_struct rxt_current;
struct shrinker *rxt_shrinker;
struct block_device rxt_bdev;
int rxt_syncs;
bool rxt_no_memory;

static struct request_queue origin_queue;
static struct gendisk origin_disk;
static int failed;

static void check(const char *what, bool ok)
{
	if (!ok)
		printf("not ok - %s\n", what);
	failed += !ok;
}

static void complete_batch(struct io_comp_batch *batch)
{
}

/* What a batch holds ends as a success. */
static void test_batch(void)
{
	struct io_comp_batch batch = { 0 };
	struct request rq = { 0 };

	check("an empty batch is empty", rx_rq_list_empty(&batch.req_list));
	check("a served request is part of a batch",
	      rx_add_to_batch(&rq, &batch, complete_batch) &&
	      !rx_rq_list_empty(&batch.req_list));
	check("a batch knows how it ends", batch.complete == complete_batch);
}

static void test_enter(void)
{
	struct request *rqs[2] = { NULL, NULL };
	struct blk_mq_tags tags = { .rqs = rqs };
	struct blk_mq_hw_ctx hctx = { .tags = &tags };
	struct request rq = { .mq_hctx = &hctx, .tag = 1 };

	rx_rq_enter(&rq);
	check("a request is in flight", rqs[1] == &rq);
}

static int deaths;

static void died(struct rx_claim *claim)
{
	check("the device is still open", claim->bdev == &rxt_bdev);
	deaths++;
}

/* What a driver that passes on was asked for, and how often it was held and released. */
static struct {
	int held, released, frozen, thawed, synced;
	bool nobody;
} up;

static bool up_hold(struct rx_claim *claim)
{
	lockdep_assert_held(&rxt_bdev.bd_holder_lock);
	up.held += !up.nobody;
	return !up.nobody;
}

static void up_release(struct rx_claim *claim)
{
	up.released++;
}

static int up_freeze(struct rx_claim *claim)
{
	check("the lock is free", !rxt_bdev.bd_holder_lock.held);
	up.frozen++;
	return -EIO;
}

static int up_thaw(struct rx_claim *claim)
{
	check("the lock is free", !rxt_bdev.bd_holder_lock.held);
	up.thawed++;
	return -EINVAL;
}

static void up_sync(struct rx_claim *claim)
{
	check("the lock is free", !rxt_bdev.bd_holder_lock.held);
	check("not after the end", !deaths);
	up.synced++;
}

static const struct rx_claim_up up_ops = {
	up_hold, up_release, up_freeze, up_thaw, up_sync
};

/* @told: whether the kernel asks a holder. */
static void test_claim_up(bool told)
{
	struct rx_claim claim = { .dead = died, .up = &up_ops };

	memset(&rxt_bdev, 0, sizeof(rxt_bdev));
	memset(&origin_disk, 0, sizeof(origin_disk));
	memset(&up, 0, sizeof(up));
	origin_disk.queue = &origin_queue;
	rxt_bdev.bd_disk = &origin_disk;
	deaths = 0;
	check("opens", !rx_claim_open(&claim, 1, false));
	if (told) {
		check("passes a freeze on, and its error", rx_holder_freeze(&rxt_bdev) == -EIO);
#ifdef RX_HAVE_HOLDER_OPS
		rxt_bdev.bd_fsfreeze_count.n = 1;
		check("passes a thaw on, and its error", rx_holder_thaw(&rxt_bdev) == -EINVAL);
#endif
		rx_holder_sync(&rxt_bdev);
		check("once each", up.frozen == 1 && up.thawed == 1 && up.synced == 1);
		up.nobody = true;
		rxt_syncs = 0;
		check("a freeze of nobody", !rx_holder_freeze(&rxt_bdev) && rxt_syncs == 1);
		check("a thaw of nobody", !rx_holder_thaw(&rxt_bdev));
		rx_holder_sync(&rxt_bdev);
		check("a sync of nobody", rxt_syncs == 2 && up.synced == 1);
		up.nobody = false;
	}
	rxt_remove(&rxt_bdev);
	check("writes back before an end in order", up.synced == (told ? 2 : 0));
	check("is told of the end, once", deaths == (told ? 1 : 0));
	check("is released as often as held", up.held == up.released);
	check("gone without a word", rx_claim_gone_untold(&claim) == !told);
	rx_claim_close(&claim);
}

/* @told: whether the kernel tells a holder of the end (and is listened to). */
static void test_claim(bool ro, bool told)
{
	struct rx_claim claim = { .dead = died }, other = { 0 };

	memset(&rxt_bdev, 0, sizeof(rxt_bdev));
	memset(&origin_disk, 0, sizeof(origin_disk));
	origin_disk.queue = &origin_queue;
	rxt_bdev.bd_disk = &origin_disk;
	deaths = 0;

	check("opens", !rx_claim_open(&claim, 1, ro) && claim.bdev == &rxt_bdev);
	check("opens as asked for", rxt_bdev.mode == (ro ? 1 : 3) &&
				    claim.read_only == ro);
	check("is exclusive", rx_claim_open(&other, 1, ro) == -EBUSY);
	check("no failure is no loss", !rx_claim_lost(&claim, BLK_STS_OK));
	check("a failure is no loss", !rx_claim_lost(&claim, BLK_STS_IOERR));
	check("offline is a loss where nothing else tells",
	      rx_claim_lost(&claim, BLK_STS_OFFLINE) == !told);
	check("is not gone", !rx_claim_gone(&claim));

	rxt_remove(&rxt_bdev);
	check("is told of the end, once", deaths == (told ? 1 : 0));
	check("is gone", rx_claim_gone(&claim));
	check("a failure is the loss now", rx_claim_lost(&claim, BLK_STS_IOERR));
	check("a success is none", !rx_claim_lost(&claim, BLK_STS_OK));
	rx_claim_close(&claim);
	check("is given back", !rxt_bdev.bd_holder);
	check("the next can have it", !rx_claim_open(&other, 1, ro));
	rx_claim_close(&other);
}

/* Whether a disk has it, be it a flag or a feature. */
static bool has(const struct gendisk *disk, int bit)
{
	unsigned long bits = disk->queue->queue_flags;

#if SINCE(6, 11)
	bits |= disk->queue->limits.features;
	/* The other way round: what turns says so. */
	if (bit == NONROT)
		return !(bits & BLK_FEAT_ROTATIONAL);
#endif
	return bits >> bit & 1;
}

static void test_ram_disks(void)
{
	const struct rx_ram_limits ram = { 512, 4096, 16384, 1 << 20, 65536, 1 << 19 };
	struct blk_mq_tag_set set = { 0 };
	struct gendisk *disks[2];
	int i, data;

	disks[0] = rx_alloc_mq_disk(&set, &ram, &data);
	disks[1] = rx_alloc_bio_disk(&ram, NUMA_NO_NODE);
	check("a disk has its data", disks[0]->private_data == &data);
	for (i = 0; i < 2; i++) {
		struct queue_limits *lim = &disks[i]->queue->limits;

		check("block sizes", lim->logical_block_size == 512 &&
		      lim->physical_block_size == 4096 && lim->io_min == 4096);
		check("sizes", lim->max_hw_sectors == 16384 &&
		      lim->max_hw_discard_sectors == 1 << 20 &&
		      lim->max_write_zeroes_sectors == 1 << 19 &&
		      lim->discard_granularity == 65536);
		check("segments", lim->max_segments == USHRT_MAX &&
		      lim->max_segment_size == UINT_MAX &&
		      lim->seg_boundary_mask == ULONG_MAX &&
		      lim->dma_alignment == 3);
		check("does not turn", has(disks[i], NONROT));
		check("is no source of randomness", !has(disks[i], RANDOM));
		check("has no volatile cache", !has(disks[i], WC) &&
					       !has(disks[i], FUA));
	}
	check("does not wait, counts, and can be polled",
	      has(disks[1], NOWAIT) && has(disks[1], IO_STAT) &&
	      has(disks[1], POLL));
	rx_disk_unthrottled(disks[0]);
	check("page cache writes are not throttled", !rxt_throttled);
	rxt_no_memory = true;
	check("no memory for a disk", IS_ERR(rx_alloc_mq_disk(&set, &ram, NULL)) &&
	      IS_ERR(rx_alloc_bio_disk(&ram, 0)) &&
	      IS_ERR(rx_alloc_stacked_disk(&rxt_bdev, 2048, 0)));
	rxt_no_memory = false;
}

/* The origin waits, turns and wants stable pages, or none of that. */
static void test_stacked_disk(bool fast)
{
	struct gendisk *disk;
	struct queue_limits *lim;

	memset(&origin_queue, 0, sizeof(origin_queue));
	origin_queue.limits = (struct queue_limits){
		.logical_block_size = 4096, .dma_alignment = 7,
	};
#if SINCE(6, 11)
	origin_queue.limits.features = fast ? BLK_FEAT_NOWAIT :
		BLK_FEAT_STABLE_WRITES | BLK_FEAT_ROTATIONAL;
#else
	origin_queue.queue_flags = fast ? 1ul << NOWAIT | 1ul << NONROT :
					  1ul << STABLE | 1ul << RANDOM;
#endif
	disk = rx_alloc_stacked_disk(&rxt_bdev, 2048, 0);
	lim = &disk->queue->limits;
	check("the origin's block size", lim->logical_block_size == 4096);
	check("the origin's alignment", lim->dma_alignment == 7);
	check("cut at one size", lim->max_hw_sectors == 2048 &&
				 !lim->chunk_sectors);
	check("flushes and FUA reach the origin", has(disk, WC) && has(disk, FUA));
	check("counts, and cannot be polled",
	      has(disk, IO_STAT) && !has(disk, POLL));
	check("no source of randomness", !has(disk, RANDOM));
	check("waits if the origin does", has(disk, NOWAIT) == fast);
	check("turns if the origin does", has(disk, NONROT) == fast);
	check("keeps pages stable if the origin wants it",
	      has(disk, STABLE) == !fast);
}

static unsigned long count(struct rx_shrinker *s)
{
	return 7;
}

static unsigned long scan(struct rx_shrinker *s, unsigned long nr)
{
	return nr;
}

static unsigned long told(const struct reclaim_state *state)
{
#if SINCE(6, 4)
	return state->reclaimed;
#else
	return state->reclaimed_slab;
#endif
}

static void test_shrinker(void)
{
	struct rx_shrinker s = { .count = count, .scan = scan };
	struct shrink_control sc = { .nr_to_scan = 3 };
	struct reclaim_state state = { 0 };

	check("registers", !rx_shrinker_register(&s, RX_SHRINK_LAST, "test") &&
	      rxt_shrinker);
	check("only if all is wanted", rxt_shrinker->seeks == DEFAULT_SEEKS &&
	      rxt_shrinker->batch == LONG_MAX);
	check("counts", rxt_shrinker->count_objects(rxt_shrinker, &sc) == 7);
	rx_shrinker_unregister(&s);
	check("unregisters", !rxt_shrinker);
	check("registers", !rx_shrinker_register(&s, RX_SHRINK_PROMPT, "test") &&
	      rxt_shrinker);
	check("in each pass", !rxt_shrinker->seeks &&
	      rxt_shrinker->batch == RX_SHRINK_BATCH);
	check("counts twice", rxt_shrinker->count_objects(rxt_shrinker, &sc) == 14);
	check("scans", rxt_shrinker->scan_objects(rxt_shrinker, &sc) == 3 &&
	      !rx_in_reclaim());
	rxt_current.reclaim_state = &state;
	check("scans in reclaim", rxt_shrinker->scan_objects(rxt_shrinker, &sc) == 3 &&
	      rx_in_reclaim());
	check("tells reclaim", told(&state) == 3);
	sc.nr_to_scan = 0;
	check("nothing freed", rxt_shrinker->scan_objects(rxt_shrinker, &sc) == SHRINK_STOP);
	rx_shrinker_unregister(&s);
	rxt_no_memory = true;
	check("no memory", rx_shrinker_register(&s, RX_SHRINK_LAST, "test") == -ENOMEM);
	rxt_no_memory = false;
}

static struct gendisk *opened;

RX_DEFINE_OPEN(test_open)
{
	opened = disk;
	return -ENXIO;
}

static const struct block_device_operations fops = { .open = test_open };

static void test_rest(void)
{
	struct zone zone = { 1UL << ZONE_RECLAIM_ACTIVE };
	struct page *pages[2] __uninitialized, page = { &zone };
	struct bio from = { 0 }, to = { 0 };
	unsigned int memflags = rx_freeze_queue(&origin_queue);

	check("freezes", origin_queue.frozen == 1);
	rx_unfreeze_queue(&origin_queue, memflags);
	check("thaws", !origin_queue.frozen);
	check("many pages", rx_alloc_pages_bulk(GFP_NOWAIT, 0, 2, pages) == 2);
	check("no policy", !rx_task_has_mempolicy());
	rx_zone_is_short(&page);
#if SINCE(6, 7)
	check("the zone is short", zone.flags == (1UL << ZONE_RECLAIM_ACTIVE | 1UL << ZONE_BELOW_HIGH));
#else
	check("no mark to set", zone.flags == 1UL << ZONE_RECLAIM_ACTIVE);
#endif
#if SINCE(6, 9)
	from.bi_write_hint = 5;
#endif
	rx_bio_copy_hint(&to, &from);
#if SINCE(6, 9)
	check("the hint goes along", to.bi_write_hint == 5);
#endif
#if SINCE(6, 5)
	check("open", fops.open(&origin_disk, 0) == -ENXIO);
#else
	check("open", fops.open(&rxt_bdev, 0) == -ENXIO);
#endif
	check("open is given the disk", opened == &origin_disk);
	check("merging is asked for while it can be",
	      RX_MQ_F_MERGE == (SINCE(6, 14) ? 0 : 1));
	check("per CPU is said once it can be",
	      RX_WQ_PERCPU == (SINCE(6, 17) ? 1 << 8 : 0));
}

int main(void)
{
	test_batch();
	test_enter();
	test_claim(false, SINCE(6, 8));
	test_claim(true, SINCE(6, 8));
	test_claim_up(SINCE(6, 8));
	test_ram_disks();
	test_stacked_disk(true);
	test_stacked_disk(false);
	test_shrinker();
	test_rest();
	return failed != 0;
}
