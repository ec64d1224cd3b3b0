/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rxadm - attach RAM disks and map caches over slow devices.
 *
 * Reading order: rxadm.c picks the verb, args.c its options; cmd_*.c do the
 * work; model.c turns attributes into the structs below and nl.c carries them;
 * out.c prints.
 */
#ifndef RXADM_H
#define RXADM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../module/include/rx/version.h"

#define RXADM_VERSION	RX_VERSION
#define RX_JSON_VERSION	1

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* What a number reads that the kernel did not send; null in JSON. */
#define RX_NONE		UINT64_MAX
static inline uint64_t or_zero(uint64_t n) { return n == RX_NONE ? 0 : n; }
#define RX_NAME_LEN	32

enum rx_exit {
	RX_OK		= 0,
	RX_USAGE	= 1,	/* nothing was sent */
	RX_KERNEL	= 2,	/* the kernel refused */
	RX_ABSENT	= 3,	/* module absent, or of another version */
	RX_PARTIAL	= 4,	/* some of several objects failed */
	RX_DATA		= 5,	/* data was lost on its way, for example output */
};

struct rx_strv {
	char **v;
	size_t n;
};

/* A command of up or down: leaves nothing half done, whatever ends it. */
struct rx_step {
	bool on;
	int64_t end;		/* of waiting, as now_ms() counts */
	const struct rx_strv *reserved;	/* names that a disk of no name leaves */
};

struct rx_global {
	bool json, pretty, bytes, noheadings, raw, quiet, dry_run;
	const char *columns;	/* -o, or NULL */
	struct rx_step step;
	int out_errno;		/* first failure to write the output */
};
extern struct rx_global rx;

enum rx_family { RX_DISK, RX_CACHE, RX_FAMILIES };

/* Since the device was made; from /sys/block/NAME/stat. */
struct rx_io {
	uint64_t reads, read_bytes, read_ns;
	uint64_t writes, write_bytes, write_ns;
	uint64_t discards, discard_bytes;

	/* No counters: */
	uint64_t in_flight;
	uint64_t inode;		/* another one: the device was made anew */
};

struct rx_disk {
	char name[RX_NAME_LEN];
	uint64_t size, block, queues, read_only, used, freeing, open;
	char holder[RX_NAME_LEN];
	uint64_t major, minor, no_space, slow_writes, queue_mode, state;

	struct rx_strv mounts;
	struct rx_io io;
};

/* Counters alone, all of them. */
struct rx_stats {
	uint64_t reads, writes, flushes, discards;
	uint64_t read_full, read_partial, read_none, read_again;
	uint64_t read_bytes, read_hit_bytes, write_bytes;
	uint64_t read_hit, read_miss, read_join;
	uint64_t bypass_memory, bypass_write, bypass_fill, bypass_mode;
	uint64_t fill, fill_replace, fill_drop, fill_drop_error, fill_error;
	uint64_t write_update, write_allocate, write_bypass;
	uint64_t invalidate, evict, reclaim;
	uint64_t origin_reads, origin_read_bytes, origin_read_errors;
	uint64_t origin_writes, origin_write_bytes, origin_write_errors;
	uint64_t read_errors, write_errors;
	uint64_t ghost_hit, source_sampled, source_buffered;
};

/* Decaying sums over the last 10 s, 5 min, 1 h; no counters. */
enum { RX_LAST_10S, RX_LAST_5MIN, RX_LAST_1H, RX_WINDOWS };

struct rx_recent {
	uint64_t reads, read_full, read_hit, read_miss, read_bypass;
	uint64_t fill, evict, read_bytes, read_hit_bytes, write_bytes;

	double hit_ratio;	/* derived, as that of the cache */
};

/* How long requests took. The numbers sent are counters alone. */
enum { RX_TIME_HIT, RX_TIME_MISS, RX_TIME_WRITE, RX_TIME_ORIGIN, RX_TIMES };

#define RX_BUCKETS	32

struct rx_latency {
	uint64_t sum_ns, bucket[RX_BUCKETS];

