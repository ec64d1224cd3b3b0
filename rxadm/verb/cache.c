// SPDX-License-Identifier: GPL-2.0-only
/* The verbs unmap, set, drop and verify, which compares what caches hold with their origins. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "args/args.h"
#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "export/nvmet.h"
#include "kernel/await.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/endings.h"
#include "run/preflight.h"
#include "run/run.h"
#include "system/dev.h"
#include "verb/cache.h"
#include "warm/save.h"

/* Saves the list of a cache. If that fails, the cache stays mapped. */
static int save(const char *name)
{
	struct rx_cache cache;
	struct rx_err err;
	int ret;

	if (nl_get(RX_CACHE, name, &cache, &err))
		return err_report("unmap", name, &err);
	dev_origin_path(&cache);
	ret = cache.state == RX_STATE_ACTIVE ? warm_save("unmap", &cache) : RX_OK;
	if (ret == RX_DATA)
		say("unmap", name, "its list was not saved, so it stays; to unmap it all the same: rxadm unmap %s",
		    name);
	return ret;
}

static int unmap(const struct rx_args *args, const char *name,
		 struct rx_list *done)
{
	int ret = args_has(args, "save") ? save(name) : RX_OK;

	return ret ? ret : cache_unmap(name, args_wait(args), done);
}

int cmd_unmap(const struct rx_args *args)
{
	return verb_each(args, RX_CACHE, unmap);
}

/* Waits for the end of a resize that the kernel has begun. An event tells the end. */
static int wait_for_size(struct rx_cache *cache, const struct rx_args *args)
{
	enum rx_end end = await_cache(AWAIT_RESIZED, cache, "set", cache->name,
				      args_wait(args));
	struct rx_err err = { 0 };

	if (end != END_DONE)
		return await_report_cache(end, "set", cache->name,
					  "not done in time; the kernel goes on, see: rxadm stat %s",
					  "interrupted; the kernel goes on, see: rxadm stat %s");
	if (!or_zero(cache->resize.error))
		return RX_OK;
	err_set(&err, (int)cache->resize.error, "%s", cache->resize.message);
	return err_report("set", cache->name, &err);
}

/* Changes the limit of a disk, for which there is no other option. */
static int set_disk(const struct rx_args *args, const char *name)
{
	struct rx_run run = { .verb = "set", .object = name, .device = name };
	const struct rx_opt *opt;
	struct rx_disk disk;
	struct rx_req req;
	int ret;

	for (opt = args->verb->opts; opt->name; opt++)
		if (args_has(args, opt->name) && strcmp(opt->name, "limit"))
			return usage_error("set %s: --%s is for caches; of a disk only --limit can be set",
					   name, opt->name);
	if (!args_has(args, "limit"))
		return usage_error("set %s: nothing to set; say --limit, or to change its size: rxadm resize %s",
				   name, name);
	req_named(&req, RX_DISK, RXDSK_CMD_DISK_SET, name);
	args_put(args, &req);
	ret = request_run(&req, &disk, &run);
	return ret || rx.dry_run ? ret : run_done(RX_DISK, &disk);
}

int cmd_set(const struct rx_args *args)
{
	enum rx_family family;
	bool resize = args_has(args, "size");
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = args->verb->name, .object = name, .join = resize };
	struct rx_cache cache;
	struct rx_req req;
	int ret;

	if (!object_any(args->verb->name, args->objects[0], &family, name))
		return RX_USAGE;
	if (family == RX_DISK)
		return set_disk(args, name);
	if (args_has(args, "limit"))
		return usage_error("set %s: --limit is for disks; the size of a cache is its limit: rxadm set %s --size",
				   name, name);
	if (!resize && !args_has(args, "mode") && !args_has(args, "write-allocate") &&
	    !args_has(args, "floor") && !args_has(args, "grow") && !args_has(args, "frozen") &&
	    !args_has(args, "min-share") && !args_has(args, "max-share") &&
	    !args_has(args, "read-ahead") && !args_has(args, "compress"))
		return usage_error("set %s: nothing to set; say --size, --mode, --write-allocate, --floor, --min-share, --max-share, --read-ahead, --compress, --grow or --frozen",
				   name);
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_SET, name);
	req_num(&req, RXCACHE_A_CACHE_SIZE, args_num(args, "size", RX_NONE));
	args_put(args, &req);
	ret = request_run(&req, &cache, &run);
	if (!ret)
		preflight_warn("set", name, RX_CACHE, args_num(args, "size", RX_NONE),
			       args_num(args, "floor", RX_NONE));
	if (!ret && !rx.dry_run && resize)
		ret = wait_for_size(&cache, args);
	if (!ret && !rx.dry_run)
		ret = await_worked(&cache, "set", args_wait(args));
	/* The request makes the cache look at its origin, which may have grown before. */
	if (!ret && !rx.dry_run && args_has(args, "grow"))
		nvmet_resized(name);
	return ret || rx.dry_run ? ret : run_done(RX_CACHE, &cache);
}

