/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_LINE_H
#define RXADM_UP_LINE_H

#include "base/global.h"
#include "table/table.h"

enum tab_result {
	TAB_NOT_TRIED, TAB_MADE, TAB_CHANGED, TAB_SAME, TAB_REMOVED,
	TAB_ABSENT, TAB_FAILED
};

/* One line on its way up or down. */
struct tab_job {
	struct tab_line *line;
	enum tab_result result;
	int status;		/* of a failure, an exit code */
	struct rx_strv words;	/* of a command, without "rxadm" before them */
	struct rx_strv steps;	/* the commands, as they are shown */
	char *what, *next;	/* why it failed, if no step has said so */
	bool usable;	/* the disk is there, even if a change of it fails */
	unsigned int sent;	/* keys of shares that a step has set */
	bool image;	/* there is an image at the line's path */
	uint64_t saved;	/* size of the disk in the image, if the line's is larger; or 0 */
	struct tab_job *end;	/* behind the last job of the run */
};

void tab_fail(struct tab_job *job, char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void tab_add(struct tab_job *job, const char *a, const char *b, const char *c);
void tab_step(struct tab_job *job, enum tab_result result);
void tab_up(struct tab_job *job, const struct rx_tab *tab, int64_t start);
bool tab_is_there(enum rx_family family, const char *name, struct rx_err *err);
void tab_down(struct tab_job *job, bool save);

#endif
