/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A row is a singly linked list of pages that are handed on together, linked by
 * page->lru.next. A list_head would bring the cache lines of both neighbours into the
 * CPU's cache whenever a page joins or leaves, and check them with hardened lists.
 *
 * Only the owner of a row uses it, or all users hold a lock of the owner. A page is in
 * one row at a time. Context: any.
 */
#ifndef _RX_PAGES_H
#define _RX_PAGES_H

#include <linux/mm_types.h>

/**
 * struct rx_pages - a row of pages; a row of all zeroes is empty
 * @first: the first page or NULL; the next of the last page is NULL
 * @last: the last page; undefined if the row is empty
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

/* Removes and returns the first page, or returns NULL. */
static inline struct page *rx_pages_pop(struct rx_pages *row)
{
	struct page *page = row->first;

	if (page)
		row->first = rx_pages_next(page);
	return page;
}

/* Puts all pages of @from before those of @row; leaves @from empty. */
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