	/* Derived: */
	uint64_t count;
	double mean_ns, p50_ns, p99_ns;	/* below 0: nothing was timed */
};

/* The last one; running is RX_NONE if there was none. */
struct rx_verify {
	uint64_t running, sample, compared, skipped, mismatches, errors, stopped;
};

/*
 * Caches of other sizes and kinds that the kernel simulates beside this one,
 * for some of its blocks: decaying sums.
 */
enum { RX_AS_IS, RX_FLIPPED, RX_NO_SEQUENTIAL, RX_WHATS };
extern const char *const rx_what_names[];

#define RX_POINTS	16

struct rx_shadow {
	uint64_t rate, reads, lost;
	struct rx_points {
		size_t n;
		struct rx_point {
			uint64_t size, hits, what;
		} at[RX_POINTS];
	} points;
};

struct rx_cache {
	char name[RX_NAME_LEN];
	uint64_t id;
	char disk[RX_NAME_LEN];
	char origin[64];	/* kernel name */
	char policy[RX_NAME_LEN];
	uint64_t block, mode, write_allocate, own_disk, floor, state;
	uint64_t origin_size, origin_major, origin_minor;
	uint64_t size, cached, metadata, slack, open, read_only, major, minor;
	uint64_t error, cause;
	char message[128];
	struct rx_stats stats;
	uint64_t stats_age;	/* ns since the counters began */
	struct rx_recent recent[RX_WINDOWS];
	struct rx_latency latency[RX_TIMES];
	struct rx_verify verify;
	struct rx_shadow shadow;

	/* Derived: */
	uint64_t status;	/* state and what a reader of lists must know */
	char origin_path[128];
	uint64_t bypass, errors;
	uint64_t read_blocks, write_blocks;
	double hit_ratio;	/* 0 to 1; below 0 when nothing was read */
	double hit_ratio_requests, hit_ratio_bytes;
	double saved_ns;	/* that the origin would have taken; or below 0 */
	struct rx_strv mounts;
	struct rx_io io;
};

struct rx_list {
	struct rx_disk *disks;
	size_t n_disks;
	struct rx_cache *caches;
	size_t n_caches;
};

struct rx_err {
	int err;		/* errno, positive; 0 if there was none */
	bool absent;		/* no such family */
	bool version;		/* the family is older or newer than this tool */
	char msg[256];		/* the kernel's own words, or "" */
};

/* args.c APIs: */
enum rx_opt_type {	/* OPT_SIZES may be given more than once */
	OPT_FLAG, OPT_TEXT, OPT_SIZE, OPT_SIZES, OPT_BYTES, OPT_COUNT, OPT_TIME,
	OPT_SECONDS, OPT_CHOICE, OPT_NAME,
};

struct rx_opt {
	const char *name;	/* without "--" */
	char letter;		/* 0 if none */
	enum rx_opt_type type;
	const char *arg;	/* placeholder; the choices a|b of OPT_CHOICE */
	const char *help;
};

struct rx_args;

struct rx_verb {
	const char *name;
	const char *objects;	/* as in the synopsis */
	unsigned int min, max;
	const char *help;
	const struct rx_opt *opts;
	const char *exclusive;	/* "a b" pairs, separated by commas */
	const char *needs;	/* "a b": a makes no sense without b */
	int (*run)(const struct rx_verb *verb, const struct rx_args *args);
	bool hidden;
};

struct rx_value {
	const struct rx_opt *opt;
	const char *text;
	uint64_t num;
};

struct rx_args {
	const struct rx_verb *verb;
	const char **objects;
	size_t n_objects;
	struct rx_value values[16];
	size_t n_values;
};

extern const struct rx_opt rx_global_opts[];
int args_parse(int argc, char **argv, struct rx_args *args);
bool args_has(const struct rx_args *args, const char *name);
const char *args_text(const struct rx_args *args, const char *name);
uint64_t args_num(const struct rx_args *args, const char *name, uint64_t none);
bool args_named(const struct rx_args *args, const char *name);
bool value_parse(struct rx_value *value, char *why, size_t len);
const char *nearest(const char *word, const char *const *choices);
int usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool name_parse(const char *text, enum rx_family *family, char *name);

