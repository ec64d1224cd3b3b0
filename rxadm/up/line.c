// SPDX-License-Identifier: GPL-2.0-only
/*
 * Brings one line of the table up or down. Each step is a command line of rxadm, which is
 * printed and then run as if it had been typed.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/await.h"
#include "kernel/derive.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/model.h"
#include "kernel/model_gen.h"
#include "kernel/nl.h"
#include "kernel/protocol.h"
#include "system/dev.h"
#include "system/holder.h"
#include "system/planned.h"
#include "table/differs.h"
#include "table/parse.h"
#include "table/table.h"
#include "up/export.h"
#include "up/image.h"
#include "up/line.h"
#include "up/shares.h"
#include "verb/args.h"

#define NOTICE_MS	3000

/* Fails the job and keeps WHAT, the reason. FMT and the rest say what to do next. */
void tab_fail(struct tab_job *job, char *what, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	job->next = mem_vtext(fmt, ap);
	va_end(ap);
	job->what = what;
	job->result = TAB_FAILED;
	job->status = RX_KERNEL;
}

static void fail_kernel(struct tab_job *job, const char *verb,
			const struct rx_err *err)
{
	job->status = err_report(verb, job->line->name, err);
	job->result = TAB_FAILED;
}

static void show(struct tab_job *job)
{
	char *text = mem_text("rxadm %s", quoted_all(&job->words));

	strv_add(&job->steps, text);
	if (!rx.json && !rx.quiet)
		printf("[#] %s\n", text);
	free(text);
	fflush(stdout);
}

/*
 * Runs the command in job->words, and makes room for the next one. A dry run checks it, as
 * if the steps before it had been taken.
 */
void tab_step(struct tab_job *job, enum tab_result result)
{
	struct rx_args args = { .verb = verb_find(job->words.v[0]) };
	struct rx_global old = rx;

	show(job);
	job->result = result;
	rx.step.on = true;
	rx.json = false;
	job->status = args_parse((int)job->words.n, job->words.v, 0, &args);
	if (!job->status)
		job->status = args.verb->run(&args);
	old.out_errno = rx.out_errno;
	rx = old;
	free(args.objects);
	if (job->status)
		job->result = TAB_FAILED;
	strv_free(&job->words);
}

/* Adds to the job's command the words that are not NULL. */
void tab_add(struct tab_job *job, const char *a, const char *b, const char *c)
{
	strv_add(&job->words, a);
	if (b)
		strv_add(&job->words, b);
	if (c)
		strv_add(&job->words, c);
}

/*
 * Does the same as nl_get(), but waits for a disk that is being detached or takes its
 * memory.
 */
static int get_disk(const char *name, struct rx_disk *disk, struct rx_err *err)
{
	int ret = nl_get(RX_DISK, name, disk, err);
	struct rx_err ignored;
	bool filling;

	if (ret || rx.dry_run)
		return ret;
	filling = disk->state == RX_DISK_FILLING;
	if (!filling && disk->state != RX_DISK_DETACHING)
		return ret;
	if (!nl_join(RX_DISK, &ignored))
		await_disk(filling ? AWAIT_FILLED : AWAIT_DETACHED, disk, RX_NONE, "up",
			   step_left());
	return nl_get(RX_DISK, name, disk, err);
}

static void attach_disk(struct tab_job *job)
{
	char size[32];

	if (!tab_image_begin(job))
		return;
	tab_add(job, "attach", tab_image_size(job, size, sizeof(size)), NULL);
	tab_put_options(job->line, &job->words);
	tab_step(job, TAB_MADE);
	tab_image_made(job);
}

/* Gives the disk the limit of the line. The kernel rounds it down to whole pages. */
static void limit_disk(struct tab_job *job, const struct rx_disk *disk)
{
	uint64_t page = sysconf(_SC_PAGESIZE);
	const char *text = job->line->text[TAB_LIMIT];
	uint64_t limit = text ? job->line->num[TAB_LIMIT] / page * page : 0;

	/* An older module has none, and sends nothing. */
	if (disk->limit == RX_NONE || disk->limit == limit)
		return;
	tab_add(job, "set", job->line->name, NULL);
	tab_add(job, "--limit", text ? text : "0B", NULL);
	tab_step(job, TAB_CHANGED);
}

