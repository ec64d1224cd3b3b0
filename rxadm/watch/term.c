// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controls the terminal of top: its modes, which are put back on every way out, its size,
 * its keys and its output. Nothing here needs more than a VT100. ncurses would bring two
 * libraries and a terminfo entry into an initramfs that has rxadm, and when Ctrl-S has
 * stopped the terminal, no signal could end a write of ncurses.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/global.h"
#include "base/tty.h"
#include "base/wait.h"
#include "watch/term.h"

/* The alternate screen, cleared; no cursor, no wrapping at the right edge. */
#define ENTER	"\033[?1049h\033[?25l\033[?7l\033[m\033[2J"
/* Without an alternate screen the prompt comes below the last line drawn. */
#define LEAVE	"\033[m\033[999;1H\r\n\033[?7h\033[?25h\033[?1049l"
#define LEAVE_WAIT_MS	500

/*
 * Standard output, opened anew, so that it can be non-blocking while the shell's
 * descriptor is not. Ctrl-S then keeps top from drawing, but not from ending.
 */
static int out = -1;
static struct termios saved;
static volatile sig_atomic_t entered;
static bool fresh;		/* ENTER comes before the next output */

static const int job_signals[] = { SIGTSTP, SIGCONT, SIGWINCH };
static const int deadly[] = {
	SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS,
	SIGFPE, SIGSEGV, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
	SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR, SIGSTKFLT,
};

/* Tells whether there are keys, and a terminal whose cursor can be moved. */
bool term_usable(void)
{
	return isatty(STDIN_FILENO) && tty_can_move(STDOUT_FILENO);
}

/* Writes what the terminal takes now. Returns false with errno if the terminal is gone. */
static bool write_some(const char **buf, size_t *len)
{
	ssize_t n = write(out, *buf, *len);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	*buf += n;
	*len -= n;
	return true;
}

/*
 * Signal handlers call this too. The modes are left alone if the shell has taken the
 * terminal back, because the shell has set its own.
 */
void term_close(void)
{
	struct pollfd fd = { .fd = out, .events = POLLOUT };
	size_t left = strlen(LEAVE);
	const char *p = LEAVE;
	sigset_t tty, old;
	int err = errno;

	if (!entered)
		return;
	entered = 0;
	sigemptyset(&tty);
	sigaddset(&tty, SIGTTOU);
	sigprocmask(SIG_BLOCK, &tty, &old);
	if (tty_is_ours(STDIN_FILENO))
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	while (left && poll(&fd, 1, LEAVE_WAIT_MS) == 1)
		if (!write_some(&p, &left))
			break;
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

/* Signals have their ordinary effect until term_open() takes them again. */
static void unblock(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
}

/*
 * In the background tcflow() stops the process until the shell gives it the terminal.
 * Only then are the modes the ones to put back.
 */
static bool enter(void)
{
	struct termios raw;

	if (tcflow(STDIN_FILENO, TCOON) ||
	    (!entered && tcgetattr(STDIN_FILENO, &saved)))
		return false;
	raw = saved;
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	entered = fresh = 1;
	return !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/*
 * Called at the start, after a stop and on SIGCONT. From here on signals end waits, also
 * those of job control and window size. Returns false with errno if the terminal can't be
 * used.
 */
bool term_open(void)
{
	bool ok;

	if (out < 0) {
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

/* Stops the process as Ctrl-Z would; the caller opens the terminal again. */
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

/* Returns the number of bytes typed, 0 if the terminal is gone, or -1 if none came. */
int term_read(char *buf, size_t len)
{
	ssize_t n = read(STDIN_FILENO, buf, len);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return -1;
	return n > 0 ? (int)n : 0;
}

static bool put(const char *text)
{
	struct pollfd fd = { .fd = out, .events = POLLOUT };
	size_t len = strlen(text);

	while (len) {
		if (wait_poll(&fd, -1) == WAIT_SIGNAL)
			return false;
		if (!write_some(&text, &len)) {
			rx.out_errno = errno;
			return false;
		}
	}
	return true;
}

/*
 * Returns false if a signal came first, so that the screen is not whole, or if the
 * terminal is gone, which sets rx.out_errno.
 */
bool term_write(const char *text)
{
	if (fresh && !put(ENTER))
		return false;
	fresh = false;
	return put(text);
}
