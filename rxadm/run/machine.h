/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_RUN_MACHINE_H
#define RXADM_RUN_MACHINE_H

#include <stdint.h>

struct rx_plan;
struct rx_strv;

/*
 * What this machine has no room for, and, in DOUBT, what it can't fill. A floor of all
 * memory is wrong or in DOUBT, like one above the size.
 */
void preflight_machine(const struct rx_plan *plan, struct rx_strv *wrong,
		       struct rx_strv *doubt);
/* The bytes of a cache block of PLAN, with the kernel's default. */
uint64_t machine_block(const struct rx_plan *plan);

#endif
