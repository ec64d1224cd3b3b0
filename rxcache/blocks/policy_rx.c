// SPDX-License-Identifier: GPL-2.0-only
/*
 * RX keeps a block only if it is read again after a while. It follows Clock2Q+
 * (arXiv 2511.21958) within each set.
 *
 *	probation  a short FIFO that blocks enter
 *	main	   the rest of the set, a CLOCK that counts reads
 *	ghosts	   fingerprints of blocks that probation has evicted
 *
 * A scan goes through probation and leaves main alone. A block that is read on
 * probation goes to main. Reads right after the block entered do not count,
 * because these are mostly parts of one access. A block that comes back while
 * its ghost is still there may enter main at once.
 *
 * A block that was read ahead waits on probation for its first read, which makes it
 * enter once more, as if it came at that moment. Probation is often shorter than this
 * wait, so a few such blocks may stay when it is their turn, for a while. If such a block
 * is evicted, nobody has asked for it, so it becomes no ghost, and no age is learned from
 * it.
 *
 * The age of a ghost is the number of blocks that have become ghosts after it.
 * A set knows nothing else about the load. Ages decide:
 *
 *  - The length of probation. A block that is back at once would have been a
 *    hit if probation had been a little longer. For a block that is back late,
 *    probation should be shorter, so that main is longer and may keep the block.
 *    Probation grows if many more blocks are back at once than with independent
 *    reads, because recent reads then predict more than older ones.
 *  - Whether a block with a ghost enters main. There it pushes out another block,
 *    which is useless if main evicts the block before its next read. Its next
 *    read will take about as long as it was away. So a loop longer than the cache
 *    would replace main again and again without one hit. A block that was away
 *    for longer than blocks now stay in main therefore goes through probation
 *    like a new one. Then some of the loop stays in main and is hit.
 */
#include "blocks/policy.h"
#include "blocks/policy_ghosts.h"
#include "blocks/policy_quota.h"

enum {
	/*
	 * Marks. In main a mark is a count, from which the hand takes 1 each time
	 * it passes; on probation it is one of MARK_*. Two reads make the count 3.
	 * A read after the hand has passed makes it 5, because blocks that are
	 * read in every round are worth more than blocks read in one round only.
	 * After that, hits store nothing for three rounds.
	 */
	COUNT_MAX	= 5,
	MARK_UNREAD	= 8,
	MARK_READ	= 9,
	MARK_YOUNG	= 10,
	MARK_BITS	= 4,
	/* Values of rx_heat(). */
	HEAT_AHEAD	= 0,
	HEAT_UNREAD	= 1,
	HEAT_YOUNG	= 2,
	HEAT_READ	= 3,
	HEAT_MAIN	= 4,		/* plus the count */
	/* The number of youngest blocks on probation, whose reads do not count. */
	WINDOW		= 3,

	/*
	 * Main is too small for its hot blocks if the hand passes more than
	 * 1/CROWDED of the ways before it finds a block that was not read. Then
	 * blocks that main has evicted are back at once as well, which says
	 * nothing about probation. So probation gets shorter by a block each time
	 * that the hand has to go this far.
	 */
	CROWDED		= 8,

	/*
	 * Entries of the queue: the way, and what makes a block read ahead different from
	 * others. It is unread, and may stay when it is its turn. 1/STAY_PART of the ways
	 * may stay. In STAY_EVICTIONS evictions the oldest of them loses this right, so
	 * that none stays for ever once nothing is read ahead any more.
	 */
	ENTRY_WAY	= 63,
	ENTRY_AHEAD	= 64,
	ENTRY_STAYS	= 128,
	STAY_PART	= 16,
	STAY_EVICTIONS	= 16,
};

struct rx_state {
	__u8 mark[RXC_WAYS_MAX * MARK_BITS / 8];	/* two in a byte */
	__u64 probation;		/* bit set: way is on probation */
	struct rx_ghosts ghosts;
	__u8 queue[RX_PROBATION_MAX];	/* ENTRY_*, oldest first */
	__u8 queued;
	__u8 quota;			/* length of probation, in quarters */
	__u8 ways;
	__u8 used;			/* ways that hold a block */
	__u8 evicted;			/* of the free ways: those that will not be filled */
	__u8 hand;			/* of main's clock */
	__u8 since;			/* insertions since it was at way 0, up to 255 */
	__u8 round;			/* insertions in the round before that */
};

