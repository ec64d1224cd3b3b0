// SPDX-License-Identifier: GPL-2.0-only
/*
 * scribble read|write DEVICE OFFSET SPAN LENGTH ROUNDS
 *
 * ROUNDS reads or writes with O_DIRECT, of LENGTH bytes each, one after the other over SPAN bytes from OFFSET, while a
 * second thread does nothing but change the buffer. What arrives is anybody's guess: whoever runs this compares the
 * device with what is below it afterwards. Exit status 2: an I/O error.
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
#include <unistd.h>

static volatile uint64_t *buf;
static size_t len;
static atomic_int end;

static void *scribbler(void *arg)
{
	for (uint64_t x = 1; !end; x++)
		for (size_t i = 0; i < len / 8; i += 8)
			buf[i] = x;
	return arg;
}

int main(int argc, char **argv)
{
	int writes = argc > 1 && !strcmp(argv[1], "write"), fd, rounds;
	uint64_t off, span, at = 0;
	pthread_t t;
	ssize_t n;

	if (argc != 7)
		return 3;
	off = strtoull(argv[3], NULL, 0);
	span = strtoull(argv[4], NULL, 0);
	len = strtoull(argv[5], NULL, 0);
	rounds = atoi(argv[6]);
	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | O_DIRECT);
	if (fd < 0 || posix_memalign((void **)&buf, 4096, len)) {
		perror(argv[2]);
		return 2;
	}
	memset((void *)buf, 0, len);
	pthread_create(&t, NULL, scribbler, NULL);
	for (; rounds; rounds--, at = (at + len) % span) {
		n = writes ? pwrite(fd, (void *)buf, len, off + at) : pread(fd, (void *)buf, len, off + at);
		if (n != (ssize_t)len) {
			perror("scribble");
			return 2;
		}
	}
	end = 1;
	pthread_join(t, NULL);
	return 0;
}
