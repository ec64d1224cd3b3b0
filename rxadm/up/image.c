// SPDX-License-Identifier: GPL-2.0-only
/*
 * The images of the table: the steps of up and down that restore and save a disk.
 *
 * A good image is never lost to a disk that does not have its content: a disk is saved
 * over an image only if the disk came from it, or if there was none; see system/imagemark.c. And
 * a disk is not used without its image: if that can't be restored, the new disk is removed
 * again.
 *
 * A line may get a larger size than its image has, and the power may fail before the disk
 * is saved. So a new disk is made as large as its image, and grows when it is restored.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/units.h"
#include "export/export.h"
#include "image/format.h"
#include "image/image.h"
#include "system/dev.h"
#include "system/exportrec.h"
#include "system/imagemark.h"
#include "system/origin.h"
#include "table/differs.h"
#include "table/places.h"
#include "table/table.h"
#include "up/image.h"
#include "up/line.h"

/* Fails a job whose step has said what is wrong already, and keeps the step's status. */
static void fail_step(struct tab_job *job, char *what, char *next)
{
	int status = job->status;

	tab_fail(job, what, "%s", next);
	job->status = status ? status : RX_KERNEL;
	free(next);
}

/*
 * Looks whether there is an image, and stores that. Returns false, and fails the job, if
 * that can't be known, or no image could be written there. AGAIN is the command that is to
 * be tried again.
 */
static bool look(struct tab_job *job, const char *again)
{
	const char *path = job->line->text[TAB_IMAGE];
	char *dir = image_dir(path), *unmounted = image_unmounted(path);
	struct stat st;
	int err;

	job->image = !stat(path, &st);
	err = job->image || (errno == ENOENT && !stat(dir, &st)) ? 0 : errno;
	if (unmounted)
		tab_fail(job, mem_text("%s is not mounted, and its image %s lies there", unmounted, path),
			 "run: mount %s, then: %s", quoted(unmounted), again);
	else if (err == ENOENT)
		tab_fail(job, mem_text("the directory %s of its image is missing", dir),
			 "run: mkdir -p -m 700 %s, then: %s", quoted(dir), again);
	else if (err)
		tab_fail(job, mem_text("its image %s: %s", path, strerror(err)),
			 "put that right, then: %s", again);
	free(unmounted);
	free(dir);
	return job->result != TAB_FAILED;
}

/* Returns the size of the disk in an image, or 0 if the image does not tell. */
static uint64_t saved_size(const char *path)
{
	unsigned char raw[IMAGE_HEADER];
	struct image_header header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && pread(fd, raw, sizeof(raw), 0) == sizeof(raw) &&
		    !image_get_header(raw, &header);

	if (fd >= 0)
		close(fd);
	return good ? header.size : 0;
}

static bool look_for_up(struct tab_job *job)
{
	char *again = mem_text("rxadm up %s", job->line->name);
	bool known = look(job, again);

	free(again);
	return known;
}

/* From here on the disk may be saved over its image. */
static void mark(struct tab_job *job)
{
	const char *name = job->line->name;
	int err = rx.dry_run ? 0 : image_mark_put(name, job->line->text[TAB_IMAGE]);

	if (err)
		say_hint("up", name, "can't note in /run/rxadm that it may be saved over its image: %s; it will not be saved by down",
			 strerror(err));
}

/* Has udev and systemd see the disk, which was kept from them without its image. */
static void show_disk(struct tab_job *job)
{
	if (rx.dry_run || !image_awaited(job->line->name))
		return;
	image_arrived(job->line->name);
	disk_event(job->line->name);
}

/* Runs a step of the image. The job's result stays, unless the step fails. */
static void image_step(struct tab_job *job, enum tab_result result)
{
	enum tab_result before = job->result;

	/* A dry run can't do it, because what comes before it was not done. */
	tab_step(job, TAB_CHANGED);
	if (job->result != TAB_FAILED)
		job->result = result == TAB_NOT_TRIED ? before : result;
}

