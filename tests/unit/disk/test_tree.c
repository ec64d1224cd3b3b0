// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of rxdsk, the module's own source, without a kernel: its contents
 * against a plain table, its number of nodes, failed allocations, and readers,
 * writers and removers at the same time. With the argument "forever" these
 * threads run much longer, for a sanitizer that finds races.
 */
#include "shim/kernel.h"
#include "rx_test.h"
#include "../../../rxdsk/tree.h"
#include "shim/tree_memory.h"

enum { PLACES = 4096, PAGES = 4 * PLACES, ROUNDS = 60000 };

static struct rxd_tree tree;
static struct page page[PLACES];
static bool there[PLACES];
static long released;

/* Checks that a page is released only once: "private" is set while it is in a tree. */
void release_pages(struct page **pages, int nr)
{
	while (nr--) {
		if (!pages[nr]->private)
			abort();
		pages[nr]->private = 0;
		released++;
	}
}

/* Places are in runs of 128; the distance from one run to the next grows. */
static pgoff_t index_of(unsigned int place)
{
	unsigned int run = place / 128;

	return (run < 8 ? run * 128ul : 1ul << (run + 16)) + place % 128 + 32;
}

static struct page *look_up(pgoff_t index)
{
	struct page *p;

	rcu_read_lock();
	p = rxd_leaf_page(&tree, rxd_tree_leaf(&tree, index), index);
	rcu_read_unlock();
	return p;
}

static int insert(unsigned int place, unsigned int nr)
{
	struct page *pages[RXD_NODE_SLOTS];
	unsigned int i;

	for (i = 0; i < nr; i++)
		pages[i] = &page[place + i];
	return rxd_tree_insert(&tree, index_of(place), pages, nr, 0);
}

static unsigned int remove_some(pgoff_t first, pgoff_t last, unsigned int max,
				pgoff_t *next)
{
	struct rx_pages out = {};
	unsigned int nr, listed = 0;

	*next = first;
	nr = rxd_tree_remove(&tree, next, last, max, &out);
	while (rx_pages_pop(&out))
		listed++;
	return listed == nr ? nr : ~0u;
}

/* Returns how many places from @place on are in the same run and the same leaf. */
static unsigned int room(unsigned int place)
{
	unsigned int leaf = RXD_NODE_SLOTS - index_of(place) % RXD_NODE_SLOTS;
	unsigned int run = 128 - place % 128;

	return leaf < run ? leaf : run;
}

static bool insert_agrees(unsigned int place)
{
	unsigned int nr = 1 + rand() % room(place), want = 0, i;
	int got = insert(place, nr);

	if (got == -ENOMEM)
		return true;
	while (want < nr && !there[place + want])
		want++;
	for (i = 0; i < want; i++)
		there[place + i] = true;
	return got == (int)want;
}

static bool remove_agrees(unsigned int place)
{
	unsigned int end = place + rand() % 400, max = 1 + rand() % 256;
	unsigned int want = 0, i;
	pgoff_t next;

	if (end >= PLACES)
		end = PLACES - 1;
	for (i = place; i <= end && want < max; i++) {
		want += there[i];
		there[i] = false;
	}
	return remove_some(index_of(place), index_of(end), max, &next) == want;
}

static bool walk_agrees(void)
{
	pgoff_t at = 0, last = index_of(PLACES - 1);
	unsigned int place = 0;

	for (;; at++) {
		while (place < PLACES && !there[place])
			place++;
		if (!rxd_tree_next(&tree, &at, last))
			return place == PLACES;
		if (place == PLACES || at != index_of(place++))
			return false;
	}
}

