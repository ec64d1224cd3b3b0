/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of how look-ups and walks without a lock find the tables of an index while its
 * size changes, on a machine with a weak memory (weak.pml). "run" runs it. It stands for
 *
 *	rxcache/blocks/table.h	rxc_set_moved rxc_index_table rxc_set_lock
 *	rxcache/blocks/rehash.c	rxc_index_resize_begin set_move set_adopt rxc_index_resize_end
 *	rxcache/blocks/index.c	index_get rxc_index_has may_be_unread last_table rxc_index_bytes
 *	rxcache/blocks/walk.c	walk_skips nth_set
 *
 * Each table has one set. A block is in the set of the first table, or the set is empty.
 * A change of the size makes the second table, moves the block, makes the second table
 * the index's own, and frees the first one. One reader looks on meanwhile, in each of the
 * ways in which the code does.
 *
 * What is checked: the block is found in one of the two tables at any time, and a walk
 * does not skip it. Nobody follows a null pointer or uses a table that is not complete, or
 * that is free.
 */
#define CPUS		2
#define PLACES		9
#define WRITES		4
#define POINTERS	3
#define LOCKS		2
#include "weak.pml"

#define TABLE		0	/* rxc_index.table: 0 is the first table */
#define NEXT		1	/* rxc_table.next of the first table: 0 is NULL */
#define ALIVE		2	/* the memory of the first table */
#define TAKEN		3	/* rxc_set.taken, seq and key of the first table */
#define SEQ		4
#define KEY		5
#define READY		6	/* the fields of the second table, and of its set */
#define NEXT_SEQ	7
#define NEXT_KEY	8

#define K		1
#define RXC_KEY_MOVED	2

#define FIRST		1	/* the pointers to the tables */
#define SECOND		2

#define SET		0	/* the locks of the sets */
#define NEXT_SET	1

bool has_block;

inline write_seqcount_begin(c, p)
{
	seq++;
	WRITE_ONCE(c, p, seq);
	smp_wmb(c)
}

inline write_seqcount_end(c, p)
{
	smp_wmb(c);
	seq++;
	WRITE_ONCE(c, p, seq)
}

inline set_adopt(c)
{
	seq = 0;
	spin_lock(c, NEXT_SET);
	write_seqcount_begin(c, NEXT_SEQ);
	WRITE_ONCE(c, NEXT_KEY, K);
	write_seqcount_end(c, NEXT_SEQ);
	spin_unlock(c, NEXT_SET)
}

inline set_move(c)
{
#ifndef NO_MOVE_SEQ
	write_seqcount_begin(c, SEQ);
#endif
	if
	:: has_block -> set_adopt(c)
	:: else
	fi;
	WRITE_ONCE(c, KEY, RXC_KEY_MOVED);
#ifdef NO_MOVED_RELEASE
	WRITE_ONCE(c, TAKEN, 0);
#else
	smp_store_release(c, TAKEN, 0);
#endif
	seq = 1;
#ifndef NO_MOVE_SEQ
	write_seqcount_end(c, SEQ)
#endif
}

proctype resizer(byte c)
{
	byte seq, begun;

	/* rxc_table_new() */
	WRITE_ONCE(c, READY, 1);
#ifdef NO_NEXT_RELEASE
	WRITE_ONCE(c, NEXT, 1);
#else
	smp_store_release(c, NEXT, 1);
#endif
	spin_lock(c, SET);
	set_move(c);
	spin_unlock(c, SET);
	/*
	 * rcu_assign_pointer() in the code, but nothing depends on its release: the barrier in
	 * the last write_seqcount_end() has ordered all that the table has.
	 */
	WRITE_ONCE(c, TABLE, 1);
#ifndef NO_GRACE_PERIOD
	synchronize_rcu(c, begun);
#endif
	WRITE_ONCE(c, ALIVE, 0)
}

/* The first table is still there, for the reader has just read its fields. */
inline assert_alive(c)
{
	READ_ONCE(c, ALIVE, got);
	assert(got)
}

inline follow_next(c)
{
	assert_alive(c);
	rcu_dereference(c, FIRST, NEXT, got, SECOND);
	assert(got);
	load_by(c, SECOND, READY, got);
	assert(got)
}