/* Gives a disk that was as large as its image the size of the line. */
static void grow(struct tab_job *job)
{
	const char *name = job->line->name;

	tab_add(job, "resize", name, job->line->text[TAB_SIZE]);
	image_step(job, TAB_NOT_TRIED);
	if (job->result == TAB_FAILED)
		fail_step(job, mem_dup("has the content of its image, and can't grow, see above"),
			  mem_text("put that right and run: rxadm up %s", name));
}

static bool restore(struct tab_job *job, enum tab_result result)
{
	tab_add(job, "restore", job->line->text[TAB_IMAGE], job->line->name);
	image_step(job, result);
	if (job->result == TAB_FAILED)
		return false;
	mark(job);
	if (job->saved)
		grow(job);
	show_disk(job);
	return true;
}

/* Returns the name, as quoted() does, to which an image is moved out of the way. */
static const char *old_name(const char *path)
{
	char *name = mem_text("%s.old", path);
	const char *word = quoted(name);

	free(name);
	return word;
}

/* Removes the new disk, for a file system would be made on it, or data lost that is not saved. */
static void remove_disk(struct tab_job *job)
{
	const char *name = job->line->name, *path = job->line->text[TAB_IMAGE];
	int status = job->status;

	tab_add(job, "detach", name, NULL);
	tab_step(job, TAB_REMOVED);
	if (job->result != TAB_FAILED)
		job->status = status;
	fail_step(job, mem_text("its image %s can't be restored, see above; the image stays as it is, and the disk %s",
				path, job->result == TAB_FAILED ? "stays without its content" :
				"was removed again"),
		  mem_text("put that right and run: rxadm up %s; or to begin with an empty disk: mv %s %s, then: rxadm up %s",
			   name, quoted(path), old_name(path), name));
}

/* Called before the disk is attached. Returns false if it is better not to. */
bool tab_image_begin(struct tab_job *job)
{
	int err = 0;

	if (!job->line->text[TAB_IMAGE])
		return true;
	if (!look_for_up(job))
		return false;
	job->saved = saved_size(job->line->text[TAB_IMAGE]);
	if (job->saved >= tab_disk_size(job->line))
		job->saved = 0;
	if (job->image && !rx.dry_run)
		err = image_await(job->line->name);
	if (err)
		tab_fail(job, mem_text("can't write to /run/rxadm: %s", strerror(err)),
			 "put that right, then: rxadm up %s", job->line->name);
	return !err;
}

/* Returns the size with which the disk is attached. */
const char *tab_image_size(const struct tab_job *job, char *buf, size_t len)
{
	return job->saved ? size_exact(job->saved, buf, len) : job->line->text[TAB_SIZE];
}

/* Called after it was attached, or could not be. */
void tab_image_made(struct tab_job *job)
{
	const char *name = job->line->name;

	if (!job->line->text[TAB_IMAGE])
		return;
	if (job->result == TAB_FAILED) {
		image_arrived(name);
	} else if (!job->image) {
		say_hint("up", name, "no image yet in %s, the disk is empty", job->line->text[TAB_IMAGE]);
		mark(job);
	} else if (!restore(job, TAB_MADE)) {
		remove_disk(job);
	}
}

/* Saves the disk. Returns false, and fails the job with NEXT, if that does not work. */
static bool save(struct tab_job *job, const char *what, const char *next)
{
	const char *path = job->line->text[TAB_IMAGE];

	tab_add(job, "save", job->line->name, path);
	tab_add(job, "--freeze", NULL, NULL);
	image_step(job, TAB_NOT_TRIED);
	if (job->result == TAB_FAILED)
		fail_step(job, mem_text("%s %s, see above", what, path), mem_dup(next));
	return job->result != TAB_FAILED;
}

