// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saves a disk: the parts of it that have memory go into a new image. Either nobody else
 * may open the disk exclusively meanwhile, so that it has no mounted file system, or all
 * of its file systems are frozen.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <uuid/uuid.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "image/disk.h"
#include "image/file.h"
#include "image/format.h"
#include "image/freeze.h"
#include "image/job.h"
#include "image/save.h"
#include "image/write.h"
#include "run/dryrun.h"
#include "system/users.h"

/* Where the copy stopped. ERR is of the disk or of the file. */
enum stop { STOP_NONE, STOP_SIGNAL, STOP_DISK, STOP_FILE };

struct save {
	struct image_job *job;
	int device;
	int *claims;		/* of the partitions that are not mounted, if others are */
	size_t n_claims;
	struct freeze freeze;
	struct image_file file;
	struct image_writer writer;
	struct rx_extents parts;
	int err;
};

static void whose(struct image_header *header, const struct rx_disk *disk)
{
	char *boot = sys_read(sys_path("/proc/sys/kernel/random/boot_id"));

	*header = (struct image_header){ .size = disk->size, .block = disk->block,
					 .saved = time(NULL) };
	memcpy(header->disk, disk->name, sizeof(header->disk));
	gethostname(header->host, sizeof(header->host) - 1);
	if (boot)
		uuid_parse(boot, header->boot);
	image_clean(header->host);
	free(boot);
}

/*
 * A write into a pipe whose reader does not read ends only with a signal that has a handler.
 * One that our parent has ignored stays ignored.
 */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old, ours = { .sa_handler = signals_note };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &ours, NULL);
}

