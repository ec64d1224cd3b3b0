/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes an image, from the header to the tail, without going back: it may go into a pipe. */
#ifndef RXADM_IMAGE_WRITE_H
#define RXADM_IMAGE_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct image_header;

/* Without another level: memory that repeats shrinks, and all other takes little time. */
#define IMAGE_LEVEL_FAST	(-100)

struct image_writer {
	int fd;
	uint64_t bytes, stored;		/* of the disk, and of the file */
	void *zstd;
	unsigned char *out;
	size_t n;			/* bytes of OUT that are not in the file yet */
};

/* The first three return 0 or an errno. LEVEL is one of zstd. */
int image_begin(struct image_writer *writer, int fd, const struct image_header *header,
		int level);
/* Adds the pages at OFFSET of the disk that are not zero; LEN is IMAGE_PIECE at most. */
int image_add(struct image_writer *writer, uint64_t offset, const unsigned char *data,
	      size_t len);
int image_end(struct image_writer *writer);
/* A writer that is all zeroes, or was freed, may be freed. */
void image_writer_free(struct image_writer *writer);

#endif
