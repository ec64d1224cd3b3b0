// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxio fill DEVICE OFFSET LENGTH BYTE [nowait] [skew=N] [scattered]
 * rxio is   DEVICE OFFSET LENGTH BYTE [skew=N]
 * rxio discard|zeroout|punch|zerorange DEVICE OFFSET LENGTH
 * rxio comb DEVICE OFFSET LENGTH
 * rxio churn DEVICE LENGTH SECONDS [zeroes]
 * rxio weave DEVICE LENGTH [PIECE]
 * rxio soil BYTES
 * rxio edge DEVICE SIZE
 *
 * One I/O with O_DIRECT. "fill" writes LENGTH times BYTE, in one call; "is"
 * says whether all bytes are BYTE and prints the first that is not. BYTE may be
 * "place": each byte is then a function of where it is on the device. "nowait"
 * is RWF_NOWAIT; with "skew" the buffer begins N bytes after a page's start; with
 * "scattered" pages that follow each other in it hardly do so in memory.
 * "punch" and "zerorange" are fallocate()'s. "comb" discards every second page.
 *
 * "churn" writes stamps, discards and reads the first LENGTH bytes from five
 * threads and fails if a read finds a word that is neither its place's stamp
 * nor zero; with "zeroes" it writes these instead of discards. "weave" lets eight threads write, side by side, each every eighth
 * PIECE (default 512: its own sector of every page), and fails if one is not
 * there at the end. "soil" fills memory with 0xa5 until BYTES are taken and ends.
 * "edge" watches the device grow up to SIZE. Each time it writes 4 KiB behind the
 * first 4 KiB of the new room, discards these, writes 4 KiB at the front of a page
 * there and zeroes the first sector of them, both by request and by writing zeroes.
 * It fails if more than that has gone.
 *
 * Exit status: 0, 1 for a wrong byte, 2 for an error, whose name it prints.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "number.h"

enum { IO = 64 << 10 };

static int failed(void)
{
	printf("%s\n", strerrorname_np(errno));
	return 2;
}

static int scattered;

static char *buffer(size_t len, int skew)
{
	char *p = mmap(NULL, len + skew, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t step = (scattered ? 7 : 1) * 4096, first, at;

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	if (scattered)
		madvise(p, len + skew, MADV_NOHUGEPAGE);
	for (first = 0; first < step; first += 4096)
		for (at = first; at < len + skew; at += step)
			((volatile char *)p)[at] = 0;
	return p + skew;
}

enum { PLACE = 256 };

static unsigned char wanted(uint64_t pos, int byte)
{
	if (byte == PLACE)
		return (pos * 0x9e3779b97f4a7c15ull) >> 56;
	return byte;
}

static int fill(int fd, uint64_t off, size_t len, int byte, int flags, int skew)
{
	struct iovec v = { buffer(len, skew), len };
	size_t i;
	ssize_t n;

	for (i = 0; i < len; i++)
		((char *)v.iov_base)[i] = wanted(off + i, byte);
	n = pwritev2(fd, &v, 1, off, flags);
	if (n < 0)
		return failed();
	if ((size_t)n == len)
		return 0;
	printf("short write: %zd of %zu\n", n, len);
	return 2;
}

static int is(int fd, uint64_t off, uint64_t len, int byte, int skew)
{
	size_t step = len < 1 << 20 ? len : 1 << 20, i;
	char *p = buffer(step, skew);
	ssize_t n;

	for (; len; len -= n, off += n) {
		n = pread(fd, p, step < len ? step : len, off);
		if (n <= 0) {
			errno = n ? errno : ENODATA;
			return failed();
		}
		for (i = 0; i < (size_t)n; i++)
			if ((unsigned char)p[i] != wanted(off + i, byte)) {
				printf("byte %" PRIu64 " is 0x%02x\n", off + i,
				       (unsigned char)p[i]);
				return 1;
			}
	}
	return 0;
}

static int range(int fd, const char *op, uint64_t off, uint64_t len)
{
	uint64_t r[2] = { off, len };
	int err;

	if (!strcmp(op, "discard"))
		err = ioctl(fd, BLKDISCARD, r);
	else if (!strcmp(op, "zeroout"))
		err = ioctl(fd, BLKZEROOUT, r);
	else if (!strcmp(op, "punch"))
		err = fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				off, len);
	else
		err = fallocate(fd, FALLOC_FL_ZERO_RANGE, off, len);
	return err ? failed() : 0;
}

