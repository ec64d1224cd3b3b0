// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rings between requests and a cache's shadow. See sampler.h.
 *
 * A ring has one writer, its CPU, and one reader, the holder of the lock. The first
 * sample in an empty ring queues the work in LATER_MS, and the sample that finds the
 * ring half full queues the work in SOON_MS. So the work stops when requests stop. The
 * work runs at most once in SOON_MS. In this time the shadow handles no more samples
 * than the rings hold, so it costs half a percent of a CPU at most.
 *
 * Losses leave out stretches of time, so two reads of one block would seem closer
 * together than they were. After too many losses, the sampler samples half as many
 * blocks and the shadow begins anew, until the losses are few. So a small cache, whose
 * blocks would all be sampled, costs a busy CPU no more than a large one.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <uapi/linux/rxcache.h>
#include "block.h"
#include "cache.h"
#include "figures/sampler.h"
#include "figures/shadow.h"

static bool shadow = true;
module_param(shadow, bool, 0644);
MODULE_PARM_DESC(shadow,
		 "whether caches mapped from now on estimate what other sizes would do, for up to 256 KiB each (default: yes)");

enum {
	/* Bytes of a ring's samples; at most 64 KiB for all rings, up to 128 CPUs. */
	RING_MIN	= 512,
	RING_MAX	= 4096,
	RINGS_ALL	= 65536,
	SOON_MS		= 50,
	LATER_MS	= 500,
	/* Losses are judged over this many samples; up to 1/8 may be lost. */
	JUDGED		= 16384,
	LOSS		= 8,
	/* A shadow of the cache's size with fewer blocks than this tells nothing. */
	LEAST		= 64,
};

/**
 * struct rxc_ring - samples of one CPU
 * @head: where the next sample goes. The CPU owns this and @lost with interrupts off,
 *	and @runs with preemption off
 * @lost: samples that found no room
 * @runs: sequential reads on this CPU
 * @tail: the first sample that was not taken. The reader owns this and @lost_seen
 * @lost_seen: the value of @lost when the reader last looked
 * @sample: the lower half of a block's rxc_shadow_mix(), with the operation
 */
struct rxc_ring {
	u32 head;
	u32 lost;
	struct rxc_runs runs;
	u32 tail ____cacheline_aligned;
	u32 lost_seen;
	u32 sample[] ____cacheline_aligned;
};

/**
 * struct rxc_sampler - the samples of a cache and its shadow
 * @cache: the cache
 * @rings: one for each CPU
 * @blocks: capacity of the cache
 * @slots: samples that a ring has room for, a power of two
 * @work: takes the samples from the rings
 * @lock: protects the rings' tails and the rest of this structure
 * @shadow: small caches that see the samples
 * @room: memory for their sets
 * @rate: N, where one block in N is sampled
 * @held: sampling is stopped, so no block is sampled
 * @minute: the minute up to which the counts have decayed
 * @lost: samples that were lost since the counters were reset
 * @judged: samples, lost ones included, since the rate was last judged
 * @judged_lost: lost samples since then
 */
struct rxc_sampler {
	struct rxc_cache *cache;
	struct rxc_ring __percpu *rings;
	u64 blocks;
	u32 slots;
	struct delayed_work work;
	struct mutex lock;
	struct rxc_shadow shadow;
	void *room;
	u32 rate;
	bool held;
	u64 minute;
	u64 lost;
	u32 judged;
	u32 judged_lost;
};

static u64 now_minute(void)
{
	return div_u64(ktime_get_seconds(), 60);
}

/* Drops the samples in the rings, which were taken at another rate. */
static void sampler_skip(struct rxc_sampler *sampler)
{
	struct rxc_ring *ring;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(sampler->rings, cpu);
		smp_store_release(&ring->tail, smp_load_acquire(&ring->head));
	}
}

/* Tells requests which blocks are sampled. */
static void sampler_tell(struct rxc_sampler *sampler)
{
	WRITE_ONCE(sampler->cache->sampling.below,
		   sampler->held ? 0 : div_u64(1ULL << 32, sampler->rate));
}

