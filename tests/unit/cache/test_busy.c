// SPDX-License-Identifier: GPL-2.0-only
/* Ranges in flight that many threads enter at the same time, narrow and wide ones: who overlaps is told so. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include "blocks/busy.h"
#include "rx_test.h"

__thread int smp_held, smp_most, smp_taken_off, smp_taken_most;

enum { BLOCK_SHIFT = 12, BLOCKS = 4096, THREADS = 6, ROUNDS = 500, SLOTS = 6, REGION = RXC_BUSY_REGION >> BLOCK_SHIFT };

/* A range: from @in to @out it was certainly in flight; @out is 0 if it did not begin. */
struct record {
	u64 first, last, in, out;
	bool raced;
};

static struct rxc_busy_tree tree;
static struct record records[THREADS][ROUNDS];
static int most[THREADS], taken[THREADS];
static u64 now;

static bool any_fill(const struct rxc_busy *busy, void *arg)
{
	(void)busy;
	(void)arg;
	return true;
}

static bool no_fill(const struct rxc_busy *busy, void *arg)
{
	return !any_fill(busy, arg);
}

static void choose(struct record *r, unsigned int *state)
{
	bool wide = rand_r(state) % 8 == 0;

	r->first = rand_r(state) % BLOCKS;
	r->last = min(r->first + rand_r(state) % (wide ? BLOCKS : REGION), (u64)BLOCKS - 1);
}

/* A range in flight. */
struct slot {
	struct rxc_busy busy;
	struct record *record;
	bool fill;
};

/* Enters a fill, as a reader does that finds no write and joins no fill. Returns whether it began. */
static bool enter_fill(struct slot *slot)
{
	struct rxc_busy *busy = &slot->busy;
	struct rxc_busy_found found;
	struct rxc_busy_held held;
	u64 last = min(busy->last, busy->first + REGION - 1);
	bool write;

	rxc_busy_lock(&tree, busy->first, last, &held);
	write = rxc_busy_find(&tree, busy->first, no_fill, NULL, &found);
	if (!write) {
		busy->last = rxc_busy_free_until(&tree, busy->first, last, no_fill, NULL);
		if (busy->last < busy->first)
			abort();
		rxc_busy_enter_fill(&tree, busy);
	}
	rxc_busy_unlock(&tree, &held);
	return !write;
}

static void enter(struct slot *slot, struct record *r, bool fill)
{
	slot->record = NULL;
	slot->fill = fill;
	slot->busy.first = r->first;
	slot->busy.last = r->last;
	if (!fill)
		rxc_busy_enter_write(&tree, &slot->busy);
	else if (!enter_fill(slot))
		return;
	slot->record = r;
	r->last = slot->busy.last;
	r->in = __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST);
}

static void leave(struct slot *slot)
{
	struct record *r = slot->record;
	struct rxc_busy_held held;

	if (!r)
		return;
	r->out = __atomic_add_fetch(&now, 1, __ATOMIC_SEQ_CST);
	if (slot->fill) {
		rxc_busy_lock(&tree, r->first, r->last, &held);
		r->raced = slot->busy.raced;
		rxc_busy_leave_locked(&tree, &slot->busy);
		rxc_busy_unlock(&tree, &held);
	} else {
		r->raced = READ_ONCE(slot->busy.raced);
		rxc_busy_leave(&tree, &slot->busy);
	}
	slot->record = NULL;
}

static pthread_barrier_t all_there;

/* Half of the threads write. Each has several ranges in flight, also while it does not run. */
static void *thread(void *number)
{
	struct slot slots[SLOTS] = { { .record = NULL } };
	unsigned int n = (uintptr_t)number, state = n + 1, i;

	pthread_barrier_wait(&all_there);
	for (i = 0; i < ROUNDS; i++) {
		leave(&slots[i % SLOTS]);
		choose(&records[n][i], &state);
		enter(&slots[i % SLOTS], &records[n][i], n % 2);
		if (i % 16 == 0)
			sched_yield();
	}
	for (i = 0; i < SLOTS; i++)
		leave(&slots[i]);
	most[n] = smp_most;
	taken[n] = smp_taken_most;
	return NULL;
}

static bool met(const struct record *a, const struct record *b)
{
	return a->first <= b->last && b->first <= a->last && a->in < b->out && b->in < a->out;
}

