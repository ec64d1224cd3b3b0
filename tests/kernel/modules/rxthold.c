// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a reference to the device of a block device that is closed, as whoever
 * looks at it in sysfs at the wrong moment does, until the module is unloaded. With
 * busy=1, which may also be set later, it holds the disk's open_mutex, too, as a task does
 * that has the partition table read while the page cache is full of dirty pages.
 */
#include <linux/blkdev.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include "compat.h"
#include "compat_claim.h"

static char *dev;
module_param(dev, charp, 0);
MODULE_PARM_DESC(dev, "path of the block device");

static bool busy;
module_param(busy, bool, 0644);
MODULE_PARM_DESC(busy, "hold open_mutex, too");

static bool locked;
module_param(locked, bool, 0444);
MODULE_PARM_DESC(locked, "tells that open_mutex is held");

static struct device *held;
static struct task_struct *holder;

/*
 * The task that locks a mutex unlocks it. The file of the look at the disk is closed when
 * modprobe returns to user space, and that takes open_mutex.
 */
static int hold(void *arg)
{
	struct gendisk *disk = arg;

	while ((disk_openers(disk) || !READ_ONCE(busy)) && !kthread_should_stop())
		schedule_timeout_interruptible(1);
	mutex_lock(&disk->open_mutex);
	WRITE_ONCE(locked, true);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 100);
	mutex_unlock(&disk->open_mutex);
	return 0;
}

static int __init rxthold_init(void)
{
	struct rx_claim claim = {};
	dev_t number;
	int err;

	err = lookup_bdev(dev, &number);
	if (!err)
		err = rx_claim_open(&claim, number, true);
	if (err)
		return err;
	held = get_device(disk_to_dev(claim.bdev->bd_disk));
	rx_claim_close(&claim);
	holder = kthread_run(hold, dev_to_disk(held), "rxthold");
	if (IS_ERR(holder)) {
		put_device(held);
		return PTR_ERR(holder);
	}
	return 0;
}

static void __exit rxthold_exit(void)
{
	kthread_stop(holder);
	put_device(held);
}

module_init(rxthold_init);
module_exit(rxthold_exit);
MODULE_DESCRIPTION("rxdsk test: a reference to a disk that has gone");
MODULE_LICENSE("GPL");
