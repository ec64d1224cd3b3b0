/* SPDX-License-Identifier: GPL-2.0-only */
/* Fills that did not serve all of their readers. */
#ifndef _RXC_RETRY_H
#define _RXC_RETRY_H

struct rxc_part;

void rxc_fill_failed(struct rxc_part *part);	/* on cache->retry_wq */
void rxc_fill_refused(struct rxc_part *part);	/* any context */
void rxc_fill_uncopied(struct rxc_part *part);	/* on cache->retry_wq */

#endif
