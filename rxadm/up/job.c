// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the commands of a plan, each as a process of its own, and says what became of them.
 * A command keeps the lock of its line: if this process is killed, the next up or down
 * waits for the end of the command that was begun.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "image/mark.h"
#include "kernel/name.h"
#include "system/node.h"
#include "table/table.h"
#include "up/job.h"
#include "up/look.h"

#define LOOK_MS		50
#define LEAST_MS	10000	/* for a command that is timed, however late it begins */

/*
 * Waits until no other run of up or down works on NAME, or for a signal: two at once would
 * take what is half done for what is there, or remove each other's notes in /run, see
 * image/mark.c. Returns the lock, which close() gives back, or -1. Without a directory for
 * the lock the steps fail by themselves, and a user who is not root is refused by them. A
 * dry run changes nothing.
 */
int tab_lock(const char *verb, const char *name)
{
	bool said = false;
	int fd = -1, err;

	if (rx.dry_run || sys_absent())
		return -1;
	while ((err = sys_try_lock(sys_path(SYS_RUN "/tab-%s.lock", name), &fd)) == EWOULDBLOCK) {
		if (!said)
			say_hint(verb, name, "waits for another rxadm that works on it, see: fuser -v "
				 SYS_RUN "/tab-%s.lock", name);
		said = true;
		if (wait_fd(-1, LOOK_MS) == WAIT_SIGNAL)
			break;
	}
	if (err && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Fails the job and keeps WHAT, the reason. FMT and the rest say what to do next. */
void job_fail(struct tab_job *job, char *what, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	job->next = mem_vtext(fmt, ap);
	va_end(ap);
	job->what = what;
	job->result = UP_FAILED;
	if (!job->status)
		job->status = RX_KERNEL;
}

static void show(struct tab_job *job, const struct rx_strv *words)
{
	char *text = mem_text("rxadm %s", quoted_all(words));

	strv_add(&job->steps, text);
	if (!rx.json && !rx.quiet)
		printf("[#] %s\n", text);
	free(text);
	fflush(stdout);
}

/*
 * What the command prints on its standard output is not ours. It has a process group of its
 * own, because a terminal would send it the signals that we pass on.
 */
static void __attribute__((noreturn)) become(const struct rx_strv *words,
					     const struct tab_common *common, pid_t parent, int out)
{
	static char *const colors[] = { "--color=auto", "--color=always", "--color=never" };
	char **argv = mem_zero(words->n + 6, sizeof(*argv)), **arg = argv;
	sigset_t none;
	size_t i;

	*arg++ = "rxadm";
	for (i = 0; i < words->n; i++)
		*arg++ = words->v[i];
	*arg++ = "--quiet";
	*arg++ = colors[rx.color];
	if (rx.json)
		*arg++ = "--json";
	if (rx.dry_run)
		*arg++ = "--dry-run";
	setpgid(0, 0);
	if (common->tied) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(RX_KERNEL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (common->lock >= 0)
		fcntl(common->lock, F_SETFD, 0);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	execv("/proc/self/exe", argv);
	say("up", NULL, "/proc/self/exe: %s", strerror(errno));
	_exit(RX_KERNEL);
}

/* Returns NULL if KEY has none. */
static const char *json_text(struct json_object *from, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(from, key, &value);
	return json_object_get_string(value);
}

/* Keeps, for our own JSON, what a command has said in its JSON. */
static void take_messages(int out)
{
	struct json_object *root, *all = NULL, *one;
	size_t i;

	if (!rx.json || lseek(out, 0, SEEK_SET))
		return;
	root = json_object_from_fd(out);
	json_object_object_get_ex(root, "messages", &all);
	for (i = 0; all && i < json_object_array_length(all); i++) {
		one = json_object_array_get_idx(all, i);
		said_add(json_text(one, "verb"), json_text(one, "object"), json_text(one, "text"));
	}
	json_object_put(root);
}

/* Waits for the command. Signals are for it, too, and it has more to do than die of them. */
static int await(pid_t pid, int64_t end, bool *late)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status = 0;
	enum rx_wait news = fd < 0 ? WAIT_EVENT : WAIT_TIMEOUT;
	int64_t left;

	*late = false;
	while (news != WAIT_EVENT) {
		left = end && !*late ? end - now_ms() : -1;
		news = wait_fd(fd, end && !*late && left < 0 ? 0 : (long)left);
		if (news == WAIT_SIGNAL)
			kill(pid, signals_last());
		if (news == WAIT_TIMEOUT) {
			*late = true;
			kill(pid, SIGTERM);
		}
	}
	if (fd >= 0)
		close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : RX_KERNEL;
}

/* Returns its exit code. END: when it is told to end, or 0; then LATE is set. */
static int execute(const struct rx_strv *words, const struct tab_common *common, int64_t end, bool *late)
{
	int out = rx.json ? memfd_create("rxadm", MFD_CLOEXEC) :
			    open("/dev/null", O_WRONLY | O_CLOEXEC), status = RX_KERNEL;
	pid_t pid, parent = getpid();

	fflush(NULL);
	pid = fork();
	if (!pid)
		become(words, common, parent, out);
	if (pid < 0)
		say("up", NULL, "can't start a process: %s", strerror(errno));
	else
		status = await(pid, end, late);
	take_messages(out);
	if (out >= 0)
		close(out);
	return status;
}

/* Adds NAME, of a partition the name of its disk or cache. */
static void touch(struct rx_strv *names, const char *name)
{
	char whole[RX_NAME_LEN];
	enum rx_family family;

	if (*name)
		strv_add(names, name_whole(name, &family, whole) ? whole : name);
}

/* Adds what the commands of the job are about. */
static void touch_all(struct rx_strv *names, const struct tab_job *job)
{
	const char *origin = job->line->text[TAB_ORIGIN];

	touch(names, job->line->name);
	if (job->line->disk)
		touch(names, job->line->disk->name);
	if (origin && !strncmp(origin, "/dev/", 5))
		touch(names, origin + 5);
	if (job->line->family == RX_CACHE && job->is.there) {
		touch(names, job->is.cache.disk);
		touch(names, job->is.cache.origin);
	}
}

/*
 * A dry run has a command say whether it would be refused, unless that depends on what an
 * earlier one has not done.
 */
static bool is_next(const struct tab_job *job, const struct tab_common *common)
{
	struct rx_strv names = { 0 };
	bool next = !job->steps.n;
	size_t i;

	touch_all(&names, job);
	for (i = 0; i < names.n; i++)
		next &= !strv_has(&common->touched, names.v[i]);
	strv_free(&names);
	return next;
}

/* There is no image, so from here on the disk may be saved. */
static void mark(const struct tab_job *job)
{
	const char *name = job->line->name;
	int err = rx.dry_run ? 0 : image_mark_absent(name, job->line->text[TAB_IMAGE]);

	if (err)
		image_mark_failed(job->verb, name, err);
}

static void undo(struct tab_job *job, const struct up_cmd *cmd, struct tab_common *common, bool late)
{
	bool undone = false, ignored;
	struct rx_err err;

	/* A cache that a failed map has not made is somebody else's. */
	if (cmd->undo.n && (job->line->family == RX_DISK || late || signals_pending()) &&
	    look_there(job->line->family, job->line->name, &err)) {
		show(job, &cmd->undo);
		undone = !execute(&cmd->undo, common, 0, &ignored);
	}
	if (cmd->what)
		job_fail(job, mem_text("%s%s", cmd->what, !cmd->undo.n ? "" : undone ?
				       ", and the disk was removed again" :
				       ", and the disk stays without its content"),
			 "%s", cmd->next);
	else if (late)
		job_fail(job, mem_dup("was not done in time, see above"), "then run: %s",
			 tab_again(job->verb, job->line));
}

/* Returns false if the command has failed. */
static bool run_one(struct tab_job *job, const struct up_cmd *cmd, struct tab_common *common)
{
	bool late = false, tried = !rx.dry_run || is_next(job, common);
	int64_t end = 0;

	show(job, &cmd->words);
	if (!tried)
		return true;
	/* What came before may have used up the time of the line. */
	if (cmd->timed && !rx.dry_run)
		end = common->end > now_ms() + LEAST_MS ? common->end : now_ms() + LEAST_MS;
	job->status = execute(&cmd->words, common, end, &late);
	if (job->status == RX_DATA && cmd->instead.n && !signals_pending()) {
		show(job, &cmd->instead);
		job->status = execute(&cmd->instead, common, 0, &late);
	}
	if (!job->status)
		return true;
	job->result = UP_FAILED;
	job->usable = cmd->usable;
	undo(job, cmd, common, late);
	return false;
}

void job_run(struct tab_job *job, const struct up_plan *plan, struct tab_common *common)
{
	const struct up_cmd *cmd;
	size_t i;

	job->usable = plan->usable;
	if (plan->mark && job->is.there)
		mark(job);
	for (cmd = plan->cmds; cmd < plan->cmds + plan->n; cmd++) {
		/* The next run does what is left. */
		if (signals_pending())
			return;
		/* A restore notes which image the disk has then, unless the mark is of another one. */
		if (cmd->mark && !rx.dry_run)
			free(image_mark_take(job->line->name));
		if (!run_one(job, cmd, common))
			break;
		/* At boot udev has a lot to do, and a command gives it less time. */
		if (cmd->timed && !rx.dry_run)
			dev_settle(job->line->name, common->end > now_ms() ? common->end - now_ms() : 0);
	}
	if (job->steps.n)
		touch_all(&common->touched, job);
	if (job->result == UP_FAILED)
		return;
	if (plan->mark && !job->is.there)
		mark(job);
	job->result = plan->result;
	for (i = 0; i < plan->hints.n; i++)
		say_hint(job->verb, job->line->name, "%s", plan->hints.v[i]);
	if (plan->what)
		job_fail(job, mem_dup(plan->what), "%s", plan->next);
}

void job_free(struct tab_job *job)
{
	look_free(&job->is);
	strv_free(&job->steps);
	free(job->what);
	free(job->next);
}
