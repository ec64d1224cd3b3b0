// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb bench measures a disk or a cache with jobs of fio, each beside its limit. Nothing
 * is written without --write-ok, and never where anybody else could see it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <json-c/json.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "bench/fio.h"
#include "kernel/derive.h"
#include "kernel/errtext.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "show/json.h"
#include "show/out.h"
#include "system/dev.h"
#include "system/holder.h"
#include "system/node.h"
#include "system/users.h"
#include "verb/args.h"
#include "verb/bench.h"

#define MIB		(1ULL << 20)
#define SOURCE		(64 * MIB)	/* this much does not stay in most caches of a processor */
#define OPEN_WAIT_MS	1000

/* The disk or cache that is measured, and what fio opens. Of DISK and CACHE one is used. */
struct target {
	const char *verb;
	char name[RX_NAME_LEN], *path, *origin;	/* origin: NULL for a disk */
	struct rx_disk disk;
	struct rx_cache cache;
	uint64_t major, minor, size, time_ns;
	struct rx_strv commands;	/* with --dry-run: what would be run */
};

struct rx_row {
	char job[64];
	struct rx_figure is, limit;
	double ratio;
};

#define ROW(name, key, group, type, field, flags, help) \
	COL(rx_row, name, key, group, type, field, NULL, flags, help)

static const struct rx_col job_cols[] = {
	ROW("JOB", "name", NULL, COL_TEXT, job, COL_DEFAULT, "name of the job"),
	ROW("IOPS", "iops", NULL, COL_RATE, is.iops, COL_DEFAULT, "requests per second"),
	ROW("MIB/S", "bytes_per_s", NULL, COL_MIB, is.bytes, COL_DEFAULT, "MiB per second"),
	ROW("MEAN", "mean_ns", NULL, COL_US, is.mean_ns, COL_DEFAULT, "average time of a request"),
	ROW("P99", "p99_ns", NULL, COL_US, is.p99_ns, COL_DEFAULT,
	    "time that 99 % of the requests stayed below"),
	ROW("LIMIT", "iops", "limit", COL_RATE, limit.iops, COL_DEFAULT,
	    "requests per second of the origin, or of memory itself"),
	ROW("RATIO", "ratio", "limit", COL_TIMES, ratio, COL_DEFAULT, "IOPS / LIMIT"),
	{ .help = NULL }
};

const struct rx_view view_jobs = { "jobs", job_cols, sizeof(struct rx_row), "bench" };

/* Asks the kernel for the device, and sets what is measured of it. */
static int find(struct target *t, bool is_cache, uint64_t asked)
{
	struct rx_cache *c = &t->cache;
	char holder[RX_NAME_LEN];
	uint64_t all, size = 256 * MIB;
	struct rx_err err;

	if (nl_get(is_cache ? RX_CACHE : RX_DISK, t->name, is_cache ? (void *)c : &t->disk, &err))
		return err_report(t->verb, t->name, &err);
	if (!is_cache && *t->disk.holder) {
		say(t->verb, t->name, "is the memory of %s, and nobody else can read it; say: rxadm bench %s",
		    t->disk.holder, holder_active(t->disk.holder, holder));
		return RX_KERNEL;
	}
	t->path = mem_text("/dev/%s", t->name);
	t->major = is_cache ? c->major : t->disk.major;
	t->minor = is_cache ? c->minor : t->disk.minor;
	if (is_cache)
		t->origin = dev_node(c->origin);
	/* Half of a cache, so that all of it is in memory. */
	if (is_cache && model_most(c) / 2 < size)
		size = model_most(c) / 2;
	all = is_cache ? c->origin_size : t->disk.size;
	size = asked != RX_NONE ? asked : size < all ? size : all;
	t->size = size / MIB * MIB;
	if (t->size && t->size <= all)
		return RX_OK;
	return usage_error("%s %s: measures 1M or more, and no more than the %s of the device; see --size",
			   t->verb, t->name, page_size(all));
}

/*
 * Opens the device until the end, so that it stays the same one. Where fio may write, nobody
 * else has it open, and nobody can mount or claim it any more. udev opens a device for a
 * moment after it was written, for example by the bench before this one.
 */
