// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a trace through a cache with read-ahead. See ahead.h. A read does with the index, the
 * throttle and the forecast what the module does, in the same order.
 */
#include "ahead.h"
#include "blocks/index.h"
#include "forecast/forecast.h"
#include "forecast/throttle.h"
#include "kernel.h"

enum {
	/* The most blocks of a bio: 1 MiB. */
	BIO_BLOCKS	= 256,
	/* The most blocks of a request to the origin: 256 KiB. */
	REQ_BLOCKS	= 64,
	/* One block in UNREAD_PART of the cache may be unread or on its way. */
	UNREAD_PART	= 16,
	/* A stream is read ahead by at most 1/STREAM_PART of the cache. */
	STREAM_PART	= 64,
	BUCKET_BITS	= 12,
};

/* A block that is read ahead and has not arrived yet. */
struct flight {
	uint64_t block;
	bool wanted;		/* the reader waits for it */
	struct fetch *fetch;
	struct flight *next;	/* in its bucket */
};

/* A request to the origin, as its owner knows it. The reader's own ones have no flights. */
struct fetch {
	struct disk_req req;
	bool wanted;		/* the reader waits for it */
	bool raced;		/* some of it was written since, so its data may be old */
	bool past;		/* it goes past the cache, which gets none of it */
	unsigned int replaced;	/* blocks of the reads of the reader for which it reads ahead */
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
	bool asked;			/* its own request has the last block of the read */
	bool ahead;			/* it came for a block that was read ahead */
	uint64_t flying[RXC_DISTANCES];	/* blocks on their way, also raced ones */
	unsigned int wanted;		/* requests that the reader waits for */
	const struct trace_req *req;	/* the reader's, or a part of it that is one bio */
	struct flight *bucket[1 << BUCKET_BITS];
};

static struct flight **flight_place(struct run *run, uint64_t block)
{
	struct flight **place = &run->bucket[block * 0x9e3779b97f4a7c15ULL >> (64 - BUCKET_BITS)];

	while (*place && (*place)->block != block)
		place = &(*place)->next;
	return place;
}

static bool is_cached(void *arg, u64 block)
{
	struct run *run = arg;

	return rxc_index_has(run->index, rxc_key(0, block));
}

