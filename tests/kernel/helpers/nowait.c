// SPDX-License-Identifier: GPL-2.0-only
/*
 * nowait read|write DEVICE OFFSET LENGTH [COUNT]
 *
 * COUNT (1) reads or writes one after the other, with O_DIRECT, that must not wait (RWF_NOWAIT). Prints
 * "served=S again=A other=O error=E short=H": how many were served whole, refused with EAGAIN, failed otherwise (E is the
 * last error's number), or served in part. A write writes bytes of value 0x6e.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

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
	fd = open(argv[2], (writes ? O_RDWR : O_RDONLY) | O_DIRECT);
	if (fd < 0 || posix_memalign(&iov.iov_base, 4096, iov.iov_len)) {
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
