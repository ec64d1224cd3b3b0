// SPDX-License-Identifier: GPL-2.0-only
/* Caches: their list and their names. */
#include <linux/kstrtox.h>
#include <linux/string.h>
#include "cache.h"

DEFINE_MUTEX(rxc_mutex);
LIST_HEAD(rxc_caches);			/* sorted by number */
unsigned int rxc_generation = 1;
struct workqueue_struct *rxc_life_wq;
static u64 last_id;			/* rxc_mutex */

enum { RXC_NUMBER_MAX = RXCACHE_NUMBER_MAX };

struct rxc_cache *rxc_cache_find(const char *name)
{
	struct rxc_cache *cache;

	lockdep_assert_held(&rxc_mutex);
	list_for_each_entry(cache, &rxc_caches, node)
		if (!strcmp(cache->name, name))
			return cache;
	return NULL;
}

/* Parses "rxc" and a decimal number without leading zeroes. Returns 0 or -EINVAL. */
static int parse_name(const char *name, unsigned int *number)
{
	if (strncmp(name, "rxc", 3) || name[3] < '0' || name[3] > '9' ||
	    (name[3] == '0' && name[4]) ||
	    kstrtouint(name + 3, 10, number) || *number > RXC_NUMBER_MAX)
		return -EINVAL;
	return 0;
}

/*
 * Gives the cache its number, the lowest free one if @name is NULL, and puts the
 * cache on the list; without @commit it only looks. Returns 0, -EINVAL for a bad name,
 * -EEXIST for a name in use, or -ENOSPC if all numbers are in use.
 */
int rxc_cache_add(struct rxc_cache *cache, const char *name, bool commit)
{
	struct list_head *place = &rxc_caches;
	unsigned int number = 0;
	struct rxc_cache *other;

	lockdep_assert_held(&rxc_mutex);
	if (name && parse_name(name, &number))
		return -EINVAL;
	list_for_each_entry(other, &rxc_caches, node) {
		if (other->number > number) {
			place = &other->node;
			break;
		}
		if (other->number == number) {
			if (name)
				return -EEXIST;
			number++;
		}
	}
	if (number > RXC_NUMBER_MAX)
		return -ENOSPC;
	if (!commit)
		return 0;
	cache->number = number;
	cache->id = ++last_id;
	rxc_generation++;
	snprintf(cache->name, sizeof(cache->name), "rxc%u", number);
	list_add_tail(&cache->node, place);
	return 0;
}
