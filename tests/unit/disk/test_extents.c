// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk through a disk's pages for its extents, the module's own source, without a
 * kernel: against a plain table, with all bounds of a call, and beside threads that take
 * pages out of the tree and put others in.
 */
#include "shim/kernel.h"
#include "rx_test.h"
#include "../../../rxdsk/extents.h"
#include "../../../rxdsk/tree.h"
#include "shim/tree_memory.h"

enum { PLACES = 4096, ROUNDS = 3000, MANY = 20000 * 64, STEADY = 8 };

static struct rxd_tree tree;
static struct page page[PLACES], filler;
static bool there[PLACES];

void release_pages(struct page **pages, int nr)
{
	(void)pages, (void)nr;
}

/* Places are in runs of 128; the distance from one run to the next grows. */
static pgoff_t index_of(unsigned int place)
{
	unsigned int run = place / 128;

	return (run < 8 ? run * 128ul : 1ul << (run + 14)) + place % 128 + 32;
}

static void put(pgoff_t index, struct page *p)
{
	if (rxd_tree_insert(&tree, index, &p, 1, 0) != 1)
		abort();
}

static void drop(pgoff_t first, pgoff_t last)
{
	struct rx_pages out = {};

	rxd_tree_remove(&tree, &first, last, ~0u, &out);
	while (rx_pages_pop(&out))
		;
}

static bool good;
static unsigned int walks;

/*
 * Lists all extents, up to @max in a call, and hands each page in them to @visit, clipped
 * to @size.
 */
static void walk(u64 size, unsigned int max, void (*visit)(pgoff_t index, u64 bytes))
{
	struct rxd_extent to[64];
	u64 cursor = 0, before, end = 0;
	unsigned int nr, i;

	for (walks = 0; cursor != RXD_EXTENTS_END; walks++) {
		before = cursor;
		nr = rxd_extents_walk(&tree, &cursor, size, to, max);
		good &= nr <= max && cursor > before;
		for (i = 0; i < nr; i++) {
			/* They do not touch, but for the first with one of the last call. */
			good &= to[i].length && (i ? to[i].offset > end : to[i].offset >= end);
			good &= to[i].offset >= before && !(to[i].offset % PAGE_SIZE);
			end = to[i].offset + to[i].length;
			good &= end <= size && (end % PAGE_SIZE == 0 || end == size);
			for (u64 at = to[i].offset; at < end; at += PAGE_SIZE)
				visit(at >> PAGE_SHIFT, min(PAGE_SIZE, end - at));
		}
		good &= cursor == RXD_EXTENTS_END || (cursor >= end && !(cursor % PAGE_SIZE));
	}
}

static unsigned int next_place, places_end;
static u64 walked_size;

/* Pages come in the order of their places, and only those that are there. */
static void must_be_next(pgoff_t index, u64 bytes)
{
	while (next_place < places_end && !there[next_place])
		next_place++;
	good &= next_place < places_end && index_of(next_place++) == index;
	good &= bytes == min(PAGE_SIZE, walked_size - ((u64)index << PAGE_SHIFT));
}

static void test_model(void)
{
	unsigned int i, place, end;

	srand(1);
	good = true;
	for (i = 0; i < ROUNDS; i++) {
		place = rand() % PLACES;
		if (rand() % 4) {
			for (end = min(place + rand() % 6, PLACES - 1u); place <= end; place++)
				if (!there[place]) {
					put(index_of(place), &page[place]);
					there[place] = true;
				}
		} else {
			end = min(place + rand() % 300, PLACES - 1u);
			drop(index_of(place), index_of(end));
			memset(there + place, 0, end - place + 1);
		}
		/* The size ends at a page, or within one. */
		place = rand() % PLACES;
		walked_size = ((u64)index_of(place) << PAGE_SHIFT) + (1 + rand() % 4) * 4096;
		next_place = 0;
		places_end = place + 1;
		walk(walked_size, 1 + rand() % 64, must_be_next);
		while (next_place < places_end && !there[next_place])
			next_place++;
		good &= next_place == places_end;
		rcu_barrier();
	}
	check(good, "each page below the size is in an extent once, in order, and nothing else");
	drop(0, ~0ul >> 16);
	memset(there, 0, sizeof(there));
	rcu_barrier();
}

