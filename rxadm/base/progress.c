// SPDX-License-Identifier: GPL-2.0-only
/*
 * Draws "rxadm VERB OBJECT: 43 %, 12 s left; words" and draws over it. Short work is over
 * before anything is drawn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/global.h"
#include "base/progress.h"
#include "base/quote.h"
#include "base/tty.h"
#include "base/wait.h"

#define FIRST_MS	500
#define AGAIN_MS	200
/* Before so much was done in so much time, nobody knows how long the rest takes. */
#define GUESS_PART	0.02
#define GUESS_MS	2000

static int64_t begun, drawn;	/* times; 0: not yet */
static double first;		/* the part that was done at BEGUN */
static bool on_screen;

static void draw(const char *verb, const char *object, double part, int64_t ms,
		 const char *more)
{
	int percent = part < 0 ? 0 : part >= 0.99 ? 99 : (int)(part * 100);
	char left[48] = "", line[256], *safe;
	long long s;

	if (ms >= GUESS_MS && part - first >= GUESS_PART && part < 1) {
		s = (long long)(ms * (1 - part) / (part - first) / 1000) + 1;
		snprintf(left, sizeof(left), ", %lld %s left", s < 120 ? s : s / 60,
			 s < 120 ? "s" : "min");
	}
	snprintf(line, sizeof(line), "rxadm %s %s: %d %%%s%s%s", verb, object, percent, left,
		 more ? "; " : "", more ? more : "");
	safe = visible(line);
	fflush(stdout);
	/* A line that reached the edge could not be drawn over. */
	fprintf(stderr, "\r%.*s\033[K", (int)tty_width(STDERR_FILENO) - 1, safe);
	free(safe);
	on_screen = true;
}

void progress_show(const char *verb, const char *object, double part, const char *more)
{
	int64_t now;

	if (rx.quiet || !tty_can_move(STDERR_FILENO) ||
	    !tty_is_ours(STDERR_FILENO))
		return;
	now = now_ms();
	if (!begun) {
		begun = now;
		first = part;
	}
	if (now - begun < FIRST_MS || (on_screen && now - drawn < AGAIN_MS))
		return;
	draw(verb, object, part, now - begun, more);
	drawn = now;
}

void progress_hide(void)
{
	if (on_screen)
		fputs("\r\033[K", stderr);
	on_screen = false;
}

void progress_end(void)
{
	progress_hide();
	begun = 0;
}