static void test_model(void)
{
	bool inserted = true, removed = true, found = true, walked = true;
	unsigned int i, place;
	pgoff_t next;

	srand(1);
	for (i = 0; i < ROUNDS; i++) {
		place = rand() % PLACES;
		fail_in = i % 16 ? -1 : rand() % 4;
		if (rand() % 8)
			inserted &= insert_agrees(place);
		else
			removed &= remove_agrees(place);
		fail_in = -1;
		place = rand() % PLACES;
		found &= look_up(index_of(place)) ==
			 (there[place] ? &page[place] : NULL);
		if (i % 64 == 0) {
			rcu_barrier();
			walked &= walk_agrees();
		}
	}
	check(inserted, "runs are inserted up to what is there");
	check(removed, "ranges are removed up to a number");
	check(found, "look-ups find what is there, and nothing else");
	check(walked, "the walk finds each page once, in order");
	remove_some(0, ~0ul >> 16, ~0u, &next);
	rcu_barrier();
	check(!nodes && !tree.root, "an empty tree costs nothing");
	memset(there, 0, sizeof(there));
}

static void test_cost(void)
{
	static const struct {
		pgoff_t index;
		long nodes;
	} rows[] = {
		{ 0, 1 }, { 63, 1 }, { 64, 3 }, { 4095, 4 }, { 4096, 7 },
		{ (1ul << 48) - 1, 19 }, { 1ul << 47, 26 },
	};
	struct page one[7], *p;
	unsigned int i;
	pgoff_t next;

	for (i = 0; i < 7; i++) {
		p = &one[i];
		rxd_tree_insert(&tree, rows[i].index, &p, 1, 0);
		check(nodes == rows[i].nodes && look_up(rows[i].index) == p,
		      "index 2^%u: %ld nodes, %ld wanted",
		      64 - __builtin_clzl(rows[i].index | 1) - 1, nodes,
		      rows[i].nodes);
	}
	check(!look_up(1ul << 48) && !look_up(~0ul), "beyond the tree is nothing");
	check(remove_some(0, ~0ul >> 16, ~0u, &next) == 7, "all seven go");
	rcu_barrier();
	check(!nodes, "and their nodes");
	fail_in = 2;
	p = &one[0];
	check(rxd_tree_insert(&tree, 1ul << 20, &p, 1, 0) == -ENOMEM &&
	      !nodes && !tree.root, "half a way down is not kept");
	fail_in = -1;
}

static bool stop;
static long bad, done_some;

static void *writer(void *arg)
{
	unsigned int seed = (unsigned long)arg, place;
	struct page *pages[16], *other;
	unsigned int i;
	int put;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		place = rand_r(&seed) % (PLACES - 16);
		for (i = 0; i < 16; i++) {
			pages[i] = calloc(1, sizeof(struct page));
			pages[i]->index = index_of(place) + i;
		}
		i = 1 + rand_r(&seed) % (room(place) < 16 ? room(place) : 16);
		put = rxd_tree_insert(&tree, index_of(place), pages, i, 0);
		for (i = put; i < 16; i++)
			free(pages[i]);
		rcu_read_lock();
		other = rxd_leaf_page(&tree, rxd_tree_leaf(&tree, index_of(place)),
				      index_of(place));
		if (other && other->index != index_of(place))
			__atomic_add_fetch(&bad, 1, __ATOMIC_RELAXED);
		rcu_read_unlock();
		__atomic_add_fetch(&done_some, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *remover(void *arg)
{
	unsigned int seed = (unsigned long)arg, place;
	struct rx_pages out = {};
	struct page *gone;
	pgoff_t first;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		place = rand_r(&seed) % (PLACES - 200);
		first = index_of(place);
		rxd_tree_remove(&tree, &first, index_of(place + 200), 100, &out);
		rcu_barrier();
		while ((gone = rx_pages_pop(&out)))
			free(gone);
	}
	return NULL;
}

static void test_threads(unsigned int ms)
{
	struct timespec pause = { ms / 1000, ms % 1000 * 1000000l };
	pthread_t thread[4];
	struct rx_pages out = {};
	struct page *gone;
	unsigned long i;
	pgoff_t first = 0;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, i < 2 ? writer : remover,
			       (void *)(i + 1));
	nanosleep(&pause, NULL);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	rxd_tree_remove(&tree, &first, ~0ul >> 16, ~0u, &out);
	while ((gone = rx_pages_pop(&out)))
		free(gone);
	rcu_barrier();
	check(done_some && !bad, "at once: whoever looks finds the page of that place");
	check(!nodes && !tree.root, "at once: nothing is lost");
}

