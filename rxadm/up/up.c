// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs up, down and check-tab handle all or some lines of /etc/rxtab, in an order
 * that works. The whole table is read and checked before anything changes. down needs
 * only the name of an object, because the object's line may have been removed or broken
 * since.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/wait.h"
#include "export/export.h"
#include "kernel/name.h"
#include "run/preflight.h"
#include "show/json.h"
#include "table/check.h"
#include "table/image.h"
#include "table/load.h"
#include "table/order.h"
#include "table/origins.h"
#include "table/table.h"
#include "up/job.h"
#include "up/look.h"
#include "up/plan.h"
#include "up/up.h"

/* Returns what has become of a line, or what would. */
static const char *result_name(enum up_result result)
{
	static const char *const names[] = {
		[UP_NOT_TRIED] = "not-tried", [UP_MADE] = "made", [UP_CHANGED] = "changed",
		[UP_SAME] = "unchanged", [UP_REMOVED] = "removed", [UP_ABSENT] = "absent",
		[UP_FAILED] = "failed",
	};
	static const char *const would[] = {
		[UP_MADE] = "would-make", [UP_CHANGED] = "would-change",
		[UP_REMOVED] = "would-remove", [UP_FAILED] = NULL,
	};

	return rx.dry_run && would[result] ? would[result] : names[result];
}

/* A run of up or down. */
struct run {
	const struct rx_args *args;
	const char *verb;
	bool up;
	struct rx_tab tab;
	struct tab_job *jobs;
	size_t n_jobs;
	int64_t start;
	struct tab_common common;
};

static bool load(const struct rx_args *args, struct rx_tab *tab)
{
	const char *path = args_text(args, "tab");
	const struct rx_objects named = args_objects(args);
	bool check = args->verb->run == cmd_check_tab;
	int err;

	if (!path)
		path = RXTAB_PATH;
	err = tab_load(tab, path);
	if (err) {
		*tab = (struct rx_tab){ .path = path };
		if (args->n_objects && !strcmp(args->verb->name, "down"))
			return true;
		say(args->verb->name, NULL, "%s: %s; %s", path, strerror(err),
		    err == ENOENT ? "see: man rxtab" : "is it a table?");
		return false;
	}
	tab_check_origins(tab, check);
	if (strcmp(args->verb->name, "down"))
		tab_check_places(tab, check);
	if (check)
		tab_check_order(tab);
	/* Whatever is there can go. */
	if (check || (!strcmp(args->verb->name, "up") && !preflight_off()))
		tab_check_machine(tab, &named, check);
	/* An up of some lines takes the memory of these alone. */
	if (check || (!strcmp(args->verb->name, "up") && !args->n_objects && !preflight_off()))
		tab_check_sums(tab);
	return true;
}

/* Tells whether the user asked for the line, or for a cache that needs its disk. */
static bool wanted(const struct run *run, const struct tab_line *line)
{
	struct rx_objects named = args_objects(run->args);
	const struct tab_line *other;
	size_t i;

	if (named.n ? objects_have(&named, line->name) :
	    !line->text[run->up ? TAB_NOAUTO : TAB_INITRAMFS])
		return true;
	for (i = 0; run->up && i < run->tab.n_lines; i++) {
		other = &run->tab.lines[i];
		if (other->disk == line && wanted(run, other))
			return true;
	}
	return false;
}

/*
 * Tells whether the run may begin. Every name must have a line, except that for down it
 * is enough if the object exists. Without names, any error in the table stops the run.
 * With names (at boot each unit names its line), only an error in a named line stops up,
 * and none stops down.
 */
static bool may_run(struct run *run)
{
	const struct rx_args *args = run->args;
	bool stopped = !args->n_objects && run->tab.n_errors;
	const struct tab_line *line;
	char name[RX_NAME_LEN];
	enum rx_family family;
	struct rx_err err;
	size_t i;

	for (i = 0; i < args->n_objects; i++) {
		if (!object_any(run->verb, args->objects[i], &family, name))
			return false;
		line = tab_find(&run->tab, name);
		if (line) {
			stopped |= run->up && line->bad;
		} else if (!run->up && (look_there(family, name, &err) || err.err)) {
			/*
			 * If the kernel's answer is not known, the attempt to remove the
			 * object will tell.
			 */
			tab_add_name(&run->tab, family, name);
		} else {
			/* The name may stand in a line that can't be read. */
			tab_print_notes(&run->tab, false, "");
			usage_error(run->up ?
				    "up %s: has no line in %s; add one, see: man rxtab" :
				    "down %s: is not there, and has no line in %s; see: rxadm list",
				    name, run->tab.path);
			return false;
		}
	}
	tab_print_notes(&run->tab, run->up && !rx.quiet,
			stopped ? "; nothing was changed" : "");
	return !stopped;
}

