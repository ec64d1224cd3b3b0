// SPDX-License-Identifier: GPL-2.0-only
/*
 * claim DEVICE
 *
 * Opens a block device for itself alone (O_EXCL), says "claimed", and keeps it until the
 * standard input ends. Exit status 1: somebody else has claimed it; 2: another error.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char byte;

	if (argc != 2)
		errx(2, "say: claim DEVICE");
	if (open(argv[1], O_RDONLY | O_EXCL) < 0)
		err(errno == EBUSY ? 1 : 2, "%s", argv[1]);
	puts("claimed");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
