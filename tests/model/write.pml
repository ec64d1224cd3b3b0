/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes and discards: write.c and keep.c. See busy.pml. */

/*
 * Step 2 of write.c for a block, without the lock. The look-up and the drop are
 * one step: in between the block can only leave the cache, as it can before.
 */
inline write_add_block(w, b)
{
	if
	/* rxc_keep_block(): the whole block, or around what is cached */
	:: keeps && !busy[WRITE(w)].raced && (!frozen || cached & bit(b)) ->
		kept = kept | bit(b);
		whole = whole | bit(b);
		drop_met(w, b)
	:: keeps && !busy[WRITE(w)].raced && cached & bit(b) ->
		kept = kept | bit(b);
		base = (bit(b) == watched -> page : base);
		drop_met(w, b)
	/* The block is not to be kept, or there is no memory for it. */
	:: rxc_index_remove(bit(b))
	fi
}

inline drop_met(w, b)
{
	if
	:: busy[WRITE(w)].met && cached & bit(b) ->
		rxc_index_remove(bit(b));
		/* For a whole block this matters only if the cache may be frozen. */
		dropped = dropped | (bit(b) & ~(FREEZES -> 0 : whole));
		put_back = (FREEZES -> put_back | bit(b) : 0);
		admitted = (frozen -> admitted | bit(b) : 0)
	:: else
	fi
}

/* In a partial copy, the bytes around the user's are as old as its base. */
inline keep_store_page(b)
{
	if
#ifdef NO_FROZEN_WRITE
	:: (whole | dropped | cached) & bit(b) ->
#else
	/* how_to_store() */
	:: ((frozen -> 0 : whole) | dropped | cached) & bit(b) ->
#endif
		if
		:: whole & bit(b) || base + 1 == wrote -> rxc_index_store(b, wrote)
		:: else -> rxc_index_store(b, base)
		fi;
		check_rest()
	:: else -> refused = refused | bit(b)
	fi
}

/*
 * keep_store() of keep.c, for one block. The blocks that a raced or failed write has
 * kept are refused, and all blocks of the write are dropped here.
 */
inline store_written(w)
{
	b = first_of(kept);
	if
	:: busy[WRITE(w)].raced || failed ->
		kept = 0;
		drop_range(w)
	:: else ->
		kept = kept & ~bit(b);
#ifdef NO_STORE_BEFORE_LEAVE_WRITE
		if
		:: kept == 0 ->
			late = 1 + b;
			rxc_busy_leave(WRITE(w))
		:: else -> keep_store_page(b)
		fi
#else
		keep_store_page(b);
		if
		:: kept == 0 && refused == 0 -> write_leave(w)
		:: else
		fi
#endif
	fi;
	b = 0
}

inline drop_range(w)
{
#ifdef NO_DROP_FAILED
	if
	:: busy[WRITE(w)].raced -> rxc_index_remove(busy[WRITE(w)].blocks)
	:: else
	fi
#else
	rxc_index_remove(busy[WRITE(w)].blocks)
#endif
}

/* The range leaves the tree and the bio ends. */
inline write_leave(w)
{
	put_back = put_back & ~busy[WRITE(w)].blocks;
	rxc_busy_leave(WRITE(w));
	check_rest();
	write_done()
}

inline write_done()
{
	d_step {
		if
		:: !failed && wrote > seen -> seen = wrote
		:: else
		fi;
		wrote = 0;
		base = 0;
		whole = 0;
		dropped = 0;
		refused = 0;
		failed = false;
		left = true
	}
}

/* No later step of a raced write asks how a block was kept, so this saves states. */
inline forget_raced(w)
{
	if
	:: busy[WRITE(w)].raced ->
		whole = 0;
		dropped = 0;
		base = 0
	:: else
	fi
}

/* rxc_write(): the first two are writers, the third is a discard. */
proctype writer(byte w)
{
	byte todo, kept, whole, dropped, refused, late, i, b, base, wrote;
	bool keeps, failed, left;

	/* Without a switch of mode it does not matter when the mode is read. */
	if
	:: SWITCHES ->
		atomic {
			write_begun || w != 1;
			write_begun = write_begun || w == 0;
			keeps = (w < 2 && (LATE || mode == MODE_THROUGH))
		}
	:: else -> keeps = (w < 2)
	fi;
	/* Step 1 */
	atomic {
		write_begun || w != 1;
		write_begun = write_begun || w == 0;
		if
		:: todo = 1
		:: BLOCKS == 2 -> todo = 2
		:: BLOCKS == 2 -> todo = 3
		fi;
		if
		:: w == 2 && todo == 3 -> skip
		:: else ->
			rxc_busy_lock(todo);
			rxc_busy_enter_write(WRITE(w), todo)
		fi
	}
	if
	:: w == 2 && todo == 3 -> enter_wide(WRITE(2))
	:: else
	fi;
	/* Step 2 */
	if
	:: keeps ->
		if
		:: todo & 1 -> atomic { write_add_block(w, 0) }
		:: else
		fi;
		if
		:: todo & 2 -> atomic { write_add_block(w, 1) }
		:: else
		fi
	:: else -> rxc_index_remove(todo)
	fi;
	keeps = false;
	/* Step 3: the origin executes the write, or fails before or after that. */
	todo = todo & watched;
	do
	:: d_step {
			todo ->
			origin++;
			wrote = origin;
			todo = 0;
			forget_raced(w)
		}
	:: todo == 0 -> break
	:: d_step {
			FAULTS ->
			failed = true;
			todo = 0
		};
		break
	od;
	/* Step 4: write_end() and rxc_keep_end() */
	do
	:: kept ->
		atomic {
			rxc_busy_lock(busy[WRITE(w)].blocks);
			store_written(w)
		}
	:: else -> break
	od;
#ifdef NO_STORE_BEFORE_LEAVE_WRITE
	if
	:: late ->
		atomic {
			keep_store_page(late - 1);
			write_done()
		}
	:: else
	fi;
#endif
	/* rxc_keep_end() drops refused blocks; write_end(), those of a raced write. */
	if
	:: refused ->
		atomic {
			rxc_index_remove(refused);
			if
			:: busy[WRITE(w)].raced -> drop_range(w)
			:: else
			fi;
			refused = 0
		}
	:: else
	fi;
	if
	:: !left ->
		atomic {
			/* A wide range leaves its tree without these locks. */
			w == 2 || rxc_busy_lock(busy[WRITE(w)].blocks);
			write_leave(w)
		}
	:: else
	fi
}
