/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads (read.c, miss.c, bypass.c, fill.c), their ends, the evictor. See busy.pml. */

/* The entry of busy[] for the reader's part. */
#define SLOT(r)		PART(r, b + (READS - 1) * (n - 1))

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
 * miss.c for a reader that has pages, and step 2 of fill.c. Sets "past" if the reader
 * has to go past the cache.
 */
inline rxc_miss_read(r)
{
	if
	/* rxc_busy_find(): a write, or else a fill that suits */
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
		/* Each is raced, or too slow for this reader. */
		:: p = 4
		fi;
		if
		:: p < 4 -> join(r)
		/* RXC_CACHED */
		:: p == 4 && cached & bit(b) -> skip
		:: p == 4 && !(cached & bit(b)) ->
			if
			:: WIDE && want == 3 ->
				held = held | left;
				enters = true
			:: else -> miss_enter(r)
			fi
		fi
	fi
}

/*
 * Checks under the reader's locks whether the fill is raced. If the fill reaches
 * beyond these locks, a write may mark the fill there before the wait is added.
 */
inline join(r)
{
	past = left & busy[p].blocks;
	if
#ifndef NO_RACED_JOIN
	:: !busy[p].raced ->
#else
	::
#endif
		if
		:: busy[p].blocks & ~left ->
			held = held | left;
			joins = true
		:: else -> add_wait(r)
		fi
	/* The wait gets no memory. */
	:: skip
	fi
}

inline add_wait(r)
{
	joined(p) = past;
	begun(r, past);
	past = 0
}

inline miss_enter(r)
{
	if
	/* rxc_busy_free_until() */
	/* The wide range has entered since rxc_busy_find(). */
	:: WIDE && want == 3 && writes_over(bit(b)) ->
#ifdef NO_FIRST_BLOCK
		want = 0
#else
		want = 1
#endif
#ifndef NO_PAST_WRITE
	:: want == 3 && writes_over(2) -> want = 1
#endif
	:: want == 3 && fills_over(2) -> want = 1
	:: want == 3 && fills_over(2) && !writes_over(2) -> skip
	:: else
	fi;
	if
	:: skip
	/* There are pages for one block only, or for none. */
	:: FAULTS && want == 3 -> want = 1
	:: FAULTS -> past = want
	fi;
	if
	:: past == 0 ->
		assert(want);
		enter_read(SLOT(r), RXC_BUSY_FILL, want);
		rxc_origin_read(SLOT(r), want);
		first(SLOT(r)) = want;
		begun(r, want)
	:: else
	fi
}

#ifdef NO_UNCACHED
#define looks(set)	false
#else
#define looks(set)	(cached & (set))
#endif

inline send_past(r)
{
	rxc_origin_read(SLOT(r), past);
	begun(r, past);
	past = 0
}

/*
 * rxc_bypass_read() with RXC_BYPASS_UNCACHED, for the blocks in "past". Each look of
 * iter_uncached() is a step without the lock; the last look is joined to the sending.
 */
inline read_uncached(r)
{
#ifndef LOOK_FIRST
	atomic {
		rxc_busy_lock(past);
		enter_read(SLOT(r), RXC_BUSY_BYPASS, past)
	}
#endif
	if
	:: past == 3 ->
		atomic {
			if
			:: looks(1) -> past = 0
			:: else
			fi
		}
	:: else
	fi;
	if
	:: past ->
		atomic {
			if
			:: past != 3 && looks(past) -> past = 0
			:: past == 3 && looks(2) -> past = 1
			:: else
			fi;
#ifndef LOOK_FIRST
			if
			:: past -> send_past(r)
			:: else -> want = 1
			fi
#endif
		}
	:: else -> want = 1
	fi;
#ifdef LOOK_FIRST
	if
	:: past ->
		atomic {
			rxc_busy_lock(past);
			enter_read(SLOT(r), RXC_BUSY_BYPASS, past);
			send_past(r)
		}
	:: else
	fi;
	want = 0
#else
	if
	:: want ->
		/* RXC_CACHED */
		atomic {
			rxc_busy_lock(busy[SLOT(r)].blocks);
			rxc_busy_leave(SLOT(r));
			want = 0
		}
	:: else
	fi
#endif
}

