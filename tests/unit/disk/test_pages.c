// SPDX-License-Identifier: GPL-2.0-only
/* The row of pages: its order, its ends, and a row whose pages were moved to another one. */
#include <stdbool.h>
#include <stdlib.h>
#include "rx_test.h"
#include "shim/kernel.h"
#include <rx/pages.h>

static struct page page[6];

/* Empties @row. Returns whether it held exactly the pages that @want names, in that order. */
static bool is(struct rx_pages *row, const char *want)
{
	struct page *p;

	for (; *want; want++) {
		p = rx_pages_pop(row);
		if (p != &page[*want - 'a'])
			return false;
	}
	return !rx_pages_pop(row) && rx_pages_empty(row);
}

static struct rx_pages row_of(const char *names)
{
	struct rx_pages row = {};

	for (; *names; names++)
		rx_pages_add(&row, &page[*names - 'a']);
	return row;
}

int main(void)
{
	struct rx_pages row = {}, other = {};

	check(rx_pages_empty(&row) && !rx_pages_pop(&row), "zeroes are an empty row");
	row = row_of("abc");
	check(!rx_pages_empty(&row) && is(&row, "abc"), "added: first in, first out");
	rx_pages_push(&row, &page[0]);
	rx_pages_push(&row, &page[1]);
	rx_pages_add(&row, &page[2]);
	check(is(&row, "bac"), "pushed comes first, added last");
	rx_pages_add(&row, &page[3]);
	check(is(&row, "d"), "a row that was emptied takes more");

	row = row_of("ab");
	other = row_of("cd");
	rx_pages_splice(&row, &other);
	rx_pages_add(&row, &page[4]);
	check(rx_pages_empty(&other) && is(&row, "cdabe"), "spliced before, and added behind");
	other = row_of("cd");
	rx_pages_splice(&row, &other);
	rx_pages_add(&row, &page[4]);
	check(rx_pages_empty(&other) && is(&row, "cde"), "spliced into an empty row");
	row = row_of("ab");
	rx_pages_splice(&row, &other);
	rx_pages_add(&row, &page[2]);
	check(is(&row, "abc"), "an empty one spliced changes nothing");
	rx_pages_splice(&row, &other);
	check(rx_pages_empty(&row), "two empty ones neither");
	return done();
}
