// SPDX-License-Identifier: GPL-2.0-only
/* The verb verify compares what caches hold with their origins. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>

#include "args/args.h"
#include "args/each.h"
#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "kernel/await.h"
#include "kernel/list.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/run.h"
#include "system/dev.h"
#include "verb/verify.h"

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
