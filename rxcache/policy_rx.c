// SPDX-License-Identifier: GPL-2.0-only
/*
 * RX: a block has to be read again, after a while, to be kept. After Clock2Q+
 * (arXiv 2511.21958), within each set.
 *
 *	probation  where blocks enter, a short FIFO
 *	main	   the rest of the set, a CLOCK that counts reads up to 3
 *	ghosts	   fingerprints of blocks that left probation unread
 *
 * A scan goes through probation and leaves main alone. A block goes to main if
 * it was read again on probation, but for reads that come right after it
 * entered: those are mostly one access in several parts. It enters main at
 * once if it is back so soon that its ghost is still there.
 */
#include "policy.h"

enum {
	/*
	 * A mark: in main how often the block was read, and on probation the
	 * others. A hit adds 1 to those that it changes.
	 */
	COUNT_MAX	= 3,
	MARK_UNREAD	= 4,
	MARK_READ	= 5,
	MARK_YOUNG	= 6,
	MARK_BITS	= 4,
	/* Blocks on probation whose reads do not count: the youngest. */
	WINDOW		= 3,

	/* Blocks on probation, of 64. */
	PROBATION	= 6,
	/*
	 * Ghosts, half as many as ways. A lane has those whose fingerprints end
	 * alike, so that one in LANES is looked at.
	 */
	LANES		= 4,
	LANE		= RXC_WAYS_MAX / 2 / LANES,
	QUEUE		= 8,			/* room for those on probation */
};

struct rx_state {
	__u8 mark[RXC_WAYS_MAX * MARK_BITS / 8];	/* two in a byte */
	__u64 probation;		/* bit set: way is on probation */
	__u16 ghost[LANES][LANE];	/* youngest first; 0: none */
	__u8 queue[QUEUE];		/* ways on probation, oldest first */
	__u8 queued;
	__u8 ways;
	__u8 used;			/* ways that hold a block */
	__u8 hand;			/* of main's clock */
};

_Static_assert(sizeof(struct rx_state) <= RXC_POLICY_STATE, "state fits");

static unsigned int mark_of(const struct rx_state *rx, unsigned int way)
{
	return rxc_mark(&rx->mark[way / 2]) >> way % 2 * MARK_BITS & 15;
}

/*
 * The other half of the byte may get back what it had a moment ago, if a hit
 * changes it meanwhile. So marks are hints: whether a way is on probation is
 * told by rx_state.probation alone.
 */
static void set_mark(struct rx_state *rx, unsigned int way, unsigned int mark)
{
	unsigned int shift = way % 2 * MARK_BITS;
	__u8 *byte = &rx->mark[way / 2];

	rxc_mark_set(byte, (rxc_mark(byte) & ~(15 << shift)) | mark << shift);
}

static unsigned int quota(const struct rx_state *rx)
{
	unsigned int blocks = rx->ways * PROBATION / RXC_WAYS_MAX;

	return blocks ? blocks : 1;
}

static unsigned int rx_state_size(unsigned int ways)
{
	(void)ways;
	return sizeof(struct rx_state);
}

static void rx_init(void *state, unsigned int ways)
{
	struct rx_state *rx = state;
	unsigned int i, lane;

	for (i = 0; i < sizeof(rx->mark); i++)
		rxc_mark_set(&rx->mark[i], 0);
	for (lane = 0; lane < LANES; lane++)
		for (i = 0; i < LANE; i++)
			rx->ghost[lane][i] = 0;
	rx->probation = 0;
	rx->queued = 0;
	rx->ways = ways;
	rx->used = 0;
	rx->hand = 0;
}

/* 0 is no ghost. */
static __u16 ghost_print(__u16 print)
{
	return print ? print : LANES;
}

static void ghost_put(struct rx_state *rx, __u16 print)
{
	__u16 *lane = rx->ghost[print % LANES];
	unsigned int i;

	for (i = LANE - 1; i; i--)
		lane[i] = lane[i - 1];
	lane[0] = ghost_print(print);
}

