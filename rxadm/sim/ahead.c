// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a trace through a cache with read-ahead. See ahead.h. A read does with the index, the
 * throttle and the forecast what the module does, in the same order.
 */
#include "kernel.h"
#include "ahead.h"
#include "forecast.h"
#include "index.h"
#include "throttle.h"

enum {
	/* Blocks of a request of read-ahead: 256 KiB. */
	REQ_BLOCKS	= 64,
	/* One block in UNREAD_PART of the cache may be unread or on its way. */
	UNREAD_PART	= 16,
	BUCKET_BITS	= 12,
};

/* A block that is read ahead and has not arrived yet. */
struct flight {
	uint64_t block;
	bool wanted;		/* the reader waits for it */
	bool dropped;		/* it was written since, so its data may be old */
	struct fetch *fetch;
	struct flight *next;	/* in its bucket, unless dropped */
};

/* A request to the origin, as its owner knows it. The reader's own ones have no flights. */
struct fetch {
	struct disk_req req;
	bool wanted;		/* the reader waits for it */
	enum rxc_distance distance;
	bool beside[RXC_DISTANCES];	/* read-ahead was on its way when it was sent */
	uint64_t sent;
	unsigned int flights;
	struct flight flight[];
};

struct run {
	const struct ahead_setup *setup;
	const struct trace *trace;
	struct ahead_result *result;
	struct rxc_index *index;
	struct rxc_forecast *forecast;
	struct rxc_throttle throttle[RXC_DISTANCES];
	struct disk disk;
	uint64_t now;
	uint64_t asked;			/* the block behind the reader's last request */
	uint64_t flying[RXC_DISTANCES];	/* blocks on their way, also dropped ones */
	unsigned int wanted;		/* requests that the reader waits for */
	const struct trace_req *req;	/* the reader's */
	struct flight *bucket[1 << BUCKET_BITS];
};

static struct flight **flight_place(struct run *run, uint64_t block)
{
	struct flight **place = &run->bucket[block * 0x9e3779b97f4a7c15ULL >> (64 - BUCKET_BITS)];

	while (*place && (*place)->block != block)
		place = &(*place)->next;
	return place;
}

/* The reader's own request counts as cached, because it was sent just now. */
static bool is_cached(void *arg, u64 block)
{
	struct run *run = arg;

	return block - run->req->block < run->req->blocks ||
	       rxc_index_has(run->index, rxc_key(0, block)) || *flight_place(run, block);
}

static enum rxc_stored store(struct run *run, uint64_t block, enum rxc_store how)
{
	struct rxc_taken old;

	/* Every block has the same page. */
	return rxc_index_store(run->index, rxc_key(0, block), pfn_to_page(1), how, &old);
}

static struct fetch *fetch_new(uint64_t block, uint64_t blocks, unsigned int flights)
{
	struct fetch *fetch = calloc(1, struct_size(fetch, flight, flights));

	/* The throttles keep these to a few MiB. */
	if (!fetch)
		abort();
	fetch->req = (struct disk_req){
		.block = block, .blocks = blocks, .ahead = flights, .owner = fetch,
	};
	fetch->flights = flights;
	return fetch;
}

static void send_own(struct run *run, uint64_t block, uint64_t blocks)
{
	struct fetch *fetch = fetch_new(block, blocks, 0);
	enum rxc_distance distance;

	for (distance = 0; distance < RXC_DISTANCES; distance++)
		fetch->beside[distance] = run->flying[distance];
	fetch->sent = run->now;
	fetch->wanted = true;
	run->wanted++;
	run->asked = block + blocks;
	disk_send(&run->disk, &fetch->req);
}

static void send_ahead(struct run *run, uint64_t block, unsigned int blocks,
		       enum rxc_distance distance)
{
	struct fetch *fetch = fetch_new(block, blocks, blocks);
	unsigned int i;

	for (i = 0; i < blocks; i++) {
		fetch->flight[i] = (struct flight){ .block = block + i, .fetch = fetch };
		*flight_place(run, block + i) = &fetch->flight[i];
	}
	fetch->distance = distance;
	run->flying[distance] += blocks;
	run->result->issued += blocks;
	run->result->origin += blocks;
	rxc_throttle_sent(&run->throttle[distance], blocks, run->req->blocks);
	disk_send(&run->disk, &fetch->req);
}

