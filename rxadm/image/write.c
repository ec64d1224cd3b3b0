// SPDX-License-Identifier: GPL-2.0-only
/* Pages of zeroes are left out, so a record has a run of other pages. */
#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <zstd.h>

#include "base/wait.h"
#include "image/format.h"
#include "image/write.h"

#define THREADS_MAX	4
/* They bound the memory, and for how long zstd can't be interrupted at its highest level. */
#define WINDOW_LOG	21
#define JOB_SIZE	(2 << 20)

static int flush(struct image_writer *w)
{
	size_t at;
	ssize_t n;

	for (at = 0; at < w->n; at += n) {
		/* A signal may also have ended a write after some bytes. */
		if (signals_last())
			return EINTR;
		n = write(w->fd, w->out + at, w->n - at);
		if (n < 0 && errno != EINTR)
			return errno;
		n = n < 0 ? 0 : n;
		w->stored += n;
	}
	w->n = 0;
	return 0;
}

static int add(struct image_writer *w, const void *data, size_t len, ZSTD_EndDirective op)
{
	ZSTD_inBuffer in = { data, len, 0 };
	ZSTD_outBuffer out;
	size_t left;
	int err;

	do {
		out = (ZSTD_outBuffer){ w->out, IMAGE_PIECE, w->n };
		left = ZSTD_compressStream2(w->zstd, &out, &in, op);
		if (ZSTD_isError(left))
			return ENOMEM;
		w->n = out.pos;
		err = w->n == IMAGE_PIECE ? flush(w) : 0;
	} while (!err && (in.pos < len || (op == ZSTD_e_end && left)));
	return err;
}

static int add_record(struct image_writer *w, uint64_t offset, uint64_t length)
{
	struct image_record record = { htole64(offset), htole64(length) };

	return add(w, &record, sizeof(record), ZSTD_e_continue);
}

/*
 * Threads copy what they get and give, which costs more than the work itself at a level
 * below 1. Some libraries have no threads, and refuse them.
 */
static int prepare(ZSTD_CCtx *zstd, int level)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, WINDOW_LOG);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_nbWorkers,
			       cpus < 2 || level < 1 ? 0 : cpus < THREADS_MAX ? cpus : THREADS_MAX);
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_jobSize, JOB_SIZE);
	return ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)) ? EINVAL : 0;
}

int image_begin(struct image_writer *w, int fd, const struct image_header *header, int level)
{
	sigset_t all, before;
	int err;

	*w = (struct image_writer){ .fd = fd, .zstd = ZSTD_createCCtx(),
				    .out = image_buffer(IMAGE_PIECE), .n = IMAGE_HEADER };
	err = w->zstd ? prepare(w->zstd, level) : ENOMEM;
	if (err)
		return err;
	image_put_header(w->out, header);
	err = flush(w);
	if (err)
		return err;
	/* The threads begin with the first bytes. Signals are for this one, which writes. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = add(w, w->out, IMAGE_HEADER, ZSTD_e_continue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

/* Returns the bytes of the run of pages at DATA that are all zero, or all not. */
static size_t run_of(const unsigned char *data, size_t len, bool zero)
{
	size_t n = 0;

	while (n < len && image_is_zero(data + n, IMAGE_PAGE) == zero)
		n += IMAGE_PAGE;
	return n;
}

int image_add(struct image_writer *w, uint64_t offset, const unsigned char *data, size_t len)
{
	size_t at = 0, run;
	int err = 0;

	while (!err) {
		at += run_of(data + at, len - at, true);
		run = run_of(data + at, len - at, false);
		if (!run)
			break;
		err = add_record(w, offset + at, run);
		if (!err)
			err = add(w, data + at, run, ZSTD_e_continue);
		w->bytes += run;
		at += run;
	}
	return err;
}

int image_end(struct image_writer *w)
{
	int err = add_record(w, w->bytes, 0);

	if (!err)
		err = add(w, NULL, 0, ZSTD_e_end);
	if (!err)
		err = flush(w);
	if (err)
		return err;
	image_put_tail(w->out, w->bytes);
	w->n = IMAGE_TAIL;
	return flush(w);
}

void image_writer_free(struct image_writer *w)
{
	ZSTD_freeCCtx(w->zstd);
	free(w->out);
	*w = (struct image_writer){ .fd = -1 };
}
