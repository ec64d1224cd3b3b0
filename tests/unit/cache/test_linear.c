// SPDX-License-Identifier: GPL-2.0-only
/* The judge of histories in the cache's torture tests, against known cases and against a search of all orders. */
#include <stdbool.h>
#include "rx_test.h"
#include "../../kernel/helpers/linear_check.h"

enum { MAX = 7 };

#define W(b, e, v) { .begin = (b), .end = (e), .value = (v), .write = 1 }
#define R(b, e, v) { .begin = (b), .end = (e), .value = (v) }

static const struct known {
	const char *name;
	bool legal;
	struct lin_event ev[MAX];
} known[] = {
	{ "nothing but a write", true, { W(1, 2, 1) } },
	{ "read after write", true, { W(1, 2, 1), R(3, 4, 1) } },
	{ "old data after a write has ended", false, { W(1, 2, 1), W(3, 4, 2), R(5, 6, 1) } },
	{ "old data while the write goes on", true, { W(1, 2, 1), W(3, 8, 2), R(5, 6, 1) } },
	{ "new, then old", false, { W(1, 2, 1), W(3, 12, 2), R(4, 5, 2), R(6, 7, 1) } },
	{ "old, then new", true, { W(1, 2, 1), W(3, 12, 2), R(4, 5, 1), R(6, 7, 2) } },
	{ "new and old by reads that overlap", true, { W(1, 2, 1), W(3, 12, 2), R(4, 7, 2), R(6, 8, 1) } },
	{ "read before its write begins", false, { W(1, 2, 1), R(3, 4, 2), W(5, 6, 2) } },
	{ "never written", false, { W(1, 2, 1), R(3, 4, 3) } },
	{ "two writes at once, seen in both orders", false,
	  { W(1, 2, 9), W(3, 10, 1), W(3, 10, 2), R(11, 12, 1), R(13, 14, 2) } },
	{ "two writes at once, either may stay", true, { W(1, 2, 9), W(3, 10, 1), W(3, 10, 2), R(4, 5, 2), R(11, 12, 1) } },
	{ "back to the first of two writes at once", false,
	  { W(1, 2, 9), W(3, 10, 1), W(3, 10, 2), R(4, 5, 1), R(6, 7, 2), R(8, 9, 1) } },
	{ "a failed write that nobody saw", true, { W(1, 2, 1), W(3, LIN_NEVER, 2), R(5, 6, 1), R(7, 8, 1) } },
	{ "a failed write that came late", true, { W(1, 2, 1), W(3, LIN_NEVER, 2), R(5, 6, 1), R(7, 8, 2) } },
	{ "a failed write that came and went", false,
	  { W(1, 2, 1), W(3, LIN_NEVER, 2), R(5, 6, 2), R(7, 8, 1) } },
	{ "zeroes, twice", true, { W(1, 2, 0), R(3, 4, 0), W(5, 6, 1), R(7, 8, 1), W(9, 10, 0), R(11, 12, 0) } },
	{ "zeroes that are over", false, { W(1, 2, 0), W(5, 6, 1), R(7, 8, 0), W(9, 10, 0) } },
	{ "zeroes that are over by what another read saw", false,
	  { W(1, 2, 0), W(5, 10, 1), R(6, 7, 1), R(8, 9, 0), W(11, 12, 0) } },
	{ "zeroes that are just being written", true, { W(1, 2, 0), W(5, 6, 1), R(7, 10, 0), W(9, 12, 0) } },
};

static size_t length(const struct lin_event *ev)
{
	size_t n = 0;

	while (n < MAX && ev[n].end)
		n++;
	return n;
}

/* Returns whether the events not in @used have a legal order if the register now holds @value. */
static bool some_order(const struct lin_event *ev, size_t n, unsigned int used, uint64_t value)
{
	unsigned int left = ~used & ((1U << n) - 1);
	uint64_t limit = LIN_NEVER;
	bool all_may_stay_away = true;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(left & 1U << i))
			continue;
		if (ev[i].end < limit)
			limit = ev[i].end;
		all_may_stay_away &= ev[i].end == LIN_NEVER;
	}
	if (all_may_stay_away)
		return true;
	for (i = 0; i < n; i++) {
		/* An event that began after the end of another one comes after that one. */
		if (!(left & 1U << i) || ev[i].begin > limit)
			continue;
		if (!ev[i].write && ev[i].value != value)
			continue;
		if (some_order(ev, n, used | 1U << i, ev[i].write ? ev[i].value : value))
			return true;
	}
	return false;
}

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* The times are from a small range, so that some are equal. @zeroes: writes do not overlap, and some write zeroes. */
static size_t invent(struct lin_event *ev, uint64_t *x, bool zeroes)
{
	size_t n = 2 + next(x) % (MAX - 1), i, writes = 1 + next(x) % 3;
	uint64_t at = 1;

	memset(ev, 0, MAX * sizeof(*ev));
	if (writes > n)
		writes = n;
	for (i = 0; i < n; i++) {
		ev[i].write = i < writes;
		ev[i].begin = 1 + next(x) % 12;
		if (zeroes && ev[i].write)
			ev[i].begin = at + next(x) % 4;
		ev[i].end = ev[i].begin + 1 + next(x) % 6;
		at = ev[i].end + 1;
		ev[i].value = ev[i].write ? i + 1 : 1 + next(x) % writes;
		if (zeroes && (ev[i].write ? next(x) % 2 : next(x) % 2))
			ev[i].value = LIN_ZERO;
		if (!zeroes && ev[i].write && !(next(x) % 5))
			ev[i].end = LIN_NEVER;
	}
	return n;
}

/* The register begins with a value that no read may return. */
static void all_orders(bool zeroes)
{
	unsigned int round, legal = 0, wrong = 0, rounds = 60000;
	struct lin_event ev[MAX];
	uint64_t x = 88172645463325252ULL;
	size_t n;
	bool ok;

	for (round = 0; round < rounds; round++) {
		n = invent(ev, &x, zeroes);
		ok = some_order(ev, n, 0, ~0ULL);
		legal += ok;
		wrong += ok != !lin_judge(ev, n).why;
	}
	check(!wrong, "%u of %u histories judged otherwise than by trying all orders%s", wrong, rounds,
	      zeroes ? ", with zeroes" : "");
	check(legal > rounds / 20 && legal < rounds - rounds / 20, "%u of them are legal", legal);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct lin_event ev[MAX];
		size_t n = length(known[i].ev);

		memcpy(ev, known[i].ev, sizeof(ev));
		check(!lin_judge(ev, n).why == known[i].legal, "%s: %s", known[i].name,
		      known[i].legal ? "legal" : "not legal");
	}
	all_orders(false);
	all_orders(true);
	return done();
}
