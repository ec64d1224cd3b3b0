// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds whole pages of zeroes in data that are written to a disk with zero detection.
 * Only a page that one bio covers from the first byte to the last counts.
 *
 * A page of zeroes leaves the store, as with a discard, instead of being zeroed in
 * place, so its memory comes back. A missing page is not allocated.
 */
#include <linux/bio.h>
#include <linux/highmem.h>
#include <linux/string.h>
#include "rxdsk.h"

/* Bytes that are examined before they are written or their pages are dropped. */
enum { RUN_BYTES = SZ_256K };

/*
 * Advances @iter by @len bytes. Return: whether all of them are zero, always false
 * without @look. For most data, memchr_inv() only reads the first word.
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

/* Returns whether the @len bytes at @pos are all that the disk has of a page. */
static bool page_is_whole(const struct rxd_disk *d, u64 pos, unsigned int len)
{
	return !offset_in_page(pos) &&
	       (len == PAGE_SIZE || rxd_disk_ends_at(d, pos + len));
}

/*
 * Returns how many of the bio's next bytes, which are for @pos, are of one kind: whole
 * pages of zeroes if *@zero, else bytes without a whole page of zeroes. The run has at
 * least one byte, and at most RUN_BYTES and a page. Context: any but hard interrupt.
 */
unsigned int rxd_zero_run(const struct rxd_disk *d, u64 pos, struct bio *bio,
			  struct bvec_iter iter, bool *zero)
{
	unsigned int run = 0, len;
	bool is;

	while (iter.bi_size && run < RUN_BYTES) {
		len = min_t(unsigned int, iter.bi_size,
			    PAGE_SIZE - offset_in_page(pos + run));
		is = next_zero(bio, &iter, len, page_is_whole(d, pos + run, len));
		if (!run)
			*zero = is;
		else if (is != *zero)
			break;
		run += len;
	}
	return run;
}
