// SPDX-License-Identifier: GPL-2.0-only
/* Runs traces through the index, as rxcache does, but without pages and time. */
#include "blocks/index.h"
#include "kernel.h"
#include "sim.h"

const char sim_no_memory[] = "out of memory; ask for smaller sizes";

const char *const sim_mode_names[SIM_MODES] = {
	[SIM_ALLOCATE] = "allocate",
	[SIM_UPDATE] = "update",
	[SIM_INVALIDATE] = "invalidate",
};

/* With @count_stores: the real policy, and the hits that changed its state. */
static const struct rxc_policy *watched;
static uint64_t stores;

static void watch_hit(void *state, unsigned int way)
{
	u8 before[RXC_POLICY_STATE];

	memcpy(before, state, sizeof(before));
	watched->hit(state, way);
	stores += !!memcmp(before, state, sizeof(before));
}

static void store(struct rxc_index *index, u64 key, enum rxc_store how,
		  struct sim_result *of)
{
	/* Every block has the same page: only hits and evictions are counted. */
	enum rxc_stored stored;
	struct sim_result *owner;
	struct rxc_taken old;

	stored = rxc_index_store(index, key, pfn_to_page(1), how, &old);
	if (stored == RXC_STORED_INSERTED || stored == RXC_STORED_EVICTED)
		of[key >> RXC_KEY_BLOCK_BITS].held++;
	if (stored == RXC_STORED_EVICTED) {
		owner = &of[old.key >> RXC_KEY_BLOCK_BITS];
		owner->held--;
		owner->evicted++;
	}
}

/* A miss is filled at once, because time does not pass here. */
static void read_block(struct rxc_index *index, unsigned int map, uint64_t block,
		       struct sim_result *of)
{
	u64 key = rxc_key(map, block);

	of[map].reads++;
	if (rxc_index_get(index, key))
		of[map].hits++;
	else
		store(index, key, RXC_STORE_READ, of);
}

static void write_block(struct rxc_index *index, unsigned int map, uint64_t block,
			bool whole, enum sim_mode mode, struct sim_result *of)
{
	u64 key = rxc_key(map, block);

	if (mode == SIM_INVALIDATE)
		of[map].held -= !!rxc_index_remove(index, key);
	else if (mode == SIM_ALLOCATE && whole)
		store(index, key, RXC_STORE_WRITE, of);
	/* Else the module changes a cached block in place and tells no policy. */
}

void sim_request(struct rxc_index *index, unsigned int map,
		 const struct trace_req *req, enum sim_mode mode,
		 struct sim_result *of)
{
	uint64_t i;

	for (i = 0; i < req->blocks; i++) {
		bool part = (!i && req->first_part) ||
			    (i + 1 == req->blocks && req->last_part);

		if (req->write)
			write_block(index, map, req->block + i, !part, mode, of);
		else
			read_block(index, map, req->block + i, of);
	}
}

void sim_free(struct rxc_index *index)
{
	u64 cursor = 0;

	while (cursor < RXC_WALK_END)
		rxc_index_remove_next(index, 0, ~0ULL, &cursor);
	rxc_index_free(index);
}

bool sim_run(const struct trace *trace, const struct rxc_policy *policy,
	     enum sim_mode mode, uint64_t blocks, bool count_stores,
	     struct sim_result *result)
{
	struct rxc_policy watch = *policy;
	struct rxc_index *index;
	size_t i;

	watched = policy;
	watch.hit = watch_hit;
	stores = 0;
	index = rxc_index_new(blocks, count_stores ? &watch : policy);
	if (IS_ERR(index))
		return false;
	*result = (struct sim_result) {
		.capacity = rxc_index_blocks(index),
		.metadata = rxc_index_bytes(index),
	};
	for (i = 0; i < trace->nr; i++)
		sim_request(index, 0, &trace->req[i], mode, result);
	result->stores = stores;
	sim_free(index);
	return true;
}
