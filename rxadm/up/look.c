// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out what there is for a line of the table. For up it waits for what is about to
 * come: an origin, and a disk or cache that is being made or removed.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/wait.h"
#include "export/plan.h"
#include "export/record.h"
#include "image/mark.h"
#include "kernel/await.h"
#include "kernel/derive.h"
#include "kernel/events.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "system/address.h"
#include "system/dev.h"
#include "system/node.h"
#include "system/stacked.h"
#include "table/export.h"
#include "table/image.h"
#include "table/table.h"
#include "up/look.h"
#include "up/plan.h"

#define NOTICE_MS	3000

/*
 * Tells whether the object exists. If it returns false with err->err set, the answer is
 * not known. It loads no module.
 */
bool look_there(enum rx_family family, const char *name, struct rx_err *err)
{
	struct rx_event object;

	err->err = 0;
	if (!sys_has_module(model_family(family)))
		return false;
	if (!nl_get(family, name, &object.disk, err))
		return true;
	if (err->err == ENODEV || err->absent)
		err->err = 0;
	return false;
}

static long left(int64_t end)
{
	int64_t ms = end - now_ms();

	return rx.dry_run || ms < 0 ? 0 : (long)ms;
}

/*
 * Waits for the origin. After a while a user at a terminal wants to know why nothing
 * happens. PLANNED: what commands before have made, if this were no dry run.
 */
static int look_at_origin(const struct tab_line *line, int64_t end, const struct rx_strv *planned)
{
	const char *origin = line->text[TAB_ORIGIN];
	long wait = left(end);
	char real[PATH_MAX];
	int err;

	if (!strncmp(origin, "/dev/", 5) && strv_has(planned, origin + 5))
		return 0;
	err = dev_await(origin, real, sizeof(real), wait < NOTICE_MS ? wait : NOTICE_MS);
	if (err != ENOENT || wait <= NOTICE_MS || signals_pending())
		return err;
	if (!rx.quiet && isatty(STDERR_FILENO))
		say_hint("up", line->name, "waiting for %s; Ctrl-C gives up", origin);
	return dev_await(origin, real, sizeof(real), left(end));
}

/* Prints two sizes with FMT, in bytes if both read the same in short form. */
static char * __attribute__((format(printf, 1, 0)))
sizes(const char *fmt, uint64_t a, uint64_t b)
{
	char is[32], want[32];

	size_print(a, is, sizeof(is));
	size_print(b, want, sizeof(want));
	if (!strcmp(is, want)) {
		snprintf(is, sizeof(is), "%" PRIu64 "B", a);
		snprintf(want, sizeof(want), "%" PRIu64 "B", b);
	}
	return mem_text(fmt, is, want);
}

/* Compares numbers of queues. The kernel makes no more queues than there are CPUs. */
static bool queues_differ(uint64_t is, uint64_t want)
{
	return is > want ||
	       (is < want && (long)is < sysconf(_SC_NPROCESSORS_ONLN));
}

static bool numa_differs(const char *want, const struct rx_disk *disk)
{
	uint64_t node = RX_NONE;

	if (want)
		numa_parse(want, &node);
	return disk->node != node ||
	       (disk->interleave == 1) != (want && node == RX_NONE);
}

/*
 * Tells how a disk that exists differs from its line, in what can't be changed while it
 * exists. Returns the difference in words, which the caller frees, or NULL if all agrees.
 */