/* Takes a ghost out. Returns whether it was there. */
static int ghost_take(struct rx_state *rx, __u16 print)
{
	__u16 *lane = rx->ghost[print % LANES];
	unsigned int i;

	for (i = 0; i < LANE; i++) {
		if (lane[i] != ghost_print(print))
			continue;
		lane[i] = 0;
		return 1;
	}
	return 0;
}

static void dequeue(struct rx_state *rx, unsigned int way)
{
	unsigned int i;

	for (i = 0; i < rx->queued && rx->queue[i] != way; i++)
		;
	for (rx->queued--; i < rx->queued; i++)
		rx->queue[i] = rx->queue[i + 1];
	rx->probation &= ~(1ULL << way);
}

/* From probation to main. */
static void promote(struct rx_state *rx, unsigned int way)
{
	dequeue(rx, way);
	set_mark(rx, way, 0);
}

static void enqueue(struct rx_state *rx, unsigned int way)
{
	unsigned int grown;

	rx->queue[rx->queued++] = way;
	rx->probation |= 1ULL << way;
	set_mark(rx, way, MARK_YOUNG);
	if (rx->queued > WINDOW) {
		grown = rx->queue[rx->queued - 1 - WINDOW];
		if (mark_of(rx, grown) == MARK_YOUNG)
			set_mark(rx, grown, MARK_UNREAD);
	}
}

static void rx_insert(void *state, unsigned int way, __u16 print,
		      enum rxc_policy_entry entry)
{
	struct rx_state *rx = state;
	unsigned int limit = QUEUE;

	(void)entry;
	rx->used++;
	if (ghost_take(rx, print)) {
		set_mark(rx, way, 0);
		return;
	}
	/* As long as there is room nobody has to prove more than to be old. */
	if (rx->used < rx->ways)
		limit = WINDOW;
	while (rx->queued >= limit)
		promote(rx, rx->queue[0]);
	enqueue(rx, way);
}

static void rx_hit(void *state, unsigned int way)
{
	struct rx_state *rx = state;
	unsigned int mark = mark_of(rx, way);

	if (mark < COUNT_MAX || mark == MARK_UNREAD)
		set_mark(rx, way, mark + 1);
}

static void rx_remove(void *state, unsigned int way, __u16 print,
		      enum rxc_policy_exit exit)
{
	struct rx_state *rx = state;

	rx->used--;
	if (!(rx->probation >> way & 1))
		return;
	dequeue(rx, way);
	if (exit == RXC_EXIT_EVICT)
		ghost_put(rx, print);
}

static unsigned int main_victim(struct rx_state *rx, __u64 taken)
{
	__u64 main = taken & ~rx->probation;
	unsigned int step, way, mark, victim = 0;

	/* By then each count has been 0, but for hits meanwhile. */
	for (step = 0; step < (COUNT_MAX + 1u) * rx->ways; step++) {
		way = rx->hand;
		rx->hand = way + 1 < rx->ways ? way + 1 : 0;
		if (!(main >> way & 1))
			continue;
		victim = way;
		mark = mark_of(rx, way);
		if (!mark || mark > COUNT_MAX)
			break;
		set_mark(rx, way, mark - 1);
	}
	return victim;
}

static unsigned int rx_victim(void *state, unsigned int ways, __u64 taken)
{
	struct rx_state *rx = state;
	unsigned int way;

	(void)ways;
	while (rx->queued && (rx->queued >= quota(rx) ||
			      !(taken & ~rx->probation))) {
		way = rx->queue[0];
		if (mark_of(rx, way) != MARK_READ)
			return way;
		promote(rx, way);
	}
	return main_victim(rx, taken);
}

const struct rxc_policy rxc_policy_rx = {
	.name		= "rx",
	.state_size	= rx_state_size,
	.init		= rx_init,
	.insert		= rx_insert,
	.hit		= rx_hit,
	.remove		= rx_remove,
	.victim		= rx_victim,
};
