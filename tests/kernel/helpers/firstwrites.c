// SPDX-License-Identifier: GPL-2.0-only
/*
 * firstwrites DEVICE SECONDS SEED [skew=N] [discard=0] [pause=US]
 *                                 [writers=N] [readers=N] [tails=1]
 *
 * Looks for bytes in DEVICE that nobody wrote there. Threads write stamps of
 * 512 bytes to 64 KiB at any sector; others read, first and last sectors more
 * often than others; one discards, so that there is always something to be
 * written for the first time; and one fills memory with 0xa5 and gives it back,
 * so that this is what fresh memory holds. A byte of a stamp depends on SEED
 * and its place alone, so that a read that runs beside a write may see some of
 * it: every byte read is zero or the stamp's. DEVICE has zeroes or stamps of the
 * same SEED when it starts. skew=N: buffers may begin at any multiple of N
 * (default 512); pause=US: between two discards (default 1000); tails=1: one page at a time, writes of a whole one or of its
 * first sector, reads of its last, which get there before a writer does. Ends with status 1 at the first byte that is
 * neither, or if it has seen only zeroes or only stamps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAXIO = 65536, SECTOR = 512, PAGE = 4096, SOIL = 0xa5, UNREAD = 0x5a, SOILED = 24 << 20 };

static const char *device;
static uint64_t size, seed;
static unsigned int skew = SECTOR, pause_us = 1000, tails;
static uint64_t end;
static int failed;
static unsigned long zeroes, stamps, reads, writes, discards;

static void die(const char *what)
{
	fprintf(stderr, "firstwrites: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static uint64_t rnd(uint64_t *state, uint64_t below)
{
	return mix(*state += 0x9e3779b97f4a7c15ull) % below;
}

/* Neither zero nor what memory or an untouched buffer is full of. */
static void stamp(uint8_t *buf, uint64_t at, size_t len)
{
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (i % 8 == 0)
			word = mix(seed ^ (at + i));
		buf[i] = word >> i % 8 * 8;
		if (!buf[i] || buf[i] == SOIL || buf[i] == UNREAD)
			buf[i] = 1;
	}
}

enum what { WRITE, READ, DISCARD };

static size_t range_in_page(uint64_t *state, uint64_t *at, enum what what)
{
	*at = rnd(state, size / PAGE) * PAGE;
	if (what == READ)
		*at += PAGE - SECTOR;
	return what == READ || (what == WRITE && rnd(state, 2)) ? SECTOR : PAGE;
}

/* Whole sectors: of a small device often all, of others one in four to the end. */
static size_t range(uint64_t *state, uint64_t *at, enum what what)
{
	size_t len = SECTOR * (1 + rnd(state, rnd(state, 2) ? 16 : MAXIO / SECTOR));

	if (tails)
		return range_in_page(state, at, what);
	if (len > size || (size <= MAXIO && rnd(state, 2)))
		len = size;
	*at = rnd(state, (size - len) / SECTOR + 1) * SECTOR;
	if (!rnd(state, 4))
		*at = size - len;
	return len;
}

static int device_open(int flags)
{
	int fd = open(device, flags | O_DIRECT);

	if (fd < 0)
		die(device);
	return fd;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

/* Longer on a machine that was too busy for a thread to see anything. */
static int running(void)
{
	uint64_t now = now_ms();
	int seen = __atomic_load_n(&zeroes, __ATOMIC_RELAXED) &&
		   __atomic_load_n(&stamps, __ATOMIC_RELAXED);

	return (now < end || (!seen && now < end + 30000)) &&
	       !__atomic_load_n(&failed, __ATOMIC_RELAXED);
}

static void count(unsigned long *n, unsigned long by)
{
	__atomic_add_fetch(n, by, __ATOMIC_RELAXED);
}

static void *buffer(void)
{
	void *p;

	if (posix_memalign(&p, 4096, MAXIO + 4096))
		die("memory");
	return p;
}

/* Where in @buf the next transfer begins. */
static uint8_t *skewed(uint8_t *buf, uint64_t *state)
{
	return buf + rnd(state, 4096 / skew) * skew;
}

static void *writer(void *arg)
{
	uint64_t state = mix(seed * 64 + (uintptr_t)arg), at;
	uint8_t *buf = buffer(), *p;
	int fd = device_open(O_WRONLY);
	size_t len;

	while (running()) {
		len = range(&state, &at, WRITE);
		p = skewed(buf, &state);
		stamp(p, at, len);
		if (pwrite(fd, p, len, at) != (ssize_t)len)
			die("write");
		count(&writes, 1);
	}
	return NULL;
}

static void check(const uint8_t *p, const uint8_t *want, uint64_t at, size_t len)
{
	unsigned long none = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (!p[i]) {
			none++;
		} else if (p[i] != want[i]) {
			if (!__atomic_exchange_n(&failed, 1, __ATOMIC_RELAXED))
				fprintf(stderr, "firstwrites: byte %llu of %s is 0x%02x: never written there (read of %zu at %llu)%s\n",
					(unsigned long long)(at + i), device,
					p[i], len, (unsigned long long)at,
					p[i] == SOIL ? ", old memory" :
					p[i] == UNREAD ? ", left out by the read" : "");
			return;
		}
	}
	count(&zeroes, none);
	count(&stamps, len - none);
}

