/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replacement policies: which block of a full set has to go.
 *
 * Pure C without kernel dependencies, so that the same code runs in unit
 * tests and against traces. A policy sees one set at a time: ways numbered
 * from 0, and a piece of state that belongs to it alone. It knows neither
 * keys nor pages, but a fingerprint of each block that comes and goes, by
 * which it may know one again. It takes no lock: the caller serialises all
 * calls on one set, but for @hit (see there). No method may allocate, sleep
 * or loop more than a few times over the ways.
 */
#ifndef _RXC_POLICY_H
#define _RXC_POLICY_H

#include <linux/types.h>

/*
 * Most ways of a set, and the room that a set has for the policy's state, which
 * is aligned to 8 bytes and begins in the line that every look-up reads: what
 * hits look at belongs into its first 48 bytes.
 */
enum { RXC_WAYS_MAX = 64, RXC_POLICY_STATE = 176, RXC_HEAT_MAX = 15 };

/* Classes of heat that mean the same for all policies: two bits in a list of blocks. */
enum { RXC_WORTH_BITS = 2 };

/* Why a block enters: read from the origin, or written by the user. */
enum rxc_policy_entry { RXC_ENTRY_READ, RXC_ENTRY_WRITE };

/* Why a block goes: @victim named it, or for a reason of the caller's. */
enum rxc_policy_exit { RXC_EXIT_EVICT, RXC_EXIT_DROP };

/**
 * struct rxc_policy - a replacement policy
 * @name: as given by the user, for example "clock"
 * @state_size: bytes of state for a set of @ways (1 to RXC_WAYS_MAX), at most
 *	RXC_POLICY_STATE
 * @init: prepares the state of an empty set
 * @insert: the block of fingerprint @print has been put into @way, which was
 *	free before. Returns whether it is known: evicted lately, and back
 * @hit: the block in @way was read. The only method that may run at the same
 *	time as any other of the same set, itself included: it may store single
 *	bytes, with rxc_mark_set(), which the others read with rxc_mark(). By
 *	then there may be another block in @way, or none
 * @remove: the block of fingerprint @print in @way is gone
 * @heat: what is known of the block in @way, for another set to @adopt: a number
 *	up to RXC_HEAT_MAX, the larger the more it would be missed
 * @worth: the class of each heat, for lists that outlive the cache: 0 it may be the next
 *	to go, 1 it was read again or had no rival, 2 and 3 it was read more often than
 *	that. Policies that only the simulator has leave it out
 * @adopt: a block that was in another set, of the same or another number of ways, has
 *	been put into @way, which was free before; @heat is what was known of it there
 * @victim: picks the way whose block has to go, one of those whose bit in
 *	@may_go is set, of which there is at least one: the ways that hold a
 *	block which is not pinned. The caller then takes it out and calls @remove
 */
struct rxc_policy {
	const char *name;
	unsigned int (*state_size)(unsigned int ways);
	void (*init)(void *state, unsigned int ways);
	_Bool (*insert)(void *state, unsigned int way, __u16 print,
			enum rxc_policy_entry entry);
	void (*hit)(void *state, unsigned int way);
	void (*remove)(void *state, unsigned int way, __u16 print,
		       enum rxc_policy_exit exit);
	__u8 (*heat)(const void *state, unsigned int way);
	__u8 worth[RXC_HEAT_MAX + 1];
	void (*adopt)(void *state, unsigned int way, __u8 heat);
	unsigned int (*victim)(void *state, unsigned int ways, __u64 may_go);
};

/* A byte that hits store while others look, each access once and whole. */
static inline __u8 rxc_mark(const __u8 *mark)
{
	return *(const volatile __u8 *)mark;
}

static inline void rxc_mark_set(__u8 *mark, __u8 value)
{
	*(volatile __u8 *)mark = value;
}

extern const struct rxc_policy rxc_policy_rx;
extern const struct rxc_policy rxc_policy_clock;

#endif
