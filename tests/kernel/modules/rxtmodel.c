// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtmodel.ko: a disk, /dev/rxtmodel, whose requests take the time that the simulator's disks
 * say (tests/sim/disk.c): a request waits for one of the disk's slots, then for the latency,
 * and then for its transfer; transfers go one after the other. Read-ahead (REQ_RAHEAD) goes
 * behind other requests wherever requests wait. The disk stores nothing, and reads leave
 * memory as it is, or get what compresses as well as asked for: random bytes at the front of a
 * block and zeroes behind them, half to one and a half times as many as on average.
 *
 * The times of a request follow from those of the others and from when it came, not from when
 * the timer ran, so a late timer does not add up.
 */
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "rxtdisk.h"

static char *model = "ssd";
module_param(model, charp, 0444);
MODULE_PARM_DESC(model, "seek, net or ssd");

static unsigned long blocks = 4096;
module_param(blocks, ulong, 0444);
MODULE_PARM_DESC(blocks, "blocks of 4 KiB that the disk has");

static unsigned int mean;
module_param(mean, uint, 0444);
MODULE_PARM_DESC(mean, "random bytes of a block on average, in percent up to 66; default 0: reads leave memory as it is");

static unsigned int raw;
module_param(raw, uint, 0444);
MODULE_PARM_DESC(raw, "blocks that are random from end to end, in percent; default 0");

enum { BLOCK_SHIFT = 12, BLOCK_BYTES = 1 << BLOCK_SHIFT, SECTORS = 1 << (BLOCK_SHIFT - SECTOR_SHIFT) };

/* As in tests/sim/disk.h. */
struct model {
	const char *name;
	u64 latency;
	u64 rate;
	unsigned int slots;
	bool head;
};

static const struct model models[] = {
	{ .name = "seek", .latency = 8 * NSEC_PER_MSEC, .rate = 150 << 20, .slots = 1, .head = true },
	{ .name = "net", .latency = 500 * NSEC_PER_USEC, .rate = 1000000000 / 8, .slots = UINT_MAX },
	{ .name = "ssd", .latency = 80 * NSEC_PER_USEC, .rate = 2000000000, .slots = 32 },
};

struct req {
	struct list_head link;
	struct bio *bio;
	u64 first;		/* block */
	u64 end;		/* the block behind the last one */
	bool ahead;
	u64 at;			/* when its latency ends, and then its transfer, in ns */
};

/* Each pair of queues is that of read-ahead at 1, and of other requests at 0. */
static struct {
	spinlock_t lock;
	struct hrtimer timer;
	const struct model *model;
	u64 now;
	u64 head;		/* the block behind the last request that began */
	unsigned int used;	/* slots */
	struct list_head waits[2];	/* for a slot */
	struct list_head flies;		/* their latency passes, in order of its end */
	struct list_head ready[2];	/* they wait for their transfer */
	struct req *moves;		/* the one that is transferred, or NULL */
	struct list_head done;		/* they are to be ended by the timer */
} disk;

static struct gendisk *gendisk;

static struct req *take(struct list_head *pair)
{
	struct list_head *queue = list_empty(&pair[0]) ? &pair[1] : &pair[0];
	struct req *req = list_first_entry_or_null(queue, struct req, link);

	if (req)
		list_del(&req->link);
	return req;
}

static u64 latency_of(const struct req *req)
{
	return disk.model->head && req->first == disk.head ? 0 : disk.model->latency;
}

static u64 transfer_of(const struct req *req)
{
	return div64_u64(((req->end - req->first) << BLOCK_SHIFT) * NSEC_PER_SEC, disk.model->rate);
}

/* Begins what can begin at disk.now. */
static void advance(void)
{
	struct req *req;

	while (disk.used < disk.model->slots && (req = take(disk.waits))) {
		disk.used++;
		req->at = disk.now + latency_of(req);
		disk.head = req->end;
		list_add_tail(&req->link, &disk.flies);
	}
	while ((req = list_first_entry_or_null(&disk.flies, struct req, link)) &&
	       req->at <= disk.now)
		list_move_tail(&req->link, &disk.ready[req->ahead]);
	if (!disk.moves && (req = take(disk.ready))) {
		req->at = disk.now + transfer_of(req);
		disk.moves = req;
	}
}

/* When something ends next. */
static u64 next_event(void)
{
	const struct req *req = list_first_entry_or_null(&disk.flies, struct req, link);
	u64 at = disk.moves ? disk.moves->at : U64_MAX;

	return req ? min(at, req->at) : at;
}

/* Works until @until. */
static void work(u64 until)
{
	u64 at;

	while ((at = next_event()) <= until) {
		disk.now = at;
		if (disk.moves && disk.moves->at == at) {
			list_add_tail(&disk.moves->link, &disk.done);
			disk.moves = NULL;
			disk.used--;
		}
		advance();
	}
	disk.now = until;
}

