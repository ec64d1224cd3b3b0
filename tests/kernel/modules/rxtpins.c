// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxtpins.ko: rxcache's pinned ranges (pinned_ranges.c) in a kernel. The module loads if they are
 * right: against a model with a byte for each key, for readers meanwhile, also in
 * interrupts, and at a cost that does not grow with the number of ranges. Elsewhere a
 * stand-in for the kernel's maple tree is tested (tests/unit/cache/test_pins.c).
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/smp.h>
#include "../../../rxcache/blocks/pinned_ranges.c"
#include "blocks/policy.h"

enum { REST_NS = 50000 };
/* A kernel that checks each access takes a hundred times as long for one. */
enum { CHECKED = IS_ENABLED(CONFIG_KASAN) || IS_ENABLED(CONFIG_KCSAN) ? 16 : 1 };
enum { KEYS = 512, ROUNDS = 20000 / CHECKED, RANGES = 65536, CHUNKS = 16, FLIPS = 20000 / CHECKED };

static u32 below(u32 n)
{
	return get_random_u32() % n;
}

/* @way has one set, and its bits are asked for one key after the other. */
static bool has(struct rxc_pinned *way, u64 key)
{
	bool pinned;

	rxc_pinned_settle(way, 0, 0, key);
	pinned = rxc_pinned_ways(way, 0);
	rxc_pinned_leave(way, 0, 0, key);
	return pinned;
}

/* The keys of two caches meet in the middle, and their ranges are not joined there. */
static u64 key_of(unsigned int i)
{
	return i < KEYS / 2 ? rxc_key(3, RXC_BLOCK_LAST - (KEYS / 2 - 1) + i) :
			      rxc_key(4, i - KEYS / 2);
}

static bool same(struct rxc_pins *pins, struct rxc_pinned *way, const u8 *model)
{
	unsigned int i, n[2] = { 0, 0 };

	for (i = 0; i < KEYS; i++) {
		if (has(way, key_of(i)) != model[i])
			return false;
		n[i / (KEYS / 2)] += model[i];
	}
	return rxc_pins_blocks(pins) == n[0] + n[1] && rxc_pins_blocks_of(pins, 3) == n[0] &&
	       rxc_pins_blocks_of(pins, 4) == n[1];
}

static int test_model(struct rxc_pins *pins, struct rxc_pinned *way, u8 *model)
{
	unsigned int round, half, first, last;
	u8 pin;
	int err;

	for (round = 0; round < ROUNDS; round++) {
		half = below(2) * (KEYS / 2);
		first = below(KEYS / 2);
		last = min_t(u32, first + below(round % 8 ? 16 : 256), KEYS / 2 - 1);
		pin = below(2);
		err = pin ? rxc_pins_add(pins, key_of(half + first),
					 key_of(half + last), KEYS) :
			    rxc_pins_remove(pins, key_of(half + first),
					    key_of(half + last));
		memset(model + half + first, pin, last - first + 1);
		if (err || !same(pins, way, model)) {
			pr_err("rxtpins: wrong in round %u: %d\n", round, err);
			return -EILSEQ;
		}
		cond_resched();
	}
	err = rxc_pins_remove(pins, key_of(0), key_of(KEYS / 2 - 1)) ?:
	      rxc_pins_remove(pins, key_of(KEYS / 2), key_of(KEYS - 1));
	return err ?: rxc_pins_blocks(pins) ? -EILSEQ : 0;
}

static unsigned long lost;

/* The key in the middle is pinned all the time, whatever its range is. */
static void reader_has(struct rxc_pinned *way)
{
	if (!has(way, 1000))
		WRITE_ONCE(lost, lost + 1);
}

static int reader(void *arg)
{
	while (!kthread_should_stop()) {
		reader_has(arg);
		cond_resched();
	}
	return 0;
}

static int test_reader(struct rxc_pins *pins, struct rxc_pinned *way)
{
	struct task_struct *task;
	unsigned int i;
	int err = rxc_pins_add(pins, 1000, 1000, U64_MAX);

	/* Others around it, so that the tree has several levels. */
	for (i = 0; i < 2000 && !err; i += 4)
		err = rxc_pins_add(pins, i, i, U64_MAX);
	task = kthread_run(reader, way, "rxtpins");
	if (IS_ERR(task))
		return PTR_ERR(task);
	for (i = 0; i < FLIPS && !err; i++) {
		u64 from = 999 - below(40), to = 1001 + below(40);

		err = rxc_pins_add(pins, from, to, U64_MAX) ?:
		      rxc_pins_remove(pins, from, 999) ?:
		      rxc_pins_remove(pins, 1001, to);
		cond_resched();
	}
	kthread_stop(task);
	if (lost)
		pr_err("rxtpins: a reader missed a pinned key %lu times\n", lost);
	return err ?: lost ? -EILSEQ : rxc_pins_remove(pins, 0, 2000);
}