/* Fills all places and cuts at @first. Pages below stay; the others are freed and counted. */
static bool cut_at(pgoff_t first)
{
	struct rxd_tree off;
	atomic_long_t count = { PLACES }, on_nodes[2] = { { 0 } };
	unsigned int place, below = 0;
	bool ok = true;
	long before;
	pgoff_t next;

	rxd_tree_init(&off);
	for (place = 0; place < PLACES; place++) {
		page[place].private = 1;
		ok &= insert(place, 1) == 1;
	}
	released = 0;
	ok &= !rxd_tree_cut(&tree, first, &off);
	for (place = 0; place < PLACES; place++) {
		bool stays = index_of(place) < first;

		ok &= look_up(index_of(place)) == (stays ? &page[place] : NULL);
		below += stays;
		if (!stays)
			on_nodes[page_to_nid(&page[place])].n++;
	}
	ok &= rxd_tree_empty(&off) == (below == PLACES);
	before = freed;
	ok &= rxd_tree_free(&off, &count, on_nodes) == PLACES - below;
	ok &= freed - before == PLACES - below;
	ok &= !on_nodes[0].n && !on_nodes[1].n;
	ok &= count.n == below && released == PLACES - below && rxd_tree_empty(&off);
	/* The tree still works where it was cut. */
	for (place = 0; place < PLACES; place++)
		if (index_of(place) >= first) {
			ok &= insert(place, 1) == 1 &&
			      look_up(index_of(place)) == &page[place];
			break;
		}
	remove_some(0, ~0ul >> 16, ~0u, &next);
	rcu_barrier();
	return ok && !nodes && !tree.root;
}

static void test_cut(void)
{
	static const pgoff_t at[] = {
		0, 1, 31, 32, 33, 63, 64, 65, 95, 96, 127, 128, 159, 160, 4095, 4096,
		4097, 1023, 1ul << 24, (1ul << 24) + 32, (1ul << 24) + 33, (1ul << 30) + 7,
		1ul << 46, (1ul << 47) + 100, (1ul << 47) + 159, (1ul << 47) + 160,
		~0ul >> 16,
	};
	unsigned int i, left;
	struct rxd_tree off;
	char what[80];

	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		snprintf(what, sizeof(what), "cut at %#lx: what is below stays", at[i]);
		check(cut_at(at[i]), what);
	}
	/* A cut within a leaf needs nodes; if there are none, it fails and changes nothing. */
	for (left = 0; left < 3; left++) {
		rxd_tree_init(&off);
		for (i = 0; i < 256; i++) {
			page[i].private = 1;
			insert(i, 1);
		}
		fail_in = left;
		if (!rxd_tree_cut(&tree, 100, &off))
			break;
		fail_in = -1;
		check(rxd_tree_empty(&off) && look_up(index_of(0)) && look_up(index_of(255)),
		      "a cut without memory does nothing");
		rxd_tree_cut(&tree, 0, &off);
		rxd_tree_free(&off, &(atomic_long_t){ 256 }, NULL);
	}
	fail_in = -1;
	check(left > 0, "a cut that needs a node fails without");
	rxd_tree_free(&off, &(atomic_long_t){ 156 }, NULL);
	rxd_tree_cut(&tree, 0, &off);
	rxd_tree_free(&off, &(atomic_long_t){ 256 }, NULL);
	rcu_barrier();
	check(!nodes && !tree.root, "cut: nothing is lost");
}

int main(int argc, char **argv)
{
	check(!rxd_tree_module_init(), "the cache of nodes");
	rxd_tree_init(&tree);
	check(!look_up(0) && !look_up(~0ul), "an empty tree has nothing");
	test_cost();
	test_model();
	test_cut();
	test_threads(argc > 1 && !strcmp(argv[1], "forever") ? 20000 : 300);
	rxd_tree_destroy(&tree);
	rxd_tree_module_exit();
	return done();
}
