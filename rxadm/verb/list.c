// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb list shows disks, caches and exports, in tables, as a tree or as JSON. The verb
 * stat prints figures since the counters began, then those of each interval. The verb metrics
 * prints OpenMetrics, or writes them to a file whole: a program that reads the file finds the
 * old content or the new. It loads no module, because a timer runs it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <linux/rxcache.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "export/exported.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/request.h"
#include "run/fetch.h"
#include "run/run.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "verb/list.h"
#include "watch/metrics.h"
#include "watch/sample.h"
#include "watch/stat.h"

int cmd_list(const struct rx_args *args)
{
	bool disks = !args_has(args, "caches"), caches = !args_has(args, "disks");
	struct json_object *root;
	struct rx_objects named = args_objects(args);
	struct rx_list list = { 0 };
	int ret;

	if (args_has(args, "exports"))
		return exported_show(&named);
	if (args_has(args, "tree") && args->n_objects)
		return usage_error("list: --tree shows all disks; leave '%s' out",
				   args->objects[0]);
	if (!fetch_fits(&named, disks, caches))
		return RX_USAGE;
	ret = fetch(&named, disks, caches, &list);
	if (ret && ret != RX_PARTIAL && !list.n_disks) {
		list_free(&list);
		return ret;
	}
	/* The disks are shown also if the kernel tells nothing of the caches. */
	caches = caches && (!ret || ret == RX_PARTIAL);
	if (!ret)
		ret = fetch_absent("list", disks ? RX_DISK : RX_CACHE, list.absent);
	if (rx.quiet) {
		/* The exit status tells whether what is named is there. */
	} else if (rx.json) {
		root = out_json_root();
		fetch_json_absent(root, list.absent);
		out_json_list(root, &list, disks, caches);
		out_json_print(root);
	} else if (args_has(args, "tree")) {
		out_tree(&list);
	} else {
		out_list(&list, disks, caches);
	}
	if (!list.n_disks && !list.n_caches && !rx.json && !rx.quiet && !ret)
		say_hint(NULL, NULL, disks ?
		    "no disks; make one: rxadm attach 1G" :
		    "no caches; make one: rxadm map --size 1G /dev/ORIGIN");
	list_free(&list);
	return ret;
}

#define DISK_COLS \
	"NAME,USED,READS,READ,WRITES,WRITTEN,DISCARDED,NO-SPACE,SLOW-WRITES"
#define CACHE_COLS \
	"NAME,CACHED,HIT%,READS,WRITES,READ-HIT,READ-MISS,READ-JOIN,BYPASS," \
	"EVICT,RECLAIM,ERRORS"

static void print_pages(const struct rx_list *list)
{
	const struct rx_device *device;
	const struct rx_cache *cache;
	size_t i;

	for (i = 0; (device = list_device(list, i)); i++) {
		if (i)
			putchar('\n');
		cache = (const struct rx_cache *)device;
		if (device->family == RX_DISK)
			stat_page_disk((const struct rx_disk *)device);
		else
			stat_page_cache(cache, list_beside(list, cache));
	}
}

static void print_tables(const struct rx_list *list, uint64_t interval_ns)
{
	char buf[32];

	if (!rx.noheadings && !rx.raw)
		printf("%s%s\n", interval_ns ? "\nin the last " : "since the counters began",
		       interval_ns ? time_print(interval_ns, buf, sizeof(buf)) :
		       "");
	if (list->n_disks)
		out_table(&view_disks, list->disks, list->n_disks,
			  rx.columns ? rx.columns : DISK_COLS);
	if (list->n_caches)
		out_table(&view_caches, list->caches, list->n_caches,
			  rx.columns ? rx.columns : CACHE_COLS);
	out_flush();
}

/* Only caches have lines, so a named disk or a choice of columns gets tables. */
static bool as_lines(const struct rx_list *list, const struct rx_args *args)
{
	return !rx.columns && list->n_caches &&
	       (!args->n_objects || !list->n_disks);
}

/* An interval of 0 stands for the time since the counters began. */
static void report_json(const struct rx_list *list, uint64_t interval_ns)
{
	struct json_object *root = out_json_now();

	json_add_number(root, "interval_ns", interval_ns ? interval_ns : RX_NONE);
	out_json_list(root, list, true, true);
	fetch_json_absent(root, list->absent);
	out_json_print(root);
}

/* BEFORE is the list of the last report, or NULL for the first report. */
static void report(struct rx_list *now, const struct rx_list *before,
		   uint64_t interval_ns, const struct rx_args *args)
{
	uint64_t covered = before ? interval_ns : 0;

	if (before)
		list_subtract(now, before);
	if (rx.json)
		report_json(now, covered);
	else if (interval_ns && as_lines(now, args))
		stat_lines(now, covered);
	else if (interval_ns || rx.columns)
		print_tables(now, covered);
	else
		print_pages(now);
}

