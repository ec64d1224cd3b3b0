/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads: io.c, part.c and fill.c; and who else ends or evicts. See busy.pml. */

/* A part or a wait has begun: the last one takes over the submitter's share. */
inline begun(r, set)
{
	left = left & ~(set);
	if
	:: left -> io_pending[r]++
	:: else
	fi
}

/*
 * Step 1 of fill.c with pages at hand, and step 2. Sets past if the reader has
 * to go past the cache.
 */
inline rxc_read_miss(r)
{
	if
	/* rxc_busy_find(): a write, or else the fill */
#ifndef NO_PAST_WRITE
	:: busy[8].blocks & bit(b) -> past = left & busy[8].blocks
	:: busy[9].blocks & bit(b) -> past = left & busy[9].blocks
	:: busy[10].blocks & bit(b) -> past = left & busy[10].blocks
	:: busy[11].blocks & bit(b) -> past = left & busy[11].blocks
#endif
	:: else ->
		if
		:: fill_blocks(0) & bit(b) -> p = 0
		:: fill_blocks(1) & bit(b) -> p = 1
		:: fill_blocks(2) & bit(b) -> p = 2
		:: fill_blocks(3) & bit(b) -> p = 3
		:: else -> p = 4
		fi;
		if
		:: p < 4 -> join(r)
		/* -EEXIST */
		:: p == 4 && cached & bit(b) -> skip
		:: p == 4 && !(cached & bit(b)) -> fill_enter(r)
		fi
	fi
}

inline join(r)
{
	past = left & busy[p].blocks;
	if
#ifndef NO_RACED_JOIN
	:: !busy[p].raced ->
#else
	::
#endif
		waiters[2 * p + r] = past;
		begun(r, past);
		past = 0
	/* It is raced, or there is no memory for the wait. */
	:: FAULTS || busy[p].raced -> skip
	fi
}

inline fill_enter(r)
{
	if
	/* rxc_busy_free_until() */
#ifndef NO_PAST_WRITE
	:: want == 3 && writes_over(2) -> want = 1
#endif
	:: want == 3 && fills_over(2) -> want = 1
	:: else
	fi;
	if
	:: skip
	/* There is a page for one block only, or none. */
	:: FAULTS && want == 3 -> want = 1
	:: FAULTS -> past = want
	fi;
	if
	:: past == 0 ->
		enter_read(PART(r, b), RXC_BUSY_FILL, want);
		waiters[2 * PART(r, b) + r] = want;
		begun(r, want)
	:: else
	fi
}

inline iter_uncached()
{
	if
#ifdef NO_UNCACHED
	:: skip
#else
	:: cached & bit(b) -> past = 0
	:: !(cached & bit(b)) && past == 3 && cached & 2 -> past = 1
	:: else
#endif
	fi
}

/* The submitter of a read: rxc_submit_bio(), read_through() and read_past() */
proctype reader(byte r)
{
	byte left, want, past, b, p, n;

	do
	:: n < READS ->
		atomic {
			read_begun || r == 0;
			read_begun = true;
			n++;
			if
			:: left = 1
			:: BLOCKS == 2 -> left = 2
			:: BLOCKS == 2 -> left = 3
			fi;
			io_blocks[r] = left;
			io_pending[r] = 1;
			io_got[r] = (left & watched -> seen : 0);
			if
			:: mode == MODE_BYPASS -> p = 1
			:: else
			fi
		}
		if
		:: p ->
			/* rxc_read_bypass() with RXC_BYPASS_ALL */
			atomic {
				p = 0;
#ifndef NO_DROP_CACHED
				rxc_index_remove(left);
#endif
				enter_read(PART(r, first_of(left)), RXC_BUSY_BYPASS, left);
				left = 0
			}
		:: else
		fi;

		do
		:: left ->
			/* read_hits(): no lock */
			atomic {
				b = first_of(left);
				if
#ifdef NO_LOOK_AGAIN
				:: cached & bit(b) && !p ->
#else
				:: cached & bit(b) ->
#endif
					rxc_copy_to_bio(r, bit(b), page);
					left = left & ~bit(b);
					if
					:: left == 0 -> rxc_io_put(r)
					:: else
					fi
				:: else -> want = left
				fi
			}
			if
			:: want == 3 ->
				/* count_missing(): no lock */
				atomic {
					if
					:: cached & 2 -> want = 1
					:: else
					fi
				}
			:: else
			fi;
			if
			:: want ->
				atomic {
					rxc_read_miss(r);
					want = 0;
#ifdef NO_LOOK_AGAIN
					p = 1
#else
					p = 0
#endif
				}
			:: else
			fi;
			if
			:: past ->
				/* rxc_read_bypass() with RXC_BYPASS_UNCACHED */
				atomic {
					iter_uncached();
					if
					:: past ->
						enter_read(PART(r, b), RXC_BUSY_BYPASS, past);
						begun(r, past);
						past = 0
					/* -EEXIST */
					:: else
					fi
				}
			:: else
			fi;
			b = 0
		:: else -> break
		od;
		io_blocks[r] == 0
	:: else -> break
	od
}

