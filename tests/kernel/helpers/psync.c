// SPDX-License-Identifier: GPL-2.0-only
/*
 * psync [buffered-]read|write PATH SIZE COUNT SPAN OFFSET LAPS [MONITOR IOS]
 *
 * Makes COUNT direct reads or writes of SIZE bytes, one after the other, in each
 * of LAPS laps, and prints what one took in each lap, in hundredths of a
 * nanosecond, one number a line. The places are blocks of SIZE in SPAN bytes
 * from OFFSET on, each of them once before any of them again: in order if
 * SIZE is 1M or more, else scattered. Laps follow each other in these places, too.
 * SPAN / SIZE is a power of two.
 *
 * Buffered reads and writes go through the page cache, which reads nothing ahead;
 * a write ends when the device has the bytes. Half of what is written compresses.
 *
 * In a machine whose clock counts instructions, a lap of a thousand I/Os says
 * what one costs to the instruction; fio rounds a run to milliseconds.
 *
 * MONITOR is a character device behind which qemu's monitor listens: after the
 * laps, IOS more are made while qemu logs what the processor executes.
 * Exit status 2: an I/O error, 3: an argument is wrong.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "number.h"

enum { LAPS_MAX = 64 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* An odd factor makes a permutation of any power of two. */
static uint64_t place(uint64_t i, uint64_t size, uint64_t blocks)
{
	return (size < 1 << 20 ? i * 0x9e3779b1 : i) & (blocks - 1);
}

/* Reads up to the monitor's next prompt. */
static void prompt(int fd)
{
	static const char wanted[] = "(qemu) ";
	size_t seen = 0;
	char c;

	while (seen < sizeof(wanted) - 1) {
		if (read(fd, &c, 1) != 1)
			err(2, "no prompt of the monitor");
		seen = c == wanted[seen] ? seen + 1 : c == wanted[0];
	}
}

static void command(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(2, "can't write to the monitor");
	prompt(fd);
}

/* What is done, and where it goes on. */
struct run {
	const char *path;
	char *buf;
	uint64_t size;
	uint64_t blocks;
	uint64_t offset;
	uint64_t at;
	bool buffered;
	bool write;
	int fd;
};

static void lap(struct run *r, uint64_t count)
{
	uint64_t off;
	ssize_t n;

	while (count--) {
		off = r->offset + place(r->at++, r->size, r->blocks) * r->size;
		n = r->write ? pwrite(r->fd, r->buf, r->size, off) :
			       pread(r->fd, r->buf, r->size, off);
		if (n != (ssize_t)r->size)
			err(2, "%s: %zd of %" PRIu64 " bytes at %" PRIu64,
			    r->path, n, r->size, off);
	}
}

static void lap_logged(struct run *r, const char *monitor, uint64_t count)
{
	int fd = open(monitor, O_RDWR);

	if (fd < 0)
		err(2, "%s", monitor);
	prompt(fd);
	command(fd, "log in_asm,exec,nochain\n");
	lap(r, count);
	command(fd, "log none\n");
	close(fd);
}

/* Single pages as most programs have them, all there before the first I/O. */
static char *buffer(uint64_t size)
{
	uint32_t seed = 1;
	uint64_t i;
	char *buf = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (buf == MAP_FAILED)
		err(2, "mmap");
	madvise(buf, size, MADV_NOHUGEPAGE);
	memset(buf, 0x5a, size);
	for (i = 0; i < size; i++)
		if (i % 4096 < 2048)
			buf[i] = (seed = seed * 1103515245 + 12345) >> 24;
	return buf;
}

int main(int argc, char **argv)
{
	uint64_t count, span, laps, i, begun, took[LAPS_MAX];
	struct run r = {};

	if (argc != 8 && argc != 10)
		errx(3, "psync [buffered-]read|write PATH SIZE COUNT SPAN OFFSET LAPS [MONITOR IOS]");
	r.buffered = !strncmp(argv[1], "buffered-", 9);
	r.write = !strcmp(argv[1] + 9 * r.buffered, "write");
	r.path = argv[2];
	r.size = number(argv[3]);
	count = number(argv[4]);
	span = number(argv[5]);
	r.offset = number(argv[6]);
	laps = number(argv[7]);
	if (!r.size || r.size > span || span % r.size ||
	    span / r.size & (span / r.size - 1))
		errx(3, "SPAN / SIZE must be a power of two");
	if (!count || !laps || laps > LAPS_MAX)
		errx(3, "COUNT is a number from 1, LAPS one from 1 to %d", LAPS_MAX);
	r.blocks = span / r.size;
	r.fd = open(r.path, (r.write ? O_WRONLY : O_RDONLY) | (r.buffered ? O_DSYNC : O_DIRECT));
	if (r.fd < 0)
		err(2, "%s", r.path);
	posix_fadvise(r.fd, 0, 0, POSIX_FADV_RANDOM);
	r.buf = buffer(r.size);
	for (i = 0; i < laps; i++) {
		begun = now();
		lap(&r, count);
		took[i] = (now() - begun) * 100 / count;
	}
	if (argc == 10)
		lap_logged(&r, argv[8], number(argv[9]));
	for (i = 0; i < laps; i++)
		printf("%" PRIu64 "\n", took[i]);
	return 0;
}
