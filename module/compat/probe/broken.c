// SPDX-License-Identifier: GPL-2.0-only
/* Guards the probes: must compile on no kernel. */
#include <linux/blkdev.h>

void rx_probe(struct gendisk *disk);
void rx_probe(struct gendisk *disk)
{
	rx_no_such_function(disk);
}
