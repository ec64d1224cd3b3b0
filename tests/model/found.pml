/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a look-up without a lock finds a page: sequence counts and references to pages, as the
 * kernel has them. A model defines the places SEQ and COUNT, of one count and one page, and
 * the lock ZONE of the kernel's page allocator, and includes this after weak.pml. What calls
 * these has the variables seq, now and got.
 */

bool page_is_free;

inline write_seqcount_begin(c)
{
	seq++;
	WRITE_ONCE(c, SEQ, seq);
#ifndef NO_WMB_BEGIN
	smp_wmb(c)
#endif
}

inline write_seqcount_end(c)
{
#ifndef NO_WMB_END
	smp_wmb(c);
#endif
	seq++;
	WRITE_ONCE(c, SEQ, seq)
}

#ifdef NO_SEQ_ACQUIRE
#define load_seq	READ_ONCE
#else
#define load_seq	smp_load_acquire
#endif

inline read_seqcount_begin(c)
{
	do
	:: load_seq(c, SEQ, seq);
		if
		:: seq & 1
		:: else -> break
		fi
	od
}

/* Leaves the number that the count has now in @now. */
inline read_seqcount_retry(c)
{
#ifndef NO_RETRY_RMB
	smp_rmb(c);
#endif
	READ_ONCE(c, SEQ, now)
}

inline put_page(c)
{
	atomic_fetch_add(c, COUNT, -1, got);
	if
	:: got == 1 ->
		spin_lock(c, ZONE);
		page_is_free = true;
		spin_unlock(c, ZONE)
	:: else
	fi
}

/* Reads a count of 0 without a barrier. */
inline get_page_unless_zero(c)
{
	atomic {
		if
		:: memory[COUNT].at[memory[COUNT].nr - 1].value == 0 ->
			got = 0
		:: else ->
#ifdef NO_GET_MB
			d_step { add_relaxed(c, COUNT, 1, got) }
#else
			atomic_fetch_add(c, COUNT, 1, got)
#endif
		fi
	}
}