static void check_disk(struct tab_job *job, const struct rx_disk *disk)
{
	struct tab_line *line = job->line;
	char *what, holder[RX_NAME_LEN];
	bool restored;

	if (disk->state == RX_DISK_DETACHING) {
		tab_fail(job, mem_dup("is still being detached"),
			 "wait for its end, see: rxadm list");
		return;
	}
	/* The disk may not get its memory, and its size may be about to change. */
	if (disk->state == RX_DISK_FILLING) {
		tab_fail(job, mem_dup("is still taking its memory, growing or being zeroed"),
			 "wait for its end, see: rxadm list -o NAME,SIZE,USED,STATE");
		return;
	}
	what = tab_disk_differs(line, disk);
	job->result = TAB_SAME;
	if (what) {
		tab_fail(job, what,
			 "change line %u, or, if the data on it may be lost: rxadm detach %s, then: rxadm up %s",
			 line->nr, line->name, line->name);
		return;
	}
	job->usable = true;
	limit_disk(job, disk);
	if (job->result == TAB_FAILED)
		return;
	if (*disk->holder)
		tab_lower_sharers(job);
	if (disk->size == tab_disk_size(line)) {
		tab_image_kept(job, disk);
		return;
	}
	restored = tab_image_first(job, disk);
	if (job->result == TAB_FAILED)
		return;
	/* A cache that holds the disk is in use, and stays so. */
	if (*disk->holder)
		tab_add(job, "set", holder_active(disk->holder, holder), "--size");
	else
		tab_add(job, "resize", line->name, NULL);
	tab_add(job, line->text[TAB_SIZE], NULL, NULL);
	tab_step(job, TAB_CHANGED);
	if (!restored)
		tab_image_kept(job, disk);
}

/* Adds the options for all but the size and the shares. */
static void put_settings(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	const char *mode = line->text[TAB_MODE] ? line->text[TAB_MODE] :
		"through";
	bool allocate = !line->text[TAB_NO_WRITE_ALLOCATE];
	uint64_t ahead = line->text[TAB_READ_AHEAD] ? line->num[TAB_READ_AHEAD] : AHEAD_OFF;

	if (cache->mode != line->num[TAB_MODE])
		tab_add(job, "--mode", mode, NULL);
	if (cache->write_allocate != allocate)
		tab_add(job, "--write-allocate", allocate ? "yes" : "no", NULL);
	/* An older module has none, and sends nothing. */
	if (cache->read_ahead != ahead && cache->read_ahead != RX_NONE)
		tab_add(job, "--read-ahead", line->text[TAB_READ_AHEAD] ?: "off", NULL);
	/* The kernel rounds the floor down to whole blocks. */
	if (line->text[TAB_FLOOR] && cache->floor !=
	    line->num[TAB_FLOOR] / cache->block * cache->block)
		tab_add(job, "--floor", line->text[TAB_FLOOR], NULL);
}

/* Runs the set that job->words has begun, unless it has no options. */
static void set_step(struct tab_job *job)
{
	if (job->words.n > 2)
		tab_step(job, TAB_CHANGED);
	else
		strv_free(&job->words);
}

/*
 * Changes the size of a cache with a disk of its own. Min shares that are larger than the
 * smaller of the two sizes fit only before or only after.
 */
static void resize_cache(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	struct rx_cache after = *cache;

	tab_lower_shares(job, cache);
	if (job->result == TAB_FAILED)
		return;
	tab_add(job, "set", line->name, NULL);
	tab_add(job, "--size", line->text[TAB_SIZE], NULL);
	put_settings(job, cache);
	set_step(job);
	if (job->result == TAB_FAILED)
		return;
	after.size = tab_disk_size(line);
	tab_add(job, "set", line->name, NULL);
	tab_put_shares(job, &after);
	set_step(job);
}

/* Changes what can be changed while the cache is in use. */
static void set_cache(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	struct rx_disk disk;
	struct rx_err err;

	if (!line->disk && nl_get(RX_DISK, cache->disk, &disk, &err)) {
		fail_kernel(job, "up", &err);
		return;
	}
	/* Its shares may have been lowered already. */
	if (job->result != TAB_CHANGED)
		job->result = TAB_SAME;
	if (!line->disk && disk.size != tab_disk_size(line)) {
		resize_cache(job, cache);
		return;
	}
	tab_add(job, "set", line->name, NULL);
	put_settings(job, cache);
	tab_put_shares(job, cache);
	set_step(job);
}

static void compare_cache(struct tab_job *job, const struct rx_cache *cache)
{
	struct tab_line *line = job->line;
	char *what = tab_cache_differs(line, cache);

	if (what)
		tab_fail(job, what,
			 "change line %u, or run: rxadm down %s && rxadm up %s",
			 line->nr, line->name, line->name);
	else
		set_cache(job, cache);
}

/*
 * Waits for the origin. After a while a user at a terminal wants to know why nothing
 * happens.
 */
static int await_origin(const struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN];
	long left = rx.dry_run ? 0 : step_left();
	char real[PATH_MAX];
	int err;

	err = dev_await(origin, real, sizeof(real),
			left < NOTICE_MS ? left : NOTICE_MS);
	if (err != ENOENT || left <= NOTICE_MS || signals_pending())
		return err;
	if (!rx.quiet && isatty(STDERR_FILENO))
		say_hint("up", line->name, "waiting for %s; Ctrl-C gives up",
		    origin);
	return dev_await(origin, real, sizeof(real), step_left());
}

