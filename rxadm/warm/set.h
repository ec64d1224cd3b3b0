/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of blocks, by their numbers. */
#ifndef RXADM_WARMSET_H
#define RXADM_WARMSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct warm_set {
	uint64_t *slot;		/* the number plus one, or 0 */
	unsigned int bits;	/* there are 1 << bits slots */
	size_t n;
	uint64_t seed;		/* of the hash */
};

bool set_add(struct warm_set *set, uint64_t number);
void set_free(struct warm_set *set);

#endif
