/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes images at random, for the tests of what reads them. */
#ifndef IMAGE_CHANGE_H
#define IMAGE_CHANGE_H

#include "image_make.h"

#define LEN_MAX		(256 << 10)

static uint64_t seed;
static unsigned char file[LEN_MAX + 65536];
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

/* Finds record N of what a frame has, or the last one that is whole. *SUM: of those before. */
static size_t find_record(const unsigned char *text, size_t size, size_t n, uint64_t *sum)
{
	size_t at = IMAGE_HEADER;
	uint64_t length;

	for (*sum = 0; at + RECORD <= size; at += RECORD + length, n--) {
		length = get(text + at + 8, 8);
		if (!n || !length || length > size || at + 2 * RECORD + length > size)
			return at;
		*sum += length;
	}
	return 0;
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

/* Changes a text somewhere: the file, or what its frame has. Returns its new size. */
static size_t change(unsigned char *text, size_t size, bool is_file)
{
	uint64_t sum;
	size_t at, n;

	switch (below(8)) {
	case 0:
		text[below(size)] ^= 1 << below(8);
		break;
	case 1:
		text[below(size)] = next_random();
		break;
	case 2:
		size = below(size) + 1;
		break;
	case 3:
		n = below(300);
		memset(text + size, next_random(), n);
		size += n;
		break;
	case 4:	/* a field of a record */
		at = is_file ? below(size - 16) : find_record(text, size, below(12), &sum);
		if (at + RECORD <= size)
			put(text + at + 8 * below(2), some_number(), 8);
		break;
	case 5:	/* a field of the header */
		if (size > IMAGE_HEADER + 8)
			put(text + 4 * below(IMAGE_HEADER / 4), some_number(), below(2) ? 4 : 1);
		break;
	case 6:	/* parts again, or in another order */
		at = below(size);
		n = below(size - at < 5000 ? size - at : 5000);
		memmove(text + below(size - n + 1), text + at, n);
		break;
	default: /* a part is missing */
		at = below(size);
		n = below(size - at);
		memmove(text + at, text + at + n, size - at - n);
		size -= n;
	}
	return size > LEN_MAX ? LEN_MAX : size > 17 ? size : 17;
}

/* Images of the disk from which the changes start, and what their frames have. */
static struct made originals[6], contents[6];

static void make_originals(void)
{
	size_t i;

	originals[0] = make_image(0, 1, 1);
	originals[1] = make_image(1, 1, IMAGE_LEVEL_FAST);
	originals[2] = make_image(3, 1, 3);
	originals[3] = make_image(0, 30, 1);
	originals[4] = make_image(1, 3, 19);
	originals[5] = make_image(2000, 48, 1);
	for (i = 0; i < sizeof(originals) / sizeof(*originals); i++)
		contents[i] = content_of(&originals[i]);
}

static void free_originals(void)
{
	size_t i;

	for (i = 0; i < sizeof(originals) / sizeof(*originals); i++) {
		free(originals[i].file);
		free(contents[i].file);
	}
}

static size_t make_unchanged(void)
{
	size_t i = below(sizeof(originals) / sizeof(*originals));

	memcpy(file, originals[i].file, originals[i].len);
	len = originals[i].len;
	return i;
}

/* Changes what the frame has. Its checksum is right, and often the sum of its records too. */
static void change_content(const struct made *content)
{
	static unsigned char text[LEN_MAX + 4096];
	size_t size = content->len, at;
	uint64_t sum;
	int n;

	memcpy(text, content->file, size);
	for (n = 1 + below(2); n; n--)
		size = change(text, size, false);
	at = find_record(text, size, SIZE_MAX, &sum);
	if (at && below(2))
		put(text + at, sum, 8);
	len = wrap(file, sizeof(file), text, size, at ? get(text + at, 8) : 0, 20, below(16));
}

/* Makes the file that belongs to NUMBER. Returns false if the changes have left an original. */
static bool make_changed(uint64_t number)
{
	size_t i;

	seed = number * 0x9e3779b97f4a7c15ULL;
	i = make_unchanged();
	if (below(2))
		change_content(&contents[i]);
	else
		len = change(file, len, true);
	if (!below(8))
		len = change(file, len, true);
	return len != originals[i].len || memcmp(file, originals[i].file, len);
}

#endif
