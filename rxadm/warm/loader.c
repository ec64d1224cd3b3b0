// SPDX-License-Identifier: GPL-2.0-only
/* Starts and ends the process that loads a cache in the background. */
#include <errno.h>
#include <fcntl.h>
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
#include "warm/state.h"

#define STOP_MS		20000		/* for a slow origin to answer its last read */

bool warm_loader_runs(const char *name)
{
	return !sys_absent() && warm_state_loader(name) > 0;
}

/*
 * Ends the process that loads the cache. Returns WAIT_EVENT once it has ended, or
 * WAIT_TIMEOUT if there is none, or it did not end in WAIT_MS.
 */
enum rx_wait warm_loader_stop(const char *name, long wait_ms)
{
	pid_t pid = sys_absent() ? 0 : warm_state_loader(name);
	struct pollfd end = { .events = POLLIN };
	enum rx_wait wait = WAIT_TIMEOUT;

	if (pid <= 0)
		return wait;
	if (wait_ms == WAIT_DEFAULT || wait_ms > STOP_MS)
		wait_ms = STOP_MS;
	end.fd = syscall(SYS_pidfd_open, pid, 0);
	/* The number may have been given to another process before pidfd_open(). */
	if (end.fd >= 0 && warm_state_loader(name) == pid &&
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