/* Drops what is on its way of a block that is written, see rxcache/busy.h. */
static void flight_drop(struct run *run, uint64_t block)
{
	struct flight **place = flight_place(run, block), *flight = *place;

	if (!flight)
		return;
	*place = flight->next;
	flight->dropped = true;
	run->result->vain++;
}

static void flight_arrive(struct run *run, struct flight *flight)
{
	enum rxc_stored stored;

	if (flight->dropped)
		return;
	*flight_place(run, flight->block) = flight->next;
	stored = store(run, flight->block, flight->wanted ? RXC_STORE_READ : RXC_STORE_AHEAD);
	if (!flight->wanted && stored != RXC_STORED_INSERTED && stored != RXC_STORED_EVICTED)
		run->result->vain++;
}

/* Tells the throttles how long a read of the reader's own took. */
static void note(struct run *run, const struct fetch *fetch)
{
	bool alone = !fetch->beside[RXC_NEAR] && !fetch->beside[RXC_FAR];
	enum rxc_distance distance;

	for (distance = 0; distance < RXC_DISTANCES; distance++)
		if (alone || fetch->beside[distance])
			rxc_throttle_note(&run->throttle[distance],
					  fetch->req.done - fetch->sent, !alone);
}

static void arrive(struct run *run, struct disk_req *req)
{
	struct fetch *fetch = req->owner;
	uint64_t i;

	for (i = 0; i < fetch->flights; i++)
		flight_arrive(run, &fetch->flight[i]);
	run->flying[fetch->distance] -= fetch->flights;
	run->wanted -= fetch->wanted;
	if (!fetch->flights && !run->req->write) {
		note(run, fetch);
		for (i = 0; i < req->blocks; i++)
			store(run, req->block + i, RXC_STORE_READ);
	}
	free(fetch);
}

/* Lets the disk work until the reader has what it waits for. */
static void wait(struct run *run)
{
	while (run->wanted)
		arrive(run, disk_next(&run->disk, UINT64_MAX));
	run->now = run->disk.now;
}

/* The reader comes for a block that is not in the cache. Returns whether it is on its way. */
static bool flight_want(struct run *run, uint64_t block)
{
	struct flight *flight = *flight_place(run, block);

	if (!flight)
		return false;
	if (!flight->fetch->wanted) {
		disk_hurry(&run->disk, &flight->fetch->req);
		flight->fetch->wanted = true;
		run->wanted++;
	}
	flight->wanted = true;
	run->result->used++;
	run->result->late++;
	return true;
}

/*
 * Looks for the blocks of a read, and sends requests for those that are not there. Returns
 * the first block that no look-up found, because it was absent or unread; or that behind the
 * last one.
 */
static uint64_t look_up(struct run *run)
{
	uint64_t block = run->req->block, end = block + run->req->blocks, missed = end;
	uint64_t begin = end;
	bool there, known;

	for (; block < end; block++) {
		there = rxc_index_get(run->index, rxc_key(0, block));
		if (!there && missed == end)
			missed = block;
		if (!there && rxc_index_use(run->index, rxc_key(0, block), &known)) {
			run->result->used++;
			there = true;
		}
		run->result->hits += there;
		there = there || flight_want(run, block);
		if (!there) {
			run->result->origin++;
			begin = min(begin, block);
		} else if (begin < end) {
			send_own(run, begin, block - begin);
			begin = end;
		}
	}
	if (begin < end)
		send_own(run, begin, end - begin);
	return missed;
}

/* Reads a wish ahead, but not what is there or on its way. */
static void fetch_wish(struct run *run, const struct rxc_wish *wish)
{
	uint64_t block = wish->first, end = min(wish->last + 1, run->trace->span), begin;

	while (block < end) {
		while (block < end && is_cached(run, block))
			block++;
		begin = block;
		while (block < end && block - begin < REQ_BLOCKS && !is_cached(run, block))
			block++;
		if (begin == block)
			break;
		send_ahead(run, begin, block - begin, wish->distance);
	}
}

