// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contradictions between lines of the table, and in one; and on this machine the memory
 * that lines take, each by itself, and all that a boot makes together.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rxdsk.h>

#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/preflight.h"
#include "system/dev.h"
#include "table/check.h"
#include "table/export.h"
#include "table/image.h"
#include "table/parse.h"
#include "table/table.h"

static void no_such_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct rx_strv disks = tab_disks(tab);
	char *list = strv_join(&disks, ", ");

	tab_wrong(tab, line, "no line has the disk '%s' (%s)",
		  line->text[TAB_DISK], disks.n ? list :
		  "size=4G makes one of its own");
	free(list);
	strv_free(&disks);
}

/*
 * Checks that caches that share a disk have the same block size and floor. The
 * cache that is mapped first would decide what another line leaves out, so all lines have
 * to leave it out.
 */
static void check_shared(struct rx_tab *tab, struct tab_line *line,
			 const struct tab_line *first)
{
	static const struct { enum tab_key key; const char *name; } shared[] = {
		{ TAB_BLOCK, "block" }, { TAB_FLOOR, "floor" },
	};
	enum tab_key key;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shared); i++) {
		key = shared[i].key;
		if (!line->text[key] == !first->text[key] &&
		    (!line->text[key] || line->num[key] == first->num[key]))
			continue;
		tab_wrong(tab, line,
			  "its %s is not that of %s, which shares disk %s, see line %u (the same in both lines, or in none)",
			  shared[i].name, first->name, line->disk->name, first->nr);
		return;
	}
}

/* Checks that a disk has room for the min shares of the caches up to LINE. */
static void check_min_shares(struct rx_tab *tab, struct tab_line *line)
{
	uint64_t size = tab_disk_size(line->disk), left = size, least;
	struct tab_line *other;

	for (other = tab->lines; other <= line; other++) {
		if (other->disk != line->disk || other->bad)
			continue;
		least = other->text[TAB_MIN_SHARE] ?
			part_bytes(other->text[TAB_MIN_SHARE], other->num[TAB_MIN_SHARE], size) : 0;
		if (least > left) {
			tab_wrong(tab, line,
				  "the min shares of the caches on disk %s are over 100 %% of it (smaller ones)",
				  line->disk->name);
			return;
		}
		left -= least;
	}
}

/* What a line of a disk may not have if a cache is on the disk. */
static const struct unfit {
	enum tab_key key;
	const char *is, *instead;
} unfits[] = {
	{ TAB_PREALLOC, "is preallocated", "one without prealloc" },
	{ TAB_ZERO_DETECT, "drops pages of zeroes", "one without zero-detect" },
	{ TAB_LIMIT, "has a memory limit", "one without limit; a smaller size does the same" },
	{ TAB_NUMA, "is bound to NUMA nodes", "one without numa" },
	{ TAB_EXPORT, "is exported", "one without export; the cache can be exported" },
	{ TAB_IMAGE, "has an image", "one without image; a cache has none, see: warm" },
};

/* Returns the first of these that DISK has, or NULL. */
static const struct unfit *unfit_of(const struct tab_line *disk)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unfits); i++)
		if (disk->text[unfits[i].key])
			return &unfits[i];
	return NULL;
}

/* Checks the disk of a cache, which must be there first. Other caches may be on it. */
static void check_disk(struct rx_tab *tab, struct tab_line *line)
{
	struct tab_line *disk = tab_find(tab, line->text[TAB_DISK]), *other;
	const struct unfit *unfit;

	if (!disk) {
		no_such_disk(tab, line);
		return;
	}
	line->disk = disk;
	for (other = tab->lines; other < line && other->disk != disk; other++)
		;
	if (other < line) {
		check_shared(tab, line, other);
		if (line->bad)
			return;
	}
	unfit = unfit_of(disk);
	if (disk->bad)
		tab_wrong(tab, line,
			 "its disk %s has an error in line %u (that one first)",
			 disk->name, disk->nr);
	else if (unfit)
		tab_wrong(tab, line, "its disk %s %s, see line %u (%s)",
			 disk->name, unfit->is, disk->nr, unfit->instead);
	else if (line->text[TAB_INITRAMFS] && !disk->text[TAB_INITRAMFS])
		tab_wrong(tab, line,
			 "its disk %s is not set up in the initramfs (initramfs in line %u too)",
			 disk->name, disk->nr);
}

static void check_twice(struct rx_tab *tab, struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN], *theirs;
	struct tab_line *other;

	for (other = tab->lines; other < line; other++) {
		theirs = other->text[TAB_ORIGIN];
		if (!strcmp(other->name, line->name)) {
			tab_wrong(tab, line,
				 "%s is in line %u already (one line for each)",
				 line->name, other->nr);
			return;
		}
		if (origin && theirs && !strcmp(origin, theirs)) {
			tab_wrong(tab, line,
				 "origin '%s' has a cache already, %s in line %u (one cache for a device)",
				 origin, other->name, other->nr);
			return;
		}
	}
}

/*
 * If two lines contradict each other, the later one is bad. Disks are checked
 * first, because a cache on a bad disk is bad too.
 */
void tab_check_lines(struct rx_tab *tab)
{
	size_t i;

	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad)
			check_twice(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad)
			tab_check_image(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad && tab->lines[i].text[TAB_DISK])
			check_disk(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad)
			tab_check_export(tab, &tab->lines[i]);
	for (i = 0; i < tab->n_lines; i++)
		if (!tab->lines[i].bad && tab->lines[i].disk)
			check_min_shares(tab, &tab->lines[i]);
}

