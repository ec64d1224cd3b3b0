// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two files in /run for a disk whose line in the table has an image.
 *
 * The mark says what image the disk has the content of, or that there was none: "DISKSEQ ID
 * ID ID ID PATH". The second ID is that of its last save, which may not be at PATH yet. The
 * last two are those before there was none: the file system may come back. Only over such an
 * image may the disk be saved: another one is what somebody has put there, or its file
 * system was mounted late. It holds for the disk that is there now: the kernel gives each
 * disk that it makes another sequence number.
 *
 * The other file is there from before the disk is made until its image is restored. While
 * it is there, the rules of udev keep the disk from systemd, see 60-rx.rules.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "image/format.h"
#include "image/mark.h"

static const char *mark_path(const char *what, const char *name)
{
	return sys_path(SYS_RUN "/%s-%s", what, name);
}

/* How many bytes at the end tell an image: its checksum, and how many bytes the disk has. */
enum { ID_BYTES = IMAGE_TAIL + 4 };

struct ids {
	char is[IMAGE_ID_LEN], saved[IMAGE_ID_LEN];
};

static const struct ids none = { "-", "-" };

struct mark {
	struct ids now, before;
	char *path;
};

int image_id(char *id, int fd)
{
	unsigned char end[ID_BYTES];
	ssize_t n = 0, i;
	struct stat st;
	int len;

	if (fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	if (st.st_size >= ID_BYTES)
		n = pread(fd, end, ID_BYTES, st.st_size - ID_BYTES);
	if (n < 0)
		return errno;
	len = sprintf(id, "%lld:", (long long)st.st_size);
	for (i = 0; i < n; i++)
		len += sprintf(id + len, "%02x", end[i]);
	return 0;
}

int image_id_at(char *id, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), err = errno;

	if (fd >= 0) {
		err = image_id(id, fd);
		close(fd);
	} else if (err == ENOENT) {
		strcpy(id, "-");
		err = 0;
	}
	return err;
}

static char *diskseq(const char *name)
{
	return sys_read(sys_path("/sys/class/block/%s/diskseq", name));
}

/* Takes a mark apart. PATH is in TEXT. */
static bool mark_parse(const char *text, char *number, struct mark *mark)
{
	int at = 0;

	if (sscanf(text, "%71s %71s %71s %71s %71s %n", number, mark->now.is, mark->now.saved,
		   mark->before.is, mark->before.saved, &at) != 5 || !at)
		return false;
	mark->path = (char *)text + at;
	return true;
}

/* Reads the mark of the disk that is there now. The caller frees *TEXT. */
static bool mark_get(const char *name, struct mark *mark, char **text)
{
	char *number = diskseq(name), of[IMAGE_ID_LEN];
	bool is;

	*text = sys_read(mark_path("image", name));
	is = number && *text && mark_parse(*text, of, mark) && !strcmp(of, number);
	free(number);
	return is;
}

static int mark_set(const char *name, const struct mark *mark)
{
	char *number = diskseq(name), *text;
	int err;

	if (!number || !*number) {
		free(number);
		return ENOENT;
	}
	text = mem_text("%s %s %s %s %s %s", number, mark->now.is, mark->now.saved,
			mark->before.is, mark->before.saved, mark->path);
	err = sys_note(mark_path("image", name), 0600, text);
	free(number);
	free(text);
	return err;
}

static bool has_id(const struct ids *ids, const char *id)
{
	return !strcmp(ids->is, id) || !strcmp(ids->saved, id);
}

static bool same_file(const char *path, const struct stat *st)
{
	struct stat is;

	return !stat(path, &is) && is.st_dev == st->st_dev && is.st_ino == st->st_ino;
}

/* Tells whether the disk may be saved over what is at PATH. */
bool image_mark_is(const char *name, const char *path)
{
	struct mark mark;
	char id[IMAGE_ID_LEN], *text;
	bool is = mark_get(name, &mark, &text) && !strcmp(mark.path, path) &&
		  !image_id_at(id, path) && (has_id(&mark.now, id) || has_id(&mark.before, id));

	free(text);
	return is;
}

/* There was no image at PATH, so the disk may be saved there. Returns 0 or an errno. */
int image_mark_absent(const char *name, const char *path)
{
	struct mark new = { .now = none, .before = none, .path = (char *)path }, old;
	char *text;
	int err;

	if (mark_get(name, &old, &text) && !strcmp(old.path, path))
		new.before = strcmp(old.now.is, "-") ? old.now : old.before;
	err = mark_set(name, &new);
	free(text);
	return err;
}

/*
 * Called before a file with what the disk has, FD, gets the name PATH: if that is the image's,
 * the disk may be saved over it again. Returns 0 or an errno, if it could not be.
 */
int image_mark_saved(const char *name, int fd, const char *path)
{
	char id[IMAGE_ID_LEN], *text;
	struct mark mark;
	struct ids swap;
	struct stat st;
	int err = 0;

	if (mark_get(name, &mark, &text)) {
		/* An image that is not the disk's is no part of the mark. */
		if (image_id_at(id, mark.path))
			*id = '\0';
		if (!has_id(&mark.now, id) && has_id(&mark.before, id)) {
			swap = mark.now;
			mark.now = mark.before;
			mark.before = swap;
		}
		if (has_id(&mark.now, id))
			strcpy(mark.now.is, id);
		err = image_id(mark.now.saved, fd);
		if (!err)
			err = mark_set(name, &mark);
		if (err && strcmp(mark.path, path) && (stat(path, &st) || !same_file(mark.path, &st)))
			err = 0;
	}
	free(text);
	return err;
}

void image_mark_failed(const char *verb, const char *name, int err)
{
	say_hint(verb, name, "can't note in /run/rxadm that it may be saved over its image: %s; it will not be saved by down",
		 strerror(err));
}

/*
 * Called before the content of a disk is replaced: until that is done, the disk must not be
 * saved over its image. Returns the text of the mark, or NULL. The caller frees it.
 */
char *image_mark_take(const char *name)
{
	char *text = sys_read(mark_path("image", name));

	unlink(mark_path("image", name));
	return text;
}

/*
 * Called after that with what image_mark_take() returned. FD, unless it is -1, is what the
 * disk has now, of the name PATH, or NULL. If the image of the mark is another file, the disk
 * is saved over that as before. Returns 0 or an errno.
 */
int image_mark_return(const char *name, const char *text, int fd, const char *path)
{
	struct mark mark = { .before = none, .path = (char *)path };
	char number[IMAGE_ID_LEN];
	struct stat st;
	int err;

	if (text && (fd < 0 || fstat(fd, &st) || !mark_parse(text, number, &mark) ||
		     !same_file(mark.path, &st)))
		return sys_note(mark_path("image", name), 0600, text);
	if (fd < 0 || !mark.path)
		return 0;
	err = image_id(mark.now.is, fd);
	strcpy(mark.now.saved, mark.now.is);
	return err ? err : mark_set(name, &mark);
}

/* Tells whether the disk is without its image, or has a part of it. */
bool image_awaited(const char *name)
{
	return !access(mark_path("restore", name), F_OK);
}

/* Called before a disk is made. Returns 0 or an errno. */
int image_await(const char *name)
{
	return sys_note(mark_path("restore", name), 0600, "");
}

void image_arrived(const char *name)
{
	unlink(mark_path("restore", name));
}

/* Called when the disk is gone. */
void image_forget(const char *name)
{
	image_arrived(name);
	unlink(mark_path("image", name));
}
