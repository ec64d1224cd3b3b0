// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two files in /run for a disk whose line in the table has an image.
 *
 * The mark says that the disk has the content of its image, or that there was no image.
 * Only then may the disk be saved over the image. It holds for the disk that is there now:
 * the kernel gives each disk that it makes another sequence number.
 *
 * The other file is there from before the disk is made until its image is restored. While
 * it is there, the rules of udev keep the disk from systemd, see 60-rx.rules.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sys.h"
#include "image/mark.h"

static const char *mark_path(const char *what, const char *name)
{
	return sys_path(SYS_RUN "/%s-%s", what, name);
}

/* Returns what a mark of the disk that is there now has, or NULL. The caller frees it. */
static char *mark_text(const char *name, const char *path)
{
	char *number = sys_read(sys_path("/sys/class/block/%s/diskseq", name));
	char *text = number && *number ? mem_text("%s %s", number, path) : NULL;

	free(number);
	return text;
}

/* Tells whether the disk may be saved over the image at PATH. */
bool image_mark_is(const char *name, const char *path)
{
	char *want = mark_text(name, path), *is = sys_read(mark_path("image", name));
	bool same = want && is && !strcmp(want, is);

	free(want);
	free(is);
	return same;
}

/* Returns 0 or an errno. Without a mark nothing is saved over an image. */
int image_mark_put(const char *name, const char *path)
{
	char *text = mark_text(name, path);
	int err = text ? sys_note(mark_path("image", name), 0600, text) : ENOENT;

	free(text);
	return err;
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

/* Called after that with what image_mark_take() returned. Returns 0 or an errno. */
int image_mark_return(const char *name, const char *text)
{
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