/* On a busy host each thread may have its turn alone, so there are up to ten rounds. */
static void test_threads(void)
{
	pthread_t threads[THREADS];
	unsigned int i, j, m, n, pairs = 0, missed = 0, held = 0, off = 0, round = 0;

	pthread_barrier_init(&all_there, NULL, THREADS);
again:
	rxc_busy_init(&tree, BLOCK_SHIFT);
	for (n = 0; n < THREADS; n++)
		pthread_create(&threads[n], NULL, thread, (void *)(uintptr_t)n);
	for (n = 0; n < THREADS; n++) {
		pthread_join(threads[n], NULL);
		held = max(held, (unsigned int)most[n]);
		off = max(off, (unsigned int)taken[n]);
	}
	for (n = 0; n < THREADS; n += 2)
		for (m = 0; m < THREADS; m++)
			for (i = 0; m != n && i < ROUNDS; i++)
				for (j = 0; j < ROUNDS; j++) {
					if (!met(&records[n][i], &records[m][j]))
						continue;
					pairs++;
					/* Of a write and a fill, the fill is told. */
					missed += !records[m][j].raced;
				}
	if (pairs <= 100 && !missed && ++round < 10)
		goto again;
	pthread_barrier_destroy(&all_there);
	printf("# %u pairs, %u locks at once, %u while interrupts were off\n", pairs, held, off);
	check(pairs > 100, "ranges have met");
	check(!missed, "and all of them were told: %u were not", missed);
	check(held <= 3, "two locks of stripes at once, and that of wide ranges");
	check(off <= 8, "interrupts are off for a few locks");
	check(!tree.nr_wide && !tree.wide.rb_root.rb_node, "all have left");
}

static void test_wide(void)
{
	struct rxc_busy wide = { .first = 10, .last = BLOCKS - 1 }, other = { .first = 0, .last = 3000 };
	struct rxc_busy small = { .first = 700, .last = 700 };
	struct rxc_busy_found found;
	struct rxc_busy_held held;

	rxc_busy_init(&tree, BLOCK_SHIFT);
	smp_most = smp_taken_most = 0;
	check(rxc_busy_quiet(&tree, 0, 5), "nothing is in flight");
	rxc_busy_enter_write(&tree, &wide);
	check(!rxc_busy_quiet(&tree, 0, 5), "a wide range may be anywhere");
	check(smp_most == 1 && smp_taken_most == 1, "it took one lock at a time");
	rxc_busy_lock(&tree, 9, 20, &held);
	check(!rxc_busy_find(&tree, 9, any_fill, NULL, &found), "nothing before it");
	check(rxc_busy_free_until(&tree, 9, 20, any_fill, NULL) == 9, "up to it");
	check(rxc_busy_find(&tree, 10, any_fill, NULL, &found) && !found.fill && found.last == BLOCKS - 1, "a write");
	rxc_busy_unlock(&tree, &held);
	rxc_busy_enter_write(&tree, &other);
	check(wide.raced && other.raced && other.met, "two wide ones race");
	rxc_busy_leave(&tree, &other);
	rxc_busy_enter_write(&tree, &small);
	check(small.raced && small.met, "and a narrow one beside one");
	rxc_busy_leave(&tree, &wide);
	rxc_busy_enter_write(&tree, &wide);
	check(wide.raced && wide.met, "also if that came first");
	rxc_busy_leave(&tree, &small);
	rxc_busy_leave(&tree, &wide);
}

static struct rxc_busy meanwhile = { .first = 10, .last = BLOCKS - 1 };
static pthread_t enters;

static void *enter_meanwhile(void *unused)
{
	rxc_busy_enter_write(&tree, &meanwhile);
	return unused;
}

/* Suits nobody. The first call, under the lock of a stripe, lets a wide range enter its tree. */
static bool wide_enters(const struct rxc_busy *busy, void *arg)
{
	(void)busy;
	(void)arg;
	if (!enters)
		pthread_create(&enters, NULL, enter_meanwhile, NULL);
	while (!READ_ONCE(tree.nr_wide))
		sched_yield();
	return false;
}

/* The wide range enters between the two looks of a reader, which then begins a fill of one block. */
static void test_between(void)
{
	struct rxc_busy slow = { .first = 20, .last = 20 }, fill = { .first = 20, .last = 25 };
	struct rxc_busy_found found;
	struct rxc_busy_held held;

	rxc_busy_init(&tree, BLOCK_SHIFT);
	rxc_busy_lock(&tree, 20, 20, &held);
	rxc_busy_enter_fill(&tree, &slow);
	rxc_busy_unlock(&tree, &held);
	rxc_busy_lock(&tree, 20, 25, &held);
	check(!rxc_busy_find(&tree, 20, wide_enters, NULL, &found), "a reader finds nothing");
	fill.last = rxc_busy_free_until(&tree, 20, 25, wide_enters, NULL);
	check(fill.last == 20, "its fill has one block: up to %d", (int)fill.last);
	rxc_busy_enter_fill(&tree, &fill);
	rxc_busy_unlock(&tree, &held);
	pthread_join(enters, NULL);
	check(READ_ONCE(fill.raced) && meanwhile.met, "the wide range has raced it");
	rxc_busy_leave(&tree, &meanwhile);
	rxc_busy_leave(&tree, &fill);
	rxc_busy_leave(&tree, &slow);
}

int main(void)
{
	test_wide();
	test_between();
	test_threads();
	return done();
}
