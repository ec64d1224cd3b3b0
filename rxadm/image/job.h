/* SPDX-License-Identifier: GPL-2.0-only */
/* The work of save and restore of a disk. */
#ifndef RXADM_IMAGERUN_H
#define RXADM_IMAGERUN_H

#include "base/strv.h"
#include "image/freeze.h"
#include "image/format.h"
#include "kernel/object.h"

struct image_job {
	const char *verb, *path;
	int level;			/* of zstd */
	bool freeze;
	bool attach;			/* make the disk, of this name or of the next that is free */
	const char *name;

	/* Out, once it is done: */
	struct rx_disk disk;
	struct image_header header;
	uint64_t bytes, stored;		/* of the disk, and of the file */
	struct rx_strv frozen;		/* where the file systems are mounted that were frozen */
};

#endif
