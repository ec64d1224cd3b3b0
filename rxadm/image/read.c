// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an image and checks all of it: the header and its copy, the order and the bounds of
 * the records, their sum, zstd's frame with its checksum, and the end of the file. Nothing
 * of the file is trusted, and it takes little memory, whatever it says.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/sys.h"
#include "base/wait.h"
#include "image/format.h"
#include "image/read.h"

#define HAS_CHECKSUM	4	/* in the byte behind the magic of a frame */

static int wrong(struct image_reader *r, const char *what)
{
	r->wrong = what;
	return EBADMSG;
}

/* Does what sys_read_at() does. A file system may say of its own blocks what we say of an image. */
static ssize_t read_at(int fd, void *to, size_t len, uint64_t at)
{
	ssize_t n = sys_read_at(fd, to, len, at);

	if (n < 0 && errno == EBADMSG)
		errno = EIO;
	return n;
}

/* Reads what follows in the file. */
static int refill(struct image_reader *r)
{
	ssize_t n = read_at(r->fd, r->in, IMAGE_PIECE, r->at);

	if (n <= 0)
		return n ? errno : wrong(r, "is cut short");
	r->at += n;
	r->n = n;
	r->taken = 0;
	return 0;
}

static const char *zstd_says(size_t n)
{
	switch (ZSTD_getErrorCode(n)) {
	case ZSTD_error_checksum_wrong:
		return "is damaged: its checksum is wrong";
	case ZSTD_error_frameParameter_windowTooLarge:
		return "is no valid image: its window has more than 8 MiB";
	default:
		return "is damaged: it can't be decompressed";
	}
}

/* Decodes some bytes. Sets r->done at the end of the frame, whose checksum was right. */
static int decode_some(struct image_reader *r, ZSTD_outBuffer *out)
{
	ZSTD_inBuffer in = { r->in, r->n, r->taken };
	size_t before = out->pos, n;
	int err = 0;

	if (r->done)
		return wrong(r, "is damaged: pieces are missing");
	if (r->taken == r->n) {
		err = refill(r);
		if (err)
			return err;
		in = (ZSTD_inBuffer){ r->in, r->n, 0 };
	}
	n = ZSTD_decompressStream(r->zstd, out, &in);
	r->work += in.pos - r->taken + out->pos - before;
	r->taken = in.pos;
	if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
		return ENOMEM;
	if (ZSTD_isError(n))
		return wrong(r, zstd_says(n));
	r->done = !n;
	if (r->work < IMAGE_PIECE)
		return 0;
	r->work = 0;
	return signals_pending() ? EINTR : 0;
}

static int decode(struct image_reader *r, void *to, size_t len)
{
	ZSTD_outBuffer out = { to, len, 0 };
	int err = 0;

	while (!err && out.pos < len)
		err = decode_some(r, &out);
	return err;
}

/* Finds out that the frame and the file end here. */
static int check_end(struct image_reader *r)
{
	unsigned char tail[IMAGE_TAIL], found[IMAGE_TAIL + 1];
	ZSTD_outBuffer out = { found, 1, 0 };
	ssize_t n;
	int err;

	while (!r->done) {
		err = decode_some(r, &out);
		if (!err && out.pos)
			err = wrong(r, "is damaged: it has more than its last record tells");
		if (err)
			return err;
	}
	r->at -= r->n - r->taken;
	n = read_at(r->fd, found, sizeof(found), r->at);
	if (n < IMAGE_TAIL)
		return n < 0 ? errno : wrong(r, "is cut short");
	image_put_tail(tail, r->bytes);
	if (memcmp(tail, found, sizeof(tail)))
		return wrong(r, "is damaged: it does not end as it should");
	r->at += IMAGE_TAIL;
	return n > IMAGE_TAIL ? wrong(r, "goes on behind its end") : 0;
}

/* Begins anew, with the memory of the time before. */
static int begin(struct image_reader *r, int fd)
{
	if (!r->data) {
		r->data = image_buffer(IMAGE_PIECE);
		r->in = image_buffer(IMAGE_PIECE);
		r->zstd = ZSTD_createDCtx();
	}
	if (!r->zstd)
		return ENOMEM;
	ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_and_parameters);
	ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, IMAGE_WINDOW);
	*r = (struct image_reader){ .fd = fd, .data = r->data, .in = r->in, .zstd = r->zstd };
	return 0;
}

/* The library also skips frames, and has decoders for what came before zstd's standard. */
static const char *check_frame(const struct image_reader *r)
{
	static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (r->n <= sizeof(magic))
		return "is cut short";
	if (memcmp(r->in, magic, sizeof(magic)))
		return "is damaged: no frame of zstd is where it should be";
	return r->in[sizeof(magic)] & HAS_CHECKSUM ? NULL : "is damaged: its frame has no checksum";
}

int image_open(struct image_reader *r, int fd)
{
	unsigned char start[IMAGE_HEADER] = { 0 }, copy[IMAGE_HEADER];
	const char *what;
	ssize_t n;
	int err = begin(r, fd);

	if (err)
		return err;
	n = read_at(fd, start, sizeof(start), 0);
	if (n < 0)
		return errno;
	what = image_get_header(start, &r->header);
	/* A file that is no image, and shorter than a header, is no image that was cut. */
	if (n < IMAGE_HEADER && (n < 16 || !what || strcmp(what, "is no image of a disk")))
		what = "is cut short";
	if (what)
		return wrong(r, what);
	r->at = IMAGE_HEADER;
	err = refill(r);
	what = err ? NULL : check_frame(r);
	if (err || what)
		return err ? err : wrong(r, what);
	err = decode(r, copy, sizeof(copy));
	return !err && memcmp(start, copy, sizeof(copy)) ?
	       wrong(r, "is damaged: its header is not what was saved") : err;
}

int image_next(struct image_reader *r, struct image_record *record)
{
	struct image_record raw;
	int err = decode(r, &raw, sizeof(raw));

	if (err)
		return err;
	record->offset = le64toh(raw.offset);
	record->length = le64toh(raw.length);
	if (!record->length)
		return record->offset == r->bytes ? check_end(r) :
		       wrong(r, "is damaged: pieces are missing");
	if (record->length > IMAGE_PIECE || record->length % IMAGE_PAGE ||
	    record->offset % IMAGE_PAGE)
		return wrong(r, "is damaged: a piece has a wrong length or offset");
	if (record->offset < r->end)
		return wrong(r, "is damaged: its pieces are not in order");
	if (record->offset > r->header.size || record->length > r->header.size - record->offset)
		return wrong(r, "is damaged: a piece lies beyond the end of the disk");
	err = decode(r, r->data, record->length);
	if (err)
		return err;
	r->end = record->offset + record->length;
	r->bytes += record->length;
	return 0;
}

void image_close(struct image_reader *r)
{
	ZSTD_freeDCtx(r->zstd);
	free(r->data);
	free(r->in);
	*r = (struct image_reader){ .fd = -1 };
}

bool image_tail(int fd, uint64_t size, uint64_t *bytes)
{
	unsigned char found[IMAGE_TAIL], tail[IMAGE_TAIL];

	if (size < IMAGE_HEADER + IMAGE_TAIL ||
	    read_at(fd, found, sizeof(found), size - sizeof(found)) != sizeof(found))
		return false;
	memcpy(bytes, found + 8, sizeof(*bytes));
	*bytes = le64toh(*bytes);
	image_put_tail(tail, *bytes);
	return !memcmp(found, tail, sizeof(tail));
}