/*
 * Adds jobs for the wanted lines of FAMILY in the order of the table; for down in reverse
 * order, and for bad lines too.
 */
static void choose(struct run *run, enum rx_family family)
{
	size_t i, n = run->tab.n_lines;
	struct tab_line *line;

	for (i = 0; i < n; i++) {
		line = &run->tab.lines[run->up ? i : n - 1 - i];
		if (line->family == family && wanted(run, line) &&
		    !(run->up && line->bad) &&
		    tab_find(&run->tab, line->name) == line)
			run->jobs[run->n_jobs++] = (struct tab_job){ .verb = run->verb, .line = line };
	}
}

/*
 * Fails JOB if another job failed that it needs: for up the job of its disk, unless the
 * disk is there and only a change of it was refused; for down the job of the cache on the
 * disk.
 */
static bool is_blocked(const struct run *run, struct tab_job *job)
{
	const struct tab_job *other = run->jobs;

	while (other < job && (other->result != UP_FAILED || other->usable ||
			       (run->up ? other->line != job->line->disk :
				other->line->disk != job->line)))
		other++;
	if (other == job)
		return false;
	job_fail(job, mem_text(run->up ? "its disk %s is not up" :
			       "%s on it is still there", other->line->name),
		 "then run: %s", tab_again(run->verb, job->line));
	job->status = other->status;
	return true;
}

/* Looks, plans and runs, unless looking fails or a signal ends it. */
static void do_job(struct run *run, struct tab_job *job)
{
	const struct tab_line *line = job->line;
	struct up_plan plan = { 0 };

	run->common.end = run->start + (int64_t)tab_timeout_ms(line);
	job->status = run->up ?
		look_for_up(line, run->common.end, &run->common.touched, &job->is) :
		look_for_down(run->verb, line, &job->is);
	if (job->status)
		job->result = UP_FAILED;
	if (job->status || signals_pending())
		return;
	if (run->up)
		plan_up(&plan, line, &job->is, !args_has(run->args, "no-export"));
	else if (run->common.tied)
		plan_save(&plan, line, &job->is);
	else
		plan_down(&plan, line, &job->is, !args_has(run->args, "no-save"));
	job_run(job, &plan, &run->common);
	plan_free(&plan);
}

/* Lowers the shares of a cache on the disk of another line, before anything else is done. */
static void lower_job(struct run *run, struct tab_job *job)
{
	struct up_plan plan = { 0 };

	if (!run->up || !job->line->disk)
		return;
	look_for_shares(job->line, &job->is);
	plan_lower(&plan, job->line, &job->is);
	job_run(job, &plan, &run->common);
	/* Its own turn is still to come. */
	look_free(&job->is);
	job->is = (struct up_state){ .sent = plan.sent };
	if (job->result != UP_FAILED)
		job->result = UP_NOT_TRIED;
	plan_free(&plan);
}

/* Calls DO for each job, with the lock of its line, until a signal comes. */
static void each_job(struct run *run, void (*do_it)(struct run *run, struct tab_job *job))
{
	struct tab_job *job;

	for (job = run->jobs; job < run->jobs + run->n_jobs && !signals_pending(); job++) {
		if (job->result == UP_FAILED || (do_it == do_job && is_blocked(run, job)))
			continue;
		run->common.lock = tab_lock(run->verb, job->line->name);
		if (!signals_pending())
			do_it(run, job);
		if (run->common.lock >= 0)
			close(run->common.lock);
	}
}

static void work(struct run *run)
{
	run->start = now_ms();
	/* The disk of a cache is made first and removed last. */
	run->jobs = mem_zero(run->tab.n_lines, sizeof(*run->jobs));
	choose(run, run->up ? RX_DISK : RX_CACHE);
	choose(run, run->up ? RX_CACHE : RX_DISK);
	if (!rx.dry_run)
		exports_mend(run->verb);
	each_job(run, lower_job);
	each_job(run, do_job);
}

/* Prints a line for each failed job, unless its command has said enough. */
static int report(const struct run *run)
{
	const struct tab_job *job, *end = run->jobs + run->n_jobs;
	int n = (int)run->n_jobs;
	struct rx_tally t = { 0 };

	for (job = run->jobs; job < end; job++)
		if (job->result != UP_NOT_TRIED)
			tally(&t, job->status);
	for (job = run->jobs; job < end; job++) {
		if (job->result != UP_FAILED)
			continue;
		if (job->what && n == 1)
			say(run->verb, job->line->name, "%s; %s", job->what,
			    job->next);
		else if (job->what)
			say(run->verb, NULL, "%d of %d done; %s: %s; %s", t.done,
			    n, job->line->name, job->what, job->next);
		else if (n > 1)
			say(run->verb, NULL, "%d of %d done; %s: refused, see above; put that right and run: %s",
			    t.done, n, job->line->name, tab_again(run->verb, job->line));
	}
	if (t.done + t.failed == n)
		return tally_exit(&t);
	say(run->verb, NULL, "interrupted; %d of %d done", t.done, n);
	return RX_KERNEL;
}

