// SPDX-License-Identifier: GPL-2.0-only
/* The state of loading a cache, and the lock that only one loader can hold. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/global.h"
#include "base/sys.h"
#include "warm/loader.h"
#include "warm/state.h"
#include "rx_test.h"

/* Starts a process that takes the lock of a loader, or reads the state with a lock. */
static pid_t holder(bool loads)
{
	struct rx_warm half = { .state = RX_WARM_LOADING, .size = 8192, .loaded = 4096 };
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe(ready))
		abort();
	fflush(NULL);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (loads ? warm_state_lock("rxc0") < 0 || warm_state_put("rxc0", 5, &half) :
		    fcntl(open(sys_path("/run/rxadm/warm-rxc0"), O_RDONLY), F_SETLK, &lock))
			_exit(1);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	check(read(ready[0], &byte, 1) == 1, loads ? "a process loads" : "another one reads");
	close(ready[0]);
	return pid;
}

static int how_it_ended(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_state(void)
{
	char root[] = "/tmp/rx-warm-XXXXXX";
	struct rx_warm warm;
	struct stat st;
	pid_t pid;
	int fd;

	if (!mkdtemp(root))
		abort();
	setenv("RXADM_SYSROOT", root, 1);
	mkdir(sys_path("/run"), 0755);
	warm_state_get("rxc0", 5, &warm);
	check(warm.state == RX_NONE, "no state");
	pid = holder(true);
	warm_state_get("rxc0", 5, &warm);
	check(warm.state == RX_WARM_LOADING && warm.ratio == 0.5, "half of it is loaded");
	warm_state_get("rxc0", 4, &warm);
	check(warm.state == RX_NONE, "but not of another cache");
	check(warm_state_lock("rxc0") < 0 && errno == EAGAIN, "no other one may load it");
	kill(pid, SIGKILL);
	how_it_ended(pid);
	warm_state_get("rxc0", 5, &warm);
	check(warm.state == RX_WARM_STOPPED, "killed, it has stopped");
	pid = holder(false);
	fd = warm_state_lock("rxc0");
	check(fd >= 0, "whoever reads the state does not keep others from loading");
	close(fd);
	kill(pid, SIGKILL);
	how_it_ended(pid);
	check(!stat(sys_path("/run/rxadm/warm-rxc0.lock"), &st) && (st.st_mode & 07777) == 0600,
	      "only root opens what is locked");
	pid = holder(true);
	check(warm_loader_stop("rxc0", WAIT_DEFAULT) == WAIT_EVENT, "a loader is stopped");
	kill(pid, SIGKILL);
	check(how_it_ended(pid) == SIGTERM, "in a way that it can notice");
	check(warm_loader_stop("rxc0", WAIT_DEFAULT) == WAIT_TIMEOUT, "once");
	unlink(sys_path("/run/rxadm/warm-rxc0"));
	unlink(sys_path("/run/rxadm/warm-rxc0.lock"));
	unlink(sys_path("/run/rxadm/record-rxc0.lock"));
	check(!rmdir(sys_path("/run/rxadm")) && !rmdir(sys_path("/run")) && !rmdir(root),
	      "no other file was made");
}

int main(void)
{
	test_state();
	return done();
}
