// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an image and checks all of it: the header, the heads, the order and the bounds of
 * the pieces, the checksum of each and of the whole, and the end of the file. A piece is
 * handed out only once its own checksum was right. Nothing of the file is trusted, and
 * memory is taken for a few pieces, whatever the file says.
 *
 * A thread reads ahead. The checksum of a piece is computed, and the piece is unpacked, by
 * this thread or by the taker.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <zstd.h>

#include "base/mem.h"
#include "image/checksum.h"
#include "image/format.h"
#include "image/image.h"
#include "image/read.h"
#include "image/relay.h"

#define BUFFER_ALIGN	65536	/* the largest page; enough for O_DIRECT everywhere */

unsigned char *image_buffer(size_t len)
{
	void *buffer = NULL;

	if (posix_memalign(&buffer, BUFFER_ALIGN, len))
		abort();
	return buffer;
}

static int wrong(struct image_reader *r, const char *what)
{
	r->wrong = what;
	return EBADMSG;
}

/* Reads LEN bytes and then HEAD at AT. Returns 0, an errno, or -1 if the file ends before. */
static int read_parts(int fd, uint64_t at, unsigned char *data, size_t len,
		      unsigned char head[IMAGE_HEAD])
{
	struct iovec iov[2];
	size_t all = len + IMAGE_HEAD, done;
	ssize_t n;

	for (done = 0; done < all; done += n) {
		iov[0] = (struct iovec){ data + done, done < len ? len - done : 0 };
		iov[1].iov_base = head + (done < len ? 0 : done - len);
		iov[1].iov_len = IMAGE_HEAD - (done < len ? 0 : done - len);
		n = preadv(fd, done < len ? iov : iov + 1, done < len ? 2 : 1, at + done);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return n ? errno : -1;
	}
	return 0;
}

/* Decodes the head of a piece that begins at END in the disk or behind it, or the end. */
static const char *get_head(const struct image_header *header, uint64_t end,
			    const unsigned char raw[IMAGE_HEAD], struct image_head *head)
{
	const char *what = image_get_head(raw, head);

	if (what || head->end)
		return what;
	if (head->offset < end)
		return "is no valid image: its pieces are not in order";
	if (head->offset > header->size || head->length > header->size - head->offset)
		return "is no valid image: a piece lies beyond the end of the disk";
	return NULL;
}

/* Reads the next piece and the head behind it. */
static bool fill(void *arg, unsigned int i)
{
	struct image_reader *r = arg;
	struct image_piece *p = &r->ring[i];

	p->head = r->ahead.next;
	p->err = 0;
	p->wrong = NULL;
	if (!p->data)
		p->data = image_buffer(IMAGE_PIECE);
	if (!p->packed && p->head.flags & IMAGE_ZSTD)
		p->packed = image_buffer(IMAGE_PIECE);
	p->err = read_parts(r->fd, r->ahead.at, p->head.flags & IMAGE_ZSTD ? p->packed : p->data,
			    p->head.stored, p->raw);
	if (p->err) {
		p->wrong = p->err < 0 ? "is cut short" : NULL;
		return false;
	}
	r->ahead.at += p->head.stored + IMAGE_HEAD;
	r->ahead.end = p->head.offset + p->head.length;
	/* A head that is wrong ends the reading, and image_next() decodes it again. */
	if (get_head(&r->header, r->ahead.end, p->raw, &r->ahead.next))
		return false;
	return !r->ahead.next.end;
}

/* The frame has to have the bytes of the file and of the piece, neither more nor less. */
static bool unpack(const struct image_piece *p, void *zstd)
{
	static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
	const struct image_head *head = &p->head;
	size_t n = ZSTD_findFrameCompressedSize(p->packed, head->stored);

	/* The library also has decoders for what came before zstd's standard. */
	if (head->stored < sizeof(magic) || memcmp(p->packed, magic, sizeof(magic)))
		return false;
	if (ZSTD_isError(n) || n != head->stored)
		return false;
	n = ZSTD_decompressDCtx(zstd, p->data, head->length, p->packed, head->stored);
	return !ZSTD_isError(n) && n == head->length;
}

