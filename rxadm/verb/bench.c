// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb bench measures a disk or a cache with jobs of fio, each beside its limit. Nothing
 * is written without --write-ok, and never where anybody else could see it.
 *
 * A file of fio says which requests its job makes; device, size, time and engine are words
 * before it. Its name says the rest: a job with "write" in it writes, and one with "-x" has
 * several requests at a time. fio is killed with this process, and its threads with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "args/args.h"
#include "base/child.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/events.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "run/dryrun.h"
#include "run/fetch.h"
#include "show/json.h"
#include "show/out.h"
#include "system/dev.h"
#include "system/holder.h"
#include "system/node.h"
#include "system/users.h"
#include "verb/bench.h"

/* Root runs this, so neither PATH nor the current folder may choose the program. */
#define PROGRAM		"/usr/bin/fio"
#define MIB		(1ULL << 20)
#define SOURCE		(64 * MIB)	/* this much does not stay in most caches of a processor */
#define OPEN_WAIT_MS	1000

/* The disk or cache that is measured. */
struct target {
	const char *verb;
	char name[RX_NAME_LEN], *path, *origin;	/* origin: NULL for a disk */
	enum rx_family family;
	struct rx_event now;		/* as the kernel last told it */
	uint64_t size, time_ns;
	bool write_ok;
};

/* Below 0: not known. */
struct figure {
	double iops, bytes, mean_ns, p99_ns;
};

struct rx_row {
	char job[64];
	struct figure is, limit;
	double ratio;
};

#define ROW(name, key, group, type, field, help) COL(rx_row, name, key, group, type, field, NULL, COL_DEFAULT, help)

static const struct rx_col job_cols[] = {
	ROW("JOB", "name", NULL, COL_TEXT, job, "name of the job"),
	ROW("IOPS", "iops", NULL, COL_RATE, is.iops, "requests per second"),
	ROW("MIB/S", "bytes_per_s", NULL, COL_MIB, is.bytes, "MiB per second"),
	ROW("MEAN", "mean_ns", NULL, COL_US, is.mean_ns, "average time of a request"),
	ROW("P99", "p99_ns", NULL, COL_US, is.p99_ns, "time that 99 % of the requests stayed below"),
	ROW("LIMIT", "iops", "limit", COL_RATE, limit.iops, "requests per second of the origin, or of memory itself"),
	ROW("RATIO", "ratio", "limit", COL_TIMES, ratio, "IOPS / LIMIT"),
	{ .help = NULL }
};

const struct rx_view view_jobs = { "jobs", job_cols, sizeof(struct rx_row), "bench" };

static bool job_writes(const char *job)
{
	return strstr(job, "write");
}

static const char *jobs_dir(void)
{
	return access(sys_path("/usr/share/rxdsk/fio"), F_OK) ? "/usr/local/share/rxdsk/fio" : "/usr/share/rxdsk/fio";
}

void bench_jobs(struct rx_strv *names)
{
	size_t i;

	sys_entries(names, sys_path("%s", jobs_dir()));
	for (i = 0; i < names->n; i++)
		names->v[i][strcspn(names->v[i], ".")] = '\0';
	strv_sort(names);
}

