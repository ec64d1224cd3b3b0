// SPDX-License-Identifier: GPL-2.0-only
/*
 * onnode NODE|interleave COMMAND…
 *
 * Runs COMMAND with its memory bound to a NUMA node, as "numactl --membind=NODE"
 * does, or taken from the first two in turn, as by "--interleave=0,1". Exit status: the command's; 125: the node can't be had, or no command.
 */
#define _GNU_SOURCE
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	unsigned long node, mask;
	int turns;

	if (argc < 3)
		return 125;
	turns = !strcmp(argv[1], "interleave");
	node = strtoul(argv[1], NULL, 10);
	if (node >= 8 * sizeof(mask) - 1)
		return 125;
	mask = turns ? 3 : 1UL << node;
	/* The kernel looks at one bit less than it is told. */
	if (syscall(SYS_set_mempolicy, turns ? MPOL_INTERLEAVE : MPOL_BIND, &mask, 8 * sizeof(mask))) {
		perror("onnode");
		return 125;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 125;
}
