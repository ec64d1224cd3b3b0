// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes one mistake of each kind that the debug kernels' detectors are there
 * to find, for tests/vm/selftest: a run without a report means something only
 * if these are reported. Does nothing on a kernel that has no such detector.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

static char *bug = "none";
module_param(bug, charp, 0);
MODULE_PARM_DESC(bug, "which mistake to make");

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);

static void lock_order(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);
	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
}

static DEFINE_SPINLOCK(lock);

static void sleep_in_spinlock(void)
{
	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void use_after_free(void)
{
	int *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return;
	OPTIMIZER_HIDE_VAR(p);
	kfree(p);
	WRITE_ONCE(*p, 1);
}

static void beyond_vmalloc(void)
{
	char *p = vzalloc(100);

	if (!p)
		return;
	OPTIMIZER_HIDE_VAR(p);
	(void)READ_ONCE(p[PAGE_SIZE - 1]);
	vfree(p);
}

static noinline void *leak_one(void)
{
	return kmalloc(200, GFP_KERNEL);
}

/* Many: a stale copy of a pointer hides a leak, on some stack or in the allocator. */
static void leak(void)
{
	int i;

	for (i = 0; i < 1000; i++)
		leak_one();
}

static int too_far;		/* not const, or sparse and the compiler see it */
static int shifted;

static void shift(void)
{
	WRITE_ONCE(too_far, 77);
	shifted = 1 << READ_ONCE(too_far);
}

static void list_twice(void)
{
	LIST_HEAD(head);
	struct list_head node;

	list_add(&node, &head);
	list_add(&node, &head);
}

struct rxtbug_alarm {
	struct timer_list timer;
};

static void rxtbug_rings(struct timer_list *t)
{
}

/* The kernel's own repair of this mistake takes the timer off its list. */
static void free_active_timer(void)
{
	struct rxtbug_alarm *a = kzalloc(sizeof(*a), GFP_KERNEL);

	if (!a)
		return;
	timer_setup(&a->timer, rxtbug_rings, 0);
	mod_timer(&a->timer, jiffies + 600 * HZ);
	kfree(a);
}

static unsigned long counter;

static int rxtbug_count(void *unused)
{
	while (!kthread_should_stop()) {
		counter++;
		cond_resched();
	}
	return 0;
}

static void unlocked_count(void)
{
	struct task_struct *t[2];
	int i;

	for (i = 0; i < 2; i++)
		t[i] = kthread_run(rxtbug_count, NULL, "rxtbug/%d", i);
	ssleep(3);
	for (i = 0; i < 2; i++)
		if (!IS_ERR(t[i]))
			kthread_stop(t[i]);
}

static const struct {
	const char *name;
	bool detectable;
	void (*make)(void);
} bugs[] = {
	{ "lock-order", IS_ENABLED(CONFIG_PROVE_LOCKING), lock_order },
	{ "sleep", IS_ENABLED(CONFIG_DEBUG_ATOMIC_SLEEP), sleep_in_spinlock },
	{ "use-after-free", IS_ENABLED(CONFIG_KASAN), use_after_free },
	{ "vmalloc", IS_ENABLED(CONFIG_KASAN_VMALLOC), beyond_vmalloc },
	{ "leak", IS_ENABLED(CONFIG_DEBUG_KMEMLEAK), leak },
	{ "shift", IS_ENABLED(CONFIG_UBSAN_SHIFT), shift },
	{ "list", IS_ENABLED(CONFIG_DEBUG_LIST), list_twice },
	{ "timer", IS_ENABLED(CONFIG_DEBUG_OBJECTS_TIMERS), free_active_timer },
	{ "race", IS_ENABLED(CONFIG_KCSAN), unlocked_count },
};

static int __init rxtbug_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (strcmp(bugs[i].name, bug))
			continue;
		if (!bugs[i].detectable)
			return -EOPNOTSUPP;
		bugs[i].make();
		return 0;
	}
	return -EINVAL;
}

static void __exit rxtbug_exit(void)
{
}

module_init(rxtbug_init);
module_exit(rxtbug_exit);
MODULE_DESCRIPTION("Mistakes for detectors to find");
MODULE_LICENSE("GPL");
