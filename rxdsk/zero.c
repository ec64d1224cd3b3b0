// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds whole pages of zeroes in what is written to a disk with zero detection. Only
 * a page that one bio covers from its first byte to its last counts.
 *
 * Such a page leaves the store, as with a discard, instead of being zeroed in place, so
 * its memory comes back. A page that is not there need not be taken.
 */
#include <linux/bio.h>
#include <linux/highmem.h>
#include <linux/string.h>
#include "rxdsk.h"

/* Bytes that are looked at before something is done about them. */
enum { RUN_BYTES = SZ_256K };

/*
 * Moves @iter on by @len bytes. Return: whether they are all zero, false without a
 * look if not @look. The first word tells most data from zeroes.
 */
static bool next_zero(struct bio *bio, struct bvec_iter *iter, unsigned int len,
		      bool look)
{
	struct bio_vec bv;
	void *memory;

	for (; len; len -= bv.bv_len) {
		bv = bio_iter_iovec(bio, *iter);
		bv.bv_len = min(bv.bv_len, len);
		if (look) {
			memory = bvec_kmap_local(&bv);
			look = !memchr_inv(memory, 0, bv.bv_len);
			kunmap_local(memory);
		}
		bio_advance_iter_single(bio, iter, bv.bv_len);
	}
	return look;
}

/* Whether @len bytes at @pos are all that the disk has of a page. */
static bool is_whole(const struct rxd_disk *d, u64 pos, unsigned int len)
{
	return !offset_in_page(pos) &&
	       (len == PAGE_SIZE || pos + len == READ_ONCE(d->end));
}

/*
 * Return: how many of the bio's next bytes, which are for @pos, are of one kind, at
 * least one and RUN_BYTES or a page more at most. *@zero: they are whole pages of
 * zeroes, else they hold none. Context: any but hard interrupt.
 */
unsigned int rxd_zero_run(const struct rxd_disk *d, u64 pos, struct bio *bio,
			  struct bvec_iter iter, bool *zero)
{
	unsigned int run = 0, len;
	bool is;

	while (iter.bi_size && run < RUN_BYTES) {
		len = min_t(unsigned int, iter.bi_size,
			    PAGE_SIZE - offset_in_page(pos + run));
		is = next_zero(bio, &iter, len, is_whole(d, pos + run, len));
		if (!run)
			*zero = is;
		else if (is != *zero)
			break;
		run += len;
	}
	return run;
}
