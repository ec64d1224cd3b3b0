// SPDX-License-Identifier: GPL-2.0-only
/*
 * Follows the reads of a cache by the module's tracepoints. Each recorder has an instance
 * of the kernel's tracing to itself: buffers, filters and a clock that nobody else sets.
 * The kernel merges the buffers of all CPUs by time, and prints the text of trace.h.
 *
 * Blocks that the cache reads ahead have no event here before their reader comes. Full
 * buffers lose the newest events, which are counted. So the beginning of a start is whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "kernel/object.h"
#include "warm/readtrace.h"

#define TRACING		"/sys/kernel/tracing"
#define EVENTS		"events/rxcache"
#define BUFFERS_KB	65536		/* of all CPUs together ... */
#define BUFFER_MIN_KB	512		/* ... but of each one at least and at most */
#define BUFFER_MAX_KB	8192
#define TURN		256		/* reads of the pipe before others have their turn */

/* A read takes one or more of these ways, each with an event of its own. */
static const char *const ways[] = { "hit", "miss", "join", "bypass" };

/* Writes TEXT to a file of the instance. Returns false with *WHY set. */
static bool put(const struct read_trace *t, const char *file, const char *text, char *why,
		size_t len)
{
	char *path = mem_text("%s/%s", t->dir, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (!done)
		snprintf(why, len, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return done;
}

static bool has(const struct read_trace *t, const char *file)
{
	char *path = mem_text("%s/%s", t->dir, file);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

/* Says why the instance can't be made or removed, after ERR. */
static void say_why(int err, const char *dir, char *why, size_t len)
{
	char *lockdown = sys_read(sys_path("/sys/kernel/security/lockdown"));

	if (err == EBUSY)
		snprintf(why, len, "%s can't be removed, because another process has a file of it open; see: fuser -vm %s",
			 dir, dir);
	else if (lockdown && strstr(lockdown, "[confidentiality]"))
		snprintf(why, len, "the kernel is locked down (confidentiality), which forbids tracing");
	else if (access(sys_path("/sys/kernel"), F_OK))
		snprintf(why, len, "/sys is not mounted; run: mount -t sysfs sysfs /sys");
	else if (access(sys_path(TRACING), F_OK))
		snprintf(why, len, "this kernel was built without tracing (CONFIG_EVENT_TRACING)");
	else if (err == ENOENT)
		snprintf(why, len, TRACING " is not mounted; run: mount -t tracefs tracefs " TRACING);
	else
		snprintf(why, len, "%s: %s", dir, strerror(err));
	free(lockdown);
}

/*
 * Makes the instance. The caller has the lock of the cache's record, so an instance that
 * is there was left by a recorder that was killed.
 */
static bool make_instance(struct read_trace *t, char *why, size_t len)
{
	int err = mkdir(t->dir, 0700) ? errno : 0;

	if (err == EEXIST)
		err = rmdir(t->dir) || mkdir(t->dir, 0700) ? errno : 0;
	if (!err)
		return true;
	say_why(err, t->dir, why, len);
	free(t->dir);
	t->dir = NULL;
	return false;
}

/*
 * Clears options that an instance takes over from the top level: those that print events
 * in another form, that make each event larger, and that let nobody wait for less than
 * half a buffer. Some kernels lack some of them.
 */
static bool clear_options(const struct read_trace *t, char *why, size_t len)
{
	static const char *const options[] = {
		"options/raw", "options/hex", "options/bin", "options/fields",
		"options/block", "options/stacktrace", "options/userstacktrace",
		"options/context-info",
	};
	bool done = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options) && done; i++)
		done = !has(t, options[i]) || put(t, options[i], "0", why, len);
	return done;
}

static bool set_buffers(const struct read_trace *t, char *why, size_t len)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), kb = BUFFERS_KB / (cpus > 0 ? cpus : 1);
	char text[24];

	if (kb < BUFFER_MIN_KB)
		kb = BUFFER_MIN_KB;
	snprintf(text, sizeof(text), "%ld", kb < BUFFER_MAX_KB ? kb : BUFFER_MAX_KB);
	return put(t, "buffer_size_kb", text, why, len) &&
	       put(t, "options/overwrite", "0", why, len) &&
	       /* The default clock differs from CPU to CPU. */
	       put(t, "trace_clock", "mono", why, len);
}

static bool open_pipe(struct read_trace *t, char *why, size_t len)
{
	char *path = mem_text("%s/trace_pipe", t->dir);

	t->pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (t->pipe < 0)
		snprintf(why, len, "%s: %s", path, strerror(errno));
	free(path);
	return t->pipe >= 0;
}

