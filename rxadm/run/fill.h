/* SPDX-License-Identifier: GPL-2.0-only */
/* The waits for a disk to grow, and for the memory of a preallocated disk. */
#ifndef RXADM_FILL_H
#define RXADM_FILL_H

#include <stdint.h>

struct rx_disk;
struct rx_run;

int fill_failed(const char *verb, const char *object,
		const struct rx_disk *disk);
int disk_fill(const struct rx_run *run, struct rx_disk *disk, uint64_t size,
	      long wait_ms);

#endif
