/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model for Spin of the I/O in flight at the origin (rxcache/blocks/busy.h). It has the
 * sections of busy.c, miss.c, bypass.c, fill.c, retry.c, write.c, keep.c and pool.c
 * under the locks of a range, and the steps of read.c and the others without these
 * locks. "run" runs it.
 *
 * An atomic block is one section under the locks of a range, or one access to the
 * index or to a flag without them. Anything can happen between two atomic blocks. If
 * there are two blocks of the cache, each is in its own region, with its own lock. A
 * range of both takes both locks, so sections of ranges that overlap exclude each
 * other, and other sections have nothing in common. There is one exception: a reader
 * that holds one lock may find a fill of both blocks, which a write marks raced under
 * the other lock. The reader checks that mark in one step, adds its wait in another,
 * and keeps its lock between the two. A wide range is a discard of both blocks here: it
 * enters in one step and goes to each block in another one. What begins meanwhile finds it.
 * A reader that wants both blocks looks at the first one and at the others in two steps under
 * its lock, so that the wide range may enter between the two.
 *
 * Some steps are joined because that loses nothing:
 *
 *  - A bio is sent with the step before: a fill where it enters the tree, a read
 *    past the cache with its last look at the index, or its last drop. The bio returns
 *    any content that the origin has from that step to the end of the bio, which
 *    includes what a later sending could return.
 *  - A bio ends where its part leaves the tree, or is refused, and begins where it
 *    reads the mode. A later end or an earlier beginning only allows other bios more.
 *  - No other process knows what a reader gets from a fill's pages before the reader's
 *    bio ends. The copy for the first waiter is made in the step that stores the first
 *    block, before the store, and the copy for a joiner in the step that ends its
 *    wait. The index owns the pages by then, so a joiner's copy needs the fill's own
 *    references (pinned).
 *  - The first look of rxc_miss_read() is left out: it finds what the second one
 *    finds at that moment, or else leads to the second one.
 *  - Blocks that are in flight as a write can only leave the cache. Where the code
 *    removes several blocks, or looks a block up and then removes it, the evictor
 *    makes the states in between.
 *  - A write checks whether the cache is frozen in the step that looks up its block. A
 *    freeze or a thaw between the two may as well come after both: whether a block
 *    in flight as a write is cached does not depend on it.
 *
 * Contents are numbers: the n-th write that the origin executes on a block
 * leaves content n. No step depends on contents, so the model has those of one block
 * only, which is chosen at the start. RXC_BATCH is one block, so each block of a fill
 * or a write is stored in its own section. A write that is not "whole" is a partial
 * write, or a write without write_allocate.
 *
 * The origin may refuse any fill, as if its reader must not wait. A reader that must
 * not wait differs from others only in that it begins one part or nothing.
 *
 * An origin that grows enters a range as a flush of the cache does, which is a switch
 * to the same mode here: it drops all cached blocks and marks all I/O in flight raced.
 *
 * The model leaves out:
 *
 *  - bios of several writes, because each part is a write of its own;
 *  - writes that may not wait or are taken back before they are sent, which only make
 *    other requests drop blocks, or not keep blocks that they might have kept;
 *  - frame numbers that the index can't hold;
 *  - verification, which changes neither the cache nor what other requests do.
 *
 * What is checked:
 *
 *  seen	A read returns nothing older than what a request that ended before
 *	it began has returned or written. Since the origin puts all writes of
 *	a block in one order, each block is linearizable.
 *  rest	A cached block equals the origin's while no write of it is in flight.
 *  admit	A block that enters a frozen cache was in the cache when it was frozen,
 *	or a write in flight had dropped the block then. Since then, only a write
 *	that puts the block back has dropped it.
 *  empty	A fill has a block at least.
 *  page	No process copies from a page that the index may have lost.
 *  wait	No process waits for ever: there are no invalid end states.
 *  round	No process loops for ever: there are no cycles.
 *
 * The evictor is in all casts, and may act at any time. Contents and order concern
 * one block at a time. For one block, "writers" has two writers and three reads, two
 * of them one after the other; "discard" has a write and a discard; "modes" has a
 * switch of mode (or a flush). In these three the origin may fail and memory may be
 * short. "late" has two writers and two reads around a switch back from bypass.
 * "freeze" has two readers and a writer while the cache is frozen and thawed. With two
 * blocks, ranges may overlap in part: "ranges" has two readers and a write, for fills
 * and joined waits; "retries" has two readers whose fills may fail or be refused;
 * "overlap" has two writes and a reader; "wide" has a reader, a write and a discard.
 */

/* The cast. */
#ifndef BLOCKS
#define BLOCKS		2	/* 1 or 2 */
#endif
#ifndef READERS
#define READERS		2	/* 1 or 2 */
#endif
#ifndef READS
#define READS		1	/* of the first reader, 1 or 2 of the only block */
#endif
#ifndef WRITERS
#define WRITERS		2	/* 0 to 2 */
#endif
#ifndef DISCARDS
#define DISCARDS	1	/* 0 or 1 */
#endif
#ifndef SWITCHES
#define SWITCHES	2	/* of mode, or a flush of the cache */
#endif

