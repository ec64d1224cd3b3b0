// SPDX-License-Identifier: GPL-2.0-only
/*
 * uringio read|write DEVICE OFFSET LENGTH BYTE
 *
 * One read or write with O_DIRECT through io_uring. Prints "submit=MS all=MS result=N data=ok|wrong": how long the call took
 * that submitted it, how long it was until it had ended, in milliseconds, and how it ended. A write writes BYTE all over; after
 * a read "data" says whether every byte of it is BYTE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *map_ring(int fd, size_t size, off_t what)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, what);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	return p;
}

int main(int argc, char **argv)
{
	struct io_uring_params p = {};
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
	char *sq, *cq, *buf;
	long begin, submit;
	int fd, ring, byte, i;
	unsigned int len;

	if (argc != 6)
		return 3;
	len = strtoul(argv[4], NULL, 0);
	byte = strtoul(argv[5], NULL, 0);
	fd = open(argv[2], O_RDWR | O_DIRECT);
	ring = syscall(SYS_io_uring_setup, 1, &p);
	if (fd < 0 || ring < 0 || posix_memalign((void **)&buf, 4096, len)) {
		perror(argv[2]);
		return 2;
	}
	memset(buf, strcmp(argv[1], "write") ? ~byte : byte, len);
	sq = map_ring(ring, p.sq_off.array + p.sq_entries * sizeof(uint32_t), IORING_OFF_SQ_RING);
	cq = map_ring(ring, p.cq_off.cqes + p.cq_entries * sizeof(*cqe), IORING_OFF_CQ_RING);
	sqe = map_ring(ring, p.sq_entries * sizeof(*sqe), IORING_OFF_SQES);
	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = strcmp(argv[1], "write") ? IORING_OP_READ : IORING_OP_WRITE;
	sqe->fd = fd;
	sqe->addr = (uintptr_t)buf;
	sqe->len = len;
	sqe->off = strtoull(argv[3], NULL, 0);
	*(uint32_t *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((uint32_t *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);

	begin = now_ms();
	if (syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1) {
		perror("io_uring_enter");
		return 2;
	}
	submit = now_ms() - begin;
	if (syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) {
		perror("io_uring_enter");
		return 2;
	}
	cqe = (void *)(cq + p.cq_off.cqes);
	for (i = 0; i < (int)len && (unsigned char)buf[i] == byte; i++)
		;
	printf("submit=%ld all=%ld result=%d data=%s\n", submit, now_ms() - begin, cqe->res, i == (int)len ? "ok" : "wrong");
	return 0;
}
