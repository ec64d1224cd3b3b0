/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages in a row, linked by page->lru.next, for pages that are handed on together. A
 * list_head would bring the lines of both neighbours into the CPU's cache wherever a
 * page joins or leaves, and with hardened lists check them.
 *
 * The owner of a row has it alone, or under a lock of its own. A page is in one row
 * at a time. Context: any.
 */
#ifndef _RX_PAGES_H
#define _RX_PAGES_H

#include <linux/mm_types.h>

/**
 * struct rx_pages - a row of pages; all zeroes is an empty one
 * @first: or NULL; the last one's next is NULL
 * @last: undefined if there is none
 */
struct rx_pages {
	struct page *first;
	struct page *last;
};

static inline bool rx_pages_empty(const struct rx_pages *row)
{
	return !row->first;
}

static inline struct page *rx_pages_next(const struct page *page)
{
	return (struct page *)page->lru.next;
}

static inline void rx_pages_set_next(struct page *page, struct page *next)
{
	page->lru.next = (struct list_head *)next;
}

/* Puts a page first. */
static inline void rx_pages_push(struct rx_pages *row, struct page *page)
{
	rx_pages_set_next(page, row->first);
	if (!row->first)
		row->last = page;
	row->first = page;
}

/* Puts a page last. */
static inline void rx_pages_add(struct rx_pages *row, struct page *page)
{
	rx_pages_set_next(page, NULL);
	if (row->first)
		rx_pages_set_next(row->last, page);
	else
		row->first = page;
	row->last = page;
}

/* Takes the first page, or NULL. */
static inline struct page *rx_pages_pop(struct rx_pages *row)
{
	struct page *page = row->first;

	if (page)
		row->first = rx_pages_next(page);
	return page;
}

/* Puts all of @from before those of @row; leaves @from empty. */
static inline void rx_pages_splice(struct rx_pages *row, struct rx_pages *from)
{
	if (!from->first)
		return;
	rx_pages_set_next(from->last, row->first);
	if (!row->first)
		row->last = from->last;
	row->first = from->first;
	from->first = NULL;
}

#endif