/* How many blocks may be read ahead now. Near and far have a half of what the cache allows. */
static uint64_t room(const struct run *run, enum rxc_distance distance)
{
	uint64_t bytes = rxc_throttle_room(&run->throttle[distance],
					   run->flying[distance] * TRACE_BLOCK);
	uint64_t taken = rxc_index_unread(run->index, 0) + run->flying[RXC_NEAR] +
			 run->flying[RXC_FAR];
	uint64_t most = run->result->capacity / UNREAD_PART;

	return min(bytes / TRACE_BLOCK, (taken < most ? most - taken : 0) / RXC_DISTANCES);
}

static void read_ahead(struct run *run, uint64_t missed)
{
	const struct rxc_reading reading = {
		.first = run->req->block,
		.missed = missed,
		.last = run->req->block + run->req->blocks - 1,
		.now = run->now,
		.latency = rxc_throttle_latency(&run->throttle[RXC_NEAR]),
		.room = { room(run, RXC_NEAR), room(run, RXC_FAR) },
		.asked = run->asked == run->req->block + run->req->blocks,
		.cached = is_cached,
		.arg = run,
	};
	struct rxc_wishes wishes;
	unsigned int i;

	rxc_forecast_read(run->forecast, &reading, &wishes);
	for (i = 0; i < wishes.nr; i++)
		fetch_wish(run, &wishes.wish[i]);
}

static void read_request(struct run *run)
{
	uint64_t began = run->now, missed;

	run->asked = 0;
	missed = look_up(run);
	run->result->requests++;
	run->result->reads += run->req->blocks;
	if (missed == run->req->block + run->req->blocks)
		return;
	if (run->setup->on)
		read_ahead(run, missed);
	if (!run->wanted)
		return;
	wait(run);
	run->result->waits++;
	run->result->waited += run->now - began;
}

static void write_request(struct run *run)
{
	const struct trace_req *req = run->req;
	uint64_t i, block;
	bool part;

	for (i = 0; i < req->blocks; i++)
		flight_drop(run, req->block + i);
	send_own(run, req->block, req->blocks);
	wait(run);
	for (i = 0; i < req->blocks; i++) {
		block = req->block + i;
		part = (!i && req->first_part) || (i + 1 == req->blocks && req->last_part);
		if (run->setup->mode == SIM_INVALIDATE)
			rxc_index_remove(run->index, rxc_key(0, block));
		else if (run->setup->mode == SIM_ALLOCATE && !part)
			store(run, block, RXC_STORE_WRITE);
	}
}

static void run_all(struct run *run)
{
	struct disk_req *done;
	size_t i;

	for (i = 0; i < run->trace->nr; i++) {
		run->req = &run->trace->req[i];
		while ((done = disk_next(&run->disk, run->now)))
			arrive(run, done);
		if (run->req->write)
			write_request(run);
		else
			read_request(run);
		run->now += run->setup->think;
	}
	run->result->time = run->now;
	while ((done = disk_next(&run->disk, UINT64_MAX)))
		arrive(run, done);
	run->result->vain += rxc_index_vain(run->index, 0) + rxc_index_unread(run->index, 0);
}

bool ahead_run(const struct trace *trace, const struct ahead_setup *setup,
	       struct ahead_result *result)
{
	struct run *run = calloc(1, sizeof(*run));
	bool good = false;

	if (!run)
		return false;
	run->setup = setup;
	run->trace = trace;
	run->result = result;
	run->forecast = malloc(rxc_forecast_bytes(setup->blocks));
	run->index = rxc_index_new(setup->blocks, setup->policy);
	good = run->forecast && !IS_ERR(run->index);
	if (good) {
		*result = (struct ahead_result){ .capacity = rxc_index_blocks(run->index) };
		rxc_forecast_init(run->forecast, setup->blocks);
		run->forecast->blocks = trace->span;
		rxc_throttle_init(&run->throttle[RXC_NEAR]);
		rxc_throttle_init(&run->throttle[RXC_FAR]);
		disk_init(&run->disk, &setup->disk);
		run_all(run);
	}
	if (!IS_ERR(run->index))
		sim_free(run->index);
	free(run->forecast);
	free(run);
	return good;
}
