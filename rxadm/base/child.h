/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that works for this one, and ends with it. */
#ifndef RXADM_CHILD_H
#define RXADM_CHILD_H

#include <sys/wait.h>

#define CHILD_NOT_RUN	127	/* exit status: the program could not be run */

/*
 * Runs ARGV, whose first word is a path, without a shell, to its end, and sets *STATUS as
 * waitpid() does. Returns its output, which the caller frees. Its standard input is INPUT
 * and its standard error ERRORS, or those of this process if that is -1. It is killed when
 * this process ends in any way.
 */
char *child_run(char *const argv[], int input, int errors, int *status);

#endif
