// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps how far a cache has been loaded: a line in a file of /run that every user may read.
 * The process that loads holds a lock on another file. Only root can open that file, so no
 * other user can take the lock. The kernel drops the lock when the process ends, so a state
 * "loading" without a lock means that the load was stopped.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "warm/state.h"

static const char *state_path(const char *name)
{
	return sys_path(SYS_RUN "/warm-%s", name);
}

/*
 * Opens the file that is locked. It stays, because another process may be about to lock
 * it.
 */
static int open_lock(const char *name, int flags)
{
	return open(sys_path(SYS_RUN "/warm-%s.lock", name),
		    O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

pid_t warm_state_loader(const char *name)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open_lock(name, 0);
	pid_t pid = fd < 0 && errno != ENOENT ? -1 : 0;

	if (fd >= 0) {
		if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
			pid = lock.l_pid;
		close(fd);
	}
	return pid;
}

static void parse(const char *text, uint64_t id, struct rx_warm *warm)
{
	struct rx_warm w = { 0 };
	uint64_t of;
	char state[16];
	size_t i;

	if (sscanf(text, "id=%" SCNu64 " state=%15s size=%" SCNu64 " loaded=%" SCNu64
		   " next=%" SCNu64, &of, state, &w.size, &w.loaded, &w.next) != 5 ||
	    of != id)
		return;
	for (i = 0; rx_warm_names[i]; i++) {
		if (strcmp(rx_warm_names[i], state))
			continue;
		w.state = i;
		w.ratio = w.size ? (double)w.loaded / w.size : i == RX_WARM_LOADED ? 1 : -1;
		*warm = w;
	}
}

void warm_state_get(const char *name, uint64_t id, struct rx_warm *warm)
{
	char *text = sys_absent() ? NULL : sys_read(state_path(name));

	*warm = (struct rx_warm){ RX_NONE, RX_NONE, RX_NONE, RX_NONE, -1 };
	if (text)
		parse(text, id, warm);
	if (warm->state == RX_WARM_LOADING && !warm_state_loader(name))
		warm->state = RX_WARM_STOPPED;
	free(text);
}

void warm_state_add(struct rx_cache *cache)
{
	warm_state_get(cache->name, cache->id, &cache->warm);
}

int warm_state_put(const char *name, uint64_t id, const struct rx_warm *warm)
{
	char text[128];

	snprintf(text, sizeof(text), "id=%" PRIu64 " state=%s size=%" PRIu64 " loaded=%" PRIu64
		 " next=%" PRIu64 "\n", id, rx_warm_names[warm->state], warm->size, warm->loaded,
		 warm->next);
	return sys_note(state_path(name), 0644, text);
}

int warm_state_lock(const char *name)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd, err;

	err = sys_make_run();
	if (err) {
		errno = err;
		return -1;
	}
	fd = open_lock(name, O_CREAT);
	if (fd < 0 || !fcntl(fd, F_SETLK, &lock))
		return fd;
	err = errno == EACCES ? EAGAIN : errno;
	close(fd);
	errno = err;
	return -1;
}

void warm_state_remove(const char *name)
{
	if (!sys_absent())
		unlink(state_path(name));
}
