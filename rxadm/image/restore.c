// SPDX-License-Identifier: GPL-2.0-only
/*
 * Restores a disk from an image, in two passes. The first one reads and checks all of the
 * image, and nothing is changed before. The second one writes the disk, and discards what
 * the image lacks. It checks the image again, because the file may have changed; if it has,
 * the disk is erased. Pages that have memory are written in place: memory that was given
 * back might not be there any more.
 *
 * A disk that was made for the image has nothing to lose, and the image may take minutes to
 * read. So there is one pass only, and the disk goes again if it fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/say.h"
#include "base/units.h"
#include "base/wait.h"
#include "image/disk.h"
#include "image/file.h"
#include "image/format.h"
#include "image/job.h"
#include "image/mark.h"
#include "image/read.h"
#include "image/restore.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/dryrun.h"
#include "run/endings.h"
#include "run/preflight.h"
#include "run/run.h"
#include "system/dev.h"
#include "system/node.h"
#include "system/origin.h"
#include "system/users.h"

#define END		(1ULL << 20)
#define ENDS		(4 * END)	/* a piece may begin or end in one and go on beyond it */
#define PARTITIONS_MS	5000	/* until udev has closed one, and more */

struct restore {
	struct image_job *job;
	int image, device;
	uint64_t file_size;
	struct stat st;			/* of the file, before it was looked at */
	bool checked;			/* the first pass is done */
	struct image_reader reader;
	/*
	 * The first and the last MiB of a disk have what others recognize its content by. They
	 * are zeroed first, and written when all else is on the disk, so a restore that is
	 * killed leaves no disk that looks whole. Until then their pieces are here: the two
	 * MiB from the beginning of the disk, then those up to its end.
	 */
	unsigned char *ends;
	uint64_t at;			/* in the disk: up to here it is written */
	bool touched;			/* a disk was made */
	bool changed;			/* the disk may have other content than before */
	const char *failed;		/* what is wrong with the image; otherwise ERR is of the disk */
	int err;
};

static int say_image(const struct restore *r, int err)
{
	const struct image_job *job = r->job;

	progress_end();
	say(job->verb, job->path, "%s; nothing was changed",
	    err == EINTR ? "interrupted" : err == EBADMSG ? r->reader.wrong : strerror(err));
	return err == EBADMSG ? RX_DATA : RX_KERNEL;
}

/* Keeps what was read of the image. */
static void note_image(struct restore *r)
{
	struct image_job *job = r->job;

	job->header = r->reader.header;
	job->bytes = r->reader.bytes;
	job->stored = r->reader.at;
}

/* Reads all of the image. */
static int check_image(struct restore *r)
{
	struct image_job *job = r->job;
	struct image_record record = { .length = 1 };
	int err = image_open(&r->reader, r->image);

	while (!err && record.length) {
		err = image_next(&r->reader, &record);
		progress_show(job->verb, job->path, ratio_of(r->reader.at, r->file_size),
			      "checking it, nothing is changed yet");
	}
	progress_end();
	note_image(r);
	r->checked = !err;
	return err ? say_image(r, err) : RX_OK;
}

/*
 * Reads the header and the end of the image, for a disk that has nothing to lose. Without an
 * end that tells its size, all of it is checked: it is damaged.
 */
static int look_at_image(struct restore *r)
{
	struct image_job *job = r->job;
	int err = image_open(&r->reader, r->image);

	job->header = r->reader.header;
	job->stored = r->file_size;
	if (err)
		return say_image(r, err);
	return image_tail(r->image, r->file_size, &job->bytes) &&
	       job->bytes <= job->header.size ? RX_OK : check_image(r);
}

