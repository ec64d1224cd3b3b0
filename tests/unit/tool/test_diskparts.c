// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of a disk's parts, from a recorded dialogue with the kernel: parts that go on in
 * the next reply, replies without parts, a disk that was replaced, and refusals.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/global.h"
#include "base/wait.h"
#include "image/disk.h"
#include "kernel/replay.h"
#include "rx_test.h"
#include "system/extents.h"

static const struct rx_disk disk = { .family = RX_DISK, .name = "rxd0", .id = 5,
				     .size = 65536 };

/* Prints the parts, or what image_disk_parts() returned. */
static void list(void)
{
	struct rx_extents parts;
	int ret = image_disk_parts("save", &disk, &parts);
	size_t i;

	if (ret)
		printf("exit %d, %zu parts ", ret, parts.n);
	for (i = 0; i < parts.n; i++)
		printf("%s%llu+%llu ", parts.at[i].unwritten ? "unwritten " : "",
		       (unsigned long long)parts.at[i].offset,
		       (unsigned long long)parts.at[i].length);
	if (!ret)
		printf("= %llu", (unsigned long long)parts.bytes);
	extents_free(&parts);
	fflush(stdout);
}

/* A recording is for one process, so each case has its own. Returns what it printed. */
static const char *answers(const char *recording, bool interrupted)
{
	static char text[1024];
	char path[] = "/tmp/rx-parts-XXXXXX";
	int fd = mkstemp(path), out[2], status;
	size_t len = 0;
	ssize_t n;

	if (fd < 0 || write(fd, recording, strlen(recording)) < 0 || pipe(out))
		abort();
	fflush(NULL);
	if (!fork()) {
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		setenv("RXADM_REPLAY", path, 1);
		if (!replay())
			_exit(1);
		signals_take();
		if (interrupted)
			raise(SIGINT);
		list();
		_exit(replay()->finish(0));
	}
	close(out[1]);
	while ((n = read(out[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
	wait(&status);
	close(out[0]);
	close(fd);
	unlink(path);
	if (status)
		snprintf(text + len, sizeof(text) - len, " status %d", status);
	return text;
}

int main(void)
{
	check_str(answers("> rxdsk disk-extents name=rxd0\n"
			  "< name=rxd0 id=5 size=65536 extents=\n", false),
		  "= 0", "an empty disk has no parts");
	check_str(answers("> rxdsk disk-extents name=rxd0\n"
			  "< name=rxd0 id=5 size=65536 cursor=12288 extents=0,4096,8192,4096\n"
			  "> rxdsk disk-extents name=rxd0 cursor=12288\n"
			  "< name=rxd0 id=5 size=65536 cursor=32768 extents=12288,8192\n"
			  "> rxdsk disk-extents name=rxd0 cursor=32768\n"
			  "< name=rxd0 id=5 size=65536 cursor=40960 extents=\n"
			  "> rxdsk disk-extents name=rxd0 cursor=40960\n"
			  "< name=rxd0 id=5 size=65536 extents=61440,4096\n", false),
		  "0+4096 8192+12288 61440+4096 = 20480",
		  "parts go on in the next reply, and a reply may have none");
	check_str(answers("> rxdsk disk-extents name=rxd0\n"
			  "< name=rxd0 id=5 size=65536 cursor=4096 extents=0,4096\n"
			  "> rxdsk disk-extents name=rxd0 cursor=4096\n"
			  "< name=rxd0 id=6 size=65536 extents=4096,4096\n", false),
		  "rxadm: save rxd0: was detached and attached anew meanwhile; try again\n"
		  "exit 2, 0 parts ", "a disk that was replaced");
	check_str(answers("> rxdsk disk-extents name=rxd0\n"
			  "< name=rxd0 id=5 size=131072 extents=0,4096\n", false),
		  "rxadm: save rxd0: was resized meanwhile; try again\nexit 2, 0 parts ",
		  "a disk that has grown since it was looked at");
	check_str(answers("> rxdsk disk-extents name=rxd0\n"
			  "! EBUSY the disk is claimed as cache memory\n", false),
		  "rxadm: save rxd0: in use (kernel: the disk is claimed as cache memory); see who uses it: fuser -v, lsblk\n"
		  "exit 2, 0 parts ", "a refusal");
	check_str(answers("", true),
		  "rxadm: save rxd0: interrupted; nothing was changed\nexit 2, 0 parts ",
		  "an interruption, before anything is asked");
	return done();
}
