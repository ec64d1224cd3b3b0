/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_ADVISE_STEPS_H
#define RXADM_ADVISE_STEPS_H

#include <stddef.h>
#include <stdint.h>

struct rx_advice;
struct rx_strv;

uint64_t advice_size(const struct rx_advice *a, size_t at);
void advice_steps(const struct rx_advice *a, struct rx_strv *steps);

#endif