/* dev.c APIs: the node below /dev, and where files of the system are. */
const char *sys_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *sys_read(const char *path);
#define UDEV_WAIT_MS	5000	/* for udev, which is no failure if it is slow */
bool udev_runs(void);
bool dev_wait_for(const char *dir, long ms, bool (*ready)(const void *arg),
		  const void *arg);
bool dev_wait(const char *name, uint64_t major, uint64_t minor);
int dev_origin(const char *text, char *path, size_t len);
int dev_real(const char *path, char *real, size_t len);
int dev_await(const char *path, char *real, size_t len, long wait_ms);
void dev_origin_path(struct rx_cache *cache);
void dev_io(const char *name, struct rx_io *io);
void dev_memory(uint64_t *total, uint64_t *free_now, uint64_t *available);
bool udev_busy(void);

/* origin.c APIs: */
struct rx_origin;
void origin_event(const struct rx_cache *cache);
struct rx_origin *origin_before(const struct rx_cache *cache);
void origin_after(struct rx_origin *origin, bool gone);

/* errtext.c APIs: */
void say(const char *verb, const char *object, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_report(const char *verb, const char *object, const struct rx_err *err);
const char *err_kernel(const struct rx_err *err);

/* refused.c APIs: */
bool refused_say(const char *module);

/* legacy.c APIs: */
int legacy_rewrite(int *argc, char ***argv);

/* request.c APIs; req_show is in attrtext.c: */
struct nl_msg;
struct nlattr;
struct rx_op;

struct rx_req {
	enum rx_family family;
	const struct rx_op *op;
	bool dump;
	struct nl_msg *attrs;
};

void req_init(struct rx_req *req, enum rx_family family, const char *op);
void req_free(struct rx_req *req);
void req_text(struct rx_req *req, const char *attr, const char *value);
void req_num(struct rx_req *req, const char *attr, uint64_t value);
void req_flag(struct rx_req *req, const char *attr);
int req_show(const struct rx_req *req);

/* model.c APIs: */
const char *model_family(enum rx_family family);
uint8_t model_family_version(enum rx_family family);
const char *model_mcgrp(enum rx_family family);
uint8_t model_cmd(const struct rx_op *op);
const struct rx_op *model_op(enum rx_family family, const char *name);
const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd);
const char *model_op_name(const struct rx_op *op);
bool model_op_changes(const struct rx_op *op);
const char *model_event(const struct rx_op *op);
void model_clear(enum rx_family family, void *object);
void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object);
uint64_t mode_parse(const char *text);
char *model_to_text(enum rx_family family, const void *attrs, size_t len);
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg);
extern const char *const rx_state_names[], *const rx_status_names[];
extern const char *const rx_mode_names[], *const rx_cause_names[];
extern const char *const rx_queue_mode_names[], *const rx_disk_state_names[];
extern const char *const rx_yes_no[];
enum { RX_STATE_STARTING, RX_STATE_ACTIVE, RX_STATE_DRAINING, RX_STATE_DEAD,
       RX_STATE_FAILED, RX_STATUS_BYPASS, RX_STATUS_MISMATCH };
enum { RX_MODE_THROUGH, RX_MODE_AROUND, RX_MODE_BYPASS, RX_MODES };
enum { RX_QUEUE_MQ, RX_QUEUE_BIO };
enum { RX_DISK_ACTIVE, RX_DISK_CLEARING, RX_DISK_DETACHING };
enum { RX_CAUSE_SET, RX_CAUSE_FLUSH, RX_CAUSE_DEAD, RX_CAUSE_MISMATCH,
       RX_CAUSE_VERIFIED, RX_CAUSE_ERRORS, RX_CAUSE_RECLAIM, RX_CAUSE_RESET };

/* derive.c APIs: */
void model_derive(struct rx_cache *cache);

