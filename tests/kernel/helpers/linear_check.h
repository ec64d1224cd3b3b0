/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a history of one register is linearizable (atomic): whether each operation can be thought to happen at one
 * moment between its begin and its end, so that every read returns what the last write before it wrote.
 *
 * With a value that is written only once, each value has its operations: its write and the reads that returned it. In
 * any legal order they stand together. What they need of the time is their zone, from the first end to the last begin:
 * of two values a and b, a must come wholly before b if an operation of a ended before one of b began, that is, if
 * first_end(a) < last_begin(b). So the history is legal if and only if no read ends before its write begins and no two
 * values must each come before the other. That is the zone test of Gibbons and Korach (Testing Shared Memories, 1997):
 * no two forward zones (first_end < last_begin) overlap, and no backward zone lies within a forward one. A longer
 * circle holds such a pair: its member with the latest begin, and the one that follows that.
 *
 * One value, LIN_ZERO, may be written more than once, but only if no two writes of the register overlap. Then the order
 * of the writes is known, and each read of it is taken for the earliest write that the order of the reads allows: a
 * later one would leave less to all others.
 *
 * A write that failed may have happened or not, and at any time after its begin: its end is LIN_NEVER, and it counts
 * only if it was read.
 */
#ifndef LINEAR_CHECK_H
#define LINEAR_CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIN_ZERO	0ULL
#define LIN_NEVER	UINT64_MAX

struct lin_event {
	uint64_t begin, end;
	uint64_t value;
	int write;
	const void *tag;		/* the caller's */
	struct lin_event *source;	/* the write whose value a read returned */
};

struct lin_zone {
	uint64_t first_end, last_begin;
	const struct lin_event *ended, *began;	/* whose they are */
	int read;
};

/* What is wrong, with the operations that show it; why is NULL if nothing is. */
struct lin_verdict {
	const char *why;
	const struct lin_event *a, *b, *c, *d;
};

