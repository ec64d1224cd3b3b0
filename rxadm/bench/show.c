// SPDX-License-Identifier: GPL-2.0-only
/* Shows the figures of bench as a table or as JSON, and compares them with earlier JSON. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <json-c/json.h>

#include "base/global.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/units.h"
#include "bench/bench.h"
#include "bench/show.h"
#include "show/json.h"
#include "show/out.h"

#define FILE_MAX	(1 << 20)

#define ROW(name, key, group, type, field, flags, help) \
	{ name, key, group, type, offsetof(struct rx_row, field), NULL, flags, help }

static const struct rx_col job_cols[] = {
	ROW("JOB", "name", NULL, COL_TEXT, name, COL_DEFAULT, "name of the job"),
	ROW("RW", "rw", NULL, COL_TEXT, rw, 0, "reads or writes, in order or at random"),
	ROW("BLOCK", "block", NULL, COL_SIZE, block, 0, "size of a request"),
	ROW("DEPTH", "depth", NULL, COL_COUNT, depth, 0, "requests at a time"),
	ROW("ENGINE", "engine", NULL, COL_TEXT, engine, 0, "how fio makes the requests"),
	ROW("IOPS", "iops", NULL, COL_RATE, is.iops, COL_DEFAULT, "requests per second"),
	ROW("MIB/S", "bytes_per_s", NULL, COL_MIB, is.bytes, COL_DEFAULT, "MiB per second"),
	ROW("MEAN", "mean_ns", NULL, COL_US, is.mean_ns, COL_DEFAULT, "average time of a request"),
	ROW("P99", "p99_ns", NULL, COL_US, is.p99_ns, COL_DEFAULT,
	    "time that 99 % of the requests stayed below"),
	ROW("HIT%", "hit_ratio", NULL, COL_RATIO, hit, COL_DEFAULT,
	    "share of the blocks read from a cache that were in memory"),
	ROW("LIMIT", "iops", "limit", COL_RATE, limit.iops, COL_DEFAULT,
	    "requests per second to compare with: of the origin, or of memory itself"),
	ROW("LIMIT-MIB/S", "bytes_per_s", "limit", COL_MIB, limit.bytes, 0, "the same in MiB per second"),
	ROW("LIMIT-MEAN", "mean_ns", "limit", COL_US, limit.mean_ns, 0, "average time of such a request"),
	ROW("LIMIT-P99", "p99_ns", "limit", COL_US, limit.p99_ns, 0, "time that 99 % of them stayed below"),
	ROW("RATIO", "ratio", "limit", COL_TIMES, of_limit, COL_DEFAULT, "IOPS / LIMIT"),
	ROW("BEFORE", "iops", "before", COL_RATE, was.iops, COL_DEFAULT,
	    "requests per second in the file of --compare"),
	ROW("CHANGE", "ratio", "before", COL_TIMES, change, COL_DEFAULT, "IOPS / BEFORE"),
	{ .help = NULL }
};

const struct rx_view view_jobs = { "jobs", job_cols, sizeof(struct rx_row), "bench" };

/* Returns the text of KEY, or NULL if there is none of up to LEN bytes. */
static const char *text_of(struct json_object *from, const char *key, size_t len)
{
	struct json_object *value;

	if (!json_object_object_get_ex(from, key, &value) ||
	    !json_object_is_type(value, json_type_string) ||
	    (size_t)json_object_get_string_len(value) >= len)
		return NULL;
	return json_object_get_string(value);
}

/* Sets NUMBER if KEY has one above 0. */
static bool number_of(struct json_object *from, const char *key, double *number)
{
	return json_number(from, key, number) && *number > 0;
}

/* Takes a job of the file. Returns false if that is none; *SAME counts those of this run. */
static bool take_job(struct rx_bench *b, struct json_object *job, size_t *same,
		     const char **other)
{
	const char *name = text_of(job, "name", 32), *rw = text_of(job, "rw", 16);
	const char *engine = text_of(job, "engine", 16);
	double block, depth, iops;
	struct rx_row *row;
	size_t i;

	if (!name || !rw || !engine || !number_of(job, "block", &block) ||
	    !number_of(job, "depth", &depth) || !number_of(job, "iops", &iops))
		return false;
	for (i = 0; i < b->n; i++) {
		row = &b->rows[i];
		if (strcmp(row->name, name))
			continue;
		if (strcmp(row->rw, rw) || strcmp(row->engine, engine) ||
		    row->block != (uint64_t)block || row->depth != (uint64_t)depth)
			*other = row->name;
		row->was.iops = iops;
		++*same;
	}
	return true;
}

