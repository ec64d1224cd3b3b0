// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes images at random and reads them, with ASan and UBSan: an image from anywhere can
 * do no more than fail. After a change the checksums are often made right again, so that the
 * reader goes on behind them. What it takes must be in order, inside the disk and of the
 * length and checksum that are told.
 *
 * RX_FUZZ_SECONDS is how long it runs, 2 if it is not set, and RX_FUZZ_SEED the first number.
 */
#include <errno.h>

#include "checksum.h"
#include "image_make.h"
#include "rx_test.h"
#include "wait.h"

#define LEN_MAX		(256 << 10)

static uint64_t seed;
static unsigned char file[LEN_MAX + 4096];
static size_t len;
static unsigned long runs, taken, pieces, refused, unmade;

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

/* Reads the file. Returns false if it took what it must not take. */
static bool reads(int fd, bool last)
{
	uint64_t end = 0, bytes = 0, n = 0;
	struct image_head head = { 0 };
	static struct image_reader r;
	bool good = true;
	int err;

	if (ftruncate(fd, 0) || pwrite(fd, file, len, 0) != (ssize_t)len)
		abort();
	/* To start a thread takes longer than to read most images. */
	r.alone = below(16);
	err = image_open(&r, fd);
	while (!err && good && !(err = image_next(&r, &head)) && !head.end) {
		good = head.offset >= end && head.length && head.length <= IMAGE_PIECE &&
		       head.offset + head.length <= r.header.size &&
		       head.offset + head.length > head.offset &&
		       crc32c(0, r.data, head.length) == head.crc;
		end = head.offset + head.length;
		bytes += head.length;
		n++;
	}
	pieces += n;
	if (err) {
		refused++;
		good = good && err == EBADMSG && r.wrong;
	} else {
		taken++;
		good = good && head.pieces == n && head.bytes == bytes && len == r.at;
	}
	if (last)
		image_close(&r);
	return good;
}

int main(void)
{
	const char *seconds = getenv("RX_FUZZ_SECONDS"), *first = getenv("RX_FUZZ_SEED");
	struct made images[] = {
		make_image(0, 1, 0), make_image(1, 1, 0), make_image(1, 1, 3), make_image(0, 30, 0),
		make_image(0, 30, 3), make_image(1, 3, 19), make_image(2000, 48, 1),
	};
	uint64_t begun = first ? strtoull(first, NULL, 10) : 1, at;
	int64_t end = now_ms() + (seconds ? atoll(seconds) : 2) * 1000, shown = now_ms();
	const struct made *made;
	int fd = memory_file(), n;
	bool good = true;

	for (at = begun; good && now_ms() < end; at++) {
		seed = at * 0x9e3779b97f4a7c15ULL;
		made = &images[below(sizeof(images) / sizeof(*images))];
		memcpy(file, made->file, made->len);
		len = made->len;
		for (n = 1 + below(3); n; n--)
			change();
		if (below(4))
			mend(below(2));
		unmade += len == made->len && !memcmp(file, made->file, len);
		good = reads(fd, false);
		runs++;
		if (seconds && now_ms() - shown > 10000) {
			shown = now_ms();
			printf("# %lu images, %lu taken, %lu refused, %lu pieces read\n", runs, taken, refused, pieces);
			fflush(stdout);
		}
	}
	printf("# %lu images, %lu of them unchanged; %lu taken, %lu refused, %lu pieces read\n", runs, unmade,
	       taken, refused, pieces);
	check(good, "seeds %llu to %llu", (unsigned long long)begun, (unsigned long long)at - 1);
	check(taken > runs / 100 && refused > runs / 2, "some are taken, and most are not");
	reads(fd, true);
	for (n = 0; n < (int)(sizeof(images) / sizeof(*images)); n++)
		free(images[n].file);
	close(fd);
	return done();
}
