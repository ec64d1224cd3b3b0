// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes and decodes the header and the tail of an image, which are skippable frames to
 * zstd. All numbers are little-endian.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "image/format.h"

#define VERSION		1
#define SIZE_MAX_DISK	(1ULL << 62)
#define BUFFER_ALIGN	65536	/* the largest page; enough for O_DIRECT everywhere */

/* A frame that zstd skips, its length, and bytes that a transfer as text would change. */
static const unsigned char magic[16] = "\x50\x2a\x4d\x18\xf8\0\0\0\x89RXIMG\r\n";
static const unsigned char tail_magic[8] = "\x50\x2a\x4d\x18\x08\0\0";

struct raw_header {
	unsigned char magic[16];
	uint32_t version, block;
	uint64_t size, saved;
	unsigned char boot[16];
	char disk[RX_NAME_LEN], host[65];
	unsigned char zeroes[103];
};

_Static_assert(sizeof(struct raw_header) == IMAGE_HEADER, "the header has no gaps");

unsigned char *image_buffer(size_t len)
{
	void *buffer = NULL;

	if (posix_memalign(&buffer, BUFFER_ALIGN, len))
		abort();
	return buffer;
}

bool image_is_zero(const unsigned char *data, size_t len)
{
	return !len || (!*data && !memcmp(data, data + 1, len - 1));
}

/* A text fills its field up with zeroes, at least one. */
static bool is_text(const char *from, size_t len)
{
	size_t n = strnlen(from, len), i;

	for (i = 0; i < n; i++)
		if (from[i] <= ' ' || (unsigned char)from[i] >= 0x7f)
			return false;
	return n < len && image_is_zero((const unsigned char *)from + n, len - n);
}

/* A char is unsigned on ARM and others. */
void image_clean(char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || (unsigned char)*text >= 0x7f)
			*text = '?';
}

void image_put_header(unsigned char *to, const struct image_header *header)
{
	struct raw_header raw = { .version = htole32(VERSION), .block = htole32(header->block),
				  .size = htole64(header->size), .saved = htole64(header->saved) };

	memcpy(raw.magic, magic, sizeof(magic));
	memcpy(raw.boot, header->boot, sizeof(raw.boot));
	memcpy(raw.disk, header->disk, strnlen(header->disk, sizeof(raw.disk) - 1));
	memcpy(raw.host, header->host, strnlen(header->host, sizeof(raw.host) - 1));
	memcpy(to, &raw, sizeof(raw));
}

const char *image_get_header(const unsigned char *from, struct image_header *header)
{
	struct raw_header raw;

	memcpy(&raw, from, sizeof(raw));
	if (memcmp(raw.magic, magic, sizeof(magic)))
		return "is no image of a disk";
	if (le32toh(raw.version) != VERSION)
		return "has another version of the format; use the rxadm that made it, or a newer one";
	*header = (struct image_header){ .size = le64toh(raw.size), .block = le32toh(raw.block),
					 .saved = le64toh(raw.saved) };
	if (!image_is_zero(raw.zeroes, sizeof(raw.zeroes)) ||
	    !is_text(raw.disk, sizeof(raw.disk)) || !is_text(raw.host, sizeof(raw.host)))
		return "is damaged: its header has wrong fields";
	if (!header->size || header->size % IMAGE_PAGE || header->size > SIZE_MAX_DISK ||
	    (header->block != 512 && header->block != IMAGE_PAGE))
		return "is damaged: no disk has its size or block size";
	memcpy(header->boot, raw.boot, sizeof(header->boot));
	memcpy(header->disk, raw.disk, sizeof(header->disk));
	memcpy(header->host, raw.host, sizeof(header->host));
	return NULL;
}

void image_put_tail(unsigned char *to, uint64_t bytes)
{
	bytes = htole64(bytes);
	memcpy(to, tail_magic, sizeof(tail_magic));
	memcpy(to + sizeof(tail_magic), &bytes, sizeof(bytes));
}
