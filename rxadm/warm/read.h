/* SPDX-License-Identifier: GPL-2.0-only */
/* The reads of a load, of which several may be in flight. */
#ifndef RXADM_WARMREAD_H
#define RXADM_WARMREAD_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/aio_abi.h>

#define READ_BYTES_MAX	(512 << 10)
#define READS_MAX	16		/* in flight */

struct warm_reads {
	unsigned int failed;
	bool gone;			/* the device is, or so many reads have failed that it may be */

	int fd;
	aio_context_t aio;		/* 0: the kernel makes no reads for us */
	struct iocb reads[READS_MAX];	/* with a length: in flight */
	unsigned int busy;		/* reads in flight */
	unsigned int failed_in_a_row;
	uint64_t bytes;			/* that were read since the last reads_wait() */
	char *data;			/* where all of them are read to; nobody looks at it */
};

void reads_init(struct warm_reads *r, int fd);
void reads_put(struct warm_reads *r, uint64_t begin, uint64_t end, unsigned int depth);
uint64_t reads_wait(struct warm_reads *r);
void reads_free(struct warm_reads *r);

#endif
