// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves the list of the blocks that a cache holds from the kernel to a file and back.
 * Only numbers of blocks are kept, and all bytes come from the origin once more. So a
 * list may be old or come from anywhere, and nothing that is read is ever stale.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/rxcache.h>
#include <netlink/attr.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "kernel/derive.h"
#include "kernel/errtext.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/dryrun.h"
#include "run/run.h"
#include "system/dev.h"
#include "warm/blocklist.h"
#include "warm/save.h"
#include "warm/state.h"

struct part {
	const char *verb;
	const struct rx_cache *cache;
	struct warm_list *list;
};

static void take_part(void *arg, const struct nlattr *nla)
{
	const struct part *part = arg;
	uint64_t value;
	int i;

	if (nla_type(nla) != RXCACHE_A_CACHE_BLOCKS)
		return;
	for (i = 0; i + (int)sizeof(value) <= nla_len(nla); i += sizeof(value)) {
		memcpy(&value, (char *)nla_data(nla) + i, sizeof(value));
		warm_add(part->list, value);
	}
	progress_show(part->verb, part->cache->name,
		      ratio_of(part->list->n * part->cache->block, part->cache->cached), NULL);
}

/* Adds the blocks that the cache holds, in the order in which they come. */
static int list_cached(const char *verb, const struct rx_cache *cache,
		       struct warm_list *list)
{
	struct part part = { verb, cache, list };
	struct rx_err err;
	int ret = nl_read(RX_CACHE, RXCACHE_CMD_CACHE_BLOCKS, cache->name, cache->id, take_part,
			  &part, &err);

	if (ret < 0)
		return err_report(verb, cache->name, &err);
	if (ret)
		say(verb, cache->name, ret == NL_INTERRUPTED ?
		    "interrupted; the list from before stays, if there is one" :
		    "was unmapped and mapped anew meanwhile; try again");
	return ret ? RX_KERNEL : RX_OK;
}

static int show_request(const struct rx_cache *cache)
{
	struct rx_req req;
	int ret;

	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_BLOCKS, cache->name);
	ret = req_show(&req, true);
	req_free(&req);
	return ret;
}

/*
 * Reads the list that was saved for CACHE's origin. Returns 0, or an errno with its words in
 * *WRONG.
 */
static int find_list(const struct rx_cache *cache, struct warm_list *list,
		     char **path, const char **wrong)
{
	char *identity = identity_of(cache->origin);
	int err;

	*path = warm_file(identity);
	err = warm_read(sys_path("%s", *path), warm_len_max(cache->origin_size), list, wrong);
	if (!err && strcmp(list->identity, identity)) {
		*wrong = "is of another origin";
		err = EBADMSG;
	} else if (!err && list->origin_size > cache->origin_size) {
		*wrong = "is of an origin that was larger";
		err = EBADMSG;
	} else if (err && err != EBADMSG) {
		*wrong = strerror(err);
	}
	/* An origin that has grown since still has all blocks of the list. */
	if (err)
		warm_free(list);
	else
		list->origin_size = cache->origin_size;
	free(identity);
	return err;
}

/*
 * Drops the blocks of a sorted list that are beyond CACHE's origin, which may have grown
 * after its size was asked for. A file with these blocks would be refused as a whole.
 */
static void cut(const struct rx_cache *cache, struct warm_list *list)
{
	while (list->n && warm_number(list->block[list->n - 1]) * list->block_size >=
			  cache->origin_size)
		list->n--;
}

/*
 * Adds what the previous list has besides. A previous list that can't be read now may be
 * readable at the next start, so it is not replaced.
 */
static int carry(const char *verb, const struct rx_cache *cache, struct warm_list *list)
{
	struct warm_list before;
	const char *wrong;
	struct rx_warm warm;
	char *path;
	int err = find_list(cache, &before, &path, &wrong), ret = RX_OK;

	if (!err) {
		warm_state_get(cache->name, cache->id, &warm);
		warm_convert(&before, cache->block);
		warm_carry(list, &before, warm.next, model_most(cache) / cache->block);
	} else if (err != ENOENT && err != EBADMSG) {
		say(verb, cache->name, "%s can't be read: %s; nothing was saved, remove the file if it stays so",
		    path, wrong);
		ret = RX_DATA;
	}
	warm_free(&before);
	free(path);
	return ret;
}

static int write_list(const char *verb, const struct rx_cache *cache,
		      struct warm_list *list)
{
	char *path, text[32];
	unsigned char *file;
	size_t len;
	int err;

	list->identity = identity_of(cache->origin);
	list->origin_size = cache->origin_size;
	list->saved = time(NULL);
	file = warm_encode(list, &len);
	path = warm_file(list->identity);
	err = warm_make_dir();
	if (!err)
		err = sys_replace(sys_path("%s", path), sys_path("%s.new", path), 0600, file, len);
	if (err)
		say(verb, cache->name, "%s: %s; the list from before stays, if there is one",
		    path, strerror(err));
	else if (!rx.quiet && !rx.json)
		printf("%s: %zu blocks of %s listed in %s, %s\n", cache->name, list->n,
		       shown(*cache->origin_path ? cache->origin_path : cache->origin), shown(path),
		       size_print(len, text, sizeof(text)));
	free(path);
	free(file);
	return err ? RX_DATA : RX_OK;
}

/* Saves the list of what CACHE holds in the file of its origin. RX_DATA: it is the file that failed. */
int warm_save(const char *verb, const struct rx_cache *cache)
{
	struct warm_list list = { .block_size = cache->block };
	int ret;

	if (rx.dry_run)
		return show_request(cache);
	ret = list_cached(verb, cache, &list);
	progress_end();
	if (!ret) {
		warm_sort(&list);
		cut(cache, &list);
		ret = carry(verb, cache, &list);
		if (!ret && list.n)
			ret = write_list(verb, cache, &list);
		else if (!ret)
			say_hint(verb, cache->name, "holds no blocks; the list from before stays, if there is one");
	}
	warm_free(&list);
	return ret;
}

/*
 * Finds the list of CACHE's origin. If there is none that can be used, says why the cache
 * starts cold, or that this user may not read it, and returns false.
 */
bool warm_saved(const char *verb, const struct rx_cache *cache, struct warm_list *list)
{
	const char *wrong = NULL;
	char *path;
	int err = find_list(cache, list, &path, &wrong);

	if (err == ENOENT)
		say_hint(verb, cache->name, "starts cold: no list of its origin was saved so far (%s)",
		    path);
	else if (err == EACCES)
		say(verb, cache->name, "%s is for root alone; run it as root", path);
	else if (err)
		say(verb, cache->name, "starts cold: %s %s%s", path,
		    err == EBADMSG ? "" : "can't be read: ", wrong);
	free(path);
	return !err;
}
