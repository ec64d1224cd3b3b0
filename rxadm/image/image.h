/* SPDX-License-Identifier: GPL-2.0-only */
/* Images of disks, as rx-image(5) describes them. */
#ifndef RXADM_IMAGE_H
#define RXADM_IMAGE_H

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

#endif
