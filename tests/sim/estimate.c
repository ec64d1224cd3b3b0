// SPDX-License-Identifier: GPL-2.0-only
/* Runs a trace through the shadow of a cache, and through the caches that it estimates. */
#include <stdio.h>
#include "blocks/index.h"
#include "estimate.h"
#include "kernel.h"

/* The longest request of the module, in blocks. */
enum { PIECE = 1024 * 1024 / TRACE_BLOCK };

typedef void (*block_op)(void *to, uint64_t block, enum rxc_shadow_op op);

/* Calls @op for each block, as the module tells its shadow of it. */
static void each_block(const struct trace *trace, enum sim_mode mode,
		       block_op op, void *to)
{
	struct rxc_runs runs = { .next = 0 };
	const struct trace_req *req;
	bool run = false, part;
	uint64_t i, left;

	for (req = trace->req; req < trace->req + trace->nr; req++) {
		for (i = 0; i < req->blocks; i++) {
			left = min_t(uint64_t, req->blocks - i, PIECE);
			if (!req->write && i % PIECE == 0)
				run = left > 1 &&
				      rxc_runs_add(&runs, (req->block + i) * TRACE_BLOCK,
						   left * TRACE_BLOCK);
			part = (!i && req->first_part) ||
			       (i + 1 == req->blocks && req->last_part);
			if (!req->write)
				op(to, req->block + i,
				   run ? RXC_SHADOW_READ_RUN : RXC_SHADOW_READ);
			else if (mode == SIM_INVALIDATE)
				op(to, req->block + i, RXC_SHADOW_DROP);
			else if (!part)
				op(to, req->block + i, RXC_SHADOW_WRITE);
		}
	}
}

struct sampled {
	struct rxc_shadow shadow;
	uint64_t below;
	bool allocate;
	uint8_t *seen;
	uint64_t distinct;
};

static void sample(void *to, uint64_t block, enum rxc_shadow_op op)
{
	uint64_t mix = rxc_shadow_mix(block);
	struct sampled *s = to;

	if (!rxc_shadow_looks(s->below, mix))
		return;
	rxc_shadow_access(&s->shadow, mix, op, s->allocate);
	s->distinct += !(s->seen[block / 8] >> block % 8 & 1);
	s->seen[block / 8] |= 1 << block % 8;
}

bool sim_shadow(const struct trace *trace, const struct rxc_policy *policy,
		enum sim_mode mode, uint64_t blocks, struct sim_shadow *result)
{
	struct sampled s = { .allocate = mode == SIM_ALLOCATE };
	unsigned int point;
	void *room;

	result->rate = rxc_shadow_rate(blocks);
	result->bytes = rxc_shadow_room(policy, blocks, result->rate);
	s.below = (1ULL << 32) / result->rate;
	s.seen = calloc(trace->span / 8 + 1, 1);
	room = malloc(result->bytes);
	if (room && s.seen) {
		rxc_shadow_begin(&s.shadow, policy, room, blocks, result->rate);
		each_block(trace, mode, sample, &s);
	}
	result->distinct = s.distinct;
	result->reads = rxc_shadow_reads(&s.shadow);
	for (point = 0; point < RXC_NR_SHADOWS; point++)
		result->hits[point] = rxc_shadow_hits(&s.shadow, point);
	free(s.seen);
	free(room);
	return room && s.seen;
}

struct bypassed {
	struct rxc_index *index;
	struct sim_result *result;
	bool allocate;
};

static void put(struct bypassed *b, uint64_t block, enum rxc_store how)
{
	struct rxc_taken old;

	rxc_index_store(b->index, rxc_key(0, block), pfn_to_page(1), how, &old);
}

static void bypass(void *to, uint64_t block, enum rxc_shadow_op op)
{
	struct bypassed *b = to;

	if (op == RXC_SHADOW_DROP) {
		rxc_index_remove(b->index, rxc_key(0, block));
	} else if (op == RXC_SHADOW_WRITE) {
		if (b->allocate)
			put(b, block, RXC_STORE_WRITE);
	} else {
		b->result->reads++;
		if (rxc_index_get(b->index, rxc_key(0, block)))
			b->result->hits++;
		else if (op == RXC_SHADOW_READ)
			put(b, block, RXC_STORE_READ);
	}
}

static bool run_bypass(const struct trace *trace, const struct rxc_policy *policy,
		       enum sim_mode mode, uint64_t blocks,
		       struct sim_result *result)
{
	struct bypassed b = {
		.index = rxc_index_new(blocks, policy),
		.result = result,
		.allocate = mode == SIM_ALLOCATE,
	};

	if (IS_ERR(b.index))
		return false;
	*result = (struct sim_result) {
		.capacity = rxc_index_blocks(b.index),
	};
	each_block(trace, mode, bypass, &b);
	sim_free(b.index);
	return true;
}

bool sim_shadow_truth(const struct trace *trace, const struct rxc_policy *policy,
		      enum sim_mode mode, uint64_t blocks,
		      enum rxc_shadow_point point, struct sim_result *result)
{
	if (point == RXC_SHADOW_BYPASS)
		return run_bypass(trace, policy, mode, blocks, result);
	if (point == RXC_SHADOW_FLIPPED && mode != SIM_INVALIDATE)
		mode = mode == SIM_ALLOCATE ? SIM_UPDATE : SIM_ALLOCATE;
	blocks = rxc_shadow_scale(point, blocks);
	return sim_run(trace, policy, mode, blocks ? blocks : 1, false, result);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

double sim_shadow_error(const struct sim_shadow *shadow,
			enum rxc_shadow_point point,
			const struct sim_result *truth)
{
	return percent(shadow->hits[point], shadow->reads) -
	       percent(truth->hits, truth->reads);
}
