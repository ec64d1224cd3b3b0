// SPDX-License-Identifier: GPL-2.0-only
/* Asks what a terminal can do, and whether it gets colour. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/global.h"
#include "base/tty.h"

#define WIDTH_DEFAULT	80

/* Tells whether FD is a terminal whose cursor can be moved. */
bool tty_can_move(int fd)
{
	const char *name = getenv("TERM");

	return isatty(fd) && name && *name && strcmp(name, "dumb") &&
	       strcmp(name, "unknown");
}

/* Tells whether this process is in the foreground of FD. Without job control it is. */
bool tty_is_ours(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group < 0 || group == getpgrp();
}

size_t tty_width(int fd)
{
	struct winsize size = { 0 };

	return ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col ? WIDTH_DEFAULT :
	       size.ws_col;
}

static bool colored(int fd)
{
	const char *no = getenv("NO_COLOR");

	if (rx.color != RX_COLOR_AUTO)
		return rx.color == RX_COLOR_ALWAYS;
	return !(no && *no) && tty_can_move(fd);
}

const char *trouble_on(int fd)
{
	return colored(fd) ? "\033[1;31m" : "";
}

const char *trouble_off(int fd)
{
	return colored(fd) ? "\033[m" : "";
}

/* Tells whether a state means that a cache does not do its work. */
bool trouble_word(const char *state)
{
	return !strcmp(state, "dead") || !strcmp(state, "failed") ||
	       !strcmp(state, "mismatch") || !strcmp(state, "bypass");
}
