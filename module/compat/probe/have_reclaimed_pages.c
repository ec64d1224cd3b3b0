// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.4: a function tells reclaim how many pages were freed for it. */
#include <linux/sched.h>
#include <linux/swap.h>

void rx_probe(void);
void rx_probe(void)
{
	mm_account_reclaimed_pages(1);
}
