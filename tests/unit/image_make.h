/* SPDX-License-Identifier: GPL-2.0-only */
/* Images for the tests of their reader, in memory. */
#ifndef IMAGE_MAKE_H
#define IMAGE_MAKE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "image/image.h"
#include "image/read.h"
#include "image/write.h"

#define DISK_SIZE	(8ULL << 20)

struct made {
	unsigned char *file;
	size_t len;
};

static inline int memory_file(void)
{
	int fd = memfd_create("image", 0);

	if (fd < 0)
		abort();
	return fd;
}

/* Page N of the disk: zeroes, letters that shrink, or noise. */
static inline void fill_page(unsigned char *page, unsigned int n)
{
	uint64_t noise = n * 0x9e3779b97f4a7c15ULL + 1;
	unsigned int i;

	for (i = 0; i < IMAGE_PAGE; i++) {
		noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
		page[i] = n % 4 == 0 ? 0 : n % 4 == 3 ? noise >> 56 : 'a' + i % 7;
	}
}

/* Makes an image of the pages FROM to FROM + N of a disk. */
static inline struct made make_image(unsigned int from, unsigned int n, int level)
{
	struct image_header header = { .size = DISK_SIZE, .block = 512, .saved = 1700000000,
				       .disk = "rxd3", .host = "host.example", .boot = "0123456789abcdef" };
	static struct image_batch batch;
	struct image_writer writer;
	ZSTD_CCtx *zstd = level ? ZSTD_createCCtx() : NULL;
	struct made made;
	struct stat st;
	unsigned int i;
	int fd = memory_file();

	batch.offset = (uint64_t)from * IMAGE_PAGE;
	batch.len = n * IMAGE_PAGE;
	batch.data = image_buffer(IMAGE_PIECE);
	batch.packed = image_buffer(IMAGE_PIECE);
	for (i = 0; i < n; i++)
		fill_page(batch.data + i * IMAGE_PAGE, from + i);
	if (zstd)
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level);
	image_pack(&batch, zstd);
	if (image_begin(&writer, fd, &header) || image_add(&writer, &batch) || image_end(&writer) || fstat(fd, &st) || (uint64_t)st.st_size != writer.stored)
		abort();
	made.len = st.st_size;
	made.file = malloc(made.len);
	if (pread(fd, made.file, made.len, 0) != (ssize_t)made.len)
		abort();
	ZSTD_freeCCtx(zstd);
	close(fd);
	free(batch.data);
	free(batch.packed);
	return made;
}

#endif
