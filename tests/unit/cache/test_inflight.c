// SPDX-License-Identifier: GPL-2.0-only
/* Who may have how much memory in flight, and that holders are told apart while they come and go. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "memory/inflight.h"
#include "rx_test.h"

enum { ROOM = 8192, FEW = ROOM / 4 / RXC_HOLDERS, THREADS = 8, KEYS = 24, ROUNDS = 60000 };

static struct rxc_inflight inflight;
static const char cgroups[200];

static unsigned int take(unsigned int key, unsigned int nr, struct rxc_holder **holder)
{
	return rxc_inflight_take(&inflight, &cgroups[key], rxc_inflight_kind(0, 2, false), nr, 0,
				 ROOM, holder);
}

/* Takes all that a holder gets, in parts; returns how much. */
static unsigned int take_all(unsigned int key, struct rxc_holder **holder)
{
	unsigned int got, sum = 0;

	while ((got = take(key, 7, holder)))
		sum += got;
	return sum;
}

static void test_halves(void)
{
	struct rxc_holder *a, *b, *c;
	unsigned int key;

	memset(&inflight, 0, sizeof(inflight));
	check(take_all(0, &a) == ROOM / 2, "one alone has half");
	check(take_all(1, &b) == ROOM / 8 && a != b, "the next one has half of what is left of three quarters");
	check(take(1, 1, &b) == 0 && take(0, 1, &a) == 0, "and none gets more");
	check(take_all(2, &c) == ROOM / 16, "the third one, half again");
	for (key = 3; key < 20; key++)
		take_all(key, &c);
	check(take_all(20, &c) == FEW, "a few in any case");
	rxc_inflight_give(a, ROOM / 2, 0);
	check(take(0, 100, &b) == 100 && a == b, "who gives back may take again");
}

/* However many take all that they get, and whoever gives some back meanwhile. */
static void test_sum(void)
{
	struct rxc_holder *holder[150];
	unsigned int got[150], key, sum = 0;

	memset(&inflight, 0, sizeof(inflight));
	for (key = 0; key < 150; key++)
		sum += got[key] = take_all(key, &holder[key]);
	check(sum > ROOM * 3 / 4 && sum <= ROOM, "all together have the room: %u of %u", sum, ROOM);
	check(got[62] == FEW && got[63] == FEW && !got[149], "the 63rd has its part, and the others have one");
	for (key = 0; key < 5; key++) {
		rxc_inflight_give(holder[key], got[key], 0);
		sum -= got[key];
	}
	for (key = 5; key < 150; key++)
		sum += take_all(key, &holder[key]);
	check(sum > ROOM / 2 && sum <= ROOM, "and never more: %u", sum);
}

static void test_kinds(void)
{
	struct rxc_holder *holder[6], *again;
	u32 kind[] = {
		rxc_inflight_kind(0, 1, false), rxc_inflight_kind(0, 2, false),
		rxc_inflight_kind(0, 3, false), rxc_inflight_kind(0, 3, true),
		rxc_inflight_kind(31, 3, true), rxc_inflight_kind(31, 3, false),
	};
	unsigned int i, j;

	memset(&inflight, 0, sizeof(inflight));
	for (i = 0; i < 6; i++) {
		rxc_inflight_take(&inflight, cgroups, kind[i], 1, 0, ROOM, &holder[i]);
		for (j = 0; j < i; j++)
			check(holder[i] != holder[j], "cache, class and direction tell apart");
	}
	rxc_inflight_take(&inflight, cgroups, kind[2], 1, 0, ROOM, &again);
	check(again == holder[2], "the same is the same");
}

static void test_orders(void)
{
	struct rxc_holder *holder;

	memset(&inflight, 0, sizeof(inflight));
	check(rxc_inflight_take(&inflight, cgroups, 1, 16, 4, 300, &holder) == 9, "whole blocks");
	check(atomic_long_read(&holder->pages) == 144, "and their pages");
	rxc_inflight_give(holder, 9, 4);
	check(!atomic_long_read(&holder->pages), "all come back");
}

static void test_many(void)
{
	struct rxc_holder *holder[150], *other;
	unsigned int i, got = 0;

	memset(&inflight, 0, sizeof(inflight));
	for (i = 0; i < 150; i++)
		got += take(i, 1, &holder[i]);
	check(got == 150, "more than there are places");
	check(holder[100] == holder[149] && holder[100] != holder[0], "the others are one");
	check(take(100, 1, &other) == 1 && other == holder[100], "also later");
	rxc_inflight_give(holder[5], 1, 0);
	take(160, 1, &other);
	check(other == holder[5], "a place that is free is used again");
}

static void *thread(void *seed)
{
	unsigned int i, key, got, state = (uintptr_t)seed;
	struct rxc_holder *holder;

	for (i = 0; i < ROUNDS; i++) {
		key = rand_r(&state) % KEYS;
		got = take(key, 1 + rand_r(&state) % 64, &holder);
		if (!got)
			continue;
		if (holder != &inflight.holder[RXC_HOLDERS - 1] &&
		    READ_ONCE(holder->cgroup) != &cgroups[key])
			abort();
		rxc_inflight_give(holder, got, 0);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	unsigned int i;
	long sum = 0;

	memset(&inflight, 0, sizeof(inflight));
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)(i + 1));
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < RXC_HOLDERS; i++)
		sum |= atomic_long_read(&inflight.holder[i].pages);
	check(!sum, "nothing is left when all have given back");
	check(inflight.used < RXC_HOLDERS, "and no more places were used than there were holders");
}

int main(void)
{
	test_halves();
	test_sum();
	test_kinds();
	test_orders();
	test_many();
	test_threads();
	return done();
}