/* rxc_bypass_read() with RXC_BYPASS_ALL, for the blocks in "left" */
inline read_all(r)
{
#ifdef DROP_FIRST
	rxc_index_remove(left);
	atomic {
		rxc_busy_lock(left);
		enter_read(SLOT(r), RXC_BUSY_BYPASS, left);
#else
	atomic {
		rxc_busy_lock(left);
		enter_read(SLOT(r), RXC_BUSY_BYPASS, left)
	}
	atomic {
#ifndef NO_DROP_CACHED
		rxc_index_remove(left);
#endif
#endif
		rxc_origin_read(SLOT(r), left);
		left = 0;
		p = 0
	}
}

/* The submitter of a read: rxc_submit_bio(), rxc_read() and rxc_read_past() */
proctype reader(byte r)
{
	byte left, want, past, b, p, n;
	bool joins, enters;

	do
	:: n < (r == 0 -> READS : 1) ->
		atomic {
			read_begun || r == 0 || READS == 2;
			read_begun = true;
			n++;
			if
			:: left = 1
			:: BLOCKS == 2 -> left = 2
			:: BLOCKS == 2 -> left = 3
			fi;
			b = first_of(left);
			io_blocks[r] = left;
			io_pending[r] = 1;
			io_got[r] = (left & watched -> seen : 0);
			if
			:: mode == MODE_BYPASS -> p = 1
			:: else
			fi
		}
		if
		:: p -> read_all(r)
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
			/* miss_frozen(): no lock */
			if
			:: FREEZES && want ->
				atomic {
					if
					:: frozen ->
						past = want;
						want = 0
					:: else
					fi
				}
			:: else
			fi;
			if
			:: want == 3 ->
				/* rxc_miss_count(): no lock */
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
					rxc_busy_lock(left);
					rxc_miss_read(r);
					want = (enters -> want : 0);
					if
					:: joins || enters
#ifdef NO_LOOK_AGAIN
					:: else -> p = 1
#else
					:: else -> p = 0
#endif
					fi
				}
			:: else
			fi;
			if
			:: joins ->
				atomic {
					held = held & ~left;
					add_wait(r);
					joins = false;
					p = 0
				}
			:: else
			fi;
			if
			:: enters ->
				atomic {
					held = held & ~left;
					miss_enter(r);
					want = 0;
					enters = false;
					p = 0
				}
			:: else
			fi;
			if
			:: past -> read_uncached(r)
			:: else
			fi;
			b = 0
		:: else -> break
		od;
		io_blocks[r] == 0
	:: else -> break
	od
}

/*
 * The end of fill_succeeded(). The index owns the stored pages and may have lost them
 * by now, so a copy needs the fill's own references.
 */
inline end_waiters(p)
{
	if
	:: joined(p) ->
		assert(pinned || !stored);
		rxc_copy_to_bio(1 - p / 2, joined(p), part_content[p]);
		joined(p) = 0;
		rxc_io_put(1 - p / 2)
	:: else
	fi;
	first(p) = 0;
	rxc_io_put(p / 2)
}

/* fill_store() of fill.c, for the first block of todo */
inline store_read(p)
{
	b = first_of(todo);
	todo = todo & ~bit(b);
#ifndef NO_PIN
	if
	:: !pinned && joined(p) ->
		/* pin(): the pages are still the fill's alone. */
		assert(!stored);
		pinned = true
	:: else
	fi;
#endif
#ifndef NO_FROZEN_FILL
	if
	:: frozen -> busy[p].raced = true
	:: else
	fi;
#endif
	if
	:: !busy[p].raced ->
		stored = true;
#ifdef NO_STORE_BEFORE_LEAVE_FILL
		if
		:: todo == 0 ->
			late = true;
			content = part_content[p]
		:: else -> rxc_index_store(b, part_content[p])
		fi;
#else
		rxc_index_store(b, part_content[p]);
		check_rest()
#endif
	:: else
	fi;
	if
	:: todo == 0 ->
		end_waiters(p);
		pinned = false;
		stored = false;
#ifdef NO_LEAVE_WITH_WAITERS
		late = true
#else
		rxc_busy_leave(p)
#endif
	:: else
	fi
}