/* Makes the disk or, with --dry-run, says how it would be made. */
static int attach(struct restore *r)
{
	struct image_job *job = r->job;
	struct rx_run run = { .verb = job->verb, .object = job->path };
	struct rx_req req;
	int ret;

	req_named(&req, RX_DISK, RXDSK_CMD_DISK_NEW, job->name);
	req_num(&req, RXDSK_A_DISK_SIZE, job->header.size);
	req_num(&req, RXDSK_A_DISK_BLOCK_SIZE, job->header.block);
	ret = request_run(&req, &job->disk, &run);
	if (!ret)
		preflight_warn(job->verb, job->path, RX_DISK, job->header.size, RX_NONE);
	if (ret || rx.dry_run)
		return ret;
	r->touched = true;
	if (dev_wait(job->disk.name, job->disk.major, job->disk.minor))
		return RX_OK;
	node_say(job->verb, job->path, job->disk.name, "the new disk, which is detached again");
	return RX_KERNEL;
}

/* Opens the disk for us alone, and keeps udev from looking at what is half written. */
static int open_disk(struct restore *r)
{
	struct image_job *job = r->job;
	int ret = users_open(job->verb, &job->disk.device, O_RDWR | O_EXCL, &r->device);

	if (!ret)
		flock(r->device, LOCK_EX | LOCK_NB);
	return ret;
}

/* The disk can't change its size once it is open. */
static int take_disk(struct restore *r)
{
	struct image_job *job = r->job;
	int ret = image_disk_unused(job->verb, &job->disk, false);

	if (!ret)
		ret = open_disk(r);
	/* The disk takes memory for data only when the page cache writes it. */
	if (!ret && !r->checked && fsync(r->device)) {
		say(job->verb, job->disk.name, "%s; nothing was changed", strerror(errno));
		return RX_KERNEL;
	}
	if (!ret)
		ret = image_disk_get(job->verb, job->disk.name, &job->disk);
	if (!ret)
		ret = image_disk_fits(job->verb, job->path, &job->disk, &job->header);
	if (!ret)
		ret = image_memory_check(job->verb, job->path, job->bytes,
					 job->disk.prealloc == 1 ? job->disk.size :
					 or_zero(job->disk.used));
	return ret;
}

/* WORDS: what is wrong with the image, or NULL if it is not the image. */
static bool failed(struct restore *r, int err, const char *words)
{
	r->err = err;
	r->failed = words;
	return false;
}

/*
 * Notes what became of a change of the disk: only a refusal is known to have changed
 * nothing. Returns false if it has failed.
 */
static bool changes(struct restore *r, int err)
{
	if (err != EPERM && err != EROFS && err != EACCES)
		r->changed = true;
	return !err || failed(r, err, NULL);
}

/* Discards what lies between the piece before and OFFSET. A new disk has nothing there. */
static bool skip_to(struct restore *r, uint64_t offset)
{
	return r->job->attach ||
	       changes(r, image_disk_erase(r->device, r->at, offset - r->at));
}

/* Writes a piece, or keeps it for later if it is of an end. */
static bool take_piece(struct restore *r, uint64_t offset, size_t len)
{
	const unsigned char *data = r->reader.data;

	if (!skip_to(r, offset))
		return false;
	r->at = offset + len;
	if (offset < END)
		memcpy(r->ends + offset, data, len);
	else if (offset + len + END > r->job->disk.size)
		memcpy(r->ends + ENDS - (r->job->disk.size - offset), data, len);
	else
		return changes(r, image_disk_write(r->device, offset, data, len));
	return true;
}

static int synced(const struct restore *r, int err)
{
	return !err && fsync(r->device) ? errno : err;
}

/*
 * Takes away what makes others recognize the old content, and what could be below the pages
 * of zeroes that write_ends() passes over.
 */
static bool zero_ends(struct restore *r)
{
	uint64_t size = r->job->disk.size, len = size < ENDS / 2 ? size : ENDS / 2;
	int err;

	r->ends = image_buffer(ENDS);
	memset(r->ends, 0, ENDS);
	if (r->job->attach)
		return true;
	err = image_disk_zero(r->device, 0, len);
	if (!err)
		err = image_disk_zero(r->device, size - len, len);
	return changes(r, synced(r, err));
}