/* nl.c APIs: */
struct rx_event {
	enum rx_family family;
	const struct rx_op *op;
	union {
		struct rx_disk disk;
		struct rx_cache cache;
	};
};

enum rx_wait { WAIT_EVENT, WAIT_TIMEOUT, WAIT_OVERRUN, WAIT_SIGNAL,
	       WAIT_RELOADED };

int nl_do(const struct rx_req *req, void *object, struct rx_err *err);
int nl_get(enum rx_family family, const char *name, void *object,
	   struct rx_err *err);
int nl_list(enum rx_family family, struct rx_list *list, struct rx_err *err);
void nl_forget(enum rx_family family);
int nl_join(enum rx_family family, struct rx_err *err);
enum rx_wait nl_wait(struct rx_event *event, long timeout_ms);

/* replay.c APIs: */
struct nlmsghdr;
bool replay_active(void);
bool replay_absent(enum rx_family family);
int replay_do(const struct rx_req *req,
	      int (*reply)(void *arg, const void *attrs, size_t len),
	      void *arg, struct rx_err *err);
void replay_join(enum rx_family family);
enum rx_wait replay_wait(enum rx_family *family, const struct rx_op **op,
			 struct nl_msg **attrs);
void record_request(const struct rx_req *req);
void record_join(enum rx_family family);
void record_reply(enum rx_family family, const void *attrs, size_t len);
void record_error(const struct rx_err *err);
void record_event(enum rx_family family, const struct rx_op *op,
		  const void *attrs, size_t len);
int replay_finish(int status);

/* out.c APIs: */
struct rx_view;
extern const struct rx_view view_disks, view_caches, view_rates;
extern const struct rx_view *const views_list[2];
bool out_columns_valid(const struct rx_view *const *views, size_t count);
void out_columns_list(FILE *file, const struct rx_view *view);
void out_columns_each(void (*put)(const char *name, const char *help),
		      const struct rx_view *view);
int out_list(const struct rx_list *list, bool disks, bool caches);
int out_tree(const struct rx_list *list);
void out_table(const struct rx_view *view, const void *objects, size_t n,
	       const char *columns);
struct json_object *out_json(const struct rx_view *view, const void *object);
struct json_object *out_json_root(void);
struct json_object *json_string(const char *s);
struct json_object *json_ratio(double value);
void json_add_number(struct json_object *into, const char *key, uint64_t number);
void out_json_list(struct json_object *root, const struct rx_list *list,
		   bool disks, bool caches);
struct json_object *out_json_report(const struct rx_list *list, bool disks,
				    bool caches, uint64_t interval_ns);
void out_json_print(struct json_object *root);
int out_result(struct rx_list *list);
bool out_flush(void);
void list_add_disk(struct rx_list *list, const struct rx_disk *disk);
void list_add_cache(struct rx_list *list, const struct rx_cache *cache);
void list_free(struct rx_list *list);

/* units.c APIs: */
bool size_parse(const char *text, bool bare, uint64_t *bytes, char *why,
		size_t len);
char *size_print(uint64_t bytes, char *buf, size_t len);
bool time_parse(const char *text, bool bare, uint64_t *ns, char *why,
		size_t len);
char *time_print(uint64_t ns, char *buf, size_t len);
char *span_print(double ns, char *buf, size_t len);
char *time_now(char *buf, size_t len);

/* users.c APIs: */
void users_forget(void);
bool users_is_of(const char *device, const char *name);
void users_mounts(const char *name, struct rx_strv *mounts);
void users_holders(const char *name, struct rx_strv *holders);
void strv_add(struct rx_strv *v, const char *text);
void strv_free(struct rx_strv *v);
bool users_firm(const char *name, const char *holder);
bool users_say(const char *verb, const char *object, const char *subject,
	       const char *name, const char *holder);

/* rates.c APIs: */
void list_subtract(struct rx_list *now, const struct rx_list *before);
struct rx_list list_figures(const struct rx_list *list);