static void check(void *arg, unsigned int i, unsigned int hand)
{
	struct image_reader *r = arg;
	struct image_piece *p = &r->ring[i];

	if (p->err)
		return;
	if (p->head.flags & IMAGE_ZSTD) {
		if (!unpack(p, r->zstd[hand]))
			p->wrong = "is damaged: a piece can't be decompressed";
		p->crc = crc32c(0, p->packed, p->head.stored);
	}
	if (!p->wrong && crc32c(0, p->data, p->head.length) != p->head.crc)
		p->wrong = "is damaged: the checksum of a piece is wrong";
	else if (!(p->head.flags & IMAGE_ZSTD))
		p->crc = p->head.crc;
}

/* Takes the head of the next piece, or the end. */
static int take_head(struct image_reader *r, uint64_t end, const unsigned char raw[IMAGE_HEAD])
{
	const char *what = get_head(&r->header, end, raw, &r->next);

	if (what)
		return wrong(r, what);
	r->at += IMAGE_HEAD;
	if (!r->next.end) {
		r->crc = crc32c(r->crc, raw, IMAGE_HEAD);
		return 0;
	}
	if (r->next.pieces != r->pieces || r->next.bytes != r->bytes)
		return wrong(r, "is damaged: pieces are missing");
	if (r->next.crc != r->crc)
		return wrong(r, "is damaged: the checksum of the whole is wrong");
	return 0;
}

/* Finds out that the file ends here. */
static int check_end(struct image_reader *r)
{
	ssize_t n;
	char more;

	do
		n = pread(r->fd, &more, 1, r->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno;
	return n ? wrong(r, "goes on behind its end") : 0;
}

/* Begins anew, with the memory of the time before. */
static int begin(struct image_reader *r, int fd)
{
	unsigned int i;

	relay_stop(&r->relay);
	for (i = 0; i < RELAY_HANDS; i++) {
		if (!r->zstd[i])
			r->zstd[i] = ZSTD_createDCtx();
		if (!r->zstd[i])
			return ENOMEM;
	}
	r->fd = fd;
	r->at = r->pieces = r->bytes = 0;
	r->data = NULL;
	r->wrong = NULL;
	return 0;
}

int image_open(struct image_reader *r, int fd)
{
	static const struct relay_ops ops = { .fill = fill, .work = check };
	unsigned char start[IMAGE_HEADER], head[IMAGE_HEAD];
	const char *what;
	int err = begin(r, fd);

	if (err)
		return err;
	err = read_parts(fd, 0, start, sizeof(start), head);
	/* A file that is no image, and shorter than one, is no image that was cut. */
	if (err < 0 && pread(fd, start, 8, 0) == 8 &&
	    (what = image_get_header(start, &r->header)) && !strcmp(what, "is no image of a disk"))
		return wrong(r, what);
	if (err)
		return err < 0 ? wrong(r, "is cut short") : err;
	what = image_get_header(start, &r->header);
	if (what)
		return wrong(r, what);
	r->at = sizeof(start);
	r->crc = crc32c(0, start, sizeof(start));
	err = take_head(r, 0, head);
	if (err || r->next.end)
		return err;
	r->ahead.at = r->at;
	r->ahead.next = r->next;
	relay_start(&r->relay, &ops, r, !r->alone);
	return 0;
}

int image_next(struct image_reader *r, struct image_head *head)
{
	const struct image_piece *p;

	*head = r->next;
	if (head->end)
		return check_end(r);
	p = &r->ring[relay_take(&r->relay)];
	if (p->wrong)
		return wrong(r, p->wrong);
	if (p->err)
		return p->err;
	r->at += head->stored;
	r->crc = crc32c_join(r->crc, p->crc, head->stored);
	r->pieces++;
	r->bytes += head->length;
	r->data = p->data;
	return take_head(r, head->offset + head->length, p->raw);
}

void image_close(struct image_reader *r)
{
	unsigned int i;

	relay_stop(&r->relay);
	for (i = 0; i < RELAY_HANDS; i++)
		ZSTD_freeDCtx(r->zstd[i]);
	for (i = 0; i < RELAY_ITEMS; i++) {
		free(r->ring[i].data);
		free(r->ring[i].packed);
	}
	memset(r, 0, sizeof(*r));
}
