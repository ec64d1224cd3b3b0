// SPDX-License-Identifier: GPL-2.0-only
/*
 * vectors [atomic] read|write DEVICE OFFSET SKEW LENGTH…
 * vectors atomics DEVICE
 *
 * One I/O with O_DIRECT from several buffers of LENGTH bytes each, which begin SKEW bytes after the start of a page and have
 * no page in common. Each byte is the function of its place on the device that rxio calls "place": a write writes that, a
 * read compares it. "atomic" is RWF_ATOMIC. "atomics" prints what statx() says of atomic writes: the smallest, the largest
 * (bytes) and how many buffers, "0 0 0" where there are none.
 *
 * Exit status: 0, 1 for a wrong byte or a short transfer, 2 for an error, whose name it prints.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	VECTORS_MAX = 1024,
	/* Newer than the C library's headers. */
	ATOMIC_RWF = 0x40,
	ATOMIC_STATX = 0x10000,
	ATOMIC_STATX_AT = 0xa8,
};

static int failed(void)
{
	printf("%s\n", strerrorname_np(errno));
	return 2;
}

static unsigned char wanted(uint64_t pos)
{
	return (pos * 0x9e3779b97f4a7c15ull) >> 56;
}

static char *buffer(size_t len, size_t skew)
{
	/* A page that is never touched keeps two buffers from being one. */
	char *p = mmap(NULL, skew + len + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	madvise(p, skew + len + PAGE, MADV_NOHUGEPAGE);
	return p + skew;
}

static int atomics(const char *dev)
{
	unsigned char stx[256];
	uint32_t says[3] = { 0 };
	uint32_t mask;

	memset(stx, 0, sizeof(stx));
	if (syscall(SYS_statx, AT_FDCWD, dev, 0, ATOMIC_STATX, stx))
		return failed();
	memcpy(&mask, stx, sizeof(mask));
	if (mask & ATOMIC_STATX)
		memcpy(says, stx + ATOMIC_STATX_AT, sizeof(says));
	printf("%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", says[0], says[1], says[2]);
	return 0;
}

int main(int argc, char **argv)
{
	struct iovec v[VECTORS_MAX];
	size_t i, all = 0, skew;
	int flags = 0, fd, writes, nr;
	uint64_t off, pos;
	ssize_t n;

	if (argc == 3 && !strcmp(argv[1], "atomics"))
		return atomics(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "atomic")) {
		flags = ATOMIC_RWF;
		argc--;
		argv++;
	}
	nr = argc - 5;
	if (nr < 1 || nr > VECTORS_MAX)
		return 3;
	writes = !strcmp(argv[1], "write");
	off = pos = strtoull(argv[3], NULL, 0);
	skew = strtoul(argv[4], NULL, 0);
	for (int k = 0; k < nr; k++) {
		v[k].iov_len = strtoul(argv[5 + k], NULL, 0);
		v[k].iov_base = buffer(v[k].iov_len, skew);
		for (i = 0; i < v[k].iov_len; i++, pos++)
			((unsigned char *)v[k].iov_base)[i] = writes ? wanted(pos) : ~wanted(pos);
		all += v[k].iov_len;
	}
	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | O_DIRECT);
	if (fd < 0)
		return failed();
	n = writes ? pwritev2(fd, v, nr, off, flags) : preadv2(fd, v, nr, off, flags);
	if (n < 0)
		return failed();
	if ((size_t)n != all) {
		printf("short: %zd of %zu\n", n, all);
		return 1;
	}
	pos = off;
	for (int k = 0; k < nr && !writes; k++)
		for (i = 0; i < v[k].iov_len; i++, pos++)
			if (((unsigned char *)v[k].iov_base)[i] != wanted(pos)) {
				printf("byte %" PRIu64 " is wrong\n", pos);
				return 1;
			}
	return 0;
}
