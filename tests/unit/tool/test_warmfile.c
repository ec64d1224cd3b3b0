// SPDX-License-Identifier: GPL-2.0-only
/* The files of lists: an interrupted save leaves the old list, and each origin has its own file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/global.h"
#include "base/sys.h"
#include "rx_test.h"
#include "system/dev.h"
#include "warm/blocklist.h"

static int remove_tree(const char *root)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r '%s'", root);
	return system(command);
}

/* Steps of a save, which replace libc's functions. Step number STOP_AT ends the process. */
static int step, stop_at;
static char steps[64];

static void take_step(const char *what)
{
	if (++step == stop_at)
		_exit(42);
	strncat(steps, what, sizeof(steps) - strlen(steps) - 1);
}

int fsync(int fd)
{
	struct stat st;

	take_step(!fstat(fd, &st) && S_ISDIR(st.st_mode) ? "dir " : "file ");
	return syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	take_step("rename ");
	return syscall(SYS_renameat2, -100, from, -100, to, 0);
}

static unsigned char *file_of(uint64_t saved, size_t *len)
{
	struct warm_list list;
	unsigned char *file;
	uint64_t i;

	list = (struct warm_list){ .identity = strdup("wwid=naa.5000c500a1b2c3d4"),
				   .origin_size = 1 << 30, .block_size = 4096, .saved = saved };
	for (i = 0; i < 64; i++)
		warm_add(&list, (i * 37 + saved) << WARM_HEAT_BITS);
	file = warm_encode(&list, len);
	warm_free(&list);
	return file;
}

static int save(const char *path, const unsigned char *file, size_t len)
{
	return sys_replace(sys_path("%s", path), sys_path("%s.new", path), 0600, file, len);
}

/* Saves in a process that ends after LIMIT bytes, or at step AT. */
static int cut_off(const char *path, rlim_t limit, int at)
{
	struct rlimit rlimit = { limit, limit };
	unsigned char *file;
	int status;
	pid_t pid;
	size_t len;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_FSIZE, &rlimit);
		step = 0;
		stop_at = at;
		file = file_of(2, &len);
		_exit(save(path, file, len));
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Returns when the list at PATH was saved, or 0 if there is no valid list. */
static uint64_t saved_at(const char *path)
{
	struct warm_list list;
	const char *wrong;
	uint64_t saved;

	if (warm_read(sys_path("%s", path), warm_len_max(1 << 30), &list, &wrong))
		return 0;
	saved = list.saved;
	warm_free(&list);
	return saved;
}

static void test_cut_off(void)
{
	char root[] = "/tmp/rx-warm-XXXXXX", *path;
	unsigned char *file;
	struct stat st;
	size_t len, i, old = 0;
	int status;

	if (!mkdtemp(root))
		abort();
	setenv("RXADM_SYSROOT", root, 1);
	path = warm_file("wwid=naa.1 partition=1");
	file = file_of(1, &len);
	check(warm_make_dir() == ENOENT, "the file system of the lists is not mounted");
	mkdir(sys_path("/var"), 0755);
	mkdir(sys_path("/var/lib"), 0755);
	check(!warm_make_dir() && !save(path, file, len) && saved_at(path) == 1, "a list is saved");
	check(!stat(sys_path("%s", path), &st) && (st.st_mode & 07777) == 0600,
	      "nobody else reads it");
	check_str(steps, "file rename dir ", "it is on the disk before it has the name");
	free(file);
	file = file_of(2, &len);
	for (i = 0; i < len; i++) {
		status = cut_off(path, i, 0);
		old += WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ && saved_at(path) == 1;
	}
	check(old == len, "cut off after each of %zu bytes, the old list is there", len);
	for (i = 1; i <= 2; i++)
		check(WEXITSTATUS(cut_off(path, RLIM_INFINITY, i)) == 42 && saved_at(path) == 1,
		      "and before step %zu", i);
	check(WEXITSTATUS(cut_off(path, RLIM_INFINITY, 3)) == 42 && saved_at(path) == 2,
	      "before step 3 the new one is");
	free(file);
	free(path);
	if (remove_tree(root))
		abort();
}

static void put_file(const char *path, const char *text)
{
	char *command;

	if (asprintf(&command, "mkdir -p \"$(dirname '%s')\" && printf '%%s' '%s' >'%s'",
		     sys_path("%s", path), text, sys_path("%s", path)) < 0 ||
	    system(command))
		abort();
	free(command);
}

static void check_identity(const char *kname, const char *want)
{
	char *got = identity_of(kname);

	check_str(got, want, "%s is known as '%s'", kname, want);
	free(got);
}

static void test_identity(void)
{
	char root[] = "/tmp/rx-warm-XXXXXX", *one, *two;

	if (!mkdtemp(root))
		abort();
	setenv("RXADM_SYSROOT", root, 1);
	put_file("/sys/class/block/sda/device/wwid", " naa.5000  c500\n");
	put_file("/sys/class/block/sda/sda1/partition", "1");
	put_file("/sys/class/block/sda/sda1/start", "2048");
	if (symlink("sda/sda1", sys_path("/sys/class/block/sda1")))
		abort();
	put_file("/sys/class/block/dm-0/dm/uuid", "LVM-abc");
	put_file("/sys/class/block/vda/serial", "");
	put_file("/sys/class/block/vdb/serial", "rx1");
	put_file("/sys/class/block/cciss!c0d0/wwid", "x");
	check_identity("sda", "device/wwid=naa.5000 c500");
	check_identity("sda1", "device/wwid=naa.5000 c500 partition=1 start=2048");
	check_identity("dm-0", "dm/uuid=LVM-abc");
	check_identity("vda", "name=vda");
	check_identity("vdb", "serial=rx1");
	check_identity("cciss/c0d0", "wwid=x");
	one = warm_file("serial=a/b");
	two = warm_file("serial=a-b");
	check(strcmp(one, two) && !strchr(one + strlen(WARM_DIR) + 1, '/'),
	      "two origins never share a list");
	free(one);
	free(two);
	if (remove_tree(root))
		abort();
}

int main(void)
{
	test_cut_off();
	test_identity();
	return done();
}
