// SPDX-License-Identifier: GPL-2.0-only
/* The verb monitor prints one line per event until Ctrl-C. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>
#include <linux/rxcache.h>

#include "args/args.h"
#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/list.h"
#include "kernel/model_gen.h"
#include "kernel/protocol.h"
#include "run/fetch.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "system/dev.h"
#include "verb/monitor.h"

struct monitor {
	bool disks, caches, stamp;
};

static struct json_object *json_event(const char *event)
{
	struct json_object *root = out_json_now();

	json_add_text(root, "event", event);
	return root;
}

static void put_stamp(const struct monitor *m)
{
	struct timespec ts;
	char buf[32];
	struct tm tm;

	if (!m->stamp)
		return;
	clock_gettime(CLOCK_REALTIME, &ts);
	localtime_r(&ts.tv_sec, &tm);
	strftime(buf, sizeof(buf), "%H:%M:%S", &tm);
	printf("%s.%03ld ", buf, ts.tv_nsec / 1000000);
}

static void put_disk(const struct monitor *m, const char *event,
		     const struct rx_disk *d)
{
	char size[32], used[32];

	put_stamp(m);
	printf("%-12s %-6s %s", event, d->name,
	       size_print(or_zero(d->size), size, sizeof(size)));
	if (d->used != RX_NONE)
		printf(", %s used", size_print(d->used, used, sizeof(used)));
	if (or_zero(d->limit))
		printf(" of at most %s", size_print(d->limit, used, sizeof(used)));
	if (!strcmp(event, "disk-full"))
		printf(": a write found no memory");
	if (*d->holder)
		printf(", memory of %s", d->holder);
	putchar('\n');
}

/* Prints the cause of the event, if state, mode and mismatches do not show it. */
static void put_cause(const struct rx_cache *c)
{
	static const char *const words[] = {
		[RX_CAUSE_DROP] = "dropped its blocks",
		[RX_CAUSE_DEAD] = "the origin is gone",
		[RX_CAUSE_MISMATCH] = "bypassed from now on",
		[RX_CAUSE_VERIFIED] = "verified",
		[RX_CAUSE_RESET] = "counters begin anew",
		[RX_CAUSE_GROWN] = "the origin has grown",
		[RX_CAUSE_COMPRESS] = "compression was judged",
		[RX_CAUSE_DAMAGED] = "compressed blocks were damaged in memory and dropped",
	};
	const struct rx_stats *s = &c->stats;
	char size[32];

	if (c->cause < ARRAY_SIZE(words) && words[c->cause])
		printf(": %s", words[c->cause]);
	if (c->cause == RX_CAUSE_ERRORS)
		printf(": errors, so far %" PRIu64 " reads and %" PRIu64
		       " writes failed, at the origin %" PRIu64 " and %" PRIu64,
		       or_zero(s->read_errors), or_zero(s->write_errors),
		       or_zero(s->origin_read_errors),
		       or_zero(s->origin_write_errors));
	if (c->cause == RX_CAUSE_PIN)
		printf(": %s pinned", size_print(or_zero(c->pinned), size, sizeof(size)));
	if (c->cause == RX_CAUSE_RESIZED && or_zero(c->resize.error))
		printf(": not resized to %s: %s",
		       size_print(c->resize.size, size, sizeof(size)),
		       c->resize.message);
	else if (c->cause == RX_CAUSE_RESIZED)
		printf(": resized to %s",
		       size_print(or_zero(c->resize.size), size, sizeof(size)));
	if (c->cause == RX_CAUSE_RECLAIM) {
		printf(": gave memory back, so far %s",
		       size_print(or_zero(s->reclaim) * or_zero(c->block), size,
				  sizeof(size)));
		printf(", %s cached", size_print(or_zero(c->cached), size,
						 sizeof(size)));
	}
}