/* wait.c APIs: */
#define WAIT_DEFAULT	(-1L)
struct pollfd;
int64_t now_ns(void);
int64_t now_ms(void);
long wait_left(int64_t start, long wait_ms);
long step_left(void);
void signals_take(void);
void signals_note(int sig);
void signals_add(const int *signals, size_t n);
int signals_last(void);
bool signals_pending(void);
void signals_die(void);
void step_die(void);
enum rx_wait wait_fd(int fd, long timeout_ms);
enum rx_wait wait_poll(struct pollfd *fd, long timeout_ms);

/* busy.c APIs: */
int busy_do(const struct rx_req *req, void *object, const char *name,
	    long wait_ms, struct rx_err *err);
int busy_report(const char *verb, const char *object, const char *subject,
		const char *name, const struct rx_err *err);

/* await.c APIs: the end of work that the kernel goes on with by itself. */
enum rx_end { END_DONE, END_FAILED, END_TIMEOUT, END_SIGNAL };
enum rx_end await_active(struct rx_cache *cache, const char *verb,
			 const char *object, long wait_ms);
enum rx_end await_verified(struct rx_cache *cache, const char *verb,
			   const char *object, long wait_ms);
enum rx_end await_gone(struct rx_cache *cache, const char *verb,
		       const char *object, long wait_ms);
enum rx_end await_detached(const struct rx_disk *disk, const char *verb,
			   long wait_ms);
enum rx_end await_cleared(struct rx_disk *disk, const char *verb, long wait_ms);

/* The verbs, in the order of help. */
extern const struct rx_verb rx_verbs[];
const struct rx_verb *verb_find(const char *name);
int cmd_attach(const struct rx_verb *verb, const struct rx_args *args);
int cmd_detach(const struct rx_verb *verb, const struct rx_args *args);
int cmd_resize(const struct rx_verb *verb, const struct rx_args *args);
int cmd_map(const struct rx_verb *verb, const struct rx_args *args);
int cmd_unmap(const struct rx_verb *verb, const struct rx_args *args);
int cmd_set(const struct rx_verb *verb, const struct rx_args *args);
int cmd_flush(const struct rx_verb *verb, const struct rx_args *args);
int cmd_verify(const struct rx_verb *verb, const struct rx_args *args);
int cmd_list(const struct rx_verb *verb, const struct rx_args *args);
int cmd_stat(const struct rx_verb *verb, const struct rx_args *args);
int cmd_advise(const struct rx_verb *verb, const struct rx_args *args);
int cmd_top(const struct rx_verb *verb, const struct rx_args *args);
int cmd_monitor(const struct rx_verb *verb, const struct rx_args *args);
int cmd_up(const struct rx_verb *verb, const struct rx_args *args);
int cmd_down(const struct rx_verb *verb, const struct rx_args *args);
int cmd_check_tab(const struct rx_verb *verb, const struct rx_args *args);
void tab_put_names(const char *path);
int cmd_generator(const struct rx_verb *verb, const struct rx_args *args);
int cmd_words(const struct rx_verb *verb, const struct rx_args *args);
int disk_detach(const char *verb, const char *name, long wait_ms,
		struct rx_list *done);
int disk_flush(const char *name, bool erase, long wait_ms);
int cache_unmap(const char *name, long wait_ms, struct rx_list *done);
bool new_name_ok(const struct rx_args *args, enum rx_family family);
void list_add_system(struct rx_list *list);
void list_sort(struct rx_list *list);
int fetch(const struct rx_verb *verb, const struct rx_args *args, bool disks,
	  bool caches, struct rx_list *list);
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err);
int cmd_help(const struct rx_verb *verb, const struct rx_args *args);
int cmd_version(const struct rx_verb *verb, const struct rx_args *args);
void help_verb(const struct rx_verb *verb);
long args_wait(const struct rx_args *args);
bool object_is(const char *verb, const char *text, enum rx_family family,
	       char *name);

/* Folds the results of several objects into one exit code. */
struct rx_tally {
	int done, failed, status;
};
void tally(struct rx_tally *t, int status);
int tally_exit(const struct rx_tally *t);

#endif