static void print_json(const struct run *run)
{
	struct json_object *root = out_json_root(), *lines, *line;
	const struct tab_job *job;

	lines = json_object_new_array();
	for (job = run->jobs; job < run->jobs + run->n_jobs; job++) {
		line = json_object_new_object();
		json_add_text(line, "name", job->line->name);
		json_add_number(line, "line", job->line->nr ? job->line->nr :
							      RX_NONE);
		json_add_text(line, "result", result_name(job->result));
		json_object_object_add(line, "steps", json_list(&job->steps));
		json_add_text(line, "error", job->what);
		json_object_array_add(lines, line);
	}
	json_object_object_add(root, "dry_run",
			       json_object_new_boolean(rx.dry_run));
	json_object_object_add(root, "lines", lines);
	out_json_print(root);
}

/* Dies of the signal that has ended the run, if one has. */
static void end(struct run *run)
{
	size_t i;

	for (i = 0; i < run->n_jobs; i++)
		job_free(&run->jobs[i]);
	free(run->jobs);
	strv_free(&run->common.touched);
	tab_free(&run->tab);
	if (signals_pending())
		signals_die();
}

int cmd_up_down(const struct rx_args *args)
{
	struct run run = {
		.args = args, .verb = args->verb->name, .up = *args->verb->name == 'u',
	};
	int ret = RX_USAGE;

	if (!load(args, &run.tab))
		return RX_USAGE;
	if (may_run(&run)) {
		signals_take();
		work(&run);
		ret = report(&run);
		if (rx.json)
			print_json(&run);
	}
	end(&run);
	return ret;
}

/*
 * Saves a disk while it is in use, as its line says. A timer runs it, so it says what it
 * does, and a disk that is gone is no failure.
 */
int cmd_tab_image(const struct rx_args *args)
{
	struct run run = { .args = args, .verb = "save", .n_jobs = 1, .common.tied = true };
	int ret = RX_USAGE;

	if (args->n_objects != 1)
		return usage_error("__image: say: rxadm __image rxdN");
	if (tab_load(&run.tab, RXTAB_PATH))
		return usage_error("__image: %s can't be read", RXTAB_PATH);
	run.jobs = mem_zero(1, sizeof(*run.jobs));
	run.jobs->verb = run.verb;
	run.jobs->line = tab_find(&run.tab, args->objects[0]);
	if (!run.jobs->line || run.jobs->line->bad || !run.jobs->line->text[TAB_IMAGE]) {
		say(run.verb, args->objects[0], "has no good line with an image; see: rxadm check-tab");
	} else {
		signals_take();
		each_job(&run, do_job);
		ret = report(&run);
	}
	end(&run);
	return ret;
}

static void print_check(const struct rx_tab *tab)
{
	struct json_object *root = out_json_root(), *notes, *note;
	size_t i;

	notes = json_object_new_array();
	for (i = 0; i < tab->n_notes; i++) {
		note = json_object_new_object();
		json_add_number(note, "line", tab->notes[i].nr);
		json_object_object_add(note, "error",
				json_object_new_boolean(tab->notes[i].error));
		json_add_text(note, "message", tab->notes[i].text);
		json_object_array_add(notes, note);
	}
	json_add_text(root, "tab", tab->path);
	json_object_object_add(root, "asked", json_object_new_boolean(tab->asked));
	json_object_object_add(root, "notes", notes);
	out_json_print(root);
}

int cmd_check_tab(const struct rx_args *args)
{
	bool strict = args_has(args, "strict");
	struct rx_strv disks;
	struct rx_tab tab;
	int ret;

	if (!load(args, &tab))
		return RX_USAGE;
	tab_print_notes(&tab, !rx.quiet || strict, "");
	disks = tab_disks(&tab);
	ret = tab.n_errors || (strict && tab.n_notes) ? RX_USAGE : RX_OK;
	if (rx.json)
		print_check(&tab);
	else if (!ret && !rx.quiet)
		printf("%s: good (disks: %zu, caches: %zu)%s\n", shown(tab.path), disks.n,
		       tab.n_lines - disks.n, tab.asked ? "" :
		       "; the kernel was not asked about values, which needs root and the modules");
	strv_free(&disks);
	tab_free(&tab);
	return ret;
}
