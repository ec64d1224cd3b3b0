// SPDX-License-Identifier: GPL-2.0-only
/* Serves a bio, whether it came to the disk by itself or within a request. */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include <rx/memcpy.h>
#include "compat.h"
#include "rxdsk.h"

enum {
	/* Bytes copied between two chances to reschedule. */
	PIECE_BYTES	= 256 << 10,
	/* New pages at a time, at most a piece; pointers to them are on the stack. */
	BATCH_PAGES	= PIECE_BYTES / PAGE_SIZE < 16 ? PIECE_BYTES / PAGE_SIZE : 16,
};

static struct workqueue_struct *slow_wq;

/*
 * The block layer checks a bio against its partition only, and a partition
 * read before a shrink may reach beyond the disk. Return: 0 or -EIO.
 */
static int check(const struct rxd_disk *d, const struct bio *bio)
{
	return bio_end_sector(bio) > get_capacity(d->gd) ? -EIO : 0;
}

/* Does nothing on CPUs whose caches hold a page in one place only. */
static void flush_pages(const struct bio_vec *bv)
{
	unsigned int i, end = bv->bv_offset + bv->bv_len;

	for (i = bv->bv_offset / PAGE_SIZE; i < DIV_ROUND_UP(end, PAGE_SIZE);
	     i++)
		flush_dcache_page(bv->bv_page + i);
}

/*
 * Returns the next piece of memory that one address reaches. Adjacent pages are one
 * piece, but not where the kernel maps them one by one, or where KASAN gives each
 * page's address its own tag.
 */
static struct bio_vec next_piece(const struct bio *bio, struct bvec_iter iter)
{
	struct bio_vec bv;

	if (IS_ENABLED(CONFIG_KMAP_LOCAL) ||
	    IS_ENABLED(CONFIG_KASAN_SW_TAGS) ||
	    IS_ENABLED(CONFIG_KASAN_HW_TAGS))
		return bio_iter_iovec(bio, iter);
	bv = mp_bvec_iter_bvec(bio->bi_io_vec, iter);
	bv.bv_len = min_t(unsigned int, bv.bv_len, PIECE_BYTES);
	return bv;
}

/* Buffers are aligned to 4 bytes only, so pieces may end inside a sector. */
static int read_bio(struct rxd_disk *d, struct bio *bio, gfp_t gfp)
{
	u64 pos = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	struct bvec_iter iter = bio->bi_iter;
	struct bio_vec bv;
	void *memory;
	int err;

	while (iter.bi_size) {
		bv = next_piece(bio, iter);
		memory = bvec_kmap_local(&bv);
		err = rxd_store_read(d, pos, memory, bv.bv_len);
		kunmap_local(memory);
		if (unlikely(err))
			return err;
		flush_pages(&bv);
		bio_advance_iter_single(bio, &iter, bv.bv_len);
		pos += bv.bv_len;
		if (gfpflags_allow_blocking(gfp))
			cond_resched();
	}
	return 0;
}

/* Copies the next @len bytes of the bio, which may be in several pieces. */
static void copy_from(struct bio *bio, struct bvec_iter *iter, void *to,
		      unsigned int len)
{
	struct bio_vec bv;
	void *memory;

	for (; len; len -= bv.bv_len, to += bv.bv_len) {
		bv = bio_iter_iovec(bio, *iter);
		bv.bv_len = min(bv.bv_len, len);
		memory = bvec_kmap_local(&bv);
		rx_memcpy(to, memory, bv.bv_len);
		kunmap_local(memory);
		bio_advance_iter_single(bio, iter, bv.bv_len);
	}
}

/*
 * Sets every byte of new pages, the first of which is for @pos. The @len bytes at @pos
 * are the bio's next bytes; those before and behind them in the pages are zero.
 */
static void fill_pages(struct page **pages, u64 pos, struct bio *bio,
		       struct bvec_iter iter, unsigned int len)
{
	unsigned int off = offset_in_page(pos), part;
	void *to;

	for (; len; len -= part, pages++, off = 0) {
		part = min_t(unsigned int, len, PAGE_SIZE - off);
		to = kmap_local_page(*pages);
		if (off)
			memset(to, 0, off);
		copy_from(bio, &iter, to + off, part);
		if (off + part < PAGE_SIZE)
			memset(to + off + part, 0, PAGE_SIZE - off - part);
		kunmap_local(to);
	}
}

