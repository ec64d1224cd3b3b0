// SPDX-License-Identifier: GPL-2.0-only
/* The disks of rxstudy, and read-ahead with loads whose outcome is known. */
#include <stdint.h>

#include "rx_test.h"
#include "ahead.h"

enum { THINK = 10000, ROUNDS = 20000, CACHE = 16384 };

/* Transfers of one block. */
enum { SEEK_BLOCK = 26041, NET_BLOCK = 32768, SSD_BLOCK = 2048 };

static struct disk disk;
static struct disk_req reqs[40];

static void begin_disk(const char *name)
{
	struct disk_model model;

	check(disk_parse(&model, name, THINK), "%s is a disk", name);
	disk_init(&disk, &model);
	memset(reqs, 0, sizeof(reqs));
}

static void send(unsigned int nr, uint64_t block, bool ahead)
{
	reqs[nr].block = block;
	reqs[nr].blocks = 1;
	reqs[nr].ahead = ahead;
	disk_send(&disk, &reqs[nr]);
}

/* Whether @nr is the next request that ends, @at ns. */
static bool ends(unsigned int nr, uint64_t at)
{
	struct disk_req *req = disk_next(&disk, UINT64_MAX);

	if (req == &reqs[nr] && req->done == at && disk.now == at)
		return true;
	printf("# request %td at %llu ns\n", req ? req - reqs : -1,
	       (unsigned long long)disk.now);
	return false;
}

static void test_seek(void)
{
	const uint64_t far = 8000000 + SEEK_BLOCK;

	begin_disk("seek");
	send(0, 100, false);
	send(1, 101, false);
	send(2, 103, false);
	send(3, 0, true);
	check(!disk_next(&disk, far - 1) && disk.now == far - 1, "8 ms are not over before");
	check(ends(0, far), "a block takes 8 ms and its transfer");
	check(ends(1, far + SEEK_BLOCK), "where the last one ended, the transfer alone");
	check(ends(2, 2 * far + SEEK_BLOCK), "but not where a block is left out");
	check(!disk_next(&disk, disk.now + 1), "read-ahead begins");
	send(4, 104, false);
	send(5, 200, true);
	send(6, 300, true);
	check(ends(3, 3 * far + SEEK_BLOCK), "and is not interrupted");
	send(7, 400, false);
	disk_hurry(&disk, &reqs[6]);
	check(ends(4, 4 * far + SEEK_BLOCK) && ends(7, 5 * far + SEEK_BLOCK),
	      "the reader's own requests are next, in order");
	check(ends(5, 6 * far + SEEK_BLOCK), "then read-ahead");
	check(ends(6, 7 * far + SEEK_BLOCK) && !disk_next(&disk, UINT64_MAX),
	      "in order, although the reader waits for the last one");
}

static void test_net(void)
{
	const uint64_t first = 500000 + NET_BLOCK;

	begin_disk("net");
	send(0, 5, true);
	send(1, 6, true);
	check(!disk_next(&disk, 499999), "0.5 ms are not over");
	send(2, 7, false);
	check(ends(0, first) && ends(1, first + NET_BLOCK),
	      "latencies pass at the same time, transfers do not");
	check(ends(2, 999999 + NET_BLOCK), "later requests have a later end");
	send(3, 8, true);
	send(4, 9, true);
	send(5, 10, true);
	send(6, 11, false);
	disk_hurry(&disk, &reqs[5]);
	check(ends(6, 999999 + NET_BLOCK + first) &&
	      ends(3, 999999 + NET_BLOCK + first + NET_BLOCK) &&
	      ends(4, 999999 + NET_BLOCK + first + 2 * NET_BLOCK),
	      "the reader's own requests are transferred first");
}

static void test_ssd(void)
{
	unsigned int i;
	bool good = true;

	begin_disk("ssd");
	for (i = 0; i < 33; i++)
		send(i, 10 * i, false);
	for (i = 0; i < 32; i++)
		good &= ends(i, 80000 + (i + 1) * SSD_BLOCK);
	check(good, "32 requests at a time");
	check(ends(32, 2 * 80000 + 2 * SSD_BLOCK), "one more begins when the first one ends");
}

