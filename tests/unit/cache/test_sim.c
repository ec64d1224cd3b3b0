// SPDX-License-Identifier: GPL-2.0-only
/* The reader of traces, and the hits of small traces. */
#define _GNU_SOURCE
#include <endian.h>
#include <unistd.h>

#include "rx_test.h"
#include "policies.h"
#include "sim.h"

static char dir[] = "/tmp/test_sim.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const void *bytes, size_t len)
{
	FILE *file = fopen(path_of(name), "w");

	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
		exit(1);
}

static uint64_t rxt(unsigned int device, uint64_t block, unsigned int blocks,
		    unsigned int flags)
{
	return htole64(block | (uint64_t)(blocks - 1) << 40 |
		       (uint64_t)flags << 52 | (uint64_t)device << 56);
}

static char why[256], command[300];

static bool get(struct trace *t, const char *path)
{
	return trace_read(t, path, UINT64_MAX, why, sizeof(why));
}

enum { READ, WRITE, FIRST_PART, LAST_PART = 4 };

static void test_rxt(void)
{
	const uint64_t words[] = {
		rxt(0, 7, 3, READ), rxt(2, 1, 1, WRITE | FIRST_PART),
		rxt(0, 8, 4096, WRITE | LAST_PART),
	};
	const uint64_t zero = htole64(1ULL << 55);
	struct trace t;

	write_file("a.rxt", words, sizeof(words));
	check(get(&t, path_of("a.rxt")) && t.nr == 3, "RXT is read");
	check(t.req[0].block == 7 && t.req[0].blocks == 3 && !t.req[0].write &&
	      t.req[2].blocks == 4096 && t.req[2].write && t.req[2].last_part &&
	      !t.req[2].first_part, "requests are what they were");
	check(t.req[1].block == 4104 + 1 && t.req[1].first_part,
	      "a device lies behind the one before");
	check(t.distinct == 4098 && t.span == 4106, "blocks are counted once");
	check(!t.time, "RXT has no times");
	trace_free(&t);
	snprintf(command, sizeof(command), "xz -k %s", path_of("a.rxt"));
	check(!system(command) && get(&t, path_of("a.rxt.xz")) &&
	      t.nr == 3 && t.distinct == 4098, "and from an archive of xz");
	trace_free(&t);
	write_file("b.rxt", words, sizeof(words) - 1);
	check(!get(&t, path_of("b.rxt")), "half a request is an error");
	check(!get(&t, path_of("none.rxt")), "so is no file");
	write_file("c.rxt.xz", words, sizeof(words));
	check(!get(&t, path_of("c.rxt.xz")), "so is no archive");
	check_str(why, "xz could not unpack it", "which is said");
	write_file("d.rxt", &zero, sizeof(zero));
	check(!get(&t, path_of("d.rxt")) && strstr(why, "bit 55"),
	      "what is no RXT is refused");
}

/* A trace that does not fit into memory is refused, so no process is killed for memory. */
static void test_memory(void)
{
	enum { ROOM = 8 << 20, FIT = 1 << 18 };
	static uint64_t words[2 * FIT];
	struct trace t;
	size_t i;

	for (i = 0; i < 2 * FIT; i++)
		words[i] = rxt(0, i, 1, READ);
	write_file("long.rxt", words, sizeof(words));
	check(get(&t, path_of("long.rxt")) && t.distinct == 2 * FIT,
	      "a long trace is read");
	trace_free(&t);
	check(!trace_read(&t, path_of("long.rxt"), ROOM, why, sizeof(why)) &&
	      strstr(why, "after 262144 requests"), "if there is memory");
	for (i = 0; i < 2 * FIT; i++)
		words[i] = rxt(0, i << 12, 4096, READ);
	write_file("wide.rxt", words, FIT / 4 * sizeof(*words));
	check(!trace_read(&t, path_of("wide.rxt"), ROOM, why, sizeof(why)) &&
	      strstr(why, "too long"), "also for the blocks that it touches");
	snprintf(command, sizeof(command), "xz -k %s", path_of("long.rxt"));
	check(!system(command) &&
	      !trace_read(&t, path_of("long.rxt.xz"), ROOM, why, sizeof(why)) &&
	      strstr(why, "too long"), "reading from xz ends early");
}

