/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes images at random, for the tests of what reads them. */
#ifndef IMAGE_CHANGE_H
#define IMAGE_CHANGE_H

#include "image/checksum.h"
#include "image_make.h"

#define LEN_MAX		(256 << 10)

static uint64_t seed;
static unsigned char file[LEN_MAX + 4096];
static size_t len;

static uint64_t next_random(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 24;
}

static uint64_t below(uint64_t n)
{
	return n ? next_random() % n : 0;
}

static uint64_t get(const unsigned char *from, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | from[bytes];
	return value;
}

static void put(unsigned char *to, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*to++ = value & 255;
}

/* Makes the checksums right along the heads as far as they make sense, those of pieces too. */
static void mend(bool of_pieces)
{
	uint32_t whole;
	size_t at, stored, i;

	if (len < IMAGE_HEADER + IMAGE_HEAD)
		return;
	put(file + IMAGE_HEADER - 4, crc32c(0, file, IMAGE_HEADER - 4), 4);
	whole = crc32c(0, file, IMAGE_HEADER);
	for (i = 0, at = IMAGE_HEADER; at + IMAGE_HEAD <= len; i++) {
		if (!memcmp(file + at, "DONE", 4))
			put(file + at + 24, whole, 4);
		stored = get(file + at + 20, 4);
		if (of_pieces && !(file[at + 4] & 1) && at + IMAGE_HEAD + stored <= len)
			put(file + at + 24, crc32c(0, file + at + IMAGE_HEAD, stored), 4);
		put(file + at + 28, crc32c(0, file + at, 28), 4);
		if (!memcmp(file + at, "DONE", 4) || at + IMAGE_HEAD + stored > len)
			return;
		whole = crc32c(whole, file + at, IMAGE_HEAD + stored);
		at += IMAGE_HEAD + stored;
	}
}

/* Finds a head at random, or the header. */
static size_t some_head(void)
{
	size_t at = IMAGE_HEADER, n = below(12);

	while (n-- && at + IMAGE_HEAD <= len && memcmp(file + at, "DONE", 4) &&
	       at + 2 * IMAGE_HEAD + get(file + at + 20, 4) <= len)
		at += IMAGE_HEAD + get(file + at + 20, 4);
	return at + IMAGE_HEAD <= len ? at : 0;
}

static uint64_t some_number(void)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 511, 512, 4095, 4096, 4097, 8192, 1 << 20, (1 << 20) + 4096, DISK_SIZE - 4096,
		DISK_SIZE, DISK_SIZE + 4096, 0x7fffffff, 0xffffffff, 0xfffff000, 1ULL << 62,
		0xfffffffffffff000, 0x7ffffffffffff000, UINT64_MAX,
	};

	return below(3) ? numbers[below(sizeof(numbers) / sizeof(*numbers))] : next_random();
}

/* Changes the file somewhere. */
static void change(void)
{
	size_t at, n;

	switch (below(9)) {
	case 0:
		file[below(len)] ^= 1 << below(8);
		break;
	case 1:
		file[below(len)] = next_random();
		break;
	case 2:
		len = below(len) + 1;
		break;
	case 3:
		n = below(300);
		memset(file + len, next_random(), n);
		len += n;
		break;
	case 4:	/* a field of a head */
		at = some_head();
		n = below(2) ? 8 : 4;
		put(file + at + n * below(IMAGE_HEAD / n), some_number(), n);
		break;
	case 5:	/* a field of the header */
		put(file + 4 * below(IMAGE_HEADER / 4), some_number(), below(2) ? 4 : 1);
		break;
	case 6:	/* parts again, or in another order */
		at = below(len);
		n = below(len - at < 5000 ? len - at : 5000);
		memmove(file + below(len - n + 1), file + at, n);
		break;
	case 7:	/* a part is missing */
		at = below(len);
		n = below(len - at);
		memmove(file + at, file + at + n, len - at - n);
		len -= n;
		break;
	default:	/* inside what is stored */
		at = some_head();
		if (at)
			file[at + below(len - at)] ^= 1 << below(8);
	}
	if (len > LEN_MAX)
		len = LEN_MAX;
	if (!len)
		len = 1;
}

/* Images of the disk from which the changes start. */
static struct made originals[7];

static void make_originals(void)
{
	originals[0] = make_image(0, 1, 0);
	originals[1] = make_image(1, 1, 0);
	originals[2] = make_image(1, 1, 3);
	originals[3] = make_image(0, 30, 0);
	originals[4] = make_image(0, 30, 3);
	originals[5] = make_image(1, 3, 19);
	originals[6] = make_image(2000, 48, 1);
}

static void free_originals(void)
{
	size_t i;

	for (i = 0; i < sizeof(originals) / sizeof(*originals); i++)
		free(originals[i].file);
}

static const struct made *make_unchanged(void)
{
	const struct made *made = &originals[below(sizeof(originals) / sizeof(*originals))];

	memcpy(file, made->file, made->len);
	len = made->len;
	return made;
}

/* Makes the file that belongs to NUMBER. Returns false if the changes have left an original. */
static bool make_changed(uint64_t number)
{
	const struct made *made;
	int n;

	seed = number * 0x9e3779b97f4a7c15ULL;
	made = make_unchanged();
	for (n = 1 + below(3); n; n--)
		change();
	if (below(4))
		mend(below(2));
	return len != made->len || memcmp(file, made->file, len);
}

#endif
