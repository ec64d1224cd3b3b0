/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of how the pages of a RAM disk become visible to readers, and cease to be, on a
 * machine with a weak memory (weak.pml). "run" runs it. It stands for
 *
 *	rxdsk/tree.c	rxd_tree_insert leaf_make root_set rxd_tree_remove
 *	rxdsk/tree.h	rxd_tree_leaf rxd_leaf_page
 *	rxdsk/store.c	piece follows rxd_store_read rxd_store_put clear_range
 *	rxdsk/reap.c	rxd_reap_defer reap_work
 *
 * The tree is a leaf of two slots. Their two pages are adjacent in memory, and each has
 * one byte. Two writers insert one page each, and one of the pages is removed again, so
 * that another owner gets it. A reader copies both pages, as one run where it finds both.
 * The root and its leaf stand for two nodes that follow each other on any level, and the
 * removal of a page for that of a node.
 *
 * The walk for extents (rxdsk/extents.c) is a reader that looks into no page. An overwrite
 * of a run needs no barrier, because it stores into the pages, and no store is done before
 * the load that decides whether it is done.
 *
 * What is checked: a reader uses no slot that was not set, and copies no byte that the
 * disk has not written: neither an old one of the page nor one of its next owner.
 */
#define CPUS		4
#define PLACES		5
#define WRITES		5
#define POINTERS	4
#define LOCKS		1
#include "weak.pml"

#define ROOT		0
#define SLOT(i)		(1 + (i))
#define BYTE(i)		(3 + (i))

#define LEAF		1	/* the pointer to the leaf */
#define PAGE(i)		(2 + (i))	/* the pointers to the pages */

/* What a slot has. JUNK is what the allocator left there. */
#define EMPTY		0
#define SET		1
#define JUNK		2

/* What a byte of a page is. */
#define OLD		0
#define WRITTEN		1
#define FOREIGN		2

/* kmem_cache_zalloc() */
inline leaf_make(c)
{
	WRITE_ONCE(c, SLOT(0), EMPTY);
	WRITE_ONCE(c, SLOT(1), EMPTY);
#ifdef NO_ASSIGN_NODE
	WRITE_ONCE(c, ROOT, SET)
#else
	rcu_assign_pointer(c, ROOT, SET)
#endif
}

proctype writer(byte c)
{
	byte root;

	WRITE_ONCE(c, BYTE(c), WRITTEN);
	spin_lock(c, 0);
	READ_ONCE(c, ROOT, root);
	if
	:: root == EMPTY -> leaf_make(c)
	:: else
	fi;
#ifdef NO_ASSIGN_PAGE
	WRITE_ONCE(c, SLOT(c), SET);
#else
	rcu_assign_pointer(c, SLOT(c), SET);
#endif
	spin_unlock(c, 0)
}

proctype remover(byte c)
{
	byte root, slot, begun;

	spin_lock(c, 0);
	READ_ONCE(c, ROOT, root);
	if
	:: root == SET -> READ_ONCE(c, SLOT(1), slot)
	:: else
	fi;
	if
	:: slot == SET -> WRITE_ONCE(c, SLOT(1), EMPTY)
	:: else
	fi;
	spin_unlock(c, 0);
	if
	:: slot == SET ->
#ifndef NO_GRACE_PERIOD
		synchronize_rcu(c, begun);
#endif
		WRITE_ONCE(c, BYTE(1), FOREIGN)
	:: else
	fi
}

#define copy_byte(c, by, i)	load_by(c, by, BYTE(i), byte_got); assert(byte_got == WRITTEN)

proctype reader(byte c)
{
	byte root, slot[2], byte_got;

	rcu_read_lock(c);
	rcu_dereference(c, NONE, ROOT, root, LEAF);
	if
	:: root == SET ->
		rcu_dereference(c, LEAF, SLOT(0), slot[0], PAGE(0));
		rcu_dereference(c, LEAF, SLOT(1), slot[1], PAGE(1))
	:: else
	fi;
	assert(slot[0] != JUNK && slot[1] != JUNK);
	if
	:: slot[0] == SET && slot[1] == SET ->
#ifndef NO_RUN_RMB
		smp_rmb(c);
#endif
		/* The second page, too, is reached by the address of the first one. */
		copy_byte(c, PAGE(0), 0);
		copy_byte(c, PAGE(0), 1)
	:: slot[0] == SET && slot[1] == EMPTY -> copy_byte(c, PAGE(0), 0)
	:: slot[0] == EMPTY && slot[1] == SET -> copy_byte(c, PAGE(1), 1)
	:: else
	fi;
	rcu_read_unlock(c)
}

init {
	atomic {
		memory_is(ROOT, EMPTY);
		memory_is(SLOT(0), JUNK);
		memory_is(SLOT(1), JUNK);
		memory_is(BYTE(0), OLD);
		memory_is(BYTE(1), OLD);
		run writer(0);
		run writer(1);
		run remover(2);
		run reader(3)
	}
}
