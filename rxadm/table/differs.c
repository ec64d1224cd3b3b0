// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tells how a disk or cache that exists differs from its line of the table, in what can't
 * be changed while it exists.
 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/units.h"
#include "system/dev.h"
#include "table/differs.h"
#include "table/table.h"


/* Returns the size that the line's disk gets. */
uint64_t tab_disk_size(const struct tab_line *line)
{
	return size_whole(line->num[TAB_SIZE]);
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

/* Returns the difference in words, which the caller frees, or NULL if all agrees. */
char *tab_disk_differs(const struct tab_line *line, const struct rx_disk *disk)
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

static char *memory_differs(const struct tab_line *line,
			    const struct rx_cache *cache)
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

/* Returns the same for a cache as tab_disk_differs() for a disk. */
char *tab_cache_differs(const struct tab_line *line,
			const struct rx_cache *cache)
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
