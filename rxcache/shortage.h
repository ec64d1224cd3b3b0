/* SPDX-License-Identifier: GPL-2.0-only */
/* Notices that the machine is short of memory, and has caches give some back. */
#ifndef _RXC_SHORTAGE_H
#define _RXC_SHORTAGE_H

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct rxc_giver - gives memory back when the machine is short of it
 * @give: frees up to @pages pages, or a few more; returns how many, 0 if there is nothing
 *	to give. With @elastic only a cache without a floor gives. Context: process, under
 *	a mutex of shortage.c
 * @node: in the list of all givers
 */
struct rxc_giver {
	unsigned long (*give)(struct rxc_giver *giver, unsigned long pages,
			      bool elastic);
	struct list_head node;
};

/* From now on @giver is asked. Context: process, may sleep. 0 or an errno. */
int rxc_shortage_add(struct rxc_giver *giver);

/* After this @giver is not asked any more. Context: process, may sleep. */
void rxc_shortage_remove(struct rxc_giver *giver);

int rxc_shortage_init(void);	/* process, may sleep; 0 or an errno */
void rxc_shortage_exit(void);	/* process, may sleep */

#endif