static char *disk_differs(const struct tab_line *line, const struct rx_disk *disk)
{
	uint64_t block = line->text[TAB_BLOCK] ? line->num[TAB_BLOCK] : 512;
	bool prealloc = line->text[TAB_PREALLOC];
	bool zero_detect = line->text[TAB_ZERO_DETECT];
	bool bios = line->num[TAB_QUEUE_MODE] == RX_QUEUE_BIO;

	/* A disk that a cache holds can be made smaller, see up/plan.c. */
	if (disk->size > tab_disk_size(line) && !*disk->holder)
		return sizes("is %s, the table says %s, and disks only grow",
			     disk->size, tab_disk_size(line));
	if (disk->block != block)
		return mem_text("has blocks of %" PRIu64 " bytes, the table says %" PRIu64,
				disk->block, block);
	if ((disk->prealloc == 1) != prealloc)
		return mem_dup(prealloc ?
			       "is not preallocated, the table says so" :
			       "is preallocated, the table says nothing of it");
	if ((disk->zero_detect == 1) != zero_detect)
		return mem_dup(zero_detect ?
			       "does not detect zeroes, the table says so" :
			       "detects zeroes, the table says nothing of it");
	if (numa_differs(line->text[TAB_NUMA], disk))
		return line->text[TAB_NUMA] ?
		       mem_text("has its memory elsewhere, the table says numa=%s",
				line->text[TAB_NUMA]) :
		       mem_dup("is bound to NUMA nodes, the table names none");
	/* A module that knows no mode but mq sends none. */
	if ((disk->queue_mode == RX_QUEUE_BIO) != bios)
		return mem_dup(bios ?
			       "has the queue mode mq, the table says bio" :
			       "has the queue mode bio, the table says mq");
	if (line->text[TAB_QUEUES] &&
	    queues_differ(disk->queues, line->num[TAB_QUEUES]))
		return mem_text("has %" PRIu64 " queues, the table says %" PRIu64,
				disk->queues, line->num[TAB_QUEUES]);
	return NULL;
}

static char *memory_differs(const struct tab_line *line, const struct rx_cache *cache)
{
	if (line->disk)
		return !strcmp(cache->disk, line->disk->name) ? NULL :
			mem_text("is on disk %s, the table says %s",
				 cache->disk, line->disk->name);
	/* Whose size the disk would have would depend on who comes last. */
	if (cache->sharers != RX_NONE && cache->sharers > 1)
		return mem_text("shares disk %s with other caches, the table gives it one of its own",
				cache->disk);
	return cache->own_disk == 1 ? NULL :
		mem_text("is on disk %s, the table gives it one of its own",
			 cache->disk);
}

/* Returns the same for a cache as disk_differs() for a disk. */
static char *cache_differs(const struct tab_line *line, const struct rx_cache *cache)
{
	const char *origin = line->text[TAB_ORIGIN];
	char real[PATH_MAX];
	int gone = dev_real(origin, real, sizeof(real));

	if (gone)
		return mem_text("exists, but its origin %s can't be found: %s",
				origin, strerror(gone));
	if (strcmp(real + strlen("/dev/"), cache->origin))
		return mem_text("is over /dev/%s, the table says %s",
				cache->origin, origin);
	/* A value that the table leaves to the kernel depends on the kernel's page size. */
	if (line->text[TAB_BLOCK] && cache->block != line->num[TAB_BLOCK])
		return mem_text("has blocks of %" PRIu64 " bytes, the table says %" PRIu64,
				cache->block, line->num[TAB_BLOCK]);
	/* A cache over an origin that can't be written is read-only anyway. */
	if (line->text[TAB_READ_ONLY] && cache->read_only != 1)
		return mem_dup("can be written, the table says read-only");
	return memory_differs(line, cache);
}

static void look_at_image(const struct tab_line *line, struct up_state *is)
{
	const char *path = line->text[TAB_IMAGE];
	char *dir, *unmounted;
	struct stat st;
	int err = 0;

	is->awaited = image_awaited(line->name);
	is->marked = image_mark_is(line->name, path);
	dir = image_dir(path);
	unmounted = image_unmounted(path);
	if (stat(path, &st))
		err = errno == ENOENT && !stat(dir, &st) ? 0 : errno;
	else
		is->image = IMAGE_THERE;
	if (unmounted)
		is->image = IMAGE_UNMOUNTED;
	else if (err)
		is->image = err == ENOENT ? IMAGE_NO_DIR : IMAGE_UNKNOWN;
	if (unmounted || err)
		is->place = mem_dup(unmounted ? unmounted : err == ENOENT ? dir : strerror(err));
	free(unmounted);
	free(dir);
}

/* Returns how the export differs from the line's. */
static char *export_differs(const struct tab_line *line, const struct rx_export *export)
{
	struct rx_export_words words = {
		.verb = "export", .nqn = line->text[TAB_NQN],
		.transport = (int)tab_export_transport(line), .service = NVMET_PORT,
		.hosts = line->hosts, .any_host = line->text[TAB_ANY_HOST],
	};
	struct rx_export want = { .stage = EXPORT_MAKING };
	char *what;

	tab_export_addrs(line, &words.addrs);
	what = !plan_read(&words, line->name, &want) ? plan_differs(export, &want) :
		mem_dup("has an export that is not understood, see above");
	export_free(&want);
	strv_free(&words.addrs);
	return what;
}

