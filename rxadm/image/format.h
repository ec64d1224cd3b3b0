/* SPDX-License-Identifier: GPL-2.0-only */
/* Images of disks, as rx-image(5) describes them: the parts of the file and of its frame of zstd. */
#ifndef RXADM_IMAGE_FORMAT_H
#define RXADM_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/global.h"

#define IMAGE_PIECE	(1U << 20)	/* the most bytes of a record */
#define IMAGE_PAGE	4096U		/* offsets and lengths are multiples of it */
#define IMAGE_HEADER	256
#define IMAGE_TAIL	16
#define IMAGE_WINDOW	23		/* binary logarithm of the most that a reader keeps */

/* Whose memory it is. */
struct image_header {
	uint64_t size, block;		/* of the disk */
	uint64_t saved;			/* seconds since 1970 */
	unsigned char boot[16];		/* ID of the boot, zeroes if it is not known */
	char disk[RX_NAME_LEN];
	char host[65];
};

/* In the file: bytes of the disk follow or, with LENGTH 0, OFFSET is how many there were. */
struct image_record {
	uint64_t offset, length;
};

void image_put_header(unsigned char *to, const struct image_header *header);
/* Returns what is wrong with IMAGE_HEADER bytes, or NULL. */
const char *image_get_header(const unsigned char *from, struct image_header *header);
/* What stands behind the frame: BYTES of the disk are in the image. */
void image_put_tail(unsigned char *to, uint64_t bytes);
/* Replaces what a text of a header can't have; the kernel takes any bytes for a host's name. */
void image_clean(char *text);
bool image_is_zero(const unsigned char *data, size_t len);
/* Returns memory that may be read and written directly (O_DIRECT). */
unsigned char *image_buffer(size_t len);

#endif
