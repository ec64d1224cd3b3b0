// SPDX-License-Identifier: GPL-2.0-only
/* A sample of what compression would save. See weigh.h. */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "blocks/index.h"
#include "cache.h"
#include "memory/pool.h"
#include "packed/bin.h"
#include "packed/codec.h"
#include "packed/weigh.h"

enum {
	/* The sample ends after the set with which it has this many blocks. */
	SAMPLE_BLOCKS	= 512,
	/* An index may have few blocks of this cache. */
	SAMPLE_SETS	= 1024,
	/* Other requests wait meanwhile. With LZ4 it takes some milliseconds; a set may exceed it. */
	SAMPLE_MS	= 50,
	/* A bin has no more than RXC_BIN_BLOCKS, whatever they shrink to. */
	BYTES_MIN	= (PAGE_SIZE << RXC_BIN_ORDER) / RXC_BIN_BLOCKS -
			  sizeof(struct rxc_bin_block),
};

struct rxc_weigher *rxc_weigher_new(u32 codec)
{
	struct rxc_weigher *weigher = kzalloc(sizeof(*weigher), GFP_KERNEL);
	int err = -ENOMEM;

	if (!weigher)
		return ERR_PTR(err);
	weigher->lanes = rxc_lanes_new(0);
	if (weigher->lanes)
		err = rxc_lanes_add(weigher->lanes, codec);
	if (!err)
		return weigher;
	rxc_weigher_free(weigher);
	return ERR_PTR(err);
}

/* Only the task that made it ever knows it. */
void rxc_weigher_free(struct rxc_weigher *weigher)
{
	rxc_lanes_free(weigher->lanes);
	kfree(weigher);
}

/* The lane is this task's alone; its lock is held because that is the rule of lanes. */
static void weigh_picks(struct rxc_lane *lane, u32 codec, const struct rxc_pick *pick,
			unsigned int nr, struct rxc_weighed *sum)
{
	unsigned int len;

	for (; nr; nr--, pick++) {
		len = 0;
		spin_lock(&lane->lock);
		if (!pick->packed && rxc_lane_load(lane, pick->page)) {
			sum->tried++;
			len = rxc_lane_pack(lane, codec);
		}
		spin_unlock(&lane->lock);
		if (len) {
			sum->done++;
			sum->bytes += len;
		}
		rxc_page_put(pick->page);
		cond_resched();
	}
}

/*
 * Sets at random have blocks at random, because keys are hashed. Sets are weighed as a whole:
 * each has its share of young blocks, which would stay plain.
 */
void rxc_weigh(struct rxc_weigher *weigher, struct rxc_pool *pool, unsigned int key,
	       u32 codec, struct rxc_weighed *sum)
{
	u64 until = ktime_get_ns() + SAMPLE_MS * NSEC_PER_MSEC, cursor;
	u64 sets = min_t(u64, rxc_index_sets(pool->index), SAMPLE_SETS);
	u8 codecs[RXC_SHARERS] = { RXCACHE_COMPRESS_OFF };
	struct rxc_picked met = { 0 };
	unsigned int nr;

	lockdep_assert_held(&rxc_mutex);
	*sum = (struct rxc_weighed){ 0 };
	codecs[key] = codec;
	while (sets-- && sum->tried < SAMPLE_BLOCKS && ktime_get_ns() < until &&
	       !fatal_signal_pending(current)) {
		cursor = get_random_u32();
		nr = rxc_index_pick(pool->index, &cursor, codecs, 0, weigher->pick, &met);
		weigh_picks(&weigher->lanes->lane[0], codec, weigher->pick, nr, sum);
	}
	sum->plain = met.plain;
	sum->tried += met.marked;
	sum->bytes = rxc_bin_cost(sum->done, max(sum->bytes, sum->done * BYTES_MIN));
}
