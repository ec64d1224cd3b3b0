// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the time of look-ups and evictions. Each figure is the median of many
 * laps, so that other work on the machine hardly shows.
 */
#include <time.h>

#include "blocks/index.h"
#include "kernel.h"
#include "sim.h"
#include "times.h"

enum { LAPS = 400, PER_LAP = 1000, WAYS = RXC_WAYS_MAX };

/* The policy's state of one set, to time the policy without the index. */
struct set {
	u8 state[RXC_POLICY_STATE] __aligned(64);
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static u64 random64(void)
{
	static u64 state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL;
}

/* Half of the reads go to 1/8 of the blocks, half of those to 1/64, and so on. */
static u64 uneven(u64 below)
{
	u64 r = random64();

	while (r & 1 && below >= 8) {
		below /= 8;
		r >>= 1;
	}
	return (r >> 8) % below;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *lap)
{
	qsort(lap, LAPS, sizeof(*lap), compare);
	return lap[LAPS / 2];
}

/* Reads long enough for the policy to find the hot blocks. */
static void warm_up(struct rxc_index *index, u64 blocks)
{
	struct rxc_taken old;
	u64 i, key;

	for (i = 0; i < 8 * blocks; i++) {
		key = uneven(4 * blocks);
		if (!rxc_index_get(index, key))
			rxc_index_store(index, key, pfn_to_page(key),
					RXC_STORE_READ, &old);
	}
}

/* Reads on until PER_LAP blocks were found and PER_LAP were not. */
static void collect(struct rxc_index *index, u64 blocks, u64 *there,
		    u64 *absent)
{
	unsigned int hits = 0, misses = 0;
	u64 key;

	while (hits < PER_LAP || misses < PER_LAP) {
		key = uneven(4 * blocks);
		if (rxc_index_get(index, key)) {
			if (hits < PER_LAP)
				there[hits++] = key;
		} else if (misses < PER_LAP) {
			absent[misses++] = key;
		}
	}
}

static void time_index(struct rxc_index *index, u64 blocks,
		       struct sim_times *times)
{
	static u64 there[PER_LAP], absent[PER_LAP];
	double hit[LAPS], miss[LAPS];
	struct rxc_taken old;
	unsigned int lap, i;
	u64 begin;

	for (lap = 0; lap < LAPS; lap++) {
		collect(index, blocks, there, absent);
		begin = now_ns();
		for (i = 0; i < PER_LAP; i++)
			rxc_index_get(index, there[i]);
		hit[lap] = (double)(now_ns() - begin) / PER_LAP;
		begin = now_ns();
		for (i = 0; i < PER_LAP; i++)
			rxc_index_store(index, absent[i], pfn_to_page(1),
					RXC_STORE_READ, &old);
		miss[lap] = (double)(now_ns() - begin) / PER_LAP;
	}
	times->lookup = median(hit);
	times->store = median(miss);
}

/*
 * Goes through sets that are all full. Half of the inserted blocks have a
 * fingerprint that was evicted shortly before, and the sets have been read,
 * because both make the choice of a victim longer.
 */
static void time_policy(const struct rxc_policy *policy, struct set *set,
			u64 sets, struct sim_times *times)
{
	double hit[LAPS], miss[LAPS];
	unsigned int lap, i, way, way_of[PER_LAP];
	u64 begin, nr, s, print = 0;

	for (nr = 0; nr < sets; nr++) {
		policy->init(set[nr].state, WAYS);
		for (way = 0; way < WAYS; way++)
			policy->insert(set[nr].state, way, random64(),
				       RXC_ENTRY_READ);
	}
	for (lap = 0; lap < LAPS; lap++) {
		for (i = 0; i < PER_LAP; i++)
			way_of[i] = uneven(WAYS);
		begin = now_ns();
		for (i = 0; i < PER_LAP; i++)
			policy->hit(set[(lap + i) % sets].state, way_of[i]);
		hit[lap] = (double)(now_ns() - begin) / PER_LAP;
		begin = now_ns();
		for (i = 0; i < PER_LAP; i++) {
			s = (lap * 7 + i) % sets;
			print += 40503;
			way = policy->victim(set[s].state, WAYS, ~0ULL);
			policy->remove(set[s].state, way, print,
				       RXC_EXIT_EVICT);
			policy->insert(set[s].state, way, i & 1 ? print :
				       print - 3 * 40503, RXC_ENTRY_READ);
		}
		miss[lap] = (double)(now_ns() - begin) / PER_LAP;
	}
	times->hit = median(hit);
	times->evict = median(miss);
}

bool sim_time(const struct rxc_policy *policy, uint64_t blocks,
	      struct sim_times *times)
{
	struct rxc_index *index = rxc_index_new(blocks, policy);
	u64 sets = blocks / WAYS + 1;
	struct set *set;

	if (IS_ERR(index))
		return false;
	warm_up(index, blocks);
	time_index(index, blocks, times);
	sim_free(index);
	set = __vmalloc(sets * sizeof(*set), GFP_KERNEL);
	if (!set)
		return false;
	time_policy(policy, set, sets, times);
	vfree(set);
	return true;
}
