// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.13: a timer is prepared with its function. Before, hrtimer_init() lacked it. */
#include <linux/hrtimer.h>

void rx_probe(struct hrtimer *timer, enum hrtimer_restart (*ends)(struct hrtimer *));
void rx_probe(struct hrtimer *timer, enum hrtimer_restart (*ends)(struct hrtimer *))
{
	hrtimer_setup(timer, ends, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
}
