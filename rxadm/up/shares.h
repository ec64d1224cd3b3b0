/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_SHARES_H
#define RXADM_UP_SHARES_H

struct tab_job;
struct rx_cache;

void tab_put_shares(struct tab_job *job, const struct rx_cache *cache);
void tab_lower_shares(struct tab_job *job, const struct rx_cache *cache);
void tab_lower_sharers(struct tab_job *disk);

#endif
