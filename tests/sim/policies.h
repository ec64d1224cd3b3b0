/* SPDX-License-Identifier: GPL-2.0-only */
/* More policies that the module has not. */
#ifndef RXSTUDY_POLICIES_H
#define RXSTUDY_POLICIES_H

#include "sim.h"

extern const struct rxc_policy rxc_policy_lru;
extern const struct rxc_policy rxc_policy_fifo;

#endif
