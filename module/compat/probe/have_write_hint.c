// SPDX-License-Identifier: GPL-2.0-only
/* Linux 6.9: a bio carries the expected lifetime of what it writes. */
#include <linux/bio.h>

void rx_probe(struct bio *bio);
void rx_probe(struct bio *bio)
{
	bio->bi_write_hint = 0;
}
