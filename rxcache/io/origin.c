// SPDX-License-Identifier: GPL-2.0-only
/* The origin: parts are sent to it, it answers them, and it may be lost. */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/path.h>
#include "cache.h"
#include "compat.h"
#include "figures/latency.h"
#include "figures/recent.h"
#include "figures/stats.h"
#include "io/bounce.h"
#include "io/origin.h"
#include "io/part.h"

/*
 * Finds the block device of a path without waiting for a file system, because this runs for
 * a request, under generic netlink's lock, and a file system may be dead. What lookup_bdev()
 * checks is checked. Only d_weak_revalidate() may still wait, of 9p or NFS, for a path that
 * ends in a jump there. Context: process. Returns 0, or an errno: -EAGAIN if the path is not
 * cached, has a link that can't be followed without waiting, or if names changed meanwhile;
 * the caller's realpath(3) caches the path, and its result has no links; -ENOTBLK, -EACCES
 * if devices do not count there, or another one of the look-up.
 */
int rxc_origin_find(const char *name, dev_t *dev)
{
	struct inode *inode;
	struct path path;
	int err = kern_path(name, LOOKUP_FOLLOW | LOOKUP_CACHED, &path);

	if (err)
		return err;
	inode = d_backing_inode(path.dentry);
	if (!S_ISBLK(inode->i_mode))
		err = -ENOTBLK;
	else if ((path.mnt->mnt_flags & MNT_NODEV) ||
		 (path.mnt->mnt_sb->s_iflags & SB_I_NODEV))
		err = -EACCES;
	else
		*dev = inode->i_rdev;
	path_put(&path);
	return err;
}

/*
 * Notes that the origin is lost: from the first call on, every I/O fails. Context: any,
 * also inside the callback that says the origin is being removed. dead_work is cancelled
 * before the cache is freed, after the last caller of this function is gone.
 */
void rxc_origin_note_dead(struct rxc_cache *cache)
{
	if (!cmpxchg(&cache->dead, false, true))
		queue_work(rxc_life_wq, &cache->dead_work);
}

/*
 * Notes the size of an origin that has another size than follow.c last applied, and queues
 * the work that applies it. Until then no read is a hit without another look, also if the
 * origin has its former size again. Returns the size in sectors. Context: any.
 */
sector_t rxc_origin_note_size(struct rxc_cache *cache)
{
	sector_t now = bdev_nr_sectors(cache->origin.bdev), least = READ_ONCE(cache->origin_least);

	/* While a larger size is noted, the applied one is news, too. */
	if (now == READ_ONCE(cache->origin_applied) && least == U64_MAX)
		return now;
	while (now < least && !try_cmpxchg(&cache->origin_least, &least, now))
		;
	/* Comes after the note: see size_settle(). */
	WRITE_ONCE(cache->origin_sectors, RXC_UNSETTLED);
	queue_work(rxc_life_wq, &cache->recent.work);
	return now;
}

static void origin_count_read(const struct rxc_part *part, unsigned int bytes)
{
	rxc_count(part->cache, RXC_ORIGIN_READS, 1);
	rxc_count(part->cache, RXC_ORIGIN_READ_BYTES, bytes);
}

static void origin_count_write(const struct rxc_part *part, unsigned int bytes)
{
	rxc_count(part->cache, RXC_ORIGIN_WRITES, 1);
	if (bio_op(&part->bio) == REQ_OP_WRITE)
		rxc_count(part->cache, RXC_ORIGIN_WRITE_BYTES, bytes);
}

/* Counts a part that did not count when it was sent, and was not refused. */
static void origin_count_late(const struct rxc_part *part)
{
	if (bio_op(&part->bio) == REQ_OP_READ)
		origin_count_read(part, part->uncounted);
	else
		origin_count_write(part, part->uncounted);
}

/* A read-ahead brought nothing: the origin refused it, as a busy RAID may, or failed. */
static void ahead_failed(struct rxc_part *part)
{
	struct rxc_cache *cache = part->cache;
	u64 blocks = part->ahead_bytes >> cache->block_shift;

	rxc_count(cache, RXC_AHEAD_VAIN, blocks);
	atomic64_sub(blocks, &cache->ahead.issued);
	if (part->bio.bi_status == BLK_STS_AGAIN)
		rxc_throttle_refused(&cache->ahead.throttle[part->distance]);
}

