/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IMAGE_WRITE_H
#define RXADM_IMAGE_WRITE_H

struct image_writer;
struct image_header;
struct image_batch;

int image_begin(struct image_writer *writer, int fd, const struct image_header *header);
/* Makes the pieces: the runs of pages that are not zero. ZSTD is a compressor, or NULL. */
void image_pack(struct image_batch *batch, void *zstd);
int image_add(struct image_writer *writer, const struct image_batch *batch);
int image_end(struct image_writer *writer);

#endif
