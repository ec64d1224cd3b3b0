// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes and opens the files of images. A new image is written beside the old one, synced,
 * and renamed over it, and then the directory is synced. The memory of a disk is for its
 * owner alone, so all files have the mode 0600.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "image/file.h"
#include "image/format.h"

#define TEMPORARY	".rxadm-save-"	/* between the name of the file and six letters */

bool image_is_stream(const char *path)
{
	return !strcmp(path, "-");
}

int image_file_dir(const char *path)
{
	char *copy = mem_dup(path);
	int dir = image_is_stream(path) ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) :
		  open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(copy);
	return dir;
}

/* Says what FILE can't be replaced or written for, before anything is done. */
int image_file_check(const char *verb, const char *object, const char *path)
{
	char *copy, *dir;
	struct stat st;
	int ret = RX_USAGE;

	if (image_is_stream(path)) {
		if (!isatty(STDOUT_FILENO))
			return RX_OK;
		return usage_error("%s %s: an image is nothing for a terminal; say a FILE, or send it into a pipe",
				   verb, object);
	}
	copy = mem_dup(path);
	dir = dirname(copy);
	if (!*path || path[strlen(path) - 1] == '/')
		ret = usage_error("%s %s: '%s' names no file; say a FILE", verb, object, path);
	else if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		say(verb, object, "%s is no regular file, and would be replaced by one; say another FILE",
		    path);
	else if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		say(verb, object, "%s: there is no directory %s; make it first", path, dir);
	else if (access(dir, W_OK | X_OK))
		say(verb, object, "%s: %s; say a FILE in a directory that you may write", path,
		    strerror(errno));
	else
		ret = RX_OK;
	free(copy);
	return ret;
}

/* Removes what a save that was killed has left. One that runs has its file locked. */
static void remove_old(const char *verb, const char *object, const char *path)
{
	char *quoted = mem_zero(2 * strlen(path) + 1, 1), *pattern, *p = quoted;
	struct stat st;
	glob_t found;
	size_t i;
	int fd;

	for (; *path; *p++ = *path++)
		if (strchr("*?[\\", *path))
			*p++ = '\\';
	pattern = mem_text("%s" TEMPORARY "??????", quoted);
	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		found.gl_pathc = 0;
	for (i = 0; i < found.gl_pathc; i++) {
		/* NFS locks no file that is open for reading only. */
		fd = open(found.gl_pathv[i], O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		    !flock(fd, LOCK_EX | LOCK_NB) && !unlink(found.gl_pathv[i]) && !rx.quiet)
			say_hint(verb, object, "%s removed, which a save that was killed had left",
				 found.gl_pathv[i]);
		close(fd);
	}
	globfree(&found);
	free(pattern);
	free(quoted);
}

const char *image_file_then(const struct image_file *file)
{
	return file->temporary ? "what was written is removed again" : "the image is not whole";
}

int image_file_failed(const char *verb, const char *object, const struct image_file *file,
		      int err)
{
	if (!file->temporary)
		say(verb, object, "standard output: %s; %s", strerror(err), image_file_then(file));
	else
		say(verb, object, "%s: %s; %s%s", file->path, strerror(err), image_file_then(file),
		    sys_no_room(err) ? ", free space or say another FILE" : "");
	return sys_unwritten(err) ? RX_DATA : RX_KERNEL;
}

/* Makes the temporary file. Returns its descriptor, or -1 with errno. */
static int open_temporary(struct image_file *file)
{
	int fd;

	for (;;) {
		file->temporary = mem_text("%s" TEMPORARY "XXXXXX", file->path);
		fd = file->dir < 0 ? -1 : mkostemp(file->temporary, O_CLOEXEC);
		/*
		 * Another save of this name must not take the file for one that was left. Where
		 * files can't be locked, as over NFS without its lock daemon, it does not either.
		 */
		if (fd < 0 || ((!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) &&
			       (!access(file->temporary, F_OK) || errno != ENOENT)))
			return fd;
		/* It already has, before the lock. */
		close(fd);
		free(file->temporary);
	}
}

/* Sets ID to that of the image at PATH, or to "?" if the file can't be read. */
static void look(char *id, const char *path)
{
	if (image_id_at(id, path))
		strcpy(id, "?");
}

int image_file_new(const char *verb, const char *object, const char *path,
		   struct image_file *file)
{
	int ret;

	*file = (struct image_file){ .path = path, .fd = -1, .dir = -1 };
	if (image_is_stream(path)) {
		file->fd = STDOUT_FILENO;
		return RX_OK;
	}
	look(file->was, path);
	remove_old(verb, object, path);
	file->dir = image_file_dir(path);
	file->fd = open_temporary(file);
	if (file->fd >= 0 && !fchmod(file->fd, 0600))
		return RX_OK;
	ret = image_file_failed(verb, object, file, errno);
	image_file_drop(file);
	return ret;
}

