// SPDX-License-Identifier: GPL-2.0-only
/* Runs a program that must not outlive this process. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/sys.h"

/* SIGPIPE is not ignored, as here, so the program does not work on without a reader. */
static void __attribute__((noreturn)) become(char *const argv[], const int fds[3],
					     pid_t parent)
{
	sigset_t none;
	int i;

	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* A parent that has ended before sends no signal. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(CHILD_NOT_RUN);
	for (i = 0; i < 3; i++)
		if (fds[i] >= 0 && dup2(fds[i], i) < 0)
			_exit(CHILD_NOT_RUN);
	execv(argv[0], argv);
	_exit(CHILD_NOT_RUN);
}

char *child_run(char *const argv[], int input, int errors, int *status)
{
	pid_t parent = getpid(), pid;
	char *text;
	int fds[2];

	*status = W_EXITCODE(CHILD_NOT_RUN, 0);
	if (pipe2(fds, O_CLOEXEC))
		return mem_dup("");
	pid = fork();
	if (!pid)
		become(argv, (int[]){ input, fds[1], errors }, parent);
	close(fds[1]);
	text = sys_read_file(fdopen(fds[0], "r"));
	if (pid > 0)
		waitpid(pid, status, 0);
	return text ? text : mem_dup("");
}
