// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shadow of a cache: its estimates are compared with full simulations. If
 * RX_TRACES names a folder, the traces in it are run, too.
 */
#include "rx_test.h"
#include "estimate.h"
#include "policies.h"

enum { READS = 1 << 18 };

static uint64_t state = 1;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void make(struct trace *t, uint64_t span)
{
	*t = (struct trace) {
		.req = calloc(READS, sizeof(*t->req)), .nr = READS, .span = span,
	};
	if (!t->req)
		exit(1);
}

static void put(struct trace *t, size_t i, uint64_t block, bool write)
{
	t->req[i].block = block;
	t->req[i].blocks = 1;
	t->req[i].write = write;
}

/* Half of the reads go to 1/8 of the blocks, and so on, so every larger size helps. */
static void make_skewed(struct trace *t, uint64_t span, unsigned int writes)
{
	uint64_t part;
	size_t i;

	make(t, span);
	for (i = 0; i < READS; i++) {
		for (part = span; part > 64 && random64() % 2; part /= 8)
			;
		put(t, i, random64() % part, random64() % 100 < writes);
	}
}

/* A loop has no hits until the cache holds all of it. */
static void make_loop(struct trace *t, uint64_t span)
{
	size_t i;

	make(t, span);
	for (i = 0; i < READS; i++)
		put(t, i, i % span, false);
}

/* One request in 8 belongs to a scan, whose blocks are read once. */
static void make_scan(struct trace *t, uint64_t span)
{
	uint64_t next = span;
	size_t i;

	make(t, span + 8 * (uint64_t)READS);
	for (i = 0; i < READS; i++) {
		if (i % 8) {
			put(t, i, random64() % span, false);
			continue;
		}
		put(t, i, next, false);
		t->req[i].blocks = 8;
		next += 8;
	}
}

/*
 * Compares the estimates of all points with full simulations. With @whole the estimates
 * are the shadow's own hit ratios. Otherwise they are scaled by the real misses of the
 * present size, as in shadow.h.
 */
static void estimates(const struct trace *t, const char *name,
		      const struct rxc_policy *policy, enum sim_mode mode,
		      uint64_t blocks, bool whole)
{
	double truth, estimate, factor = 1, error, worst = 0;
	struct sim_shadow shadow;
	struct sim_result r;
	unsigned int point, at = 0;

	if (!sim_shadow(t, policy, mode, blocks, &shadow) ||
	    !sim_shadow_truth(t, policy, mode, blocks, RXC_SHADOW_SAME, &r))
		exit(1);
	if (!whole)
		factor = (double)(r.reads - r.hits) / r.reads * shadow.reads /
			 (shadow.reads - shadow.hits[RXC_SHADOW_SAME]);
	for (point = 0; point < RXC_NR_SHADOWS; point++) {
		if (!sim_shadow_truth(t, policy, mode, blocks, point, &r))
			exit(1);
		truth = 100.0 * r.hits / r.reads;
		estimate = 100 - 100 * factor / shadow.reads *
				 (shadow.reads - shadow.hits[point]);
		error = estimate < truth ? truth - estimate : estimate - truth;
		if (error > worst) {
			worst = error;
			at = point;
		}
	}
	check(worst <= 2, "%s, %s, %s, %llu blocks: at most 2 points off (%.2f at %u), 1 in %u",
	      name, policy->name, sim_mode_names[mode],
	      (unsigned long long)blocks, worst, at, shadow.rate);
}

static void test_estimates(void)
{
	struct trace t;

	make_skewed(&t, 60000, 0);
	estimates(&t, "skewed", &rxc_policy_rx, SIM_ALLOCATE, 6000, false);
	estimates(&t, "skewed", &rxc_policy_lru, SIM_ALLOCATE, 12000, false);
	trace_free(&t);
	make_skewed(&t, 60000, 40);
	estimates(&t, "with writes", &rxc_policy_rx, SIM_ALLOCATE, 6000, false);
	estimates(&t, "with writes", &rxc_policy_rx, SIM_UPDATE, 12000, false);
	estimates(&t, "with writes", &rxc_policy_clock, SIM_INVALIDATE, 6000, false);
	trace_free(&t);
	make_loop(&t, 30000);
	estimates(&t, "a loop", &rxc_policy_lru, SIM_ALLOCATE, 6000, false);
	trace_free(&t);
	make_scan(&t, 30000);
	estimates(&t, "beside a scan", &rxc_policy_rx, SIM_ALLOCATE, 8000, false);
	estimates(&t, "beside a scan", &rxc_policy_fifo, SIM_ALLOCATE, 8000, false);
	trace_free(&t);
}

/* At a rate of 1 the shadow differs from a cache only in the set of each block. */
static void test_traces(const char *dir)
{
	static const char *const names[] = { "hp_ajw", "own_dev", "own_pg" };
	static const unsigned int percent[] = { 5, 10, 20 };
	struct trace t;
	char path[300], why[256];
	unsigned int i, s;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s.rxt.xz", dir, names[i]);
		if (!trace_read(&t, path, UINT64_MAX, why, sizeof(why)))
			exit(1);
		for (s = 0; s < sizeof(percent) / sizeof(*percent); s++) {
			estimates(&t, names[i], &rxc_policy_rx, SIM_ALLOCATE,
				  t.distinct * percent[s] / 100, true);
			estimates(&t, names[i], &rxc_policy_rx, SIM_UPDATE,
				  t.distinct * percent[s] / 100, true);
		}
		trace_free(&t);
	}
}

