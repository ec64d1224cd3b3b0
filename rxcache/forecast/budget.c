// SPDX-License-Identifier: GPL-2.0-only
/* The budget of read-ahead: a bound on what is read in vain. See budget.h. */
#include <linux/math64.h>
#include <linux/minmax.h>
#include "forecast/budget.h"
#include "forecast/odds.h"

enum {
	/* The bound of an account is 1/PART of the cache, between LEAST and MOST blocks. */
	PART	= 16,
	LEAST	= 64,
	MOST	= 1 << 15,
};

static s64 budget_most(u64 blocks)
{
	return min(max_t(u64, blocks / PART, LEAST), (u64)MOST) * RXC_CREDIT;
}

void rxc_budget_init(struct rxc_budget *budget, u64 blocks)
{
	s64 most = budget_most(blocks);

	*budget = (struct rxc_budget){ .most = most, .bytes = most, .share = most };
}

void rxc_budget_bound(struct rxc_budget *budget, u64 blocks)
{
	budget->most = budget_most(blocks);
	budget->bytes = min(budget->bytes, budget->most);
	budget->share = min(budget->share, budget->most);
}

void rxc_budget_read(struct rxc_budget *budget, u64 blocks, u64 issued, u64 used)
{
	s64 sent = issued - budget->issued, came = used - budget->used, reads = blocks;
	s64 cost = (sent - came) * RXC_CREDIT;

	budget->issued = issued;
	budget->used = used;
	budget->bytes = min(budget->bytes - cost + reads * RXC_CREDIT_BYTES, budget->most);
	budget->share = min(budget->share - cost + reads * RXC_CREDIT_TRIFLE +
			    came * RXC_CREDIT_SHARE, budget->most);
}

/* Several tasks at once may overdraw an account a little, which delays the next read-ahead. */
static u64 budget_left(const struct rxc_budget *budget)
{
	s64 left = min(budget->bytes, budget->share);

	return left > 0 ? left : 0;
}

u64 rxc_budget_room(const struct rxc_budget *budget)
{
	return div_u64(budget_left(budget), RXC_CREDIT);
}

int rxc_budget_bar(const struct rxc_budget *budget)
{
	return RXC_ODDS_SURE - (int)div64_u64(budget_left(budget) * RXC_ODDS_SURE, budget->most);
}
