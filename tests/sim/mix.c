// SPDX-License-Identifier: GPL-2.0-only
/* Runs a mix of traces through shared and through divided memory. */
#include "blocks/index.h"
#include "kernel.h"
#include "mix.h"

/* What a sixteenth of the memory is, and how many there are. */
enum { COARSE = MIX_UNITS / 16, NR_COARSE = 16 };

bool mix_timed(const struct mix *mix)
{
	unsigned int i;

	for (i = 0; i < mix->nr; i++)
		if (!mix->trace[i].time)
			return false;
	return true;
}

uint64_t mix_distinct(const struct mix *mix)
{
	uint64_t distinct = 0;
	unsigned int i;

	for (i = 0; i < mix->nr; i++)
		distinct += mix->trace[i].distinct;
	return distinct;
}

unsigned int mix_next(const struct mix *mix, const size_t *next)
{
	bool timed = mix_timed(mix);
	unsigned int i, first = mix->nr;
	double when, earliest = 0;

	for (i = 0; i < mix->nr; i++) {
		const struct trace *trace = &mix->trace[i];

		if (next[i] == trace->nr)
			continue;
		when = timed ? trace->time[next[i]] :
			       (next[i] + 0.5) / trace->nr;
		if (first == mix->nr || when < earliest) {
			first = i;
			earliest = when;
		}
	}
	return first;
}

static void add_up(const struct mix *mix, struct mix_result *result)
{
	unsigned int i;

	result->all = (struct sim_result) { 0 };
	for (i = 0; i < mix->nr; i++) {
		result->all.capacity += result->of[i].capacity;
		result->all.metadata += result->of[i].metadata;
		result->all.reads += result->of[i].reads;
		result->all.hits += result->of[i].hits;
		result->all.evicted += result->of[i].evicted;
		result->all.held += result->of[i].held;
	}
}

bool mix_share(const struct mix *mix, const struct rxc_policy *policy,
	       enum sim_mode mode, uint64_t blocks, struct mix_result *result)
{
	uint64_t enough = mix_distinct(mix) * SIM_BLOCKS_ENOUGH;
	struct rxc_index *index = rxc_index_new(min(blocks, enough), policy);
	size_t next[MIX_MAX] = { 0 }, requests = 0;
	uint64_t held[MIX_MAX] = { 0 };
	unsigned int map, i;

	*result = (struct mix_result) { 0 };
	if (IS_ERR(index))
		return false;
	rxc_index_share(index, (1U << mix->nr) - 1);
	while ((map = mix_next(mix, next)) < mix->nr) {
		sim_request(index, map, &mix->trace[map].req[next[map]++], mode,
			    result->of);
		requests++;
		for (i = 0; i < mix->nr; i++)
			held[i] += result->of[i].held;
	}
	for (i = 0; i < mix->nr; i++)
		result->of[i].capacity = held[i] / requests;
	add_up(mix, result);
	result->all.capacity = rxc_index_blocks(index);
	result->all.metadata = rxc_index_bytes(index);
	sim_free(index);
	return true;
}

/* A cache of no blocks only counts what is read. */
static void run_without(const struct trace *trace, struct sim_result *result)
{
	size_t i;

	*result = (struct sim_result) { 0 };
	for (i = 0; i < trace->nr; i++)
		if (!trace->req[i].write)
			result->reads += trace->req[i].blocks;
}

static bool run_alone(const struct trace *trace, const struct rxc_policy *policy,
		      enum sim_mode mode, uint64_t blocks,
		      struct sim_result *result)
{
	uint64_t enough = trace->distinct * SIM_BLOCKS_ENOUGH;

	if (blocks)
		return sim_run(trace, policy, mode, min(blocks, enough), false,
			       result);
	run_without(trace, result);
	return true;
}

bool mix_equal(const struct mix *mix, const struct rxc_policy *policy,
	       enum sim_mode mode, uint64_t blocks, struct mix_result *result)
{
	uint64_t part = blocks / mix->nr;
	unsigned int map;

	for (map = 0; map < mix->nr; map++) {
		if (!run_alone(&mix->trace[map], policy, mode, part,
			       &result->of[map]))
			return false;
		result->of[map].capacity = part;
	}
	add_up(mix, result);
	return true;
}

