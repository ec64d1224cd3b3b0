// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives a cache the shares of its line. The min shares of the caches on a disk are never
 * over 100 % of it, so up first lowers what is to be lowered, in all of these caches,
 * and then changes the size and the other shares.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "kernel/derive.h"
#include "kernel/nl.h"
#include "table/differs.h"
#include "table/table.h"
#include "up/line.h"
#include "up/shares.h"

/* A share as the line wants it and as the cache has it. A line without it wants NONE. */
struct share {
	enum tab_key key;
	const char *option, *none;
	const char *text;
	uint64_t num;		/* what TEXT says, in percent or bytes */
	uint64_t want;		/* in bytes, of the present size of the cache */
	uint64_t bytes, percent;
};

static void share_fill(struct share *share, const struct tab_line *line,
		       const struct rx_cache *cache)
{
	share->text = line->text[share->key];
	share->num = line->num[share->key];
	if (!share->text) {
		share->text = share->none;
		share->num = share->key == TAB_MAX_SHARE ? 100 : 0;
	}
	/* The kernel rounds down to whole blocks. */
	share->want = part_is_percent(share->text) ?
		cache->size / cache->block * share->num / 100 * cache->block :
		share->num / cache->block * cache->block;
}

static void shares_fill(struct share shares[2], const struct tab_line *line,
			const struct rx_cache *cache)
{
	shares[0] = (struct share) {
		.key = TAB_MIN_SHARE, .option = "--min-share", .none = "0%",
		.bytes = cache->min_share, .percent = cache->min_share_percent,
	};
	shares[1] = (struct share) {
		.key = TAB_MAX_SHARE, .option = "--max-share", .none = "100%",
		.bytes = cache->max_share, .percent = cache->max_share_percent,
	};
	share_fill(&shares[0], line, cache);
	share_fill(&shares[1], line, cache);
}

static bool differs(const struct share *share, const struct tab_line *line,
		    const struct rx_cache *cache)
{
	/* A module that knows no shares sends none. */
	if (share->bytes == RX_NONE && share->percent == RX_NONE)
		return line->text[share->key];
	if (!share->num)
		return or_zero(share->bytes) || or_zero(share->percent);
	if (part_is_percent(share->text))
		return or_zero(share->percent) != share->num;
	/* The kernel shows no more than the cache can hold. */
	return or_zero(share->percent) ||
	       share->bytes != (share->want < cache->size ? share->want : cache->size);
}

static void put(struct tab_job *job, const struct share *share)
{
	job->sent |= 1U << share->key;
	tab_add(job, share->option, share->text, NULL);
}

/* Adds to the job's command the options for the shares that are not as in the line. */
void tab_put_shares(struct tab_job *job, const struct rx_cache *cache)
{
	struct share shares[2], *share;

	shares_fill(shares, job->line, cache);
	for (share = shares; share < shares + ARRAY_SIZE(shares); share++)
		if (!(job->sent & 1U << share->key) && differs(share, job->line, cache))
			put(job, share);
}

/*
 * Lowers the min share of the cache, if the line wants less than the cache has now, and a
 * max share that falls with it. A max share below the min share would be refused.
 */
void tab_lower_shares(struct tab_job *job, const struct rx_cache *cache)
{
	struct share shares[2], *min = &shares[0], *max = &shares[1];

	shares_fill(shares, job->line, cache);
	if (min->bytes == RX_NONE || !differs(min, job->line, cache) ||
	    min->want > min->bytes)
		return;
	tab_add(job, "set", job->line->name, NULL);
	put(job, min);
	if (differs(max, job->line, cache) && max->want < max->bytes &&
	    max->want >= min->want)
		put(job, max);
	tab_step(job, TAB_CHANGED);
}

/*
 * Does this for all caches of the run on the disk of a job. The jobs of caches follow those
 * of disks. A cache that is absent or can't be changed has its own turn, which will tell.
 */
void tab_lower_sharers(struct tab_job *disk)
{
	struct rx_cache cache;
	struct tab_job *job;
	struct rx_err err;
	char *what;

	for (job = disk + 1; job < disk->end; job++) {
		if (job->line->disk != disk->line ||
		    nl_get(RX_CACHE, job->line->name, &cache, &err))
			continue;
		model_derive(&cache);
		if (cache.state != RX_STATE_ACTIVE || cache.status == RX_STATUS_MISMATCH)
			continue;
		what = tab_cache_differs(job->line, &cache);
		if (!what)
			tab_lower_shares(job, &cache);
		free(what);
	}
}
