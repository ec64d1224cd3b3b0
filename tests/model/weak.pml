/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A memory that is weaker than that of x86, for models of what readers without locks rely
 * on. A model defines PLACES, WRITES (to one place), CPUS, POINTERS and LOCKS, and
 * includes this. The names are the kernel's.
 *
 * Each place keeps all values that were written to it, in their order. A CPU that loads
 * gets any of them that is not older than what the CPU is known to have seen. So a load
 * may be early, or a store late, as far as barriers let it. A CPU has seen what it loaded
 * and stored itself, and what it learns about other places:
 *
 *  - A value says what else was stored before. One of smp_store_release() says all that
 *    its CPU has seen. Any other says what its CPU had seen at its last smp_wmb(), or
 *    learned when it took a lock.
 *  - A CPU learns what a value says at once with smp_load_acquire(), and otherwise at its
 *    next smp_rmb().
 *  - A load through a pointer learns what the pointer says, for itself alone. This is an
 *    address dependency. A control dependency teaches nothing: that a load is done only
 *    if another one has found something does not order the two.
 *  - Who has a lock learns what those who had it before have seen.
 *  - What was seen before a smp_mb() is learned by each later smp_mb().
 *  - A section of rcu_read_lock() that ends after a grace period has begun ends before the
 *    grace period does, and one that begins later learns what was seen before.
 *
 * This is the machine of "A promising semantics for relaxed-memory concurrency" (Kang et
 * al., 2017) without promises, with the dependencies, locks and RCU of the kernel's memory
 * model (tools/memory-model in its source). Two things are left out. No store is done
 * before an earlier load of its CPU, and a store comes after all others to its place. The
 * stores of the models follow on branches or addresses that their loads decided, or are
 * made under a lock.
 */

typedef view { byte upto[PLACES] }
typedef message { byte value; view says }
typedef place { message at[WRITES]; byte nr }
/* What a CPU has seen, what it learns at smp_rmb(), and what its plain stores say. */
typedef cpu { view seen; view later; view says }

place memory[PLACES];
cpu on[CPUS];

/* What pointers say that were loaded. The first one is for loads through none. */
#define NONE	0
view pointer[POINTERS];

bool held[LOCKS];
view lock_says[LOCKS];
view mb_says;
view section_says;
view grace_says;
byte sections;

byte pick;
hidden byte k, n;
hidden view known;

inline learn(to, from)
{
	k = 0;
	do
	:: k < PLACES ->
		to.upto[k] = (from.upto[k] > to.upto[k] -> from.upto[k] : to.upto[k]);
		k++
	:: else -> break
	od;
	k = 0
}

inline copy(to, from)
{
	k = 0;
	do
	:: k < PLACES ->
		to.upto[k] = from.upto[k];
		k++
	:: else -> break
	od;
	k = 0
}

inline memory_is(p, v)
{
	memory[p].at[0].value = v;
	memory[p].nr = 1
}

/* Chooses a value that CPU c may get from place p through a pointer. */
inline choose(c, by, p)
{
	pick = (on[c].seen.upto[p] > pointer[by].upto[p] -> on[c].seen.upto[p] : pointer[by].upto[p]);
	do
	:: pick + 1 < memory[p].nr -> pick++
	:: break
	od
}

/* "printf" says nothing in a search, and tells the story when "run" shows the way to an error. */
inline get_chosen(c, p, r)
{
	printf("CPU %d gets %d from place %d: value %d of %d\n", c, memory[p].at[pick].value, p,
	       pick + 1, memory[p].nr);
	on[c].seen.upto[p] = pick;
	learn(on[c].later, memory[p].at[pick].says);
	r = memory[p].at[pick].value
}

inline load_by(c, by, p, r)
{
	atomic {
		choose(c, by, p);
		d_step {
			get_chosen(c, p, r);
			pick = 0
		}
	}
}

#define READ_ONCE(c, p, r)	load_by(c, NONE, p, r)

inline load_acquire_by(c, by, p, r)
{
	atomic {
		choose(c, by, p);
		d_step {
			get_chosen(c, p, r);
			learn(on[c].seen, memory[p].at[pick].says);
			pick = 0
		}
	}
}

#define smp_load_acquire(c, p, r)	load_acquire_by(c, NONE, p, r)

/* Loads pointer "to" through pointer "by". */
inline rcu_dereference(c, by, p, r, to)
{
	atomic {
		choose(c, by, p);
		d_step {
			get_chosen(c, p, r);
			copy(pointer[to], pointer[by]);
			learn(pointer[to], memory[p].at[pick].says);
			pick = 0
		}
	}
}

inline add(c, p, v, what)
{
	n = memory[p].nr;
	printf("CPU %d puts %d into place %d: value %d\n", c, v, p, n + 1);
	assert(n < WRITES);
	memory[p].nr = n + 1;
	memory[p].at[n].value = v;
	copy(memory[p].at[n].says, what);
	memory[p].at[n].says.upto[p] = n;
	on[c].seen.upto[p] = n
}

inline WRITE_ONCE(c, p, v)
{
	d_step { add(c, p, v, on[c].says) }
}

inline smp_store_release(c, p, v)
{
	d_step { add(c, p, v, on[c].seen) }
}

#define rcu_assign_pointer(c, p, v)	smp_store_release(c, p, v)

inline smp_rmb(c)
{
	d_step { learn(on[c].seen, on[c].later) }
}

inline smp_wmb(c)
{
	d_step { copy(on[c].says, on[c].seen) }
}

inline full_barrier(c)
{
	learn(on[c].seen, on[c].later);
	learn(on[c].seen, mb_says);
	copy(mb_says, on[c].seen);
	copy(on[c].says, on[c].seen)
}

inline smp_mb(c)
{
	d_step { full_barrier(c) }
}

/* Adds to the newest value, which is not 0 then, and orders nothing. */
inline add_relaxed(c, p, by, r)
{
	pick = memory[p].nr - 1;
	get_chosen(c, p, r);
	copy(known, memory[p].at[pick].says);
	learn(known, on[c].says);
	pick = 0;
	add(c, p, r + (by), known)
}

/* As an atomic operation that returns a value, here the former one, this is a full barrier. */
inline atomic_fetch_add(c, p, by, r)
{
	d_step {
		full_barrier(c);
		add_relaxed(c, p, by, r);
		full_barrier(c)
	}
}

inline spin_lock(c, l)
{
	d_step {
		!held[l] ->
		held[l] = true;
		learn(on[c].seen, lock_says[l]);
		learn(on[c].says, lock_says[l])
	}
}

inline spin_unlock(c, l)
{
	d_step {
		learn(lock_says[l], on[c].seen);
		held[l] = false
	}
}

inline rcu_read_lock(c)
{
	d_step {
		sections = sections | (1 << (c));
		learn(on[c].seen, grace_says);
		learn(on[c].says, grace_says)
	}
}

inline rcu_read_unlock(c)
{
	d_step {
		sections = sections & ~(1 << (c));
		learn(section_says, on[c].later);
		learn(section_says, on[c].seen)
	}
}

/* Each reader of the models has one section only, so that it can't be taken for another. */
inline synchronize_rcu(c, begun)
{
	d_step {
		full_barrier(c);
		learn(grace_says, on[c].seen);
		begun = sections
	}
	!(sections & begun);
	d_step {
		begun = 0;
		learn(on[c].seen, section_says);
		full_barrier(c)
	}
}