/*
 * Begins with an empty shadow at @rate. Requests that have read the former rate may still
 * add a few samples.
 */
static void sampler_begin(struct rxc_sampler *sampler, u32 rate)
{
	struct rxc_cache *cache = sampler->cache;

	sampler->rate = rate;
	sampler_tell(sampler);
	sampler_skip(sampler);
	rxc_shadow_begin(&sampler->shadow, cache->policy, sampler->room,
			 sampler->blocks, rate);
	sampler->judged = 0;
	sampler->judged_lost = 0;
}

/* Hands the samples of a ring to the shadow; returns how many. */
static u32 ring_take(struct rxc_sampler *sampler, struct rxc_ring *ring)
{
	bool allocate = READ_ONCE(sampler->cache->write_allocate);
	u32 head = smp_load_acquire(&ring->head), tail = ring->tail;
	u32 nr = head - tail, sample;

	for (; tail != head; tail++) {
		sample = ring->sample[tail & (sampler->slots - 1)];
		rxc_shadow_access(&sampler->shadow, sample,
				  sample & RXC_SHADOW_OP_MASK, allocate);
	}
	/* From now on the CPU may overwrite these samples. */
	smp_store_release(&ring->tail, tail);
	return nr;
}

static u32 ring_take_losses(struct rxc_ring *ring)
{
	u32 lost = READ_ONCE(ring->lost), nr = lost - ring->lost_seen;

	ring->lost_seen = lost;
	return nr;
}

/* Judges the losses. Returns whether these are too many, and fewer blocks suffice. */
static bool sampler_too_many(struct rxc_sampler *sampler)
{
	bool lossy = sampler->judged_lost > sampler->judged / LOSS;

	if (sampler->judged < JUDGED)
		return false;
	sampler->judged = 0;
	sampler->judged_lost = 0;
	return lossy && sampler->rate <= div_u64(sampler->blocks, 2 * LEAST);
}

/* Brings the shadow up to date. Context: process, may sleep. */
static void sampler_take(struct rxc_sampler *sampler)
{
	u64 minute = now_minute();
	struct rxc_ring *ring;
	u32 lost;
	int cpu;

	lockdep_assert_held(&sampler->lock);
	/* While no block is sampled, the counts do not decay. */
	if (!sampler->held)
		rxc_shadow_age(&sampler->shadow, minute - sampler->minute);
	sampler->minute = minute;
	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(sampler->rings, cpu);
		sampler->judged += ring_take(sampler, ring);
		lost = ring_take_losses(ring);
		sampler->judged += lost;
		sampler->judged_lost += lost;
		sampler->lost += lost;
		cond_resched();
	}
	if (sampler_too_many(sampler))
		sampler_begin(sampler, 2 * sampler->rate);
}

static void sampler_work(struct work_struct *work)
{
	struct rxc_sampler *sampler = container_of(to_delayed_work(work),
						   struct rxc_sampler, work);

	mutex_lock(&sampler->lock);
	sampler_take(sampler);
	mutex_unlock(&sampler->lock);
}

/*
 * Puts a sample into the CPU's ring. The CPU may read an old value of the tail, and miss
 * that the ring was empty. The samples then wait until the ring is half full or a
 * request reads the estimates, so nothing is lost. The CPU can't miss that the ring is
 * half full, because the level that one CPU sees only rises by one, or falls.
 */
static void ring_put(struct rxc_sampler *sampler, u32 sample)
{
	struct rxc_ring *ring;
	unsigned long flags;
	u32 head, level;

	/* A read may end in an interrupt, and is then sampled there. */
	local_irq_save(flags);
	ring = this_cpu_ptr(sampler->rings);
	head = ring->head;
	level = head - smp_load_acquire(&ring->tail);
	if (level < sampler->slots) {
		ring->sample[head & (sampler->slots - 1)] = sample;
		smp_store_release(&ring->head, head + 1);
	} else {
		WRITE_ONCE(ring->lost, ring->lost + 1);
	}
	local_irq_restore(flags);
	if (!level)
		queue_delayed_work(rxc_life_wq, &sampler->work,
				   msecs_to_jiffies(LATER_MS));
	else if (level == sampler->slots / 2)
		mod_delayed_work(rxc_life_wq, &sampler->work,
				 msecs_to_jiffies(SOON_MS));
}

