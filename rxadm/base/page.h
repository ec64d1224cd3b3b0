/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages for people: numbers in words, and paragraphs. */
#ifndef RXADM_PAGE_H
#define RXADM_PAGE_H

#include "base/global.h"

/* Each text is cut after 127 bytes and overwritten by the sixteenth one after it. */
const char *page_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
const char *page_count(uint64_t n);
/* The same in the colour of trouble, unless the number is 0. */
const char *page_bad(uint64_t n);
const char *page_state(const char *state);
const char *page_size(uint64_t bytes);
const char *page_percent(double ratio);
const char *page_span(double ns);
const char *page_time(double ns);

size_t page_width(void);
void page_para(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