/* The section of rxc_fill_failed() */
inline rxc_fill_failed(p)
{
	w0 = waiters[2 * p];
	w1 = waiters[2 * p + 1];
	waiters[2 * p] = 0;
	waiters[2 * p + 1] = 0;
#ifndef NO_RETRY_RANGE
	busy[RETRY(p)].blocks = busy[p].blocks;
	busy[RETRY(p)].kind = RXC_BUSY_BYPASS;
#endif
	rxc_busy_leave(p)
}

inline rxc_fill_refused(p)
{
	first(p) = 0;
	if
#ifndef NO_STAY_REFUSED
	:: joined(p) ->
#ifdef LEAVE_REFUSED
		w0 = waiters[2 * p];
		w1 = waiters[2 * p + 1];
		joined(p) = 0;
		rxc_busy_leave(p)
#else
		busy[p].raced = true;
		refused = true
#endif
#endif
	:: else -> rxc_busy_leave(p)
	fi;
	io_failed[p / 2] = true;
	rxc_io_put(p / 2)
}

/* read_again(): the wait's share goes to the part. */
inline read_again(r, set)
{
	if
	:: set ->
		atomic {
			rxc_busy_lock(set);
			b = PART(r, first_of(set));
			if
			:: p / 2 == r -> b = p
			/* The reader's entry there is a fill that was refused. */
			:: p / 2 != r && READS == 2 && busy[b].kind -> b++
			:: else
			fi;
			enter_read(b, RXC_BUSY_BYPASS, set);
			rxc_origin_read(b, set);
			set = 0;
			b = 0
		}
	:: else
	fi
}

/* The locks of a fill's end are those of its whole range. */
#ifdef ONE_LOCK
#define fill_locks(p)	bit(first_of(busy[p].blocks))
#else
#define fill_locks(p)	busy[p].blocks
#endif

/* fill_end() of a part: fill_succeeded(), or retry.c */
proctype fill_end(byte p)
{
	byte todo, b, w0, w1, content;
	bool pinned, stored, refused, late;

end:	do
	:: atomic {
			busy[p].kind == RXC_BUSY_FILL && rxc_busy_lock(fill_locks(p)) ->
			if
			/* There is more than one batch, and this is not the first. */
			:: todo
			:: !todo ->
				origin_answers(p);
				rxc_copy_to_bio(p / 2, first(p), part_content[p]);
#ifndef NO_PIN_AHEAD
				pinned = (busy[p].blocks == 3);
#endif
				todo = busy[p].blocks
			:: !todo && FAULTS -> rxc_fill_failed(p)
			:: !todo && FAULTS -> rxc_fill_refused(p)
			fi;
			if
			:: todo -> store_read(p)
			:: else
			fi
		}
		if
		:: late ->
			atomic {
				late = false;
#ifdef NO_STORE_BEFORE_LEAVE_FILL
				rxc_index_store(b, content);
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
		:: refused ->
			atomic {
				rxc_busy_lock(fill_locks(p));
				rxc_fill_failed(p);
				refused = false
			}
		:: else
		fi;
		if
		:: w0 || w1 ->
			read_again(0, w0);
			read_again(1, w1);
			atomic {
				rxc_busy_lock(busy[RETRY(p)].blocks);
				rxc_busy_leave(RETRY(p))
			}
		:: else
		fi
	od
}

#define ends_past(p) \
	(busy[p].kind == RXC_BUSY_BYPASS && busy[p].sent && rxc_busy_lock(busy[p].blocks))

/* The end of a read past the cache (bypass_end), and the evictor. */
proctype others()
{
	byte p, b;

end:	do
	:: atomic {
			if
			:: ends_past(0) -> p = 0
			:: ends_past(1) -> p = 1
			:: ends_past(2) -> p = 2
			:: ends_past(3) -> p = 3
			fi;
			if
			:: origin_answers(p);
				rxc_copy_to_bio(p / 2, busy[p].sent, part_content[p])
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
