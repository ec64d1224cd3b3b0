// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb bench measures a disk or a cache with fio. It checks everything before the first
 * request: nothing is written without --write-ok, and never where anybody else could see it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/global.h"
#include "base/page.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "bench/bench.h"
#include "bench/fio.h"
#include "bench/jobs.h"
#include "bench/run.h"
#include "bench/show.h"
#include "kernel/derive.h"
#include "kernel/errtext.h"
#include "kernel/model_gen.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "show/out.h"
#include "system/dev.h"
#include "system/holder.h"
#include "system/locked.h"
#include "system/node.h"
#include "system/users.h"
#include "verb/args.h"
#include "verb/bench.h"

#define MIB		(1ULL << 20)
#define SIZE_DEFAULT	(256 * MIB)
#define TIME_DEFAULT	2000000000ULL
#define TIME_MIN	100000000ULL
#define TIME_MAX	3600000000000ULL
#define OPEN_WAIT_MS	1000

/* The disk or cache that is measured. Of DISK and CACHE only one is used. */
struct target {
	struct rx_disk disk;
	struct rx_cache cache;
	bool is_cache;
};

static bool add_job(struct rx_bench *b, const struct rx_job *job)
{
	struct rx_row *row = &b->rows[b->n];
	size_t i;

	for (i = 0; i < b->n; i++)
		if (b->jobs[i] == job)
			return false;
	b->jobs[b->n++] = job;
	*row = (struct rx_row){ .block = job->block, .depth = job->depth, .hit = -1,
				.was = { -1, -1, -1, -1 } };
	snprintf(row->name, sizeof(row->name), "%s", job->name);
	snprintf(row->rw, sizeof(row->rw), "%s", job->rw);
	snprintf(row->engine, sizeof(row->engine), "%s", fio_engine(job));
	return true;
}

/* Takes the jobs of LIST, or all that are allowed. */
static int choose(struct rx_bench *b, const char *list, bool write_ok)
{
	const struct rx_job *job;
	size_t len;

	for (job = rx_jobs; !list && job->name; job++)
		if (write_ok || !job->writes)
			add_job(b, job);
	for (; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		job = job_find(list, len);
		if (!job)
			return usage_error("%s: no job '%.*s'; see: rxadm help %s", b->verb,
					   (int)len, list, b->verb);
		if (!add_job(b, job))
			return usage_error("%s: the job %s is named twice", b->verb, job->name);
	}
	return b->n ? RX_OK : usage_error("%s: --jobs names no job", b->verb);
}

static bool writes(const struct rx_bench *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		if (b->jobs[i]->writes)
			return true;
	return false;
}

/* Asks the kernel for the device, and sets what fio opens. */
static int find(struct rx_bench *b, struct target *t)
{
	struct rx_cache *c = &t->cache;
	char holder[RX_NAME_LEN], *p;
	struct rx_err err;

	if (nl_get(t->is_cache ? RX_CACHE : RX_DISK, b->name,
		   t->is_cache ? (void *)c : &t->disk, &err))
		return err_report(b->verb, b->name, &err);
	snprintf(b->path, sizeof(b->path), "/dev/%s", b->name);
	if (!t->is_cache) {
		if (!*t->disk.holder)
			return RX_OK;
		say(b->verb, b->name, "is the memory of %s, and nobody else can read it; say: rxadm bench %s",
		    t->disk.holder, holder_active(t->disk.holder, holder));
		return RX_KERNEL;
	}
	if (c->state != RX_STATE_ACTIVE) {
		say(b->verb, b->name, "is %s; see: rxadm list",
		    c->state < RX_STATES ? rx_state_names[c->state] : "not active");
		return RX_KERNEL;
	}
	dev_origin_path(c);
	snprintf(b->origin, sizeof(b->origin), "%s", c->origin_path);
	/* The name for people may be a link, which can come to mean something else. */
	snprintf(b->origin_path, sizeof(b->origin_path), "/dev/%.100s", c->origin);
	for (p = b->origin_path; *p; p++)
		if (*p == '!')
			*p = '/';
	return RX_OK;
}

/*
 * Sets the bytes that are used, whole MiB from the beginning. Of a cache no more than half
 * of what it can hold, so that all of them are in memory.
 */
static int measure_size(struct rx_bench *b, const struct target *t, uint64_t asked)
{
	uint64_t all = t->is_cache ? t->cache.origin_size : t->disk.size, size = SIZE_DEFAULT;
	char text[32];

	if (t->is_cache && model_most(&t->cache) / 2 < size)
		size = model_most(&t->cache) / 2;
	if (asked != RX_NONE) {
		size = asked;
		if (size > all) {
			snprintf(text, sizeof(text), "%s", page_size(size));
			return usage_error("%s %s: --size %s is more than the %s of the device",
					   b->verb, b->name, text, page_size(all));
		}
	}
	b->size = (size < all ? size : all) / MIB * MIB;
	if (b->size)
		return RX_OK;
	say(b->verb, b->name, "too small to measure: requests of 1M have to fit %s",
	    asked != RX_NONE ? "into --size" : t->is_cache ? "into half of the cache" :
	    "into the disk");
	return RX_USAGE;
}

