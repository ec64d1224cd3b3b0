// SPDX-License-Identifier: GPL-2.0-only
/* Makes the commands that carry out an advice. */
#include <math.h>
#include <string.h>

#include "advise/advice.h"
#include "advise/steps.h"
#include "base/quote.h"
#include "base/strv.h"
#include "base/units.h"

#define MIB	(1ULL << 20)

/*
 * Returns the size of the disk for the point AT. A point is the capacity of the index's
 * sets, which is somewhat less than a disk of a round size. So if the ratio of the point
 * to the present one is about a power of two, the disk's size is multiplied by exactly
 * that power.
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

/* Unmounts in the reverse order of mounting. */
static void put_mounts(struct rx_strv *steps, const struct rx_cache *c,
		       bool mount)
{
	size_t n = c->mounts.n, i;
	const char *path;

	for (i = 0; i < n; i++) {
		path = c->mounts.v[mount ? i : n - 1 - i];
		/* [SWAP] is no place. */
		if (*path == '/')
			strv_print(steps, "%s %s", mount ? "mount" : "umount", quoted(path));
	}
}

/*
 * Adds the commands in the order in which they are to run, or none if nothing is to
 * change.
 */
void advice_steps(const struct rx_advice *a, struct rx_strv *steps)
{
	const struct rx_cache *c = a->cache;
	char size[32];

	if (a->verdict == VERDICT_BYPASS)
		strv_print(steps, "rxadm set %s --mode through", c->name);
	if (verdict_resizes(a->verdict)) {
		size_exact(advice_size(a, a->best), size, sizeof(size));
		strv_print(steps, "rxadm set %s --size %s", c->name, size);
		if (a->table_line)
			strv_print(steps, "editor %s  # size=%s for %s", a->table, size, a->table_line);
	} else if (verdict_unmaps(a->verdict)) {
		put_mounts(steps, c, false);
		strv_print(steps, "rxadm unmap %s", c->name);
		put_mounts(steps, c, true);
	}
	/* Where it should grow, that is the other way, and page.c has it. */
	if (a->compress && a->verdict != VERDICT_GROW)
		strv_print(steps, "rxadm set %s --compress lz4", c->name);
	if (a->flip && !verdict_unmaps(a->verdict))
		strv_print(steps, "rxadm set %s --write-allocate %s", c->name,
			   c->write_allocate ? "no" : "yes");
	if (a->no_ahead && !verdict_unmaps(a->verdict))
		strv_print(steps, "rxadm set %s --read-ahead off", c->name);
}
