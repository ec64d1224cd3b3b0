// SPDX-License-Identifier: GPL-2.0-only
/*
 * Of two runs of up or down, one at a time works on a disk or cache. The other one would
 * take what is half done for what is there, or remove the notes that the first one has
 * made in /run; see image/mark.c.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "table/table.h"
#include "up/lock.h"

#define LOOK_MS	50

/*
 * Waits until no other run works on NAME, or for a signal. Returns the lock, which close()
 * gives back, or -1. Without a directory for the lock the steps fail by themselves, and a
 * user who is not root is refused by them. A dry run changes nothing.
 */
int tab_lock(const char *verb, const char *name)
{
	bool said = false;
	int fd = -1, err;

	if (rx.dry_run || sys_absent())
		return -1;
	while ((err = sys_try_lock(sys_path(SYS_RUN "/tab-%s.lock", name), &fd)) == EWOULDBLOCK) {
		if (!said)
			say_hint(verb, name, "waits for another rxadm that works on it, see: fuser -v "
				 SYS_RUN "/tab-%s.lock", name);
		said = true;
		if (wait_fd(-1, LOOK_MS) == WAIT_SIGNAL)
			break;
	}
	if (err && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void tab_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