/*
 * Writes the bio's next bytes to a new page in the place of the page of @pos, if the memory
 * of that page has failed. Return: as write_new(), or -EIO if the bio has only a part of the
 * page, because the rest of the page is lost.
 */
static noinline int write_failed(struct rxd_disk *d, u64 pos, struct bio *bio,
				 struct bvec_iter iter, gfp_t gfp)
{
	unsigned int len = min_t(unsigned int, iter.bi_size, PAGE_SIZE);
	struct page *failed = rxd_store_failed(d, pos >> PAGE_SHIFT), *page;

	if (!failed)
		return 0;
	if (offset_in_page(pos) ||
	    (len < PAGE_SIZE && !rxd_disk_ends_at(d, pos + len)))
		return -EIO;
	if (!rxd_store_alloc(d, pos >> PAGE_SHIFT, &page, 1, gfp))
		return -ENOMEM;
	fill_pages(&page, pos, bio, iter, len);
	if (rxd_store_replace(d, pos >> PAGE_SHIFT, failed, page))
		return len;
	/* No other task has seen the page. */
	__free_page(page);
	return 0;
}

/*
 * Returns what write_new() returns at the disk's limit: -ENOMEM to wait for pages that may
 * come back, or 0 if room or the page of @pos has come meanwhile, else -ENOSPC. A context
 * that may not sleep leaves all this to a worker.
 */
static noinline int no_room(struct rxd_disk *d, u64 pos, gfp_t gfp)
{
	bool hope;

	if (!gfpflags_allow_blocking(gfp))
		return -ENOMEM;
	/* In this order: a page whose doubt has ended is in the store, or was given back. */
	hope = rxd_limit_hope(d);
	if (!rxd_store_hole(d, pos, 1, 1) || !rxd_limit_reached(d))
		return 0;
	return hope ? -ENOMEM : -ENOSPC;
}

/*
 * Writes the bio's next bytes to new pages. Up to BATCH_PAGES pages are taken, filled,
 * and only then put into the store. Return: the number of bytes written, 0 if another
 * task has added the page of @pos meanwhile, -ENOMEM, or -EIO as write_failed().
 */
static int write_new(struct rxd_disk *d, u64 pos, struct bio *bio,
		     struct bvec_iter iter, gfp_t gfp)
{
	unsigned int nr = rxd_store_hole(d, pos, iter.bi_size, BATCH_PAGES), i;
	struct page *pages[BATCH_PAGES] __uninitialized;
	unsigned int off = offset_in_page(pos), taken;
	int put;

	if (!nr)
		return write_failed(d, pos, bio, iter, gfp);
	taken = rxd_limit_take(d, nr);
	if (unlikely(!taken))
		return no_room(d, pos, gfp);
	nr = rxd_store_alloc(d, pos >> PAGE_SHIFT, pages, taken, gfp);
	if (!nr) {
		rxd_limit_settle(d, taken);
		return -ENOMEM;
	}
	fill_pages(pages, pos, bio, iter,
		   min_t(unsigned int, iter.bi_size, nr * PAGE_SIZE - off));
	put = rxd_store_put(d, pos >> PAGE_SHIFT, pages, nr, gfp);
	/* No other task has seen the pages that the store has not taken. */
	for (i = max(put, 0); i < nr; i++)
		__free_page(pages[i]);
	rxd_limit_settle(d, taken - max(put, 0));
	if (put <= 0)
		return put;
	if (unlikely(READ_ONCE(d->full)))
		WRITE_ONCE(d->full, false);
	return min_t(unsigned int, iter.bi_size, put * PAGE_SIZE - off);
}

/* On -ENOMEM, a part may have been written. Only new pages need memory. */
static int write_data(struct rxd_disk *d, u64 pos, struct bio *bio,
		      struct bvec_iter iter, gfp_t gfp)
{
	struct bio_vec bv;
	void *memory;
	int done;

	while (iter.bi_size) {
		bv = next_piece(bio, iter);
		memory = bvec_kmap_local(&bv);
		done = rxd_store_overwrite(d, pos, memory, bv.bv_len);
		kunmap_local(memory);
		/*
		 * If write_new() adds no page either, another writer was faster, and
		 * the loop tries again. Only _single() steps over an empty piece.
		 */
		if (!done && bv.bv_len)
			done = write_new(d, pos, bio, iter, gfp);
		if (done < 0)
			return done;
		if (done > bv.bv_len)
			bio_advance_iter(bio, &iter, done);
		else
			bio_advance_iter_single(bio, &iter, done);
		pos += done;
		if (gfpflags_allow_blocking(gfp))
			cond_resched();
	}
	return 0;
}