static void sample_blocks(const struct rxc_sampling *sampling, u64 first, u64 last,
			  enum rxc_shadow_op op)
{
	u64 mix, below = READ_ONCE(sampling->below);

	if (!below)
		return;
	for (; first <= last; first++) {
		mix = rxc_shadow_mix(first);
		if (unlikely(rxc_shadow_looks(below, mix)))
			ring_put(sampling->sampler,
				 ((u32)mix & ~RXC_SHADOW_OP_MASK) | op);
	}
}

/* Runs are kept per CPU: a process that moves to another CPU begins a new one. */
static bool is_long_run(struct rxc_sampler *sampler, u64 begin, u64 length)
{
	struct rxc_ring *ring;
	bool is_long;

	if (!sampler)
		return false;
	ring = get_cpu_ptr(sampler->rings);
	is_long = rxc_runs_add(&ring->runs, begin, length);
	put_cpu_ptr(sampler->rings);
	return is_long;
}

bool rxc_sample_run(const struct rxc_cache *cache, const struct bio *bio)
{
	return rxc_iter_last(cache, bio->bi_iter) > rxc_iter_first(cache, bio->bi_iter) &&
	       is_long_run(cache->sampling.sampler, rxc_iter_pos(bio->bi_iter),
			   bio->bi_iter.bi_size);
}

void rxc_sample_read(const struct rxc_cache *cache, const struct bio *bio, bool run)
{
	sample_blocks(&cache->sampling, rxc_iter_first(cache, bio->bi_iter),
		      rxc_iter_last(cache, bio->bi_iter),
		      run ? RXC_SHADOW_READ_RUN : RXC_SHADOW_READ);
}

void rxc_sample_served(const struct rxc_cache *cache, const struct bio *bio)
{
	u64 first = rxc_iter_first(cache, bio->bi_iter);
	u64 last = rxc_iter_last(cache, bio->bi_iter);
	enum rxc_shadow_op op = RXC_SHADOW_READ;

	if (last > first && is_long_run(cache->sampling.sampler,
					rxc_iter_pos(bio->bi_iter),
					bio->bi_iter.bi_size))
		op = RXC_SHADOW_READ_RUN;
	sample_blocks(&cache->sampling, first, last, op);
}

/*
 * Samples the blocks that may enter or leave the cache by a write. Discards are left
 * out, because they may be huge, and dropped blocks are rarely read before they are
 * written again.
 */
void rxc_sample_write(const struct rxc_cache *cache, const struct bio *bio)
{
	u64 begin = rxc_iter_pos(bio->bi_iter), end = begin + bio->bi_iter.bi_size;
	u64 mask = (1U << cache->block_shift) - 1;
	u32 mode = READ_ONCE(cache->mode);

	if (bio_op(bio) != REQ_OP_WRITE || begin == end)
		return;
	if (mode == RXCACHE_MODE_WRITE_AROUND) {
		sample_blocks(&cache->sampling, begin >> cache->block_shift,
			      (end - 1) >> cache->block_shift, RXC_SHADOW_DROP);
	} else if (mode == RXCACHE_MODE_WRITE_THROUGH) {
		/* Whole blocks only; the last one of the origin may be short. */
		begin = (begin + mask) >> cache->block_shift;
		end = (end == READ_ONCE(cache->bytes) ? end + mask : end) >> cache->block_shift;
		if (begin < end)
			sample_blocks(&cache->sampling, begin, end - 1, RXC_SHADOW_WRITE);
	}
}

bool rxc_sampler_read(struct rxc_cache *cache, struct rxc_estimates *now)
{
	struct rxc_sampler *sampler = cache->sampling.sampler;
	unsigned int i;

	if (!sampler)
		return false;
	mutex_lock(&sampler->lock);
	sampler_take(sampler);
	now->rate = sampler->rate;
	now->reads = rxc_shadow_reads(&sampler->shadow);
	now->lost = sampler->lost;
	for (i = 0; i < RXC_NR_SHADOWS; i++)
		now->hits[i] = rxc_shadow_hits(&sampler->shadow, i);
	mutex_unlock(&sampler->lock);
	return true;
}

