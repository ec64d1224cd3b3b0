// SPDX-License-Identifier: GPL-2.0-only
/* The options of all verbs, and exit codes. */
#include "global.h"

struct rx_global rx;

/* All well, all failed, or some of several. */
void tally(struct rx_tally *t, int status)
{
	if (status == RX_OK) {
		t->done++;
	} else {
		t->failed++;
		/* Data that differs is what a script must not miss. */
		if (t->status != RX_DATA)
			t->status = status;
	}
}

int tally_exit(const struct rx_tally *t)
{
	if (!t->failed)
		return RX_OK;
	return t->done && t->status != RX_DATA ? RX_PARTIAL : t->status;
}
