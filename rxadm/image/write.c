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

#include "base/mem.h"
#include "base/wait.h"
#include "image/checksum.h"
#include "image/format.h"
#include "image/image.h"
#include "image/write.h"

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

int image_begin(struct image_writer *w, int fd, const struct image_header *header)
{
	unsigned char start[IMAGE_HEADER];
	struct iovec iov = { start, sizeof(start) };

	*w = (struct image_writer){ .fd = fd };
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

/* Returns what is stored of a piece: its bytes or, at PACKED, fewer. */
static const unsigned char *store(struct image_head *head, const unsigned char *data,
				  unsigned char *packed, void *zstd)
{
	size_t n = 0;

	head->stored = head->length;
	head->crc = crc32c(0, data, head->length);
	/* It does not fit if it is no shorter. */
	if (zstd)
		n = ZSTD_compress2(zstd, packed, head->length - 1, data, head->length);
	if (!n || ZSTD_isError(n))
		return data;
	head->flags = IMAGE_ZSTD;
	head->stored = n;
	return packed;
}

void image_pack(struct image_batch *b, void *zstd)
{
	unsigned char *packed = b->packed;
	struct image_head *head;
	size_t at;

	b->n = 0;
	for (at = run_of(b->data, b->len, true); at < b->len;
	     at += head->length, at += run_of(b->data + at, b->len - at, true)) {
		head = &b->heads[b->n];
		*head = (struct image_head){ .offset = b->offset + at,
					     .length = run_of(b->data + at, b->len - at, false) };
		b->stored[b->n] = store(head, b->data + at, packed, zstd);
		if (head->flags)
			packed += head->stored;
		b->n++;
	}
}

int image_add(struct image_writer *w, const struct image_batch *b)
{
	unsigned char heads[ARRAY_SIZE(b->heads)][IMAGE_HEAD];
	struct iovec iov[2 * ARRAY_SIZE(b->heads)];
	const struct image_head *head;
	unsigned int i;

	for (i = 0; i < b->n; i++) {
		head = &b->heads[i];
		image_put_head(heads[i], head);
		w->crc = crc32c(w->crc, heads[i], IMAGE_HEAD);
		w->crc = head->flags ? crc32c(w->crc, b->stored[i], head->stored) :
				       crc32c_join(w->crc, head->crc, head->length);
		iov[2 * i] = (struct iovec){ heads[i], IMAGE_HEAD };
		iov[2 * i + 1] = (struct iovec){ (void *)b->stored[i], head->stored };
		w->pieces++;
		w->bytes += head->length;
	}
	return write_parts(w, iov, 2 * b->n);
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