#ifndef FREEZES
#define FREEZES		0	/* how many times the cache is frozen or thawed */
#endif

#ifndef FAULTS
#define FAULTS		1	/* the origin may fail or refuse, and there may be no memory */
#endif

/*
 * With LATE, the writers have read the mode before a switch to bypass, which has
 * ended. They show what such late writers can do.
 */
#ifndef LATE
#define LATE		0
#endif

/* There may be a wide range. */
#define WIDE		(BLOCKS == 2 && DISCARDS)

#define ALL		((1 << BLOCKS) - 1)
#define bit(b)		(1 << (b))
#define first_of(set)	(((set) & 1) -> 0 : 1)

#ifdef ONLY_SEEN
#define assert_rest(x)	skip
#define assert_admit(x)	skip
#else
#define assert_rest(x)	assert(x)
#define assert_admit(x)	assert(x)
#endif
#ifdef ONLY_REST
#define assert_seen(x)	skip
#else
#define assert_seen(x)	assert(x)
#endif

#define RXC_BUSY_FILL	1
#define RXC_BUSY_BYPASS	2
#define RXC_BUSY_WRITE	3

#define MODE_THROUGH	0
#define MODE_AROUND	1
#define MODE_BYPASS	2

/*
 * struct rxc_busy, which is in the tree while it has blocks. Ranges are sets of blocks
 * here. For a part that reads, "sent" has the blocks that its bio was sent for, which
 * may be fewer.
 */
typedef rxc_busy {
	unsigned blocks : 2;
	unsigned sent : 2;
	unsigned kind : 2;
	bool raced;
	bool met
};

/*
 * The entries of busy[]: the part of a reader that begins at block b (with one block,
 * b = 1 is the part of its next read), the retry of a failed fill, and a write.
 */
#define PART(r, b)	(2 * (r) + (b))
#define RETRY(p)	(4 + (p))
#define WRITE(w)	(8 + (w))
#define DROP_ALL	11
#define NR_BUSY		12

rxc_busy busy[NR_BUSY];

/*
 * Each block is in its own region, with its own lock. "held" has the locks that a
 * process holds for more than one step. All other sections take and release the locks
 * of their range within a step.
 */
byte held;
#define rxc_busy_lock(set)	(!(held & (set)))

/* The block, as a set, whose contents the model has. No step depends on them. */
byte watched = 1;

/* The origin's content, and the newest content that an ended request has returned or written. */
byte origin;
byte seen;

/* The index: the cached blocks, and the content of the watched block's page. */
byte cached;
byte page;

byte mode = MODE_THROUGH;
bool frozen;

/*
 * Only the check of "admit" reads these: blocks that writes have dropped to put them
 * back, and blocks that may be in a frozen cache.
 */
byte put_back;
byte admitted;

/* struct rxc_io of a reader: its blocks (0: no bio), pending, and status. */
byte io_blocks[2];
byte io_pending[2];
bool io_failed[2];
/* By reader: the oldest content that it may see, and then the content that it got. */
byte io_got[2];

/* By part: the origin's content when the bio was sent, and later the answer. */
byte part_content[4];
/* rxc_part.first and rxc_part.waiters, by part and reader: the blocks waited for. */
byte waiters[8];
#define first(p)	waiters[2 * (p) + (p) / 2]
#define joined(p)	waiters[2 * (p) + 1 - (p) / 2]

/* Two readers are alike, and so are two writers, so the second one begins second. */
bool read_begun;
bool write_begun;

#define writes_over(set) \
	((busy[8].blocks | busy[9].blocks | busy[10].blocks | busy[11].blocks) & (set))
#define fill_blocks(p)	(busy[p].kind == RXC_BUSY_FILL -> busy[p].blocks : 0)
#define fills_over(set)	\
	((fill_blocks(0) | fill_blocks(1) | fill_blocks(2) | fill_blocks(3)) & (set))

/* The check after a store, and after a write has left. */
inline check_rest()
{
	assert_rest(writes_over(watched) || !(cached & watched) || page == origin)
}

inline rxc_index_store(b, content)
{
	d_step {
		assert_admit(!frozen || admitted & bit(b));
		cached = cached | bit(b);
		page = (bit(b) == watched -> content : page)
	}
}

inline rxc_index_remove(set)
{
	d_step {
		cached = cached & ~(set);
		admitted = admitted & ~(set);
		page = (cached & watched -> page : 0)
	}
}

inline rxc_busy_enter_write(w, set)
{
	d_step {
		i = 0;
		do
		:: i < NR_BUSY ->
			if
			:: busy[i].blocks & (set) ->
#ifdef NO_RACED_FILL
				busy[i].raced = (busy[i].kind != RXC_BUSY_FILL);
#else
				busy[i].raced = true;
#endif
#ifndef NO_MET
				busy[w].met = true;
#endif
#ifndef NO_RACED_WRITE
				if
				:: busy[i].kind == RXC_BUSY_WRITE ->
					busy[w].raced = true
				:: else
				fi
#endif
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0;
		busy[w].kind = RXC_BUSY_WRITE;
		busy[w].blocks = set
	}
}