static void look_at_export(const struct tab_line *line, struct up_state *is)
{
	struct rx_export export;

	if (export_load(line->name, &export)) {
		is->export = !export_is_ours(&export) ? UP_EXPORT_LEFT :
			export_whole(&export) ? UP_EXPORT_WHOLE :
			export_repairable(&export) ? UP_EXPORT_HALF : UP_EXPORT_BROKEN;
		is->nqn = mem_dup(export.nqn);
		if (is->export >= UP_EXPORT_HALF && line->text[TAB_EXPORT])
			is->export_differs = export_differs(line, &export);
	}
	export_free(&export);
}

/* Returns 0, and whether the object is there, or an errno. */
static int get(const struct tab_line *line, struct up_state *is, struct rx_err *err)
{
	void *object = line->family == RX_DISK ? (void *)&is->disk : (void *)&is->cache;

	is->there = !nl_get(line->family, line->name, object, err);
	return is->there || err->err == ENODEV || (err->absent && rx.dry_run) ? 0 : err->err;
}

/* Waits for a disk that is being detached or takes its memory, or a cache that is starting. */
static int await(const struct tab_line *line, struct up_state *is, int64_t end, struct rx_err *err)
{
	bool preparing = is->disk.state == RX_DISK_PREPARING;
	struct rx_err ignored;

	if (rx.dry_run || !is->there)
		return 0;
	if (line->family == RX_CACHE) {
		if (is->cache.state == RX_STATE_STARTING && !nl_join(RX_CACHE, &ignored))
			await_cache(AWAIT_ACTIVE, &is->cache, "up", line->name, left(end));
		return 0;
	}
	if (!preparing && is->disk.state != RX_DISK_DETACHING)
		return 0;
	if (!nl_join(RX_DISK, &ignored))
		await_disk(preparing ? AWAIT_PREPARED : AWAIT_DETACHED, &is->disk, RX_NONE, "up", left(end));
	return get(line, is, err);
}

static int look_at_cache(const struct tab_line *line, int64_t end, const struct rx_strv *planned,
			 struct up_state *is, struct rx_err *err)
{
	if (is->there)
		model_derive(&is->cache);
	if (!is->there || is->cache.status == RX_STATE_DEAD)
		is->origin = look_at_origin(line, end, planned);
	else
		is->differs = cache_differs(line, &is->cache);
	return is->there && !line->disk && is->cache.status != RX_STATE_DEAD && !is->differs &&
	       nl_get(RX_DISK, is->cache.disk, &is->disk, err) ? err->err : 0;
}

/* Looks only at what tells the shares of a cache. One that can't be asked is not there. */
void look_for_shares(const struct tab_line *line, struct up_state *is)
{
	struct rx_err err;

	if (get(line, is, &err) || !is->there)
		return;
	model_derive(&is->cache);
	is->differs = cache_differs(line, &is->cache);
}

/* END: of all waiting. Returns RX_OK, or the exit code of an error that was said. */
int look_for_up(const struct tab_line *line, int64_t end, const struct rx_strv *planned,
		struct up_state *is)
{
	struct rx_err err;
	int failed = get(line, is, &err);

	is->page = sysconf(_SC_PAGESIZE);
	if (!failed)
		failed = await(line, is, end, &err);
	if (!failed && line->family == RX_CACHE)
		failed = look_at_cache(line, end, planned, is, &err);
	if (failed)
		return err_report("up", line->name, &err);
	if (line->family == RX_DISK && is->there) {
		is->differs = disk_differs(line, &is->disk);
		if (*is->disk.holder)
			holder_active(is->disk.holder, is->holder);
	}
	if (line->text[TAB_IMAGE])
		look_at_image(line, is);
	look_at_export(line, is);
	return RX_OK;
}

int look_for_down(const char *verb, const struct tab_line *line, struct up_state *is)
{
	struct rx_err err = { 0 };

	if (sys_has_module(model_family(line->family)) && get(line, is, &err) && !err.absent)
		return err_report(verb, line->name, &err);
	if (line->text[TAB_IMAGE])
		look_at_image(line, is);
	look_at_export(line, is);
	return RX_OK;
}

void look_free(struct up_state *is)
{
	free(is->differs);
	free(is->place);
	free(is->nqn);
	free(is->export_differs);
}