/* Also whether a block is on its way. */
static bool is_there(struct run *run, uint64_t block)
{
	return block - run->req->block < run->req->blocks || is_cached(run, block) ||
	       *flight_place(run, block);
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

static void send_own(struct run *run, uint64_t block, uint64_t blocks, bool past)
{
	struct fetch *fetch = fetch_new(block, blocks, 0);
	enum rxc_distance distance;

	for (distance = 0; distance < RXC_DISTANCES; distance++)
		fetch->beside[distance] = run->flying[distance];
	fetch->sent = run->now;
	fetch->past = past;
	fetch->wanted = true;
	run->wanted++;
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
	fetch->replaced = run->req->blocks;
	run->flying[distance] += blocks;
	run->result->issued += blocks;
	run->result->origin += blocks;
	disk_send(&run->disk, &fetch->req);
}

/* Ends a flight. Returns whether its block is in the cache now, and was not before. */
static bool flight_store(struct run *run, struct flight *flight)
{
	enum rxc_stored stored = RXC_STORED_NOT;

	*flight_place(run, flight->block) = flight->next;
	if (!flight->fetch->raced)
		stored = store(run, flight->block, RXC_STORE_AHEAD);
	return stored == RXC_STORED_INSERTED || stored == RXC_STORED_EVICTED;
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

/* Blocks are used when all are stored, as in rxcache/io/fill.c. */
static void arrive_ahead(struct run *run, struct fetch *fetch)
{
	struct flight *flight = fetch->flight, *end = flight + fetch->flights;
	bool known;

	for (; flight < end; flight++)
		if (!flight_store(run, flight) && !flight->wanted)
			run->result->vain++;
	for (flight = fetch->flight; flight < end; flight++)
		if (flight->wanted)
			rxc_index_use(run->index, rxc_key(0, flight->block), &known);
	run->flying[fetch->distance] -= fetch->flights;
	rxc_throttle_sent(&run->throttle[fetch->distance], fetch->flights, fetch->replaced);
}

static void arrive_own(struct run *run, struct fetch *fetch)
{
	uint64_t i;

	if (run->req->write)
		return;
	note(run, fetch);
	for (i = 0; i < fetch->req.blocks && !fetch->past; i++)
		store(run, fetch->req.block + i, RXC_STORE_READ);
}

static void arrive(struct run *run, struct disk_req *req)
{
	struct fetch *fetch = req->owner;

	if (fetch->flights)
		arrive_ahead(run, fetch);
	else
		arrive_own(run, fetch);
	run->wanted -= fetch->wanted;
	free(fetch);
}

/* Lets the disk work until the reader has what it waits for. */
static void wait(struct run *run)
{
	while (run->wanted)
		arrive(run, disk_next(&run->disk, UINT64_MAX));
	run->now = run->disk.now;
}

/* How a block gets to the reader. */
enum way { WAY_HIT, WAY_OWN, WAY_PAST, WAY_JOIN };

/* The reader comes for a block that is not in the cache. */
static enum way flight_want(struct run *run, uint64_t block)
{
	struct flight *flight = *flight_place(run, block);

	if (!flight)
		return WAY_OWN;
	if (flight->fetch->raced)
		return WAY_PAST;
	if (!flight->fetch->wanted) {
		disk_hurry(&run->disk, &flight->fetch->req);
		flight->fetch->wanted = true;
		run->wanted++;
	}
	flight->wanted = true;
	run->result->used++;
	run->result->late++;
	run->ahead = true;
	return WAY_JOIN;
}

/*
 * Looks for a block of a read. Sets *@missed if no look-up found it, because it was absent or
 * unread.
 */
static enum way find(struct run *run, uint64_t block, bool *missed)
{
	u64 key = rxc_key(0, block);
	bool known;

	*missed = !rxc_index_get(run->index, key);
	if (!*missed)
		return WAY_HIT;
	if (!rxc_index_use(run->index, key, &known))
		return flight_want(run, block);
	run->result->used++;
	run->ahead = true;
	return WAY_HIT;
}

/* Sends requests for the blocks from @begin to before @end, if they are to be sent. */
static void send_run(struct run *run, uint64_t begin, uint64_t end, enum way way)
{
	uint64_t most = way == WAY_OWN ? REQ_BLOCKS : BIO_BLOCKS;

	if (way != WAY_OWN && way != WAY_PAST)
		return;
	run->result->origin += end - begin;
	for (; begin < end; begin += most)
		send_own(run, begin, min(most, end - begin), way == WAY_PAST);
}

/*
 * Looks for the blocks of a read, and sends requests for those that are not there. Returns
 * the first block that no look-up found; or that behind the last one.
 */
static uint64_t look_up(struct run *run)
{
	uint64_t block = run->req->block, end = block + run->req->blocks, missed = end;
	uint64_t begin = block;
	enum way way = WAY_HIT, before;
	bool absent;

	for (; block < end; block++) {
		before = way;
		way = find(run, block, &absent);
		if (absent)
			missed = min(missed, block);
		run->result->hits += way == WAY_HIT;
		if (way != before) {
			send_run(run, begin, block, before);
			begin = block;
		}
	}
	send_run(run, begin, end, way);
	run->asked = (way == WAY_OWN || way == WAY_PAST) && !run->ahead;
	return missed;
}

/* Reads a wish ahead, but not what is there or on its way. */
static void fetch_wish(struct run *run, const struct rxc_wish *wish)
{
	uint64_t block = wish->first, end = min(wish->last + 1, run->trace->span), begin;

	while (block < end) {
		while (block < end && is_there(run, block))
			block++;
		begin = block;
		while (block < end && block - begin < REQ_BLOCKS && !is_there(run, block))
			block++;
		if (begin == block)
			break;
		send_ahead(run, begin, block - begin, wish->distance);
	}
}

/* How many blocks may be unread or on their way: see rxcache/io/ahead.c. */
static uint64_t most_unread(const struct run *run)
{
	uint64_t all = run->result->capacity, used = rxc_index_used(run->index);

	return all / UNREAD_PART + (all > used ? all - used : 0) / 2;
}

/* How many blocks may be read ahead now. Near and far have a half of what the cache allows. */
static uint64_t room(const struct run *run, enum rxc_distance distance)
{
	uint64_t bytes = rxc_throttle_room(&run->throttle[distance],
					   run->flying[distance] * TRACE_BLOCK);
	uint64_t taken = rxc_index_unread(run->index, 0) + run->flying[RXC_NEAR] +
			 run->flying[RXC_FAR];
	uint64_t most = most_unread(run);

	return min(bytes / TRACE_BLOCK, taken < most ? (most - taken + 1) / RXC_DISTANCES : 0);
}

static void read_ahead(struct run *run, uint64_t missed)
{
	const struct rxc_reading reading = {
		.first = run->req->block,
		.missed = missed,
		.last = run->req->block + run->req->blocks - 1,
		.now = run->now,
		.latency = max(rxc_throttle_latency(&run->throttle[RXC_NEAR]),
			       rxc_throttle_latency(&run->throttle[RXC_FAR])),
		.room = { room(run, RXC_NEAR), room(run, RXC_FAR) },
		.issued = run->result->issued,
		.used = run->result->used,
		.asked = run->asked,
		.cached = is_cached,
		.arg = run,
	};
	struct rxc_wishes wishes;
	unsigned int i;

	rxc_forecast_read(run->forecast, &reading, &wishes);
	for (i = 0; i < wishes.nr; i++)
		fetch_wish(run, &wishes.wish[i]);
}

/* A bio of a read request. */
static void read_bio(struct run *run)
{
	uint64_t missed;

	run->ahead = false;
	missed = look_up(run);
	if (run->setup->on && missed < run->req->block + run->req->blocks)
		read_ahead(run, missed);
}

static void read_request(struct run *run)
{
	const struct trace_req *req = run->req;
	struct trace_req bio = *req;
	uint64_t began = run->now, left;

	run->req = &bio;
	for (left = req->blocks; left; left -= bio.blocks, bio.block += bio.blocks) {
		bio.blocks = min(left, BIO_BLOCKS);
		read_bio(run);
	}
	run->req = req;
	run->result->requests++;
	run->result->reads += req->blocks;
	if (!run->wanted)
		return;
	wait(run);
	run->result->waits++;
	run->result->waited += run->now - began;
}

static void write_request(struct run *run)
{
	const struct trace_req *req = run->req;
	struct flight *flight;
	uint64_t i, block;
	bool part;

	/* See rxcache/blocks/busy.h. */
	for (i = 0; i < req->blocks; i++) {
		flight = *flight_place(run, req->block + i);
		if (flight)
			flight->fetch->raced = true;
	}
	send_own(run, req->block, req->blocks, false);
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
		run->forecast->most = max(1ULL, min(result->capacity / STREAM_PART,
						    run->forecast->most));
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
