/* SPDX-License-Identifier: GPL-2.0-only */
/* Images of disks, as rx-image(5) describes them: their format, and how they are read and written. */
#ifndef RXADM_IMAGE_H
#define RXADM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "global.h"
#include "relay.h"

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

/* A piece between the file and its taker. */
struct image_piece {
	struct image_head head;
	unsigned char raw[IMAGE_HEAD];	/* the head behind it, or the end, as in the file */
	unsigned char *data, *packed;
	uint32_t crc;			/* of what is stored */
	int err;			/* 0, an errno, or -1 if the file ends */
	const char *wrong;		/* what is wrong with the image, or NULL */
};

/* An image that is read. Whoever made it may be hostile, and the file may change meanwhile. */
struct image_reader {
	int fd;
	bool alone;			/* in: have no thread; for tests */
	struct image_header header;
	/* Up to the last piece that image_next() gave: */
	uint64_t at;			/* in the file */
	uint64_t pieces, bytes;
	uint32_t crc;			/* of all bytes up to here */
	struct image_head next;
	const unsigned char *data;	/* of that piece */
	const char *wrong;		/* after EBADMSG */

	struct {			/* of what was read ahead */
		uint64_t at;
		uint64_t end;		/* of the last piece, in the disk */
		struct image_head next;
	} ahead;
	struct image_piece ring[RELAY_ITEMS];
	struct relay relay;
	void *zstd[RELAY_HANDS];
};

/*
 * imageread.c: both return 0 or an errno. A reader that is all zeroes but for ALONE, or was
 * opened before, may be opened.
 */
int image_open(struct image_reader *reader, int fd);
/*
 * Takes the next piece, whose bytes reader->data has. After the last one, head->end is set.
 * After an error or the end there is no next.
 */
int image_next(struct image_reader *reader, struct image_head *head);
void image_close(struct image_reader *reader);

/* One read of the disk, and the pieces that the image gets from it. */
struct image_batch {
	uint64_t offset;
	size_t len;			/* IMAGE_PIECE at most */
	unsigned char *data, *packed;	/* PACKED: IMAGE_PIECE bytes, if LEVEL is not 0 */
	unsigned int n;			/* pieces */
	struct image_head heads[IMAGE_PIECE / IMAGE_PAGE];
	const unsigned char *stored[IMAGE_PIECE / IMAGE_PAGE];
};

struct image_writer {
	int fd;
	uint64_t pieces, bytes, stored;	/* STORED: of the file */
	uint32_t crc;
};

/* imagewrite.c: those with a writer return 0 or an errno. */
int image_begin(struct image_writer *writer, int fd, const struct image_header *header);
/* Makes the pieces: the runs of pages that are not zero. ZSTD is a compressor, or NULL. */
void image_pack(struct image_batch *batch, void *zstd);
int image_add(struct image_writer *writer, const struct image_batch *batch);
int image_end(struct image_writer *writer);

/* Returns memory that may be read and written directly (O_DIRECT). */
unsigned char *image_buffer(size_t len);

#endif
