// SPDX-License-Identifier: GPL-2.0-only
/*
 * Images of disks: what was written is read again, and an image with one wrong bit, or cut
 * anywhere, or with anything behind its end, is refused.
 */
#include <errno.h>

#include "image/format.h"
#include "image/write.h"
#include "image_make.h"
#include "rx_test.h"

static int memory;
static struct image_reader r;

/* Reads all of an image. Returns 0 or an errno; *WRONG is what was said. */
static int read_all(const unsigned char *file, size_t len, const char **wrong)
{
	static unsigned int turn;
	struct image_head head = { 0 };
	int err;

	if (ftruncate(memory, 0) || pwrite(memory, file, len, 0) != (ssize_t)len)
		abort();
	r.alone = turn++ % 2;
	err = image_open(&r, memory);
	while (!err && !head.end)
		err = image_next(&r, &head);
	*wrong = err ? r.wrong : NULL;
	return err;
}

static void comes_back(int level, bool alone)
{
	struct made made = make_image(5, 200, level);
	unsigned char page[IMAGE_PAGE];
	struct image_head head = { 0 };
	unsigned int bad = 0, n, seen = 0, want = 0, at;
	int err;

	if (ftruncate(memory, 0) || pwrite(memory, made.file, made.len, 0) != (ssize_t)made.len)
		abort();
	r.alone = alone;
	err = image_open(&r, memory);
	check(!err && r.header.size == DISK_SIZE && r.header.block == 512 && r.header.saved == 1700000000 &&
	      !memcmp(r.header.boot, "0123456789abcdef", 16), "level %d: the header", level);
	check_str(r.header.disk, "rxd3", "its disk");
	check_str(r.header.host, "host.example", "its host");
	while (!err && !(err = image_next(&r, &head)) && !head.end) {
		for (at = 0; at < head.length; at += IMAGE_PAGE, seen++) {
			fill_page(page, (head.offset + at) / IMAGE_PAGE);
			bad += image_is_zero(page, IMAGE_PAGE) || memcmp(page, r.data + at, IMAGE_PAGE);
		}
	}
	for (n = 5; n < 205; n++)
		want += n % 4 != 0;
	check(!err && !bad && seen == want, "level %d: %u pages of %u, %u wrong", level, seen, want, bad);
	check(r.pieces == head.pieces && r.bytes == (uint64_t)want * IMAGE_PAGE, "the sums");
	free(made.file);
}

/* Pieces before the one that is wrong are handed out, it is not, however far was read ahead. */
static void hands_out_what_is_right(int level, bool alone)
{
	struct made made = make_image(0, 200, level);
	struct image_head head = { 0 };
	unsigned int bad, n, tried = 0, good = 0;
	size_t at = IMAGE_HEADER;
	int err;

	for (bad = 0; !image_get_head(made.file + at, &head) && !head.end; bad++) {
		at += IMAGE_HEAD + head.stored;
		made.file[at - 1] ^= 1;
		if (ftruncate(memory, 0) || pwrite(memory, made.file, made.len, 0) != (ssize_t)made.len)
			abort();
		r.alone = alone;
		err = image_open(&r, memory);
		for (n = 0; !err && !(err = image_next(&r, &head)) && !head.end; n++)
			;
		good += err == EBADMSG && n == bad && r.pieces == bad;
		tried++;
		made.file[at - 1] ^= 1;
	}
	check(tried == 50 && good == tried, "level %d: %u pieces wrong in turn, %u were found", level, tried, good);
	free(made.file);
}

static void refused_if_cut(const struct made *made, const char *name)
{
	const char *wrong;
	size_t len, good = 0, tried = 0;

	for (len = 0; len < made->len; len++, tried++) {
		if (len > 512 && len < made->len - 64)
			len += 31;
		good += read_all(made->file, len, &wrong) == EBADMSG && wrong && strstr(wrong, "cut short");
	}
	check(good == tried, "%s: cut at %zu places, refused %zu times", name, tried, good);
}

static void refused_if_flipped(const struct made *made, const char *name)
{
	const char *wrong;
	size_t at, good = 0, tried = 0;

	for (at = 0; at < made->len * 8; at++, tried++) {
		/* Few bits of the middle of a large piece. */
		if (at > 8 * 512 && at < (made->len - 64) * 8)
			at += 8 * 31;
		made->file[at / 8] ^= 1 << at % 8;
		good += read_all(made->file, made->len, &wrong) == EBADMSG && wrong;
		made->file[at / 8] ^= 1 << at % 8;
	}
	check(good == tried, "%s: each of %zu bits wrong, refused %zu times", name, tried, good);
}

static void refused_if_longer(const struct made *made, const char *name)
{
	unsigned char *more = calloc(1, made->len + 1);
	const char *wrong;

	memcpy(more, made->file, made->len);
	check(!read_all(more, made->len, &wrong), "%s is good", name);
	check(read_all(more, made->len + 1, &wrong) == EBADMSG, "%s: a byte behind its end", name);
	check_str(wrong, "goes on behind its end", "that is said");
	free(more);
}

static void other_versions(void)
{
	struct made made = make_image(0, 4, 0);
	const char *wrong;

	made.file[8] = 2;
	check(read_all(made.file, made.len, &wrong) == EBADMSG && strstr(wrong, "another version"),
	      "a newer version: %s", wrong);
	memcpy(made.file, "RXT of something", 16);
	check(read_all(made.file, made.len, &wrong) == EBADMSG, "another file");
	check_str(wrong, "is no image of a disk", "that is said");
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

/* A run of other pages is a piece, and zeroes are none. */
static void pieces(void)
{
	struct made empty = make_image(4, 1, 0), nothing = make_image(0, 0, 3);
	const char *wrong;

	check(empty.len == IMAGE_HEADER + IMAGE_HEAD && !read_all(empty.file, empty.len, &wrong) && !r.pieces,
	      "zeroes are left out");
	check(nothing.len == IMAGE_HEADER + IMAGE_HEAD && !read_all(nothing.file, nothing.len, &wrong),
	      "nothing");
	free(empty.file);
	free(nothing.file);
}

int main(void)
{
	struct made plain, packed, mixed, empty;
	unsigned int i;

	memory = memory_file();
	for (i = 0; i < 2; i++) {
		comes_back(0, i);
		comes_back(3, i);
		comes_back(19, i);
		hands_out_what_is_right(0, i);
		hands_out_what_is_right(3, i);
	}
	pieces();
	names_of_hosts();
	plain = make_image(1, 1, 0);
	packed = make_image(1, 2, 3);
	mixed = make_image(0, 8, 3);
	empty = make_image(0, 1, 0);
	refused_if_cut(&empty, "empty");
	refused_if_cut(&plain, "plain");
	refused_if_cut(&packed, "packed");
	refused_if_cut(&mixed, "mixed");
	refused_if_flipped(&empty, "empty");
	refused_if_flipped(&packed, "packed");
	refused_if_flipped(&mixed, "mixed");
	refused_if_longer(&plain, "plain");
	refused_if_longer(&packed, "packed");
	other_versions();
	free(plain.file);
	free(packed.file);
	free(mixed.file);
	free(empty.file);
	image_close(&r);
	close(memory);
	return done();
}