/* Refuses writes that were not asked for, and says what they would destroy. */
static int check_writes(struct rx_bench *b, const struct target *t, bool write_ok)
{
	char *text;

	/* A disk is filled for jobs that read, too. */
	if (!writes(b) && (t->is_cache || !write_ok))
		return RX_OK;
	if (!write_ok && t->is_cache)
		return usage_error("%s %s: writes destroy the data of its origin %s, the first %s of it; if that is meant, add --write-ok",
				   b->verb, b->name, b->origin, page_size(b->size));
	if (!write_ok)
		return usage_error("%s %s: writes destroy the data in its first %s; if that is meant, add --write-ok",
				   b->verb, b->name, page_size(b->size));
	text = t->is_cache || t->disk.read_only == 1 ? NULL : locked_text(&t->disk);
	if (text)
		say(b->verb, b->name, "%s", text);
	free(text);
	if (text)
		return RX_KERNEL;
	if ((t->is_cache ? t->cache.read_only : t->disk.read_only) != 1) {
		b->write_first = !t->is_cache;
		return RX_OK;
	}
	say(b->verb, b->name, "is read-only; leave out --write-ok, and choose jobs that read with --jobs");
	return RX_KERNEL;
}

/* Opens a node that has to be the device that the kernel has named. */
static int open_node(const struct rx_bench *b, const char *path, uint64_t major, uint64_t minor,
		     int flags)
{
	int fd = open(sys_path("%s", path), O_RDONLY | O_CLOEXEC | flags);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && node_is(&st, major, minor)))
		return fd;
	node_say(b->verb, b->name, path + strlen("/dev/"), "the kernel's device");
	close(fd);
	errno = 0;
	return -1;
}

/* Says why writes are refused: users, if any are found, have to go first. */
static int refuse_users(const struct rx_bench *b)
{
	if (!users_say(b->verb, b->name, "", b->name, NULL))
		say(b->verb, b->name, "is in use, and writes would destroy what others see; see who uses it: fuser -v, lsblk");
	return RX_KERNEL;
}

/*
 * Tells whether nobody has the device open. udev opens a device for a moment after it was
 * written, for example by the bench before this one, so this waits for that.
 */
static bool unused(const struct rx_bench *b, struct target *t)
{
	int64_t start = now_ms();
	struct rx_err err;

	if (users_firm(b->name, NULL))
		return false;
	while (or_zero(t->is_cache ? t->cache.open : t->disk.open)) {
		if (now_ms() - start >= (udev_busy() ? UDEV_WAIT_MS : OPEN_WAIT_MS) ||
		    wait_fd(-1, 50) == WAIT_SIGNAL ||
		    nl_get(t->is_cache ? RX_CACHE : RX_DISK, b->name,
			   t->is_cache ? (void *)&t->cache : &t->disk, &err))
			return false;
	}
	return true;
}

/*
 * Opens the device until the end, so that it stays the same one. Where fio writes, nobody
 * else can mount it or claim it any more.
 */
static int hold(const struct rx_bench *b, struct target *t)
{
	uint64_t major = t->is_cache ? t->cache.major : t->disk.major;
	uint64_t minor = t->is_cache ? t->cache.minor : t->disk.minor;
	bool alone = writes(b) || b->write_first;
	int fd;

	if (alone && !unused(b, t))
		return refuse_users(b);
	fd = open_node(b, b->path, major, minor, alone ? O_EXCL : 0);
	if (fd < 0 && errno == EBUSY)
		return refuse_users(b);
	if (fd < 0 && errno)
		say(b->verb, b->name, "%s: %s%s", b->path, strerror(errno),
		    errno == EACCES || errno == EPERM ? "; run it as root" : "");
	if (fd < 0)
		return RX_KERNEL;
	if (t->is_cache) {
		fd = open_node(b, b->origin_path, t->cache.origin_major, t->cache.origin_minor, 0);
		if (fd < 0 && errno)
			say(b->verb, b->name, "its origin %s: %s", b->origin_path,
			    strerror(errno));
		if (fd < 0)
			return RX_KERNEL;
		close(fd);
	}
	return RX_OK;
}

/* Without data there is nothing in memory that a read could copy. */
static void hint_empty(const struct rx_bench *b, const struct target *t)
{
	if (!t->is_cache && !b->write_first && t->disk.used < b->size && !rx.quiet)
		say_hint(b->verb, b->name, "only %s of the disk hold data, and reads of the rest find no memory to copy; to fill it first: --write-ok",
			 page_size(t->disk.used));
}

static int bench(struct rx_bench *b, struct target *t, const struct rx_args *args)
{
	bool write_ok = args_has(args, "write-ok");
	struct rx_strv commands = { 0 };
	int ret = choose(b, args_text(args, "jobs"), write_ok);

	if (!ret)
		ret = find(b, t);
	if (!ret)
		ret = measure_size(b, t, args_num(args, "size", RX_NONE));
	if (!ret)
		ret = check_writes(b, t, write_ok);
	if (ret)
		return ret;
	if (args_text(args, "compare") && !bench_load(b, args_text(args, "compare")))
		return RX_USAGE;
	if (rx.dry_run) {
		bench_dry(b, &commands);
		bench_show_commands(&commands);
		strv_free(&commands);
		return RX_OK;
	}
	if (!fio_find(b->verb, b->name))
		return RX_ABSENT;
	ret = hold(b, t);
	if (ret)
		return ret;
	hint_empty(b, t);
	ret = bench_run(b);
	if (!ret)
		bench_show(b);
	return ret;
}

int cmd_bench(const struct rx_args *args)
{
	const struct rx_view *views[] = { &view_jobs };
	struct rx_bench b = { .verb = args->verb->name,
			      .time_ns = args_num(args, "time", TIME_DEFAULT) };
	enum rx_family family;
	struct target t;

	if (!out_columns_valid(views, 1))
		return RX_USAGE;
	if (b.time_ns < TIME_MIN || b.time_ns > TIME_MAX)
		return usage_error("%s: the time of a job is 100ms to 1h", b.verb);
	if (!object_any(b.verb, args->objects[0], &family, b.name))
		return RX_USAGE;
	t.is_cache = b.cache = family == RX_CACHE;
	return bench(&b, &t, args);
}
