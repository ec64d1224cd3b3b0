// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands that carry out an advice. A cache can't be resized while it is
 * mapped, so they map it anew with its present settings.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "mem.h"
#include "page.h"
#include "rxtab.h"

#define MIB	(1ULL << 20)

/* The exact size, as options take it. */
static const char *exact(uint64_t bytes)
{
	static const char letters[] = "BKMGTPE";
	int i = 0;

	while (i < 6 && bytes && !(bytes % 1024)) {
		bytes /= 1024;
		i++;
	}
	return page_text("%" PRIu64 "%c", bytes, letters[i]);
}

/*
 * The size of the disk for the point AT. A point is the capacity of the index's
 * sets, somewhat less than a disk of a round size, so a power of two between
 * two points is taken as one between their disks.
 */
uint64_t advice_size(const struct rx_advice *a, size_t at)
{
	uint64_t base = a->disk_size == RX_NONE ? a->cache->size : a->disk_size;
	uint64_t size = a->curve.at[at].size;
	double steps = log2((double)size / a->curve.at[a->now].size);

	if (fabs(steps - round(steps)) < 0.1)
		return ldexp(base, round(steps));
	return (size + MIB - 1) / MIB * MIB;
}

/* The options of map that differ from the defaults. */
static void put_options(FILE *f, const struct rx_cache *c, uint64_t disk_size)
{
	static const char *const modes[RX_MODES] = { "through", "around", "bypass" };

	fprintf(f, " --name %s", c->name);
	if (c->block != RX_NONE && c->block != 4096)
		fprintf(f, " --block %s", exact(c->block));
	if (*c->policy && strcmp(c->policy, "rx"))
		fprintf(f, " --policy %s", c->policy);
	if (c->mode < RX_MODES && c->mode != RX_MODE_THROUGH)
		fprintf(f, " --mode %s", modes[c->mode]);
	if (!c->write_allocate)
		fputs(" --no-write-allocate", f);
	/* The default grows with the disk, and so is left out. */
	if (c->floor != RX_NONE &&
	    (disk_size == RX_NONE || c->floor > disk_size / 8 ||
	     c->floor + MIB < disk_size / 8))
		fprintf(f, " --floor %s", exact(c->floor));
	if (c->read_only == 1)
		fputs(" --read-only", f);
}

static void map_anew(struct rx_strv *steps, const struct rx_advice *a, uint64_t size)
{
	const struct rx_cache *c = a->cache;
	bool own = c->own_disk == 1;
	char *text;
	FILE *f;

	strv_print(steps, "rxadm unmap %s", c->name);
	if (!own)
		strv_print(steps, "rxadm resize %s %s%s", c->disk, exact(size),
			   a->disk_size != RX_NONE && size < a->disk_size ? " --shrink" : "");
	f = mem_open(&text);
	if (own)
		fprintf(f, "rxadm map --size %s", exact(size));
	else
		fprintf(f, "rxadm map %s", c->disk);
	put_options(f, c, a->disk_size);
	fprintf(f, " %s", *c->origin_path ? c->origin_path : c->origin);
	mem_close(f);
	strv_add(steps, text);
	free(text);
}

/* False if the table has no line of this cache, which is what to change then. */
static bool from_table(struct rx_strv *steps, const struct rx_cache *c,
		       uint64_t size)
{
	const struct tab_line *line = NULL;
	struct rx_tab tab;

	if (tab_load(&tab, RXTAB_PATH))
		return false;
	line = tab_find(&tab, c->name);
	if (line) {
		strv_print(steps, "editor %s  # size=%s for %s", RXTAB_PATH, exact(size),
			   line->disk ? line->disk->name : line->name);
		strv_print(steps, "rxadm down %s%s%s", c->name, line->disk ? " " : "",
			   line->disk ? line->disk->name : "");
		strv_print(steps, "rxadm up %s", c->name);
	}
	tab_free(&tab);
	return line;
}

/* PATH quoted for a shell; NULL if it can't be typed, as [SWAP]. */
static char *quoted(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@,";
	size_t i;

	if (*path != '/' || strchr(path, '\''))
		return NULL;
	for (i = 0; path[i]; i++)
		if ((unsigned char)path[i] < ' ' || path[i] == 0x7f)
			return NULL;
	return mem_text(strspn(path, plain) == i ? "%s" : "'%s'", path);
}

/* Unmounts in the reverse order of mounting. */
static void put_mounts(struct rx_strv *steps, const struct rx_cache *c,
		       bool mount)
{
	size_t n = c->mounts.n, i;
	char *path;

	for (i = 0; i < n; i++) {
		path = quoted(c->mounts.v[mount ? i : n - 1 - i]);
		if (path)
			strv_print(steps, "%s %s", mount ? "mount" : "umount", path);
		free(path);
	}
}

/* Commands in the order to run them; none if nothing is to change. */
void advice_steps(const struct rx_advice *a, struct rx_strv *steps)
{
	const struct rx_cache *c = a->cache;
	uint64_t size;

	if (a->verdict == VERDICT_BYPASS)
		strv_print(steps, "rxadm set %s --mode through", c->name);
	if (verdict_resizes(a->verdict)) {
		size = advice_size(a, a->best);
		put_mounts(steps, c, false);
		if (!from_table(steps, c, size))
			map_anew(steps, a, size);
		put_mounts(steps, c, true);
	} else if (verdict_unmaps(a->verdict)) {
		put_mounts(steps, c, false);
		strv_print(steps, "rxadm unmap %s", c->name);
		put_mounts(steps, c, true);
	}
	if (a->flip && !verdict_unmaps(a->verdict))
		strv_print(steps, "rxadm set %s --write-allocate %s", c->name,
			   c->write_allocate ? "no" : "yes");
}
