// SPDX-License-Identifier: GPL-2.0-only
/*
 * scribble read|write DEVICE OFFSET SPAN LENGTH ROUNDS
 * scribble mix|mmap   DEVICE OFFSET SPAN LENGTH MILLISECONDS [SEED]
 *
 * ROUNDS reads or writes with O_DIRECT, of LENGTH bytes each, one after the other over SPAN bytes from OFFSET, while a
 * second thread does nothing but change the buffer. "mix": three threads read and write any piece of 512 to LENGTH bytes,
 * from and to buffers of their own that begin on any sector of a page, and the second thread changes all of them. "mmap":
 * the region is mapped, the second thread changes that, and the first writes back pieces of it. What arrives is anybody's
 * guess: whoever runs this compares the device with what is below it afterwards. Exit status 2: an I/O error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SECTOR = 512, PAGE = 4096, THREADS = 3 };

static volatile uint64_t *buf;
static size_t size, len;
static uint64_t off, span, seed = 1;
static int fd;
static atomic_int end, failed;

static void *scribbler(void *arg)
{
	for (uint64_t x = 1; !end; x++)
		for (size_t i = 0; i < size / 8; i += 8)
			buf[i] = x;
	return arg;
}

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void transfer(int writes, char *at, size_t n, uint64_t where)
{
	ssize_t done = writes ? pwrite(fd, at, n, where) : pread(fd, at, n, where);

	if (done != (ssize_t)n && !failed++)
		perror("scribble");
}

static void *mixer(void *arg)
{
	char *own = (char *)buf + (uintptr_t)arg * (len + PAGE);
	uint64_t x = seed * 7919 + (uintptr_t)arg + 1, at, n, kind;

	while (!end && !failed) {
		kind = next(&x) % 4;
		n = kind == 0 ? 1 : kind == 1 ? 8 : 1 + next(&x) % (len / SECTOR);
		at = next(&x) % (span / SECTOR - n + 1);
		if (kind == 1)
			at &= ~7ULL;
		transfer(next(&x) % 2, own + next(&x) % 8 * SECTOR, n * SECTOR, off + at * SECTOR);
	}
	return NULL;
}

static void *writeback(void *arg)
{
	uint64_t x = seed * 7919 + 1, at, n;

	while (!end && !failed) {
		n = 1 + next(&x) % (len / PAGE);
		at = next(&x) % (span / PAGE - n + 1);
		if (msync((char *)buf + at * PAGE, n * PAGE, MS_SYNC) && !failed++)
			perror("scribble");
	}
	return arg;
}

static void each_in_turn(int writes, int rounds)
{
	for (uint64_t at = 0; rounds && !failed; rounds--, at = (at + len) % span)
		transfer(writes, (char *)buf, len, off + at);
}

static void for_a_while(void *(*thread)(void *), uintptr_t n, int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };
	pthread_t t[THREADS];

	for (uintptr_t i = 0; i < n; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	nanosleep(&ts, NULL);
	end = 1;
	for (uintptr_t i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int writes = !!strcmp(what, "read"), mix = !strcmp(what, "mix"), map = !strcmp(what, "mmap"), count;
	pthread_t t;

	if (argc != 7 && argc != 8)
		return 3;
	off = strtoull(argv[3], NULL, 0);
	span = strtoull(argv[4], NULL, 0);
	len = strtoull(argv[5], NULL, 0);
	count = atoi(argv[6]);
	if (argc > 7)
		seed = strtoull(argv[7], NULL, 0);
	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | (map ? 0 : O_DIRECT));
	size = map ? span : mix ? THREADS * (len + PAGE) : len;
	buf = mmap(NULL, size, PROT_READ | PROT_WRITE, map ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, map ? fd : -1,
		   map ? off : 0);
	if (fd < 0 || buf == MAP_FAILED) {
		perror(argv[2]);
		return 2;
	}
	pthread_create(&t, NULL, scribbler, NULL);
	if (mix)
		for_a_while(mixer, THREADS, count);
	else if (map)
		for_a_while(writeback, 1, count);
	else
		each_in_turn(writes, count);
	end = 1;
	pthread_join(t, NULL);
	if (map && msync((char *)buf, size, MS_SYNC) && !failed++)
		perror("scribble");
	return failed ? 2 : 0;
}
