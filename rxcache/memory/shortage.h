/* SPDX-License-Identifier: GPL-2.0-only */
/* Notices that the machine is short of memory, and makes caches give some back. */
#ifndef _RXC_SHORTAGE_H
#define _RXC_SHORTAGE_H

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct rxc_giver - gives memory back when the machine is short of it
 * @give: frees up to @pages pages, or a few more; returns how many, 0 if no page may be
 *	freed. With @elastic, only a cache without a floor frees pages. Context: process,
 *	under a mutex of shortage.c
 * @node: in the list of all givers
 */
struct rxc_giver {
	unsigned long (*give)(struct rxc_giver *giver, unsigned long pages,
			      bool elastic);
	struct list_head node;
};

/* Adds @giver to the list. Context: process, may sleep. Returns 0 or an errno. */
int rxc_shortage_add(struct rxc_giver *giver);

/* Removes @giver, whose function does not run after this. Context: process, may sleep. */
void rxc_shortage_remove(struct rxc_giver *giver);

int rxc_shortage_init(void);	/* process, may sleep; 0 or an errno */
void rxc_shortage_exit(void);	/* process, may sleep */

#endif