/* Lets only events of the cache through, and switches those of reads on. */
static bool begin(const struct read_trace *t, char *why, size_t len)
{
	char filter[48], file[64];
	bool done = true;
	size_t i;

	/* As the kernel counts devices, which is not how makedev() does. */
	snprintf(filter, sizeof(filter), "dev == %" PRIu64, t->major << 20 | t->minor);
	for (i = 0; i < ARRAY_SIZE(ways) && done; i++) {
		snprintf(file, sizeof(file), EVENTS "/rxcache_%s/filter", ways[i]);
		done = put(t, file, filter, why, len);
	}
	for (i = 0; i < ARRAY_SIZE(ways) && done; i++) {
		snprintf(file, sizeof(file), EVENTS "/rxcache_%s/enable", ways[i]);
		done = put(t, file, "1", why, len);
	}
	return done;
}

static bool has_events(const struct read_trace *t, char *why, size_t len)
{
	if (has(t, EVENTS))
		return true;
	snprintf(why, len, "the module rxcache has no tracepoints here (CONFIG_EVENT_TRACING)");
	return false;
}

/*
 * Begins to follow the reads of CACHE, whose record the caller has locked. Returns false
 * if that can't be, with the reason in WHY.
 */
bool readtrace_open(struct read_trace *t, const struct rx_cache *cache, char *why, size_t len)
{
	*t = (struct read_trace){ .major = cache->major, .minor = cache->minor, .pipe = -1 };
	t->dir = mem_dup(sys_path(TRACING "/instances/rxadm-%s", cache->name));
	if (!make_instance(t, why, len))
		return false;
	if (has_events(t, why, len) && clear_options(t, why, len) &&
	    set_buffers(t, why, len) && open_pipe(t, why, len) && begin(t, why, len))
		return true;
	readtrace_close(t, NULL, 0);
	return false;
}

/*
 * Reads a line of the pipe. Returns false for one that is no read of the cache, such as
 * the kernel's note that events were lost.
 */
bool readtrace_parse(const struct read_trace *t, const char *line, uint64_t *first,
		     uint64_t *blocks)
{
	uint64_t major, minor;

	return sscanf(line, "rxcache_%*[a-z]: %" SCNu64 ",%" SCNu64 " block %" SCNu64
		      " + %" SCNu64, &major, &minor, first, blocks) == 4 &&
	       major == t->major && minor == t->minor;
}

/* Takes the whole lines of the text, and keeps the rest. */
static void take_lines(struct read_trace *t, read_trace_take *take, void *arg)
{
	char *line = t->text, *end;
	uint64_t first, blocks;

	t->text[t->len] = '\0';
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (readtrace_parse(t, line, &first, &blocks))
			take(arg, first, blocks);
	}
	t->len -= line - t->text;
	/* No line of the kernel is that long. */
	if (t->len == sizeof(t->text) - 1)
		t->len = 0;
	memmove(t->text, line, t->len);
}

/*
 * Takes what has been read up to now, as far as it goes in one turn. Returns whether there
 * was anything.
 */
bool readtrace_take(struct read_trace *t, read_trace_take *take, void *arg)
{
	ssize_t n;
	int i;

	for (i = 0; i < TURN; i++) {
		n = read(t->pipe, t->text + t->len, sizeof(t->text) - 1 - t->len);
		if (n <= 0)
			break;
		t->len += n;
		take_lines(t, take, arg);
	}
	return i;
}

/* Returns how many events the kernel has lost, for want of room in the buffers. */
static uint64_t lost(const struct read_trace *t)
{
	static const char *const keys[] = { "\noverrun: ", "\ncommit overrun: ",
					    "\ndropped events: " };
	struct rx_strv cpus = { 0 };
	char *path = mem_text("%s/per_cpu", t->dir), *file, *text, *at;
	uint64_t sum = 0;
	size_t i, j;

	sys_entries(&cpus, path);
	for (i = 0; i < cpus.n; i++) {
		file = mem_text("%s/%s/stats", path, cpus.v[i]);
		text = sys_read(file);
		for (j = 0; text && j < ARRAY_SIZE(keys); j++) {
			at = strstr(text, keys[j]);
			sum += at ? strtoull(at + strlen(keys[j]), NULL, 10) : 0;
		}
		free(text);
		free(file);
	}
	strv_free(&cpus);
	free(path);
	return sum;
}

/* Ends, and takes what is left. Returns how many events were lost. */
uint64_t readtrace_stop(struct read_trace *t, read_trace_take *take, void *arg)
{
	char why[64];

	put(t, "tracing_on", "0", why, sizeof(why));
	while (readtrace_take(t, take, arg))
		;
	return lost(t);
}

/*
 * Removes the instance. Returns false if that can't be, with the reason in WHY. What is
 * left then records nothing, and has small buffers unless somebody reads them.
 */
bool readtrace_close(struct read_trace *t, char *why, size_t len)
{
	int err;

	if (t->pipe >= 0)
		close(t->pipe);
	put(t, "events/enable", "0", NULL, 0);
	put(t, "buffer_size_kb", "1", NULL, 0);
	err = rmdir(t->dir) && errno != ENOENT ? errno : 0;
	if (err)
		say_why(err, t->dir, why, len);
	free(t->dir);
	t->dir = NULL;
	t->pipe = -1;
	return !err;
}
