// SPDX-License-Identifier: GPL-2.0-only
/* The options that all verbs share, and exit codes. */
#include "base/global.h"

struct rx_global rx;

/*
 * Counts a result. The exit code depends on whether all objects succeeded, all failed or
 * some did. Of several failures it is the highest, in whatever order they came.
 */
void tally(struct rx_tally *t, int status)
{
	if (status == RX_OK) {
		t->done++;
	} else {
		t->failed++;
		if (status > t->status)
			t->status = status;
	}
}

int tally_exit(const struct rx_tally *t)
{
	if (!t->failed)
		return RX_OK;
	/* A script must not miss data that differs. */
	return t->done && t->status != RX_DATA ? RX_PARTIAL : t->status;
}