/* A step of enter_wide(): the range is in the tree, and has not been to @set. */
inline enter_wide_at(w, set)
{
	d_step {
		i = 0;
		do
		:: i < NR_BUSY ->
			if
			:: i != (w) && busy[i].blocks & (set) ->
				busy[i].raced = true;
				busy[w].met = true;
				if
				:: busy[i].kind == RXC_BUSY_WRITE ->
					busy[w].raced = true
				:: else
				fi
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0
	}
}

/* rxc_busy_enter_fill() and rxc_busy_enter_bypass() */
inline enter_read(p, how, set)
{
	d_step {
		busy[p].kind = how;
		busy[p].blocks = set
	}
}

inline rxc_origin_read(p, set)
{
	d_step {
		busy[p].sent = set;
		part_content[p] = ((set) & watched -> origin : 0)
	}
}

inline rxc_busy_leave(e)
{
	d_step {
		busy[e].blocks = 0;
		busy[e].sent = 0;
		busy[e].kind = 0;
		busy[e].raced = false;
		busy[e].met = false;
		if
		:: (e) < 4 -> part_content[e] = 0
		:: else
		fi
	}
}

inline rxc_io_put(r)
{
	io_pending[r]--;
	if
	:: io_pending[r] -> skip
	:: else ->
		d_step {
			if
			:: !io_failed[r] && io_got[r] > seen -> seen = io_got[r]
			:: else
			fi;
			io_got[r] = 0;
			io_failed[r] = false;
			io_blocks[r] = 0
		}
	fi
}

inline rxc_copy_to_bio(r, set, content)
{
	if
	:: (set) & watched ->
		assert_seen((content) >= io_got[r]);
		io_got[r] = content
	:: else
	fi
}

/* The origin has executed the read at some moment since it was sent. */
inline origin_answers(p)
{
	do
	:: busy[p].sent & watched && part_content[p] < origin ->
		part_content[p]++
	:: break
	od
}

/* enter_wide() */
inline enter_wide(w)
{
	d_step {
		busy[w].kind = RXC_BUSY_WRITE;
		busy[w].blocks = 3
	}
#ifndef NO_VISIT
	atomic {
		rxc_busy_lock(1);
		enter_wide_at(w, 1)
	}
	atomic {
		rxc_busy_lock(2);
		enter_wide_at(w, 2)
	}
#endif
}

#include "read.pml"
#include "write.pml"

/* The evictor covers drops before the last step. */
inline rxc_pool_drop_all()
{
	atomic {
		rxc_busy_lock(ALL);
		rxc_busy_enter_write(DROP_ALL, ALL)
	}
	atomic {
		rxc_busy_lock(ALL);
		rxc_index_remove(ALL);
		rxc_busy_leave(DROP_ALL)
	}
}

/* map_set_mode() of netlink.c, under rxc_mutex; a switch to the same mode is a flush */
proctype set_mode()
{
	byte n, new, i;

	do
	:: n < SWITCHES ->
		n++;
		if
		:: new = MODE_THROUGH
		:: new = MODE_AROUND
		:: new = MODE_BYPASS
		fi;
		if
		:: new == mode || mode == MODE_BYPASS -> rxc_pool_drop_all()
		:: else
		fi;
		if
		:: new != mode ->
			mode = new;
			if
			:: new == MODE_BYPASS -> rxc_pool_drop_all()
			:: else
			fi
		:: else
		fi;
		new = 0
	:: else -> break
	od
}

/* freeze() of mode.c */
proctype set_frozen()
{
	byte n;

	do
	:: atomic {
			n < FREEZES ->
			n++;
			frozen = !frozen;
			admitted = (frozen -> cached | put_back : 0)
		}
	:: n == FREEZES -> break
	od
}

init {
	atomic {
		if
		:: cached = 0
		:: cached = ALL
		:: BLOCKS == 2 -> cached = 1
		:: BLOCKS == 2 -> cached = 2
		fi;
		if
		:: watched = 1
		:: BLOCKS == 2 -> watched = 2
		fi;
		mode = (LATE -> MODE_BYPASS : MODE_THROUGH);
		if
		:: FREEZES ->
			if
			:: frozen = true;
				admitted = cached
			:: skip
			fi;
			run set_frozen()
		:: else
		fi;
		run reader(0);
		run fill_end(PART(0, 0));
		if
		:: READERS == 2 ->
			run reader(1);
			run fill_end(PART(1, 0))
		:: else
		fi;
		if
		:: BLOCKS == 2 || READS == 2 -> run fill_end(PART(0, 1))
		:: else
		fi;
		if
		:: BLOCKS == 2 && READERS == 2 -> run fill_end(PART(1, 1))
		:: else
		fi;
		run others();
		if
		:: WRITERS > 0 -> run writer(0)
		:: else
		fi;
		if
		:: WRITERS > 1 -> run writer(1)
		:: else
		fi;
		if
		:: DISCARDS -> run writer(2)
		:: else
		fi;
		if
		:: SWITCHES -> run set_mode()
		:: else
		fi
	}
}