static void fail_origin(struct tab_job *job, const struct rx_tab *tab, int err)
{
	const char *origin = job->line->text[TAB_ORIGIN];
	char *what;

	if (err == ENOENT)
		what = mem_text("origin %s missing", origin);
	else if (err == ENOTBLK)
		what = mem_text("origin %s is no block device", origin);
	else
		what = mem_text("origin %s: %s", origin, strerror(err));
	tab_fail(job, what, "fix %s line %u and run: rxadm up %s",
		 strcmp(tab->path, RXTAB_PATH) ? tab->path : "rxtab",
		 job->line->nr, job->line->name);
}

/*
 * Maps the origin when it is there. With DEAD, a cache has lost it, and holds nothing: it
 * is unmapped first.
 */
static void map_cache(struct tab_job *job, const struct rx_tab *tab, bool dead)
{
	struct tab_line *line = job->line;
	int err = await_origin(line);

	/* A signal ended the wait, so nothing is known to be missing. */
	if (err && signals_pending())
		return;
	if (err) {
		fail_origin(job, tab, err);
		return;
	}
	if (dead) {
		tab_add(job, "unmap", line->name, NULL);
		tab_step(job, TAB_REMOVED);
	}
	if (job->result == TAB_FAILED)
		return;
	tab_add(job, "map", line->disk ? line->disk->name : NULL,
	    line->text[TAB_ORIGIN]);
	tab_put_options(line, &job->words);
	tab_step(job, TAB_MADE);
}

/* Brings up a cache that exists, or is being made or removed. */
static void check_cache(struct tab_job *job, const struct rx_tab *tab,
			struct rx_cache *cache)
{
	const char *name = job->line->name;
	struct rx_err err;
	char *what;

	if (cache->state == RX_STATE_STARTING && !rx.dry_run &&
	    !nl_join(RX_CACHE, &err))
		await_cache(AWAIT_ACTIVE, cache, "up", name, step_left());
	model_derive(cache);
	switch (cache->status) {
	case RX_STATE_STARTING:
	case RX_STATE_DRAINING:
	case RX_STATE_FAILED:
		what = mem_text("is %s", rx_state_names[cache->state]);
		break;
	case RX_STATE_DEAD:
		map_cache(job, tab, true);
		return;
	case RX_STATUS_MISMATCH:
		tab_fail(job, mem_dup("is bypassed since its verification found blocks that differ from the origin"),
			 "find out why, then: rxadm set %s --mode through", name);
		return;
	default:
		compare_cache(job, cache);
		return;
	}
	tab_fail(job, what, "run: rxadm unmap %s, then: rxadm up %s", name, name);
}

/* START is the time at which the wait for devices began. */
void tab_up(struct tab_job *job, const struct rx_tab *tab, int64_t start)
{
	bool disk = job->line->family == RX_DISK;
	const char *name = job->line->name;
	struct rx_event there;
	struct rx_err err;
	int absent;

	rx.step.end = start + (int64_t)tab_timeout_ms(job->line);
	absent = disk ? get_disk(name, &there.disk, &err) :
		nl_get(RX_CACHE, name, &there.cache, &err);
	if (absent && err.err != ENODEV && !(err.absent && rx.dry_run))
		fail_kernel(job, "up", &err);
	else if (disk && absent)
		attach_disk(job);
	else if (disk)
		check_disk(job, &there.disk);
	else if (absent)
		map_cache(job, tab, false);
	else
		check_cache(job, tab, &there.cache);
}

/*
 * Tells whether the object exists. If it returns false with err->err set, the answer is
 * not known.
 */
bool tab_is_there(enum rx_family family, const char *name, struct rx_err *err)
{
	struct rx_event object;

	err->err = 0;
	if (!sys_has_module(model_family(family)))
		return false;
	if (!planned_get(family, name, &object.disk, err))
		return true;
	if (err->err == ENODEV || err->absent)
		err->err = 0;
	return false;
}

/*
 * Removes the object that the line names, whatever the line says otherwise. With SAVE,
 * the list of a cache is saved first if the line says warm, and a disk that has an image.
 * A disk that can't be saved stays.
 */
void tab_down(struct tab_job *job, bool save)
{
	struct tab_line *line = job->line;
	struct rx_err err;

	tab_unexport(job);
	if (job->result == TAB_FAILED)
		return;
	if (tab_is_there(line->family, line->name, &err)) {
		if (save && !tab_image_save(job, true))
			return;
		tab_add(job, line->family == RX_DISK ? "detach" : "unmap",
		    line->name, save && line->text[TAB_WARM] ? "--save" : NULL);
		tab_step(job, TAB_REMOVED);
	} else if (err.err) {
		fail_kernel(job, "down", &err);
	} else {
		job->result = TAB_ABSENT;
	}
}