/* Says that the other run was not the same, which is a reason to doubt the ratios. */
static void doubt(const struct rx_bench *b, struct json_object *bench, const char *path)
{
	const char *device = text_of(bench, "device", 64);
	double size = 0, ns = 0;
	char time[32];

	if (!device || !number_of(bench, "size", &size) || !number_of(bench, "time_ns", &ns) ||
	    rx.quiet)
		return;
	if ((uint64_t)size != b->size || (uint64_t)ns != b->time_ns)
		say_hint(b->verb, b->name, "%s has %s of %s, %s for each job; with --size and --time the two compare better",
			 path, page_size(size), device, time_print(ns, time, sizeof(time)));
}

/* Returns NULL, or what is wrong with the file. */
static const char *take_file(struct rx_bench *b, struct json_object *root, const char *path)
{
	static const char *const none = "is no output of rxadm bench --json; make one without -o";
	struct json_object *bench, *jobs;
	const char *other = NULL;
	size_t i, n, same = 0;
	double version;

	if (!json_object_is_type(root, json_type_object) ||
	    !number_of(root, "rxadm", &version) || version != 1 ||
	    !json_object_object_get_ex(root, "bench", &bench) ||
	    !json_object_is_type(bench, json_type_object) ||
	    !json_object_object_get_ex(root, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array))
		return none;
	n = json_object_array_length(jobs);
	for (i = 0; i < n; i++)
		if (!take_job(b, json_object_array_get_idx(jobs, i), &same, &other))
			return none;
	if (other)
		return page_text("has another job named %s; measure again", other);
	if (!same)
		return "has none of these jobs; choose some of it with --jobs";
	doubt(b, bench, path);
	return NULL;
}

/*
 * Takes the figures of an earlier run from the file PATH. Returns false after it has said
 * what is wrong with the file.
 */
bool bench_load(struct rx_bench *bench, const char *path)
{
	struct json_object *root = NULL;
	const char *wrong;
	struct stat st;

	if (stat(path, &st))
		wrong = page_text("can't be read: %s", strerror(errno));
	else if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		wrong = "is no file of rxadm bench --json";
	else if (!(root = json_object_from_file(path)))
		wrong = "is no JSON";
	else
		wrong = take_file(bench, root, path);
	json_object_put(root);
	if (wrong)
		say(bench->verb, bench->name, "%s %s", path, wrong);
	bench->compared = !wrong;
	return !wrong;
}

static void show_json(const struct rx_bench *b)
{
	struct json_object *root = out_json_root(), *bench = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	size_t i;

	json_add_text(bench, "device", b->name);
	json_add_text(bench, "kind", b->cache ? "cache" : "disk");
	json_add_text(bench, "origin", *b->origin ? b->origin : NULL);
	json_add_number(bench, "size", b->size);
	json_add_number(bench, "time_ns", b->time_ns);
	json_add_text(bench, "fio", b->fio);
	json_add_text(bench, "limit", b->cache ? "origin" : "memory");
	json_object_object_add(root, "bench", bench);
	for (i = 0; i < b->n; i++)
		json_object_array_add(jobs, out_json(&view_jobs, &b->rows[i]));
	json_object_object_add(root, view_jobs.key, jobs);
	out_json_print(root);
}

/* With --dry-run: what would be run. */
void bench_show_commands(const struct rx_strv *commands)
{
	struct json_object *root;
	size_t i;

	if (!rx.json) {
		for (i = 0; i < commands->n; i++)
			puts(commands->v[i]);
		return;
	}
	root = out_json_root();
	json_object_object_add(root, "dry_run", json_object_new_boolean(true));
	json_object_object_add(root, "commands", json_list(commands));
	out_json_print(root);
}

/* The columns that say something for this kind of device. */
static const char *columns(const struct rx_bench *b)
{
	if (rx.columns)
		return rx.columns;
	return page_text("JOB,IOPS,MIB/S,MEAN,P99%s,LIMIT,RATIO%s", b->cache ? ",HIT%" : "",
			 b->compared ? ",BEFORE,CHANGE" : "");
}

void bench_show(struct rx_bench *b)
{
	char time[32];
	size_t i;

	for (i = 0; i < b->n; i++)
		b->rows[i].change = b->rows[i].was.iops > 0 ?
			b->rows[i].is.iops / b->rows[i].was.iops : -1;
	if (rx.json) {
		show_json(b);
		return;
	}
	if (!rx.noheadings && !rx.raw) {
		if (b->cache)
			printf("%s  cache of %s, %s of it, warm; %s for each job; LIMIT is the origin itself\n",
			       b->name, shown(b->origin), page_size(b->size),
			       time_print(b->time_ns, time, sizeof(time)));
		else
			printf("%s  RAM disk, %s of it; %s for each job; LIMIT is memory without a disk\n",
			       b->name, page_size(b->size), time_print(b->time_ns, time, sizeof(time)));
	}
	out_table(&view_jobs, b->rows, b->n, columns(b));
}