static void put_cache(const struct monitor *m, const char *event, bool gone,
		      const struct rx_cache *c)
{
	put_stamp(m);
	printf("%-12s %-6s %s in %s", event, c->name,
	       *c->origin_path ? shown(c->origin_path) : "?", c->disk);
	if (c->state == RX_STATE_FAILED)
		printf(", failed: %s", c->message);
	else if (!gone)
		printf(", %s, %s%s", c->state < RX_STATE_FAILED ?
		       rx_state_names[c->state] : "?",
		       c->mode < RX_MODES ? rx_mode_names[c->mode] : "?",
		       c->frozen == 1 ? ", frozen" : "");
	if (or_zero(c->verify.mismatches))
		printf(", %" PRIu64 " blocks differ from the origin",
		       c->verify.mismatches);
	put_cause(c);
	putchar('\n');
}

static void print_event(const struct monitor *m, struct rx_event *e)
{
	const char *event = e->op->event;
	struct json_object *root;

	if (!(e->family == RX_DISK ? m->disks : m->caches))
		return;
	if (e->family == RX_CACHE)
		dev_origin_path(&e->cache);
	if (rx.json) {
		root = json_event(event);
		json_object_object_add(root, e->family == RX_DISK ? "disk" :
				       "cache",
				       out_json(views_list[e->family], &e->disk));
		out_json_print(root);
		return;
	}
	if (e->family == RX_DISK)
		put_disk(m, event, &e->disk);
	else
		put_cache(m, event,
			  e->op->cmd == RXCACHE_CMD_CACHE_DEL_NTF,
			  &e->cache);
	out_flush();
}

/* Says in WORDS why events were lost, and prints the current state. */
static int print_state(const struct monitor *m, const char *event,
		       const char *words)
{
	struct rx_list list = { 0 };
	struct json_object *root;
	struct rx_err err = { 0 };
	size_t i;
	int ret;

	ret = fetch_all(m->disks, m->caches, &list, &err);
	if (ret && !err.absent) {
		list_free(&list);
		return err_report("monitor", NULL, &err);
	}
	if (rx.json) {
		out_json_print(json_event(event));
		root = json_event("dump");
		fetch_json_absent(root, list.absent);
		out_json_list(root, &list, m->disks, m->caches);
		out_json_print(root);
	} else {
		put_stamp(m);
		printf("%-12s %s\n", event, words);
		for (i = 0; i < list.n_disks; i++)
			put_disk(m, "disk", &list.disks[i]);
		for (i = 0; i < list.n_caches; i++)
			put_cache(m, "cache", false, &list.caches[i]);
		out_flush();
	}
	list_free(&list);
	return RX_OK;
}

/* At least one family must exist; the other joins when its module is loaded. */
static int join(const struct monitor *m)
{
	struct rx_err disk_err, cache_err;
	bool disks = m->disks && !nl_join(RX_DISK, &disk_err);
	bool caches = m->caches && !nl_join(RX_CACHE, &cache_err);

	if (disks || caches)
		return RX_OK;
	return err_report("monitor", NULL, m->disks ? &disk_err : &cache_err);
}

int cmd_monitor(const struct rx_args *args)
{
	struct monitor m = { .disks = true, .caches = true,
			     .stamp = args_has(args, "timestamp") };
	const char *what = args->n_objects ? args->objects[0] : NULL;
	struct rx_event event;
	int ret;

	if (rx.quiet)
		return args_quiet(args);
	if (what) {
		m.disks = !strcmp(what, "disk");
		m.caches = !strcmp(what, "cache");
		if (!m.disks && !m.caches)
			return usage_error("%s: invalid object: '%s' (use disk|cache)",
					   args->verb->name, what);
	}
	signals_take();
	ret = join(&m);
	while (!ret && out_flush()) {
		switch (nl_wait(&event, WAIT_DEFAULT)) {
		case WAIT_EVENT:
			print_event(&m, &event);
			break;
		case WAIT_OVERRUN:
			ret = print_state(&m, "overrun",
					  "events were lost; this is the state now:");
			break;
		case WAIT_RELOADED:
			ret = print_state(&m, "reload",
					  "a module was loaded or removed; this is the state now:");
			break;
		case WAIT_SIGNAL:
			return RX_OK;
		case WAIT_TIMEOUT:
			break;
		}
	}
	return ret;
}
