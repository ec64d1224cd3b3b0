/* SPDX-License-Identifier: GPL-2.0-only */
/* One line on the terminal that says how far some work is. */
#ifndef RXADM_PROGRESS_H
#define RXADM_PROGRESS_H

/*
 * Shows that PART of the work is done, 0 to 1, and MORE, unless that is NULL. May be called
 * at any rate. Nothing is shown with --quiet, in steps of up and down, in the background,
 * and where standard error is no terminal.
 */
void progress_show(const char *verb, const char *object, double part, const char *more);

/* The first takes the line away until it is shown again, the second for good. */
void progress_hide(void);
void progress_end(void);

#endif
