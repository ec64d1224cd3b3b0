// SPDX-License-Identifier: GPL-2.0-only
/* Finds, reads and replaces files of the system, and sets the priority of this process there. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/ioprio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"

#ifdef RXADM_TEST_HOOKS
const char *sys_test_env(const char *name)
{
	return getenv(name);
}
#endif

/* Returns one of four buffers in turn, so that several results can be used at once. */
const char *sys_path(const char *fmt, ...)
{
	static char bufs[4][PATH_MAX];
	static unsigned int next;
	char *buf = bufs[next++ % ARRAY_SIZE(bufs)];
	const char *root = sys_root();
	size_t len = root ? strlen(root) : 0;
	va_list ap;
	int n;

	/* A path that is too long is none. */
	if (len >= PATH_MAX)
		return strcpy(buf, "");
	memcpy(buf, root ? root : "", len);
	va_start(ap, fmt);
	n = vsnprintf(buf + len, PATH_MAX - len, fmt, ap);
	va_end(ap);
	return n >= 0 && (size_t)n < PATH_MAX - len ? buf : strcpy(buf, "");
}

/*
 * Makes the directory in which rxadm notes what holds until the next boot. Other users
 * read states there, whatever the umask of root is. Returns 0 or an errno.
 */
int sys_make_run(void)
{
	const char *path = sys_path(SYS_RUN);
	struct stat st;

	if (mkdir(path, 0755) && errno != EEXIST)
		return errno;
	if (!lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	    (st.st_mode & 0755) != 0755 && chmod(path, 0755))
		return errno;
	return 0;
}

/*
 * Returns the file up to a zero byte, without the newline at its end, or NULL if there is
 * no file. The caller frees the text.
 */
char *sys_read(const char *path)
{
	return sys_read_file(fopen(path, "re"));
}

char *sys_read_file(FILE *f)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t len;

	if (!f)
		return NULL;
	len = getdelim(&text, &size, '\0', f);
	fclose(f);
	if (len < 0) {
		free(text);
		return mem_dup("");
	}
	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	return text;
}

int sys_write_all(int fd, const void *data, size_t len)
{
	const char *at = data;
	ssize_t n;

	for (; len; at += n, len -= n) {
		n = write(fd, at, len);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return n ? errno : EIO;
	}
	return 0;
}

/* Returns how many of LEN bytes at AT the file has, or -1 with errno. */
ssize_t sys_read_at(int fd, void *data, size_t len, uint64_t at)
{
	size_t done = 0;
	ssize_t n;

	do {
		n = pread(fd, (char *)data + done, len - done, at + done);
		done += n > 0 ? n : 0;
	} while ((n > 0 && done < len) || (n < 0 && errno == EINTR));
	return n < 0 ? -1 : (ssize_t)done;
}

/* Reads all of LEN bytes at AT. Returns 0 or an errno, EIO behind the end. */
int sys_read_all(int fd, void *data, size_t len, uint64_t at)
{
	ssize_t n = sys_read_at(fd, data, len, at);

	return n < 0 ? errno : (size_t)n < len ? EIO : 0;
}

#define NEW_WAIT_MS	5000

static bool is_named(int fd, const char *path)
{
	struct stat ours, named;

	return !fstat(fd, &ours) && !lstat(path, &named) && ours.st_dev == named.st_dev &&
	       ours.st_ino == named.st_ino;
}

/* Takes away the file NEW that a killed writer left. Returns -1 with errno if it can't. */
static int drop_left(const char *new)
{
	int fd = open(new, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), err = 0;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	if (flock(fd, LOCK_EX | LOCK_NB))
		err = errno == EWOULDBLOCK ? 0 : errno;
	else if (is_named(fd, new) && unlink(new))
		err = errno;
	close(fd);
	errno = err;
	return err ? -1 : 0;
}

/*
 * Makes the file NEW for one writer at a time, and waits for another one for some seconds.
 * The directory may belong to another user, who must not lead root to another file, nor keep
 * it waiting for ever. Returns a descriptor, or -1 with errno.
 */
