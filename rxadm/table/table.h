/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/rxtab, see rxtab(5): one line per disk or cache. table.c has the table, parse.c reads
 * its lines, load.c the file, check.c compares them with each other and with the memory of the
 * machine, export.c checks their exports and image.c their images, and origins.c asks the
 * machine about their origins. order.c looks for lines that a boot can't make in any order. The
 * folder up acts on the lines.
 */
#ifndef RXTAB_H
#define RXTAB_H

#include "kernel/errtext.h"
#include "kernel/object.h"
#include "base/strv.h"

#define RXTAB_PATH	"/etc/rxtab"

/* The keys before TAB_COMMANDS are options or objects of attach and map too. */
enum tab_key {
	TAB_SIZE, TAB_ORIGIN, TAB_DISK,
	TAB_QUEUES, TAB_QUEUE_MODE, TAB_BLOCK, TAB_MODE, TAB_NO_WRITE_ALLOCATE,
	TAB_FLOOR, TAB_MIN_SHARE, TAB_MAX_SHARE, TAB_NUMA, TAB_PREALLOC, TAB_ZERO_DETECT, TAB_LIMIT,
	TAB_READ_ONLY, TAB_READ_AHEAD, TAB_COMPRESS, TAB_WARM,
	TAB_COMMANDS,
	TAB_TIMEOUT = TAB_COMMANDS, TAB_NOAUTO, TAB_NETDEV, TAB_INITRAMFS,
	TAB_EXPORT, TAB_NQN, TAB_HOST, TAB_ANY_HOST,
	TAB_IMAGE, TAB_SAVE,
	TAB_KEYS
};

struct tab_line {
	unsigned int nr;	/* from 1; 0: the table has no line for it */
	const char *tab;	/* the path of its table */
	bool bad;		/* the line has an error and must not be acted on */
	enum rx_family family;
	char name[RX_NAME_LEN];
	const char *text[TAB_KEYS];	/* as written; NULL if not given */
	uint64_t num[TAB_KEYS];
	struct rx_strv exports, hosts;	/* these options may be given several times */
	struct tab_line *disk;	/* the line that disk= names */
	char *real;	/* the device that origin= leads to, or NULL */
};

struct tab_note {
	unsigned int nr;
	bool error;		/* or a warning */
	char *text;
};

struct rx_tab {
	const char *path;	/* what messages name */
	char *text;
	struct tab_line *lines;	/* those that have a name and a type */
	size_t n_lines;
	struct tab_note *notes;	/* in the order of the lines */
	size_t n_notes, n_errors;
	bool asked;		/* the kernel has checked all good lines */
};

void tab_note(struct rx_tab *tab, struct tab_line *line, bool error,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define tab_wrong(tab, line, ...) tab_note(tab, line, true, __VA_ARGS__)
#define tab_warn(tab, line, ...) tab_note(tab, line, false, __VA_ARGS__)
const char *tab_next(const char *text);
void tab_say(struct rx_tab *tab, struct tab_line *line, bool error, const char *text);
void tab_say_all(struct rx_tab *tab, struct tab_line *line, bool error,
		 struct rx_strv *texts);
void tab_unique(struct rx_tab *tab, struct tab_line *line, enum tab_key key, const char *name);
void tab_print_notes(const struct rx_tab *tab, bool warnings,
		     const char *error_end);
struct tab_line *tab_find(const struct rx_tab *tab, const char *name);
void tab_add_name(struct rx_tab *tab, enum rx_family family, const char *name);
struct rx_strv tab_disks(const struct rx_tab *tab);
const char *tab_again(const char *verb, const struct tab_line *line);
uint64_t tab_timeout_ms(const struct tab_line *line);
uint64_t tab_disk_size(const struct tab_line *line);
void tab_free(struct rx_tab *tab);

#endif