static unsigned int writer_cpu;
static unsigned long asked;

static void ask(void *way)
{
	reader_has(way);
	asked++;
}

/* Interrupts the processor of the writer again and again with a look-up. */
static int interrupter(void *arg)
{
	while (!kthread_should_stop()) {
		smp_call_function_single(READ_ONCE(writer_cpu), ask, arg, 1);
		cond_resched();
	}
	return 0;
}

/*
 * A look-up that interrupts a change ends, and misses no pinned key. A range is split and
 * joined in the middle of many, so that whole nodes are replaced.
 */
static int test_interrupts(struct rxc_pins *pins, struct rxc_pinned *way)
{
	struct task_struct *task;
	unsigned int i;
	int err = 0;

	for (i = 0; i < 2000 && !err; i += 2)
		err = rxc_pins_add(pins, i, i, U64_MAX);
	task = kthread_run(interrupter, way, "rxtpins");
	if (IS_ERR(task))
		return PTR_ERR(task);
	for (i = 0; i < FLIPS && !err; i++) {
		u64 key = 1001 + 2 * below(20);

		WRITE_ONCE(writer_cpu, raw_smp_processor_id());
		err = rxc_pins_add(pins, key, key, U64_MAX) ?:
		      rxc_pins_remove(pins, key, key);
		cond_resched();
	}
	kthread_stop(task);
	pr_info("rxtpins: %lu look-ups of interrupts\n", asked);
	if (lost || !asked)
		pr_err("rxtpins: of %lu look-ups, %lu missed a pinned key\n", asked, lost);
	return err ?: lost || !asked ? -EILSEQ : rxc_pins_remove(pins, 0, 2000);
}

/*
 * The quickest part of the second half takes no longer than two of the first, but for the
 * nodes that are freed only then. A copy of all ranges would take ten times that.
 */
static int test_cost(struct rxc_pins *pins)
{
	u64 begin, took, quickest[2] = { U64_MAX, U64_MAX };
	unsigned int chunk, i, key = 0;
	int err;

	for (chunk = 0; chunk < CHUNKS; chunk++) {
		begin = ktime_get_ns();
		for (i = 0; i < RANGES / CHUNKS; i++, key += 2) {
			err = rxc_pins_add(pins, key, key, U64_MAX);
			if (err)
				return err;
			cond_resched();
		}
		took = ktime_get_ns() - begin;
		quickest[chunk / (CHUNKS / 2)] =
			min(quickest[chunk / (CHUNKS / 2)], took);
	}
	pr_info("rxtpins: %u ranges: %llu us, then %llu us for %u more\n", RANGES,
		quickest[0] / 1000, quickest[1] / 1000, RANGES / CHUNKS);
	if (rxc_pins_add(pins, key, key, U64_MAX) != -EOVERFLOW ||
	    rxc_pins_remove(pins, 0, 0) || rxc_pins_add(pins, key, key, U64_MAX))
		return -EILSEQ;
	return quickest[1] > 2 * quickest[0] + RANGES / CHUNKS * REST_NS ? -ETIME : 0;
}

static int __init pins_init(void)
{
	struct rxc_pins *pins = rxc_pins_new();
	struct rxc_pinned *way = pins ? rxc_pinned_new(pins, 1, RXC_WAYS_MAX) : NULL;
	u8 *model = kzalloc(KEYS, GFP_KERNEL);
	int err = way && model ? 0 : -ENOMEM;

	err = err ?: test_model(pins, way, model);
	err = err ?: test_reader(pins, way);
	err = err ?: test_interrupts(pins, way);
	err = err ?: test_cost(pins);
	if (err)
		pr_err("rxtpins: failed with %d\n", err);
	rxc_pinned_free(way);
	rxc_pins_free(pins);
	kfree(model);
	return err;
}

static void __exit pins_exit(void)
{
}

module_init(pins_init);
module_exit(pins_exit);

MODULE_DESCRIPTION("Tests of rxcache's pinned ranges");
MODULE_LICENSE("GPL");