/* Context: under the lock. */
static void set_timer(void)
{
	u64 at = list_empty(&disk.done) ? next_event() : disk.now;

	if (at != U64_MAX)
		hrtimer_start(&disk.timer, ns_to_ktime(at), HRTIMER_MODE_ABS);
}

static enum hrtimer_restart timer_ends(struct hrtimer *timer)
{
	struct req *req, *next;
	unsigned long flags;
	LIST_HEAD(done);

	spin_lock_irqsave(&disk.lock, flags);
	work(ktime_get_ns());
	list_splice_init(&disk.done, &done);
	set_timer();
	spin_unlock_irqrestore(&disk.lock, flags);
	list_for_each_entry_safe(req, next, &done, link) {
		bio_endio(req->bio);
		kfree(req);
	}
	return HRTIMER_NORESTART;
}

static u8 noise[2 * BLOCK_BYTES];

/* How many bytes of a block are random: its own number of them, each time. */
static unsigned int random_bytes(u64 block)
{
	u32 hash = hash_64(block, 32);

	if (hash % 100 < raw)
		return BLOCK_BYTES;
	return BLOCK_BYTES * mean * (50 + hash / 100 % 101) / 10000;
}

/* Gives a read what its blocks have. */
static void fill(struct bio *bio)
{
	u64 pos = bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter;
	struct bio_vec bv;

	bio_for_each_segment(bv, bio, iter) {
		u8 *to = bvec_kmap_local(&bv);
		unsigned int done, len;

		for (done = 0; done < bv.bv_len; done += len) {
			u64 block = (pos + done) >> BLOCK_SHIFT;
			unsigned int at = (pos + done) % BLOCK_BYTES, end = random_bytes(block);

			len = min_t(unsigned int, bv.bv_len - done, BLOCK_BYTES - at);
			end = clamp(end, at, at + len) - at;
			memcpy(to + done, noise + hash_64(block, BLOCK_SHIFT) + at, end);
			memset(to + done + end, 0, len - end);
		}
		pos += bv.bv_len;
		kunmap_local(to);
	}
}

static void rxtmodel_submit_bio(struct bio *bio)
{
	u64 sector = bio->bi_iter.bi_sector;
	unsigned long flags;
	struct req *req;

	if (!bio_sectors(bio)) {
		bio_endio(bio);
		return;
	}
	req = kmalloc(sizeof(*req), GFP_NOIO);
	if (!req) {
		bio_io_error(bio);
		return;
	}
	*req = (struct req){
		.bio = bio,
		.first = sector / SECTORS,
		.end = DIV_ROUND_UP_ULL(sector + bio_sectors(bio), SECTORS),
		.ahead = bio->bi_opf & REQ_RAHEAD,
	};
	if (mean && bio_op(bio) == REQ_OP_READ)
		fill(bio);
	spin_lock_irqsave(&disk.lock, flags);
	work(ktime_get_ns());
	list_add_tail(&req->link, &disk.waits[req->ahead]);
	advance();
	set_timer();
	spin_unlock_irqrestore(&disk.lock, flags);
}

static const struct block_device_operations fops = {
	.owner = THIS_MODULE,
	.submit_bio = rxtmodel_submit_bio,
};

static const struct model *model_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}

static int __init rxtmodel_init(void)
{
	unsigned int i;

	disk.model = model_named(model);
	if (!disk.model || !blocks || mean > 66 || raw > 100)
		return -EINVAL;
	get_random_bytes(noise, sizeof(noise));
	spin_lock_init(&disk.lock);
	rx_hrtimer_setup(&disk.timer, timer_ends, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	/* Before its first request the head is nowhere. */
	disk.head = U64_MAX;
	for (i = 0; i < 2; i++) {
		INIT_LIST_HEAD(&disk.waits[i]);
		INIT_LIST_HEAD(&disk.ready[i]);
	}
	INIT_LIST_HEAD(&disk.flies);
	INIT_LIST_HEAD(&disk.done);
	gendisk = rxt_disk_alloc("rxtmodel", &fops);
	if (IS_ERR(gendisk))
		return PTR_ERR(gendisk);
	set_capacity(gendisk, (sector_t)blocks * SECTORS);
	return rxt_disk_add(gendisk);
}

/* Nothing is in flight, so the timer rests, but its function may still be about to return. */
static void __exit rxtmodel_exit(void)
{
	rxt_disk_remove(gendisk);
	hrtimer_cancel(&disk.timer);
}

module_init(rxtmodel_init);
module_exit(rxtmodel_exit);
MODULE_DESCRIPTION("rxcache test: a disk with the times of the simulator's disks");
MODULE_LICENSE("GPL");
