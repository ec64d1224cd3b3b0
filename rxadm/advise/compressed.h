/* SPDX-License-Identifier: GPL-2.0-only */
/* What compression would do to the hit ratio. */
#ifndef RXADM_ADVICE_COMPRESSED_H
#define RXADM_ADVICE_COMPRESSED_H

#include <stdbool.h>

struct rx_advice;
struct rx_cache;

/* How many times as many blocks fit into the same memory, if all together shrink @ratio times. */
double compressed_times(double ratio);

/* Tells whether it is worth asking the kernel what compression would save. */
bool compressed_asks(const struct rx_advice *a);

/* Adds to the advice what follows from the reply to cache-weigh. */
void compressed_judge(struct rx_advice *a, const struct rx_cache *weighed);

#endif
