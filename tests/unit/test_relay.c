// SPDX-License-Identifier: GPL-2.0-only
/*
 * A relay hands out each item once and in order, after it was filled and worked on once,
 * whichever side is slow, and ends at any moment. Built with TSan.
 */
#include <limits.h>
#include <unistd.h>

#include "image/relay.h"
#include "rx_test.h"

struct run {
	struct relay relay;
	unsigned int items;		/* in all */
	unsigned int slow_fill, slow_work, slow_take;	/* turns */
	unsigned int filled;
	struct { unsigned int n, works; } item[RELAY_ITEMS];
	unsigned int works[RELAY_HANDS], wrong[RELAY_HANDS];
	bool busy[RELAY_HANDS];
	unsigned int misplaced;
};

/* Takes a while without giving the CPU away, which could be for long on a busy machine. */
static void turns(unsigned int n)
{
	static volatile unsigned int nothing;

	for (n *= 100; n; n--)
		(void)nothing;
}

static bool fill(void *arg, unsigned int i)
{
	struct run *run = arg;

	run->misplaced += i != run->filled % RELAY_ITEMS;
	turns(run->slow_fill);
	run->item[i].n = run->filled++;
	run->item[i].works = 0;
	return run->filled < run->items;
}

static void work(void *arg, unsigned int i, unsigned int hand)
{
	struct run *run = arg;

	/* Nobody else has this hand now, which TSan would tell too. */
	run->wrong[hand] += run->busy[hand];
	run->busy[hand] = true;
	turns(run->slow_work);
	run->item[i].works++;
	run->works[hand]++;
	run->busy[hand] = false;
}

static const struct relay_ops ops = { .fill = fill, .work = work };

/* Takes up to TAKE items. */
static void take(struct run *run, bool thread, unsigned int take, const char *what)
{
	unsigned int n, bad = 0;
	int i;

	relay_start(&run->relay, &ops, run, thread);
	for (n = 0; n < take && (i = relay_take(&run->relay)) >= 0; n++) {
		turns(run->slow_take);
		bad += run->item[i].n != n || run->item[i].works != 1;
	}
	if (take > run->items)
		check(relay_take(&run->relay) == -1, "%s: the end is the end", what);
	relay_stop(&run->relay);
	relay_stop(&run->relay);
	bad += run->wrong[0] + run->wrong[1];
	check(!bad && !run->misplaced && n == (take < run->items ? take : run->items),
	      "%s: %u items taken, %u wrong, %u in the wrong place", what, n, bad, run->misplaced);
}

static void ends(bool thread)
{
	unsigned int items, n;

	for (items = 1; items <= 2 * RELAY_ITEMS + 1; items++) {
		struct run all = { .items = items };

		take(&all, thread, items + 1, "all");
		check(all.works[0] + all.works[1] == items, "%u items, work on %u and %u", items, all.works[0],
		      all.works[1]);
		for (n = 0; n <= items; n++) {
			struct run some = { .items = items, .slow_fill = n % 3 };

			take(&some, thread, n, "some");
		}
	}
}

int main(void)
{
	static const unsigned int slow[][3] = { { 0, 0, 0 }, { 50, 0, 0 }, { 0, 50, 0 }, { 0, 0, 50 }, { 5, 50, 5 } };
	struct run shared = { .items = 500, .slow_work = 200 };
	struct relay none = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(slow) / sizeof(*slow); i++) {
		struct run run = { .items = 2000, .slow_fill = slow[i][0], .slow_work = slow[i][1],
				   .slow_take = slow[i][2] };

		take(&run, true, UINT_MAX, "with a thread");
		check(run.works[0] + run.works[1] == 2000, "each was worked on once");
	}
	ends(true);
	ends(false);
	relay_stop(&none);
	/* Where work takes longest, both do it. */
	take(&shared, true, UINT_MAX, "much work");
	check(shared.works[0] >= 50 && shared.works[1] >= 50, "the caller worked on %u, the thread on %u",
	      shared.works[0], shared.works[1]);
	return done();
}
