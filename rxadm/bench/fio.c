// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs fio for one job and reads its JSON. Of fio's other forms, its status lines are for
 * people and differ between versions; how far a job is, the clock and the kernel's counters
 * tell.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "bench/bench.h"
#include "bench/fio.h"
#include "show/json.h"

#define TICK_MS		200
#define OUTPUT_MAX	(4 << 20)	/* fio prints some KiB */

static char *program;

/*
 * Finds fio. Root runs this, so neither PATH nor the current folder may choose the
 * program. Returns false after it has said so if fio is not there.
 */
bool fio_find(const char *verb, const char *object)
{
	static const char *const dirs[] = { "/usr/bin", "/usr/local/bin", "/bin" };
	const char *path;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		path = sys_path("%s/fio", dirs[i]);
		if (access(path, X_OK))
			continue;
		program = mem_dup(path);
		return true;
	}
	say(verb, object, "needs the program fio, which is not installed; install it: apt install fio, or dnf install fio");
	return false;
}

/* Where the kernel does not let anybody use io_uring, libaio does the same more slowly. */
const char *fio_engine(const struct rx_job *job)
{
	char *off;
	bool is;

	if (job->depth == 1)
		return "psync";
	off = sys_read(sys_path("/proc/sys/kernel/io_uring_disabled"));
	is = off && !strcmp(off, "2");
	free(off);
	return is ? "libaio" : "io_uring";
}

/* Makes the command. Threads instead of processes: nothing is left when fio is killed. */
static void command(const struct rx_fio_run *run, struct rx_strv *v)
{
	const struct rx_job *job = run->job;

	strv_add(v, program ? program : "fio");
	strv_print(v, "--name=%s", job->name);
	strv_print(v, "--filename=%s", run->path ? run->path : "none");
	strv_print(v, "--rw=%s", job->rw);
	strv_print(v, "--bs=%" PRIu64, job->block);
	strv_print(v, "--size=%" PRIu64, run->bench->size);
	strv_print(v, "--ioengine=%s", run->path ? fio_engine(job) : "null");
	strv_print(v, "--iodepth=%" PRIu64, job->depth);
	/* Of 32 requests, 16 are collected and submitted at once. */
	if (job->depth > 1) {
		strv_print(v, "--iodepth_batch_submit=%" PRIu64, job->depth / 2);
		strv_print(v, "--iodepth_batch_complete_min=%" PRIu64, job->depth / 2);
	}
	if (!job->writes)
		strv_add(v, "--readonly");
	if (run->time_ns) {
		strv_add(v, "--time_based");
		strv_print(v, "--runtime=%" PRIu64 "ms", run->time_ns / 1000000);
		strv_add(v, "--norandommap");
		strv_add(v, "--randrepeat=0");
	}
	strv_add(v, "--direct=1");
	strv_add(v, "--thread");
	strv_add(v, "--lat_percentiles=1");
	strv_add(v, "--clat_percentiles=0");
	strv_add(v, "--eta=never");
	strv_add(v, "--output-format=json");
}

/* Returns the command in one line. The caller frees it. */
char *fio_line(const struct rx_fio_run *run)
{
	struct rx_strv v = { 0 };
	char *line;

	command(run, &v);
	line = mem_dup(quoted_all(&v));
	strv_free(&v);
	return line;
}

struct output {
	char *text;
	size_t len;
};

/* Adds what fio has printed. Returns false at the end, and for more than OUTPUT_MAX. */
static bool take_some(struct output *o, int fd)
{
	ssize_t n;

	o->text = realloc(o->text, o->len + 65536 + 1);
	if (!o->text)
		abort();
	n = read(fd, o->text + o->len, 65536);
	if (n < 0 && errno == EINTR)
		return true;
	if (n > 0)
		o->len += n;
	o->text[o->len] = '\0';
	return n > 0 && o->len < OUTPUT_MAX;
}

/*
 * Waits for the end of a process that is going to end, and returns its status. A signal is
 * obeyed at once, because a process whose I/O hangs ends only with that; then this returns
 * -1.
 */
