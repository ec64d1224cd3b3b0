// SPDX-License-Identifier: GPL-2.0-only
/*
 * FIFO: a hand goes round the ways and takes each block as it comes to it,
 * read or not. For comparison with the others.
 *
 * Blocks enter a full set where one has just left, so the hand meets them in
 * the order of their age. One that fills a gap which the caller has made takes
 * over the turn of its predecessor.
 */
#include "blocks/policy.h"

struct fifo_state {
	__u8 hand;
};

static unsigned int fifo_state_size(unsigned int ways)
{
	(void)ways;
	return sizeof(struct fifo_state);
}

static void fifo_init(void *state, unsigned int ways)
{
	struct fifo_state *fifo = state;

	(void)ways;
	fifo->hand = 0;
}

static _Bool fifo_insert(void *state, unsigned int way, __u16 print,
			 enum rxc_policy_entry entry)
{
	(void)state, (void)way, (void)print, (void)entry;
	return 0;
}

static void fifo_hit(void *state, unsigned int way)
{
	(void)state, (void)way;
}

static void fifo_remove(void *state, unsigned int way, __u16 print,
			enum rxc_policy_exit exit)
{
	(void)state, (void)way, (void)print, (void)exit;
}

static unsigned int fifo_victim(void *state, unsigned int ways, __u64 taken)
{
	struct fifo_state *fifo = state;
	unsigned int way;

	do {
		way = fifo->hand;
		fifo->hand = way + 1 < ways ? way + 1 : 0;
	} while (!(taken >> way & 1));
	return way;
}

const struct rxc_policy rxc_policy_fifo = {
	.name		= "fifo",
	.state_size	= fifo_state_size,
	.init		= fifo_init,
	.insert		= fifo_insert,
	.use		= fifo_insert,
	.hit		= fifo_hit,
	.remove		= fifo_remove,
	.victim		= fifo_victim,
};