/* At every stride the number of sampled blocks is the expected one within 4 sigma. */
static void test_choice(void)
{
	static const uint64_t strides[] = {
		1, 2, 3, 8, 64, 255, 256, 257, 4096, 1 << 20, 1ULL << 28,
	};
	enum { BLOCKS = 1 << 16, RATE = 16 };
	unsigned int i;
	uint64_t n, seen;
	bool fair = true;

	for (i = 0; i < sizeof(strides) / sizeof(*strides); i++) {
		for (n = seen = 0; n < BLOCKS; n++)
			seen += rxc_shadow_looks((1ULL << 32) / RATE,
						 rxc_shadow_mix(n * strides[i]));
		if (seen < 4096 - 250 || seen > 4096 + 250) {
			printf("# stride %llu: %llu\n",
			       (unsigned long long)strides[i],
			       (unsigned long long)seen);
			fair = false;
		}
	}
	check(fair, "one block in 16 is looked at, at any stride");
	check(!rxc_shadow_looks(0, 0) && rxc_shadow_looks(1ULL << 32, ~0ULL),
	      "none and all");
}

static void test_room(void)
{
	size_t room, most = 0;
	uint64_t blocks;
	unsigned int i;
	bool known = true;

	for (blocks = 1; blocks < 1ULL << 40; blocks += blocks / 7 + 1) {
		for (i = 0; sim_policies[i]; i++) {
			room = rxc_shadow_room(sim_policies[i], blocks,
					       rxc_shadow_rate(blocks));
			most = room > most ? room : most;
			known &= room > 0;
		}
	}
	check(most < 192 * 1024 && known, "no more than 192 KiB at any size (%zu)",
	      most);
	check(rxc_shadow_scale(RXC_SHADOW_HALF, 64) == 32 &&
	      rxc_shadow_scale(RXC_SHADOW_EIGHTFOLD, 64) == 512 &&
	      rxc_shadow_scale(RXC_SHADOW_BYPASS, 64) == 64, "sizes");
}

static void test_counts(void)
{
	static _Alignas(8) char room[65536];
	struct rxc_shadow s;
	unsigned int i;

	rxc_shadow_begin(&s, &rxc_policy_rx, room, 256, 1);
	for (i = 0; i < 10000; i++)
		rxc_shadow_access(&s, i % 100 * 4, RXC_SHADOW_READ, true);
	check(rxc_shadow_reads(&s) == 10000 &&
	      rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 9900, "what fits is hit");
	rxc_shadow_access(&s, 400, RXC_SHADOW_WRITE, true);
	rxc_shadow_access(&s, 404, RXC_SHADOW_WRITE, false);
	rxc_shadow_access(&s, 0, RXC_SHADOW_DROP, true);
	check(rxc_shadow_reads(&s) == 10000, "a write is no read");
	rxc_shadow_access(&s, 0, RXC_SHADOW_READ, true);
	check(rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 9900, "what was dropped is gone");
	rxc_shadow_access(&s, 400, RXC_SHADOW_READ, true);
	check(rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 9901 &&
	      rxc_shadow_hits(&s, RXC_SHADOW_FLIPPED) == 9900,
	      "a write enters if it is to");
	rxc_shadow_access(&s, 404, RXC_SHADOW_READ, true);
	check(rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 9901 &&
	      rxc_shadow_hits(&s, RXC_SHADOW_FLIPPED) == 9901, "or the other way");
	rxc_shadow_access(&s, 800, RXC_SHADOW_READ_RUN, true);
	rxc_shadow_access(&s, 800, RXC_SHADOW_READ, true);
	check(rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 9902 &&
	      rxc_shadow_hits(&s, RXC_SHADOW_BYPASS) == 9901,
	      "a long run enters but for a bypass");
	rxc_shadow_age(&s, 60);
	check(rxc_shadow_reads(&s) > 3600 && rxc_shadow_reads(&s) < 3700,
	      "an hour later: e^-1");
	rxc_shadow_age(&s, 1ULL << 40);
	check(!rxc_shadow_reads(&s) && !rxc_shadow_hits(&s, RXC_SHADOW_SAME),
	      "long after: nothing");
	rxc_shadow_access(&s, 4, RXC_SHADOW_READ, true);
	check(rxc_shadow_hits(&s, RXC_SHADOW_SAME) == 1, "but what is cached");
}

static void test_runs(void)
{
	struct rxc_runs r = { .next = 0 };
	enum { KB = 1024, LEN = 128 * KB };
	uint64_t a = 0, b = 1 << 30;
	unsigned int i;
	bool early = false, late = true;

	for (i = 0; i < 8; i++, a += LEN, b += LEN) {
		early |= rxc_runs_add(&r, a, LEN);
		early |= rxc_runs_add(&r, b, LEN);
	}
	for (i = 0; i < 8; i++, a += LEN, b += LEN) {
		late &= rxc_runs_add(&r, a, LEN);
		late &= rxc_runs_add(&r, b, LEN);
	}
	check(!early && late, "two runs at a time are long after 1 MiB");
	check(!rxc_runs_add(&r, a + LEN, LEN), "a gap ends one");
	check(!rxc_runs_add(&r, a - 4 * LEN, LEN), "so does a step back");
}

int main(void)
{
	const char *traces = getenv("RX_TRACES");

	test_choice();
	test_room();
	test_counts();
	test_runs();
	test_estimates();
	if (traces)
		test_traces(traces);
	return done();
}
