// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads an image and checks all of it: the header, the heads, the order and the bounds of
 * the pieces, the checksum of each and of the whole, and the end of the file. A piece is
 * handed out only once its own checksum was right. Nothing of the file is trusted, and
 * memory is taken for one piece, whatever the file says.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <zstd.h>

#include "checksum.h"
#include "image.h"
#include "mem.h"

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

/* Reads LEN bytes and then HEAD. */
static int read_parts(struct image_reader *r, unsigned char *data, size_t len,
		      unsigned char head[IMAGE_HEAD])
{
	struct iovec iov[2];
	size_t all = len + IMAGE_HEAD, done;
	ssize_t n;

	for (done = 0; done < all; done += n) {
		iov[0] = (struct iovec){ data + done, done < len ? len - done : 0 };
		iov[1].iov_base = head + (done < len ? 0 : done - len);
		iov[1].iov_len = IMAGE_HEAD - (done < len ? 0 : done - len);
		n = preadv(r->fd, done < len ? iov : iov + 1, done < len ? 2 : 1, r->at + done);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return errno;
		else if (!n)
			return wrong(r, "is cut short");
	}
	r->at += all;
	return 0;
}

/* Takes the head of the next piece, or the end. */
static int take_head(struct image_reader *r, const unsigned char head[IMAGE_HEAD])
{
	const char *what = image_get_head(head, &r->next);

	if (what)
		return wrong(r, what);
	if (r->next.end) {
		if (r->next.pieces != r->pieces || r->next.bytes != r->bytes)
			return wrong(r, "is damaged: pieces are missing");
		if (r->next.crc != r->crc)
			return wrong(r, "is damaged: the checksum of the whole is wrong");
		return 0;
	}
	if (r->next.offset < r->end)
		return wrong(r, "is no valid image: its pieces are not in order");
	if (r->next.offset > r->header.size ||
	    r->next.length > r->header.size - r->next.offset)
		return wrong(r, "is no valid image: a piece lies beyond the end of the disk");
	r->end = r->next.offset + r->next.length;
	r->crc = crc32c(r->crc, head, IMAGE_HEAD);
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

int image_open(struct image_reader *r, int fd)
{
	unsigned char start[IMAGE_HEADER], head[IMAGE_HEAD];
	const char *what;
	int err;

	if (!r->data) {
		r->data = image_buffer(IMAGE_PIECE);
		r->packed = image_buffer(IMAGE_PIECE);
		r->zstd = ZSTD_createDCtx();
	}
	*r = (struct image_reader){ .fd = fd, .data = r->data, .packed = r->packed,
				    .zstd = r->zstd };
	if (!r->zstd)
		return ENOMEM;
	err = read_parts(r, start, sizeof(start), head);
	/* A file that is no image, and shorter than one, is no image that was cut. */
	if (err == EBADMSG && pread(fd, start, 8, 0) == 8 &&
	    (what = image_get_header(start, &r->header)) && !strcmp(what, "is no image of a disk"))
		return wrong(r, what);
	if (err)
		return err;
	what = image_get_header(start, &r->header);
	if (what)
		return wrong(r, what);
	r->crc = crc32c(0, start, sizeof(start));
	return take_head(r, head);
}

/* The frame has to have the bytes of the file and of the piece, neither more nor less. */
static int unpack(struct image_reader *r, const struct image_head *head)
{
	static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
	size_t n = ZSTD_findFrameCompressedSize(r->packed, head->stored);

	/* The library also has decoders for what came before zstd's standard. */
	if (head->stored < sizeof(magic) || memcmp(r->packed, magic, sizeof(magic)))
		n = 0;
	if (!ZSTD_isError(n) && n == head->stored)
		n = ZSTD_decompressDCtx(r->zstd, r->data, head->length, r->packed, head->stored);
	else
		n = 0;
	return ZSTD_isError(n) || n != head->length ?
	       wrong(r, "is damaged: a piece can't be decompressed") : 0;
}

int image_next(struct image_reader *r, struct image_head *piece)
{
	unsigned char head[IMAGE_HEAD];
	bool packed;
	int err;

	*piece = r->next;
	if (piece->end)
		return check_end(r);
	packed = piece->flags & IMAGE_ZSTD;
	err = read_parts(r, packed ? r->packed : r->data, piece->stored, head);
	if (!err && packed)
		err = unpack(r, piece);
	if (err)
		return err;
	if (crc32c(0, r->data, piece->length) != piece->crc)
		return wrong(r, "is damaged: the checksum of a piece is wrong");
	/* That of a piece that is not packed has just been computed. */
	r->crc = packed ? crc32c(r->crc, r->packed, piece->stored) :
			  crc32c_join(r->crc, piece->crc, piece->length);
	r->pieces++;
	r->bytes += piece->length;
	return take_head(r, head);
}

void image_close(struct image_reader *r)
{
	ZSTD_freeDCtx(r->zstd);
	free(r->data);
	free(r->packed);
	r->data = r->packed = NULL;
	r->zstd = NULL;
}
