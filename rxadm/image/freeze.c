// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freezes the file systems of a disk and thaws them again, whatever happens: the kernel
 * does not thaw them when the process ends that froze them. So two guards, processes in
 * sessions of their own, wait for the end of a pipe from this process and then thaw. Two,
 * because one may be killed together with this process. If this process makes no progress
 * for LATE_MS, for example because it waits for one of the frozen file systems itself, the
 * guards thaw too, and freeze_end() then tells that.
 *
 * All three share one state for each file system. It is set before and after the request,
 * and a guard also thaws one that is being frozen: the request ends before its process
 * does, and nobody but this process knows how it ended. If somebody else had frozen the
 * file system, and we are killed just then, the guard ends that freeze; the other error
 * would be a machine that stands still.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "image/freeze.h"
#include "system/mounts.h"

#define LATE_MS		60000
#define LOOK_MS		500
#define DEPTH_MAX	8	/* of devices above each other */

enum { THAWED, TRIED, FROZEN };

struct freeze_memory {
	_Atomic int state[FREEZE_MAX];
	_Atomic unsigned long beat;
	_Atomic int lost;	/* one was thawed before its time */
};

/*
 * Returns the number of the file system of FD as the kernel's table of mounts has it, which
 * is the same for all mounts of it. The caller frees it; NULL: not found. *ID is that of the
 * mount.
 */
static char *number_of(int fd, int *id)
{
	char *info = sys_read(sys_path("/proc/self/fdinfo/%d", fd)), *found = NULL, *line;
	char *text = sys_read(sys_path("/proc/self/mountinfo")), *rest = text, number[32];
	const char *at = info ? strstr(info, "mnt_id:") : NULL;
	int this;

	*id = at ? atoi(at + 7) : -1;
	while (*id >= 0 && !found && rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, "%d %*d %31s", &this, number) == 2 && this == *id)
			found = mem_dup(number);
	free(text);
	free(info);
	return found;
}

/* Adds the file system at WHERE, unless it is there already. Returns false if it can't be. */
static bool add(const char *verb, const char *name, struct freeze *f, const char *where)
{
	int fd = open(where, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), id;
	char *number = fd < 0 ? NULL : number_of(fd, &id);
	bool good = true;

	/* Another file system may be mounted above it at the same place. */
	if (!number || !mounts_have(name, id)) {
		say(verb, name, "%s: the file system that is mounted there can't be reached%s%s; umount what is above it",
		    where, fd < 0 ? ": " : "", fd < 0 ? strerror(errno) : "");
		good = false;
	} else if (!strv_has(&f->numbers, number) && f->mounts.n == FREEZE_MAX) {
		say(verb, name, "has more than %d file systems, and no more can be frozen; umount some",
		    FREEZE_MAX);
		good = false;
	} else if (!strv_has(&f->numbers, number)) {
		f->fds[f->mounts.n] = fd;
		strv_add(&f->mounts, where);
		strv_add(&f->numbers, number);
		fd = -1;
	}
	if (fd >= 0)
		close(fd);
	free(number);
	return good;
}

int freeze_find(const char *verb, const char *name, struct freeze *f)
{
	struct rx_strv mounts = { 0 };
	bool good = true;
	size_t i;

	*f = (struct freeze){ .alive = -1 };
	mounts_forget();
	mounts_of(name, &mounts);
	for (i = 0; i < mounts.n && good; i++)
		good = add(verb, name, f, mounts.v[i]);
	strv_free(&mounts);
	return good ? RX_OK : RX_KERNEL;
}

/* Tells whether the block device NUMBER lies on a file system that is going to be frozen. */
static bool lies_on(const struct freeze *f, const char *number, unsigned int depth)
{
	struct rx_strv below = { 0 };
	char *file, *under;
	struct stat st;
	bool is = strv_has(&f->numbers, number);
	size_t i;

	if (is || !depth)
		return is;
	file = sys_read(sys_path("/sys/dev/block/%s/loop/backing_file", number));
	if (!file)
		file = sys_read(sys_path("/sys/dev/block/%s/../loop/backing_file", number));
	if (file && !stat(file, &st)) {
		under = mem_text("%u:%u", major(st.st_dev), minor(st.st_dev));
		is = lies_on(f, under, depth - 1);
		free(under);
	}
	sys_entries(&below, sys_path("/sys/dev/block/%s/slaves", number));
	for (i = 0; i < below.n && !is; i++) {
		under = sys_read(sys_path("/sys/dev/block/%s/slaves/%s/dev", number, below.v[i]));
		is = under && lies_on(f, under, depth - 1);
		free(under);
	}
	strv_free(&below);
	free(file);
	return is;
}

