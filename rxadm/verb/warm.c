// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs save-list and load-list, which save the list of the blocks that a cache holds, and load
 * the cache from its list at its next start.
 */
#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model_gen.h"
#include "kernel/nl.h"
#include "run/dryrun.h"
#include "run/run.h"
#include "system/dev.h"
#include "verb/warm.h"
#include "warm/load.h"
#include "warm/save.h"

static int get_cache(const char *verb, const char *name, struct rx_cache *cache)
{
	struct rx_err err;

	if (nl_get(RX_CACHE, name, cache, &err))
		return err_report(verb, name, &err);
	dev_origin_path(cache);
	if (cache->state == RX_STATE_ACTIVE)
		return RX_OK;
	say(verb, name, "is %s; see: rxadm list",
	    cache->state <= RX_STATE_FAILED ? rx_state_names[cache->state] : "not active");
	return RX_KERNEL;
}

static int save(const struct rx_args *args, const char *name, struct rx_list *done)
{
	const char *verb = args->verb->name;
	struct rx_cache cache;
	int ret = get_cache(verb, name, &cache);

	if (!ret)
		ret = warm_save(verb, &cache);
	if (!ret && !rx.dry_run)
		list_add(done, RX_CACHE, &cache);
	return ret;
}

/* Does the same for a cache that is to keep what is read. */
static int get_keeper(const char *verb, const char *name, struct rx_cache *cache)
{
	int ret = get_cache(verb, name, cache);

	if (ret || warm_keeps(cache))
		return ret;
	say(verb, name, "is %s; run: rxadm set %s %s",
	    cache->frozen == 1 ? "frozen, and keeps nothing new" :
	    "in bypass mode, which keeps nothing",
	    name, cache->frozen == 1 ? "--frozen no" : "--mode through");
	return RX_KERNEL;
}

static int load(const struct rx_args *args, const char *name, struct rx_list *done)
{
	const char *verb = args->verb->name;
	struct rx_cache cache;
	int ret = get_keeper(verb, name, &cache);

	if (ret)
		return ret;
	if (rx.dry_run)
		return req_show_none();
	ret = warm_load(verb, &cache);
	if (!ret)
		list_add(done, RX_CACHE, &cache);
	return ret;
}

int cmd_save_list(const struct rx_args *args)
{
	return verb_each(args, RX_CACHE, save);
}

int cmd_load_list(const struct rx_args *args)
{
	return verb_each(args, RX_CACHE, load);
}
