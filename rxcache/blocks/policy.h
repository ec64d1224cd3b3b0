/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replacement policies choose the block that a full set evicts.
 *
 * They are pure C without kernel dependencies, so that the same code runs in
 * unit tests and against traces. A policy sees one set at a time: ways
 * numbered from 0, and a piece of state that belongs to the policy alone. It
 * gets neither keys nor pages, but a fingerprint of each block that comes or
 * goes, by which it may recognise the block. It takes no lock: the caller
 * serialises all calls on one set, but for @hit (see there). No method may
 * allocate, sleep or loop more than a few times over the ways.
 */
#ifndef _RXC_POLICY_H
#define _RXC_POLICY_H

#include <linux/types.h>

/*
 * The most ways of a set, the bytes of a set for the policy's state, and the
 * largest heat. The state is aligned to 8 bytes and begins in the cache line that
 * every look-up reads, so the fields that hits read belong in its first 48 bytes.
 */
enum { RXC_WAYS_MAX = 64, RXC_POLICY_STATE = 176, RXC_HEAT_MAX = 15 };

/* A class of heat has two bits in a list of blocks, and one meaning for all policies. */
enum { RXC_WORTH_BITS = 2 };

/*
 * Why a block enters: read from the origin, written by the user, or read ahead of its first
 * reader. RXC_ENTRY_SHARED is added if several caches share the set.
 */
enum rxc_policy_entry {
	RXC_ENTRY_READ, RXC_ENTRY_WRITE, RXC_ENTRY_SHARED, RXC_ENTRY_AHEAD = 4,
};

/* Why a block leaves: @victim chose it, or the caller had another reason. */
enum rxc_policy_exit { RXC_EXIT_EVICT, RXC_EXIT_DROP };

/**
 * struct rxc_policy - a replacement policy
 * @name: for people, for example "rx"
 * @state_size: bytes of state for a set of @ways (1 to RXC_WAYS_MAX), at most
 *	RXC_POLICY_STATE
 * @init: prepares the state of an empty set
 * @insert: the block of fingerprint @print was put into @way, which was free.
 *	Returns whether the policy knows the block, because it was evicted recently
 * @use: the block in @way, which entered as RXC_ENTRY_AHEAD, is read for the first time,
 *	and counts from now on like one that enters as @entry. Until then it leaves no
 *	trace if it is evicted. Returns as @insert does
 * @hit: the block in @way was read. This method alone may run at the same time as
 *	any method on the same set, itself included. So it may only store single
 *	bytes, with rxc_mark_set(), which other methods read with rxc_mark().
 *	Meanwhile @way may have got another block, or none
 * @remove: the block of fingerprint @print in @way is gone
 * @heat: returns a number up to RXC_HEAT_MAX, the higher the more the block in @way
 *	would be missed. Another set gets this number with @adopt
 * @worth: the class of each heat, for lists that outlive the cache: 0 for a block that
 *	may be evicted next, 1 for one that was read again or had no rival, 2 and 3 for
 *	one that was read more often. Policies of the simulator alone leave it out
 * @young: heats, as bits, of blocks that are better not compressed yet, because they may
 *	leave soon
 * @adopt: a block of another set, which may have another number of ways, was put into
 *	@way, which was free; @heat is the block's heat in the other set
 * @victim: returns the way of the block to evict. Its bit in @may_go must be set.
 *	@may_go has at least one bit set: the ways with a block that is not pinned,
 *	of a cache that may lose it. Other blocks keep their place and their marks.
 *	The caller then takes the block out and calls @remove
 */
struct rxc_policy {
	const char *name;
	unsigned int (*state_size)(unsigned int ways);
	void (*init)(void *state, unsigned int ways);
	_Bool (*insert)(void *state, unsigned int way, __u16 print,
			enum rxc_policy_entry entry);
	_Bool (*use)(void *state, unsigned int way, __u16 print,
		     enum rxc_policy_entry entry);
	void (*hit)(void *state, unsigned int way);
	void (*remove)(void *state, unsigned int way, __u16 print,
		       enum rxc_policy_exit exit);
	__u8 (*heat)(const void *state, unsigned int way);
	__u8 worth[RXC_HEAT_MAX + 1];
	__u16 young;
	void (*adopt)(void *state, unsigned int way, __u8 heat);
	unsigned int (*victim)(void *state, unsigned int ways, __u64 may_go);
};

/* Access a byte that hits may store meanwhile, each time in a single load or store. */
static inline __u8 rxc_mark(const __u8 *mark)
{
	return *(const volatile __u8 *)mark;
}

static inline void rxc_mark_set(__u8 *mark, __u8 value)
{
	*(volatile __u8 *)mark = value;
}

extern const struct rxc_policy rxc_policy_rx;

#endif
