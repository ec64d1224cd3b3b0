// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb bench measures a disk or a cache with jobs of fio, each beside its limit. Nothing
 * is written without --write-ok, and never where anybody else could see it.
 * A file of fio says which requests its job makes, and its name whether it writes ("write") and
 * has several requests at a time ("-x"). fio and its threads are killed with this process.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <json-c/json.h>

#include "args/args.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/page.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "kernel/derive.h"
#include "kernel/events.h"
#include "run/dryrun.h"
#include "run/fetch.h"
#include "show/json.h"
#include "show/out.h"
#include "system/node.h"
#include "system/users.h"
#include "verb/bench.h"

#define MIB		(1ULL << 20)
#define MEMORY		(64 * MIB)	/* this much does not stay in most caches of a processor */

enum { IOPS, BYTES, MEAN, P99, FIGURES };

struct rx_row {
	char job[64];
	double is[FIGURES], limit[FIGURES], ratio;	/* below 0: not known */
};

struct bench {
	char name[RX_NAME_LEN];
	struct rx_event now;	/* the device, as the kernel last told it */
	char *limit;		/* the path of the origin or, for a disk, of memory */
	uint64_t size, time_ms;
	bool write_ok;
	struct rx_row *rows;
	size_t n;
};

#define ROW(name, key, group, type, field, help) COL(rx_row, name, key, group, type, field, NULL, COL_DEFAULT, help)
static const struct rx_col job_cols[] = {
	ROW("JOB", "name", NULL, COL_TEXT, job, "name of the job"),
	ROW("IOPS", "iops", NULL, COL_RATE, is[IOPS], "requests per second"),
	ROW("MIB/S", "bytes_per_s", NULL, COL_MIB, is[BYTES], "MiB per second"),
	ROW("MEAN", "mean_ns", NULL, COL_US, is[MEAN], "average time of a request"),
	ROW("P99", "p99_ns", NULL, COL_US, is[P99], "time that 99 % of the requests stayed below"),
	ROW("LIMIT", "iops", "limit", COL_RATE, limit[IOPS], "requests per second of the origin, or of memory itself"),
	ROW("RATIO", "ratio", "limit", COL_TIMES, ratio, "IOPS / LIMIT"),
	{ .help = NULL }
};

const struct rx_view view_jobs = { "jobs", job_cols, sizeof(struct rx_row), "bench" };

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

/* Makes rows for the jobs that are named, or for all that are allowed. */
static int choose(struct bench *b, const char *named)
{
	char *list, *rest, *job;
	struct rx_strv all = { 0 };
	int ret = RX_OK;

	bench_jobs(&all);
	list = rest = named ? mem_dup(named) : strv_join(&all, ",");
	if (!all.n)
		ret = usage_error("bench: there are no jobs in /usr/share/rxdsk/fio; install rxadm anew");
	while (!ret && (job = strsep(&rest, ","))) {
		if (!strv_has(&all, job)) {
			ret = usage_error("bench: no job '%s'; there are: %s", job, strv_join(&all, ", "));
		} else if (b->write_ok || !strstr(job, "write")) {
			b->rows = mem_grow(b->rows, b->n, sizeof(*b->rows));
			snprintf(b->rows[b->n++].job, sizeof(b->rows->job), "%s", job);
		} else if (named) {
			ret = usage_error("bench %s: writes destroy the data of %s, its first %s; if that is meant, add --write-ok",
					  b->name, b->now.family == RX_CACHE ? "its origin" : "the disk", page_size(b->size));
		}
	}
	strv_free(&all);
	free(list);
	return ret;
}

/*
 * Opens the device until the end, so that it stays the same one. Where fio may write, nobody
 * else has it, and nobody can mount or claim it any more. udev has a device for a moment after
 * it was written, for example by the bench before this one.
 */
static int take(struct bench *b, uint64_t asked)
{
	const struct rx_cache *cache = &b->now.cache;
	uint64_t all, most = 256 * MIB;
	int64_t start = now_ms();
	int ret, fd;

	do
		ret = fetch_one("bench", b->now.family, b->name, &b->now);
	while (!ret && b->write_ok && or_zero(cache->open) && !users_firm(b->name, NULL) &&
	       now_ms() - start < (udev_busy() ? UDEV_WAIT_MS : 1000) && wait_fd(-1, 50) == WAIT_TIMEOUT);
	if (ret)
		return ret;
	if (b->write_ok && or_zero(cache->open)) {
		if (!users_say("bench", b->name, "", b->name, NULL))
			say("bench", b->name, "is in use, and writes would destroy what others see; see who uses it: fuser -v, lsblk");
		return RX_KERNEL;
	}
	/* The kernel lets root open such a device for writing. */
	if (b->write_ok && cache->read_only == 1) {
		say("bench", b->name, "is read-only; if it may be written, run: blockdev --setrw /dev/%s", b->name);
		return RX_KERNEL;
	}
	if (cache->family == RX_CACHE) {
		b->limit = mem_swap(mem_text("/dev/%s", cache->origin), '!', '/');
		all = cache->origin_size;
		/* Half of a cache, so that all of it is in memory. */
		most = model_most(cache) / 2 < most ? model_most(cache) / 2 : most;
	} else if (*b->now.disk.holder) {
		say("bench", b->name, "is the memory of %s, and nobody else can read it; measure the cache instead",
		    b->now.disk.holder);
		return RX_KERNEL;
	} else {
		fd = memfd_create("bench", 0);
		ret = fd < 0 ? errno : rx.dry_run ? 0 : posix_fallocate(fd, 0, MEMORY);
		if (ret) {
			say("bench", b->name, "%s of memory to compare with: %s", page_size(MEMORY), strerror(ret));
			return RX_KERNEL;
		}
		b->limit = mem_text("/proc/self/fd/%d", fd);
		all = b->now.disk.size;
	}
	b->size = (asked != RX_NONE ? asked : most < all ? most : all) / MIB * MIB;
	if (!b->size || b->size > all)
		return usage_error("bench %s: measures 1M or more, and no more than the %s of the device; see --size",
				   b->name, page_size(all));
	return rx.dry_run ? RX_OK : users_open("bench", &b->now.device, b->write_ok ? O_RDWR | O_EXCL : O_RDONLY, &fd);
}

