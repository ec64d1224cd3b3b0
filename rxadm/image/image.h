/* SPDX-License-Identifier: GPL-2.0-only */
/* Images of disks, as rx-image(5) describes them: their format, and how they are read and written. */
#ifndef RXADM_IMAGE_H
#define RXADM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/global.h"
#include "image/relay.h"

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

#endif
