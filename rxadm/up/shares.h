/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_SHARES_H
#define RXADM_UP_SHARES_H

struct rx_cache;
struct rx_strv;
struct tab_line;

unsigned int shares_put(const struct tab_line *line, const struct rx_cache *cache,
			unsigned int sent, struct rx_strv *words);
unsigned int shares_put_lower(const struct tab_line *line, const struct rx_cache *cache,
			      struct rx_strv *words);

#endif
