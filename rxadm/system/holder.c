// SPDX-License-Identifier: GPL-2.0-only
/* Takes the names of the caches that hold a disk apart, and chooses one of them. */
#include <stdio.h>
#include <string.h>

#include "kernel/nl.h"
#include "system/holder.h"

/* Stores and returns the first name of *REST, and moves *REST behind it; NULL: no more. */
const char *holder_next(const char **rest, char name[RX_NAME_LEN])
{
	size_t len = strcspn(*rest, ",");

	if (!len)
		return NULL;
	snprintf(name, RX_NAME_LEN, "%.*s", (int)len, *rest);
	*rest += len + ((*rest)[len] == ',');
	return name;
}

/*
 * Stores and returns the first name of HOLDERS whose cache is active. Each holder can
 * change the size of the disk, but not while it is starting or draining. If none is
 * active, the first name is taken, and the kernel will tell.
 */
const char *holder_active(const char *holders, char name[RX_NAME_LEN])
{
	const char *rest = holders;
	struct rx_cache cache;
	struct rx_err err;

	while (strchr(holders, ',') && holder_next(&rest, name))
		if (!nl_get(RX_CACHE, name, &cache, &err) &&
		    cache.state == RX_STATE_ACTIVE)
			return name;
	rest = holders;
	return holder_next(&rest, name);
}
