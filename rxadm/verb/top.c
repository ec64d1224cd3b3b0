// SPDX-License-Identifier: GPL-2.0-only
/* The verb top shows rates of disks and caches on a live screen. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "run/fetch.h"
#include "verb/top.h"
#include "watch/sample.h"
#include "watch/screen.h"
#include "watch/term.h"

#define INTERVAL_NS	1000000000ULL
#define SHORTEST_NS	10000000ULL
#define LONGEST_NS	(24 * 3600 * 1000000000ULL)

/*
 * Takes a sample, and sets the message, which says what is wrong, or why there is nothing
 * to see. Returns what sample() returns.
 */
static int take_sample(struct rx_sampler *s, struct rx_top *top, struct rx_err *err)
{
	const char *disk = model_family(RX_DISK);
	size_t len = sizeof(top->message);
	int ret = sample(s, err);
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(top->time, sizeof(top->time), "%H:%M:%S", &tm);
	*top->message = '\0';
	if (ret)
		snprintf(top->message, len, "kernel: %s", err_kernel(err));
	else if (s->absent)
		snprintf(top->message, len, "%s is not loaded; run: modprobe %s", disk, disk);
	else if (!s->rates.n)
		snprintf(top->message, len, "%s", s->only.n ? "none of these is there now" :
			 "no disks and no caches; make one: rxadm attach 1G");
	return ret;
}

/* Draws the screen. Returns what term_write() returns. */
static bool redraw(const struct rx_top *top, struct rx_rates *rates)
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

/* Returns false if top is to end. */
static bool obey_keys(struct rx_top *top)
{
	char buf[64];
	int i, n = term_read(buf, sizeof(buf));

	for (i = 0; i < n; i++) {
		/* An arrow, for example, comes as an escape, [ and a letter at once. */
		if (buf[i] == '\033' && i + 1 < n && (buf[i + 1] == '[' || buf[i + 1] == 'O')) {
			for (i += 2; i < n && buf[i] < '@'; i++)
				;
			continue;
		}
		if (buf[i] == 'q' || buf[i] == 'Q')
			return false;
		screen_key(top, buf[i]);
	}
	return n != 0;
}

/*
 * Draws the screen, and again after each sample, key and signal. The first rates follow
 * within INTERVAL_NS.
 */
static int live(struct rx_sampler *s, struct rx_top *top)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t first = top->interval_ns < INTERVAL_NS ? top->interval_ns : INTERVAL_NS;
	int64_t left, due = now_ns() + (int64_t)first;
	struct rx_err err;
	bool go_on = true;
	int failed = 0;

	if (!term_open())
		failed = errno;
	while (go_on && !failed && !rx.out_errno) {
		if (now_ns() >= due) {
			take_sample(s, top, &err);
			due = now_ns() + (int64_t)top->interval_ns;
		}
		if (!redraw(top, &s->rates)) {
			go_on = !rx.out_errno && obey_signal(&failed);
			continue;
		}
		left = (due - now_ns() + 999999) / 1000000;
		switch (wait_poll(&keys, left > 0 ? left : 0)) {
		case WAIT_SIGNAL:
			go_on = obey_signal(&failed);
			break;
		case WAIT_EVENT:
			go_on = obey_keys(top);
			break;
		default:
			break;
		}
	}
	term_close();
	/* A terminal that hung up is treated as a reader that left. */
	if (rx.out_errno == EIO)
		rx.out_errno = EPIPE;
	if (!failed)
		return RX_OK;
	say("top", NULL, "can't use the terminal: %s; for reports: rxadm stat --interval 1s",
	    strerror(failed));
	return RX_KERNEL;
}

int cmd_top(const struct rx_args *args)
{
	struct rx_top top = { .interval_ns = args_num(args, "interval", INTERVAL_NS) };
	struct rx_sampler s = { .only = args_objects(args) };
	struct rx_list named = { 0 };
	struct rx_err err;
	int ret = RX_OK;

	if (rx.quiet)
		return args_quiet(args);
	if (!fetch_fits(&s.only, true, true))
		return RX_USAGE;
	if (top.interval_ns < SHORTEST_NS || top.interval_ns > LONGEST_NS)
		return usage_error("top: the interval is 10ms to 24h");
	if (rx.json)
		return usage_error("top: prints no JSON; say: rxadm stat --json --interval 1s");
	if (rx.raw || !term_usable())
		return usage_error("top: draws on a terminal only; for reports: rxadm stat --interval 1s");
	/* Says which of the named are missing, while there is no screen yet. */
	if (s.only.n)
		ret = fetch(&s.only, true, true, &named);
	list_free(&named);
	if (ret)
		return ret;
	if (take_sample(&s, &top, &err))
		return err_report("top", NULL, &err);
	ret = live(&s, &top);
	sample_free(&s);
	return ret;
}