/* The traces, each alone with each part of the memory, as far as that was asked for. */
struct curves {
	const struct mix *mix;
	const struct rxc_policy *policy;
	enum sim_mode mode;
	uint64_t blocks;
	struct sim_result point[MIX_MAX][MIX_UNITS + 1];
	bool known[MIX_MAX][MIX_UNITS + 1];
};

/* What a trace does with @units of the memory, or NULL if there is no memory. */
static const struct sim_result *point_of(struct curves *c, unsigned int map,
					 unsigned int units)
{
	struct sim_result *point = &c->point[map][units];

	if (!c->known[map][units] &&
	    !run_alone(&c->mix->trace[map], c->policy, c->mode,
		       c->blocks * units / MIX_UNITS, point))
		return NULL;
	c->known[map][units] = true;
	return point;
}

/*
 * The best division into sixteenths, trace by trace: the most hits that the traces so
 * far can have with each part of the memory.
 */
static bool divide_coarsely(struct curves *c, unsigned int *units)
{
	uint64_t hits[MIX_MAX + 1][NR_COARSE + 1] = { { 0 } }, with;
	unsigned int part[MIX_MAX][NR_COARSE + 1];
	unsigned int map, all, mine;

	for (map = 0; map < c->mix->nr; map++) {
		for (all = 0; all <= NR_COARSE; all++) {
			part[map][all] = 0;
			for (mine = 0; mine <= all; mine++) {
				const struct sim_result *point =
					point_of(c, map, mine * COARSE);

				if (!point)
					return false;
				with = hits[map][all - mine] + point->hits;
				if (with <= hits[map + 1][all])
					continue;
				hits[map + 1][all] = with;
				part[map][all] = mine;
			}
		}
	}
	for (all = NR_COARSE; map--; all -= part[map][all])
		units[map] = part[map][all] * COARSE;
	return true;
}

/*
 * Moves @step from one trace to another, those two for which it gives the most hits;
 * *@moved is whether it gives any. What no trace has yet is moved first.
 */
static bool move(struct curves *c, unsigned int *units, unsigned int step,
		 bool *moved)
{
	unsigned int nr = c->mix->nr, spare = MIX_UNITS, map, from, to;
	int64_t loss[MIX_MAX + 1], gain[MIX_MAX], best = 0;
	const struct sim_result *now, *less, *more;
	unsigned int giver = nr, taker = nr;

	for (map = 0; map < nr; map++) {
		bool may_give = units[map] >= step;
		bool may_take = units[map] + step <= MIX_UNITS;

		now = point_of(c, map, units[map]);
		less = may_give ? point_of(c, map, units[map] - step) : now;
		more = may_take ? point_of(c, map, units[map] + step) : now;
		if (!now || !less || !more)
			return false;
		loss[map] = may_give ? (int64_t)(now->hits - less->hits) :
				       INT64_MAX;
		gain[map] = more->hits - now->hits;
		spare -= units[map];
	}
	loss[nr] = spare >= step ? 0 : INT64_MAX;
	for (from = nr + 1; from--;) {
		for (to = 0; to < nr; to++) {
			if (from == to || gain[to] <= loss[from] ||
			    gain[to] - loss[from] <= best)
				continue;
			best = gain[to] - loss[from];
			giver = from;
			taker = to;
		}
	}
	*moved = taker < nr;
	if (giver < nr)
		units[giver] -= step;
	if (taker < nr)
		units[taker] += step;
	return true;
}

bool mix_best(const struct mix *mix, const struct rxc_policy *policy,
	      enum sim_mode mode, uint64_t blocks, struct mix_result *result)
{
	struct curves *c = calloc(1, sizeof(*c));
	unsigned int units[MIX_MAX], step, map;
	bool moved, good;

	if (!c)
		return false;
	c->mix = mix;
	c->policy = policy;
	c->mode = mode;
	c->blocks = blocks;
	good = divide_coarsely(c, units);
	for (step = COARSE / 2; good && step; step /= 2)
		do
			good = move(c, units, step, &moved);
		while (good && moved);
	for (map = 0; good && map < mix->nr; map++) {
		result->of[map] = c->point[map][units[map]];
		result->of[map].capacity = blocks * units[map] / MIX_UNITS;
	}
	if (good)
		add_up(mix, result);
	free(c);
	return good;
}