static int comb(int fd, uint64_t off, uint64_t len)
{
	uint64_t page = sysconf(_SC_PAGESIZE), end = off + len;
	int err = 0;

	for (; !err && off < end; off += 2 * page)
		err = range(fd, "discard", off, page);
	return err;
}

static struct {
	const char *dev;
	uint64_t len, piece;
	time_t end;
	int zeroes;
	volatile int wrong;
	volatile unsigned long reads, writes, discards;
} churn;

/* Never zero, and no word of another place. */
static uint64_t stamp(uint64_t pos)
{
	return (pos + 8) * 0x9e3779b97f4a7c15ull | 1;
}

static void read_check(int fd, char *p, uint64_t pos)
{
	uint64_t *w = (uint64_t *)p;
	ssize_t n = pread(fd, p, IO, pos);
	int i;

	if (n != IO) {
		printf("read of %" PRIu64 ": %zd\n", pos, n);
		churn.wrong = 1;
		return;
	}
	for (i = 0; i < IO / 8; i++)
		if (w[i] && w[i] != stamp(pos + i * 8)) {
			printf("word at %" PRIu64 " is %016" PRIx64 "\n",
			       pos + i * 8, w[i]);
			churn.wrong = 1;
			return;
		}
	churn.reads++;
}

static void *churner(void *arg)
{
	int fd = open(churn.dev, O_RDWR | O_DIRECT), i;
	unsigned int seed = (uintptr_t)arg;
	char *p = buffer(IO, 0);

	if (fd < 0) {
		perror(churn.dev);
		churn.wrong = 1;
		return NULL;
	}
	while (time(NULL) < churn.end && !churn.wrong) {
		uint64_t pos = rand_r(&seed) % (churn.len / IO) * IO;
		uint64_t r[2] = { pos, IO };

		if ((uintptr_t)arg == 0) {
			for (i = 0; i < IO / 8; i++)
				((uint64_t *)p)[i] = stamp(pos + i * 8);
			if (pwrite(fd, p, IO, pos) != IO) {
				perror("write");
				churn.wrong = 1;
			}
			churn.writes++;
		} else if ((uintptr_t)arg == 1) {
			if (churn.zeroes ? pwrite(fd, p, IO, pos) != IO :
					   ioctl(fd, BLKDISCARD, r)) {
				perror("discard");
				churn.wrong = 1;
			}
			churn.discards++;
		} else {
			read_check(fd, p, pos);
		}
	}
	close(fd);
	return NULL;
}

