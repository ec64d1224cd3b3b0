/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts that go to the origin in pieces, from buffers of ours (bounce.c), and the
 * copies between a user's bio and pages of ours.
 */
#ifndef _RXC_BOUNCE_H
#define _RXC_BOUNCE_H

#include <linux/mempool.h>
#include <linux/types.h>

struct bio;
struct bvec_iter;
struct page;
struct rxc_map;
struct rxc_part;

/**
 * struct rxc_bounces - what the pieces of a mapping's parts are made of
 * @pieces: taken first
 * @pages: their buffers, 2^@order pages each
 * @order: so that a buffer holds a logical block of the origin
 */
struct rxc_bounces {
	mempool_t pieces;
	mempool_t pages;
	unsigned int order;
};

int rxc_bounce_init(struct rxc_map *map);	/* may sleep, no lock */
void rxc_bounce_exit(struct rxc_map *map);	/* may sleep, no lock */
bool rxc_bounce_wanted(const struct rxc_part *part);	/* any context */
void rxc_bounce_part(struct rxc_part *part);

/* io.c: any context. False at an error of the memory that is read. */
bool __must_check rxc_copy_to_bio(struct bio *bio, struct bvec_iter *iter,
				  struct page *page, unsigned int offset,
				  unsigned int len);
bool __must_check rxc_copy_page(struct page *to, struct page *from);

/* keep.c: any context */
void rxc_copy_from_bio(struct bio *bio, struct bvec_iter *iter,
		       struct page *page, unsigned int offset,
		       unsigned int len);

#endif
