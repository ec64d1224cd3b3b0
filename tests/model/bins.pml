/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of a block that is compressed while it is read, written and dropped, on a machine
 * with a weak memory (weak.pml). "run" runs it. It stands for
 *
 *	rxcache/packed/bin.c	rxc_bin_put rxc_bin_find rxc_bin_room rxc_bin_add rxc_bin_undo rxc_bin_end
 *	rxcache/packed/bin.h	rxc_bin_get
 *	rxcache/packed/pack.c	pack_store
 *	rxcache/packed/unpack.c	find_bin rxc_unpack_hits
 *	rxcache/blocks/packed_ways.c	rxc_index_swap
 *	rxcache/blocks/index.c	index_get set_replace rxc_index_remove
 *
 * There is one way with one block, and one bin. The packer puts the block into the bin, and
 * again after a write if it still may, and then ends the bin. A writer gives the block a
 * second version, plain, and drops it. Who takes the bin's last user away frees its page,
 * and that gets another owner. A reader looks for the compressed block meanwhile. How plain
 * blocks are found and freed is in entry.pml.
 *
 * What is checked: a reader gets the version that the way had when it was found, from a bin
 * that nobody else owns, and nobody adds to a bin that was freed.
 */
#define CPUS		4
#define PLACES		7
#define WRITES		10
#define POINTERS	1
#define LOCKS		2
#include "weak.pml"

/*
 * WAY is key, RXC_KEY_PACKED and frame: 0 without a block, or the version of the block, and
 * with PACKED if that is in the bin. The code knows no versions.
 */
#define SEQ		0
#define WAY		1
#define COUNT		2	/* of the bin's page */
#define USERS		3	/* of the bin */
#define NR		4
#define BLOCK		5	/* and the next one: the version that the bin's block has */

#define PACKED		4
#define FOREIGN		3

/* rxc_bin_room() says so. */
#ifdef NO_ROOM
#define has_key		false
#else
#define has_key		stored
#endif

/* The locks of the set, and of the kernel's page allocator. */
#define SET		0
#define ZONE		1

#include "found.pml"

bool bin_is_free;

inline set_way(c, v)
{
	write_seqcount_begin(c);
	WRITE_ONCE(c, WAY, v);
	write_seqcount_end(c)
}

inline rxc_bin_put(c)
{
	atomic_fetch_add(c, USERS, -1, got);
	if
	:: got == 1 ->
		assert(!bin_is_free);
		bin_is_free = true;
		put_page(c)
	:: else
	fi
}

/* Orders nothing. */
inline rxc_bin_get(c)
{
	d_step { add_relaxed(c, USERS, 1, got) }
}

inline rxc_index_swap(c)
{
	spin_lock(c, SET);
	READ_ONCE(c, SEQ, seq);
	READ_ONCE(c, WAY, way);
	swapped = false;
#ifdef NO_SAME_PAGE
	version = (way == 0 -> version : way);
#endif
	if
	:: way == version ->
#if !defined(NO_WAY_USER) && !defined(GET_LATE)
		rxc_bin_get(c);
#endif
		set_way(c, way + PACKED);
		swapped = true
	:: else
	fi;
	spin_unlock(c, SET);
#ifdef GET_LATE
	if
	:: swapped -> rxc_bin_get(c)
	:: else
	fi
#endif
}

/* The block has @version as the packer picks it. What it read of the page is its own. */
inline pack_store(c)
{
	if
	:: version && !(version & PACKED) && !has_key ->
		assert(!bin_is_free);
		WRITE_ONCE(c, BLOCK + nr, version);
		nr++;
		WRITE_ONCE(c, NR, nr);
		rxc_index_swap(c);
		if
		:: swapped -> stored = true
		:: else ->
			/* rxc_bin_undo() */
			nr--;
			WRITE_ONCE(c, NR, nr)
		fi
	:: else
	fi
}

proctype packer(byte c)
{
	byte seq, got, way, nr, version;
	bool swapped, stored;

	/* It has read a page with the first version. */
	version = 1;
	pack_store(c);
	spin_lock(c, SET);
	READ_ONCE(c, WAY, version);
	spin_unlock(c, SET);
	pack_store(c);
	/* Now it may add a block of another way. */
	assert(!bin_is_free);
#ifndef NO_PACKER_USER
	rxc_bin_put(c)
#endif
}

/* Leaves what the way had in @way. */
inline change(c, v)
{
	spin_lock(c, SET);
	READ_ONCE(c, SEQ, seq);
	READ_ONCE(c, WAY, way);
	set_way(c, v);
	spin_unlock(c, SET);
	if
	:: way & PACKED -> rxc_bin_put(c)
	:: else
	fi
}

proctype writer(byte c)
{
	byte seq, got, way;

	change(c, 2);
	change(c, 0)
}

proctype owner(byte c)
{
end:	page_is_free;
	spin_lock(c, ZONE);
	page_is_free = false;
	spin_unlock(c, ZONE);
	WRITE_ONCE(c, COUNT, 1);
	WRITE_ONCE(c, BLOCK, FOREIGN)
}

proctype reader(byte c)
{
	byte seq, now, way, got, nr, version;

again:
	read_seqcount_begin(c);
	READ_ONCE(c, WAY, way);
	if
	:: !(way & PACKED) -> goto missed
	:: else
	fi;
	read_seqcount_retry(c);
	if
	:: now != seq -> goto again
	:: else
	fi;
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
	/* rxc_bin_find() takes the first block of the key. */
	READ_ONCE(c, NR, nr);
	assert(nr);
	READ_ONCE(c, BLOCK, version);
	assert(version == way - PACKED);
	put_page(c);
missed:
	skip
}

init {
	atomic {
		memory_is(SEQ, 0);
		memory_is(WAY, 1);
		memory_is(COUNT, 1);
#ifdef NO_PACKER_USER
		memory_is(USERS, 0);
#else
		memory_is(USERS, 1);
#endif
		memory_is(NR, 0);
		memory_is(BLOCK, 0);
		memory_is(BLOCK + 1, 0);
		run packer(0);
		run writer(1);
		run owner(2);
		run reader(3)
	}
}
