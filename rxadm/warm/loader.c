// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts and ends the process that loads a cache in the background, and keeps how far the
 * cache has been loaded: a line in a file of /run that every user may read. The process holds
 * a lock on another file. Only root can open that file, so no other user can take the lock.
 * The kernel drops the lock when the process ends, so a state "loading" without a lock means
 * that the load was stopped.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/child.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "warm/blocklist.h"
#include "warm/loader.h"
#include "warm/save.h"

#define STOP_MS		20000		/* for a slow origin to answer its last read */

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

/*
 * Returns the process that loads the cache, 0 if there is none, or -1 if that is not
 * known.
 */
static pid_t loader(const char *name)
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

bool warm_loader_runs(const char *name)
{
	return !sys_absent() && loader(name) > 0;
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

/*
 * Reads the state of the load of a cache. All fields are RX_NONE, and the ratio is -1, if
 * the cache of that name and id has no state: it was neither mapped to be warm nor
 * loaded.
 */
void warm_state_get(const char *name, uint64_t id, struct rx_warm *warm)
{
	char *text = sys_absent() ? NULL : sys_read(state_path(name));

	*warm = (struct rx_warm){ RX_NONE, RX_NONE, RX_NONE, RX_NONE, -1 };
	if (text)
		parse(text, id, warm);
	if (warm->state == RX_WARM_LOADING && !loader(name))
		warm->state = RX_WARM_STOPPED;
	free(text);
}

void warm_state_add(struct rx_cache *cache)
{
	warm_state_get(cache->name, cache->id, &cache->warm);
}

/* Returns 0 or an errno. */
int warm_state_put(const char *name, uint64_t id, const struct rx_warm *warm)
{
	char text[128];

	snprintf(text, sizeof(text), "id=%" PRIu64 " state=%s size=%" PRIu64 " loaded=%" PRIu64
		 " next=%" PRIu64 "\n", id, rx_warm_names[warm->state], warm->size, warm->loaded,
		 warm->next);
	return sys_note(state_path(name), 0644, text);
}

/*
 * Takes the load of a cache for this process. Returns the lock, which lasts as long as it is
 * open, or -1 with errno: EAGAIN if another process has it.
 */
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

/*
 * Ends the process that loads the cache. Returns WAIT_EVENT once it has ended, or
 * WAIT_TIMEOUT if there is none, or it did not end in WAIT_MS.
 */
enum rx_wait warm_loader_stop(const char *name, long wait_ms)
{
	pid_t pid = sys_absent() ? 0 : loader(name);
	struct pollfd end = { .events = POLLIN };
	enum rx_wait wait = WAIT_TIMEOUT;

	if (pid <= 0)
		return wait;
	if (wait_ms == WAIT_DEFAULT || wait_ms > STOP_MS)
		wait_ms = STOP_MS;
	end.fd = syscall(SYS_pidfd_open, pid, 0);
	/* The number may have been given to another process before pidfd_open(). */
	if (end.fd >= 0 && loader(name) == pid &&
	    !syscall(SYS_pidfd_send_signal, end.fd, SIGTERM, NULL, 0))
		wait = wait_poll(&end, wait_ms);
	if (end.fd >= 0)
		close(end.fd);
	return wait;
}

/*
 * Becomes "rxadm load-list", which finds that it has the lock of the load already. Files that
 * the caller of rxadm had open, perhaps with locks, are closed.
 */
static void __attribute__((noreturn)) child(char *name)
{
	char *argv[] = { "rxadm", "load-list", "--quiet", name, NULL }, path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int fd, lock;

	path[n < 0 ? 0 : n] = '\0';
	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	lock = warm_state_lock(name);
	/* Closing another descriptor of the file would drop the lock. */
	if (fd < 0 || lock < 0 || chdir("/") || setsid() < 0 ||
	    dup2(fd, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0 ||
	    dup2(fd, STDERR_FILENO) < 0 ||
	    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) ||
	    fcntl(lock, F_SETFD, 0))
		_exit(RX_KERNEL);
	execv(path, argv);
	_exit(RX_KERNEL);
}

/* Loads CACHE in a process of its own, which unmap ends. */
static void begin(const char *verb, const struct rx_cache *cache)
{
	struct warm_list list;
	int locked[2];
	char byte;
	pid_t pid;

	if (!warm_saved(verb, cache, &list)) {
		warm_state_remove(cache->name);
		return;
	}
	warm_free(&list);
	fflush(NULL);
	pid = pipe2(locked, O_CLOEXEC) ? -1 : fork();
	if (!pid)
		child((char *)cache->name);
	if (pid < 0) {
		say(verb, cache->name, "can't begin to load: %s; run: rxadm load-list %s",
		    strerror(errno), cache->name);
		return;
	}
	/* The pipe ends when the child has the lock, or has failed. */
	close(locked[1]);
	while (read(locked[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(locked[0]);
}

/*
 * Tells whether this is an initramfs, which has no lists. The unit that loads starts when
 * the list is there.
 */
static bool in_initramfs(void)
{
	return !access(sys_path("/etc/initrd-release"), F_OK) ||
	       !access(sys_path("/conf/initramfs.conf"), F_OK);
}

/* Tells whether systemctl succeeds with two words. Root runs this, so PATH does not choose. */
static bool systemctl(char *verb, char *unit)
{
	char *argv[] = { "/usr/bin/systemctl", "--quiet", "--no-block", verb, unit, NULL };
	int status;

	/* Machines without a merged /usr have it in /bin. */
	if (access(*argv, X_OK))
		*argv += strlen("/usr");
	free(child_run(argv, -1, -1, &status));
	return !status;
}

/*
 * Loads a cache of the table by starting rxadm-warm@.service, which also saves the list.
 * While the machine boots, the unit of the cache starts that service. In emergency mode
 * the service would mount file systems, so it is not started before sysinit.target is
 * active.
 */
static void begin_unit(const char *verb, const struct rx_cache *cache)
{
	char *unit = mem_text("rxadm-warm@%s.service", cache->name);

	if (systemctl("is-active", "sysinit.target") && !systemctl("restart", unit))
		begin(verb, cache);
	free(unit);
}

/*
 * Called for a cache that has just been mapped. With WARM the cache is loaded from its
 * list, in the background. A cache without a list stays cold, which is no failure.
 */
void warm_start(const char *verb, const struct rx_cache *cache, bool warm)
{
	struct rx_warm waiting = { .state = RX_WARM_WAITING };

	/* A state that is there belongs to another cache, which ended without rxadm. */
	warm_state_remove(cache->name);
	if (!warm || sys_replayed())
		return;
	warm_state_put(cache->name, cache->id, &waiting);
	if (in_initramfs())
		return;
	if (!access(sys_path("/run/systemd/generator/rxadm@%s.service", cache->name), F_OK))
		begin_unit(verb, cache);
	else
		begin(verb, cache);
}
