// SPDX-License-Identifier: GPL-2.0-only
/*
 * The terminal of top: its modes, which are put back on every way out, and its
 * size. What is drawn needs no more than a VT100 can.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "top.h"
#include "wait.h"

/* Other screen, no cursor, no wrapping at the right edge, empty. */
#define ENTER	"\033[?1049h\033[?25l\033[?7l\033[m\033[2J"
/* Without another screen the prompt comes below what was drawn. */
#define LEAVE	"\033[m\033[999;1H\r\n\033[?7h\033[?25h\033[?1049l"
#define LEAVE_WAIT_MS	500

/*
 * Keys come from IN, -1 if there are none. OUT is a description of our own of
 * the terminal that does not block, so that one that is stopped with Ctrl-S
 * stops us from drawing and not from ending.
 */
static int in = -1, out = -1;
static struct termios saved;
static volatile sig_atomic_t entered;
static bool fresh;		/* ENTER is to be written */

static const int job_signals[] = { SIGTSTP, SIGCONT, SIGWINCH };
static const int deadly[] = {
	SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS,
	SIGFPE, SIGSEGV, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
	SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR, SIGSTKFLT,
};

/* On standard output, and such that a cursor can be moved there. */
bool term_usable(void)
{
	const char *name = getenv("TERM");

	return isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb") &&
	       strcmp(name, "unknown");
}

/* Without job control it is always ours. */
static bool foreground(void)
{
	pid_t group = in < 0 ? -1 : tcgetpgrp(in);

	return group < 0 || group == getpgrp();
}

/*
 * Also called by handlers of signals. A shell that has taken the terminal back
 * has set its modes already.
 */
void term_close(void)
{
	const char *p = LEAVE;
	size_t left = strlen(LEAVE);
	struct pollfd fd = { .fd = out, .events = POLLOUT };
	sigset_t tty, old;
	int err = errno;
	ssize_t n;

	if (!entered)
		return;
	entered = 0;
	sigemptyset(&tty);
	sigaddset(&tty, SIGTTOU);
	sigprocmask(SIG_BLOCK, &tty, &old);
	if (in >= 0 && foreground())
		tcsetattr(in, TCSANOW, &saved);
	while (left && poll(&fd, 1, LEAVE_WAIT_MS) == 1) {
		n = write(out, p, left);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			break;
		p += n < 0 ? 0 : n;
		left -= n < 0 ? 0 : n;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = err;
}

static void die(int sig)
{
	term_close();
	/* The handler was reset, and the signal is not blocked in it. */
	raise(sig);
}

static void catch_deadly(void)
{
	struct sigaction sa = { .sa_flags = SA_RESETHAND | SA_NODEFER }, old;
	size_t i;

	sa.sa_handler = die;
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &sa, NULL);
}

/* While this holds, signals do to us what they do to every process. */
static void unblock(void)
{
	sigset_t all;
	size_t i;

	sigemptyset(&all);
	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		sigaddset(&all, deadly[i]);
	for (i = 0; i < ARRAY_SIZE(job_signals); i++)
		sigaddset(&all, job_signals[i]);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/*
 * In the background the first call stops us until the shell gives us the
 * terminal; only then are its modes those to put back.
 */
static bool enter(void)
{
	struct termios raw;

	if (in >= 0) {
		if (tcflow(in, TCOON) ||
		    (!entered && tcgetattr(in, &saved)))
			return false;
		raw = saved;
		raw.c_lflag &= ~(ICANON | ECHO);
		raw.c_cc[VMIN] = 1;
		raw.c_cc[VTIME] = 0;
		entered = 1;
		if (tcsetattr(in, TCSANOW, &raw))
			return false;
	}
	entered = fresh = 1;
	return true;
}

/*
 * First, after a stop, and whenever somebody let us go on. From here on signals
 * end waits, those of the terminal too. False with errno if it can't be ours.
 */
bool term_open(void)
{
	bool ok;

	if (out < 0) {
		in = isatty(STDIN_FILENO) ? dup(STDIN_FILENO) :
			open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
		out = open("/proc/self/fd/1",
			   O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (out < 0)
			out = dup(STDOUT_FILENO);
		atexit(term_close);
		catch_deadly();
	} else {
		unblock();
	}
	ok = enter();
	signals_take();
	signals_add(job_signals, ARRAY_SIZE(job_signals));
	return ok;
}

/* Stops as Ctrl-Z would; the caller opens it again afterwards. */
void term_stop(void)
{
	term_close();
	raise(SIGTSTP);
	unblock();
}

void term_size(size_t *width, size_t *height)
{
	struct winsize size = { 0 };

	if (ioctl(out, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row) {
		size.ws_col = 80;
		size.ws_row = 24;
	}
	*width = size.ws_col;
	*height = size.ws_row;
}

int term_fd(void)
{
	return in;
}

/* What was typed; 0 if the terminal is gone. */
int term_read(char *buf, size_t len)
{
	ssize_t n = read(in, buf, len);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return -1;
	return n > 0 ? (int)n : 0;
}

static bool put(const char *buf, size_t len)
{
	struct pollfd fd = { .fd = out, .events = POLLOUT };
	ssize_t n;

	while (len) {
		if (wait_poll(&fd, -1) == WAIT_SIGNAL)
			return false;
		n = write(out, buf, len);
		if (n < 0 && errno != EAGAIN && errno != EINTR) {
			rx.out_errno = errno;
			return false;
		}
		buf += n < 0 ? 0 : n;
		len -= n < 0 ? 0 : n;
	}
	return true;
}

/*
 * False if a signal came first or the terminal is gone, rx.out_errno; what is
 * seen then is not whole.
 */
bool term_write(const char *buf, size_t len)
{
	if (fresh && !put(ENTER, strlen(ENTER)))
		return false;
	fresh = false;
	return put(buf, len);
}
