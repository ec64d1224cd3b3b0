// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options that give a cache the shares of its line. The min shares of the caches on a
 * disk are never over 100 % of it, so up first lowers what is to be lowered, in all of these
 * caches, and then changes the size and the other shares.
 */
#include "base/strv.h"
#include "base/units.h"
#include "kernel/object.h"
#include "table/table.h"
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

static void set(struct share *share, const struct tab_line *line, const struct rx_cache *cache)
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

static void set_both(struct share shares[2], const struct tab_line *line,
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
	set(&shares[0], line, cache);
	set(&shares[1], line, cache);
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

static unsigned int put(const struct share *share, struct rx_strv *words)
{
	strv_add(words, share->option);
	strv_add(words, share->text);
	return 1U << share->key;
}

/*
 * Adds the options for the shares that are not as in the line, but for those in SENT.
 * Returns their keys as bits.
 */
unsigned int shares_put(const struct tab_line *line, const struct rx_cache *cache,
			unsigned int sent, struct rx_strv *words)
{
	struct share shares[2];
	unsigned int keys = 0;
	int i;

	set_both(shares, line, cache);
	for (i = 0; i < 2; i++)
		if (!(sent & 1U << shares[i].key) && differs(&shares[i], line, cache))
			keys |= put(&shares[i], words);
	return keys;
}

/*
 * Adds the option that lowers the min share, if the line wants less than the cache has now,
 * and a max share that falls with it: one below the min share would be refused.
 */
unsigned int shares_put_lower(const struct tab_line *line, const struct rx_cache *cache,
			      struct rx_strv *words)
{
	struct share shares[2], *min = &shares[0], *max = &shares[1];
	unsigned int keys;

	set_both(shares, line, cache);
	if (min->bytes == RX_NONE || !differs(min, line, cache) || min->want > min->bytes)
		return 0;
	keys = put(min, words);
	if (differs(max, line, cache) && max->want < max->bytes && max->want >= min->want)
		keys |= put(max, words);
	return keys;
}
