// SPDX-License-Identifier: GPL-2.0-only
/*
 * pattern write|verify DEVICE OFFSET LENGTH SEED [BLOCK]
 * pattern zeroes       DEVICE OFFSET LENGTH      [BLOCK]
 *
 * Writes or checks, with O_DIRECT, sectors that say who they are: every eight
 * bytes are a function of the seed, the sector's number and the place in it, so
 * that a sector of another place or of another time is told from the right one.
 * If the environment has BUFFERED, it is all without O_DIRECT.
 * Numbers take K, M, G, T. BLOCK is the size of one I/O (default 1M).
 * Exit status 1: a difference (the first one is printed), 2: an I/O error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

static uint64_t number(const char *s)
{
	char *end;
	uint64_t n = strtoull(s, &end, 0);

	switch (*end) {
	case 'T':
		n <<= 10;
		/* fall through */
	case 'G':
		n <<= 10;
		/* fall through */
	case 'M':
		n <<= 10;
		/* fall through */
	case 'K':
		n <<= 10;
		end++;
	}
	if (*end || end == s) {
		fprintf(stderr, "pattern: '%s' is no number\n", s);
		exit(3);
	}
	return n;
}

static uint64_t word(uint64_t seed, uint64_t sector, unsigned int i)
{
	uint64_t x = seed * 0x9e3779b97f4a7c15ull ^ sector * 0xff51afd7ed558ccdull;

	return (x ^ x >> 29) + i * 0xc4ceb9fe1a85ec53ull;
}

static void fill(uint64_t *buf, uint64_t seed, uint64_t off, size_t len)
{
	for (size_t s = 0; s < len / SECTOR; s++)
		for (unsigned int i = 0; i < SECTOR / 8; i++)
			*buf++ = word(seed, off / SECTOR + s, i);
}

static int differs(const unsigned char *got, const unsigned char *want,
		   uint64_t off, size_t len)
{
	if (!memcmp(got, want, len))
		return 0;
	for (size_t s = 0; s < len; s += SECTOR) {
		if (!memcmp(got + s, want + s, SECTOR))
			continue;
		printf("pattern: byte %" PRIu64 " (sector %" PRIu64 ") differs:", off + s,
		       (off + s) / SECTOR);
		for (int i = 0; i < 16; i++)
			printf(" %02x", got[s + i]);
		printf(" instead of");
		for (int i = 0; i < 16; i++)
			printf(" %02x", want[s + i]);
		printf("\n");
		break;
	}
	return 1;
}

int main(int argc, char **argv)
{
	int zeroes = argc > 1 && !strcmp(argv[1], "zeroes");
	int writes = argc > 1 && !strcmp(argv[1], "write");
	int fixed = zeroes ? 5 : 6;
	uint64_t off, len, seed, block;
	void *buf, *want;
	int fd;

	if (argc < fixed || argc > fixed + 1 ||
	    (!zeroes && !writes && strcmp(argv[1], "verify"))) {
		fprintf(stderr, "pattern write|verify DEVICE OFFSET LENGTH SEED [BLOCK]\n"
				"pattern zeroes DEVICE OFFSET LENGTH [BLOCK]\n");
		return 3;
	}
	off = number(argv[3]);
	len = number(argv[4]);
	seed = zeroes ? 0 : number(argv[5]);
	block = argc > fixed ? number(argv[fixed]) : 1 << 20;
	if (posix_memalign(&buf, 4096, block) || posix_memalign(&want, 4096, block))
		return 3;

	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | (getenv("BUFFERED") ? 0 : O_DIRECT));
	/* A file on tmpfs, before Linux 6.6; devices always know it. */
	if (fd < 0 && errno == EINVAL)
		fd = open(argv[2], writes ? O_RDWR : O_RDONLY);
	if (fd < 0) {
		fprintf(stderr, "pattern: %s: %s\n", argv[2], strerror(errno));
		return 2;
	}
	for (; len; ) {
		size_t n = len < block ? len : block;
		ssize_t done;

		if (zeroes)
			memset(want, 0, n);
		else
			fill(want, seed, off, n);
		if (writes)
			done = pwrite(fd, want, n, off);
		else
			done = pread(fd, buf, n, off);
		if (done != (ssize_t)n) {
			fprintf(stderr, "pattern: %s at %" PRIu64 ": %s\n", argv[1], off,
				done < 0 ? strerror(errno) : "short");
			return 2;
		}
		if (!writes && differs(buf, want, off, n))
			return 1;
		off += n;
		len -= n;
	}
	return 0;
}