/* Writes the ends, from the last page to the first. Returns 0 or an errno. */
static int write_ends(const struct restore *r)
{
	uint64_t size = r->job->disk.size, at;
	int err = synced(r, 0);

	for (at = ENDS; at && !err; ) {
		at -= IMAGE_PAGE;
		if (!image_is_zero(r->ends + at, IMAGE_PAGE))
			err = image_disk_write(r->device, at < ENDS / 2 ? at : size - (ENDS - at),
					       r->ends + at, IMAGE_PAGE);
	}
	return synced(r, err);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Goes back to the beginning of the image, if it is still the one that was looked at. */
static bool open_again(struct restore *r)
{
	const struct image_header *was = &r->job->header, *is = &r->reader.header;
	int err = image_open(&r->reader, r->image);
	struct stat st;

	if (err && err != EBADMSG)
		return failed(r, err, err == EINTR ? NULL : strerror(err));
	if (!err && !fstat(r->image, &st) && st.st_size == r->st.st_size &&
	    same_time(&st.st_mtim, &r->st.st_mtim) && same_time(&st.st_ctim, &r->st.st_ctim) &&
	    is->size == was->size && is->block == was->block && is->saved == was->saved)
		return true;
	return failed(r, EBADMSG, "has changed since it was checked");
}

static bool copy(struct restore *r)
{
	struct image_job *job = r->job;
	struct image_reader *reader = &r->reader;
	struct image_record record = { .length = 1 };
	int err = 0;

	while (!err && record.length) {
		err = image_next(reader, &record);
		if (!err && record.length && !take_piece(r, record.offset, record.length))
			return false;
		progress_show(job->verb, job->disk.name, ratio_of(reader->at, job->stored), NULL);
	}
	if (err)
		return failed(r, err, err == EBADMSG ? reader->wrong :
			      err == EINTR ? NULL : strerror(err));
	note_image(r);
	return skip_to(r, job->disk.size) && changes(r, write_ends(r));
}

/*
 * Erases a disk that has a part of the image, unless it is a new one. Returns what became
 * of the disk, which the caller frees.
 */
static char *erase(const struct restore *r)
{
	const struct image_job *job = r->job;
	const char *name = job->disk.name;

	if (job->attach)
		return mem_dup("the new disk is removed again");
	if (!r->changed)
		return mem_dup("nothing was changed");
	if (!image_disk_erase(r->device, 0, job->disk.size) && !fsync(r->device))
		return mem_dup("the disk was erased, and has nothing of its old content nor of the image");
	return mem_text("and the disk could not be erased: %s; it may have a part of its old content and a part of the image, run: rxadm erase %s",
			strerror(errno), name);
}

/* Says why the disk could not be written, and what became of it. */
static int undo(struct restore *r)
{
	struct image_job *job = r->job;
	char *then = erase(r);

	if (r->failed)
		say(job->verb, job->path, "%s; %s", r->failed, then);
	else if (r->err == EINTR)
		say(job->verb, job->disk.name, "interrupted; %s", then);
	else if (r->err == ENOSPC)
		say(job->verb, job->disk.name, "the memory ran out, or min_free was reached; %s", then);
	else
		say(job->verb, job->disk.name, "%s; %s", strerror(r->err), then);
	free(then);
	return r->err == EBADMSG ? RX_DATA : RX_KERNEL;
}

/*
 * Partitions are there, or not, as of the image. A disk that can have none refuses. So does
 * one with a partition that somebody has open, who may only look at it.
 */
static void read_partitions(const struct restore *r)
{
	const struct image_job *job = r->job;
	int64_t end = now_ms() + PARTITIONS_MS;
	int err;

	do
		err = ioctl(r->device, BLKRRPART) ? errno : 0;
	while (err == EBUSY && now_ms() < end && wait_fd(-1, 100) != WAIT_SIGNAL);
	if (err == EBUSY)
		say_hint(job->verb, job->disk.name, "a partition of the old content is open and stays; close it, then run: blockdev --rereadpt /dev/%s",
			 job->disk.name);
}

/*
 * A disk of the table may be saved over its image, but not one that has a part of it, or
 * nothing, because this restore has failed or was killed.
 */
static bool replace(struct restore *r)
{
	const char *name = r->job->disk.name;
	char *mark = r->job->attach ? NULL : image_mark_take(name);
	bool good = open_again(r) && zero_ends(r) && copy(r);
	int err = 0;

	if (good || !r->changed)
		err = image_mark_return(name, mark, good ? r->image : -1,
					image_is_stream(r->job->path) ? NULL : r->job->path);
	progress_end();
	if (err && (mark || image_awaited(name)))
		image_mark_failed(r->job->verb, name, err);
	free(mark);
	return good;
}

static int write_disk(struct restore *r)
{
	struct image_job *job = r->job;
	struct rx_err err;
	int ret;

	r->touched = true;
	ret = replace(r) ? RX_OK : undo(r);
	if (ret && (job->attach || !r->changed))
		return ret;
	read_partitions(r);
	close(r->device);
	r->device = -1;
	/* Whatever it has now, nothing else is awaited any more. */
	if (!ret)
		image_arrived(job->disk.name);
	disk_event(job->disk.name);
	if (ret)
		return ret;
	/* The disk as it is now; without an answer, as it was. */
	nl_get(RX_DISK, job->disk.name, &job->disk, &err);
	return RX_OK;
}

static int restore_new(struct restore *r)
{
	struct image_job *job = r->job;
	int ret = rx.dry_run ? check_image(r) : look_at_image(r);

	if (!ret)
		ret = image_memory_check(job->verb, job->path, job->bytes, 0);
	if (!ret)
		ret = attach(r);
	if (!ret && !rx.dry_run)
		ret = open_disk(r);
	return ret || rx.dry_run ? ret : write_disk(r);
}

/* Returns whether "up" has made the disk for its image, and it is still empty. */
static bool nothing_to_lose(const struct rx_disk *disk)
{
	return !rx.dry_run && !disk->used && image_awaited(disk->name);
}

static int restore_to(struct restore *r, const char *name)
{
	struct image_job *job = r->job;
	int ret = image_disk_get(job->verb, name, &job->disk);

	if (!ret)
		ret = nothing_to_lose(&job->disk) ? look_at_image(r) : check_image(r);
	if (!ret)
		ret = image_disk_fits(job->verb, job->path, &job->disk, &job->header);
	if (!ret)
		ret = take_disk(r);
	/* Somebody may have written to it meanwhile. */
	if (!ret && !r->checked && job->disk.used)
		ret = check_image(r);
	if (!ret && rx.dry_run)
		return req_show_none();
	return ret ? ret : write_disk(r);
}

/* A disk that was made for the image is of no use without it. */
static void remove_disk(struct restore *r)
{
	struct image_job *job = r->job;

	if (r->device >= 0)
		close(r->device);
	r->device = -1;
	if (job->attach && r->touched)
		disk_detach(job->verb, job->disk.name, WAIT_DEFAULT, NULL);
}

int image_restore(struct image_job *job, const char *name)
{
	struct restore r = { .job = job, .image = -1, .device = -1 };
	int ret;

	signals_take();
	ret = image_file_open(job->verb, job->path, &r.image);
	if (ret)
		return ret;
	r.file_size = fstat(r.image, &r.st) ? 0 : r.st.st_size;
	ret = job->attach ? restore_new(&r) : restore_to(&r, name);
	image_close(&r.reader);
	free(r.ends);
	close(r.image);
	if (ret)
		remove_disk(&r);
	else if (r.device >= 0)
		close(r.device);
	if (ret && signals_last())
		signals_die();
	return ret;
}