static void test_count(void)
{
	struct disk_model model;

	begin_disk("3");
	send(0, 0, true);
	send(1, 1, true);
	send(2, 2, false);
	check(ends(2, 0), "the reader's own requests take no time");
	check(!disk_next(&disk, 3 * THINK - 1), "read-ahead takes three requests' time");
	disk_hurry(&disk, &reqs[1]);
	check(ends(1, 3 * THINK - 1), "unless it is waited for");
	check(ends(0, 3 * THINK), "and no more");
	check(!disk_parse(&model, "0", 1) && !disk_parse(&model, "-1", 1) &&
	      !disk_parse(&model, "1x", 1) && !disk_parse(&model, "", 1) &&
	      !disk_parse(&model, "tape", 1), "what is no disk is refused");
}

static struct trace_req req[2 * ROUNDS];
static struct trace trace = { .req = req };

static void begin_trace(void)
{
	trace.nr = 0;
	trace.span = 1 << 20;
}

static void add(uint64_t block, bool write)
{
	req[trace.nr++] = (struct trace_req){ .block = block, .blocks = 1, .write = write };
}

/* Runs the trace without and with read-ahead. */
static struct ahead_result off, on;

static bool run(const char *name, enum sim_mode mode)
{
	struct ahead_setup setup = {
		.policy = &rxc_policy_rx, .mode = mode, .blocks = CACHE, .think = THINK,
	};
	bool good = disk_parse(&setup.disk, name, THINK) && ahead_run(&trace, &setup, &off);

	setup.on = true;
	good = good && ahead_run(&trace, &setup, &on) && on.issued == on.used + on.vain &&
	       on.late <= on.used && on.reads == off.reads && on.requests == off.requests &&
	       !off.issued;
	if (!good)
		printf("# the counts are no sums\n");
	return good;
}

/* Whether all disks wait less: at most one time in @part, and never for longer. */
static bool waits_less(const char *what, unsigned int part)
{
	bool good = true, here;
	unsigned int i;

	for (i = 0; disk_names[i]; i++) {
		here = run(disk_names[i], SIM_UPDATE) && on.waits * part <= off.waits &&
		       on.waited <= off.waited && on.vain * 50 <= on.issued;
		if (!here)
			printf("# %s, %s: waits %llu -> %llu, ns %llu -> %llu, vain %llu of %llu\n",
			       what, disk_names[i], (unsigned long long)off.waits,
			       (unsigned long long)on.waits, (unsigned long long)off.waited,
			       (unsigned long long)on.waited, (unsigned long long)on.vain,
			       (unsigned long long)on.issued);
		good &= here;
	}
	return good;
}

static void test_streams(void)
{
	unsigned int i, stream;

	begin_trace();
	for (i = 0; i < ROUNDS; i++)
		add(i, false);
	check(waits_less("up", 5), "a sequential reader seldom waits");
	check(off.waits == ROUNDS && off.origin == ROUNDS && !off.hits, "which it did before");
	begin_trace();
	for (i = 0; i < ROUNDS / 8; i++)
		for (stream = 0; stream < 8; stream++)
			add(stream * 100003 + i, false);
	check(waits_less("eight", 5), "nor do eight of them");
	begin_trace();
	for (i = 0; i < ROUNDS; i++)
		add(ROUNDS - i, false);
	check(waits_less("down", 5), "nor does one that goes down");
}

static uint64_t random64(void)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dULL >> 20;
}

static void test_random(void)
{
	unsigned int i;

	begin_trace();
	for (i = 0; i < 2 * ROUNDS; i++)
		add(random64() % 100000, false);
	for (i = 0; disk_names[i]; i++) {
		check(run(disk_names[i], SIM_UPDATE) && on.vain * 100 <= off.origin &&
		      on.waits <= off.waits && on.waited * 100 <= off.waited * 101,
		      "random reads: hardly anything is read in vain (%s)", disk_names[i]);
	}
}

/* Returns whether the bounds of budget.h hold for this load on each disk. */
static bool bounded(const char *what)
{
	bool good = true, here;
	unsigned int i;

	for (i = 0; disk_names[i]; i++) {
		here = run(disk_names[i], SIM_UPDATE) &&
		       on.vain <= (on.origin - on.vain) / 12 + CACHE / 16 + 1 &&
		       on.vain <= on.used * 2 / 5 + on.origin / 240 + CACHE / 16 + 1;
		if (!here)
			printf("# %s, %s: %llu in vain of %llu, %llu reads\n", what, disk_names[i],
			       (unsigned long long)on.vain, (unsigned long long)on.issued,
			       (unsigned long long)off.origin);
		good &= here;
	}
	return good;
}