/* Asks the kernel for the device, and sets what is measured of it. */
static int find(struct target *t, uint64_t asked)
{
	uint64_t all, size = 256 * MIB;
	char holder[RX_NAME_LEN];
	int ret = fetch_one(t->verb, t->family, t->name, &t->now);

	if (ret)
		return ret;
	if (t->family == RX_DISK && *t->now.disk.holder) {
		say(t->verb, t->name, "is the memory of %s, and nobody else can read it; say: rxadm bench %s",
		    t->now.disk.holder, holder_active(t->now.disk.holder, holder));
		return RX_KERNEL;
	}
	t->path = mem_text("/dev/%s", t->name);
	if (t->family == RX_CACHE)
		t->origin = mem_swap(mem_text("/dev/%s", t->now.cache.origin), '!', '/');
	/* Half of a cache, so that all of it is in memory. */
	if (t->origin && model_most(&t->now.cache) / 2 < size)
		size = model_most(&t->now.cache) / 2;
	all = t->origin ? t->now.cache.origin_size : t->now.disk.size;
	t->size = (asked != RX_NONE ? asked : size < all ? size : all) / MIB * MIB;
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
static int hold(struct target *t)
{
	const struct rx_device *now = &t->now.device;
	int64_t start = now_ms();
	int fd = -1, busy = t->write_ok && users_firm(t->name, NULL);
	struct rx_err err;
	struct stat st;

	while (!busy && t->write_ok && or_zero(now->open))
		busy = now_ms() - start >= (udev_busy() ? UDEV_WAIT_MS : OPEN_WAIT_MS) ||
		       wait_fd(-1, 50) == WAIT_SIGNAL ||
		       nl_get(t->family, t->name, &t->now.disk, &err);
	if (!busy)
		fd = open(sys_path("%s", t->path), (t->write_ok ? O_RDWR | O_EXCL : O_RDONLY) | O_CLOEXEC);
	/* The kernel lets root open such a device for writing. */
	if (fd >= 0 && t->write_ok && now->read_only == 1)
		say(t->verb, t->name, "is read-only; if it may be written, run: blockdev --setrw %s", t->path);
	else if (fd >= 0 && !fstat(fd, &st) && node_is(&st, now->major, now->minor))
		return RX_OK;
	else if (fd >= 0)
		node_say(t->verb, t->name, t->name, "the kernel's device");
	else if (!busy && errno != EBUSY)
		say(t->verb, t->name, "%s: %s", t->path, strerror(errno));
	else if (!users_say(t->verb, t->name, "", t->name, NULL))
		say(t->verb, t->name, "is in use, and writes would destroy what others see; see who uses it: fuser -v, lsblk");
	return RX_KERNEL;
}

/* Returns in how many ns one processor copies a block: the fastest of ten passes counts. */
static double copy_ns(size_t block)
{
	/* Pages that were never written would all be the same page of zeroes. */
	char *from = memset(mem_zero(1, SOURCE + block), 1, SOURCE);
	int64_t start, best = INT64_MAX;
	size_t at;
	int i;

	for (i = 0; i < 10; i++) {
		start = now_ns();
		for (at = 0; at + block <= SOURCE; at += block) {
			memcpy(from + SOURCE, from + at, block);
			/* The compiler must not leave out a copy that nobody reads. */
			__asm__ volatile("" : : "r" (from) : "memory");
		}
		if (now_ns() - start < best)
			best = now_ns() - start;
	}
	free(from);
	return (double)best * block / SOURCE;
}

static void add_words(struct rx_strv *argv, const struct target *t, const char *job, const char *path)
{
	static const char *const pass[] = { "--bs=1M", "--direct=1", "--thread", "--name=pass" };
	char *off = sys_read(sys_path("/proc/sys/kernel/io_uring_disabled"));
	bool writes = job ? job_writes(job) : t->write_ok && !t->origin;
	size_t i;

	strv_add(argv, sys_path(PROGRAM));
	strv_print(argv, "--filename=%s", path ? path : "none");
	strv_print(argv, "--size=%" PRIu64, t->size);
	/* Where the kernel does not let anybody use io_uring, libaio does the same more slowly. */
	strv_print(argv, "--ioengine=%s", !path ? "null" : !job || !strstr(job, "-x") ? "psync" :
		   off && *off == '2' ? "libaio" : "io_uring");
	free(off);
	strv_add(argv, "--eta=never");
	strv_add(argv, "--output-format=json");
	if (!writes)
		strv_add(argv, "--readonly");
	if (job) {
		strv_print(argv, "--runtime=%" PRIu64 "ms", t->time_ns / 1000000);
		strv_print(argv, "%s/%s.fio", sys_path("%s", jobs_dir()), job);
		return;
	}
	strv_print(argv, "--rw=%s", writes ? "write" : "read");
	for (i = 0; i < ARRAY_SIZE(pass); i++)
		strv_add(argv, pass[i]);
}

/* Takes the figures from fio's output, which may have notes before its JSON. */
static bool take(const char *text, const char *job, struct figure *figure)
{
	static const char *const keys[] = { "iops", "bw_bytes", "lat_ns/mean", "lat_ns/percentile/99.000000" };
	double *const to[] = { &figure->iops, &figure->bytes, &figure->mean_ns, &figure->p99_ns };
	const char *begin = *text == '{' ? text : strstr(text, "\n{");
	struct json_object *root = begin ? json_tokener_parse(begin) : NULL, *value;
	bool good = root && !json_pointer_get(root, "/jobs/0/error", &value) && !json_object_get_int(value);
	size_t i;

	/* A pass is no measurement. */
	for (i = 0; i < ARRAY_SIZE(keys) && job && good; i++) {
		good = !json_pointer_getf(root, &value, "/jobs/0/%s/%s", job_writes(job) ? "write" : "read", keys[i]);
		*to[i] = good ? json_object_get_double(value) : -1;
		good &= *to[i] > 0;
	}
	json_object_put(root);
	return good;
}

/*
 * Runs fio on PATH, NULL: on no device, with a job or, without one, for a pass over all
 * bytes. After a signal fio is killed, and not waited for: a process whose I/O hangs ends
 * only with that.
 */
static int run(const struct target *t, const char *job, const char *path, struct figure *figure)
{
	static char text[1 << 18];
	enum rx_wait wait = WAIT_EVENT;
	int fd, status = 0, ret = RX_KERNEL;
	struct rx_strv argv = { 0 };
	size_t len = 0;
	ssize_t n = 1;
	pid_t pid;

	add_words(&argv, t, job, path);
	if (rx.dry_run) {
		step_show(quoted_all(&argv));
		strv_free(&argv);
		return RX_OK;
	}
	argv.v = mem_grow(argv.v, argv.n, sizeof(*argv.v));
	argv.v[argv.n] = NULL;
	fd = child_start(argv.v, -1, -1, &pid);
	while (fd >= 0 && n > 0 && len < sizeof(text) - 1 && (wait = wait_fd(fd, -1)) != WAIT_SIGNAL) {
		n = read(fd, text + len, sizeof(text) - 1 - len);
		len += n > 0 ? n : 0;
	}
	text[len] = '\0';
	if (fd >= 0) {
		close(fd);
		if (n > 0)
			kill(pid, SIGKILL);
		if (wait != WAIT_SIGNAL)
			waitpid(pid, &status, 0);
	}
	if (wait == WAIT_SIGNAL)
		say(t->verb, t->name, "interrupted; fio is killed, and ends as soon as its I/O has");
	else if (WIFSIGNALED(status))
		say(t->verb, t->name, "fio was killed by signal %d (%s); try again", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (!status && take(text, job, figure))
		ret = RX_OK;
	else
		say(t->verb, t->name, "fio failed with status %d; is it installed? Its command was: %s",
		    WEXITSTATUS(status), quoted_all(&argv));
	strv_free(&argv);
	return ret;
}

/*
 * Measures a job, and what limits it: a cache has its origin, which is never written here, and
 * a disk has what no RAM disk can beat, fio alone plus a copy of the bytes.
 */
static int measure(const struct target *t, struct rx_row *row)
{
	struct figure *limit = &row->limit;
	int ret = run(t, row->job, t->path, &row->is);

	if (!ret && (!t->origin || !job_writes(row->job)))
		ret = run(t, row->job, t->origin, limit);
	if (ret || limit->iops <= 0)
		return ret;
	if (!t->origin)
		limit->iops = 1e9 / (1e9 / limit->iops + copy_ns(row->is.bytes / row->is.iops));
	row->ratio = row->is.iops / limit->iops;
	return RX_OK;
}

/* Takes the jobs that are named, or all that are allowed. */
static int choose(const struct rx_args *args, const struct target *t, struct rx_strv *jobs)
{
	char *list = mem_dup(args_text(args, "jobs") ? args_text(args, "jobs") : ""), *job, *rest;
	struct rx_strv all = { 0 };
	int ret = RX_OK;
	size_t i;

	bench_jobs(&all);
	for (job = strtok_r(list, ",", &rest); job; job = strtok_r(NULL, ",", &rest))
		strv_add(jobs, job);
	for (i = 0; !*list && i < all.n; i++)
		if (t->write_ok || !job_writes(all.v[i]))
			strv_add(jobs, all.v[i]);
	if (!jobs->n)
		ret = usage_error("%s: there are no jobs in /usr/share/rxdsk/fio; install rxadm anew", t->verb);
	for (i = 0; i < jobs->n && !ret; i++)
		if (!strv_has(&all, jobs->v[i]))
			ret = usage_error("%s: no job '%s'; there are: %s", t->verb, jobs->v[i], strv_join(&all, ", "));
		else if (job_writes(jobs->v[i]) && !t->write_ok)
			ret = usage_error("%s %s: writes destroy the data of %s, its first %s; if that is meant, add --write-ok",
					  t->verb, t->name, t->origin ? "its origin" : "the disk", page_size(t->size));
	strv_free(&all);
	free(list);
	return ret;
}

int cmd_bench(const struct rx_args *args)
{
	struct target t = { .verb = args->verb->name, .time_ns = args_num(args, "time", 2000000000),
			    .write_ok = args_has(args, "write-ok") };
	const struct rx_view *views[] = { &view_jobs };
	struct rx_strv jobs = { 0 };
	struct rx_row *rows = NULL;
	struct figure none;
	size_t i;
	int ret;

	if (!out_columns_valid(views, 1) || !object_any(t.verb, args->objects[0], &t.family, t.name))
		return RX_USAGE;
	ret = find(&t, args_num(args, "size", RX_NONE));
	if (!ret)
		ret = choose(args, &t, &jobs);
	if (!ret && !rx.dry_run)
		ret = hold(&t);
	signals_take();
	/* A disk has no memory to read before it was written, and a cache begins cold. */
	if (!ret && (t.origin || t.write_ok))
		ret = run(&t, NULL, t.path, &none);
	for (i = 0; i < jobs.n && !ret; i++) {
		rows = mem_grow(rows, i, sizeof(*rows));
		rows[i] = (struct rx_row){ .limit = { -1, -1, -1, -1 }, .ratio = -1 };
		snprintf(rows[i].job, sizeof(rows[i].job), "%s", jobs.v[i]);
		ret = measure(&t, &rows[i]);
	}
	if (!ret && !rx.dry_run)
		out_rows(&view_jobs, rows, jobs.n);
	strv_free(&jobs);
	free(rows);
	return ret;
}
