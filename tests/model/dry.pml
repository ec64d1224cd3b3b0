/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of how a full pool notes that no CPU has spare pages, on a machine with a weak
 * memory (weak.pml). "run" runs it. It stands for
 *
 *	rxdsk/stock.c	rxd_stock_steal stock_note_dry stock_filled stock_take rxd_stock_put
 *
 * One stock has a page for each of two tasks at first, or nothing. In the first case both
 * look for a page at the same moment. In the second, one looks while another task puts a
 * page there.
 *
 * What is checked: a task finds a page if there is one for each the whole time, and when all
 * have ended the mark is not set while there is a page.
 */
#define CPUS		2
#define PLACES		2
#define WRITES		6
#define POINTERS	1
#define LOCKS		1
#include "weak.pml"

#define DRY		0	/* 1: no, 2: yes */
#define NR		1	/* pages in the stock, and 1 */

#define NO		1
#define YES		2
#define NONE_LEFT	1

#define STOCK		0

byte ended;

inline stock_take(c)
{
	READ_ONCE(c, NR, got);
	if
	:: got > NONE_LEFT ->
		spin_lock(c, STOCK);
		READ_ONCE(c, NR, got);
		if
		:: got > NONE_LEFT ->
			taken = true;
			WRITE_ONCE(c, NR, got - 1)
		:: else
		fi;
		spin_unlock(c, STOCK)
	:: else
	fi
}

inline stock_note_dry(c)
{
	WRITE_ONCE(c, DRY, YES);
#ifndef NO_DRY_MB
	smp_mb(c);
#endif
#ifndef NO_DRY_LOOK
	READ_ONCE(c, NR, got);
	if
	:: got > NONE_LEFT -> WRITE_ONCE(c, DRY, NO)
	:: else
	fi
#endif
}

proctype steal(byte c; bool must)
{
	byte got;
	bool taken;

	READ_ONCE(c, DRY, got);
	if
	:: got == NO ->
#ifdef MARK_FIRST
		WRITE_ONCE(c, DRY, YES);
		smp_mb(c);
		stock_take(c);
		if
		:: taken -> WRITE_ONCE(c, DRY, NO)
		:: else
		fi
#else
		stock_take(c);
		if
		:: !taken -> stock_note_dry(c)
		:: else
		fi
#endif
	:: else
	fi;
	assert(taken || !must);
	ended++
}

proctype put(byte c)
{
	byte got;

	spin_lock(c, STOCK);
	READ_ONCE(c, NR, got);
	WRITE_ONCE(c, NR, got + 1);
	spin_unlock(c, STOCK);
	/* stock_filled() */
#ifndef NO_FILLED_MB
	smp_mb(c);
#endif
	READ_ONCE(c, DRY, got);
	if
	:: got == YES -> WRITE_ONCE(c, DRY, NO)
	:: else
	fi;
	ended++
}

init {
	atomic {
		memory_is(DRY, NO);
		if
		:: memory_is(NR, NONE_LEFT + 2);
			run steal(0, true);
			run steal(1, true)
		:: memory_is(NR, NONE_LEFT);
			run steal(0, false);
			run put(1)
		fi
	}
	ended == 2;
	assert(memory[DRY].at[memory[DRY].nr - 1].value == NO ||
	       memory[NR].at[memory[NR].nr - 1].value == NONE_LEFT)
}
