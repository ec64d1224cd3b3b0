// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plays the reads of a start into the cache before they come, in their order, so that what
 * the start needs first is there first.
 */
#include <errno.h>
#include <string.h>

#include "base/global.h"
#include "base/say.h"
#include "warm/blocklist.h"
#include "warm/file.h"
#include "warm/play.h"
#include "warm/record.h"
#include "warm/run.h"
#include "warm/save.h"

static bool play_pass(struct warm_run *run)
{
	unsigned int heat;
	size_t i, next;

	for (i = 0; i < run->list.n; i = next) {
		next = run_neighbours(run, i, false, &heat);
		if (!run_hold_back(run, run->warm.next))
			return false;
		run_read(run, i, next, run->pace.depth);
		run->pace.reads++;
	}
	return run_settle(run, run->warm.next);
}

/* Plays the file PATH into CACHE, and returns at the end. */
int warm_play(const char *verb, const struct rx_cache *cache, const char *path)
{
	struct warm_run run = { .verb = verb, .cache = cache, .keep_next = true };
	const char *wrong = "is no regular file";
	int err = warm_is_special(path) ? EBADMSG :
		  warm_read_of(cache, path, &run.list, &wrong);

	if (err) {
		say(verb, cache->name, "%s %s%s", path, err == EBADMSG ? "" : "can't be read: ",
		    wrong);
		return RX_DATA;
	}
	if (rx.dry_run) {
		warm_free(&run.list);
		return RX_OK;
	}
	return warm_run(&run, play_pass);
}
