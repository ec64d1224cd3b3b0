// SPDX-License-Identifier: GPL-2.0-only
/*
 * stamps DEVICE OFFSET SECTORS WRITERS READERS WRITES [SEED] [torn] [walk]
 *
 * Writers and readers with O_DIRECT on one small region. Each sector has one writer, which stamps it with rising numbers;
 * two neighbours share blocks, for the shares of the region are not aligned to them. A reader checks that what it sees
 *  - was written to that sector,
 *  - is no older than what was complete, or what any reader had got, when it began.
 * So a stale block is seen at once, and also one that comes back later. "torn" allows a mix of stamps within a sector,
 * which some origins give to a read that meets a write. With "walk" readers go through the region 4 KiB at a time, every
 * second one backwards, as what reads ahead expects. Every writer does WRITES writes, readers go on until they end.
 * Exit status 1: a wrong stamp, 2: an I/O error. The last line says how much was done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512, MAX_SECTORS = 4096, SHIFT = 40 };

static int fd, writers, readers, writes, torn_ok, walk;
static uint64_t first, sectors, seed = 1;
static _Atomic uint64_t begun[MAX_SECTORS], done[MAX_SECTORS], seen[MAX_SECTORS];
static atomic_int failed, running;
static atomic_long n_reads, n_writes, n_torn;

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void fail(int code, const char *what, uint64_t sector, uint64_t got, uint64_t want)
{
	if (!atomic_exchange(&failed, code))
		printf("stamps: sector %" PRIu64 ": %s: got %" PRIu64 ", at least %" PRIu64 " expected\n",
		       first + sector, what, got, want);
}

static void raise_to(_Atomic uint64_t *at, uint64_t value)
{
	uint64_t old = atomic_load(at);

	while (old < value && !atomic_compare_exchange_weak(at, &old, value))
		;
}

/* A random piece of [from, to): often one sector, often all of an aligned block, else anything. */
static void choose(uint64_t *x, uint64_t from, uint64_t to, uint64_t *at, uint64_t *len)
{
	uint64_t n = to - from, kind = next(x) % 4;

	*at = from + next(x) % n;
	*len = 1;
	if (kind == 1 && (*at & ~7ULL) >= from && (*at & ~7ULL) + 8 <= to) {
		*at &= ~7ULL;
		*len = 8;
	} else if (kind > 1) {
		*len = 1 + next(x) % (to - *at);
	}
}

static void *writer(void *arg)
{
	uint64_t me = (uintptr_t)arg, from = sectors * me / writers, to = sectors * (me + 1) / writers;
	uint64_t x = seed * 7919 + me + 1, at, len, stamp = 0;
	uint64_t *buf;

	if (posix_memalign((void **)&buf, 4096, (to - from) * SECTOR))
		return NULL;
	for (int i = 0; i < writes && !failed; i++) {
		choose(&x, from, to, &at, &len);
		stamp++;
		for (uint64_t s = 0; s < len; s++) {
			for (int w = 0; w < SECTOR / 8; w++)
				buf[s * SECTOR / 8 + w] = (at + s) << SHIFT | stamp;
			begun[at + s] = stamp;
		}
		if (pwrite(fd, buf, len * SECTOR, (first + at) * SECTOR) != (ssize_t)(len * SECTOR)) {
			perror("stamps: write");
			fail(2, "write failed", at, 0, 0);
			break;
		}
		for (uint64_t s = 0; s < len; s++)
			done[at + s] = stamp;
		n_writes++;
	}
	free(buf);
	running--;
	return NULL;
}

static void check(const uint64_t *data, uint64_t sector, uint64_t least)
{
	uint64_t stamp = data[0] & ((1ULL << SHIFT) - 1);

	for (int w = 1; w < SECTOR / 8; w++) {
		if (data[w] == data[0])
			continue;
		n_torn++;
		if (!torn_ok)
			fail(1, "two stamps in one sector", sector, stamp, data[w] & ((1ULL << SHIFT) - 1));
		return;
	}
	if (data[0] >> SHIFT != sector && stamp)
		fail(1, "another sector's stamp", sector, data[0] >> SHIFT, sector);
	else if (stamp < least)
		fail(1, "old data", sector, stamp, least);
	else if (stamp > begun[sector])
		fail(1, "a stamp that was never written", sector, stamp, begun[sector]);
	else
		raise_to(&seen[sector], stamp);
}

/* The step-th piece of a walk that begins anew at its end. */
static void go_on(uint64_t step, bool down, uint64_t *at, uint64_t *len)
{
	uint64_t pieces = sectors / 8, piece = step % pieces;

	*at = (down ? pieces - 1 - piece : piece) * 8;
	*len = 8;
}

static void *reader(void *arg)
{
	uint64_t me = (uintptr_t)arg, x = seed * 104729 + me + 1, step = x, at, len;
	uint64_t least[MAX_SECTORS];
	uint64_t *buf;

	if (posix_memalign((void **)&buf, 4096, sectors * SECTOR))
		return NULL;
	while (running && !failed) {
		if (walk)
			go_on(step++, me % 2, &at, &len);
		else
			choose(&x, 0, sectors, &at, &len);
		for (uint64_t s = 0; s < len; s++) {
			least[s] = done[at + s];
			if (seen[at + s] > least[s])
				least[s] = seen[at + s];
		}
		if (pread(fd, buf, len * SECTOR, (first + at) * SECTOR) != (ssize_t)(len * SECTOR)) {
			perror("stamps: read");
			fail(2, "read failed", at, 0, 0);
			break;
		}
		for (uint64_t s = 0; s < len; s++)
			check(buf + s * SECTOR / 8, at + s, least[s]);
		n_reads++;
	}
	free(buf);
	return NULL;
}

/* The region starts from stamp 0 everywhere. */
static int clear(void)
{
	void *buf;

	if (posix_memalign(&buf, 4096, sectors * SECTOR))
		return 0;
	memset(buf, 0, sectors * SECTOR);
	return pwrite(fd, buf, sectors * SECTOR, first * SECTOR) == (ssize_t)(sectors * SECTOR);
}

int main(int argc, char **argv)
{
	pthread_t t[128];
	int n = 0;

	if (argc < 7) {
		fprintf(stderr, "stamps: see the head of stamps.c\n");
		return 3;
	}
	first = strtoull(argv[2], NULL, 0) / SECTOR;
	sectors = strtoull(argv[3], NULL, 0);
	writers = atoi(argv[4]);
	readers = atoi(argv[5]);
	writes = atoi(argv[6]);
	for (int i = 7; i < argc; i++) {
		if (!strcmp(argv[i], "torn"))
			torn_ok = 1;
		else if (!strcmp(argv[i], "walk"))
			walk = 1;
		else
			seed = strtoull(argv[i], NULL, 0);
	}
	fd = open(argv[1], O_RDWR | O_DIRECT);
	if (fd < 0 || sectors > MAX_SECTORS || (walk && sectors < 8) || !clear()) {
		perror(argv[1]);
		return 2;
	}
	running = writers;
	for (int i = 0; i < writers; i++)
		pthread_create(&t[n++], NULL, writer, (void *)(uintptr_t)i);
	for (int i = 0; i < readers; i++)
		pthread_create(&t[n++], NULL, reader, (void *)(uintptr_t)i);
	while (n)
		pthread_join(t[--n], NULL);
	printf("stamps: %ld writes, %ld reads, %ld torn\n", n_writes, n_reads, n_torn);
	return failed;
}
