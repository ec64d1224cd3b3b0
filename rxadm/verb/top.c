// SPDX-License-Identifier: GPL-2.0-only
/* The verb top shows rates of disks and caches, on a live screen or as plain reports. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/global.h"
#include "base/say.h"
#include "base/units.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "kernel/object.h"
#include "kernel/protocol.h"
#include "run/fetch.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "verb/args.h"
#include "verb/top.h"
#include "watch/columns.h"
#include "watch/keys.h"
#include "watch/rates.h"
#include "watch/sample.h"
#include "watch/screen.h"
#include "watch/term.h"
#include "watch/top.h"

#define INTERVAL_NS	1000000000ULL
#define SHORTEST_NS	10000000ULL
#define LONGEST_NS	(24 * 3600 * 1000000000ULL)

static void stamp(struct rx_top *top)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(top->time, sizeof(top->time), "%H:%M:%S", &tm);
}

static void add_rates(struct json_object *root, const char *key,
		      const struct rx_rate *rows)
{
	struct json_object *array, *object, *rates;
	size_t i, n;

	if (!json_object_object_get_ex(root, key, &array))
		return;
	n = json_object_array_length(array);
	for (i = 0; i < n; i++) {
		rates = out_json(&view_rates, &rows[i]);
		object = json_object_array_get_idx(array, i);
		if (json_object_object_length(rates))
			json_object_object_add(object, "rates", rates);
		else
			json_object_put(rates);
	}
}

/* Prints the JSON object of stat --interval, with rates and memory added. */
static void report_json(const struct rx_sampler *s, const struct rx_top *top)
{
	const struct rx_rates *rates = &s->rates;
	struct json_object *root, *memory;

	root = out_json_report(&s->list, top->disks, top->caches,
			       rates->interval_ns);
	fetch_json_absent(root, s->absent);
	add_rates(root, "disks", rates->rows);
	add_rates(root, "caches", rates->rows + s->list.n_disks);
	memory = json_object_new_object();
	json_add_number(memory, "disks_size", rates->total.size);
	json_add_number(memory, "disks_used", rates->total.used);
	json_add_number(memory, "index", rates->total.index);
	json_add_number(memory, "machine", rates->total.memory);
	json_add_number(memory, "available", rates->total.available);
	json_add_number(memory, "free", rates->total.free_now);
	json_object_object_add(root, "memory", memory);
	out_json_print(root);
}

static void report_text(const struct rx_sampler *s, const struct rx_top *top,
			bool again)
{
	char memory[256], sums[256], interval[32];
	struct rx_rate *rows;
	size_t n;

	rows = top_rows(top, &s->rates, &n);
	if (!rx.noheadings && !rx.raw) {
		top_summary(&s->rates.total, memory, sums, sizeof(memory));
		printf("%s%s  in the last %s\n%s\n%s\n", again ? "\n" : "",
		       top->time, time_print(top->interval_ns, interval,
					     sizeof(interval)), memory, sums);
	}
	out_table(&view_rates, rows, n, rx.columns);
	free(rows);
}

/* Reports, in the kernel's own words, each named object that is absent. */
static int missing(const struct rx_args *args, const struct rx_sampler *s)
{
	struct rx_tally t = { 0 };
	struct rx_event object;
	char name[RX_NAME_LEN];
	enum rx_family family;
	int status;
	size_t i;

	for (i = 0; i < args->n_objects; i++) {
		name_parse(args->objects[i], &family, name);
		if (list_find(&s->list, name, 0))
			continue;
		status = fetch_one("top", family, name, &object);
		if (status != RX_OK)
			tally(&t, status);
	}
	return t.failed ? t.status : RX_OK;
}

/*
 * Returns the time of the next sample. A late sample moves the samples after it, so two
 * samples never come at once.
 */
static int64_t next_due(int64_t due, uint64_t interval_ns)
{
	int64_t now = now_ns();

	due += interval_ns;
	return due > now ? due : now + (int64_t)interval_ns;
}

