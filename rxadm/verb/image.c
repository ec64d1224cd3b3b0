// SPDX-License-Identifier: GPL-2.0-only
/* The verbs save and restore: images of disks. */
#include <string.h>
#include <time.h>

#include <json-c/json.h>
#include <uuid/uuid.h>

#include "args/args.h"
#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/units.h"
#include "image/file.h"
#include "image/job.h"
#include "image/restore.h"
#include "image/save.h"
#include "image/write.h"
#include "kernel/list.h"
#include "kernel/name.h"
#include "run/dryrun.h"
#include "run/fetch.h"
#include "show/json.h"
#include "verb/image.h"

/* Returns the time of the image in UTC, and "" for one that no calendar has. */
static const char *saved_at(const struct image_header *header, char *buf, size_t len)
{
	time_t at = header->saved;
	struct tm tm;

	if (header->saved > INT64_MAX / 2 || !gmtime_r(&at, &tm) ||
	    !strftime(buf, len, "%Y-%m-%dT%H:%M:%SZ", &tm))
		*buf = '\0';
	return buf;
}

static struct json_object *image_json(const struct image_job *job)
{
	struct json_object *image = json_object_new_object();
	const struct image_header *header = &job->header;
	char boot[UUID_STR_LEN], at[64];

	json_add_text(image, "file", image_is_stream(job->path) ? NULL : job->path);
	json_add_text(image, "disk", header->disk);
	json_add_text(image, "host", *header->host ? header->host : NULL);
	uuid_unparse_lower(header->boot, boot);
	json_add_text(image, "boot_id", uuid_is_null(header->boot) ? NULL : boot);
	saved_at(header, at, sizeof(at));
	json_add_text(image, "time", *at ? at : NULL);
	json_add_number(image, "size", header->size);
	json_add_number(image, "block", header->block);
	json_add_number(image, "bytes", job->bytes);
	json_add_number(image, "stored", job->stored);
	json_object_object_add(image, "frozen", json_list(&job->frozen));
	return image;
}

static void print_json(const struct image_job *job)
{
	struct json_object *root = out_json_root();
	struct rx_list list = { 0 };

	list_add(&list, RX_DISK, &job->disk);
	list_add_system(&list);
	json_object_object_add(root, "image", image_json(job));
	out_json_list(root, &list, true, false);
	out_json_print(root);
	list_free(&list);
}

static void print_text(const struct image_job *job, bool saved)
{
	const char *done = rx.dry_run ? "" : " restored";
	char bytes[32], size[32], stored[32], at[64];
	const struct image_header *header = &job->header;

	size_print(job->bytes, bytes, sizeof(bytes));
	size_print(header->size, size, sizeof(size));
	size_print(job->stored, stored, sizeof(stored));
	if (saved && !image_is_stream(job->path))
		printf("%s: %s of %s saved in %s, %s\n", job->disk.name, bytes, size, shown(job->path),
		       stored);
	else if (!saved)
		printf("%s: %s of %s%s, saved as %s by %s at %s\n",
		       rx.dry_run ? shown(job->path) : job->disk.name, bytes, size, done,
		       shown(header->disk), *header->host ? shown(header->host) : "?", saved_at(header, at, sizeof(at)));
}

static int finish(int ret, struct image_job *job, bool saved)
{
	/* A dry run of a save has no image to tell of. */
	if (!ret && !rx.quiet && !(rx.dry_run && saved)) {
		if (rx.json && rx.dry_run)
			req_show_also("image", image_json(job));
		else if (rx.json)
			print_json(job);
		else
			print_text(job, saved);
	}
	strv_free(&job->frozen);
	return ret;
}

int cmd_save(const struct rx_args *args)
{
	char name[RX_NAME_LEN];
	struct image_job job = { .verb = args->verb->name, .freeze = args_has(args, "freeze"),
				 .level = args_has(args, "zstd") ?
					  (int)args_num(args, "zstd", 0) : IMAGE_LEVEL_FAST };

	if (!object_is(args->verb->name, args->objects[0], RX_DISK, name))
		return RX_USAGE;
	if (args->n_objects != 2)
		return usage_error("save: an image of a disk goes into one FILE; say: rxadm save %s FILE",
				   name);
	job.path = args->objects[1];
	if (rx.json && image_is_stream(job.path))
		return usage_error("save: --json and the image can't both go to standard output; say a FILE");
	return finish(image_save(&job, name), &job, true);
}

int cmd_restore(const struct rx_args *args)
{
	const char *path = args->objects[0];
	bool attach = args_has(args, "attach");
	struct image_job job = { .verb = args->verb->name, .path = path, .attach = attach,
				 .name = args_text(args, "name") };
	char name[RX_NAME_LEN] = "";

	if (attach && args->n_objects > 1)
		return usage_error("restore: --attach makes a disk, and %s is named too; say one of them, or: --name %s",
				   args->objects[1], quoted(args->objects[1]));
	if (!attach && args->n_objects < 2)
		return usage_error("restore: into which disk? say: rxadm restore %s rxdN, or --attach to make one",
				   quoted(path));
	if (!attach && !object_is(args->verb->name, args->objects[1], RX_DISK, name))
		return RX_USAGE;
	if (attach && !new_name_ok(args, RX_DISK))
		return RX_USAGE;
	return finish(image_restore(&job, name), &job, false);
}