_Static_assert(sizeof(struct rx_state) <= RXC_POLICY_STATE, "state fits");
_Static_assert(HEAT_MAIN + COUNT_MAX <= RXC_HEAT_MAX, "heat fits");

static unsigned int rx_mark(const struct rx_state *rx, unsigned int way)
{
	return rxc_mark(&rx->mark[way / 2]) >> way % 2 * MARK_BITS & 15;
}

/*
 * If a hit changes the other half of the byte meanwhile, this may restore the
 * former value of that half. So marks are hints: rx_state.probation alone tells
 * whether a way is on probation.
 */
static void rx_set_mark(struct rx_state *rx, unsigned int way, unsigned int mark)
{
	unsigned int shift = way % 2 * MARK_BITS;
	__u8 *byte = &rx->mark[way / 2];

	rxc_mark_set(byte, (rxc_mark(byte) & ~(15 << shift)) | mark << shift);
}

/* All ways, as bits. */
static __u64 rx_all(const struct rx_state *rx)
{
	return ~0ULL >> (RXC_WAYS_MAX - rx->ways);
}

static unsigned int rx_state_size(unsigned int ways)
{
	(void)ways;
	return sizeof(struct rx_state);
}

static void rx_init(void *state, unsigned int ways)
{
	struct rx_state *rx = state;
	unsigned int i;

	for (i = 0; i < sizeof(rx->mark); i++)
		rxc_mark_set(&rx->mark[i], 0);
	rx->ghosts = (struct rx_ghosts){ 0 };
	rx->probation = 0;
	rx->queued = 0;
	rx->ways = ways;
	rx->used = 0;
	rx->evicted = 0;
	rx->hand = 0;
	rx->since = 0;
	rx->round = 0;
	rx->quota = rx_quota_start(ways);
}

/*
 * Returns whether a block that was away for @age is likely to be read again before
 * main evicts it. Main keeps an unread block for a round of the hand at most. The
 * length of this round is estimated as the part that is over, plus the rest at
 * the speed of the last round. @age may be half of that, because an unread block
 * stays for half a round on average: the hand can be anywhere when a block enters.
 */
static int rx_worth_main(const struct rx_state *rx, unsigned int age)
{
	unsigned int stay = rx->since +
			    rx->round * (rx->ways - rx->hand) / rx->ways;

	return 2 * age <= stay;
}

/* Returns the place in the queue of a block on probation. */
static unsigned int rx_place(const struct rx_state *rx, unsigned int way)
{
	unsigned int i;

	for (i = 0; (rx->queue[i] & ENTRY_WAY) != way; i++)
		;
	return i;
}

/* Takes a block off probation, and returns its entry. */
static unsigned int rx_dequeue(struct rx_state *rx, unsigned int way)
{
	unsigned int i = rx_place(rx, way), entry = rx->queue[i];

	for (rx->queued--; i < rx->queued; i++)
		rx->queue[i] = rx->queue[i + 1];
	rx->probation &= ~(1ULL << way);
	return entry;
}

/* Moves a block from probation to main. */
static void rx_promote(struct rx_state *rx, unsigned int way)
{
	rx_dequeue(rx, way);
	rx_set_mark(rx, way, 0);
}

/* Puts a block on probation. One block leaves the window, whatever enters it. */
static void rx_append(struct rx_state *rx, unsigned int entry, unsigned int mark)
{
	unsigned int way = entry & ENTRY_WAY, grown;

	rx->queue[rx->queued++] = entry;
	rx->probation |= 1ULL << way;
	rx_set_mark(rx, way, mark);
	if (rx->queued > WINDOW) {
		grown = rx->queue[rx->queued - 1 - WINDOW] & ENTRY_WAY;
		if (rx_mark(rx, grown) == MARK_YOUNG)
			rx_set_mark(rx, grown, MARK_UNREAD);
	}
}

/*
 * A block enters. Returns whether the set fills up. It then evicts nothing, so blocks go
 * to main after the window. A set that has evicted a block although it had free ways,
 * because memory is short or a cache has its max, does not fill up.
 */
static _Bool rx_take_way(struct rx_state *rx)
{
	_Bool filling;

	rx->used++;
	filling = rx->used < rx->ways && !rx->evicted;
	if (rx->evicted)
		rx->evicted--;
	if (rx->evicted > rx->ways - rx->used)
		rx->evicted = rx->ways - rx->used;
	return filling;
}

