// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs fio with one of the files of jobs. A file says which requests are made; device, size,
 * time and engine are words before it. fio is killed with this process, and its threads with
 * it, so that nothing goes on.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "bench/fio.h"
#include "show/json.h"

/* Root runs this, so neither PATH nor the current folder may choose the program. */
#define PROGRAM		"/usr/bin/fio"
#define OUTPUT_MAX	(1 << 20)	/* fio prints some KiB */

static const char *const dirs[] = { "/usr/share/rxdsk/fio", "/usr/local/share/rxdsk/fio" };

/* Adds the names of all jobs, those that read before those that write. */
void fio_jobs(struct rx_strv *names)
{
	struct rx_strv files = { 0 };
	struct rx_fio fio;
	size_t i, writes;

	for (i = 0; i < ARRAY_SIZE(dirs) && !files.n; i++)
		sys_entries(&files, sys_path("%s", dirs[i]));
	for (i = 0; i < files.n; i++)
		files.v[i][strcspn(files.v[i], ".")] = '\0';
	strv_sort(&files);
	for (writes = 0; writes < 2; writes++)
		for (i = 0; i < files.n; i++)
			if (fio_job(&fio, files.v[i]) && fio.writes == writes)
				strv_add(names, files.v[i]);
	strv_free(&files);
}

static char *file_of(const char *job)
{
	char *path = mem_text("%s/%s.fio", sys_path("%s", dirs[0]), job);

	if (!access(path, R_OK))
		return path;
	free(path);
	return mem_text("%s/%s.fio", sys_path("%s", dirs[1]), job);
}

/* Sets what the file of the job NAME says of its requests. Returns false if there is none. */
bool fio_job(struct rx_fio *fio, const char *name)
{
	char *path = file_of(name), *text = strchr(name, '/') ? NULL : sys_read(path), *line, *rest;
	char why[64];

	*fio = (struct rx_fio){ .job = name, .depth = 1 };
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
		if (!strncmp(line, "rw=", 3))
			fio->writes = strstr(line, "write");
		else if (!strncmp(line, "bs=", 3))
			size_parse(line + 3, false, &fio->block, why, sizeof(why));
		else if (!strncmp(line, "iodepth=", 8))
			fio->depth = strtoull(line + 8, NULL, 10);
	free(path);
	free(text);
	return fio->block;
}

/* Where the kernel does not let anybody use io_uring, libaio does the same more slowly. */
static const char *engine(const struct rx_fio *fio)
{
	char *off = sys_read(sys_path("/proc/sys/kernel/io_uring_disabled"));
	bool is_off = off && *off == '2';

	free(off);
	return !fio->path ? "null" : fio->depth == 1 ? "psync" : is_off ? "libaio" : "io_uring";
}

void fio_command(const struct rx_fio *fio, struct rx_strv *argv)
{
	char *file;

	strv_add(argv, sys_path(PROGRAM));
	strv_print(argv, "--filename=%s", fio->path ? fio->path : "none");
	strv_print(argv, "--size=%" PRIu64, fio->size);
	strv_print(argv, "--ioengine=%s", engine(fio));
	strv_add(argv, "--eta=never");
	strv_add(argv, "--output-format=json");
	if (!fio->writes)
		strv_add(argv, "--readonly");
	if (!fio->job) {
		strv_print(argv, "--rw=%s", fio->writes ? "write" : "read");
		strv_add(argv, "--bs=1M");
		strv_add(argv, "--direct=1");
		strv_add(argv, "--thread");
		strv_add(argv, "--name=pass");
		return;
	}
	strv_print(argv, "--runtime=%" PRIu64 "ms", fio->time_ns / 1000000);
	file = file_of(fio->job);
	strv_add(argv, file);
	free(file);
}

/* Takes the figures from fio's output, which may have notes before its JSON. */
static bool take(const struct rx_fio *fio, const char *text, struct rx_figure *figure)
{
	const char *begin = *text == '{' ? text : strstr(text, "\n{");
	struct json_object *root = begin ? json_tokener_parse(begin) : NULL, *jobs, *job, *side, *lat, *part;
	double error = -1, ios = 0;
	bool good = json_object_object_get_ex(root, "jobs", &jobs) &&
		    json_object_is_type(jobs, json_type_array) && json_object_array_length(jobs) == 1 &&
		    (job = json_object_array_get_idx(jobs, 0)) && json_number(job, "error", &error) && !error &&
		    json_object_object_get_ex(job, fio->writes ? "write" : "read", &side) &&
		    json_number(side, "total_ios", &ios) && ios > 0;

	/* A pass is no measurement. */
	if (good && fio->job)
		good = json_number(side, "iops", &figure->iops) && json_number(side, "bw_bytes", &figure->bytes) &&
		       json_object_object_get_ex(side, "lat_ns", &lat) && json_number(lat, "mean", &figure->mean_ns) &&
		       json_object_object_get_ex(lat, "percentile", &part) &&
		       json_number(part, "99.000000", &figure->p99_ns);
	json_object_put(root);
	return good;
}

/*
 * Reads fio's output up to its end. After a signal fio is killed, and not waited for: a
 * process whose I/O hangs ends only with that.
 */
static enum rx_fio_end collect(int fd, pid_t pid, char *text, int *status)
{
	enum rx_wait wait;
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < OUTPUT_MAX) {
		wait = wait_fd(fd, -1);
		if (wait == WAIT_SIGNAL)
			break;
		n = read(fd, text + len, OUTPUT_MAX - len);
		len += n > 0 ? n : 0;
	}
	close(fd);
	text[len] = '\0';
	if (n > 0)
		kill(pid, SIGKILL);
	if (n > 0 && len < OUTPUT_MAX)
		return FIO_SIGNAL;
	waitpid(pid, status, 0);
	return *status ? FIO_FAILED : FIO_DONE;
}

/* Runs fio to its end, and sets FIGURE. A failure has been said, beside fio's own words. */
enum rx_fio_end fio_run(const struct rx_fio *fio, struct rx_figure *figure)
{
	char *text = mem_zero(OUTPUT_MAX + 1, 1);
	enum rx_fio_end end = FIO_FAILED;
	struct rx_strv argv = { 0 };
	int fd, status = 0;
	pid_t pid;

	*figure = (struct rx_figure){ -1, -1, -1, -1 };
	fio_command(fio, &argv);
	argv.v = mem_grow(argv.v, argv.n, sizeof(*argv.v));
	argv.v[argv.n] = NULL;
	fd = child_start(argv.v, -1, -1, &pid);
	if (fd >= 0)
		end = collect(fd, pid, text, &status);
	if (end == FIO_DONE && !take(fio, text, figure))
		end = FIO_FAILED;
	if (end == FIO_FAILED && WIFSIGNALED(status))
		say(fio->verb, fio->object, "fio was killed by signal %d (%s); try again", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else if (end == FIO_FAILED)
		say(fio->verb, fio->object, "fio failed with status %d; is it installed? Its command was: %s",
		    WEXITSTATUS(status), quoted_all(&argv));
	strv_free(&argv);
	free(text);
	return end;
}
