// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes images at random and restores them by the verb itself, with ASan and UBSan, into a
 * disk that is there and into a new one (--attach). Every run is a process of its own. A
 * replay stands for the kernel, and files in memory for the disks and the image.
 *
 * The exit status must be that of an image that is whole, fits, or does neither; a signal or
 * a report of ASan is neither of them. A refusal must leave all bytes of the disk that was
 * there, and remove the one that was made. A disk that was restored must have the bytes of
 * the pieces, and zeroes elsewhere.
 *
 * RX_FUZZ_SECONDS and RX_FUZZ_SEED are as in test_imagefuzz.c.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/global.h"
#include "base/quote.h"
#include "base/wait.h"
#include "image_change.h"
#include "rx_test.h"

#define DISK_MAX	(DISK_SIZE + 8192)	/* the kernel has no memory for a larger one */
#define RUNS_MIN	100		/* among them are all kinds */
#define RUN_SECONDS	60		/* a restore takes milliseconds */

int rxadm_main(int argc, char **argv);

/* What the reader says of the file. */
struct verdict {
	struct image_header header;
	bool opens;		/* up to the first piece */
	bool ends;		/* an end is where the file ends */
	bool whole;
};

static char dir[] = "/tmp/restorefuzz-XXXXXX";
static int image, disk, made_disk, said;
static unsigned char *content, *original, *want;	/* of the disk; and of the image, DISK_MAX bytes */
static unsigned long runs, restored, refused, removed;