static void test_blkparse(void)
{
	static const char text[] =
	"  8,0    3        1     0.000000000   697  G   R 16 + 8 [kjournald]\n"
	"  8,0    3        2     0.000000100   697  Q   R 16 + 16 [kjournald]\n"
	"  8,0    3        3     0.000001000   697  Q  WS 20 + 8 [kjournald]\n"
	"  8,0    3        4     0.000001000     0  Q FWS 0 + 0 [swapper/0]\n"
	"  8,0    3        5     0.000002000   697  Q   D 0 + 800 [fstrim]\n"
	"  8,0    3        6     0.000002000   697  C   R 16 + 16 [0]\n"
	"  8,16   1        7     0.000003000  1234  Q  RA 8 + 1 [dd]\n"
	"CPU3 (sda):\n Reads Queued:           2,       12KiB\n";
	struct trace t;

	write_file("text", text, sizeof(text) - 1);
	check(get(&t, path_of("text")) && t.nr == 3,
	      "blkparse: requests that were queued, with data, but no discards");
	check(t.req[0].block == 2 && t.req[0].blocks == 2 && !t.req[0].write &&
	      !t.req[0].first_part && !t.req[0].last_part, "whole blocks");
	check(t.req[1].block == 2 && t.req[1].blocks == 2 && t.req[1].write &&
	      t.req[1].first_part && t.req[1].last_part, "parts at both ends");
	check(t.req[2].block == 4 + 1 && t.req[2].first_part,
	      "another device, a part of one block");
	check(t.time[0] == 100 && t.time[1] == 1000 && t.time[2] == 3000,
	      "times, in nanoseconds");
	trace_free(&t);
	write_file("text", "nothing\n", 8);
	check(!get(&t, path_of("text")), "no requests are an error");
}

/* Each letter is a read of a block. After "w" it is a write, after "W" a partial write. */
static struct trace trace_of(const char *text)
{
	static struct trace_req req[64];
	struct trace t = { .req = req };

	for (; *text; text++) {
		req[t.nr] = (struct trace_req) { .blocks = 1 };
		if (*text == 'w' || *text == 'W') {
			req[t.nr].write = true;
			req[t.nr].first_part = *text++ == 'W';
		}
		req[t.nr++].block = *text - 'a';
	}
	return t;
}

static uint64_t hits(const char *text, enum sim_mode mode, uint64_t blocks)
{
	struct trace t = trace_of(text);
	struct sim_result r;

	return sim_run(&t, &rxc_policy_fifo, mode, blocks, false, &r) ?
	       r.hits : ~0ULL;
}

static void test_modes(void)
{
	struct sim_result r;
	struct trace t;

	check(hits("abab", SIM_UPDATE, 64) == 2, "what was read is hit");
	check(hits("abcabc", SIM_UPDATE, 2) == 0 &&
	      hits("abcabc", SIM_UPDATE, 3) == 3, "as far as there is room");
	check(hits("wawbab", SIM_ALLOCATE, 64) == 2 &&
	      hits("wawbab", SIM_UPDATE, 64) == 0,
	      "written blocks are hit with allocate alone");
	check(hits("WaWbab", SIM_ALLOCATE, 64) == 0,
	      "not those that were written in part");
	check(hits("abwaWbab", SIM_UPDATE, 64) == 2 &&
	      hits("abwaWbab", SIM_ALLOCATE, 64) == 2 &&
	      hits("abwaWbab", SIM_INVALIDATE, 64) == 0,
	      "a write drops what is cached with invalidate alone");
	t = trace_of("abcabcd");
	check(sim_run(&t, &rxc_policy_fifo, SIM_UPDATE, 3, false, &r) &&
	      r.reads == 7 && r.hits == 3 && r.evicted == 1 && r.capacity == 3,
	      "reads, hits and evictions are counted");
	check(sim_run(&t, &rxc_policy_clock, SIM_UPDATE, 3, true, &r) &&
	      r.hits == 3 && r.stores == 3, "and hits that store");
}

/* An index of any number of blocks uses nearly all of them, and takes 16 bytes for each. */
static void test_capacity(void)
{
	struct trace t = trace_of("a");
	uint64_t blocks, base = 0;
	struct sim_result r;
	bool fits = true, small = true;

	for (blocks = 1; blocks < 5000; blocks++) {
		fits &= sim_run(&t, &rxc_policy_rx, SIM_UPDATE, blocks, false,
				&r) && r.capacity <= blocks &&
			r.capacity + (blocks < 64 ? 0 : 63) >= blocks &&
			r.capacity * 4 >= blocks * 3;
		if (blocks == 64)
			base = r.metadata - 64 * 16;
		small &= blocks < 64 || blocks % 64 ||
			 r.metadata <= base + blocks * 16;
	}
	check(fits, "an index has room for nearly what it was made for");
	check(small, "16 bytes of index for each block");
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_rxt();
	test_memory();
	test_blkparse();
	test_modes();
	test_capacity();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) ? 1 : done();
}
