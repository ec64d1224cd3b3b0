/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A model of how a cache that falls idle notices a last error, on a machine with a weak
 * memory (weak.pml). "run" runs it. It stands for
 *
 *	rxcache/life/watch.c		watch_sum
 *	rxcache/figures/recent.c	rxc_recent_error rxc_recent_wake
 *
 * The watch has found no counter moved, clears "ticking", and sums once more. Meanwhile
 * an error is counted, and sets "ticking" again if it is clear.
 *
 * What is checked: the watch has seen the error, or runs again. A request that only counts
 * what it did promises less: rxc_watch() says what.
 */
#define CPUS		2
#define PLACES		2
#define WRITES		4
#define POINTERS	1
#define LOCKS		1
#include "weak.pml"

#define TICKING		0	/* 1: no, 2: yes */
#define ERRORS		1

#define NO		1
#define YES		2

bool seen;
byte ended;

/* The exchange does what the test before it has decided, unless another one was quicker. */
inline rxc_recent_wake(c)
{
	READ_ONCE(c, TICKING, got);
	if
	:: got == NO ->
		atomic {
			if
			:: memory[TICKING].at[memory[TICKING].nr - 1].value == NO ->
				atomic_fetch_add(c, TICKING, YES - NO, got)
			:: else
			fi
		}
	:: else
	fi
}

proctype watch(byte c)
{
	byte got;

	WRITE_ONCE(c, TICKING, NO);
#ifndef NO_IDLE_MB
	/* smp_store_mb() */
	smp_mb(c);
#endif
	READ_ONCE(c, ERRORS, got);
	seen = got;
	if
	:: seen -> rxc_recent_wake(c)
	:: else
	fi;
	ended++
}

proctype error(byte c)
{
	byte got;

	WRITE_ONCE(c, ERRORS, 1);
#ifndef NO_ERROR_MB
	smp_mb(c);
#endif
	rxc_recent_wake(c);
	ended++
}

init {
	atomic {
		memory_is(TICKING, YES);
		memory_is(ERRORS, 0);
		run watch(0);
		run error(1)
	}
	ended == 2;
	assert(seen || memory[TICKING].at[memory[TICKING].nr - 1].value == YES)
}