static u64 sum;

static void count(pgoff_t index, u64 bytes)
{
	(void)index;
	sum += bytes;
}

static void test_bounds(void)
{
	u64 cursor = 0, size = (u64)MANY << PAGE_SHIFT;
	struct rxd_extent one = { 0, 0 };
	atomic_long_t pages = { MANY };
	struct rxd_tree off;
	unsigned int nr;
	pgoff_t i;

	check(!rxd_extents_walk(&tree, &cursor, size, &one, 1) && cursor == RXD_EXTENTS_END,
	      "an empty disk has none");
	for (i = 0; i < MANY; i++)
		put(i, &filler);
	cursor = 0;
	nr = rxd_extents_walk(&tree, &cursor, size, &one, 1);
	check(nr == 1 && !one.offset && one.length == cursor && cursor < size,
	      "a call walks a bounded number of leaves, and says where it stopped");
	good = true;
	walk(size, 1, count);
	check(good && sum == size && walks == 2, "the next one goes on there");
	cursor = size;
	check(!rxd_extents_walk(&tree, &cursor, size, &one, 1) && cursor == RXD_EXTENTS_END,
	      "behind the size is nothing");
	cursor = (u64)RXD_EXTENTS_END & ~(PAGE_SIZE - 1);
	check(!rxd_extents_walk(&tree, &cursor, size, &one, 1) && cursor == RXD_EXTENTS_END,
	      "nor at the end of all numbers");
	/* All of them are one page, which no row of pages can have twice. */
	rxd_tree_init(&off);
	rxd_tree_cut(&tree, 0, &off);
	rxd_tree_free(&off, &pages, NULL);
	check(!pages.n && !nodes, "all are free");
}

static bool stop;

/* Whether a page stays. Every other run of places has none that does, so its nodes go, too. */
static bool is_steady(unsigned int place)
{
	return place % STEADY == 0 && place / 128 % 2 == 0;
}

/* Takes pages out, whole leaves among them, and puts them back. */
static void *churn(void *arg)
{
	unsigned int seed = 3, place, i;

	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		place = rand_r(&seed) % (PLACES / STEADY) * STEADY;
		for (i = 0; i < STEADY; i++)
			if (!is_steady(place + i))
				drop(index_of(place + i), index_of(place + i));
		rcu_barrier();
		for (i = 0; i < STEADY; i++)
			if (!is_steady(place + i))
				put(index_of(place + i), &page[place + i]);
	}
	return NULL;
}

/* The next page that stays, and whether one before it was missed. */
static unsigned int steady;
static bool missed;

static void note_steady(pgoff_t index, u64 bytes)
{
	(void)bytes;
	for (; steady < PLACES && index_of(steady) <= index; steady++)
		missed |= is_steady(steady) && index_of(steady) < index;
}

static void test_threads(void)
{
	unsigned int i, place;
	pthread_t thread;

	for (place = 0; place < PLACES; place++)
		put(index_of(place), &page[place]);
	good = true;
	pthread_create(&thread, NULL, churn, NULL);
	for (i = 0; i < 300; i++) {
		steady = 0;
		walk(1ull << 62, 1 + i % 64, note_steady);
		for (; steady < PLACES; steady++)
			missed |= is_steady(steady);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	check(good && !missed, "at once: no page that stays is missed, none comes twice");
	drop(0, ~0ul >> 16);
	rcu_barrier();
	check(!nodes, "nothing is lost");
}

int main(void)
{
	check(!rxd_tree_module_init(), "the cache of nodes");
	rxd_tree_init(&tree);
	test_model();
	test_bounds();
	test_threads();
	rxd_tree_destroy(&tree);
	rxd_tree_module_exit();
	return done();
}