/* Runs a job on the device or its limit for MS or, if that is 0, until all bytes had a request. */
static int run(const struct bench *b, const char *job, bool limit, uint64_t ms, double *figures)
{
	static const char *const keys[FIGURES] = { "iops", "bw_bytes", "lat_ns/mean", "lat_ns/percentile/99.000000" };
	char *off = sys_read(sys_path("/proc/sys/kernel/io_uring_disabled")), *text;
	bool memory = limit && b->now.family == RX_DISK;
	struct json_object *root, *value;
	struct rx_strv argv = { 0 };
	int status, i;

	/* Root runs this, so neither PATH nor the current folder may choose the program. */
	strv_add(&argv, sys_path("/usr/bin/fio"));
	strv_print(&argv, "--filename=%s%s", limit ? "" : "/dev/", limit ? b->limit : b->name);
	strv_print(&argv, "--size=%s", page_count(memory ? MEMORY : b->size));
	/* Where the kernel does not let anybody use io_uring, libaio does the same more slowly. */
	strv_print(&argv, "--ioengine=%s", memory || !strstr(job, "-x") ? "psync" :
		   off && *off == '2' ? "libaio" : "io_uring");
	strv_print(&argv, "--direct=%d", !memory);
	strv_print(&argv, "--time_based=%d", ms > 0);
	strv_print(&argv, "--runtime=%sms", page_count(ms));
	strv_add(&argv, "--output-format=json");
	if (!strstr(job, "write"))
		strv_add(&argv, "--readonly");
	strv_print(&argv, "%s/%s.fio", sys_path("%s", jobs_dir()), job);
	free(off);
	if (rx.dry_run) {
		step_show(quoted_all(&argv));
		strv_free(&argv);
		return RX_OK;
	}
	text = child_run(argv.v, -1, -1, &status);
	root = json_tokener_parse(text + strcspn(text, "{"));	/* notes may stand before it */
	for (i = 0; i < FIGURES && !json_pointer_getf(root, &value, "/jobs/0/%s/%s", strstr(job, "write") ? "write" : "read", keys[i]); i++)
		figures[i] = json_object_get_double(value);
	if (WIFSIGNALED(status))
		say("bench", b->name, "fio was killed by signal %d (%s); try again", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (status || i < FIGURES)
		say("bench", b->name, "fio failed with status %d; is it installed? Its command was: %s",
		    WEXITSTATUS(status), quoted_all(&argv));
	json_object_put(root);
	free(text);
	strv_free(&argv);
	return status || i < FIGURES ? RX_KERNEL : RX_OK;
}

/*
 * Measures the jobs, and what limits each: a cache has its origin, which is never written
 * here, and a disk has a file in memory.
 */
static int measure(struct bench *b)
{
	bool cache = b->now.family == RX_CACHE;
	struct rx_row *row = b->rows;
	int ret = RX_OK;

	/* A disk has no memory to read before it was written, and a cache begins cold. */
	if (b->n && (cache || b->write_ok))
		ret = run(b, cache ? "read-1m" : "write-1m", false, 0, row->is);
	for (; row < b->rows + b->n && !ret; row++) {
		ret = run(b, row->job, false, b->time_ms, row->is);
		row->limit[IOPS] = -1;
		if (!ret && !(cache && strstr(row->job, "write")))
			ret = run(b, row->job, true, b->time_ms, row->limit);
		row->ratio = row->limit[IOPS] > 0 ? row->is[IOPS] / row->limit[IOPS] : -1;
	}
	return ret;
}

int cmd_bench(const struct rx_args *args)
{
	struct bench b = { .time_ms = args_num(args, "time", 2000000000) / 1000000, .write_ok = args_has(args, "write-ok") };
	const struct rx_view *view = &view_jobs;
	int ret;

	if (!out_columns_valid(&view, 1) || !object_any("bench", args->objects[0], &b.now.family, b.name))
		return RX_USAGE;
	ret = take(&b, args_num(args, "size", RX_NONE));
	if (!ret)
		ret = choose(&b, args_text(args, "jobs"));
	if (!ret)
		ret = measure(&b);
	if (!ret && !rx.dry_run)
		out_rows(&view_jobs, b.rows, b.n);
	return ret;
}
