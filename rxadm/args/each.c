// SPDX-License-Identifier: GPL-2.0-only
/* A verb that does the same with each of its objects. */
#include "args/args.h"
#include "args/each.h"
#include "kernel/name.h"
#include "run/fetch.h"
#include "run/run.h"

/*
 * Calls ONE for each object that the verb was given, once all of them are known to be of
 * FAMILY. Lists the objects that were added to DONE.
 */
int verb_each(const struct rx_args *args, enum rx_family family,
	      int (*one)(const struct rx_args *args, const char *name,
			 struct rx_list *done))
{
	const char *verb = args->verb->name;
	struct rx_list done = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!object_is(verb, args->objects[i], family, name))
			return RX_USAGE;
	for (i = 0; i < args->n_objects; i++) {
		object_is(verb, args->objects[i], family, name);
		tally(&t, one(args, name, &done));
	}
	out_result(&done);
	list_free(&done);
	return tally_exit(&t);
}