/* Whether the second table has the block. */
inline find_next(c)
{
	load_by(c, SECOND, READY, got);
	assert(got);
	do
	:: load_acquire_by(c, SECOND, NEXT_SEQ, seq);
		if
		:: !(seq & 1) ->
			load_by(c, SECOND, NEXT_KEY, got);
			smp_rmb(c);
			load_by(c, SECOND, NEXT_SEQ, now);
			if
			:: now == seq -> break
			:: else
			fi
		:: else
		fi
	od;
	assert(got == K)
}

inline rxc_set_moved(c)
{
#ifdef NO_MOVED_ACQUIRE
	READ_ONCE(c, TAKEN, got);
#else
	smp_load_acquire(c, TAKEN, got);
#endif
	moved = false;
	if
	:: !got ->
		READ_ONCE(c, KEY, got);
		moved = (got == RXC_KEY_MOVED)
	:: else
	fi;
#ifndef NO_MOVED_RMB
	if
	:: moved -> smp_rmb(c)
	:: else
	fi
#endif
}

/* index_get() and the others. Without a block there is nothing to check. */
inline look_up(c)
{
	do
	:: smp_load_acquire(c, SEQ, seq);
		if
		:: !(seq & 1) ->
			READ_ONCE(c, TAKEN, taken);
			READ_ONCE(c, KEY, key);
			found = (taken && key == K);
			moved = false;
			if
			:: found
			:: else -> rxc_set_moved(c)
			fi;
			smp_rmb(c);
			READ_ONCE(c, SEQ, now);
			if
			:: now == seq -> break
			:: else
			fi
		:: else
		fi
	od;
	assert(found || moved || !has_block);
	if
	:: moved && has_block ->
		follow_next(c);
		find_next(c)
	:: moved && !has_block -> follow_next(c)
	:: else -> assert_alive(c)
	fi
}

inline rxc_set_lock(c)
{
	spin_lock(c, SET);
	rxc_set_moved(c);
	if
	:: moved ->
		spin_unlock(c, SET);
		follow_next(c);
		if
		:: has_block ->
			spin_lock(c, NEXT_SET);
			load_by(c, SECOND, NEXT_KEY, got);
			assert(got == K);
			spin_unlock(c, NEXT_SET)
		:: else
		fi
	:: else ->
		assert_alive(c);
		spin_unlock(c, SET)
	fi
}

inline nth_set(c)
{
	rxc_set_moved(c);
	if
	:: moved -> follow_next(c)
	:: else -> assert_alive(c)
	fi
}

inline walk_skips(c)
{
	READ_ONCE(c, TAKEN, taken);
	if
	:: !taken ->
		rxc_set_moved(c);
		assert(moved || !has_block)
	:: else
	fi;
	assert_alive(c)
}

/* rxc_index_bytes() reads the fields of both tables, too. */
inline last_table(c)
{
	rcu_dereference(c, FIRST, NEXT, got, SECOND);
	if
	:: got ->
		load_by(c, SECOND, READY, got);
		assert(got)
	:: else
	fi;
	assert_alive(c)
}

proctype reader(byte c)
{
	byte seq, now, key, got, table;
	bool found, moved, taken;

	rcu_read_lock(c);
	rcu_dereference(c, NONE, TABLE, table, FIRST);
	if
	:: table ->
		/* This pointer is to the second table. */
		rcu_dereference(c, NONE, TABLE, table, SECOND);
		if
		:: has_block -> find_next(c)
		:: else
		fi
	:: else ->
		if
		:: look_up(c)
		:: rxc_set_lock(c)
		:: nth_set(c)
		:: walk_skips(c)
		:: last_table(c)
		fi
	fi;
	rcu_read_unlock(c)
}

init {
	atomic {
		if
		:: has_block = true
		:: skip
		fi;
		memory_is(TABLE, 0);
		memory_is(NEXT, 0);
		memory_is(ALIVE, 1);
		memory_is(TAKEN, has_block);
		memory_is(SEQ, 0);
		memory_is(KEY, (has_block -> K : 0));
		memory_is(READY, 0);
		memory_is(NEXT_SEQ, 0);
		memory_is(NEXT_KEY, 0);
		run resizer(0);
		run reader(1)
	}
}
