// SPDX-License-Identifier: GPL-2.0-only
/*
 * together DEVICE I/O…
 *
 * Submits I/Os of 4 KiB with O_DIRECT in one call, so that the block layer may merge them. Each I/O is "w" or "r", "n" if it
 * must not wait (RWF_NOWAIT), and the number of its block. Writes write bytes of value 0x77. Prints the result of each, in the
 * order of the arguments: a number of bytes, or an errno below 0.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 4096 };

int main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[1], O_RDWR | O_DIRECT) : -1, nr = argc - 2, i;
	struct io_event *events;
	aio_context_t ctx = 0;
	struct iocb *io, **ios;
	long long *results;
	void *buffer;

	if (fd < 0 || posix_memalign(&buffer, BLOCK, (size_t)BLOCK * nr)) {
		perror(argc > 2 ? argv[1] : "usage");
		return 2;
	}
	memset(buffer, 0x77, (size_t)BLOCK * nr);
	io = calloc(nr, sizeof(*io));
	ios = calloc(nr, sizeof(*ios));
	events = calloc(nr, sizeof(*events));
	results = calloc(nr, sizeof(*results));
	for (i = 0; i < nr; i++) {
		char *arg = argv[2 + i];

		ios[i] = &io[i];
		io[i].aio_data = i;
		io[i].aio_lio_opcode = *arg++ == 'w' ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
		if (*arg == 'n') {
			io[i].aio_rw_flags = RWF_NOWAIT;
			arg++;
		}
		io[i].aio_fildes = fd;
		io[i].aio_buf = (uintptr_t)buffer + (size_t)BLOCK * i;
		io[i].aio_nbytes = BLOCK;
		io[i].aio_offset = BLOCK * strtoll(arg, NULL, 10);
	}
	if (syscall(SYS_io_setup, nr, &ctx) || syscall(SYS_io_submit, ctx, (long)nr, ios) != nr ||
	    syscall(SYS_io_getevents, ctx, (long)nr, (long)nr, events, NULL) != nr) {
		perror("aio");
		return 2;
	}
	for (i = 0; i < nr; i++)
		results[events[i].data] = events[i].res;
	for (i = 0; i < nr; i++)
		printf("%lld%s", results[i], i < nr - 1 ? " " : "\n");
	return 0;
}