static int lin_by_begin(const void *a, const void *b)
{
	const struct lin_event *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

static int lin_by_end(const void *a, const void *b)
{
	const struct lin_event *x = *(struct lin_event *const *)a, *y = *(struct lin_event *const *)b;

	return (x->end > y->end) - (x->end < y->end);
}

static int lin_by_value(const void *a, const void *b)
{
	const struct lin_event *x = *(struct lin_event *const *)a, *y = *(struct lin_event *const *)b;

	return (x->value > y->value) - (x->value < y->value);
}

static int lin_by_first_end(const void *a, const void *b)
{
	const struct lin_zone *x = a, *y = b;

	return (x->first_end > y->first_end) - (x->first_end < y->first_end);
}

static struct lin_verdict lin_bad(const char *why, const struct lin_event *a, const struct lin_event *b)
{
	return (struct lin_verdict){ .why = why, .a = a, .b = b };
}

static struct lin_event *lin_find(struct lin_event **writes, size_t n, uint64_t value)
{
	struct lin_event key = { .value = value }, *k = &key, **at;

	at = bsearch(&k, writes, n, sizeof(*writes), lin_by_value);
	return at ? *at : NULL;
}

/* The source of each read of a value that was written once. */
static struct lin_verdict lin_sources(struct lin_event *ev, size_t n)
{
	struct lin_event **writes = malloc((n + 1) * sizeof(*writes));
	struct lin_verdict bad = { 0 };
	size_t i, nw = 0;

	for (i = 0; i < n; i++)
		if (ev[i].write && ev[i].value != LIN_ZERO)
			writes[nw++] = &ev[i];
	qsort(writes, nw, sizeof(*writes), lin_by_value);
	for (i = 0; i < n && !bad.why; i++) {
		if (ev[i].write) {
			ev[i].source = &ev[i];
			continue;
		}
		ev[i].source = ev[i].value == LIN_ZERO ? NULL : lin_find(writes, nw, ev[i].value);
		if (ev[i].value == LIN_ZERO)
			continue;
		if (!ev[i].source)
			bad = lin_bad("a value that was never written", &ev[i], NULL);
		else if (ev[i].end < ev[i].source->begin)
			bad = lin_bad("read before it was written", &ev[i], ev[i].source);
	}
	free(writes);
	return bad;
}

/*
 * The source of each read of zeroes. @ev is in the order of begins, so a write comes after another if its address does,
 * and what ended before a read begins has been looked at before it.
 */
static struct lin_verdict lin_zero_sources(struct lin_event *ev, size_t n)
{
	struct lin_event **ended = malloc((n + 1) * sizeof(*ended)), *least = NULL, *w;
	struct lin_verdict bad = { 0 };
	size_t i, past = 0;

	for (i = 0; i < n; i++)
		ended[i] = &ev[i];
	qsort(ended, n, sizeof(*ended), lin_by_end);
	for (i = 0; i < n && !bad.why; i++) {
		for (; past < n && ended[past]->end < ev[i].begin; past++)
			if (!least || ended[past]->source > least)
				least = ended[past]->source;
		if (ev[i].source)
			continue;
		for (w = least ?: ev; w < ev + n; w++)
			if (w->write && w->value == LIN_ZERO)
				break;
		if (w == ev + n || w->begin > ev[i].end)
			bad = lin_bad("zeroes where none can be", &ev[i], least);
		ev[i].source = w;
	}
	free(ended);
	return bad;
}

static struct lin_verdict lin_zones_collide(const struct lin_zone *a, const struct lin_zone *b)
{
	return (struct lin_verdict){ "each of two values must come before the other",
				     a->ended, b->began, b->ended, a->began };
}

/* Forward zones are sorted to the front by their first end; @nf of @n. */
static struct lin_verdict lin_judge_zones(const struct lin_zone *z, size_t nf, size_t n)
{
	size_t i, low, high, mid;

	for (i = 1; i < nf; i++)
		if (z[i - 1].last_begin > z[i].first_end)
			return lin_zones_collide(&z[i - 1], &z[i]);
	for (i = nf; i < n; i++) {
		/* The last forward zone that begins before this one; the others end before that begins. */
		for (low = 0, high = nf; low < high;) {
			mid = (low + high) / 2;
			if (z[mid].first_end < z[i].last_begin)
				low = mid + 1;
			else
				high = mid;
		}
		if (low && z[low - 1].last_begin > z[i].first_end)
			return lin_zones_collide(&z[low - 1], &z[i]);
	}
	return (struct lin_verdict){ 0 };
}

static void lin_zone_add(struct lin_zone *z, const struct lin_event *e)
{
	if (!z->ended || e->end < z->first_end) {
		z->first_end = e->end;
		z->ended = e;
	}
	if (!z->began || e->begin > z->last_begin) {
		z->last_begin = e->begin;
		z->began = e;
	}
	z->read |= !e->write;
}

/* Sorts @ev. */
static struct lin_verdict lin_judge(struct lin_event *ev, size_t n)
{
	struct lin_zone *zones, *z, swap;
	struct lin_verdict bad;
	size_t i, nz = 0, nf = 0;

	qsort(ev, n, sizeof(*ev), lin_by_begin);
	bad = lin_sources(ev, n);
	for (i = 0; i < n && !bad.why; i++)
		if (!ev[i].source) {
			bad = lin_zero_sources(ev, n);
			break;
		}
	if (bad.why)
		return bad;
	zones = calloc(n + 1, sizeof(*zones));
	for (i = 0; i < n; i++)
		lin_zone_add(&zones[ev[i].source - ev], &ev[i]);
	for (i = 0; i < n; i++) {
		z = &zones[i];
		if (!z->ended || (ev[i].end == LIN_NEVER && !z->read))
			continue;
		swap = *z;
		z = &zones[nz++];
		*z = swap;
		if (z->first_end < z->last_begin) {
			swap = zones[nf];
			zones[nf++] = *z;
			*z = swap;
		}
	}
	qsort(zones, nf, sizeof(*zones), lin_by_first_end);
	bad = lin_judge_zones(zones, nf, nz);
	free(zones);
	return bad;
}

#endif
