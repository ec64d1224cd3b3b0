// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.17: workqueues must say that they are per CPU. */
#include <linux/workqueue.h>

struct workqueue_struct *rx_probe(void);
struct workqueue_struct *rx_probe(void)
{
	return alloc_workqueue("probe", WQ_PERCPU, 0);
}
