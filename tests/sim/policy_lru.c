// SPDX-License-Identifier: GPL-2.0-only
/*
 * LRU, nearly: the block goes that was not read for longest. For comparison
 * with the others; a hit is dearer than theirs.
 *
 * Time is the number of blocks that have entered the set. Each way has the
 * time of its last read; blocks last read at the same time are equal, and the
 * one that a hand would meet first goes.
 */
#include "blocks/policy.h"

struct lru_state {
	__u8 now;
	__u8 hand;
	__u8 read[];
};

static unsigned int lru_state_size(unsigned int ways)
{
	return sizeof(struct lru_state) + ways;
}

static void lru_init(void *state, unsigned int ways)
{
	struct lru_state *lru = state;
	unsigned int way;

	lru->now = 0;
	lru->hand = 0;
	for (way = 0; way < ways; way++)
		rxc_mark_set(&lru->read[way], 0);
}

static _Bool lru_insert(void *state, unsigned int way, __u16 print,
			enum rxc_policy_entry entry)
{
	struct lru_state *lru = state;

	(void)print, (void)entry;
	rxc_mark_set(&lru->now, lru->now + 1);
	rxc_mark_set(&lru->read[way], lru->now);
	return 0;
}

static void lru_hit(void *state, unsigned int way)
{
	struct lru_state *lru = state;
	__u8 now = rxc_mark(&lru->now);

	if (rxc_mark(&lru->read[way]) != now)
		rxc_mark_set(&lru->read[way], now);
}

static void lru_remove(void *state, unsigned int way, __u16 print,
		       enum rxc_policy_exit exit)
{
	(void)state, (void)way, (void)print, (void)exit;
}

static unsigned int lru_victim(void *state, unsigned int ways, __u64 taken)
{
	struct lru_state *lru = state;
	unsigned int step, way, victim = ways;
	__u8 age, oldest = 0;

	/*
	 * A block older than another leaves first, so none grows older than
	 * there are ways, and ages need no more than a byte that wraps. Not so
	 * while a set that is full of gaps fills up; then the order is lost for
	 * once.
	 */
	for (step = 0; step < ways; step++) {
		way = lru->hand + step;
		if (way >= ways)
			way -= ways;
		age = lru->now - rxc_mark(&lru->read[way]);
		if (taken >> way & 1 && (victim == ways || age > oldest)) {
			victim = way;
			oldest = age;
		}
	}
	lru->hand = victim + 1 < ways ? victim + 1 : 0;
	return victim;
}

const struct rxc_policy rxc_policy_lru = {
	.name		= "lru",
	.state_size	= lru_state_size,
	.init		= lru_init,
	.insert		= lru_insert,
	.use		= lru_insert,
	.hit		= lru_hit,
	.remove		= lru_remove,
	.victim		= lru_victim,
};