/* Moves the oldest blocks to main, except those read ahead, until @limit - 1 are left. */
static void rx_make_room(struct rx_state *rx, unsigned int limit)
{
	unsigned int i = 0, kept = 0;

	while (i < rx->queued && rx->queued - kept >= limit) {
		if (rx->queue[i] & ENTRY_AHEAD) {
			kept++;
			i++;
		} else {
			rx_promote(rx, rx->queue[i] & ENTRY_WAY);
		}
	}
	if (rx->queued == RX_PROBATION_MAX)
		rx_promote(rx, rx->queue[0] & ENTRY_WAY);
}

/* A block counts from now on: it is new, or was read ahead and is read now. */
static _Bool rx_enter(struct rx_state *rx, unsigned int way, __u16 print,
		      enum rxc_policy_entry entry, _Bool filling)
{
	unsigned int age = rx_ghost_take(&rx->ghosts, rx->ways, print);

	if (rx->since < 255)
		rx->since++;
	if (age)
		rx->quota = rx_quota_back(rx->quota, rx->ways, age, entry);
	if (age && rx_worth_main(rx, age)) {
		rx_set_mark(rx, way, 0);
		return 1;
	}
	rx_make_room(rx, filling ? WINDOW : RX_PROBATION_MAX);
	rx_append(rx, way, MARK_YOUNG);
	return age;
}

static _Bool rx_insert(void *state, unsigned int way, __u16 print,
		       enum rxc_policy_entry entry)
{
	struct rx_state *rx = state;
	_Bool filling = rx_take_way(rx);

	if (!(entry & RXC_ENTRY_AHEAD))
		return rx_enter(rx, way, print, entry, filling);
	rx_make_room(rx, RX_PROBATION_MAX);
	rx_append(rx, way | ENTRY_AHEAD | ENTRY_STAYS, MARK_UNREAD);
	return 0;
}

/* A block that probation had no room for is in main already. */
static _Bool rx_use(void *state, unsigned int way, __u16 print,
		    enum rxc_policy_entry entry)
{
	struct rx_state *rx = state;

	if (!(rx->probation >> way & 1))
		return 0;
	rx_dequeue(rx, way);
	return rx_enter(rx, way, print, entry, rx->used < rx->ways && !rx->evicted);
}

static void rx_hit(void *state, unsigned int way)
{
	struct rx_state *rx = state;
	static const __u8 next[1 << MARK_BITS] = {
		[0] = 1, [1] = 3, [2] = COUNT_MAX, [MARK_UNREAD] = MARK_READ,
	};
	unsigned int mark = next[rx_mark(rx, way)];

	if (mark)
		rx_set_mark(rx, way, mark);
}

/* The oldest block that may stay when it is its turn goes like others from now on. */
static void rx_end_stay(struct rx_state *rx)
{
	unsigned int i;

	for (i = 0; i < rx->queued; i++)
		if (rx->queue[i] & ENTRY_STAYS) {
			rx->queue[i] &= ~ENTRY_STAYS;
			return;
		}
}

static void rx_remove(void *state, unsigned int way, __u16 print,
		      enum rxc_policy_exit exit)
{
	struct rx_state *rx = state;

	rx->used--;
	if (exit == RXC_EXIT_EVICT && print % STAY_EVICTIONS == 0)
		rx_end_stay(rx);
	if (!(rx->probation >> way & 1))
		return;
	if (!(rx_dequeue(rx, way) & ENTRY_AHEAD) && exit == RXC_EXIT_EVICT)
		rx_ghost_put(&rx->ghosts, print);
}

/*
 * Blocks on probation are colder than those of main. A late hit may have left a mark
 * of the other kind.
 */
static __u8 rx_heat(const void *state, unsigned int way)
{
	static const __u8 heats[1 << MARK_BITS] = {
		[MARK_UNREAD] = HEAT_UNREAD, [MARK_YOUNG] = HEAT_YOUNG,
		[MARK_READ] = HEAT_READ,
	};
	const struct rx_state *rx = state;
	unsigned int mark = rx_mark(rx, way);

	if (!(rx->probation >> way & 1))
		return HEAT_MAIN + (mark > COUNT_MAX ? 0 : mark);
	if (rx->queue[rx_place(rx, way)] & ENTRY_AHEAD)
		return HEAT_AHEAD;
	return mark < MARK_UNREAD ? HEAT_UNREAD : heats[mark];
}

