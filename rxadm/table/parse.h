/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_TABLE_PARSE_H
#define RXADM_TABLE_PARSE_H

#include <stdbool.h>
#include <stddef.h>

struct rx_req;
struct rx_tab;
struct tab_line;
struct rx_strv;

/* Fills TAB with the lines of TEXT, each checked by itself. */
void tab_parse_lines(struct rx_tab *tab, const char *path, const char *text, size_t len);
bool tab_origin_is_cache(const char *path);
bool tab_origin_moves(const char *path);
/* Begins the request that makes the line's disk or cache, without a name and, of a cache, a disk. */
void tab_request(const struct tab_line *line, struct rx_req *req);
void tab_put_options(const struct tab_line *line, struct rx_strv *words);

#endif
