/* SPDX-License-Identifier: GPL-2.0-only */
/* A maple tree whose readers may run in interrupts. */
#ifndef _RX_COMPAT_MAPLE_H
#define _RX_COMPAT_MAPLE_H

#include <linux/gfp.h>
#include <linux/maple_tree.h>
#include <linux/spinlock.h>
#include <linux/version.h>

/*
 * Stores @value for the keys from @first to @last. The caller is the only writer.
 *
 * Before Linux 6.6, a reader begins again for as long as it meets a node that was replaced,
 * and nodes are marked so before the new ones can be found. So no reader may interrupt a
 * store on its processor, and the lock of the tree is taken with interrupts off. All nodes
 * are there before that: the kernel allocates several at once with interrupts on, whatever
 * they were. A store takes 1 + 3 * height nodes at most; 320 entries have 29 of them.
 *
 * Context: process, may sleep. Return: 0 or an errno; then nothing has changed.
 */
static inline int rx_maple_store(struct maple_tree *tree, unsigned long first,
				 unsigned long last, void *value)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
	MA_STATE(mas, tree, first, last);
	unsigned long flags;
	int err = mas_expected_entries(&mas, 320);

	if (err)
		return err;
	/* Only its nodes were wanted, and not its way to fill a tree. */
	mas.mas_flags = 0;
	spin_lock_irqsave(&tree->ma_lock, flags);
	mas_store(&mas, value);
	spin_unlock_irqrestore(&tree->ma_lock, flags);
	mas_destroy(&mas);
	return 0;
#else
	return mtree_store_range(tree, first, last, value, GFP_KERNEL | __GFP_NOWARN);
#endif
}

#endif
