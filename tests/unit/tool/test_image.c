// SPDX-License-Identifier: GPL-2.0-only
/*
 * Images of disks: what was written is read again, and an image that is cut anywhere, or
 * with anything behind its end, is refused. One with a wrong bit is refused, unless it is
 * another form of the same content.
 */
#include <errno.h>

#include "image_make.h"
#include "rx_test.h"

static int memory;
static struct image_reader r;
/* No image here has more, unless it is damaged. */
static unsigned char disk[IMAGE_PIECE], saved[IMAGE_PIECE];

/* Reads all of an image into DISK. Returns 0 or an errno. */
static int read_all(const unsigned char *file, size_t len)
{
	struct image_record record = { .length = 1 };
	int err;

	set_file(memory, file, len);
	memset(disk, 0, sizeof(disk));
	err = image_open(&r, memory);
	while (!err && record.length) {
		err = image_next(&r, &record);
		if (!err && record.length && record.offset + record.length <= sizeof(disk))
			memcpy(disk + record.offset, r.data, record.length);
	}
	return err;
}

static bool refused(const unsigned char *file, size_t len, const char *words)
{
	return read_all(file, len) == EBADMSG && r.wrong && strstr(r.wrong, words);
}

static bool is_header(const struct image_header *h)
{
	return h->size == DISK_SIZE && h->block == 512 && h->saved == 1700000000 && !strcmp(h->disk, "rxd3") &&
	       !strcmp(h->host, "host.example") && !memcmp(h->boot, "0123456789abcdef", 16);
}

static void comes_back(int level)
{
	struct made made = make_image(5, 200, level);
	uint64_t want = 0, bytes = 0;
	unsigned int n;
	int err = read_all(made.file, made.len);

	memset(saved, 0, sizeof(saved));
	for (n = 5; n < 205; n++) {
		fill_page(saved + n * IMAGE_PAGE, n);
		want += n % 4 ? IMAGE_PAGE : 0;
	}
	check(!err && is_header(&r.header), "level %d: the header", level);
	check(!memcmp(disk, saved, sizeof(disk)) && r.bytes == want, "level %d: the bytes", level);
	check(r.at == made.len && image_tail(memory, made.len, &bytes) && bytes == want, "level %d: its tail", level);
	free(made.file);
}

static void refused_if_cut(const struct made *made, const char *name)
{
	size_t len, good = 0, tried = 0;

	for (len = 0; len < made->len; len++, tried++) {
		if (len > 512 && len < made->len - 64)
			len += 31;
		good += refused(made->file, len, "cut short");
	}
	check(good == tried, "%s: cut at %zu places, refused %zu times", name, tried, good);
}

static void refused_if_flipped(const struct made *made, const char *name)
{
	size_t at, bad = 0, same = 0, tried = 0;

	check(!read_all(made->file, made->len), "%s is good", name);
	memcpy(saved, disk, sizeof(saved));
	for (at = 0; at < made->len * 8; at++, tried++) {
		/* Few bits of the middle of noise. */
		if (at > 8 * 512 && at < (made->len - 64) * 8)
			at += 8 * 31;
		made->file[at / 8] ^= 1 << at % 8;
		if (!read_all(made->file, made->len)) {
			same++;
			bad += !is_header(&r.header) || r.end > sizeof(disk) || memcmp(disk, saved, sizeof(disk));
		} else {
			bad += !r.wrong;
		}
		made->file[at / 8] ^= 1 << at % 8;
	}
	check(!bad && same < 64, "%s: each of %zu bits wrong, %zu give the same content, and %zu another", name, tried,
	      same, bad);
}

static void refused_if_longer(const struct made *made, const char *name)
{
	unsigned char *more = calloc(2, made->len);

	memcpy(more, made->file, made->len);
	check(refused(more, made->len + 1, "goes on behind its end"), "%s: a byte behind its end", name);
	memcpy(more + made->len, made->file, made->len);
	check(refused(more, 2 * made->len, "goes on behind its end"), "%s twice", name);
	free(more);
}

