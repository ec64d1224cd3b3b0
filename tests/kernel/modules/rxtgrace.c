// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets no grace period of RCU end from the time that it is loaded until its parameter "hold" is cleared, or for 30 seconds: a
 * thread of the last processor stays in a read-side section.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>

static bool hold = true;
module_param(hold, bool, 0644);
MODULE_PARM_DESC(hold, "whether grace periods are held up");

static struct task_struct *thread;

static int stay(void *unused)
{
	unsigned long end = jiffies + 30 * HZ;

	rcu_read_lock();
	while (READ_ONCE(hold) && time_before(jiffies, end))
		cpu_relax();
	rcu_read_unlock();
	WRITE_ONCE(hold, false);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int __init rxtgrace_init(void)
{
	thread = kthread_create(stay, NULL, "rxtgrace");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpumask_last(cpu_online_mask));
	wake_up_process(thread);
	return 0;
}

static void __exit rxtgrace_exit(void)
{
	WRITE_ONCE(hold, false);
	kthread_stop(thread);
}

module_init(rxtgrace_init);
module_exit(rxtgrace_exit);

MODULE_DESCRIPTION("Holds up grace periods, for tests");
MODULE_LICENSE("GPL");
