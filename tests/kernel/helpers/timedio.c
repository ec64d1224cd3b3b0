// SPDX-License-Identifier: GPL-2.0-only
/*
 * timedio read FILE BYTES BUFFER [direct]
 * timedio write FILE SPAN BUFFER COUNT SEED
 *
 * What a plain program does, and what it takes. "read" reads the first BYTES of
 * FILE from its start, BUFFER bytes with each read(), through the page cache or
 * past it. "write" writes COUNT buffers through the page cache to places below
 * SPAN that are multiples of BUFFER, none of them twice, in an order that SEED
 * chooses, and ends with fsync().
 *
 * Prints elapsed, user and system time in ms.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "number.h"

static void must(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "timedio: %s: %s\n", what, strerror(errno));
		exit(2);
	}
}

static void read_all(int fd, char *buf, uint64_t bytes, size_t size)
{
	uint64_t done = 0;
	ssize_t n;

	while (done < bytes) {
		n = read(fd, buf, size);
		must(n > 0, "read");
		done += n;
	}
}

/*
 * Among 2^n places "x = 5x + odd" meets each once; neighbours are kept apart by
 * the odd factor, for what lies side by side would be written together.
 */
static void write_all(int fd, char *buf, uint64_t span, size_t size, uint64_t count, uint64_t seed)
{
	uint64_t places = 1, x = seed, i, place;

	while (places * 2 * size <= span)
		places *= 2;
	for (i = 0; i < count; i++) {
		place = (x * 0x9e3779b1) & (places - 1);
		must(pwrite(fd, buf, size, place * size) == (ssize_t)size, "write");
		x = x * 5 + 2 * seed + 1;
	}
	must(!fsync(fd), "fsync");
}

static double ms_of(struct timeval t)
{
	return t.tv_sec * 1e3 + t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	int reads, direct, fd;
	struct timespec from, to;
	struct rusage used;
	size_t size;
	char *buf;

	reads = argc >= 5 && !strcmp(argv[1], "read");
	if (!reads && (argc != 7 || strcmp(argv[1], "write"))) {
		fprintf(stderr, "say: timedio read FILE BYTES BUFFER [direct] | write FILE SPAN BUFFER COUNT SEED\n");
		return 1;
	}
	direct = reads && argc == 6 ? O_DIRECT : 0;
	size = number(argv[4]);
	buf = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
	must(buf != NULL, "memory");
	memset(buf, 0x5a, size);
	fd = open(argv[2], (reads ? O_RDONLY : O_WRONLY) | direct);
	must(fd >= 0, argv[2]);
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (reads)
		read_all(fd, buf, number(argv[3]), size);
	else
		write_all(fd, buf, number(argv[3]), size, number(argv[5]), number(argv[6]));
	clock_gettime(CLOCK_MONOTONIC, &to);
	must(!getrusage(RUSAGE_SELF, &used), "getrusage");
	printf("%.2f %.2f %.2f\n", (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) / 1e6,
	       ms_of(used.ru_utime), ms_of(used.ru_stime));
	return 0;
}