static void other_files(void)
{
	struct made made = make_image(0, 4, 1);

	made.file[16] = 2;
	check(refused(made.file, made.len, "another version"), "a newer version: %s", r.wrong);
	memcpy(made.file, "RXT of something", 16);
	check(refused(made.file, made.len, "is no image of a disk"), "another file: %s", r.wrong);
	check(refused(made.file, 20, "is no image of a disk"), "a short one: %s", r.wrong);
	free(made.file);
}

/* On ARM a char is unsigned. */
static void names_of_hosts(void)
{
	struct image_header header = { .size = DISK_SIZE, .block = 512, .disk = "rxd0" }, got;
	unsigned char file[IMAGE_HEADER];
	unsigned int c, bad = 0;

	for (c = 1; c < 256; c++) {
		snprintf(header.host, sizeof(header.host), "a%cb", (char)c);
		image_clean(header.host);
		image_put_header(file, &header);
		bad += image_get_header(file, &got) || strcmp(got.host, header.host);
	}
	check(!bad, "%u bytes in the name of a host make an image that can't be read", bad);
}

/* A run of other pages is a record, and zeroes are in none. */
static void zeroes(void)
{
	struct made empty = make_image(4, 1, 3), nothing = make_image(0, 0, 3), content = content_of(&empty);

	check(!read_all(empty.file, empty.len) && !r.bytes && content.len == IMAGE_HEADER + RECORD,
	      "zeroes are left out");
	check(!read_all(nothing.file, nothing.len) && !r.bytes, "nothing");
	free(empty.file);
	free(nothing.file);
	free(content.file);
}

/* An image may be compressed anew, by whatever the reader has memory for. */
static void other_frames(void)
{
	static unsigned char file[1 << 20];
	struct made made = make_image(0, 30, 1), content = content_of(&made);
	size_t len, n = content.len;
	uint64_t bytes = 22 * IMAGE_PAGE;

	len = wrap(file, sizeof(file), content.file, n, bytes, 23, true);
	check(!read_all(file, len), "a window of 8 MiB");
	len = wrap(file, sizeof(file), content.file, n, bytes, 24, true);
	check(refused(file, len, "its window"), "one of 16 MiB: %s", r.wrong);
	len = wrap(file, sizeof(file), content.file, n, bytes, 20, false);
	check(refused(file, len, "no checksum"), "no checksum: %s", r.wrong);
	len = wrap(file, sizeof(file), content.file, n, bytes + 4096, 20, true);
	check(refused(file, len, "does not end as it should"), "another sum at the end: %s", r.wrong);
	len = wrap(file, sizeof(file), content.file, n - RECORD, bytes, 20, true);
	check(refused(file, len, "pieces are missing"), "no last record: %s", r.wrong);
	content.file[n] = 0;
	len = wrap(file, sizeof(file), content.file, n + 1, bytes, 20, true);
	check(refused(file, len, "more than its last record"), "a byte behind it: %s", r.wrong);
	len = wrap(file, sizeof(file), content.file, n, bytes, 20, true);
	file[26] ^= 1;
	check(refused(file, len, "not what was saved"), "another size in the header: %s", r.wrong);
	free(content.file);
	free(made.file);
}

int main(void)
{
	struct made plain, packed, mixed, empty;

	memory = memory_file();
	comes_back(IMAGE_LEVEL_FAST);
	comes_back(1);
	comes_back(19);
	zeroes();
	names_of_hosts();
	other_frames();
	plain = make_image(3, 1, IMAGE_LEVEL_FAST);
	packed = make_image(1, 2, 3);
	mixed = make_image(0, 8, 1);
	empty = make_image(0, 1, 1);
	refused_if_cut(&empty, "empty");
	refused_if_cut(&plain, "plain");
	refused_if_cut(&packed, "packed");
	refused_if_cut(&mixed, "mixed");
	refused_if_flipped(&empty, "empty");
	refused_if_flipped(&plain, "plain");
	refused_if_flipped(&packed, "packed");
	refused_if_flipped(&mixed, "mixed");
	refused_if_longer(&plain, "plain");
	refused_if_longer(&packed, "packed");
	other_files();
	free(plain.file);
	free(packed.file);
	free(mixed.file);
	free(empty.file);
	image_close(&r);
	close(memory);
	return done();
}
