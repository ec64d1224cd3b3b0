// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare A B [OFFSET LENGTH]
 *
 * Compares two devices or files, with O_DIRECT where it works, all of A or the range. Prints the first difference. Exit
 * status 1: they differ, 2: an I/O error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

static int open_direct(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECT);

	if (fd < 0)
		fd = open(path, O_RDONLY);
	if (fd < 0) {
		perror(path);
		exit(2);
	}
	return fd;
}

static void get(int fd, const char *path, char *buf, size_t len, uint64_t off)
{
	ssize_t n = pread(fd, buf, len, off);

	if (n == (ssize_t)len)
		return;
	fprintf(stderr, "compare: %s at %" PRIu64 ": %s\n", path, off, n < 0 ? strerror(errno) : "short");
	exit(2);
}

int main(int argc, char **argv)
{
	uint64_t off = 0, end;
	char *a, *b;
	int fa, fb;

	if (argc != 3 && argc != 5)
		return 3;
	fa = open_direct(argv[1]);
	fb = open_direct(argv[2]);
	end = lseek(fa, 0, SEEK_END);
	if (argc == 5) {
		off = strtoull(argv[3], NULL, 0);
		end = off + strtoull(argv[4], NULL, 0);
	}
	if (posix_memalign((void **)&a, 4096, CHUNK) || posix_memalign((void **)&b, 4096, CHUNK))
		return 3;
	for (; off < end; off += CHUNK) {
		size_t n = end - off < CHUNK ? end - off : CHUNK;

		get(fa, argv[1], a, n, off);
		get(fb, argv[2], b, n, off);
		for (size_t i = 0; i < n && memcmp(a, b, n); i++) {
			if (a[i] == b[i])
				continue;
			printf("compare: %s and %s differ at byte %" PRIu64 " (%02x, %02x)\n", argv[1], argv[2],
			       off + i, (unsigned char)a[i], (unsigned char)b[i]);
			return 1;
		}
	}
	return 0;
}
