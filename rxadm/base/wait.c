// SPDX-License-Identifier: GPL-2.0-only
/* Waits for a file descriptor, a time-out or Ctrl-C, whichever comes first. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/global.h"
#include "base/wait.h"

static int sig_fd = -1;
static int sig_last;
static sigset_t sig_set;
/* The sender of the first SIGINT, SIGTERM or SIGHUP. 0: there was none, or a terminal sent it. */
static pid_t sig_from[NSIG];

int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int64_t now_ms(void)
{
	return now_ns() / 1000000;
}

/* Returns the rest of a wait of WAIT_MS that began at START. */
long wait_left(int64_t start, long wait_ms)
{
	int64_t left;

	if (wait_ms == WAIT_DEFAULT)
		return WAIT_DEFAULT;
	left = start + wait_ms - now_ms();
	return left < 0 ? 0 : (long)left;
}

/*
 * From here on these SIGNALS end waits too. A signal that our parent has ignored
 * (nohup, a background job) stays ignored.
 */
void signals_add(const int *signals, size_t n)
{
	struct sigaction sa;

	if (sig_fd < 0)
		sigemptyset(&sig_set);
	for (; n; n--, signals++)
		if (!sigaction(*signals, NULL, &sa) &&
		    sa.sa_handler != SIG_IGN)
			sigaddset(&sig_set, *signals);
	sigprocmask(SIG_BLOCK, &sig_set, NULL);
	sig_fd = signalfd(sig_fd, &sig_set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* From here on a signal ends waits instead of the process. */
void signals_take(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	if (sig_fd < 0)
		signals_add(signals, ARRAY_SIZE(signals));
}

/* Returns the signal of the last WAIT_SIGNAL. */
int signals_last(void)
{
	return sig_last;
}

/* Behaves as if SIG had arrived. */
void signals_note(int sig)
{
	sig_last = sig;
}

bool signals_pending(void)
{
	return sig_last || wait_fd(-1, 0) == WAIT_SIGNAL;
}

/* Dies of the signal that ended a wait, so that scripts stop too. */
void signals_die(void)
{
	int sig = sig_last ? sig_last : SIGINT;
	sigset_t set;

	fflush(stdout);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(RX_KERNEL);
}

/* An FD of -1 and a negative TIMEOUT_MS stand for none. */
enum rx_wait wait_fd(int fd, long timeout_ms)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	return wait_poll(&one, timeout_ms);
}

/*
 * systemd sends a signal to all processes of a unit, and "rxadm up" passes on what it gets,
 * so a command of "up" has it twice. The one from the parent is then no second wish, which
 * could end the wait of an undo that follows the first; neither is the other one.
 */
static bool is_echo(const struct signalfd_siginfo *info)
{
	pid_t from = info->ssi_pid, *first = &sig_from[info->ssi_signo], parent = getppid();

	if (info->ssi_signo != SIGINT && info->ssi_signo != SIGTERM && info->ssi_signo != SIGHUP)
		return false;
	if (*first && (from == parent) != (*first == parent))
		return true;
	*first = from;
	return false;
}

/* Takes a signal, if there is one that asks for something. */
static bool signal_taken(void)
{
	struct signalfd_siginfo info;

	if (read(sig_fd, &info, sizeof(info)) != sizeof(info))
		return false;
	sig_last = info.ssi_signo;
	return !is_echo(&info);
}

/* Takes FD as poll() does, and sets its revents. */
enum rx_wait wait_poll(struct pollfd *fd, long timeout_ms)
{
	struct pollfd fds[2] = {
		*fd,
		{ .fd = sig_fd, .events = POLLIN },
	};
	int64_t end = now_ms() + timeout_ms;
	int64_t left;
	int ret;

	for (;;) {
		left = timeout_ms < 0 ? 60000 : end - now_ms();
		left = left < 0 ? 0 : left > 60000 ? 60000 : left;
		ret = poll(fds, ARRAY_SIZE(fds), left);
		if (ret < 0 && errno != EINTR)
			abort();
		if (ret > 0 && fds[1].revents && signal_taken())
			return WAIT_SIGNAL;
		fd->revents = fds[0].revents;
		if (ret > 0 && fds[0].revents)
			return WAIT_EVENT;
		if (timeout_ms >= 0 && now_ms() >= end)
			return WAIT_TIMEOUT;
	}
}