/* Returns the end of a part. Pieces have whole pages. */
static uint64_t part_end(const struct save *s, size_t part)
{
	const struct rx_extent *p = &s->parts.at[part];
	uint64_t end = (p->offset + p->length + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE;

	return end < s->job->disk.size ? end : s->job->disk.size;
}

/* Copies a part. Reads end at multiples of their size. DONE bytes were copied before. */
static enum stop copy_part(struct save *s, unsigned char *data, size_t part, uint64_t *done)
{
	const struct image_job *job = s->job;
	uint64_t at = s->parts.at[part].offset / IMAGE_PAGE * IMAGE_PAGE;
	uint64_t end = part_end(s, part);
	size_t len;

	for (; at < end; at += len) {
		len = IMAGE_PIECE - at % IMAGE_PIECE;
		if (len > end - at)
			len = end - at;
		if (signals_pending())
			return STOP_SIGNAL;
		/* A disk that has become smaller meanwhile has no more. */
		s->err = sys_read_all(s->device, data, len, at);
		if (s->err)
			return STOP_DISK;
		s->err = image_add(&s->writer, at, data, len);
		if (s->err)
			return STOP_FILE;
		freeze_alive(&s->freeze);
		*done += len;
		progress_show(job->verb, job->disk.name, ratio_of(*done, s->parts.bytes), NULL);
	}
	return STOP_NONE;
}

static enum stop copy(struct save *s)
{
	unsigned char *data = image_buffer(IMAGE_PIECE);
	enum stop stop = STOP_NONE;
	uint64_t done = 0;
	size_t part;

	s->err = image_begin(&s->writer, s->file.fd, &s->job->header, s->job->level);
	for (part = 0; !s->err && stop == STOP_NONE && part < s->parts.n; part++)
		stop = copy_part(s, data, part, &done);
	if (!s->err && stop == STOP_NONE)
		s->err = image_end(&s->writer);
	if (s->err && stop == STOP_NONE)
		stop = STOP_FILE;
	free(data);
	return stop == STOP_FILE && s->err == EINTR ? STOP_SIGNAL : stop;
}

static int report(struct save *s, enum stop stop, bool whole)
{
	struct image_job *job = s->job;

	if (stop == STOP_FILE)
		return image_file_failed(job->verb, job->disk.name, &s->file, s->err);
	if (stop == STOP_DISK || stop == STOP_SIGNAL) {
		say(job->verb, job->disk.name, "%s%s; %s",
		    stop == STOP_DISK ? "can't be read: " : "interrupted",
		    stop == STOP_DISK ? strerror(s->err) : "", image_file_then(&s->file));
		return RX_KERNEL;
	}
	if (whole)
		return RX_OK;
	say(job->verb, job->disk.name, "a file system did not stay frozen up to the end, because somebody has thawed it or FILE took a minute for one piece; there is no image, try again");
	return RX_DATA;
}

/* Does the work, and ends with the file systems thawed. */
static int run(struct save *s)
{
	struct image_job *job = s->job;
	enum stop stop;
	bool whole;
	int ret;

	ret = s->freeze.mounts.n ? freeze_begin(job->verb, job->disk.name, &s->freeze) : RX_OK;
	if (ret)
		return ret;
	/* The disk takes memory for data only when the page cache writes it. */
	if (fsync(s->device)) {
		s->err = errno;
		stop = STOP_DISK;
	} else {
		ret = image_disk_parts(job->verb, &job->disk, &s->parts);
		stop = ret ? STOP_NONE : copy(s);
	}
	whole = freeze_end(&s->freeze);
	progress_end();
	return ret ? ret : report(s, stop, whole);
}

/* Opens the disk. But for the file systems that are going to be frozen, it is ours alone. */
static int open_disk(struct save *s)
{
	struct image_job *job = s->job;
	int ret = image_disk_unused(job->verb, &job->disk, job->freeze);

	if (!ret && job->freeze)
		ret = freeze_find(job->verb, job->disk.name, &s->freeze);
	if (ret)
		return ret;
	if (!s->freeze.mounts.n)
		return users_open(job->verb, &job->disk.device, O_RDONLY | O_EXCL, &s->device);
	ret = image_disk_claim(job->verb, &job->disk, &s->claims, &s->n_claims);
	return ret ? ret : users_open(job->verb, &job->disk.device, O_RDONLY, &s->device);
}

/* A file on the disk itself could not be written while it is frozen. */
static int check_file(struct save *s)
{
	struct image_job *job = s->job;
	int dir, ret;

	if (!s->freeze.mounts.n)
		return RX_OK;
	dir = image_file_dir(job->path);
	ret = freeze_check_file(job->verb, job->disk.name, &s->freeze, job->path, dir);
	if (dir >= 0)
		close(dir);
	return ret;
}

static int save(struct save *s)
{
	struct image_job *job = s->job;
	const char *verb = job->verb, *name = job->disk.name;
	int ret = open_disk(s);

	if (!ret)
		ret = check_file(s);
	if (ret || rx.dry_run)
		return ret ? ret : req_show_none();
	if (image_is_stream(job->path))
		catch_signals();
	else
		signals_take();
	ret = image_file_new(verb, name, job->path, &s->file);
	if (!ret)
		ret = run(s);
	if (!ret)
		ret = image_file_finish(verb, name, &s->file);
	job->bytes = s->writer.bytes;
	job->stored = s->writer.stored;
	return ret;
}

int image_save(struct image_job *job, const char *name)
{
	struct save s = { .job = job, .device = -1, .file = { .fd = -1, .dir = -1 },
			  .freeze = { .alive = -1 } };
	int ret;

	ret = image_disk_get(job->verb, name, &job->disk);
	if (!ret)
		ret = image_file_check(job->verb, name, job->path);
	if (ret)
		return ret;
	whose(&job->header, &job->disk);
	ret = save(&s);
	image_file_drop(&s.file);
	image_writer_free(&s.writer);
	extents_free(&s.parts);
	freeze_end(&s.freeze);
	job->frozen = s.freeze.mounts;
	s.freeze.mounts = (struct rx_strv){ 0 };
	freeze_free(&s.freeze);
	if (s.device >= 0)
		close(s.device);
	while (s.n_claims)
		close(s.claims[--s.n_claims]);
	free(s.claims);
	if (ret && signals_last())
		signals_die();
	return ret;
}