static int reset_one(const struct rx_args *args, const char *name,
		     struct rx_list *done)
{
	struct rx_run run = { .verb = args->verb->name, .object = name };
	struct rx_cache cache;
	struct rx_req req;
	int ret;

	req_named(&req, RX_CACHE, RXCACHE_CMD_CACHE_RESET_STATS, name);
	ret = request_run(&req, &cache, &run);
	if (!ret && !rx.dry_run)
		list_add(done, RX_CACHE, &cache);
	return ret;
}

/*
 * Resets counters of caches. The counters of a disk belong to the block layer, which
 * can't reset them.
 */
static int reset(const struct rx_args *args)
{
	if (rx.columns && !rx.json)
		return usage_error("stat: --reset shows no columns; leave --output out, or add --json");
	if (!args->n_objects)
		return usage_error("stat: --reset of which cache? say: rxadm stat --reset rxc0");
	return verb_each(args, RX_CACHE, reset_one);
}

int cmd_stat(const struct rx_args *args)
{
	uint64_t interval = args_num(args, "interval", 0);
	uint64_t count = args_num(args, "count", interval ? RX_NONE : 1);
	struct rx_list now = { 0 }, before = { 0 }, copy;
	struct rx_objects named = args_objects(args);
	int64_t start = now_ms(), left;
	uint64_t i;
	int ret = RX_OK;

	if (!fetch_fits(&named, true, true))
		return RX_USAGE;
	if (args_has(args, "reset"))
		return reset(args);
	if (rx.quiet)
		return args_quiet(args);
	if (args_has(args, "interval") && interval < 10000000)
		return usage_error("stat: the shortest interval is 10ms");
	if (interval)
		signals_take();
	for (i = 0; i < count; i++) {
		/* A report may be late, and a negative time-out would mean none. */
		left = start + (int64_t)(interval / 1000000 * i) - now_ms();
		if (i && wait_fd(-1, left > 0 ? left : 0) == WAIT_SIGNAL)
			break;
		ret = fetch(&named, true, true, &now);
		if (ret && (ret != RX_PARTIAL || interval))
			break;
		if (!ret)
			ret = fetch_absent("stat", RX_DISK, now.absent);
		copy = list_figures(&now, NULL);
		report(&now, i ? &before : NULL, interval, args);
		list_free(&now);
		list_free(&before);
		before = copy;
		if (!out_flush() || ret == RX_ABSENT)
			break;
	}
	list_free(&now);
	list_free(&before);
	return ret;
}

/* Fetches what the modules have that are loaded. */
static int fetch_loaded(struct rx_list *list)
{
	struct rx_err err = { 0 };
	int family;

	for (family = 0; family < RX_FAMILIES; family++) {
		list->absent[family] = !sys_has_module(model_family(family));
		if (!list->absent[family] &&
		    fetch_all(family == RX_DISK, family == RX_CACHE, list, &err) &&
		    !err.absent)
			return err_report("metrics", NULL, &err);
	}
	return RX_OK;
}

static int put_metrics(const char *path, const char *text)
{
	struct stat st;
	char *new;
	int err;

	if (!path || rx.dry_run) {
		fputs(text, stdout);
		return RX_OK;
	}
	/* To open a device may have effects. */
	if (!lstat(path, &st) && !S_ISREG(st.st_mode)) {
		say("metrics", NULL, "%s: is no regular file; to print them, leave --file out",
		    path);
		return RX_USAGE;
	}
	/* Everybody may read the file, as /sys. */
	new = mem_text("%s.new", path);
	err = sys_replace(path, new, 0644, text, strlen(text));
	free(new);
	if (!err)
		return RX_OK;
	say("metrics", NULL, "%s: %s; the file from before stays, if there is one", path,
	    strerror(err));
	/* A path that leads nowhere is a wrong command line, and a full disk is lost output. */
	return sys_unwritten(err) ? RX_DATA : RX_USAGE;
}

int cmd_metrics(const struct rx_args *args)
{
	enum metrics_form form = args_num(args, "format", METRICS_OPENMETRICS);
	const char *path = args_text(args, "file");
	struct rx_list list = { 0 };
	char *text;
	FILE *f;
	int ret;

	if (rx.json)
		return usage_error("metrics: prints no JSON; say: rxadm stat --json");
	if (rx.quiet && !path)
		return args_quiet(args);
	ret = fetch_loaded(&list);
	if (!ret) {
		f = mem_open(&text);
		metrics_print(f, form, &list);
		mem_close(f);
		ret = put_metrics(path, text);
		free(text);
	}
	list_free(&list);
	return ret;
}