/* The disks lie in tmpfs, which can only punch holes. Both give zeroes. */
int fallocate(int fd, int mode, off_t offset, off_t length)
{
	(void)mode;
	return syscall(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
}

static const char *in_dir(const char *name)
{
	static char paths[2][128];
	static int n;

	n = !n;
	snprintf(paths[n], sizeof(paths[n]), "%s/%s", dir, name);
	return paths[n];
}

/* Gives NAME below the directory to a file in memory, while this process lives. */
static int named_file(const char *name)
{
	char target[64];
	int fd = memory_file();

	snprintf(target, sizeof(target), "/proc/%d/fd/%d", getpid(), fd);
	if (symlink(target, in_dir(name)))
		abort();
	return fd;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static const char *const dirs[] = { "dev", "proc", "proc/self", "sys", "sys/block", "sys/class", "sys/class/block" };
static const char *const files[] = { "dev/rxd0", "dev/rxd5", "image", "replay", "proc/self/mountinfo" };

static void set_up(void)
{
	size_t i;

	if (!mkdtemp(dir))
		abort();
	for (i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		if (mkdir(in_dir(dirs[i]), 0700))
			abort();
	write_file("proc/self/mountinfo", "");
	disk = named_file("dev/rxd0");
	made_disk = named_file("dev/rxd5");
	image = named_file("image");
	said = memory_file();
	original = malloc(DISK_SIZE);
	want = malloc(DISK_MAX);
	memset(original, 0xa5, DISK_SIZE);
	if (ftruncate(disk, DISK_SIZE) || pwrite(disk, original, DISK_SIZE, 0) != (ssize_t)DISK_SIZE)
		abort();
	content = mmap(NULL, DISK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, disk, 0);
	if (content == MAP_FAILED)
		abort();
	setenv("RXADM_SYSROOT", dir, 1);
	setenv("RXADM_REPLAY", in_dir("replay"), 1);
}

static void tear_down(void)
{
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(in_dir(files[i]));
	for (i = sizeof(dirs) / sizeof(*dirs); i; i--)
		rmdir(in_dir(dirs[i - 1]));
	rmdir(dir);
	munmap(content, DISK_SIZE);
	free(original);
	free(want);
}

static size_t file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? 0 : st.st_size;
}

/* Reads the file as test_imagefuzz.c does, and makes the bytes of the disk. */
static struct verdict judge(void)
{
	struct image_reader reader = { 0 };
	struct image_record record = { .length = 1 };
	struct verdict v = { .opens = false };
	uint64_t bytes;
	int err;

	set_file(image, file, len);
	memset(want, 0, DISK_MAX);
	err = image_open(&reader, image);
	v.opens = !err;
	v.header = reader.header;
	v.ends = image_tail(image, len, &bytes) && bytes <= v.header.size;
	while (!err && !(err = image_next(&reader, &record)) && record.length)
		if (record.offset + record.length <= DISK_MAX)
			memcpy(want + record.offset, reader.data, record.length);
	v.whole = !err;
	image_close(&reader);
	return v;
}

/* Returns the exit status, and sets *MADE if a disk is made before the image is found to be bad. */
static int expected(const struct verdict *v, bool attach, bool dry, bool *made)
{
	bool once = attach && !dry && v->opens && v->ends;

	*made = once && v->header.size <= DISK_MAX;
	if (once && !*made)
		return RX_KERNEL;
	if (!v->whole)
		return RX_DATA;
	return attach || v->header.size == DISK_SIZE ? RX_OK : RX_KERNEL;
}

/* The kernel's side. A request that must come has no star. */
static void write_replay(const struct verdict *v, bool attach, bool removes)
{
	static const char rest[] = "queues=2 read-only=no used=0 freeing=0 openers=0 major=259 minor=0 state=active";
	unsigned long long size = v->header.size;
	unsigned int block = v->header.block;
	char text[1024];
	size_t n;

	n = snprintf(text, sizeof(text),
		     ">* rxdsk disk-get name=rxd0\n< name=rxd0 id=3 size=%llu block-size=512 %s\n", DISK_SIZE, rest);
	if (attach && size > DISK_MAX)
		snprintf(text + n, sizeof(text) - n,
			 ">* rxdsk disk-new size=%llu block-size=%u\n! ENOMEM no memory\n", size, block);
	else if (attach)
		snprintf(text + n, sizeof(text) - n,
			 ">* rxdsk disk-new size=%llu block-size=%u\n< name=rxd5 id=4 size=%llu block-size=%u %s\n"
			 ">* rxdsk join\n>* rxdsk disk-get name=rxd5\n< name=rxd5 id=4 size=%llu block-size=%u %s\n%s",
			 size, block, size, block, rest, size, block, rest,
			 removes ? "> rxdsk disk-del name=rxd5\n@ rxdsk disk-del-ntf name=rxd5\n" : "");
	write_file("replay", text);
}

/* Returns what wait() says of a process that restores the image. */
static int run_verb(bool attach, bool dry, bool json)
{
	char path[128], *argv[8] = { "rxadm", "restore", path, attach ? "--attach" : "rxd0" };
	int argc = 4, status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s", in_dir("image"));
	if (dry)
		argv[argc++] = "--dry-run";
	if (json)
		argv[argc++] = "--json";
	if (ftruncate(said, 0) || lseek(said, 0, SEEK_SET))
		abort();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(RUN_SECONDS);
		dup2(said, STDOUT_FILENO);
		dup2(said, STDERR_FILENO);
		status = rxadm_main(argc, argv);
		/* To look for lost memory takes longer than all the rest. */
		if (runs % 8)
			_exit(status);
		free(original);
		free(want);
		free_originals();
		exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return status;
}

static bool has_image(int fd, size_t size)
{
	unsigned char *now = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	bool same = now != MAP_FAILED && !memcmp(now, want, size);

	munmap(now, size);
	return same;
}

/* Restores the file, and compares what became of it with what the reader says. */
static bool restores(void)
{
	struct verdict v = judge();
	bool attach = below(2), dry = !below(8), json = !below(4), made, same;
	int want_status = expected(&v, attach, dry, &made), status;

	write_replay(&v, attach, made && want_status);
	if (ftruncate(made_disk, 0) || (attach && v.opens && v.header.size <= DISK_MAX &&
					ftruncate(made_disk, v.header.size)))
		abort();
	status = run_verb(attach, dry, json);
	if (!want_status && !attach && !dry) {
		same = has_image(disk, DISK_SIZE);
		memcpy(content, original, DISK_SIZE);
	} else {
		same = !memcmp(content, original, DISK_SIZE);
	}
	if (!want_status && made)
		same = same && has_image(made_disk, v.header.size);
	runs++;
	restored += !want_status && !dry;
	refused += want_status != RX_OK;
	removed += made && want_status;
	if (status == want_status << 8 && same && file_size(disk) == DISK_SIZE)
		return true;
	printf("# %s%s ends with %x, not %x; the disk %s\n", attach ? "--attach" : "rxd0", dry ? " --dry-run" : "",
	       status, want_status << 8, same ? "is as it should be" : "has other bytes");
	fflush(stdout);
	lseek(said, 0, SEEK_SET);
	while ((status = read(said, file, sizeof(file))) > 0)
		fwrite(file, 1, status, stdout);
	return false;
}

int main(void)
{
	const char *seconds = getenv("RX_FUZZ_SECONDS"), *first = getenv("RX_FUZZ_SEED");
	uint64_t begun = first ? strtoull(first, NULL, 10) : 1, at;
	int64_t end = now_ms() + (seconds ? atoll(seconds) : 2) * 1000, shown = now_ms();
	bool good = true;

	make_originals();
	set_up();
	for (at = begun; good && (now_ms() < end || runs < RUNS_MIN); at++) {
		make_changed(at);
		/* Few of the changed ones are whole, and only those write to a disk that was there. */
		if (!(at % 8))
			make_unchanged();
		good = restores();
		if (seconds && now_ms() - shown > 10000) {
			shown = now_ms();
			printf("# %lu images, %lu restored, %lu refused\n", runs, restored, refused);
			fflush(stdout);
		}
	}
	printf("# %lu images; %lu restored, %lu refused, %lu of them after a disk was made\n", runs, restored, refused,
	       removed);
	check(good, "seeds %llu to %llu", (unsigned long long)begun, (unsigned long long)at - 1);
	check(restored && refused > runs / 2 && removed, "some are restored, and most are not");
	tear_down();
	free_originals();
	return done();
}
