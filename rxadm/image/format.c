// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes and decodes the header of an image, the heads of its pieces and its end. All
 * numbers are little-endian; the offsets below are those of rx-image(5). Decoding checks
 * everything that can be checked without the other parts of the file.
 */
#include <stdlib.h>
#include <string.h>

#include "image/checksum.h"
#include "image/format.h"
#include "image/image.h"

#define VERSION		1
#define HEADER_CRC	(IMAGE_HEADER - 4)
#define HEAD_CRC	(IMAGE_HEAD - 4)
#define SIZE_MAX_DISK	(1ULL << 62)

/* A transfer that treats the file as text changes it. */
static const char magic[8] = "\x89RXIMG\r\n";
static const char piece_magic[4] = "PIEC", end_magic[4] = "DONE";

static void put(unsigned char *to, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*to++ = value & 255;
}

static uint64_t get(const unsigned char *from, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | from[bytes];
	return value;
}

/* A text fills its field up with zeroes, at least one. */
static bool is_text(const unsigned char *from, size_t len)
{
	size_t n = strnlen((const char *)from, len), i;

	for (i = 0; i < n; i++)
		if (from[i] <= ' ' || from[i] >= 0x7f)
			return false;
	return n < len && image_is_zero(from + n, len - n);
}

/* A char is unsigned on ARM and others. */
void image_clean(char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || (unsigned char)*text >= 0x7f)
			*text = '?';
}

bool image_is_zero(const unsigned char *data, size_t len)
{
	return !len || (!*data && !memcmp(data, data + 1, len - 1));
}

void image_put_header(unsigned char *to, const struct image_header *header)
{
	memset(to, 0, IMAGE_HEADER);
	memcpy(to, magic, sizeof(magic));
	put(to + 8, VERSION, 4);
	put(to + 12, IMAGE_HEADER, 4);
	put(to + 16, header->size, 8);
	put(to + 24, header->block, 4);
	put(to + 32, header->saved, 8);
	memcpy(to + 40, header->boot, sizeof(header->boot));
	memcpy(to + 56, header->disk, strnlen(header->disk, RX_NAME_LEN - 1));
	memcpy(to + 88, header->host, strnlen(header->host, sizeof(header->host) - 1));
	put(to + HEADER_CRC, crc32c(0, to, HEADER_CRC), 4);
}

const char *image_get_header(const unsigned char *from, struct image_header *header)
{
	if (memcmp(from, magic, sizeof(magic)))
		return "is no image of a disk";
	if (get(from + 8, 4) != VERSION)
		return "has another version of the format; use the rxadm that made it, or a newer one";
	if (get(from + HEADER_CRC, 4) != crc32c(0, from, HEADER_CRC))
		return "is damaged: the checksum of its header is wrong";
	*header = (struct image_header){ .size = get(from + 16, 8), .block = get(from + 24, 4),
					 .saved = get(from + 32, 8) };
	if (get(from + 12, 4) != IMAGE_HEADER || !image_is_zero(from + 28, 4) ||
	    !image_is_zero(from + 153, HEADER_CRC - 153) ||
	    !is_text(from + 56, RX_NAME_LEN) || !is_text(from + 88, sizeof(header->host)))
		return "is no valid image: its header has wrong fields";
	if (!header->size || header->size % IMAGE_PAGE || header->size > SIZE_MAX_DISK ||
	    (header->block != 512 && header->block != IMAGE_PAGE))
		return "is no valid image: no disk has its size or block size";
	memcpy(header->boot, from + 40, sizeof(header->boot));
	memcpy(header->disk, from + 56, sizeof(header->disk));
	memcpy(header->host, from + 88, sizeof(header->host));
	return NULL;
}

void image_put_head(unsigned char *to, const struct image_head *head)
{
	memset(to, 0, IMAGE_HEAD);
	memcpy(to, head->end ? end_magic : piece_magic, 4);
	if (head->end) {
		put(to + 8, head->pieces, 8);
		put(to + 16, head->bytes, 8);
	} else {
		put(to + 4, head->flags, 4);
		put(to + 8, head->offset, 8);
		put(to + 16, head->length, 4);
		put(to + 20, head->stored, 4);
	}
	put(to + 24, head->crc, 4);
	put(to + HEAD_CRC, crc32c(0, to, HEAD_CRC), 4);
}

const char *image_get_head(const unsigned char *from, struct image_head *head)
{
	bool end = !memcmp(from, end_magic, 4);

	if (!end && memcmp(from, piece_magic, 4))
		return "is damaged: a piece does not begin where it should";
	if (get(from + HEAD_CRC, 4) != crc32c(0, from, HEAD_CRC))
		return "is damaged: the checksum of a piece's head is wrong";
	*head = (struct image_head){ .end = end, .flags = get(from + 4, 4),
				     .crc = get(from + 24, 4) };
	if (end) {
		head->pieces = get(from + 8, 8);
		head->bytes = get(from + 16, 8);
		return head->flags ? "is no valid image: its end has unknown flags" : NULL;
	}
	head->offset = get(from + 8, 8);
	head->length = get(from + 16, 4);
	head->stored = get(from + 20, 4);
	if (head->flags & ~IMAGE_ZSTD)
		return "has pieces of a newer form; use a newer rxadm";
	if (!head->length || head->length > IMAGE_PIECE || head->length % IMAGE_PAGE ||
	    head->offset % IMAGE_PAGE || !head->stored ||
	    (head->flags & IMAGE_ZSTD ? head->stored >= head->length :
					head->stored != head->length))
		return "is no valid image: a piece has a wrong length or offset";
	return NULL;
}
