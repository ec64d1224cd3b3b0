/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads an image. Whoever made it may be hostile, and the file may change meanwhile. */
#ifndef RXADM_IMAGE_READ_H
#define RXADM_IMAGE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/format.h"

struct image_reader {
	int fd;
	struct image_header header;
	uint64_t at;			/* in the file: up to here it was read */
	uint64_t end;			/* of the last record, in the disk */
	uint64_t bytes;			/* of all records up to here */
	unsigned char *data;		/* of the last record */
	const char *wrong;		/* after EBADMSG */

	void *zstd;
	unsigned char *in;		/* of the file */
	size_t n, taken;		/* bytes of IN, and those that zstd has taken */
	bool done;			/* the frame has ended */
	uint64_t work;			/* since signals were looked for */
};

/*
 * Both return 0 or an errno, EBADMSG if the image is wrong and EINTR after a signal. A
 * reader that is all zeroes, or was opened before, may be opened.
 */
int image_open(struct image_reader *reader, int fd);
/*
 * Takes the next record, whose bytes reader->data has. They may be wrong: only the length 0,
 * after the last one, tells that the whole image was right. After it there is no next.
 */
int image_next(struct image_reader *reader, struct image_record *record);
void image_close(struct image_reader *reader);
/* Reads from the end of a file of SIZE bytes how many bytes of the disk it has. */
bool image_tail(int fd, uint64_t size, uint64_t *bytes);

#endif
