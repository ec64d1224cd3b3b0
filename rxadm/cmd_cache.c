// SPDX-License-Identifier: GPL-2.0-only
/* unmap and set. */
#define _GNU_SOURCE
#include <string.h>

#include <linux/rxcache.h>

#include "cache.h"
#include "name.h"
#include "run.h"
#include "say.h"
#include "verbs.h"

static int unmap(const struct rx_args *args, const char *name,
		 struct rx_list *done)
{
	return cache_unmap(name, args_wait(args), done);
}

int cmd_unmap(const struct rx_verb *verb, const struct rx_args *args)
{
	(void)verb;
	return run_each(args, RX_CACHE, unmap);
}

int cmd_set(const struct rx_verb *verb, const struct rx_args *args)
{
	const char *allocate = args_text(args, "write-allocate");
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = verb->name, .object = name };
	struct rx_cache cache;
	struct rx_req req;
	int ret;

	if (!object_is(verb->name, args->objects[0], RX_CACHE, name))
		return RX_USAGE;
	if (!args_has(args, "mode") && !allocate && !args_has(args, "floor"))
		return usage_error("set %s: nothing to set; say --mode, --write-allocate or --floor",
				   name);
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_SET, name);
	req_num(&req, RXCACHE_A_CACHE_MODE, args_num(args, "mode", RX_NONE));
	if (allocate)
		req_num(&req, RXCACHE_A_CACHE_WRITE_ALLOCATE,
			!strcmp(allocate, "yes"));
	req_num(&req, RXCACHE_A_CACHE_FLOOR, args_num(args, "floor", RX_NONE));
	ret = request_run(&req, &cache, &run);
	return ret || rx.dry_run ? ret : run_done(RX_CACHE, &cache);
}