static int hold(struct target *t, bool write_ok)
{
	int64_t start = now_ms();
	struct rx_err err;
	struct stat st;
	bool locked = (t->origin ? t->cache.read_only : t->disk.read_only) == 1;
	int fd = -1, busy = write_ok && users_firm(t->name, NULL);

	while (!busy && write_ok && or_zero(t->origin ? t->cache.open : t->disk.open))
		busy = now_ms() - start >= (udev_busy() ? UDEV_WAIT_MS : OPEN_WAIT_MS) ||
		       wait_fd(-1, 50) == WAIT_SIGNAL ||
		       nl_get(t->origin ? RX_CACHE : RX_DISK, t->name,
			      t->origin ? (void *)&t->cache : &t->disk, &err);
	if (!busy)
		fd = open(sys_path("%s", t->path), (write_ok ? O_RDWR | O_EXCL : O_RDONLY) | O_CLOEXEC);
	/* The kernel lets root open such a device for writing. */
	if (fd >= 0 && write_ok && locked)
		say(t->verb, t->name, "is read-only; if it may be written, run: blockdev --setrw %s", t->path);
	else if (fd >= 0 && !fstat(fd, &st) && node_is(&st, t->major, t->minor))
		return RX_OK;
	else if (fd >= 0)
		node_say(t->verb, t->name, t->name, "the kernel's device");
	else if (!busy && errno != EBUSY)
		say(t->verb, t->name, "%s: %s%s", t->path, strerror(errno),
		    write_ok && errno == EACCES ? "; is it read-only? See: blockdev --getro" : "");
	else if (!users_say(t->verb, t->name, "", t->name, NULL))
		say(t->verb, t->name, "is in use, and writes would destroy what others see; see who uses it: fuser -v, lsblk");
	return RX_KERNEL;
}

/* Returns in how many ns one processor copies a block: the fastest of ten passes counts. */
static double copy_ns(uint64_t block)
{
	char *from = mem_zero(1, SOURCE + block);
	double ns, best = 0;
	int64_t start;
	uint64_t at;
	int i;

	/* Pages that were never written would all be the same page of zeroes. */
	memset(from, 1, SOURCE + block);
	for (i = 0; i < 10; i++) {
		start = now_ns();
		for (at = 0; at + block <= SOURCE; at += block) {
			memcpy(from + SOURCE, from + at, block);
			/* The compiler must not leave out a copy that nobody reads. */
			__asm__ volatile("" : : "r" (from) : "memory");
		}
		ns = (double)(now_ns() - start) * block / SOURCE;
		if (!i || ns < best)
			best = ns;
	}
	free(from);
	return best;
}

/* Runs fio, or with --dry-run notes its command. */
static enum rx_fio_end run(struct target *t, struct rx_fio *fio, const char *path,
			   struct rx_figure *figure)
{
	struct rx_strv argv = { 0 };

	fio->verb = t->verb;
	fio->object = t->name;
	fio->path = path;
	fio->size = t->size;
	fio->time_ns = t->time_ns;
	if (!rx.dry_run)
		return fio_run(fio, figure);
	fio_command(fio, &argv);
	strv_add(&t->commands, quoted_all(&argv));
	strv_free(&argv);
	return FIO_DONE;
}

/*
 * Measures what the device is compared with: a cache with its origin, which is never written
 * here; a disk with what no RAM disk can beat, fio alone plus a copy of the bytes.
 */
static enum rx_fio_end measure_limit(struct target *t, struct rx_fio *fio, struct rx_row *row)
{
	enum rx_fio_end end = FIO_DONE;

	if (!t->origin || !fio->writes)
		end = run(t, fio, t->origin, &row->limit);
	if (!t->origin && row->limit.iops > 0)
		row->limit.iops = 1e9 / (1e9 / row->limit.iops + copy_ns(fio->block));
	row->ratio = row->limit.iops > 0 ? row->is.iops / row->limit.iops : -1;
	return end;
}

