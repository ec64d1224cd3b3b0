// SPDX-License-Identifier: GPL-2.0-only
/* The budget of read-ahead: how much of it can be in vain, whatever is read. */
#include "forecast/budget.h"
#include "forecast/odds.h"
#include "kernel.h"
#include "rx_test.h"

enum { CACHE = 16000, MOST = CACHE / 16, LEAST = 64, GREATEST = 32768 };

static struct rxc_budget budget;
static u64 seed = 1, read_, issued, used;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % below;
}

static void begin(u64 blocks)
{
	rxc_budget_init(&budget, blocks);
	read_ = issued = used = 0;
}

static void read_blocks(u64 blocks)
{
	read_ += blocks;
	rxc_budget_read(&budget, blocks, issued, used);
}

/* Reads as much ahead as is allowed, up to @most. */
static u64 spend(u64 most)
{
	u64 n = min(rxc_budget_room(&budget), most);

	issued += n;
	return n;
}

static void test_start(void)
{
	begin(CACHE);
	check(rxc_budget_room(&budget) == MOST && !rxc_budget_bar(&budget), "accounts are full at first");
	begin(1);
	check(rxc_budget_room(&budget) == LEAST, "those of a tiny cache too");
	begin(1ULL << 40);
	check(rxc_budget_room(&budget) == GREATEST && !rxc_budget_bar(&budget),
	      "and those of the largest one");
}

/* The size changes, and other caches come to the disk. */
static void test_bound(void)
{
	begin(1ULL << 40);
	rxc_budget_bound(&budget, CACHE);
	check(rxc_budget_room(&budget) == MOST && !rxc_budget_bar(&budget), "a smaller cache has less");
	rxc_budget_bound(&budget, 2 * CACHE);
	check(rxc_budget_room(&budget) == MOST && rxc_budget_bar(&budget) == RXC_ODDS_SURE / 2,
	      "a larger one has to earn the difference");
	read_blocks(24 * MOST);
	check(rxc_budget_room(&budget) <= 2 * MOST, "up to its bound");
}

/* Nothing is ever used. */
static void test_vain(void)
{
	unsigned int n, bad = 0;

	begin(CACHE);
	for (n = 0; n < 100000; n++) {
		read_blocks(1);
		spend(~0ULL);
		bad += issued > MOST + read_ / 240 + 1;
	}
	check(!bad && issued > read_ / 250, "all in vain: %u of %u reads", (unsigned int)issued, n);
	check(rxc_budget_bar(&budget) >= RXC_ODDS_SURE - 1, "only sure guesses count");
}

/*
 * Of 100 blocks that are read ahead @right are used, in each window of time. Both bounds hold
 * in each window, but for what the accounts may hold.
 */
static void test_window(unsigned int right, unsigned int others)
{
	enum { ROUNDS = 20000, WINDOW = 1000 };
	static u64 vain_at[ROUNDS], read_at[ROUNDS], used_at[ROUNDS];
	unsigned int n, i, bad = 0;
	u64 vain, reads, uses;

	begin(CACHE);
	for (n = 0; n < ROUNDS; n++) {
		for (i = spend(1 + rnd(64)); i; i--)
			if (rnd(100) < right) {
				used++;
				read_blocks(1);
			}
		read_blocks(rnd(others));
		vain_at[n] = issued - used;
		read_at[n] = read_;
		used_at[n] = used;
		if (n < WINDOW)
			continue;
		vain = vain_at[n] - vain_at[n - WINDOW];
		reads = read_at[n] - read_at[n - WINDOW];
		uses = used_at[n] - used_at[n - WINDOW];
		bad += vain > MOST + reads / 12 + 64 || vain > MOST + uses * 2 / 5 + reads / 240 + 64;
	}
	check(!bad, "%u in 100 right: a window has at most a twelfth more, and 2 in 7 in vain", right);
	vain = issued - used;
	check(vain <= MOST + read_ / 12 + 1 && vain <= MOST + used * 2 / 5 + read_ / 240 + 1,
	      "and so has all: %u of %u, %u reads", (unsigned int)vain, (unsigned int)issued,
	      (unsigned int)read_);
}

/* All is used, by a reader that has some blocks before it. */
static void test_right(void)
{
	unsigned int n;

	begin(CACHE);
	for (n = 0; n < 10 * CACHE; n++) {
		if (issued > used)
			used++;
		read_blocks(1);
		if (issued - used < 256)
			spend(32);
	}
	check(issued > read_ * 99 / 100 && rxc_budget_room(&budget) >= MOST - 300,
	      "a budget costs nothing where all is used");
	check(rxc_budget_bar(&budget) <= RXC_ODDS_SURE * 3 / 10, "and the bar is low");
	issued += MOST;
	read_blocks(1);
	check(!rxc_budget_room(&budget) && rxc_budget_bar(&budget) == RXC_ODDS_SURE,
	      "a good past pays for no more than the bound");
}

/* After a long time in vain a reader is read ahead again soon. */
static void test_again(void)
{
	unsigned int n;
	u64 ahead = 0;

	begin(CACHE);
	for (n = 0; n < 1000000; n++) {
		read_blocks(1);
		spend(~0ULL);
	}
	for (n = 0; n < CACHE && ahead < 64; n++) {
		if (ahead) {
			used++;
			ahead--;
		}
		read_blocks(1);
		ahead += spend(64 - ahead);
	}
	check(n < 1000, "a good reader has its blocks after %u reads", n);
}

static void test_refused(void)
{
	u64 room;

	begin(CACHE);
	room = rxc_budget_room(&budget);
	issued += 50;
	read_blocks(0);
	check(rxc_budget_room(&budget) == room - 50, "what is in flight counts");
	issued -= 20;
	read_blocks(0);
	check(rxc_budget_room(&budget) == room - 30, "what the origin refuses does not");
	used += 30;
	read_blocks(0);
	check(rxc_budget_room(&budget) == room, "nor does what is used");
	issued += 10 * MOST;
	read_blocks(0);
	check(!rxc_budget_room(&budget) && rxc_budget_bar(&budget) == RXC_ODDS_SURE,
	      "an account may be overdrawn");
}

int main(void)
{
	test_start();
	test_bound();
	test_vain();
	test_window(0, 50);
	test_window(50, 20);
	test_window(67, 500);
	test_window(72, 2);
	test_window(90, 20);
	test_right();
	test_again();
	test_refused();
	return done();
}
