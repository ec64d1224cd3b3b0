// SPDX-License-Identifier: GPL-2.0-only
/* All disks: their names and numbers, and references to them. */
#include <linux/mutex.h>
#include <linux/xarray.h>
#include "rxdsk.h"

DEFINE_MUTEX(rxd_disks_lock);
DEFINE_XARRAY_ALLOC(rxd_disks);
unsigned int rxd_generation = 1;
static u64 last_id;			/* rxd_disks_lock */

/* Returns the number in "rxd<number>", which has no leading zeroes, or -EINVAL. */
int rxd_name_parse(const char *name)
{
	unsigned int index = 0;
	const char *p = name + 3;

	if (strncmp(name, "rxd", 3) || !*p || (p[0] == '0' && p[1]))
		return -EINVAL;
	for (; *p; p++) {
		if (*p < '0' || *p > '9')
			return -EINVAL;
		index = index * 10 + (*p - '0');
		if (index > RXD_INDEX_MAX)
			return -EINVAL;
	}
	return index;
}

/*
 * Returns the disk of that name with a reference, which rxd_disk_put() drops, or
 * ERR_PTR. The disk may be dying, so state.c checks that before a change.
 */
struct rxd_disk *rxd_disk_get(const char *name, const char **why)
{
	int index = rxd_name_parse(name);
	struct rxd_disk *d = NULL;

	mutex_lock(&rxd_disks_lock);
	if (index >= 0)
		d = xa_load(&rxd_disks, index);
	if (d)
		refcount_inc(&d->refs);
	mutex_unlock(&rxd_disks_lock);

	if (d)
		return d;
	*why = "there is no disk of that name";
	return ERR_PTR(-ENODEV);
}

void rxd_disk_put(struct rxd_disk *d)
{
	if (refcount_dec_and_test(&d->refs))
		complete(&d->unused);
}

/*
 * Lists the disk under its number, which the caller has reserved. Context: under
 * rxd_disks_lock.
 */
void rxd_disks_add(struct rxd_disk *d)
{
	lockdep_assert_held(&rxd_disks_lock);
	d->id = ++last_id;
	xa_store(&rxd_disks, d->index, d, GFP_KERNEL);
	rxd_generation++;
}

/* Removes the disk and frees its number. Context: under rxd_disks_lock. */
void rxd_disks_remove(unsigned int index)
{
	lockdep_assert_held(&rxd_disks_lock);
	xa_erase(&rxd_disks, index);
	rxd_generation++;
}

/*
 * Reserves and returns the number @want, or the lowest free one if @want is -1. Without
 * @commit it is free again before another task can look.
 */
int rxd_disks_reserve(int want, bool commit, const char **why)
{
	u32 index = want;
	int err;

	mutex_lock(&rxd_disks_lock);
	if (want >= 0)
		err = xa_insert(&rxd_disks, index, NULL, GFP_KERNEL);
	else
		err = xa_alloc(&rxd_disks, &index, NULL,
			       XA_LIMIT(0, RXD_INDEX_MAX), GFP_KERNEL);
	if (!err && !commit)
		xa_erase(&rxd_disks, index);
	mutex_unlock(&rxd_disks_lock);

	if (!err)
		return index;
	if (want >= 0 && err == -EBUSY) {
		*why = "a disk of that name exists";
		return -EEXIST;
	}
	*why = err == -EBUSY ? "all disk numbers are taken" :
			       "no memory for another disk";
	return err;
}
