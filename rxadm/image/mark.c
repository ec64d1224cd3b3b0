// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two files in /run for a disk whose line in the table has an image.
 *
 * The mark says of which file the disk has the content, or that there was none: "DISKSEQ ID
 * ID PATH", where the second ID is that of its last save, which may not have taken its place
 * yet. Only over such a file may the disk be saved: another one is another image, which
 * somebody has put there, or whose file system was mounted late. It holds for the disk that
 * is there now: the kernel gives each disk that it makes another sequence number.
 *
 * The other file is there from before the disk is made until its image is restored. While
 * it is there, the rules of udev keep the disk from systemd, see 60-rx.rules.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "image/mark.h"

static const char *mark_path(const char *what, const char *name)
{
	return sys_path(SYS_RUN "/%s-%s", what, name);
}

enum { ID_LEN = 48 };

struct mark {
	char id[2][ID_LEN];
	char *path;
};

/*
 * What tells an image from another one. A number of its inode would not do: some file systems
 * make it up when they are mounted.
 */
static void put_id(char *id, const struct stat *st)
{
	snprintf(id, ID_LEN, "%lld:%lld.%09ld", (long long)st->st_size,
		 (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

/* Of a file that may be absent. Returns 0 or an errno. */
static int path_id(char *id, const char *path)
{
	struct stat st;

	strcpy(id, "-");
	if (!stat(path, &st))
		put_id(id, &st);
	else if (errno != ENOENT)
		return errno;
	return 0;
}

static char *diskseq(const char *name)
{
	return sys_read(sys_path("/sys/class/block/%s/diskseq", name));
}

/* Reads the mark of the disk that is there now, whose path the caller frees, if there is one. */
static bool mark_get(const char *name, struct mark *mark)
{
	char *number = diskseq(name), *text = sys_read(mark_path("image", name)), of[ID_LEN];
	int at = 0;
	bool is = number && text &&
		  sscanf(text, "%47s %47s %47s %n", of, mark->id[0], mark->id[1], &at) == 3 &&
		  at && !strcmp(of, number);

	mark->path = is ? mem_dup(text + at) : NULL;
	free(number);
	free(text);
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
	text = mem_text("%s %s %s %s", number, mark->id[0], mark->id[1], mark->path);
	err = sys_note(mark_path("image", name), 0600, text);
	free(number);
	free(text);
	return err;
}

static bool has_id(const struct mark *mark, const char *id)
{
	return !strcmp(mark->id[0], id) || !strcmp(mark->id[1], id);
}

/* Tells whether the disk may be saved over what is at PATH. */
bool image_mark_is(const char *name, const char *path)
{
	struct mark mark;
	char id[ID_LEN];
	bool is = mark_get(name, &mark) && !strcmp(mark.path, path) && !path_id(id, path) &&
		  has_id(&mark, id);

	free(mark.path);
	return is;
}

/*
 * From now on the disk may be saved over what is at PATH. Returns 0 or an errno; then it is
 * not saved over that.
 */
int image_mark_put(const char *name, const char *path)
{
	struct mark mark = { .path = (char *)path };
	int err = path_id(mark.id[0], path);

	strcpy(mark.id[1], mark.id[0]);
	return err ? err : mark_set(name, &mark);
}

/*
 * Called before a file with what the disk has, FD, gets its name: if that is the image's, the
 * disk may be saved over it again. Returns 0 or an errno.
 */
int image_mark_saved(const char *name, int fd)
{
	struct mark mark;
	char id[ID_LEN];
	struct stat st;
	int err = 0;

	if (!mark_get(name, &mark))
		return 0;
	if (!path_id(id, mark.path) && has_id(&mark, id))
		strcpy(mark.id[0], id);
	if (fstat(fd, &st))
		err = errno;
	else
		put_id(mark.id[1], &st);
	if (!err)
		err = mark_set(name, &mark);
	free(mark.path);
	return err;
}

/*
 * Called when PATH is written and closed. Over a network the server may have another time of
 * the last change by then.
 */
int image_mark_closed(const char *name, const char *path)
{
	struct stat is, st;
	struct mark mark;
	int err = 0;

	if (mark_get(name, &mark) && !stat(mark.path, &is) && !stat(path, &st) &&
	    is.st_dev == st.st_dev && is.st_ino == st.st_ino)
		err = image_mark_put(name, mark.path);
	free(mark.path);
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
 * Called after that with what image_mark_take() returned, and the PATH that the disk now has
 * the content of, or NULL if it has what it had. Another one by hand is for the same image.
 * Returns 0 or an errno.
 */
int image_mark_return(const char *name, const char *text, const char *path)
{
	int at = 0;

	if (text)
		(void)!sscanf(text, "%*s %*s %*s %n", &at);
	if (path && (!text || !strcmp(text + at, path)))
		return image_mark_put(name, path);
	return text ? sys_note(mark_path("image", name), 0600, text) : 0;
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
