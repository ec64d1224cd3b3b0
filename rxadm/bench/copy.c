// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how fast one processor copies blocks from memory, in the order of a job. A RAM
 * disk has to copy each of its bytes, so it can't be faster.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/wait.h"
#include "bench/bench.h"
#include "bench/copy.h"

#define SLICES		10	/* the fastest counts, because nothing makes a copy too fast */
#define SLICE_NS	20000000
#define SOURCE_MAX	(64ULL << 20)	/* this much does not stay in most caches of a processor */
#define MIB1		(1 << 20)
#define CLOCK_EVERY	64		/* copies between two looks at the clock */

static uint64_t next_random(uint64_t *state)
{
	/* Marsaglia's xorshift64. */
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Copies blocks of the SIZE bytes at FROM to behind them. Returns bytes per second. */
static double copy_slice(const struct rx_job *job, char *from, uint64_t size)
{
	bool random = !strncmp(job->rw, "rand", 4);
	static uint64_t state = 88172645463325252ULL;
	uint64_t n = size / job->block, at, i = 0;
	int64_t start = now_ns(), ns;

	do {
		at = (random ? next_random(&state) : i) % n;
		memcpy(from + size + i % job->depth * job->block, from + at * job->block,
		       job->block);
		/* The compiler must not leave out a copy that nobody reads. */
		__asm__ volatile("" : : "r" (from) : "memory");
		i++;
		ns = i % CLOCK_EVERY && job->block < MIB1 ? 0 : now_ns() - start;
	} while (ns < SLICE_NS);
	return i * job->block * 1e9 / ns;
}

/* Returns bytes per second, or -1 if there is no memory to spare. SIZE is that of the job. */
double copy_rate(const struct rx_job *job, uint64_t size)
{
	uint64_t source = size < SOURCE_MAX ? size : SOURCE_MAX, i;
	uint64_t to = job->block * job->depth;
	double rate, best = 0;
	char *from;

	from = mmap(NULL, source + to, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (from == MAP_FAILED)
		return -1;
	/* Pages that were never written would all be the same page of zeroes. */
	memset(from, 1, source + to);
	for (i = 0; i < SLICES; i++) {
		rate = copy_slice(job, from, source);
		if (rate > best)
			best = rate;
	}
	munmap(from, source + to);
	return best;
}
