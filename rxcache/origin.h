/* SPDX-License-Identifier: GPL-2.0-only */
/* The origin: parts are sent to it, it answers them, and it may be lost. */
#ifndef _RXC_ORIGIN_H
#define _RXC_ORIGIN_H

struct rxc_map;
struct rxc_part;

void rxc_origin_note_dead(struct rxc_map *map);		/* any context, no lock */
void rxc_origin_send(struct rxc_part *part);
void rxc_origin_read(struct rxc_part *part);
void rxc_origin_answered(struct rxc_part *part);	/* any context */

#endif
