/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cases whose results are known, to try weak.pml itself. "run" runs them. Most have their
 * name from tools/memory-model/litmus-tests in the kernel's source, where they can't go
 * wrong either. Without one of its barriers each can, but for CoRR, which has none. The
 * last one is the guarantee of grace periods in tools/memory-model/Documentation.
 */
#define CPUS		4
#define PLACES		2
#define WRITES		3
#define POINTERS	2
#define LOCKS		1
#include "weak.pml"

#define X	0
#define Y	1

byte which, ended, begun;
byte got[4];

#define MP	0	/* MP+fencewmbonceonce+fencermbonceonce */
#define MP_DEREF 1	/* MP+onceassign+derefonce */
#define MP_ACQUIRE 2	/* MP+pooncerelease+poacquireonce */
#define SB	3	/* SB+fencembonceonces */
#define WRC	4	/* WRC+pooncerelease+fencermbonceonce+Once */
#define IRIW	5	/* IRIW+fencembonceonces+OnceOnce */
#define CORR	6	/* CoRR+poonceonce+Once */
#define MP_LOCK	7	/* ISA2+pooncelock+pooncelock+pombonce */
#define MP_RCU	8
#define NR_CASES 9

proctype zero()
{
	if
	:: which == MP ->
		WRITE_ONCE(0, X, 1);
#ifndef NO_MP_WMB
		smp_wmb(0);
#endif
		WRITE_ONCE(0, Y, 1)
	:: which == MP_DEREF || which == MP_ACQUIRE || which == WRC ->
		WRITE_ONCE(0, X, 1);
		if
		:: which == WRC
		:: else ->
#ifdef NO_MP_RELEASE
			WRITE_ONCE(0, Y, 1)
#else
			smp_store_release(0, Y, 1)
#endif
		fi
	:: which == SB ->
		WRITE_ONCE(0, X, 1);
#ifndef NO_SB_MB
		smp_mb(0);
#endif
		READ_ONCE(0, Y, got[0])
	:: which == IRIW || which == CORR -> WRITE_ONCE(0, X, 1)
	:: which == MP_LOCK ->
		spin_lock(0, 0);
		WRITE_ONCE(0, X, 1);
		spin_unlock(0, 0)
	:: which == MP_RCU ->
		WRITE_ONCE(0, X, 1);
#ifndef NO_RCU_GRACE
		synchronize_rcu(0, begun);
#endif
		WRITE_ONCE(0, Y, 1)
	fi;
	ended++
}

proctype one()
{
	if
	:: which == MP || which == MP_RCU ->
		rcu_read_lock(1);
		READ_ONCE(1, Y, got[0]);
#ifndef NO_MP_RMB
		if
		:: which == MP -> smp_rmb(1)
		:: else
		fi;
#endif
		/* Without the barrier this is a control dependency, and orders nothing. */
		if
		:: got[0] -> READ_ONCE(1, X, got[1])
		:: else -> got[1] = 1
		fi;
		rcu_read_unlock(1)
	:: which == MP_DEREF ->
		rcu_dereference(1, NONE, Y, got[0], 1);
#ifdef NO_MP_DEREF
		READ_ONCE(1, X, got[1])
#else
		load_by(1, 1, X, got[1])
#endif
	:: which == MP_ACQUIRE ->
#ifdef NO_MP_ACQUIRE
		READ_ONCE(1, Y, got[0]);
#else
		smp_load_acquire(1, Y, got[0]);
#endif
		READ_ONCE(1, X, got[1])
	:: which == SB ->
		WRITE_ONCE(1, Y, 1);
#ifndef NO_SB_MB
		smp_mb(1);
#endif
		READ_ONCE(1, X, got[1])
	:: which == WRC ->
		READ_ONCE(1, X, got[2]);
#ifdef NO_WRC_RELEASE
		WRITE_ONCE(1, Y, got[2])
#else
		smp_store_release(1, Y, got[2])
#endif
	:: which == IRIW -> WRITE_ONCE(1, Y, 1)
	:: which == CORR ->
		READ_ONCE(1, X, got[0]);
		READ_ONCE(1, X, got[1])
	:: which == MP_LOCK ->
		spin_lock(1, 0);
		READ_ONCE(1, X, got[2]);
		WRITE_ONCE(1, Y, got[2]);
		spin_unlock(1, 0)
	fi;
	ended++
}

proctype two()
{
	if
	:: which == WRC || which == MP_LOCK ->
		READ_ONCE(2, Y, got[0]);
#ifndef NO_THIRD_RMB
		smp_rmb(2);
#endif
		READ_ONCE(2, X, got[1])
	:: which == IRIW ->
		READ_ONCE(2, X, got[0]);
#ifndef NO_IRIW_MB
		smp_mb(2);
#endif
		READ_ONCE(2, Y, got[1])
	:: else
	fi;
	ended++
}

proctype three()
{
	if
	:: which == IRIW ->
		READ_ONCE(3, Y, got[2]);
#ifndef NO_IRIW_MB
		smp_mb(3);
#endif
		READ_ONCE(3, X, got[3])
	:: else
	fi;
	ended++
}

init {
	atomic {
		do
		:: which < NR_CASES - 1 -> which++
		:: break
		od;
		memory_is(X, 0);
		memory_is(Y, 0);
		run zero();
		run one();
		run two();
		run three()
	}
	ended == 4;
	if
	:: which == SB -> assert(got[0] || got[1])
	:: which == IRIW -> assert(!(got[0] && !got[1] && got[2] && !got[3]))
	:: else -> assert(!got[0] || got[1])
	fi
}
