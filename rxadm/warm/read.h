/* SPDX-License-Identifier: GPL-2.0-only */
/* The reads of a load, of which several may be in flight. */
#ifndef RXADM_WARMREAD_H
#define RXADM_WARMREAD_H

#include <stdbool.h>
#include <stdint.h>

#define READ_BYTES_MAX	(512 << 10)
#define READS_MAX	16		/* in flight */

struct warm_reads;

struct warm_reads *reads_new(int fd);
void reads_put(struct warm_reads *r, uint64_t begin, uint64_t end, unsigned int depth);
uint64_t reads_wait(struct warm_reads *r);
unsigned int reads_failed(struct warm_reads *r);
bool reads_useless(struct warm_reads *r);
void reads_free(struct warm_reads *r);

#endif