void rxc_sampler_reset(struct rxc_cache *cache, bool all)
{
	struct rxc_sampler *sampler = cache->sampling.sampler;
	u32 rate = rxc_shadow_rate(cache->pool->blocks);

	if (!sampler)
		return;
	mutex_lock(&sampler->lock);
	sampler_take(sampler);
	if (all)
		sampler->lost = 0;
	if (all && sampler->rate != rate)
		sampler_begin(sampler, rate);
	else
		rxc_shadow_forget(&sampler->shadow);
	mutex_unlock(&sampler->lock);
}

void rxc_sampler_resize(struct rxc_cache *cache)
{
	struct rxc_sampler *sampler = cache->sampling.sampler;

	if (!sampler)
		return;
	mutex_lock(&sampler->lock);
	if (sampler->blocks != cache->pool->blocks) {
		sampler_take(sampler);
		sampler->blocks = cache->pool->blocks;
		sampler_begin(sampler, rxc_shadow_rate(sampler->blocks));
	}
	mutex_unlock(&sampler->lock);
}

void rxc_sampler_hold(struct rxc_cache *cache, bool hold)
{
	struct rxc_sampler *sampler = cache->sampling.sampler;

	if (!sampler)
		return;
	mutex_lock(&sampler->lock);
	sampler_take(sampler);
	sampler->held = hold;
	sampler_tell(sampler);
	mutex_unlock(&sampler->lock);
}

static u32 ring_slots(void)
{
	u32 bytes = clamp_t(u32, RINGS_ALL / num_possible_cpus(), RING_MIN,
			    RING_MAX);

	return rounddown_pow_of_two(bytes) / sizeof(u32);
}

/* Frees a sampler that no other context has, see rxc_sampler_free(). */
static void sampler_free_all(struct rxc_sampler *sampler)
{
	free_percpu(sampler->rings);
	kvfree(sampler->room);
	kfree(sampler);
}

void rxc_sampler_new(struct rxc_cache *cache)
{
	u32 rate = rxc_shadow_rate(cache->pool->blocks);
	struct rxc_sampler *sampler;

	if (!READ_ONCE(shadow))
		return;
	sampler = kzalloc(sizeof(*sampler), GFP_KERNEL | __GFP_NOWARN);
	if (!sampler)
		return;
	sampler->cache = cache;
	sampler->blocks = cache->pool->blocks;
	sampler->slots = ring_slots();
	sampler->rings = __alloc_percpu_gfp(sizeof(struct rxc_ring) +
					    sampler->slots * sizeof(u32),
					    __alignof__(struct rxc_ring),
					    GFP_KERNEL | __GFP_NOWARN);
	/* Enough for a cache of any size, because the size may change. */
	sampler->room = kvmalloc(rxc_shadow_room(cache->policy, RXC_SHADOW_BLOCKS, 1),
				 GFP_KERNEL | __GFP_NOWARN);
	if (!sampler->rings || !sampler->room) {
		sampler_free_all(sampler);
		return;
	}
	mutex_init(&sampler->lock);
	INIT_DEFERRABLE_WORK(&sampler->work, sampler_work);
	sampler->minute = now_minute();
	cache->sampling.sampler = sampler;
	sampler_begin(sampler, rate);
}

/*
 * Nothing else can hold the sampler when it is freed:
 * - a request, in its submit call or at its end: the device is gone or was never there,
 *   and all requests have ended;
 * - a reader of the estimates, or a change of settings: the cache is off the list;
 * - the work: no request queues it any more, and this waits for its last run.
 */
void rxc_sampler_free(struct rxc_cache *cache)
{
	struct rxc_sampler *sampler = cache->sampling.sampler;

	if (!sampler)
		return;
	cancel_delayed_work_sync(&sampler->work);
	sampler_free_all(sampler);
}
