/* SPDX-License-Identifier: GPL-2.0-only */
/* The file systems of a disk, frozen for a while. They never stay frozen. */
#ifndef RXADM_FREEZE_H
#define RXADM_FREEZE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/strv.h"

#define FREEZE_MAX	64	/* file systems at a time */

struct freeze_memory;

struct freeze {
	struct rx_strv mounts;		/* a place of each file system */
	struct rx_strv numbers;		/* MAJOR:MINOR of each, as the kernel's table has them */
	int fds[FREEZE_MAX];
	struct freeze_memory *shared;	/* with the guards */
	int alive;			/* a pipe whose end tells the guards that we have ended */
	pid_t guards[2];
};

/* All return RX_OK, or an exit code after saying what is wrong with the disk NAME. */
/* Finds the file systems that are mounted from NAME. */
int freeze_find(const char *verb, const char *name, struct freeze *freeze);
/* Refuses a file that could not be written while they are frozen: DIR is it or its directory. */
int freeze_check_file(const char *verb, const char *name, const struct freeze *freeze,
		      const char *path, int dir);
/* From here on, nothing may be written to them and no message may be printed. */
int freeze_begin(const char *verb, const char *name, struct freeze *freeze);
/* Is called often, so that the guards see that the work goes on. */
void freeze_alive(struct freeze *freeze);
/* Tells whether all of them were frozen up to now. May be called again. */
bool freeze_end(struct freeze *freeze);
void freeze_free(struct freeze *freeze);

#endif
