/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IMAGE_READ_H
#define RXADM_IMAGE_READ_H

#include <stddef.h>

struct image_reader;
struct image_head;

/*
 * read.c: both return 0 or an errno. A reader that is all zeroes but for ALONE, or was
 * opened before, may be opened.
 */
int image_open(struct image_reader *reader, int fd);
/*
 * Takes the next piece, whose bytes reader->data has. After the last one, head->end is set.
 * After an error or the end there is no next.
 */
int image_next(struct image_reader *reader, struct image_head *head);
void image_close(struct image_reader *reader);
/* Returns memory that may be read and written directly (O_DIRECT). */
unsigned char *image_buffer(size_t len);

#endif