/*
 * Does what write_data() does, but whole pages of zeroes leave the store, or do not
 * enter it. A page may leave while another task writes to a part of it: both write to
 * that part at the same time, so either write may be the last. If the bio is served
 * again, everything is written once more.
 */
static int write_sparse(struct rxd_disk *d, u64 pos, struct bio *bio,
			struct bvec_iter iter, gfp_t gfp)
{
	bool sleep = gfpflags_allow_blocking(gfp), zero;
	struct bvec_iter run;
	int err;

	while (iter.bi_size) {
		run = iter;
		run.bi_size = rxd_zero_run(d, pos, bio, iter, &zero);
		if (zero)
			err = rxd_store_zero_pages(d, pos, run.bi_size, sleep);
		else
			err = write_data(d, pos, bio, run, gfp);
		if (err)
			return err;
		bio_advance_iter(bio, &iter, run.bi_size);
		pos += run.bi_size;
		if (sleep)
			cond_resched();
	}
	return 0;
}

static int write_bio(struct rxd_disk *d, struct bio *bio, gfp_t gfp)
{
	u64 pos = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;

	if (d->zero_detect)
		return write_sparse(d, pos, bio, bio->bi_iter, gfp);
	return write_data(d, pos, bio, bio->bi_iter, gfp);
}

/*
 * Serves @bio, and leaves its iterator alone. Context: as @gfp allows. Return: 0 or an
 * errno. With a @gfp that may not sleep, -ENOMEM and -EAGAIN ask for one that may, with
 * which the bio is served again from its start.
 */
int rxd_io_serve(struct rxd_disk *d, struct bio *bio, gfp_t gfp)
{
	u64 pos = (u64)bio->bi_iter.bi_sector << SECTOR_SHIFT;
	bool sleep = gfpflags_allow_blocking(gfp);
	int err = check(d, bio);

	if (unlikely(err))
		return err;
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		return read_bio(d, bio, gfp);
	case REQ_OP_WRITE:
		return write_bio(d, bio, gfp);
	case REQ_OP_DISCARD:
		return rxd_store_discard(d, pos, bio->bi_iter.bi_size, sleep);
	case REQ_OP_WRITE_ZEROES:
		return rxd_store_zero(d, pos, bio->bi_iter.bi_size,
				      bio->bi_opf & REQ_NOUNMAP, sleep);
	default:
		return -EOPNOTSUPP;
	}
}

/*
 * Does what rxd_io_serve() does, and may sleep, but does not reclaim memory. For a bio that
 * comes after one for which reclaim has found nothing: an attempt may take 0.1 s, and meanwhile
 * the bios keep dirty page cache that others want to reclaim. Context: process, may sleep.
 */
int rxd_io_serve_after(struct rxd_disk *d, struct bio *bio)
{
	int err = rxd_io_serve(d, bio, RXD_GFP_NOWAIT);

	return err == -EAGAIN ? rxd_io_serve(d, bio, RXD_GFP_SLEEP) : err;
}

/*
 * Returns the status of a bio for the result of rxd_io_serve(). -ENOMEM means that the bio
 * must not wait for memory, or that there is none to wait for.
 */
blk_status_t rxd_io_status(struct rxd_disk *d, const struct bio *bio, int err)
{
	if (err != -ENOMEM && err != -ENOSPC)
		return errno_to_blk_status(err);
	if (err == -ENOMEM && rxd_bio_nowait(bio))
		return BLK_STS_AGAIN;
	rxd_limit_full(d);
	return BLK_STS_NOSPC;
}

/* Ends a bio that is in no request. Context: any. */
void rxd_io_end(struct bio *bio, blk_status_t status)
{
	/* The submitter asked for this answer, so it is no error to log. */
	if (status == BLK_STS_AGAIN)
		bio_set_flag(bio, BIO_QUIET);
	/* Other bios may be chained to this one and have set its status already. */
	if (status)
		bio->bi_status = status;
	bio_endio(bio);
}

/* Queues @work, which calls rxd_io_serve() and may free itself. */
void rxd_io_defer(struct work_struct *work)
{
	queue_work(slow_wq, work);
}

int rxd_io_init(void)
{
	slow_wq = alloc_workqueue("rxdsk", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	return slow_wq ? 0 : -ENOMEM;
}

void rxd_io_exit(void)
{
	destroy_workqueue(slow_wq);
}