/* Waits until WHEN. Returns false if a signal came, or the reader of the output left. */
static bool pause_until(int64_t when)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };
	int64_t left = (when - now_ns()) / 1000000;

	/* No events are asked for, but an error of a pipe ends poll(). */
	switch (wait_poll(&fd, left > 0 ? left : 0)) {
	case WAIT_SIGNAL:
		return false;
	case WAIT_EVENT:
		rx.out_errno = EPIPE;
		return false;
	default:
		return true;
	}
}

static int plain(struct rx_sampler *s, struct rx_top *top, uint64_t count)
{
	int64_t due = s->last_ns;
	struct rx_err err;
	uint64_t i;

	for (i = 0; i < count; i++) {
		due = next_due(due, top->interval_ns);
		if (!pause_until(due))
			break;
		if (sample(s, &err))
			return err_report("top", NULL, &err);
		stamp(top);
		if (rx.json)
			report_json(s, top);
		else
			report_text(s, top, i);
		if (!out_flush())
			break;
	}
	return RX_OK;
}

/* Sets the message, which says what is wrong, or why there is nothing to see. */
static void say_state(struct rx_top *top, const struct rx_sampler *s, int ret,
		      const struct rx_err *err)
{
	enum rx_family family = s->absent[RX_DISK] ? RX_DISK : RX_CACHE;
	const struct rx_total *t = &s->rates.total;
	const char *text = "";

	if (s->only.n && !s->rates.n)
		text = "none of these is there now";
	else if (!s->only.n && !top->disks && !t->caches)
		text = "no caches; make one: rxadm map --size 1G /dev/ORIGIN";
	else if (!s->only.n && !t->disks)
		text = "no disks; make one: rxadm attach 1G";
	if (ret && err->hidden)
		snprintf(top->message, sizeof(top->message),
			 "%.32s cannot be reached from this network namespace; see: rxadm list",
			 err->msg);
	else if (ret)
		snprintf(top->message, sizeof(top->message), "kernel: %s",
			 err_kernel(err));
	else if (s->absent[RX_DISK] || (s->absent[RX_CACHE] && !top->disks))
		snprintf(top->message, sizeof(top->message),
			 "%s is not loaded; run: modprobe %s",
			 model_family(family), model_family(family));
	else
		snprintf(top->message, sizeof(top->message), "%s", text);
}

/* Draws the screen. Returns what term_write() returns. */
static bool redraw(struct rx_top *top, const struct rx_rates *rates)
{
	size_t width, height;
	char *bytes;
	bool ok;

	term_size(&width, &height);
	bytes = screen_draw(width, height, top, rates);
	ok = term_write(bytes);
	free(bytes);
	return ok;
}

/* Obeys the signal that ended a wait. Returns false if top is to end. */
static bool obey_signal(int *failed)
{
	switch (signals_last()) {
	case SIGWINCH:
		return true;
	case SIGTSTP:
		term_stop();
		break;
	case SIGCONT:
		break;
	default:
		return false;
	}
	if (term_open())
		return true;
	*failed = errno;
	return false;
}

static void obey_keys(struct rx_top *top, struct rx_keys *keys)
{
	char buf[64];
	int i, n = term_read(buf, sizeof(buf));

	if (!n)
		top->quit = true;
	for (i = 0; i < n; i++)
		keys_obey(top, keys_next(keys, (unsigned char)buf[i]));
}

struct live {
	struct rx_sampler *s;
	struct rx_top *top;
	struct rx_keys keys;
	uint64_t left;		/* reports until the end */
	int64_t due;		/* when the next sample is */
	int failed;		/* errno of the terminal */
};

static void take_sample(struct live *l)
{
	struct rx_err err;
	int ret = sample(l->s, &err);

	stamp(l->top);
	say_state(l->top, l->s, ret, &err);
	l->left--;
	l->due = next_due(l->due, l->top->interval_ns);
}