static void add_run(uint64_t block, unsigned int blocks)
{
	while (blocks-- && trace.nr < 2 * ROUNDS)
		add(block++, false);
}

static void test_adversary(void)
{
	static const unsigned int bursts[] = { 5, 9, 17, 33 };
	char what[32];
	unsigned int i;

	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		snprintf(what, sizeof(what), "bursts of %u", bursts[i]);
		begin_trace();
		add_run(0, 2000);
		while (trace.nr < 2 * ROUNDS)
			add_run(random64() % 1000000, bursts[i]);
		check(bounded(what), "%s are not read ahead in vain", what);
	}
	begin_trace();
	while (trace.nr < 2 * ROUNDS)
		add_run(random64() % 1000000, 8 + random64() % 25);
	check(bounded("runs"), "nor are runs of 8 to 32");
	/* Half of what was read in a region last time is read again. */
	begin_trace();
	while (trace.nr < 2 * ROUNDS)
		if (random64() % 2)
			add(random64() % 2000 * 64 + random64() % 4 * 16 + random64() % 8, false);
		else
			add_run(random64() % 2000 * 64, 2 + random64() % 62);
	check(bounded("regions"), "nor are regions that are read in part");
}

/* Every other read is of a block of 2048. The others are a scan. */
static void test_scan(void)
{
	enum { HOT = 2048 };
	unsigned int i;

	begin_trace();
	for (i = 0; i < ROUNDS; i++) {
		add(500000 + random64() % HOT * 7, false);
		add(i, false);
	}
	for (i = 0; disk_names[i]; i++) {
		check(run(disk_names[i], SIM_UPDATE) && off.hits > ROUNDS / 2 &&
		      on.hits - (on.used - on.late) >= off.hits,
		      "a scan that is read ahead takes nothing from hot blocks (%s)",
		      disk_names[i]);
		check(on.waits < off.waits - ROUNDS / 2, "and waits less");
	}
}

/*
 * A stream. Then a block is written that is on its way in a request behind the one that the
 * reader came for last. Then it is read, @late or when all has arrived.
 */
static struct ahead_result written(bool write, bool late, enum sim_mode mode)
{
	enum { BEGUN = 500, WRITTEN = BEGUN + 15 };
	unsigned int i;

	begin_trace();
	for (i = 0; i < BEGUN; i++)
		add(i, false);
	if (write)
		add(WRITTEN, true);
	for (i = 0; i < 1000 && !late; i++)
		add(BEGUN - 1, false);
	add(WRITTEN, false);
	add(WRITTEN, false);
	check(run("900", mode), "a stream and a block of it");
	return on;
}

static void test_write(void)
{
	struct ahead_result none, some;

	none = written(false, true, SIM_UPDATE);
	some = written(true, true, SIM_UPDATE);
	check(some.vain == none.vain + 1 && some.used == none.used - 1 &&
	      some.late == none.late - 1, "a write drops what is on its way of its block");
	check(some.waits == none.waits + 1 && some.origin == none.origin + 2 &&
	      some.hits == none.hits - 1, "which is then read past the cache, each time");
	none = written(false, false, SIM_UPDATE);
	some = written(true, false, SIM_UPDATE);
	check(some.vain > none.vain && some.hits == none.hits - 1 &&
	      some.waits == none.waits + 1, "what has arrived is not kept, and is read again");
	some = written(true, false, SIM_INVALIDATE);
	check(some.hits == none.hits - 1 && some.waits == none.waits + 1,
	      "whatever the effect of a write");
	some = written(true, false, SIM_ALLOCATE);
	check(some.hits == none.hits && some.waits == none.waits,
	      "unless the cache holds what was written");
}

int main(void)
{
	test_seek();
	test_net();
	test_ssd();
	test_count();
	test_streams();
	test_random();
	test_scan();
	test_write();
	test_adversary();
	return done();
}
