/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of how look-ups without a lock find a block in the index of a cache, and its
 * page, on a machine with a weak memory (weak.pml). "run" runs it. It stands for
 *
 *	rxcache/blocks/index.c	index_get set_insert rxc_index_store rxc_index_remove
 *	rxcache/blocks/index.h	rxc_page_put
 *	rxcache/blocks/table.h	rxc_set_find
 *	rxcache/blocks/table.c	rxc_set_put rxc_set_take empty_way
 *	rxcache/io/read.c	copy_hits
 *	rxdsk/stock.c		rxd_stock_put stock_take
 *	rxdsk/pool.c		rxd_pool_retire rxd_pool_free
 *
 * and for read_seqcount_begin() and the others of the kernel. There is one way and one
 * page. The cache fills the page, stores it as block K and takes it out again. Then the
 * page is freed, or the stock keeps it if nobody else has it, and the cache stores it as
 * block L. A freed page gets another owner. Two readers look for block K meanwhile.
 *
 * The key and the bit in "taken" are one place here. A reader may see their stores in any
 * order, and before the frame's or after it, as if they were several places.
 *
 * What is checked: a reader uses no frame number but that of block K, and copies nothing
 * but the bytes of block K.
 */
#define CPUS		4
#define PLACES		5
#define WRITES		12
#define POINTERS	1
#define LOCKS		3
#include "weak.pml"

#ifndef READERS
#define READERS		2
#endif

#define SEQ		0
#define KEY		1	/* 0: none */
#define FRAME		2	/* 0: of no page */
#define COUNT		3
#define BYTE		4

/* A key, and what its block has. */
#define K		1
#define L		2
#define FOREIGN		3

/* The locks of the set, of the stock, and of the kernel's page allocator. */
#define SET		0
#define STOCK		1
#define ZONE		2

#include "found.pml"

/* The page is the cache's own. */
inline rxc_index_store(c, key)
{
	WRITE_ONCE(c, BYTE, key);
	spin_lock(c, SET);
	write_seqcount_begin(c);
	WRITE_ONCE(c, KEY, key);
	WRITE_ONCE(c, FRAME, 1);
	write_seqcount_end(c);
	spin_unlock(c, SET)
}

inline rxc_index_remove(c)
{
	spin_lock(c, SET);
	write_seqcount_begin(c);
	WRITE_ONCE(c, KEY, 0);
	write_seqcount_end(c);
	spin_unlock(c, SET)
}

/* Returns in @got whether the stock has the page now. */
inline rxd_stock_put(c)
{
#ifndef NO_STOCK_MB
	smp_mb(c);
#endif
	spin_lock(c, STOCK);
	READ_ONCE(c, COUNT, got);
#ifdef NO_STOCK_COUNT
	got = 1;
#endif
	spin_unlock(c, STOCK)
}

proctype cache(byte c)
{
	byte seq, got;

	rxc_index_store(c, K);
	rxc_index_remove(c);
	if
	:: rxd_stock_put(c);
		if
		:: got == 1 ->
			/* stock_take() */
			spin_lock(c, STOCK);
			spin_unlock(c, STOCK);
			rxc_index_store(c, L)
		:: else -> put_page(c)
		fi
	:: put_page(c)
	fi
}

proctype owner(byte c)
{
end:	page_is_free;
	spin_lock(c, ZONE);
	page_is_free = false;
	spin_unlock(c, ZONE);
	WRITE_ONCE(c, COUNT, 1);
	WRITE_ONCE(c, BYTE, FOREIGN)
}

proctype reader(byte c)
{
	byte seq, now, key, frame, got;

again:
	key = 0;
	frame = 0;
	read_seqcount_begin(c);
	READ_ONCE(c, KEY, key);
	if
	:: key != K -> goto missed
	:: else
	fi;
	READ_ONCE(c, FRAME, frame);
#ifndef NO_FIRST_RETRY
	read_seqcount_retry(c);
	if
	:: now != seq -> goto again
	:: else
	fi;
#endif
	assert(frame == 1);
	get_page_unless_zero(c);
	if
	:: !got -> goto again
	:: else
	fi;
#ifndef NO_SECOND_RETRY
	read_seqcount_retry(c);
	if
	:: now != seq ->
		put_page(c);
		goto again
	:: else
	fi;
#endif
	READ_ONCE(c, BYTE, got);
	assert(got == K);
	put_page(c);
missed:
	skip
}

init {
	atomic {
		memory_is(SEQ, 0);
		memory_is(KEY, 0);
		memory_is(FRAME, 0);
		memory_is(COUNT, 1);
		memory_is(BYTE, FOREIGN);
		run cache(0);
		run owner(1);
		run reader(2);
		if
		:: READERS == 2 -> run reader(3)
		:: else
		fi
	}
}
