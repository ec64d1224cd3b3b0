/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /etc/rxtab, see rxtab(5): one line per disk or cache. rxtab.c has the table, tabline.c
 * reads its lines, exportline.c checks their exports and imageline.c their images,
 * taborigin.c asks the machine about their origins, tabmemory.c about their memory, and
 * imageplace.c about the places of their images. taborder.c looks for lines that a boot
 * can't make in any order. tabdiff.c compares a line with the object
 * that exists, tabstep.c brings one line up or down, tabshare.c sets the shares of caches,
 * tabexport.c makes exports, tabimage.c saves and restores disks, and cmd_tab.c handles
 * many lines.
 */
#ifndef RXTAB_H
#define RXTAB_H

#include "errtext.h"
#include "object.h"
#include "preflight.h"

#define RXTAB_PATH	"/etc/rxtab"

/* The keys before TAB_COMMANDS are options or objects of attach and map too. */
enum tab_key {
	TAB_SIZE, TAB_ORIGIN, TAB_DISK,
	TAB_QUEUES, TAB_QUEUE_MODE, TAB_BLOCK, TAB_POLICY, TAB_MODE, TAB_NO_WRITE_ALLOCATE,
	TAB_FLOOR, TAB_MIN_SHARE, TAB_MAX_SHARE, TAB_NUMA, TAB_PREALLOC, TAB_ZERO_DETECT, TAB_LIMIT,
	TAB_READ_ONLY, TAB_READ_AHEAD, TAB_WARM,
	TAB_COMMANDS,
	TAB_TIMEOUT = TAB_COMMANDS, TAB_NOAUTO, TAB_NETDEV, TAB_INITRAMFS,
	TAB_NOFAIL,
	TAB_EXPORT, TAB_NQN, TAB_HOST, TAB_ANY_HOST,
	TAB_IMAGE, TAB_SAVE,
	TAB_KEYS
};

struct tab_line {
	unsigned int nr;	/* from 1; 0: the table has no line for it */
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
};

/* rxtab.c APIs: */
void tab_note(struct rx_tab *tab, struct tab_line *line, bool error,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define tab_wrong(tab, line, ...) tab_note(tab, line, true, __VA_ARGS__)
#define tab_warn(tab, line, ...) tab_note(tab, line, false, __VA_ARGS__)
const char *tab_next(const char *text);
void tab_say(struct rx_tab *tab, struct tab_line *line, bool error, const char *text);
void tab_say_all(struct rx_tab *tab, struct tab_line *line, bool error,
		 struct rx_strv *texts);
struct rx_plan tab_plan(const struct tab_line *line);
void tab_print_notes(const struct rx_tab *tab, bool warnings,
		     const char *error_end);
struct tab_line *tab_find(const struct rx_tab *tab, const char *name);
void tab_add_name(struct rx_tab *tab, enum rx_family family, const char *name);
struct rx_strv tab_disks(const struct rx_tab *tab);
uint64_t tab_timeout_ms(const struct tab_line *line);
void tab_check_lines(struct rx_tab *tab);
void tab_free(struct rx_tab *tab);

/* tabline.c APIs: */
void tab_parse(struct rx_tab *tab, const char *path, const char *text,
	       size_t len);
int tab_load(struct rx_tab *tab, const char *path);
void tab_put_names(const char *path);
bool tab_origin_is_cache(const char *path);
bool tab_origin_moves(const char *path);
void tab_put_options(const struct tab_line *line, struct rx_strv *words);

/* tabmemory.c APIs: */
void tab_check_machine(struct rx_tab *tab, bool check);
void tab_check_sums(struct rx_tab *tab);

/* taborigin.c APIs: */
void tab_check_origins(struct rx_tab *tab, bool check);

/* tabdiff.c APIs: */
uint64_t tab_disk_size(const struct tab_line *line);
char *tab_disk_differs(const struct tab_line *line, const struct rx_disk *disk);
char *tab_cache_differs(const struct tab_line *line,
			const struct rx_cache *cache);

/* tabstep.c APIs: */
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

/* exportline.c APIs: */
struct rx_port;
bool tab_export_parse(const char *text, struct rx_port *port);
void tab_check_export(struct rx_tab *tab, struct tab_line *line);
bool tab_export_is_remote(const struct tab_line *line);

/* tabexport.c APIs: */
void tab_export(struct tab_job *job);
void tab_unexport(struct tab_job *job);

/* imageline.c APIs: */
const char *tab_image_wrong(const char *path);
const char *tab_save_wrong(const char *text, uint64_t *ns);
void tab_check_image(struct rx_tab *tab, struct tab_line *line);
uint64_t tab_image_ms(const struct tab_line *line);

/* imageplace.c APIs: */
char *image_dir(const char *path);
bool image_on_root(const char *path);
bool image_is_remote(const char *path);
bool image_before_target(const char *path);
void image_devices(const char *path, struct rx_strv *devices);
char *image_unmounted(const char *path);
void tab_check_own_places(struct rx_tab *tab);
void tab_check_places(struct rx_tab *tab, bool check);

/* tablock.c APIs: */
int tab_lock(const char *verb, const char *name);
void tab_unlock(int lock);

/* taborder.c APIs: */
const char *tab_late_image(const struct rx_tab *tab, const struct tab_line *line);
bool tab_needs_network(const struct tab_line *line);
void tab_check_order(struct rx_tab *tab);

/* tabimage.c APIs: */
bool tab_image_begin(struct tab_job *job);
const char *tab_image_size(const struct tab_job *job, char *buf, size_t len);
void tab_image_made(struct tab_job *job);
bool tab_image_first(struct tab_job *job, const struct rx_disk *disk);
void tab_image_kept(struct tab_job *job, const struct rx_disk *disk);
bool tab_image_save(struct tab_job *job, bool down);

/* tabshare.c APIs: */
void tab_put_shares(struct tab_job *job, const struct rx_cache *cache);
void tab_lower_shares(struct tab_job *job, const struct rx_cache *cache);
void tab_lower_sharers(struct tab_job *disk);

#endif
