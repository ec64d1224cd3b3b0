// SPDX-License-Identifier: GPL-2.0-only
/*
 * nowait read|write DEVICE OFFSET LENGTH [COUNT]
 *
 * COUNT (1) reads or writes one after the other, with O_DIRECT, that must not wait (RWF_NOWAIT). If the environment has BUFFERED,
 * it is without O_DIRECT. Prints
 * "served=S again=A other=O error=E short=H": how many were served whole, refused with EAGAIN, failed otherwise (E is the
 * last error's number), or served in part. A write writes bytes of value 0x6e. The buffer is one run of memory if the machine has
 * a huge page left for it (vm.nr_hugepages).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

static void *buffer(size_t bytes)
{
	void *p = MAP_FAILED;

	if (bytes <= HUGE_PAGE)
		p = mmap(NULL, HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (p == MAP_FAILED && posix_memalign(&p, 4096, bytes))
		return NULL;
	return p;
}

int main(int argc, char **argv)
{
	int count = argc > 5 ? atoi(argv[5]) : 1, writes = argc > 1 && !strcmp(argv[1], "write");
	int served = 0, again = 0, other = 0, error = 0, some = 0, fd;
	struct iovec iov;
	uint64_t off;
	ssize_t n;

	if (argc < 5)
		return 3;
	off = strtoull(argv[3], NULL, 0);
	iov.iov_len = strtoull(argv[4], NULL, 0);
	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | (getenv("BUFFERED") ? 0 : O_DIRECT));
	iov.iov_base = buffer(iov.iov_len);
	if (fd < 0 || !iov.iov_base) {
		perror(argv[2]);
		return 2;
	}
	memset(iov.iov_base, 0x6e, iov.iov_len);
	for (; count; count--, off += iov.iov_len) {
		n = writes ? pwritev2(fd, &iov, 1, off, RWF_NOWAIT) : preadv2(fd, &iov, 1, off, RWF_NOWAIT);
		if (n == (ssize_t)iov.iov_len) {
			served++;
		} else if (n >= 0) {
			some++;
		} else if (errno == EAGAIN) {
			again++;
		} else {
			other++;
			error = errno;
		}
	}
	printf("served=%d again=%d other=%d error=%d short=%d\n", served, again, other, error, some);
	return 0;
}