static void show(const struct target *t, const struct rx_row *rows, size_t n)
{
	struct json_object *root, *list;
	size_t i;

	for (i = 0; i < t->commands.n && !rx.json; i++)
		puts(t->commands.v[i]);
	if (!rx.json && !rx.dry_run)
		out_table(&view_jobs, rows, n, NULL);
	if (!rx.json)
		return;
	root = out_json_root();
	list = rx.dry_run ? json_list(&t->commands) : json_object_new_array();
	for (i = 0; i < n && !rx.dry_run; i++)
		json_object_array_add(list, out_json(&view_jobs, &rows[i]));
	if (rx.dry_run)
		json_object_object_add(root, "dry_run", json_object_new_boolean(true));
	json_object_object_add(root, rx.dry_run ? "commands" : view_jobs.key, list);
	out_json_print(root);
}

static int measure(struct target *t, const struct rx_strv *jobs, bool write_ok)
{
	struct rx_fio fio = { .writes = write_ok && !t->origin, .depth = 1 };
	struct rx_row *rows = mem_zero(jobs->n, sizeof(*rows));
	enum rx_fio_end end = FIO_DONE;
	struct rx_figure none;
	size_t i;

	signals_take();
	/* A disk has no memory to read before it was written, and a cache begins cold. */
	if (t->origin || write_ok)
		end = run(t, &fio, t->path, &none);
	for (i = 0; i < jobs->n && end == FIO_DONE; i++) {
		fio_job(&fio, jobs->v[i]);
		snprintf(rows[i].job, sizeof(rows[i].job), "%s", jobs->v[i]);
		rows[i].limit = (struct rx_figure){ -1, -1, -1, -1 };
		end = run(t, &fio, t->path, &rows[i].is);
		if (end == FIO_DONE)
			end = measure_limit(t, &fio, &rows[i]);
	}
	if (end == FIO_DONE)
		show(t, rows, jobs->n);
	else if (end == FIO_SIGNAL)
		say(t->verb, t->name, "interrupted; fio is killed, and ends as soon as its I/O has");
	free(rows);
	return end == FIO_DONE ? RX_OK : RX_KERNEL;
}

/* Takes the jobs that are named, or all that are allowed. */
static int choose(const struct rx_args *args, struct target *t, struct rx_strv *jobs)
{
	char *list = mem_dup(args_text(args, "jobs") ? args_text(args, "jobs") : ""), *job, *rest;
	bool write_ok = args_has(args, "write-ok"), named;
	struct rx_strv all = { 0 };
	struct rx_fio fio;
	int ret = RX_OK;
	size_t i;

	for (job = strtok_r(list, ",", &rest); job; job = strtok_r(NULL, ",", &rest))
		strv_add(jobs, job);
	named = jobs->n;
	fio_jobs(&all);
	for (i = 0; !named && i < all.n; i++)
		if (fio_job(&fio, all.v[i]) && (write_ok || !fio.writes))
			strv_add(jobs, all.v[i]);
	if (!jobs->n)
		ret = usage_error("%s: there are no jobs in /usr/share/rxdsk/fio; install rxadm anew", t->verb);
	for (i = 0; i < jobs->n && !ret; i++)
		if (!fio_job(&fio, jobs->v[i]))
			ret = usage_error("%s: no job '%s'; there are: %s", t->verb, jobs->v[i], strv_join(&all, ", "));
		else if (fio.writes && !write_ok)
			ret = usage_error("%s %s: writes destroy the data of %s, its first %s; if that is meant, add --write-ok",
					  t->verb, t->name, t->origin ? "its origin" : "the disk", page_size(t->size));
	strv_free(&all);
	free(list);
	return ret;
}

int cmd_bench(const struct rx_args *args)
{
	const struct rx_view *views[] = { &view_jobs };
	struct target t = { .verb = args->verb->name,
			    .time_ns = args_num(args, "time", 2000000000) };
	bool write_ok = args_has(args, "write-ok");
	struct rx_strv jobs = { 0 };
	enum rx_family family;
	int ret;

	if (!out_columns_valid(views, 1) || !object_any(t.verb, args->objects[0], &family, t.name))
		return RX_USAGE;
	ret = find(&t, family == RX_CACHE, args_num(args, "size", RX_NONE));
	if (!ret)
		ret = choose(args, &t, &jobs);
	if (!ret && !rx.dry_run)
		ret = hold(&t, write_ok);
	if (!ret)
		ret = measure(&t, &jobs, write_ok);
	strv_free(&jobs);
	strv_free(&t.commands);
	return ret;
}
