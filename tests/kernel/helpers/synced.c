// SPDX-License-Identifier: GPL-2.0-only
/*
 * synced write DIRECTORY SEED SECONDS [DM-DEVICE]
 * synced check DIRECTORY SEED < JOURNAL
 *
 * Files that have to survive a power failure, once it was said that they do. "write" makes, overwrites, replaces and unlinks
 * files from two threads, syncs each, and writes down on stdout "+ FILE ROUND" before and "= FILE ROUND" after it did so;
 * with DM-DEVICE each line is also put as a mark into the log of that dm-log-writes device. A third thread writes what
 * nobody syncs. "check" reads those lines as far as they go and says whether DIRECTORY holds what they promise:
 *	round 4n	made, and written		4n + 1	overwritten in place
 *	round 4n + 2	replaced by rename		4n + 3	unlinked
 * A round that has ended counts as it is; one that has only begun may be there or not, if that is atomic, or may have done
 * anything. Exit status 1: a promise was not kept, 2: the file system gave an error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, FILES = 6, MAX = 96 << 10, PATH = 300 };
enum { MAKE, OVERWRITE, REPLACE, UNLINK, KINDS };

static const char *dir;
static char *dm;
static uint64_t seed;
static time_t end;
static int control = -1;

static void die(const char *what, const char *path)
{
	fprintf(stderr, "synced: %s %s: %s\n", what, path, strerror(errno));
	exit(2);
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}

/* What a file holds after a round; an overwrite keeps the length. Returns the length. */
static size_t content(char *buf, int file, int round)
{
	uint64_t key = mix(seed << 32 ^ (uint64_t)file << 24 ^ round);
	int length_of = round % KINDS == OVERWRITE ? round - 1 : round;
	size_t len = 1 + mix(seed << 32 ^ (uint64_t)file << 24 ^ length_of ^ 0x5a5a) % MAX;

	for (size_t i = 0; i < len; i += 8)
		*(uint64_t *)(buf + i) = key + i;
	return len;
}

static void say(char what, int file, int round)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct {
		struct dm_ioctl io;
		struct dm_target_msg target;
		char message[64];
	} m = { .io = { .version = { 4, 0, 0 }, .data_size = sizeof(m), .data_start = sizeof(m.io) } };
	char line[32];
	int len = sprintf(line, "%c %d %d\n", what, file, round);

	/* Both have the lines in one order. */
	pthread_mutex_lock(&lock);
	if (dm) {
		snprintf(m.io.name, sizeof(m.io.name), "%s", dm);
		snprintf(m.target.message, sizeof(m.message), "mark %c.%d.%d", what, file, round);
		if (ioctl(control, DM_TARGET_MSG, &m))
			die("mark", dm);
	}
	if (write(1, line, len) != len)
		die("write", "stdout");
	/* The machine may be gone a moment later. */
	if (isatty(1))
		tcdrain(1);
	pthread_mutex_unlock(&lock);
}

static void sync_dir(void)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	if (fd < 0 || fsync(fd))
		die("sync", dir);
	close(fd);
}

static void put(const char *path, int flags, const char *buf, size_t len, int (*sync)(int))
{
	int fd = open(path, O_WRONLY | flags, 0644);

	if (fd < 0 || write(fd, buf, len) != (ssize_t)len || sync(fd) || close(fd))
		die("write", path);
}

static void do_round(char *buf, int file, int round)
{
	char path[PATH], tmp[PATH];
	size_t len = content(buf, file, round);

	snprintf(path, sizeof(path), "%s/f%d", dir, file);
	snprintf(tmp, sizeof(tmp), "%s/t%d", dir, file);
	switch (round % KINDS) {
	case MAKE:
		put(path, O_CREAT | O_EXCL, buf, len, fsync);
		break;
	case OVERWRITE:
		put(path, 0, buf, len, fdatasync);
		break;
	case REPLACE:
		put(tmp, O_CREAT | O_TRUNC, buf, len, fsync);
		if (rename(tmp, path))
			die("rename", tmp);
		break;
	case UNLINK:
		if (unlink(path))
			die("unlink", path);
	}
	if (round % KINDS != OVERWRITE)
		sync_dir();
}

static void *writer(void *arg)
{
	int me = (intptr_t)arg, n;
	char *buf = malloc(MAX + 8);

	for (n = 0; time(NULL) < end || n < FILES * KINDS; n++) {
		int file = me * FILES + n % FILES, round = n / FILES;

		say('+', file, round);
		do_round(buf, file, round);
		say('=', file, round);
	}
	free(buf);
	return NULL;
}

static void *noise(void *arg)
{
	char path[PATH], *buf = calloc(1, MAX);
	uint64_t x = seed;
	int fd;

	(void)arg;
	for (;;) {
		x = mix(x + 1);
		snprintf(path, sizeof(path), "%s/n%u", dir, (unsigned int)(x % 16));
		fd = open(path, O_WRONLY | O_CREAT | (x >> 8 & 1 ? O_TRUNC : 0), 0644);
		if (fd < 0 || pwrite(fd, buf, x >> 16 & 0xffff, x >> 32 & 0x1ffff) < 0)
			die("write", path);
		close(fd);
		usleep(2000);
	}
	return NULL;
}

static int is_version(const char *path, char *want, char *got, int file, int round)
{
	size_t len = content(want, file, round);
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, got, MAX + 8);
	close(fd);
	if (n < 0)
		die("read", path);
	return n == (ssize_t)len && !memcmp(got, want, len);
}

/* Whether the file is as it was when @round had ended; -1: before the first. */
static int is_after(const char *path, char *want, char *got, int file, int round)
{
	if (round < 0 || round % KINDS == UNLINK)
		return access(path, F_OK) && errno == ENOENT;
	return is_version(path, want, got, file, round);
}

static int check(void)
{
	static int begun[THREADS * FILES], ended[THREADS * FILES];
	char *want = malloc(MAX + 8), *got = malloc(MAX + 8), path[PATH], what;
	int file, round, bad = 0, promises = 0;

	memset(begun, -1, sizeof(begun));
	memset(ended, -1, sizeof(ended));
	while (scanf(" %c %d %d", &what, &file, &round) == 3) {
		if (file < 0 || file >= THREADS * FILES)
			return 2;
		(what == '+' ? begun : ended)[file] = round;
	}
	for (file = 0; file < THREADS * FILES; file++) {
		int b = begun[file], e = ended[file], ok;

		snprintf(path, sizeof(path), "%s/f%d", dir, file);
		ok = is_after(path, want, got, file, e);
		if (b > e)
			ok = ok || b % KINDS == MAKE || b % KINDS == OVERWRITE ||
			     is_after(path, want, got, file, b);
		promises += e >= 0;
		if (ok)
			continue;
		printf("synced: %s is not as after round %d (begun: %d)\n", path, e, b);
		bad = 1;
	}
	printf("%d promises\n", promises);
	return bad;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS], other;
	intptr_t i;

	if (argc < 4)
		return 2;
	dir = argv[2];
	seed = strtoull(argv[3], NULL, 10);
	if (!strcmp(argv[1], "check"))
		return check();
	if (argc < 5)
		return 2;
	end = time(NULL) + atoi(argv[4]);
	dm = argv[5];
	if (dm)
		control = open("/dev/mapper/control", O_RDWR);
	if (dm && control < 0)
		die("open", "/dev/mapper/control");
	pthread_create(&other, NULL, noise, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, writer, (void *)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
