// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.7: processors keep many freed pages, unless their zone is short of memory. */
#include <linux/mmzone.h>

int rx_probe(void);
int rx_probe(void)
{
	return ZONE_BELOW_HIGH;
}
