// SPDX-License-Identifier: GPL-2.0-only
/* The line that says how far some work is: when it is drawn, and what is in it. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/wait.h"
#include "rx_test.h"

/* A clock that only the test moves. */
#define now_ms		test_now
int64_t test_now(void);
#include "base/progress.c"

static int64_t now = 1000;
static int master, slave;

int64_t test_now(void)
{
	return now;
}

/* Returns what was written since the last call. */
static const char *written(void)
{
	static char text[1024];
	struct pollfd fd = { .fd = master, .events = POLLIN };
	size_t n = 0;
	ssize_t got;

	fflush(stderr);
	while (poll(&fd, 1, 0) == 1) {
		got = read(master, text + n, sizeof(text) - 1 - n);
		if (got <= 0)
			break;
		n += got;
	}
	text[n] = '\0';
	return text;
}

static const char *at(int64_t ms, double part, const char *more)
{
	now += ms;
	progress_show("verify", "rxc0", part, more);
	return written();
}

static void test_line(void)
{
	check_str(at(0, 0, NULL), "", "nothing at first");
	check_str(at(499, 0.1, NULL), "", "and nothing for half a second");
	check_str(at(1, 0.1, NULL), "\rrxadm verify rxc0: 10 %\033[K", "then the part");
	check_str(at(199, 0.11, NULL), "", "not too often");
	check_str(at(801, 0.25, "Ctrl-C stops it"),
		  "\rrxadm verify rxc0: 25 %; Ctrl-C stops it\033[K", "with a word of advice");
	check_str(at(500, 0.2, NULL), "\rrxadm verify rxc0: 20 %, 9 s left\033[K",
		  "a fifth took two seconds");
	check_str(at(8000, 0.01, NULL), "\rrxadm verify rxc0: 1 %\033[K", "too little for a guess");
	check_str(at(190000, 0.5, NULL), "\rrxadm verify rxc0: 50 %, 3 min left\033[K",
		  "minutes from two on");
	check_str(at(1000, 1.5, NULL), "\rrxadm verify rxc0: 99 %\033[K", "never 100 before the end");
	check_str(at(1000, -0.5, NULL), "\rrxadm verify rxc0: 0 %\033[K", "and never below 0");
	progress_hide();
	check_str(written(), "\r\033[K", "hidden for a message");
	progress_hide();
	check_str(written(), "", "once only");
	check_str(at(1, 0.5, NULL), "\rrxadm verify rxc0: 50 %, 3 min left\033[K", "and back at once");
	progress_end();
	check_str(written(), "\r\033[K", "gone at the end");
	check_str(at(1, 0.5, NULL), "", "the next work begins anew");
	check_str(at(500, 0.5, NULL), "\rrxadm verify rxc0: 50 %\033[K", "from the part where it began");
	check_str(at(2000, 0.75, NULL), "\rrxadm verify rxc0: 75 %, 3 s left\033[K",
		  "and guesses from there on");
	progress_end();
	written();
	progress_show("restore", "\033[2J.img", 0, NULL);
	now += 600;
	progress_show("restore", "\033[2J.img", 0, NULL);
	check_str(written(), "\rrxadm restore \\x1b[2J.img: 0 %\033[K", "a file's name does not reach the terminal raw");
	progress_end();
	written();
}

static void test_narrow(void)
{
	struct winsize size = { .ws_col = 21, .ws_row = 5 };

	ioctl(slave, TIOCSWINSZ, &size);
	at(0, 0, NULL);
	check_str(at(600, 0.5, "words"), "\rrxadm verify rxc0: 5\033[K", "cut before the edge");
	progress_end();
	written();
	size.ws_col = 80;
	ioctl(slave, TIOCSWINSZ, &size);
}

/* Shows for two seconds, and returns whether nothing came. */
static bool silent(void)
{
	bool none = !*at(0, 0, NULL) && !*at(2000, 0.5, NULL);

	progress_end();
	return !*written() && none;
}

static void test_silence(void)
{
	check(!silent(), "a terminal");
	rx.quiet = true;
	check(silent(), "--quiet");
	rx = (struct rx_global){ 0 };
	setenv("TERM", "dumb", 1);
	check(silent(), "a terminal that can't go back");
	setenv("TERM", "xterm", 1);
	check(!silent(), "a terminal again");
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	check(silent(), "no terminal");
}

int main(void)
{
	setenv("TERM", "xterm", 1);
	if (openpty(&master, &slave, NULL, NULL, NULL))
		return 1;
	dup2(slave, STDERR_FILENO);
	test_line();
	test_narrow();
	test_silence();
	return done();
}
