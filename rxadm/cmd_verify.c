// SPDX-License-Identifier: GPL-2.0-only
/* verify: compares what caches hold with their origins. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "await.h"
#include "dev.h"
#include "events.h"
#include "fetch.h"
#include "list.h"
#include "name.h"
#include "nl.h"
#include "request.h"
#include "say.h"
#include "verbs.h"

#define SAMPLE_MAX	10000

/* "1/N". RX_NONE if it is something else. */
static uint64_t sample_parse(const char *text)
{
	unsigned long n;
	char *end;

	if (strncmp(text, "1/", 2) || text[2] < '0' || text[2] > '9')
		return RX_NONE;
	errno = 0;
	n = strtoul(text + 2, &end, 10);
	return errno || *end || !n || n > SAMPLE_MAX ? RX_NONE : n;
}

static int stop(const char *name)
{
	struct rx_err err;
	struct rx_req req;
	int ret = RX_OK;

	req_init(&req, RX_CACHE, "map-verify");
	req_text(&req, "name", name);
	req_flag(&req, "stop");
	if (rx.dry_run)
		req_show(&req);
	else if (nl_do(&req, NULL, &err))
		ret = err_report("verify", name, &err);
	req_free(&req);
	return ret;
}

static void print(const struct rx_cache *c)
{
	const struct rx_verify *v = &c->verify;

	if (rx.quiet || rx.json)
		return;
	printf("%s: %" PRIu64 " cached blocks compared with %s, ", c->name,
	       v->compared, *c->origin_path ? c->origin_path : c->origin);
	if (v->mismatches)
		printf("%" PRIu64 " differ", v->mismatches);
	else
		printf("none differs");
	if (v->skipped)
		printf(", %" PRIu64 " skipped (written or dropped meanwhile)",
		       v->skipped);
	putchar('\n');
}

/* What the end of it means for the exit status, with what to do next. */
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
	switch (await_verified(cache, "verify", cache->name, wait_ms)) {
	case END_TIMEOUT:
		say("verify", cache->name,
		    "not done in time; it goes on, see: rxadm stat %s, or stop it: rxadm verify %s --stop",
		    cache->name, cache->name);
		return RX_KERNEL;
	case END_SIGNAL:
		stop(cache->name);
		say("verify", cache->name, "interrupted and stopped");
		signals_die();
		return RX_KERNEL;
	case END_FAILED:
		say("verify", cache->name,
		    "the cache was unmapped before the end; see: rxadm list");
		return RX_KERNEL;
	default:
		return RX_OK;
	}
}

static int verify(const char *name, uint64_t sample, long wait_ms,
		  struct rx_list *done)
{
	struct rx_cache cache;
	struct rx_err err;
	struct rx_req req;
	int ret;

	req_init(&req, RX_CACHE, "map-verify");
	req_text(&req, "name", name);
	req_num(&req, "sample", sample);
	if (rx.dry_run) {
		ret = req_show(&req);
		req_free(&req);
		return ret;
	}
	ret = nl_join(RX_CACHE, &err) || nl_do(&req, &cache, &err);
	req_free(&req);
	if (ret)
		return err_report("verify", name, &err);
	ret = wait_for_end(&cache, wait_ms);
	if (ret)
		return ret;
	dev_origin_path(&cache);
	print(&cache);
	list_add_cache(done, &cache);
	return judge(&cache);
}

int cmd_verify(const struct rx_verb *verb, const struct rx_args *args)
{
	const char *sample = args_text(args, "sample");
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	uint64_t n = RX_NONE;
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb->name, args->objects[i], RX_CACHE, name))
			return RX_USAGE;
	if (sample) {
		n = sample_parse(sample);
		if (n == RX_NONE)
			return usage_error("verify: --sample: '%s'; say 1/N with N from 1 to %d, for example 1/100",
					   sample, SAMPLE_MAX);
	}
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb->name, args->objects[i], RX_CACHE, name);
		tally(&t, args_has(args, "stop") ? stop(name) :
		      verify(name, n, args_wait(args), &done));
	}
	out_result(&done);
	list_free(&done);
	return t.status == RX_DATA ? RX_DATA : tally_exit(&t);
}
