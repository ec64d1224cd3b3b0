/* SPDX-License-Identifier: GPL-2.0-only */
/* The first and the last MiB of a disk that is restored. They have what others recognize its content by. */
#ifndef RXADM_IMAGEENDS_H
#define RXADM_IMAGEENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct end_piece;

struct image_ends {
	uint64_t size;			/* in: of the disk */
	struct end_piece *pieces;
	size_t n;
};

/* All with FD, the disk, return 0 or an errno, and what they wrote is on the disk. */
int image_ends_zero(const struct image_ends *ends, int fd);
bool image_ends_have(const struct image_ends *ends, uint64_t offset, size_t len);
/* Keeps a piece for image_ends_write(). */
void image_ends_keep(struct image_ends *ends, uint64_t offset, const unsigned char *data,
		     size_t len);
/* Writes what was kept, from the last piece to the first, when all else is on the disk. */
int image_ends_write(struct image_ends *ends, int fd);
void image_ends_free(struct image_ends *ends);

#endif