/* A disk that was there before. It holds its image, nothing, a part of its image, or other data. */
static void take_over(struct tab_job *job, const struct rx_disk *disk)
{
	const char *name = job->line->name, *path = job->line->text[TAB_IMAGE];
	bool part = image_awaited(name);

	if (!look_for_up(job))
		return;
	if (!job->image && part) {
		tab_fail(job, mem_text("was to have the image %s, which is not there any more; the disk may have a part of it",
				       path),
			 "put the image back and run: rxadm up %s; or to begin with an empty disk: rxadm down %s --no-save, then: rxadm up %s",
			 name, name, name);
	} else if (!job->image) {
		mark(job);
	} else if (!part && disk->used) {
		tab_fail(job, mem_text("holds data that did not come from its image %s, so neither is replaced", path),
			 "to keep the data: mv %s %s, then: rxadm up %s; to have the image: rxadm detach %s, then: rxadm up %s",
			 quoted(path), old_name(path), name, name, name);
	} else if (!restore(job, TAB_CHANGED)) {
		fail_step(job, mem_text("its image %s can't be restored, see above; the image stays as it is", path),
			  mem_text("put that right and run: rxadm up %s", name));
	}
}

/*
 * Called for a disk that is there and is about to be resized. One that a killed up has made
 * as large as its image gets that before. Returns true if it got it, or the job failed.
 */
bool tab_image_first(struct tab_job *job, const struct rx_disk *disk)
{
	const char *path = job->line->text[TAB_IMAGE];

	if (!path || !image_awaited(job->line->name) || saved_size(path) != disk->size)
		return false;
	take_over(job, disk);
	return true;
}

/* Saves a disk that was resized, unless hosts write to it. Its old image can still be restored. */
static void save_resized(struct tab_job *job)
{
	const char *name = job->line->name, *path = job->line->text[TAB_IMAGE];
	struct rx_export export;
	char *next;

	if (export_load(name, &export) && export_repairable(&export)) {
		say_hint("up", name, "is exported, so it is not saved to its image %s now, but by the next down, after the end of its export",
			 path);
	} else {
		next = mem_text("put that right and run: rxadm save %s %s --freeze", name, quoted(path));
		save(job, "was resized, and could not be saved to its image", next);
		free(next);
	}
	export_free(&export);
}

/* Called for a disk that is there already and is as the line says, or was just resized. */
void tab_image_kept(struct tab_job *job, const struct rx_disk *disk)
{
	const char *name = job->line->name, *path = job->line->text[TAB_IMAGE];

	if (!path || job->result == TAB_FAILED)
		return;
	if (image_awaited(name) || !image_mark_is(name, path))
		take_over(job, disk);
	else if (job->result == TAB_CHANGED && look_for_up(job))
		save_resized(job);
}

/* Tells whether the disk may be saved. If not, fails the job. */
static bool may_save(struct tab_job *job, const char *again)
{
	const char *name = job->line->name, *path = job->line->text[TAB_IMAGE];
	bool marked = image_mark_is(name, path);

	if (!marked && job->line->bad) {
		tab_fail(job, mem_dup("its line has an error, so it is not saved to its image"),
			 "correct line %u, or to lose what is on the disk: rxadm down %s --no-save",
			 job->line->nr, name);
		return false;
	}
	if (!look(job, again))
		return false;
	if (!image_awaited(name) && (marked || !job->image))
		return true;
	tab_fail(job, mem_text("does not have the content of its image %s, so it is not saved over that", path),
		 "to keep what is on the disk: mv %s %s, then: %s; to lose it: rxadm down %s --no-save",
		 quoted(path), old_name(path), again, name);
	return false;
}

/*
 * Saves a disk that is there to the image of its line, for down or for the timer. Returns
 * true if that is done, or the line has none, and otherwise fails the job. File systems
 * that are mounted are frozen: what a busy one has by then is better than an old image.
 */
bool tab_image_save(struct tab_job *job, bool down)
{
	const char *name = job->line->name;
	char *again, *next;
	bool done;

	if (job->line->family != RX_DISK || !job->line->text[TAB_IMAGE])
		return true;
	again = down ? mem_text("rxadm down %s", name) :
		mem_text("systemctl start rxadm-image@%s", name);
	next = down ? mem_text("put that right, then: %s; or to lose what is on the disk: rxadm down %s --no-save",
			       again, name) :
		mem_text("put that right, then: %s", again);
	done = may_save(job, again) &&
	       save(job, "could not be saved to its image", next);
	if (done && !image_mark_is(name, job->line->text[TAB_IMAGE]))
		mark(job);
	free(again);
	free(next);
	return done;
}
