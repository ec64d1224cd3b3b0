/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts from outside, such as mount points, in commands and messages. */
#ifndef RXADM_QUOTE_H
#define RXADM_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rx_strv;

/*
 * Return words of a shell command that stand for exactly these texts. Each result, also
 * of brief() and shown(), is freed by the sixteenth call after it.
 */
const char *quoted(const char *text);
const char *quoted_all(const struct rx_strv *texts);

/* Returns the beginning of TEXT, with "..." if that is not all, so that a refusal has room for its reason. */
const char *brief(const char *text);

/*
 * Return TEXT with each character that could not be seen as \xHH. The caller frees the
 * result of visible(). Messages of say.h do it by themselves.
 */
char *visible(const char *text);
const char *shown(const char *text);

/*
 * Returns a copy, which the caller frees. Bytes that are no UTF-8, which would make a whole
 * JSON output unreadable, are replaced.
 */
char *text_utf8(const char *s);

/*
 * Returns the bytes of the character at TEXT, and stores it in *C. Sets *SEEN if people
 * see it as what it is: a control character, a space other than the plain one and a mark of
 * no width are not. A byte that is no UTF-8 is not seen either, and *C is 0.
 */
size_t char_at(const char *text, uint32_t *c, bool *seen);

#endif