int cmd_drop(const struct rx_args *args)
{
	const char *verb = args->verb->name;
	char name[RX_NAME_LEN];
	struct rx_run run = { .verb = verb, .object = name };
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret;

	if (!object_is(verb, args->objects[0], RX_CACHE, name))
		return RX_USAGE;
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_DROP, name);
	ret = request_run(&req, NULL, &run);
	if (ret || rx.dry_run)
		return ret;
	if (nl_get(RX_CACHE, name, &cache, &err))
		return err_report(verb, name, &err);
	ret = await_worked(&cache, verb, args_wait(args));
	return ret || !rx.json ? ret : run_done(RX_CACHE, &cache);
}

/* Returns the N of "1/N", or RX_NONE for another text. */
static uint64_t sample_parse(const char *text)
{
	unsigned long n;
	char *end;

	if (strncmp(text, "1/", 2) || text[2] < '0' || text[2] > '9')
		return RX_NONE;
	errno = 0;
	n = strtoul(text + 2, &end, 10);
	return errno || *end || !n || n > RXCACHE_SAMPLE_MAX ? RX_NONE : n;
}

static int stop(const char *name)
{
	struct rx_run run = { .verb = "verify", .object = name };
	struct rx_req req;

	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_VERIFY, name);
	req_flag(&req, RXCACHE_A_CACHE_STOP);
	return request_run(&req, NULL, &run);
}

static void print(const struct rx_cache *c)
{
	const struct rx_verify *v = &c->verify;

	if (rx.quiet || rx.json)
		return;
	printf("%s: %" PRIu64 " cached blocks compared with %s, ", c->name,
	       v->compared, shown(c->origin_path));
	if (v->mismatches)
		printf("%" PRIu64 " differ", v->mismatches);
	else
		printf("none differs");
	if (v->skipped)
		printf(", %" PRIu64 " skipped (written or dropped meanwhile)",
		       v->skipped);
	putchar('\n');
}

/* Returns the exit code of a finished verification, and says what to do next. */
static int judge(const struct rx_cache *c)
{
	const struct rx_verify *v = &c->verify;

	if (v->mismatches) {
		say("verify", c->name,
		    "bypassed from now on: the origin was written behind the cache, or memory failed; see dmesg, and to use the cache again: rxadm set %s --mode through",
		    c->name);
		return RX_DATA;
	}
	if (v->errors) {
		say("verify", c->name,
		    "%" PRIu64 " reads of the origin failed; see dmesg",
		    v->errors);
		return RX_DATA;
	}
	if (v->stopped == 1) {
		say("verify", c->name,
		    "stopped before its end; to begin again: rxadm verify %s",
		    c->name);
		return RX_KERNEL;
	}
	return RX_OK;
}

static int wait_for_end(struct rx_cache *cache, long wait_ms)
{
	enum rx_end end = await_cache(AWAIT_VERIFIED, cache, "verify",
				      cache->name, wait_ms);

	if (end == END_SIGNAL)
		stop(cache->name);
	return await_report_cache(end, "verify", cache->name,
				  "not done in time; it goes on, see: rxadm stat %s, or stop it: rxadm verify %s --stop",
				  "interrupted and stopped");
}

static int verify(const struct rx_args *args, const char *name,
		  struct rx_list *done)
{
	const char *sample = args_text(args, "sample");
	struct rx_run run = { .verb = "verify", .object = name, .join = true };
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret;

	if (args_has(args, "stop")) {
		ret = stop(name);
		if (!ret && !rx.dry_run && rx.json && !nl_get(RX_CACHE, name, &cache, &err))
			list_add(done, RX_CACHE, &cache);
		return ret;
	}
	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_VERIFY, name);
	req_num(&req, RXCACHE_A_CACHE_SAMPLE, sample ? sample_parse(sample) :
					    RX_NONE);
	ret = request_run(&req, &cache, &run);
	if (!ret && !rx.dry_run)
		ret = wait_for_end(&cache, args_wait(args));
	if (ret || rx.dry_run)
		return ret;
	dev_origin_path(&cache);
	print(&cache);
	list_add(done, RX_CACHE, &cache);
	return judge(&cache);
}

int cmd_verify(const struct rx_args *args)
{
	const char *sample = args_text(args, "sample");

	if (sample && sample_parse(sample) == RX_NONE)
		return usage_error("verify: --sample: '%s'; say 1/N with N from 1 to %d, for example 1/100",
				   sample, RXCACHE_SAMPLE_MAX);
	return verb_each(args, RX_CACHE, verify);
}
