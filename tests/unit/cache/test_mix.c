// SPDX-License-Identifier: GPL-2.0-only
/* Mixes of traces: their order, and the hits in shared and in divided memory. */
#include "rx_test.h"
#include "mix.h"
#include "policies.h"

/* Reads of one block for each letter of the words; each word is a trace. */
static struct mix mix_of(const char *text)
{
	static struct trace_req req[1024];
	struct trace_req *at = req;
	struct mix mix = { .nr = 1, .trace[0].req = at };
	struct trace *trace = mix.trace;
	unsigned int seen = 0;

	for (; *text; text++) {
		if (*text == ' ') {
			trace = &mix.trace[mix.nr++];
			*trace = (struct trace) { .req = at };
			seen = 0;
			continue;
		}
		*at++ = (struct trace_req) { .block = *text - 'a', .blocks = 1 };
		trace->nr++;
		trace->distinct += !(seen >> (*text - 'a') & 1);
		seen |= 1U << (*text - 'a');
	}
	return mix;
}

/* The numbers of the traces, in the order of their requests. */
static const char *order_of(const struct mix *mix)
{
	static char order[64];
	size_t next[MIX_MAX] = { 0 };
	unsigned int i, nr = 0;

	while ((i = mix_next(mix, next)) < mix->nr) {
		order[nr++] = '0' + i;
		next[i]++;
	}
	order[nr] = '\0';
	return order;
}

static void test_order(void)
{
	uint64_t early[] = { 0, 10, 20, 30 }, late[] = { 20, 21 };
	struct mix mix = mix_of("abcd ab");

	check_str(order_of(&mix), "010010", "a trace is spread evenly over the other");
	mix = mix_of("abcd ab abcd");
	check_str(order_of(&mix), "0210202102", "or over several");
	mix = mix_of("abcd ab");
	mix.trace[0].time = early;
	check_str(order_of(&mix), "010010", "the times of one trace alone say nothing");
	mix.trace[1].time = late;
	check_str(order_of(&mix), "000110", "those of all traces do");
	check(mix_distinct(&mix) == 6, "blocks of each trace are its own");
}

static bool share(const char *text, uint64_t blocks, struct mix_result *r)
{
	struct mix mix = mix_of(text);

	return mix_share(&mix, &rxc_policy_fifo, SIM_UPDATE, blocks, r);
}

static void test_share(void)
{
	struct mix_result r;

	check(share("abab abab", 64, &r) && r.of[0].hits == 2 && r.of[1].hits == 2 &&
	      r.all.hits == 4 && r.all.reads == 8,
	      "blocks of the same number in two traces are two");
	check(share("abab abab", 3, &r) && !r.all.hits && r.all.capacity == 3,
	      "they share the memory");
	check(r.all.evicted == 5 && r.all.held == 3 &&
	      r.of[0].held + r.of[1].held == 3, "which is full");
	check(share("a b", 1, &r) && r.of[0].held == 0 && r.of[1].held == 1 &&
	      r.of[0].evicted == 1 && r.of[1].evicted == 0,
	      "a trace can lose a block to another");
	check(share("aaaa bcde", 64, &r) && r.of[0].capacity == 1 &&
	      r.of[1].capacity == 2, "what a trace has on the average is told");
}

static bool best(const char *text, uint64_t blocks, struct mix_result *r)
{
	struct mix mix = mix_of(text);

	return mix_best(&mix, &rxc_policy_fifo, SIM_UPDATE, blocks, r);
}

static void test_divide(void)
{
	struct mix mix = mix_of("abcabcabc abcdefghi aaaaaa");
	struct mix_result r;

	check(mix_equal(&mix, &rxc_policy_fifo, SIM_UPDATE, 6, &r) &&
	      r.of[0].hits == 0 && r.of[2].hits == 5 && r.all.hits == 5 &&
	      r.of[1].capacity == 2, "equal parts");
	check(best("abcabcabc abcdefghi aaaaaa", 4, &r) && r.of[0].hits == 6 &&
	      r.of[2].hits == 5 && r.all.hits == 11, "parts where they give hits");
	check(r.of[0].capacity == 3 && r.of[1].capacity == 0 &&
	      r.of[2].capacity == 1 && r.of[1].reads == 9,
	      "a trace without hits gets nothing");
	check(best("ababab abcabcabc", 3, &r) && r.of[0].capacity == 0 &&
	      r.of[1].capacity == 3 && r.all.hits == 6,
	      "the division with the most hits, not the first that has some");
}

/*
 * Traces that go forth and back over 33 and 29 blocks. All fit into 64, but not if each
 * has a multiple of a sixteenth, which is 4.
 */
static void test_fine(void)
{
	static struct trace_req req[2][4 * 33];
	struct mix mix = { .nr = 2 };
	struct mix_result r;
	unsigned int i, j, n;

	for (i = 0; i < 2; i++) {
		n = i ? 29 : 33;
		mix.trace[i] = (struct trace) {
			.req = req[i], .nr = 4 * n, .distinct = n,
		};
		for (j = 0; j < 4 * n; j++)
			req[i][j] = (struct trace_req) {
				.block = j / n % 2 ? n - 1 - j % n : j % n,
				.blocks = 1,
			};
	}
	check(mix_best(&mix, &rxc_policy_lru, SIM_UPDATE, 64, &r) &&
	      r.of[0].capacity >= 33 && r.of[1].capacity >= 29 &&
	      r.all.hits == 3 * 62, "parts smaller than sixteenths");
}

int main(void)
{
	test_order();
	test_share();
	test_divide();
	test_fine();
	return done();
}
