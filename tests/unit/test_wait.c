// SPDX-License-Identifier: GPL-2.0-only
/* Waits that a signal ends. "rxadm up" passes on a signal that systemd also sends to its commands. */
#include <signal.h>
#include <unistd.h>

#include "base/global.h"
#include "base/wait.h"
#include "rx_test.h"

int main(void)
{
	int64_t start;

	signals_take();
	check(wait_fd(-1, 0) == WAIT_TIMEOUT && !signals_pending(), "no signal");

	kill(getpid(), SIGTERM);
	check(wait_fd(-1, 10000) == WAIT_SIGNAL, "a signal ends a wait");
	kill(getpid(), SIGTERM);
	start = now_ms();
	check(wait_fd(-1, 50) == WAIT_TIMEOUT && now_ms() - start >= 50, "the same soon after is no second wish");
	check(signals_pending() && signals_last() == SIGTERM, "the first is known");

	kill(getpid(), SIGINT);
	check(wait_fd(-1, 10000) == WAIT_SIGNAL && signals_last() == SIGINT, "another signal is one");
	check(wait_fd(-1, 1000) == WAIT_TIMEOUT, "time passes");
	kill(getpid(), SIGINT);
	check(wait_fd(-1, 10000) == WAIT_SIGNAL, "the same later is one, too");
	return done();
}
