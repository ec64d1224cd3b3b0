/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_KERNEL_DERIVE_H
#define RXADM_KERNEL_DERIVE_H

#include <stdint.h>

struct rx_cache;

uint64_t model_most(const struct rx_cache *cache);
void model_derive(struct rx_cache *cache);

#endif
