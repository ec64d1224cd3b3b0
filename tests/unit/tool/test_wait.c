// SPDX-License-Identifier: GPL-2.0-only
/* Waits that a signal ends. "rxadm up" passes on a signal that systemd also sends to its commands. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/global.h"
#include "base/wait.h"
#include "rx_test.h"

/* A child that sends SIG to its parent, as systemd or somebody at a shell may. */
static void child_sends(int sig)
{
	pid_t pid = fork();

	if (!pid) {
		kill(getppid(), sig);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* The process whose signals are looked at; its parent sends some, as "up" does. */
static int receiver(int in, int out)
{
	char word;

	signals_take();
	check(wait_fd(-1, 0) == WAIT_TIMEOUT && !signals_pending(), "no signal");

	child_sends(SIGTERM);
	check(wait_fd(-1, 10000) == WAIT_SIGNAL, "a signal ends a wait");
	if (write(out, "t", 1) != 1 || read(in, &word, 1) != 1)
		return 2;
	check(wait_fd(-1, 50) == WAIT_TIMEOUT, "the same from the parent, too, is no second wish");
	check(signals_pending() && signals_last() == SIGTERM, "the first is known");
	child_sends(SIGTERM);
	check(wait_fd(-1, 10000) == WAIT_SIGNAL, "the same from another one is one");

	if (write(out, "i", 1) != 1 || read(in, &word, 1) != 1)
		return 2;
	check(wait_fd(-1, 10000) == WAIT_SIGNAL && signals_last() == SIGINT, "another signal of the parent");
	child_sends(SIGINT);
	check(wait_fd(-1, 50) == WAIT_TIMEOUT, "the same from systemd is no second wish");
	if (write(out, "i", 1) != 1 || read(in, &word, 1) != 1)
		return 2;
	check(wait_fd(-1, 10000) == WAIT_SIGNAL, "the same from the parent again is one");
	return done();
}

int main(void)
{
	int to[2], from[2], status;
	char word;
	pid_t pid;

	if (pipe(to) || pipe(from))
		return 2;
	pid = fork();
	if (!pid) {
		close(from[0]);
		exit(receiver(to[0], from[1]));
	}
	close(from[1]);
	while (read(from[0], &word, 1) == 1) {
		kill(pid, word == 't' ? SIGTERM : SIGINT);
		if (write(to[1], &word, 1) != 1)
			return 2;
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