/* Waits for a key, a signal or the next sample. Returns false if top is to end. */
static bool wait_live(struct live *l)
{
	struct pollfd fd = { .fd = term_fd(), .events = POLLIN };
	uint64_t interval = l->top->interval_ns;
	bool paused = l->top->paused;
	int64_t left;

	left = (l->due - now_ns() + 999999) / 1000000;
	switch (wait_poll(&fd, paused ? -1 : left > 0 ? left : 0)) {
	case WAIT_SIGNAL:
		return obey_signal(&l->failed);
	case WAIT_EVENT:
		obey_keys(l->top, &l->keys);
		if (interval != l->top->interval_ns)
			l->due = l->s->last_ns + l->top->interval_ns;
		return !l->top->quit;
	default:
		return true;
	}
}

/* Draws the screen at once; its first rates follow within INTERVAL_NS. */
static int live(struct rx_sampler *s, struct rx_top *top, uint64_t count)
{
	struct live l = { .s = s, .top = top, .left = count };

	l.due = s->last_ns + (top->interval_ns < INTERVAL_NS ?
			      top->interval_ns : INTERVAL_NS);
	if (!term_open())
		l.failed = errno;
	while (!l.failed && !rx.out_errno) {
		if (!top->paused && now_ns() >= l.due)
			take_sample(&l);
		if (!redraw(top, &s->rates)) {
			if (rx.out_errno || !obey_signal(&l.failed))
				break;
		} else if (!l.left || !wait_live(&l)) {
			break;
		}
	}
	term_close();
	/* A terminal that hung up is treated as a reader that left. */
	if (rx.out_errno == EIO)
		rx.out_errno = EPIPE;
	if (!l.failed)
		return RX_OK;
	say("top", NULL, "can't use the terminal: %s; for plain reports: rxadm top | cat",
	    strerror(l.failed));
	return RX_KERNEL;
}

static int run(const struct rx_args *args, struct rx_sampler *s, struct rx_top *top)
{
	bool screen = !rx.json && !rx.raw && term_usable();
	enum rx_family absent = top->disks ? RX_DISK : RX_CACHE;
	int ret, gone = RX_OK;
	struct rx_err err;
	uint64_t count;

	count = screen || args_has(args, "interval") ? RX_NONE : 1;
	count = args_num(args, "count", count);
	if (!screen)
		signals_take();
	if (sample(s, &err))
		return err_report("top", NULL, &err);
	if (!screen)
		gone = fetch_absent("top", absent, s->absent);
	if (gone && !rx.json)
		return gone;
	ret = missing(args, s);
	if (ret)
		return ret;
	stamp(top);
	say_state(top, s, 0, &err);
	if (screen)
		return live(s, top, count);
	ret = plain(s, top, gone ? 1 : count);
	return gone ? gone : ret;
}

int cmd_top(const struct rx_args *args)
{
	const struct rx_view *views[] = { &view_rates, &view_disks,
					  &view_caches };
	struct rx_top top = {
		.sort = args_num(args, "sort", SORT_NAME),
		.reverse = args_has(args, "reverse"),
		.disks = !args_has(args, "caches"),
		.caches = !args_has(args, "disks"),
		.interval_ns = args_num(args, "interval", INTERVAL_NS),
	};
	struct rx_sampler s = { .only = args_objects(args), .mounts = rx.json };
	char name[RX_NAME_LEN];
	enum rx_family family;
	size_t i;
	int ret;

	if (rx.quiet)
		return args_quiet(args);
	if (!out_columns_valid(views, rx.json ? ARRAY_SIZE(views) : 1))
		return RX_USAGE;
	if (top.interval_ns < SHORTEST_NS || top.interval_ns > LONGEST_NS)
		return usage_error("top: the interval is 10ms to 24h");
	for (i = 0; i < args->n_objects; i++) {
		if (!object_any(args->verb->name, args->objects[i], &family, name))
			return RX_USAGE;
		if (!(family == RX_DISK ? top.disks : top.caches)) {
			object_is(args->verb->name, args->objects[i],
				  top.disks ? RX_DISK : RX_CACHE, name);
			return RX_USAGE;
		}
	}
	ret = run(args, &s, &top);
	sample_free(&s);
	return ret;
}