static int reap(pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0), status = 0;
	enum rx_wait end = fd < 0 ? WAIT_EVENT : wait_fd(fd, -1);

	if (fd >= 0)
		close(fd);
	if (end == WAIT_SIGNAL) {
		kill(pid, SIGKILL);
		say("bench", NULL, "fio (pid %d) is killed, and ends as soon as the kernel ends its I/O",
		    (int)pid);
		return -1;
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Reads all of the output and kills fio if a signal comes. */
static enum rx_fio collect(const struct rx_fio_run *run, int fd, pid_t pid, struct output *o,
			   int *status)
{
	enum rx_fio end = FIO_DONE;

	for (;;) {
		switch (wait_fd(fd, TICK_MS)) {
		case WAIT_SIGNAL:
			end = FIO_SIGNAL;
			break;
		case WAIT_TIMEOUT:
			if (run->tick)
				run->tick(run->arg);
			continue;
		default:
			if (take_some(o, fd))
				continue;
			break;
		}
		break;
	}
	close(fd);
	if (end == FIO_SIGNAL || o->len >= OUTPUT_MAX)
		kill(pid, SIGKILL);
	*status = reap(pid);
	return *status < 0 ? FIO_SIGNAL : end;
}

/* Takes the figures of fio's one job. Returns false if something is missing. */
static bool take(const struct rx_fio_run *run, struct json_object *root,
		 struct rx_figure *figure, char *version, size_t len)
{
	struct json_object *jobs, *job, *side, *lat, *percentile, *text;
	double error, ios;

	if (!json_object_object_get_ex(root, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array) || json_object_array_length(jobs) != 1)
		return false;
	job = json_object_array_get_idx(jobs, 0);
	if (!json_number(job, "error", &error) || error != 0 ||
	    !json_object_object_get_ex(job, run->job->writes ? "write" : "read", &side) ||
	    !json_number(side, "total_ios", &ios) || ios < 1 ||
	    !json_number(side, "iops", &figure->iops) ||
	    !json_number(side, "bw_bytes", &figure->bytes) ||
	    !json_object_object_get_ex(side, "lat_ns", &lat) ||
	    !json_number(lat, "mean", &figure->mean_ns) ||
	    !json_object_object_get_ex(lat, "percentile", &percentile) ||
	    !json_number(percentile, "99.000000", &figure->p99_ns))
		return false;
	if (json_object_object_get_ex(root, "fio version", &text))
		snprintf(version, len, "%s", json_object_get_string(text));
	return true;
}

/* fio may print notes before its JSON. */
static struct json_object *find_json(const char *text)
{
	const char *p = text;

	while (p && *p != '{')
		p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
	return p ? json_tokener_parse(p) : NULL;
}

/* Says why there are no figures: fio's own words, if it has any, or how it ended. */
static void explain(const struct rx_fio_run *run, int errors, int status)
{
	const struct rx_bench *bench = run->bench;
	char text[512] = "", *line = text;
	ssize_t n = errors < 0 ? 0 : pread(errors, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	line += strspn(line, "\n ");
	line[strcspn(line, "\n")] = '\0';
	if (WIFSIGNALED(status))
		say(bench->verb, bench->name, "%s: fio was killed by signal %d (%s), and nothing of it goes on; try again",
		    run->job->name, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == CHILD_NOT_RUN)
		say(bench->verb, bench->name, "%s can't be run; install fio anew", program);
	else if (*line)
		say(bench->verb, bench->name, "%s: %s; its command is in: rxadm bench %s --jobs %s --dry-run",
		    run->job->name, line, bench->name, run->job->name);
	else
		say(bench->verb, bench->name, "%s: fio ended with status %d and printed no figures that rxadm understands; its command is in: rxadm bench %s --jobs %s --dry-run",
		    run->job->name, WEXITSTATUS(status), bench->name, run->job->name);
}

/*
 * Runs fio to its end and sets FIGURE and VERSION. A failure has been explained. After a
 * signal fio is gone.
 */
enum rx_fio fio_run(const struct rx_fio_run *run, struct rx_figure *figure, char *version,
		    size_t len)
{
	int errors = memfd_create("fio", MFD_CLOEXEC), fd, status = 0;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct json_object *root = NULL;
	struct output output = { 0 };
	struct rx_strv argv = { 0 };
	enum rx_fio end = FIO_FAILED;
	pid_t pid;

	command(run, &argv);
	argv.v = mem_grow(argv.v, argv.n, sizeof(*argv.v));
	argv.v[argv.n] = NULL;
	fd = child_start(argv.v, nothing, errors, &pid);
	if (fd < 0) {
		say(run->bench->verb, run->bench->name, "%s: %s", program, strerror(errno));
	} else {
		end = collect(run, fd, pid, &output, &status);
		root = output.text ? find_json(output.text) : NULL;
	}
	if (fd >= 0 && end == FIO_DONE &&
	    (status || !root || !take(run, root, figure, version, len))) {
		explain(run, errors, status);
		end = FIO_FAILED;
	}
	json_object_put(root);
	free(output.text);
	strv_free(&argv);
	if (errors >= 0)
		close(errors);
	if (nothing >= 0)
		close(nothing);
	return end;
}