static int run_churn(const char *dev, uint64_t len, int seconds)
{
	pthread_t t[5];
	int i;

	churn.dev = dev;
	churn.len = len;
	churn.end = time(NULL) + seconds;
	for (i = 0; i < 5; i++)
		if (pthread_create(&t[i], NULL, churner, (void *)(uintptr_t)i))
			return 2;
	for (i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
	printf("%lu reads, %lu writes, %lu discards\n", churn.reads,
	       churn.writes, churn.discards);
	return churn.wrong;
}

static void *weaver(void *arg)
{
	int fd = open(churn.dev, O_RDWR | O_DIRECT);
	uint64_t pos = (uintptr_t)arg * churn.piece, len;
	char *p = buffer(churn.piece, 0);
	uint64_t i;

	for (; fd >= 0 && pos < churn.len; pos += 8 * churn.piece) {
		len = churn.piece < churn.len - pos ? churn.piece : churn.len - pos;
		for (i = 0; i < len / 8; i++)
			((uint64_t *)p)[i] = stamp(pos + i * 8);
		if (pwrite(fd, p, len, pos) != (ssize_t)len) {
			perror("write");
			churn.wrong = 1;
		}
	}
	churn.wrong |= fd < 0;
	close(fd);
	return NULL;
}

static int run_weave(const char *dev, uint64_t len, uint64_t piece)
{
	int fd = open(dev, O_RDONLY | O_DIRECT), i;
	char *p = buffer(IO, 0);
	uint64_t pos;
	pthread_t t[8];

	churn.dev = dev;
	churn.len = len;
	churn.piece = piece;
	for (i = 0; i < 8; i++)
		if (pthread_create(&t[i], NULL, weaver, (void *)(uintptr_t)i))
			return 2;
	for (i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	for (pos = 0; pos < len && !churn.wrong; pos += IO) {
		if (pread(fd, p, IO, pos) != IO)
			return failed();
		for (i = 0; i < IO / 8; i++)
			if (((uint64_t *)p)[i] != stamp(pos + i * 8)) {
				printf("sector at %" PRIu64 " is lost\n",
				       (pos + i * 8) & -512);
				return 1;
			}
	}
	return churn.wrong;
}

static int run_edge(const char *dev, uint64_t end)
{
	int fd = open(dev, O_RDWR | O_DIRECT), err = 0;
	uint64_t old, now, page = getpagesize(), at;

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &old))
		return failed();
	for (; !err && old < end; old = now) {
		do {
			if (ioctl(fd, BLKGETSIZE64, &now))
				return failed();
		} while (now == old);
		err = fill(fd, old + 4096, 4096, 9, 0, 0);
		if (!err)
			err = range(fd, "discard", old, 4096);
		if (!err)
			err = is(fd, old + 4096, 4096, 9, 0);
		at = (old + 4096 + page - 1) / page * page;
		if (err || at + 4096 > now)
			continue;
		err = fill(fd, at, 4096, 9, 0, 0);
		if (!err)
			err = range(fd, "zeroout", at, 512);
		if (!err)
			err = is(fd, at + 512, 3584, 9, 0);
		if (!err)
			err = fill(fd, at, 512, 0, 0, 0);
		if (!err)
			err = is(fd, at + 512, 3584, 9, 0);
	}
	return err;
}

int main(int argc, char **argv)
{
	int flags = 0, skew = 0, byte = 0, fd, i;
	const char *op = argc > 1 ? argv[1] : "";
	uint64_t off, len;

	if (!strcmp(op, "soil") && argc == 3) {
		len = number(argv[2]);
		memset(buffer(len, 0), 0xa5, len);
		return 0;
	}
	churn.zeroes = argc == 6 && !strcmp(argv[5], "zeroes");
	if (!strcmp(op, "churn") && argc == 5 + churn.zeroes)
		return run_churn(argv[2], number(argv[3]), atoi(argv[4]));
	if (!strcmp(op, "weave") && (argc == 4 || argc == 5))
		return run_weave(argv[2], number(argv[3]), argc == 5 ? number(argv[4]) : 512);
	if (!strcmp(op, "edge") && argc == 4)
		return run_edge(argv[2], number(argv[3]));
	if (argc < 5) {
		fprintf(stderr, "rxio: see the head of rxio.c\n");
		return 3;
	}
	off = number(argv[3]);
	len = number(argv[4]);
	if (argc > 5)
		byte = strcmp(argv[5], "place") ? (int)number(argv[5]) : PLACE;
	for (i = 6; i < argc; i++) {
		if (!strcmp(argv[i], "nowait"))
			flags |= RWF_NOWAIT;
		if (!strncmp(argv[i], "skew=", 5))
			skew = atoi(argv[i] + 5);
		if (!strcmp(argv[i], "scattered"))
			scattered = 1;
	}
	fd = open(argv[2], (strcmp(op, "is") ? O_RDWR : O_RDONLY) | O_DIRECT);
	if (fd < 0)
		return failed();
	if (!strcmp(op, "fill") && argc > 5)
		return fill(fd, off, len, byte, flags, skew);
	if (!strcmp(op, "is") && argc > 5)
		return is(fd, off, len, byte, skew);
	if (!strcmp(op, "comb"))
		return comb(fd, off, len);
	return range(fd, op, off, len);
}