int freeze_check_file(const char *verb, const char *name, const struct freeze *f,
		      const char *path, int dir)
{
	int id;
	char *number = number_of(dir, &id);
	bool is = number && lies_on(f, number, DEPTH_MAX);

	free(number);
	if (!is)
		return RX_OK;
	say(verb, name, "%s lies on the disk itself, and can't be written while that is frozen; say a FILE elsewhere",
	    path);
	return RX_KERNEL;
}

/*
 * Thaws what is frozen. Others may do the same at the same time, and then the kernel
 * refuses all but one.
 */
static void thaw(struct freeze *f, bool ours)
{
	struct freeze_memory *shared = f->shared;
	size_t i;

	for (i = f->mounts.n; i-- > 0; ) {
		if (shared->state[i] == THAWED)
			continue;
		if (ioctl(f->fds[i], FITHAW, 0) && ours)
			shared->lost = 1;
		shared->state[i] = THAWED;
	}
}

/* The life of a guard. Signals that end this process, and its terminal, are not the guard's. */
static void __attribute__((noreturn)) guard(struct freeze *f, int alive)
{
	struct pollfd end = { .fd = alive, .events = POLLIN };
	struct freeze_memory *shared = f->shared;
	unsigned long beat = shared->beat;
	int64_t since = now_ms();
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "rx-thaw");
	/* Only this process may keep the pipe from its end. */
	close(f->alive);
	while (poll(&end, 1, LOOK_MS) <= 0) {
		if (beat != shared->beat)
			since = now_ms();
		beat = shared->beat;
		if (now_ms() - since < LATE_MS)
			continue;
		shared->lost = 1;
		thaw(f, false);
	}
	thaw(f, false);
	_exit(0);
}

/* Returns false with errno if there is no guard. */
static bool start_guards(struct freeze *f)
{
	int ends[2];
	size_t i;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	f->alive = ends[1];
	fflush(NULL);
	for (i = 0; i < ARRAY_SIZE(f->guards); i++) {
		f->guards[i] = fork();
		if (!f->guards[i])
			guard(f, ends[0]);
		if (f->guards[i] < 0)
			break;
	}
	close(ends[0]);
	return i == ARRAY_SIZE(f->guards);
}

/* Freezes file system I. Returns 0 or an errno. */
static int freeze_one(struct freeze *f, size_t i)
{
	int err;

	f->shared->beat++;
	f->shared->state[i] = TRIED;
	err = ioctl(f->fds[i], FIFREEZE, 0) ? errno : 0;
	f->shared->state[i] = err ? THAWED : FROZEN;
	return err;
}

int freeze_begin(const char *verb, const char *name, struct freeze *f)
{
	size_t i;
	int err = 0;

	f->shared = mmap(NULL, sizeof(*f->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (f->shared == MAP_FAILED) {
		f->shared = NULL;
		err = errno;
	} else if (!start_guards(f)) {
		err = errno;
	}
	if (err) {
		say(verb, name, "cannot create a process that ends the freeze: %s", strerror(err));
		return RX_KERNEL;
	}
	for (i = 0; i < f->mounts.n && !err; i++)
		err = freeze_one(f, i);
	if (!err)
		return RX_OK;
	freeze_end(f);
	if (err == EBUSY)
		say(verb, name, "%s is frozen by somebody else; see: fsfreeze(8)", f->mounts.v[i - 1]);
	else if (err == EOPNOTSUPP)
		say(verb, name, "the file system on %s can't be frozen; umount it", f->mounts.v[i - 1]);
	else
		say(verb, name, "can't freeze %s: %s", f->mounts.v[i - 1], strerror(err));
	return RX_KERNEL;
}

void freeze_alive(struct freeze *f)
{
	if (f->shared)
		f->shared->beat++;
}

bool freeze_end(struct freeze *f)
{
	size_t i;

	if (!f->shared)
		return true;
	thaw(f, true);
	/* The guards have nothing to thaw any more. */
	for (i = 0; i < ARRAY_SIZE(f->guards); i++) {
		if (f->guards[i] <= 0)
			continue;
		kill(f->guards[i], SIGKILL);
		waitpid(f->guards[i], NULL, 0);
		f->guards[i] = 0;
	}
	if (f->alive >= 0)
		close(f->alive);
	f->alive = -1;
	return !f->shared->lost;
}

void freeze_free(struct freeze *f)
{
	size_t i;

	freeze_end(f);
	for (i = 0; i < f->numbers.n; i++)
		close(f->fds[i]);
	if (f->shared)
		munmap(f->shared, sizeof(*f->shared));
	strv_free(&f->mounts);
	strv_free(&f->numbers);
	f->shared = NULL;
}
