// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb metrics prints OpenMetrics, or writes them to a file whole: a program that reads
 * the file finds the old content or the new. It loads no module, because a timer runs it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "run/fetch.h"
#include "verb/metrics.h"
#include "watch/metrics.h"

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

static int put(const char *path, const char *text)
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
		ret = put(path, text);
		free(text);
	}
	list_free(&list);
	return ret;
}
