/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plans: the commands that carry out a line of the table. A plan depends on the line and on
 * struct up_state, which look.c fills. The functions here ask nobody and change nothing.
 */
#ifndef RXADM_UP_PLAN_H
#define RXADM_UP_PLAN_H

#include "base/strv.h"
#include "kernel/object.h"
#include "table/table.h"

/* The most commands of a plan: unmap, map, three set, unexport and export are the longest. */
#define PLAN_CMDS	8

enum up_image {
	IMAGE_ABSENT, IMAGE_THERE,
	IMAGE_UNMOUNTED,	/* the file system that it lies on */
	IMAGE_NO_DIR,
	IMAGE_UNKNOWN,
};

enum up_export {
	UP_EXPORT_NONE,
	UP_EXPORT_LEFT,		/* a record, but what it names belongs to another program */
	UP_EXPORT_BROKEN,	/* does not serve the device */
	UP_EXPORT_HALF,		/* serves it, and parts are missing */
	UP_EXPORT_WHOLE,
};

/* What there is for a line. */
struct up_state {
	bool there;		/* the disk or cache */
	struct rx_disk disk;	/* of the line of a cache: the one that holds it */
	struct rx_cache cache;
	char *differs;		/* in what can't be changed while it is there, or NULL */
	char holder[RX_NAME_LEN];	/* a cache that can change the size of the disk */
	uint64_t page;		/* to which the kernel rounds a limit */
	unsigned int sent;	/* the shares that this run has set already, by their keys */
	int origin;		/* 0, or why the origin can't be used, an errno */
	enum up_image image;
	char *place;		/* that is not mounted, or is no directory, or what is wrong */
	bool awaited;		/* the disk is without its image, or has a part of it */
	bool marked;		/* the disk may be saved over its image */
	enum up_export export;
	char *nqn;
	char *export_differs;	/* from the line, or NULL */
};

enum up_result {
	UP_NOT_TRIED, UP_MADE, UP_CHANGED, UP_SAME, UP_REMOVED, UP_ABSENT, UP_FAILED
};

struct up_cmd {
	struct rx_strv words;	/* without "rxadm" before them */
	bool timed;		/* may take as long as the line says */
	bool usable;		/* the disk or cache can be used even if this fails */
	bool mark;		/* it gives the disk the content of its image */
	struct rx_strv undo;	/* if it fails, and the disk or cache is there */
	struct rx_strv instead;	/* if it fails with RX_DATA */
	char *what, *next;	/* said if it fails; NULL: it has said enough */
};

/* The commands, and then WHAT: why that is not all, or NULL. */
struct up_plan {
	struct up_cmd cmds[PLAN_CMDS];
	size_t n;
	enum up_result result;	/* if all succeeds */
	struct rx_strv hints;
	bool mark;		/* there is no image, so the disk, as soon as it is there, may be saved */
	bool usable;
	unsigned int sent;	/* the shares that it sets, by their keys */
	char *what, *next;
};

void plan_lower(struct up_plan *plan, const struct tab_line *line, const struct up_state *is);
void plan_up(struct up_plan *plan, const struct tab_line *line, const struct up_state *is, bool export);
void plan_down(struct up_plan *plan, const struct tab_line *line, const struct up_state *is,
	       bool save);
void plan_save(struct up_plan *plan, const struct tab_line *line, const struct up_state *is);
void plan_free(struct up_plan *plan);

#endif
