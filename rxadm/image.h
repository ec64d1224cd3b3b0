/* SPDX-License-Identifier: GPL-2.0-only */
/* Images of disks, as rx-image(5) describes them: their format, and how they are read and written. */
#ifndef RXADM_IMAGE_H
#define RXADM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "global.h"

#define IMAGE_PIECE	(1U << 20)	/* the most bytes of a piece */
#define IMAGE_PAGE	4096U		/* offsets and lengths are multiples of it */
#define IMAGE_HEADER	256
#define IMAGE_HEAD	32		/* of a piece, and the end record */
#define IMAGE_ZSTD	1U		/* flag of a piece: stored as a frame of zstd */
#define IMAGE_LEVEL_MAX	19		/* of zstd */

/* Whose memory it is. */
struct image_header {
	uint64_t size, block;		/* of the disk */
	uint64_t saved;			/* seconds since 1970 */
	unsigned char boot[16];		/* ID of the boot, zeroes if it is not known */
	char disk[RX_NAME_LEN];
	char host[65];
};

/* The head of a piece or, with END, the end record. */
struct image_head {
	bool end;
	uint64_t offset;		/* of a piece in the disk */
	uint32_t length, stored, flags;
	uint32_t crc;			/* of the LENGTH bytes; at the end of the whole file */
	uint64_t pieces, bytes;		/* at the end */
};

/* imagefmt.c: what decodes returns NULL, or what is wrong. */
void image_put_header(unsigned char *to, const struct image_header *header);
const char *image_get_header(const unsigned char *from, struct image_header *header);
void image_put_head(unsigned char *to, const struct image_head *head);
const char *image_get_head(const unsigned char *from, struct image_head *head);
/* Replaces what a text of a header can't have; the kernel takes any bytes for a host's name. */
void image_clean(char *text);
bool image_is_zero(const unsigned char *data, size_t len);

/* An image that is read. Whoever made it may be hostile, and the file may change meanwhile. */
struct image_reader {
	int fd;
	struct image_header header;
	uint64_t at;			/* in the file */
	uint64_t end;			/* of the last piece, in the disk */
	uint64_t pieces, bytes;
	uint32_t crc;			/* of all bytes up to here */
	struct image_head next;
	unsigned char *data, *packed;
	void *zstd;
	const char *wrong;		/* after EBADMSG */
};

/*
 * imageread.c: both return 0 or an errno. A reader that is all zeroes, or was opened before,
 * may be opened.
 */
int image_open(struct image_reader *reader, int fd);
/* Reads the next piece into reader->data. After the last one, head->end is set. */
int image_next(struct image_reader *reader, struct image_head *head);
void image_close(struct image_reader *reader);

struct image_writer {
	int fd;
	int level;			/* of zstd; 0: not compressed */
	uint64_t pieces, bytes, stored;	/* STORED: of the file */
	uint32_t crc;
	unsigned char *packed;
	void *zstd;
};

/* imagewrite.c: all three return 0 or an errno. */
int image_begin(struct image_writer *writer, int fd, const struct image_header *header,
		int level);
/* Adds the pages at OFFSET that are not zero. LEN is IMAGE_PIECE at most. */
int image_add(struct image_writer *writer, uint64_t offset, const unsigned char *data,
	      size_t len);
int image_end(struct image_writer *writer);
void image_writer_free(struct image_writer *writer);

/* Returns memory that may be read and written directly (O_DIRECT). */
unsigned char *image_buffer(size_t len);

#endif
