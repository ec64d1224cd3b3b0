// SPDX-License-Identifier: GPL-2.0-only
/*
 * CLOCK: a hand goes round the ways and evicts the first block that was not
 * read since the hand last passed. A block that was read loses its mark and
 * stays for another round.
 *
 * A block enters without a mark, whether it was read or written: only a
 * second access shows that it is worth keeping.
 */
#include "blocks/policy.h"

struct clock_state {
	__u8 hand;
	__u8 marked[];
};

static unsigned int clock_state_size(unsigned int ways)
{
	return sizeof(struct clock_state) + ways;
}

static void clock_init(void *state, unsigned int ways)
{
	struct clock_state *clock = state;
	unsigned int way;

	clock->hand = 0;
	for (way = 0; way < ways; way++)
		rxc_mark_set(&clock->marked[way], 0);
}

static _Bool clock_insert(void *state, unsigned int way, __u16 print,
			  enum rxc_policy_entry entry)
{
	struct clock_state *clock = state;

	(void)print, (void)entry;
	rxc_mark_set(&clock->marked[way], 0);
	return 0;
}

static _Bool clock_use(void *state, unsigned int way, __u16 print,
		       enum rxc_policy_entry entry)
{
	(void)state, (void)way, (void)print, (void)entry;
	return 0;
}

static void clock_hit(void *state, unsigned int way)
{
	struct clock_state *clock = state;

	/* A hot block is marked already, so its hits write to no shared cache line. */
	if (!rxc_mark(&clock->marked[way]))
		rxc_mark_set(&clock->marked[way], 1);
}

static void clock_remove(void *state, unsigned int way, __u16 print,
			 enum rxc_policy_exit exit)
{
	struct clock_state *clock = state;

	(void)print, (void)exit;
	rxc_mark_set(&clock->marked[way], 0);
}

static __u8 clock_heat(const void *state, unsigned int way)
{
	const struct clock_state *clock = state;

	return rxc_mark(&clock->marked[way]);
}

static void clock_adopt(void *state, unsigned int way, __u8 heat)
{
	struct clock_state *clock = state;

	rxc_mark_set(&clock->marked[way], heat);
}

static unsigned int clock_victim(void *state, unsigned int ways, __u64 may_go)
{
	struct clock_state *clock = state;
	unsigned int way, step, victim = 0;

	/*
	 * One round clears every mark, so the next one finds a victim. The
	 * bound is for hits that set marks meanwhile.
	 */
	for (step = 0; step < 2 * ways; step++) {
		way = clock->hand;
		clock->hand = way + 1 < ways ? way + 1 : 0;
		if (!(may_go >> way & 1))
			continue;
		victim = way;
		if (!rxc_mark(&clock->marked[way]))
			break;
		rxc_mark_set(&clock->marked[way], 0);
	}
	return victim;
}

const struct rxc_policy rxc_policy_clock = {
	.name		= "clock",
	.state_size	= clock_state_size,
	.init		= clock_init,
	.insert		= clock_insert,
	.use		= clock_use,
	.hit		= clock_hit,
	.remove		= clock_remove,
	.heat		= clock_heat,
	.worth		= { [1] = 1 },
	.adopt		= clock_adopt,
	.victim		= clock_victim,
};