/* Each waiter gets what it waits for. */
inline end_waiters(p)
{
	if
	:: waiters[2 * (p)] ->
		rxc_copy_to_bio(0, waiters[2 * (p)], part_content[p]);
		waiters[2 * (p)] = 0;
		rxc_io_put(0)
	:: else
	fi;
	if
	:: waiters[2 * (p) + 1] ->
		rxc_copy_to_bio(1, waiters[2 * (p) + 1], part_content[p]);
		waiters[2 * (p) + 1] = 0;
		rxc_io_put(1)
	:: else
	fi
}

/* store_some() of fill.c, for the first block of todo */
inline store_read(p)
{
	b = first_of(todo);
	todo = todo & ~bit(b);
	if
	:: !busy[p].raced ->
#ifdef NO_STORE_BEFORE_LEAVE_FILL
		if
		:: todo == 0 ->
			late = true;
			content = part_content[p]
		:: else -> rxc_index_insert(b, part_content[p])
		fi;
#else
		rxc_index_insert(b, part_content[p]);
		check_rest()
#endif
	:: else
	fi;
	if
	:: todo == 0 ->
		end_waiters(p);
#ifdef NO_LEAVE_WITH_WAITERS
		late = true
#else
		rxc_busy_leave(p)
#endif
	:: else
	fi
}

/* rxc_read_bypass() with RXC_BYPASS_RETRY: the wait's share goes to the part. */
inline retry(r, set)
{
	if
	:: set ->
		atomic {
			enter_read(PART(r, first_of(set)), RXC_BUSY_BYPASS, set);
			set = 0
		}
	:: else
	fi
}

/* fill_end() of a part: fill_succeeded(), or fill_failed() on its queue */
proctype fill_end(byte p)
{
	byte todo, b, w0, w1, content;
	bool late;

end:	do
	:: atomic {
			busy[p].kind == RXC_BUSY_FILL ->
			if
			:: origin_answers(p);
				todo = busy[p].blocks;
				store_read(p)
			:: FAULTS ->
				w0 = waiters[2 * p];
				w1 = waiters[2 * p + 1];
				waiters[2 * p] = 0;
				waiters[2 * p + 1] = 0;
#ifndef NO_RETRY_RANGE
				busy[RETRY(p)].blocks = busy[p].blocks;
				busy[RETRY(p)].kind = RXC_BUSY_BYPASS;
#endif
				rxc_busy_leave(p)
			fi
		}
		if
		:: todo -> atomic { store_read(p) }
		:: else
		fi;
		if
		:: late ->
			atomic {
				late = false;
#ifdef NO_STORE_BEFORE_LEAVE_FILL
				rxc_index_insert(b, content);
				check_rest();
				content = 0
#endif
#ifdef NO_LEAVE_WITH_WAITERS
				rxc_busy_leave(p)
#endif
			}
		:: else
		fi;
		b = 0;
		if
		:: w0 || w1 ->
			retry(0, w0);
			retry(1, w1);
			rxc_busy_leave(RETRY(p))
		:: else
		fi
	od
}

/* The end of a read past the cache (bypass_end), and the evictor. */
proctype others()
{
	byte p, b;

end:	do
	:: atomic {
			if
			:: busy[0].kind == RXC_BUSY_BYPASS -> p = 0
			:: busy[1].kind == RXC_BUSY_BYPASS -> p = 1
			:: busy[2].kind == RXC_BUSY_BYPASS -> p = 2
			:: busy[3].kind == RXC_BUSY_BYPASS -> p = 3
			fi;
			if
			:: origin_answers(p);
				rxc_copy_to_bio(p / 2, busy[p].blocks, part_content[p])
			:: FAULTS -> io_failed[p / 2] = true
			fi;
			b = p / 2;
			rxc_busy_leave(p);
			p = 0;
			rxc_io_put(b);
			b = 0
		}
	/* rxc_index_shrink(), or a store of another block into the set: no lock */
	:: atomic { cached & 1 -> rxc_index_remove(1) }
	:: atomic { cached & 2 -> rxc_index_remove(2) }
	od
}
