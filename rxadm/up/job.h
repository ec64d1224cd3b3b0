/* SPDX-License-Identifier: GPL-2.0-only */
/* The work for a line of the table, and the commands of its plan. */
#ifndef RXADM_UP_JOB_H
#define RXADM_UP_JOB_H

#include <stdint.h>

#include "base/strv.h"
#include "up/plan.h"

/* One line on its way up or down. */
struct tab_job {
	const char *verb;
	struct tab_line *line;
	struct up_state is;
	enum up_result result;
	int status;		/* of a failure, an exit code */
	struct rx_strv steps;	/* the commands, as they are shown */
	char *what, *next;	/* why it failed, if no command has said so */
	bool usable;	/* the disk or cache is there, even if the job has failed */
};

/* What all jobs of a run share. */
struct tab_common {
	int lock;		/* of the line at work; its commands keep it, too */
	int64_t end;		/* of waiting for origins, and of commands that are timed */
	bool tied;		/* a command is killed with us, so that nothing goes on saving */
	struct rx_strv touched;	/* what commands were about: disks, caches and origins */
};

int tab_lock(const char *verb, const char *name);
void job_fail(struct tab_job *job, char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void job_run(struct tab_job *job, const struct up_plan *plan, struct tab_common *common);
void job_free(struct tab_job *job);

#endif
