/* SPDX-License-Identifier: GPL-2.0-only */
/* Images for the tests of their reader, in memory. */
#ifndef IMAGE_MAKE_H
#define IMAGE_MAKE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "image/format.h"
#include "image/read.h"
#include "image/write.h"

#define DISK_SIZE	(8ULL << 20)
#define RECORD		sizeof(struct image_record)

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

static inline void set_file(int fd, const void *data, size_t len)
{
	if (ftruncate(fd, 0) || pwrite(fd, data, len, 0) != (ssize_t)len)
		abort();
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
	unsigned char *data = image_buffer(IMAGE_PIECE);
	struct image_writer writer;
	struct made made;
	struct stat st;
	unsigned int i;
	int fd = memory_file();

	for (i = 0; i < n; i++)
		fill_page(data + i * IMAGE_PAGE, from + i);
	if (image_begin(&writer, fd, &header, level) ||
	    image_add(&writer, (uint64_t)from * IMAGE_PAGE, data, n * IMAGE_PAGE) ||
	    image_end(&writer) || fstat(fd, &st) || (uint64_t)st.st_size != writer.stored)
		abort();
	made.len = st.st_size;
	made.file = malloc(made.len);
	if (pread(fd, made.file, made.len, 0) != (ssize_t)made.len)
		abort();
	image_writer_free(&writer);
	close(fd);
	free(data);
	return made;
}

/* Returns what the frame of an image has: a copy of its header, records, and an end. */
static inline struct made content_of(const struct made *made)
{
	struct made content = { malloc(DISK_SIZE), 0 };
	ZSTD_DCtx *zstd = ZSTD_createDCtx();

	content.len = ZSTD_decompressDCtx(zstd, content.file, DISK_SIZE, made->file + IMAGE_HEADER,
					  made->len - IMAGE_HEADER - IMAGE_TAIL);
	if (ZSTD_isError(content.len))
		abort();
	ZSTD_freeDCtx(zstd);
	return content;
}

/* Makes an image with that, which tells of BYTES of the disk, at TO. Returns its length. */
static inline size_t wrap(unsigned char *to, size_t max, const unsigned char *content, size_t len, uint64_t bytes,
			  int window, bool checksum)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_inBuffer in = { content, len, 0 };
	ZSTD_outBuffer out = { to, max - IMAGE_TAIL, IMAGE_HEADER };
	size_t left;

	memset(to, 0, IMAGE_HEADER);
	memcpy(to, content, len < IMAGE_HEADER ? len : IMAGE_HEADER);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, checksum);
	/* Its size is not known beforehand, so the window is what was asked for. */
	ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_continue);
	left = ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_end);
	if (left)
		abort();
	ZSTD_freeCCtx(zstd);
	image_put_tail(to + out.pos, bytes);
	return out.pos + IMAGE_TAIL;
}

#endif
