/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the threads of linear.c did, and its judgement. A part of that program, not a header for others.
 */
#ifndef LINEAR_HISTORY_H
#define LINEAR_HISTORY_H

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "linear_check.h"

enum { SECTOR = 512, WORDS = SECTOR / 8, MAX_SECTORS = 1024, MAX_THREADS = 64, TORN_SHIFT = 56 };
enum { DIRECT, BUFFERED, PEEK, VIEWS };		/* how the device was seen */

/* A value is the number of its operation among all; the words of a sector tell value, sector and word. */
struct op {
	uint64_t begin, end;
	uint32_t first, sectors;
	uint32_t seen;			/* of a read: index of its first value */
	uint8_t write, zeroes, view, failed;
};

struct thread {
	pthread_t id;
	int number, writes, view, fd;
	uint64_t x;
	struct op *ops;
	size_t n_ops;
	uint64_t *seen;			/* what the reads got, per sector; a mix is TORN */
	size_t n_seen;
};

static const uint64_t TORN = UINT64_MAX;
enum { OPS = 1 << 17, SEEN = 1 << 21 };

static struct thread threads[MAX_THREADS];
static int n_threads, torn, cached, peeks, zeroing;
static uint64_t offset, sectors;
static atomic_int failure;

static void *get(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

static uint64_t value_of(const struct thread *t, const struct op *op)
{
	return (uint64_t)(t->number + 1) << 24 | (op - t->ops);
}

static uint64_t word_of(uint64_t value, uint64_t sector, unsigned int w)
{
	return value << 24 | sector << 8 | w;
}

static uint64_t value_in(const uint64_t *data, uint64_t sector)
{
	uint64_t value = data[0] >> 24;
	unsigned int w;

	for (w = 1; w < WORDS && data[w] == data[0]; w++)
		;
	if (w == WORDS && !data[0])
		return LIN_ZERO;
	for (w = 0; w < WORDS; w++)
		if (data[w] != word_of(value, sector, w))
			return TORN;
	return value;
}

static const struct op *op_of(uint64_t value)
{
	uint64_t thread = value >> 24;
	size_t i = value & 0xffffff;

	if (!thread || thread > (uint64_t)n_threads || i >= threads[thread - 1].n_ops ||
	    !threads[thread - 1].ops[i].write || threads[thread - 1].ops[i].zeroes)
		return NULL;
	return &threads[thread - 1].ops[i];
}

static int covers(const struct op *op, uint64_t sector)
{
	return op->first <= sector && sector < op->first + op->sectors;
}

static void print_event(const struct lin_event *e)
{
	const struct op *op = e->tag;

	printf("  %s of %u sectors at %u, value %" PRIx64 ", from %" PRIu64 " to %" PRId64 "%s\n",
	       e->write ? "write" : "read", op->sectors, op->first, e->value, e->begin, (int64_t)e->end,
	       op->view == DIRECT ? "" : ", buffered");
}

static void report(uint64_t sector, struct lin_verdict bad)
{
	const struct lin_event *e[] = { bad.a, bad.b, bad.c, bad.d };

	failure = 1;
	printf("linear: sector %" PRIu64 ": %s\n", offset / SECTOR + sector, bad.why);
	for (int i = 0; i < 4; i++)
		if (e[i] && e[i]->begin)
			print_event(e[i]);
}

/* What is neither old nor new must be both: some write was under way. */
static void judge_torn(const struct lin_event *read, const struct lin_event *ev, size_t n, uint64_t sector)
{
	for (size_t i = 0; torn && i < n; i++)
		if (ev[i].write && ev[i].begin < read->end && read->begin < ev[i].end)
			return;
	report(sector, lin_bad(torn ? "a mix of values, and no write was under way" : "a mix of values", read, NULL));
}

static void judge_peek(const struct lin_event *read, uint64_t sector)
{
	const struct op *op = op_of(read->value);

	if (read->value == LIN_ZERO && zeroing)
		return;
	if (!op || !covers(op, sector) || op->begin > read->end)
		report(sector, lin_bad("a value whose write had not begun", read, NULL));
}

static struct lin_event event_of(const struct thread *t, const struct op *op, uint64_t sector)
{
	struct lin_event e = { .begin = op->begin, .end = op->end, .write = op->write, .tag = op };

	if (!op->write)
		e.value = t->seen[op->seen + sector - op->first];
	else
		e.value = op->zeroes ? LIN_ZERO : value_of(t, op);
	if (op->failed)
		e.end = LIN_NEVER;
	return e;
}

/* What one kind of reader saw of a sector; @ev and @odd have room for all operations. */
static void judge(uint64_t sector, int view, struct lin_event *ev, struct lin_event *odd)
{
	struct lin_verdict bad;
	size_t n = 0, n_odd = 0;

	for (struct thread *t = threads; t < threads + n_threads; t++)
		for (struct op *op = t->ops; op < t->ops + t->n_ops; op++) {
			if (!covers(op, sector) || (!op->write && (op->view != view || op->failed)))
				continue;
			ev[n] = event_of(t, op, sector);
			if (op->write || (view != PEEK && ev[n].value != TORN))
				n++;
			else
				odd[n_odd++] = ev[n];
		}
	for (size_t i = 0; i < n_odd && !failure; i++) {
		if (odd[i].value != TORN)
			judge_peek(&odd[i], sector);
		else if (view != PEEK || !torn)
			judge_torn(&odd[i], ev, n, sector);
	}
	bad = lin_judge(ev, failure ? 0 : n);
	if (bad.why)
		report(sector, bad);
}

static void judge_all(void)
{
	struct lin_event *ev, *odd;
	size_t n = 1;

	for (int i = 0; i < n_threads; i++)
		n += threads[i].n_ops;
	ev = get(n * sizeof(*ev));
	odd = get(n * sizeof(*odd));
	for (uint64_t s = 0; s < sectors && !failure; s++)
		for (int view = DIRECT; view < VIEWS && !failure; view++)
			if (view == DIRECT || (view == BUFFERED && cached) || (view == PEEK && peeks))
				judge(s, view, ev, odd);
	free(ev);
	free(odd);
}

#endif