/* Tells whether the disk or cache of the line is there. */
static bool is_there(const struct tab_line *line)
{
	struct rx_err err = { 0 };
	struct rx_event object;

	return !nl_get(line->family, line->name, &object.disk, &err);
}

/*
 * Notes what the kernel has against the line. Returns false if that is not known: the kernel
 * has not come to look at it. What is there now, such as a name that is taken, is no matter,
 * but what the machine lacks now it may lack at a boot.
 */
static bool judge(struct rx_tab *tab, struct tab_line *line, const struct rx_err *err)
{
	const char *next = err_next("check-tab", err);
	bool wrong = false;

	if (!next)
		next = "see: man rxtab";
	if (err_is_older(err) || err->absent || err->hidden)
		return false;
	switch (err->err) {
	case EPERM:
	case ENODEV:
	case EINTR:
	case EPROTO:
	case EAFNOSUPPORT:
		return false;
	case EINVAL:
		wrong = true;
		break;
	case ENOSPC:
		wrong = line->family == RX_CACHE;
		break;
	case EOPNOTSUPP:
	case ENOMEM:
	case ENOTBLK:
		break;
	default:
		return true;
	}
	if (wrong)
		tab_note(tab, line, !preflight_off(), "kernel: %s (%s)", err_kernel(err), next);
	else if (!is_there(line))
		tab_warn(tab, line, "kernel: %s now (%s)", err_kernel(err), next);
	return true;
}

/*
 * Has the kernel check the line. MAY_LOAD: also if that loads its module. Returns false if the
 * kernel did not answer.
 */
static bool ask(struct rx_tab *tab, struct tab_line *line, bool may_load)
{
	struct rx_err err = { 0 };
	struct rx_req req;

	if (!may_load && !sys_has_module(model_family(line->family)))
		return false;
	tab_request(line, &req);
	req_validate(&req);
	nl_do(&req, NULL, &err);
	req_free(&req);
	return judge(tab, line, &err);
}

static void check_memory(struct rx_tab *tab, struct tab_line *line)
{
	struct rx_strv doubt = { 0 };

	/* The kernel says so of a preallocated disk. */
	if (line->text[TAB_PREALLOC])
		return;
	preflight_memory(line->family, line->disk ? RX_NONE : line->num[TAB_SIZE],
			 line->text[TAB_FLOOR] ? line->num[TAB_FLOOR] : RX_NONE, &doubt);
	tab_say_all(tab, line, false, &doubt);
}

void tab_check_machine(struct rx_tab *tab, const struct rx_objects *named, bool check)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	int family;

	tab->asked = true;
	for (family = 0; family < RX_FAMILIES; family++) {
		for (line = tab->lines; line < end; line++) {
			if (line->bad || line->family != (enum rx_family)family ||
			    (line->disk && line->disk->bad) ||
			    (named->n ? !objects_have(named, line->name) :
			     !check && line->text[TAB_NOAUTO]))
				continue;
			/* up loads the modules in a moment anyway. */
			tab->asked &= ask(tab, line, !check && !rx.dry_run);
			if (check && !line->bad)
				check_memory(tab, line);
		}
	}
}

/* Returns the memory that a line keeps from all others: of a disk, or of a cache's floor. */
static uint64_t line_keeps(const struct rx_tab *tab, const struct tab_line *line)
{
	uint64_t size = or_zero(line->num[TAB_SIZE]), floor = or_zero(line->num[TAB_FLOOR]);
	const struct tab_line *other = tab->lines;

	if (line->family == RX_DISK)
		return line->text[TAB_PREALLOC] ? size : 0;
	if (!line->text[TAB_FLOOR])
		return 0;
	/* Caches that share a disk have one floor. */
	while (line->disk && other < line && other->disk != line->disk)
		other++;
	if (line->disk)
		size = other < line ? 0 : or_zero(line->disk->num[TAB_SIZE]);
	return size < floor ? size : floor;
}

/*
 * Refuses preallocated disks that together are more than the memory of the machine. The
 * kernel takes any floor, so with floors it is a warning. A line that a boot leaves out is
 * not counted.
 */
void tab_check_sums(struct rx_tab *tab)
{
	uint64_t total, available, keeps, disks = 0, floors = 0;
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	char has[32], is[32];
	bool over = false;

	dev_memory(&total, &available);
	if (sys_absent() || total == RX_NONE)
		return;
	size_print(total, has, sizeof(has));
	for (line = tab->lines; line < end; line++) {
		keeps = line->bad || line->text[TAB_NOAUTO] ? 0 : line_keeps(tab, line);
		if (!keeps)
			continue;
		/* Larger ones are refused, and would overflow the sum. */
		if (keeps > RXDSK_SIZE_MAX)
			keeps = RXDSK_SIZE_MAX;
		if (line->family == RX_CACHE) {
			floors += keeps;
		} else if (disks + keeps > total) {
			tab_note(tab, line, !preflight_off(),
				 "the preallocated disks up to this line have %s, which is more than the memory of this machine, %s (smaller ones, or without prealloc)",
				 size_print(disks + keeps, is, sizeof(is)), has);
			continue;
		} else {
			disks += keeps;
		}
		if (over || !floors || disks + floors < total)
			continue;
		over = true;
		tab_warn(tab, line,
			 "the preallocated disks and the floors up to this line are %s, all of the memory of this machine, %s, or more (smaller ones)",
			 size_print(disks + floors, is, sizeof(is)), has);
	}
}