static void *reader(void *arg)
{
	uint64_t state = mix(seed * 64 + (uintptr_t)arg), at;
	uint8_t *buf = buffer(), *want = buffer(), *p;
	int fd = device_open(O_RDONLY);
	size_t len;

	while (running()) {
		len = range(&state, &at, READ);
		p = skewed(buf, &state);
		memset(p, UNREAD, len);
		if (pread(fd, p, len, at) != (ssize_t)len)
			die("read");
		stamp(want, at, len);
		check(p, want, at, len);
		count(&reads, 1);
	}
	return NULL;
}

static void *discarder(void *arg)
{
	uint64_t state = mix(seed * 64 + (uintptr_t)arg), arg_range[2];
	int fd = device_open(O_WRONLY);

	while (running()) {
		arg_range[1] = range(&state, &arg_range[0], DISCARD) * (1 + rnd(&state, 16));
		if (arg_range[0] + arg_range[1] > size)
			arg_range[1] = size - arg_range[0];
		if (ioctl(fd, rnd(&state, 4) ? BLKDISCARD : BLKZEROOUT, arg_range))
			die("discard");
		count(&discards, 1);
		if (pause_us)
			usleep(pause_us);
	}
	return NULL;
}

static void *soiler(void *arg)
{
	void *p;

	(void)arg;
	while (running()) {
		p = mmap(NULL, SOILED, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			die("mmap");
		memset(p, SOIL, SOILED);
		munmap(p, SOILED);
		usleep(20000);
	}
	return NULL;
}

static void start(pthread_t *t, void *(*work)(void *), int *n)
{
	if (pthread_create(&t[*n], NULL, work, (void *)(uintptr_t)(*n + 1)))
		die("thread");
	(*n)++;
}

int main(int argc, char **argv)
{
	int writers = 2, readers = 2, discarders = 1, i, n = 0, fd;
	pthread_t thread[64];

	if (argc < 4) {
		fprintf(stderr, "firstwrites: see the head of firstwrites.c\n");
		return 2;
	}
	device = argv[1];
	seed = mix(strtoull(argv[3], NULL, 10) + 1) | 1;
	for (i = 4; i < argc; i++)
		if (sscanf(argv[i], "skew=%u", &skew) != 1 &&
		    sscanf(argv[i], "discard=%d", &discarders) != 1 &&
		    sscanf(argv[i], "pause=%u", &pause_us) != 1 &&
		    sscanf(argv[i], "writers=%d", &writers) != 1 &&
		    sscanf(argv[i], "tails=%u", &tails) != 1 &&
		    sscanf(argv[i], "readers=%d", &readers) != 1)
			die(argv[i]);
	fd = device_open(O_RDONLY);
	if (ioctl(fd, BLKGETSIZE64, &size))
		die("size");
	end = now_ms() + atoi(argv[2]) * 1000;
	start(thread, soiler, &n);
	if (discarders)
		start(thread, discarder, &n);
	while (writers-- > 0)
		start(thread, writer, &n);
	while (readers-- > 0)
		start(thread, reader, &n);
	while (n-- > 0)
		pthread_join(thread[n], NULL);
	printf("reads=%lu writes=%lu discards=%lu zeroes=%lu stamps=%lu\n",
	       reads, writes, discards, zeroes, stamps);
	if (!failed && (!zeroes || !stamps)) {
		fprintf(stderr, "firstwrites: saw nothing of one kind\n");
		failed = 1;
	}
	return failed;
}
