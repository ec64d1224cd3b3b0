// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.2, and late versions of 6.1: del_timer_sync() is named timer_delete_sync(). */
#include <linux/timer.h>

int rx_probe(struct timer_list *timer);
int rx_probe(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}