static void rx_adopt(void *state, unsigned int way, __u8 heat)
{
	static const __u8 marks[HEAT_MAIN] = {
		[HEAT_AHEAD] = MARK_UNREAD, [HEAT_UNREAD] = MARK_UNREAD,
		[HEAT_YOUNG] = MARK_YOUNG, [HEAT_READ] = MARK_READ,
	};
	struct rx_state *rx = state;

	rx_take_way(rx);
	if (heat >= HEAT_MAIN) {
		rx_set_mark(rx, way, heat - HEAT_MAIN);
		return;
	}
	rx_make_room(rx, RX_PROBATION_MAX);
	if (heat == HEAT_AHEAD)
		way |= ENTRY_AHEAD | ENTRY_STAYS;
	rx_append(rx, way, marks[heat]);
}

static unsigned int rx_main_victim(struct rx_state *rx, __u64 may_go)
{
	__u64 main = may_go & ~rx->probation;
	unsigned int step, way, mark, passed = 0, victim = 0;

	/* After these steps each count has been 0, but for hits meanwhile. */
	for (step = 0; step < (COUNT_MAX + 1u) * rx->ways; step++) {
		way = rx->hand++;
		if (rx->hand == rx->ways) {
			rx->hand = 0;
			rx->round = rx->since;
			rx->since = 0;
		}
		if (!(main >> way & 1))
			continue;
		victim = way;
		mark = rx_mark(rx, way);
		if (!mark || mark > COUNT_MAX)
			break;
		rx_set_mark(rx, way, mark - 1);
		passed++;
	}
	if (passed > rx->ways / CROWDED)
		rx->quota = rx_quota_shorter(rx->quota, rx->ways, RX_QUARTER);
	return victim;
}

static unsigned int rx_count(__u64 ways)
{
	unsigned int n = 0;

	for (; ways; ways &= ways - 1)
		n++;
	return n;
}

/*
 * Returns the ways of blocks that may stay when it is their turn. Blocks beyond their
 * part of the set lose this right, the oldest first.
 */
static __u64 rx_staying(struct rx_state *rx)
{
	unsigned int room = rx_at_least_1(rx->ways / STAY_PART), i;
	__u64 stays = 0;

	for (i = rx->queued; i--; ) {
		if (!(rx->queue[i] & ENTRY_STAYS))
			continue;
		if (room) {
			stays |= 1ULL << (rx->queue[i] & ENTRY_WAY);
			room--;
		} else {
			rx->queue[i] &= ~ENTRY_STAYS;
		}
	}
	return stays;
}

/* A block that may not go stays where it is, on probation or in main. */
static unsigned int rx_victim(void *state, unsigned int ways, __u64 may_go)
{
	struct rx_state *rx = state;
	unsigned int i = 0, way, queued = rx->queued, quota = rx->quota;
	__u64 stays;

	(void)ways;
	/* The caller takes it out, so there is a free way. */
	if (rx->evicted < rx->ways)
		rx->evicted++;
	stays = rx_staying(rx);
	if (may_go & ~stays)
		may_go &= ~stays;
	if (may_go != rx_all(rx)) {
		queued = rx_count(may_go & rx->probation);
		quota = rx_quota_part(quota, rx->ways, rx_count(may_go), rx->used);
	}
	while (queued && (queued >= quota / RX_QUARTER || !(may_go & ~rx->probation))) {
		way = rx->queue[i] & ENTRY_WAY;
		if (!(may_go >> way & 1)) {
			i++;
			continue;
		}
		if (rx_mark(rx, way) != MARK_READ)
			return way;
		rx_promote(rx, way);
		queued--;
	}
	return rx_main_victim(rx, may_go);
}

const struct rxc_policy rxc_policy_rx = {
	.name		= "rx",
	.state_size	= rx_state_size,
	.init		= rx_init,
	.insert		= rx_insert,
	.use		= rx_use,
	.hit		= rx_hit,
	.remove		= rx_remove,
	.heat		= rx_heat,
	.worth		= {
		[HEAT_READ] = 1, [HEAT_MAIN] = 1, [HEAT_MAIN + 1] = 2,
		[HEAT_MAIN + 2 ... HEAT_MAIN + COUNT_MAX] = 3,
	},
	.young		= 1 << HEAT_AHEAD | 1 << HEAT_YOUNG,
	.adopt		= rx_adopt,
	.victim		= rx_victim,
};