int image_file_finish(const char *verb, const char *object, struct image_file *file)
{
	char now[IMAGE_ID_LEN];
	int err;

	if (!file->temporary)
		return RX_OK;
	if (fsync(file->fd))
		return image_file_failed(verb, object, file, errno);
	look(now, file->path);
	if (strcmp(now, file->was) && !image_mark_is(object, file->path)) {
		say(verb, object, "%s has changed since the save began, so it stays; %s; save again, or say another FILE",
		    file->path, image_file_then(file));
		return RX_KERNEL;
	}
	err = image_mark_saved(object, file->fd, file->path);
	if (err) {
		say(verb, object, "can't note in /run/rxadm that %s is its image: %s; %s", file->path,
		    strerror(err), image_file_then(file));
		return RX_KERNEL;
	}
	if (rename(file->temporary, file->path))
		return image_file_failed(verb, object, file, errno);
	free(file->temporary);
	file->temporary = NULL;
	/* A file system without such a request has EINVAL. */
	if (!fsync(file->dir) || errno == EINVAL)
		return RX_OK;
	say(verb, object, "%s: %s; after a power cut the image from before may be there", file->path,
	    strerror(errno));
	return RX_KERNEL;
}

void image_file_drop(struct image_file *file)
{
	if (file->temporary && file->fd >= 0)
		unlink(file->temporary);
	if (file->fd >= 0 && file->fd != STDOUT_FILENO)
		close(file->fd);
	if (file->dir >= 0)
		close(file->dir);
	free(file->temporary);
	*file = (struct image_file){ .fd = -1, .dir = -1 };
}

/* Opens a file without a name. */
static int open_spool(char **dir)
{
	const char *set = getenv("TMPDIR");
	char *name;
	int fd;

	*dir = mem_dup(set && *set ? set : "/var/tmp");
	name = mem_text("%s/rxadm-XXXXXX", *dir);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

/* Returns the bytes that were read, 0 at the end; or -1 with errno, also EINTR by a signal. */
static ssize_t read_some(int in, void *data, size_t len)
{
	ssize_t n;

	do {
		if (wait_fd(in, -1) == WAIT_SIGNAL) {
			errno = EINTR;
			return -1;
		}
		n = read(in, data, len);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n;
}

/* Copies standard input into a file without a name: it is read twice, or its end is read first. */
static int spool(const char *verb, int *fd)
{
	unsigned char *data = image_buffer(IMAGE_PIECE);
	char *dir;
	ssize_t n;
	int err = 0;

	*fd = open_spool(&dir);
	if (*fd < 0)
		err = errno;
	while (!err && (n = read_some(STDIN_FILENO, data, IMAGE_PIECE))) {
		if (n > 0)
			err = sys_write_all(*fd, data, n);
		else if (errno == EINTR) {
			say(verb, "-", "interrupted; nothing was changed");
			signals_die();
		} else {
			say(verb, "-", "standard input: %s; nothing was changed", strerror(errno));
			err = -1;
		}
	}
	if (err > 0)
		say(verb, "-", "%s: %s; an image from a pipe is kept there until it is restored, so set TMPDIR to a directory with more room",
		    dir, strerror(err));
	free(dir);
	free(data);
	if (err && *fd >= 0)
		close(*fd);
	return err ? RX_KERNEL : RX_OK;
}

int image_file_open(const char *verb, const char *path, int *fd)
{
	bool stream = image_is_stream(path);
	struct stat st;

	if (stream && isatty(STDIN_FILENO))
		return usage_error("%s -: standard input is a terminal; say a FILE, or send an image into it",
				   verb);
	/* No FIFO keeps us waiting for a writer, and to open a device may have effects. */
	*fd = stream ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
	      stat(path, &st) || S_ISREG(st.st_mode) ?
	      open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	if (*fd < 0 || fstat(*fd, &st)) {
		say(verb, path, "%s", stream || stat(path, &st) || S_ISREG(st.st_mode) ?
		    strerror(errno) : "is no regular file; say - and send it into standard input");
		return RX_USAGE;
	}
	if (S_ISREG(st.st_mode) && (!stream || !lseek(*fd, 0, SEEK_CUR))) {
		posix_fadvise(*fd, 0, 0, POSIX_FADV_SEQUENTIAL);
		return RX_OK;
	}
	close(*fd);
	if (stream)
		return spool(verb, fd);
	say(verb, path, "is no regular file; say - and send it into standard input");
	return RX_USAGE;
}
