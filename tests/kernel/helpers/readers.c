// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers DEVICE OFFSET LENGTH THREADS ROUNDS
 *
 * THREADS threads read the same LENGTH bytes with O_DIRECT, ROUNDS times each; every round begins together. Prints
 * "errors=E differ=D us=T": reads that failed, reads whose bytes differed from the first one's, microseconds for all.
 * Exit status 1 if there was any of the first two.
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
#include <time.h>
#include <unistd.h>

static int fd, threads, rounds;
static uint64_t off;
static size_t len;
static atomic_int errors, differ;
static char *model;
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void compare(const char *buf)
{
	/* The first one to come sets the model. */
	pthread_mutex_lock(&lock);
	if (!model) {
		model = malloc(len);
		memcpy(model, buf, len);
	}
	pthread_mutex_unlock(&lock);
	if (memcmp(model, buf, len))
		differ++;
}

static void *reader(void *arg)
{
	char *buf;

	if (posix_memalign((void **)&buf, 4096, len))
		abort();
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < rounds; i++) {
		memset(buf, 0x5a, 16);
		if (pread(fd, buf, len, off) != (ssize_t)len) {
			if (!errors++)
				perror("readers");
			continue;
		}
		compare(buf);
	}
	free(buf);
	return arg;
}

int main(int argc, char **argv)
{
	struct timespec a, b;
	pthread_t t[512];

	if (argc != 6)
		return 3;
	off = strtoull(argv[2], NULL, 0);
	len = strtoull(argv[3], NULL, 0);
	threads = atoi(argv[4]);
	rounds = atoi(argv[5]);
	fd = open(argv[1], O_RDONLY | O_DIRECT);
	if (fd < 0 || threads > 512) {
		perror(argv[1]);
		return 2;
	}
	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, reader, NULL))
			return 2;
	pthread_barrier_wait(&barrier);
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("errors=%d differ=%d us=%lld\n", errors, differ,
	       (b.tv_sec - a.tv_sec) * 1000000LL + (b.tv_nsec - a.tv_nsec) / 1000);
	return errors || differ;
}