/*
 * Notes what the answer to a read means for what may be read ahead. A read beside neither
 * kind is one alone for both. Nothing is measured while nothing is read ahead.
 */
static void origin_note_ahead(struct rxc_part *part, u64 ns)
{
	struct rxc_cache *cache = part->cache;
	unsigned int i;

	if (part->ahead) {
		atomic_sub(part->ahead_bytes, &cache->ahead.in_flight[part->distance]);
		if (!part->bio.bi_status)
			rxc_throttle_sent(&cache->ahead.throttle[part->distance],
					  part->ahead_bytes >> cache->block_shift,
					  part->replaced);
		else
			ahead_failed(part);
		return;
	}
	if (part->bio.bi_status || !READ_ONCE(cache->ahead.forecast))
		return;
	for (i = 0; i < RXC_DISTANCES; i++)
		if (!part->beside || part->beside >> i & 1)
			rxc_throttle_note(&cache->ahead.throttle[i], ns, part->beside);
}

/*
 * Returns whether the origin did not take a read or write because it must not wait. An
 * origin may have been able to refuse only what has to wait, as the cache's device promises
 * to, and have lost that: a logical volume does when a snapshot of it is taken.
 */
static bool refused_unseen(const struct rxc_part *part)
{
	return part->bio.bi_status == BLK_STS_NOTSUPP && part->bio.bi_opf & REQ_NOWAIT &&
	       (bio_op(&part->bio) == REQ_OP_READ || bio_op(&part->bio) == REQ_OP_WRITE);
}

/*
 * Counts and times the origin's answer to a part, and notes if the origin is lost. May
 * change the status to a refusal to wait.
 */
void rxc_origin_answered(struct rxc_part *part)
{
	blk_status_t status;
	bool read = bio_op(&part->bio) == REQ_OP_READ;
	u64 ns = read ? ktime_get_ns() - part->began : 0;

	if (unlikely(refused_unseen(part)))
		part->bio.bi_status = BLK_STS_AGAIN;
	status = part->bio.bi_status;
	if (part->uncounted && status != BLK_STS_AGAIN)
		origin_count_late(part);
	if (read)
		origin_note_ahead(part, ns);
	/*
	 * A refusal to wait is not an error of the origin, as in rxc_bio_end(). Nobody has
	 * asked for what is read ahead, and it may fail where another read would not.
	 */
	if (status && status != BLK_STS_AGAIN && !part->ahead)
		rxc_recent_error(part->cache, op_is_write(bio_op(&part->bio)) ?
				 RXC_ORIGIN_WRITE_ERRORS : RXC_ORIGIN_READ_ERRORS);
	else if (!status && read && !part->ahead)
		rxc_latency_add(part->cache, RXC_LATENCY_ORIGIN, ns);
	if (!part->ahead && rx_claim_lost(&part->cache->origin, status))
		rxc_origin_note_dead(part->cache);
}

/* Sends a part to the origin, which may refuse buffers that the cache takes. */
static void origin_send(struct rxc_part *part)
{
	if (part->users_pages && rxc_bounce_wanted(part))
		rxc_bounce_part(part);
	else
		rxc_part_submit(part, &part->bio);
}

/* Sends a read to the origin. The read does not count if the origin refuses to wait. */
void rxc_origin_read(struct rxc_part *part)
{
	if (part->bio.bi_opf & REQ_NOWAIT)
		part->uncounted = part->bio.bi_iter.bi_size;
	else
		origin_count_read(part, part->bio.bi_iter.bi_size);
	part->beside = !!atomic_read(&part->cache->ahead.in_flight[RXC_NEAR]) << RXC_NEAR |
		       !!atomic_read(&part->cache->ahead.in_flight[RXC_FAR]) << RXC_FAR;
	part->began = ktime_get_ns();
	origin_send(part);
}

/* Does the same for a part that is no read. */
void rxc_origin_write(struct rxc_part *part)
{
	if (part->bio.bi_opf & REQ_NOWAIT && part->bio.bi_iter.bi_size)
		part->uncounted = part->bio.bi_iter.bi_size;
	else
		origin_count_write(part, part->bio.bi_iter.bi_size);
	origin_send(part);
}
