// SPDX-License-Identifier: GPL-2.0-only
/* Whether compression pays. See pays.h. */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <uapi/linux/rxcache.h>
#include "packed/pays.h"

static void restart(struct rxc_pays *pays, const struct rxc_pay_sums *now, u64 blocks, bool on,
		    u8 verdict)
{
	pays->blocks = blocks;
	pays->on = on;
	pays->verdict = verdict;
	pays->since = *now;
}

/*
 * The time for as many blocks as came. A trial that follows a pause meets more than these at
 * first: all that came meanwhile.
 */
static u64 time_spent(const struct rxc_pay_sums *was, const struct rxc_pay_sums *now)
{
	u64 tried = now->tried - was->tried, spent = now->spent_ns - was->spent_ns;

	return div64_u64(spent, tried) * min(tried, now->taken - was->taken);
}

void rxc_pays_begin(struct rxc_pays *pays)
{
	*pays = (struct rxc_pays){
		.automatic = true,
		.on = true,
		.verdict = RXCACHE_COMPRESS_VERDICT_UNTRIED,
		.judged = RXCACHE_COMPRESS_VERDICT_UNTRIED,
	};
}

/* With few misses there was little to gain, but a processor's time was spent all the same. */
static u8 judge(const struct rxc_pay_sums *was, const struct rxc_pay_sums *now, bool still)
{
	u64 least = still ? RXC_PAYS_STILL_BLOCKS : RXC_PAYS_BLOCKS;
	u64 part = still ? RXC_PAYS_STILL_PART : RXC_PAYS_PART;
	u64 hits = now->hits - was->hits, misses = now->misses - was->misses;
	u64 miss_ns = now->miss_ns - was->miss_ns;

	if ((now->tried_bytes - was->tried_bytes) * 100 <
	    (now->packed_bytes - was->packed_bytes) * least)
		return RXCACHE_COMPRESS_VERDICT_LITTLE_GAIN;
	if (time_spent(was, now) * part > miss_ns)
		return RXCACHE_COMPRESS_VERDICT_PROCESSOR;
	if (hits >= RXC_PAYS_FEW && misses >= RXC_PAYS_FEW &&
	    div64_u64(now->hit_ns - was->hit_ns, hits) * part > div64_u64(miss_ns, misses))
		return RXCACHE_COMPRESS_VERDICT_FAST_ORIGIN;
	return RXCACHE_COMPRESS_VERDICT_PAYS;
}

bool rxc_pays_lap(struct rxc_pays *pays, const struct rxc_pay_sums *now, u64 blocks)
{
	u64 taken = now->taken - pays->since.taken, most;
	u8 judged = pays->judged;

	if (!pays->begun) {
		pays->begun = true;
		pays->blocks = blocks;
		pays->since = *now;
		return false;
	}
	/* Few may be left just now, for memory was short, or all were dropped. */
	if (pays->blocks < blocks)
		pays->blocks = blocks;
	most = pays->blocks;
	if (!pays->on) {
		if (taken >= most * RXC_PAYS_PAUSE)
			restart(pays, now, blocks, true, RXCACHE_COMPRESS_VERDICT_UNTRIED);
		return false;
	}
	if (taken < most / 2 || now->tried - pays->since.tried < RXC_PAYS_FEW)
		return false;
	pays->judged = judge(&pays->since, now, judged == RXCACHE_COMPRESS_VERDICT_PAYS);
	restart(pays, now, blocks, pays->judged == RXCACHE_COMPRESS_VERDICT_PAYS, pays->judged);
	return pays->judged != judged;
}