static int make_new(const char *new)
{
	int64_t start = now_ms();
	int fd;

	for (; now_ms() - start < NEW_WAIT_MS; usleep(20000)) {
		fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 && (errno != EEXIST || drop_left(new)))
			return -1;
		if (fd < 0)
			continue;
		/* NFS without its lock daemon has no locks. Then nobody drops the file, either. */
		if ((!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) && is_named(fd, new))
			return fd;
		close(fd);
	}
	errno = EWOULDBLOCK;
	return -1;
}

int sys_replace(const char *path, const char *new, mode_t mode, const void *data, size_t len)
{
	char *copy = mem_dup(path);
	int dir = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* A directory in which one may write need not be one that one may read. */
	int fd = dir < 0 && errno != EACCES ? -1 : make_new(new), err;

	err = fd < 0 ? errno : sys_write_all(fd, data, len);
	if (!err && (fchmod(fd, mode) || fsync(fd) || rename(new, path)))
		err = errno;
	if (err && fd >= 0)
		unlink(new);
	/* A file system without such a request has EINVAL. */
	else if (!err && dir >= 0 && fsync(dir) && errno != EINVAL)
		err = errno;
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	free(copy);
	return err;
}

int sys_note(const char *path, mode_t mode, const char *text)
{
	char *new = mem_text("%s.%s.new", sys_path(SYS_RUN "/"), strrchr(path, '/') + 1);
	int err = sys_make_run();

	if (!err)
		err = sys_replace(path, new, mode, text, strlen(text));
	free(new);
	return err;
}

bool sys_no_room(int err)
{
	return err == ENOSPC || err == EDQUOT || err == EFBIG;
}

bool sys_unwritten(int err)
{
	return sys_no_room(err) || err == EIO;
}

/* Returns 0 or an errno, EWOULDBLOCK if another process has the lock of that file, in *FD. */
int sys_try_lock(const char *path, int *fd)
{
	char *file = mem_dup(path);
	int err = sys_make_run();

	if (!err && *fd < 0)
		*fd = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (!err && (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB)))
		err = errno;
	free(file);
	return err;
}

/* Adds the names in a directory, which may be absent, except hidden files. */
void sys_entries(struct rx_strv *v, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *de;

	while (dir && (de = readdir(dir)))
		if (*de->d_name != '.')
			strv_add(v, de->d_name);
	if (dir)
		closedir(dir);
}

/* Tells whether a recording is replayed. No node of a device is real then. */
bool sys_replayed(void)
{
	return sys_test_env("RXADM_REPLAY");
}

/* Tells whether a recording is replayed that has no tree of the system beside it. */
bool sys_absent(void)
{
	return sys_replayed() && !sys_root();
}

/*
 * Tells whether a module is loaded. Asking the kernel for the family of an absent module
 * would load it.
 */
bool sys_has_module(const char *name)
{
	return sys_replayed() ||
	       !access(sys_path("/sys/module/%s", name), F_OK);
}

/*
 * Tells whether a module is loaded and neither comes nor goes. /proc knows where /sys is
 * not mounted.
 */
bool sys_module_runs(const char *name)
{
	char *state = sys_read(sys_path("/sys/module/%s/initstate", name)), *line = NULL, *rest;
	char *modules = state ? NULL : sys_read(sys_path("/proc/modules"));
	size_t len = strlen(name);
	bool runs = state && !strcmp(state, "live");

	for (rest = modules; !runs && (line = strsep(&rest, "\n")); )
		runs = !strncmp(line, name, len) && line[len] == ' ' && strstr(line, " Live ");
	free(modules);
	free(state);
	return runs;
}

/*
 * Lowers the I/O priority of this thread, and of those that it creates afterwards, to the
 * lowest that waits for a bounded time. At the priority "idle" the scheduler mq-deadline
 * does one read in ten seconds while others have any I/O under way, also on a disk that
 * could do many at once.
 */
void io_priority_lower(void)
{
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 7));
}
