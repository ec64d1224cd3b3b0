// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes an image, from the header to the end record, without going back: it may go into
 * a pipe. Pages of zeroes are left out, so a piece is a run of other pages.
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
#include "wait.h"

#define PIECES_MAX	(IMAGE_PIECE / IMAGE_PAGE)	/* that one call can add */

static int write_parts(struct image_writer *w, struct iovec *iov, int n)
{
	ssize_t done;

	while (n) {
		/* A signal may also have ended a write after some bytes. */
		if (signals_last())
			return EINTR;
		done = writev(w->fd, iov, n);
		if (done < 0 && errno != EINTR)
			return errno;
		for (done = done < 0 ? 0 : done; n && (size_t)done >= iov->iov_len; iov++, n--) {
			done -= iov->iov_len;
			w->stored += iov->iov_len;
		}
		if (n) {
			iov->iov_base = (char *)iov->iov_base + done;
			iov->iov_len -= done;
			w->stored += done;
		}
	}
	return 0;
}

int image_begin(struct image_writer *w, int fd, const struct image_header *header, int level)
{
	unsigned char start[IMAGE_HEADER];
	struct iovec iov = { start, sizeof(start) };

	*w = (struct image_writer){ .fd = fd, .level = level };
	if (level) {
		w->packed = image_buffer(IMAGE_PIECE);
		w->zstd = ZSTD_createCCtx();
		if (!w->zstd)
			return ENOMEM;
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
	}
	image_put_header(start, header);
	w->crc = crc32c(0, start, sizeof(start));
	return write_parts(w, &iov, 1);
}

/* Returns the bytes of the run of pages at DATA that are all zero, or all not. */
static size_t run_of(const unsigned char *data, size_t len, bool zero)
{
	size_t n = 0;

	while (n < len && image_is_zero(data + n, IMAGE_PAGE) == zero)
		n += IMAGE_PAGE;
	return n;
}

/*
 * Makes the head of a piece. Returns what is to be stored of it: its bytes or, at PACKED,
 * fewer.
 */
static const unsigned char *make_piece(struct image_writer *w, struct image_head *head,
				       const unsigned char *data, unsigned char *packed)
{
	size_t n = 0;

	head->crc = crc32c(0, data, head->length);
	/* It does not fit if it is no shorter. */
	if (w->level)
		n = ZSTD_compress2(w->zstd, packed, head->length - 1, data, head->length);
	if (!n || ZSTD_isError(n))
		return data;
	head->flags = IMAGE_ZSTD;
	head->stored = n;
	return packed;
}

int image_add(struct image_writer *w, uint64_t offset, const unsigned char *data, size_t len)
{
	unsigned char heads[PIECES_MAX][IMAGE_HEAD], *packed = w->packed;
	struct iovec iov[2 * PIECES_MAX];
	const unsigned char *stored;
	struct image_head head;
	size_t at, n = 0;

	for (at = run_of(data, len, true); at < len;
	     at += head.length + run_of(data + at + head.length, len - at - head.length, true)) {
		head = (struct image_head){ .offset = offset + at,
					    .length = run_of(data + at, len - at, false) };
		head.stored = head.length;
		stored = make_piece(w, &head, data + at, packed);
		image_put_head(heads[n], &head);
		w->crc = crc32c(w->crc, heads[n], IMAGE_HEAD);
		w->crc = head.flags ? crc32c(w->crc, stored, head.stored) :
				      crc32c_join(w->crc, head.crc, head.length);
		if (head.flags)
			packed += head.stored;
		iov[2 * n] = (struct iovec){ heads[n], IMAGE_HEAD };
		iov[2 * n + 1] = (struct iovec){ (void *)stored, head.stored };
		w->pieces++;
		w->bytes += head.length;
		n++;
	}
	return write_parts(w, iov, 2 * n);
}

int image_end(struct image_writer *w)
{
	struct image_head head = { .end = true, .pieces = w->pieces, .bytes = w->bytes,
				   .crc = w->crc };
	unsigned char end[IMAGE_HEAD];
	struct iovec iov = { end, sizeof(end) };

	image_put_head(end, &head);
	return write_parts(w, &iov, 1);
}

void image_writer_free(struct image_writer *w)
{
	ZSTD_freeCCtx(w->zstd);
	free(w->packed);
	w->packed = NULL;
	w->zstd = NULL;
}
