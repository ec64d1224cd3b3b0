// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds a reference to the device of a block device that is closed, as whoever
 * looks at it in sysfs at the wrong moment does, until the module is unloaded.
 */
#include <linux/blkdev.h>
#include <linux/device.h>
#include <linux/module.h>
#include "compat.h"
#include "compat_claim.h"

static char *dev;
module_param(dev, charp, 0);
MODULE_PARM_DESC(dev, "path of the block device");

static struct device *held;

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
	return 0;
}

static void __exit rxthold_exit(void)
{
	put_device(held);
}

module_init(rxthold_init);
module_exit(rxthold_exit);
MODULE_DESCRIPTION("rxdsk test: a reference to a disk that has gone");
MODULE_LICENSE("GPL");
