// SPDX-License-Identifier: GPL-2.0-only
/* The policies of rxstudy. */
#include <stddef.h>

#include "policies.h"

const struct rxc_policy *const sim_policies[] = {
	&rxc_policy_rx, &rxc_policy_clock, &rxc_policy_lru, &rxc_policy_fifo,
	NULL
};
