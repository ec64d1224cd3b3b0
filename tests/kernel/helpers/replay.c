// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay list LOG
 * replay run LOG IMAGE FROM TO
 *
 * Reads the log that dm-log-writes has made. "list" prints one line for each entry: its number, its flags as letters (W a
 * write, F after a flush, U with FUA, D a discard, M a mark), the first sector, how many, and a mark's text. "run" does
 * entries FROM to before TO to IMAGE, as the device would hold them after a power failure in between.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* drivers/md/dm-log-writes.c has the format and no header for it. */
#define LOG_MAGIC 0x6a736677736872ULL
enum { LOG_FLUSH = 1, LOG_FUA = 2, LOG_DISCARD = 4, LOG_MARK = 8 };

struct super {
	uint64_t magic, version, entries;
	uint32_t sector_size;
};

struct entry {
	uint64_t sector, sectors, flags, data_len;
	char mark[64];
};

static int log_fd, image = -1;
static uint32_t unit;

static void die(const char *what)
{
	fprintf(stderr, "replay: %s: %s\n", what, errno ? strerror(errno) : "damaged");
	exit(2);
}

static void get(void *buf, size_t len, uint64_t at)
{
	errno = 0;
	if (pread(log_fd, buf, len, at) != (ssize_t)len)
		die("log");
}

static void read_entry(struct entry *e, uint64_t at)
{
	get(e, sizeof(*e), at);
	e->sector = le64toh(e->sector);
	e->sectors = le64toh(e->sectors);
	e->flags = le64toh(e->flags);
	e->data_len = le64toh(e->data_len);
	e->mark[e->flags & LOG_MARK && e->data_len < sizeof(e->mark) ? e->data_len : 0] = 0;
}

/* Of the log, behind the entry's own sector. */
static uint64_t data_size(const struct entry *e)
{
	return e->flags & (LOG_DISCARD | LOG_MARK) ? 0 : e->sectors * unit;
}

static void print(uint64_t nr, const struct entry *e)
{
	printf("%" PRIu64 " %s%s%s%s%s %" PRIu64 " %" PRIu64 " %s\n", nr, e->flags & LOG_FLUSH ? "F" : "",
	       e->flags & LOG_FUA ? "U" : "", e->flags & LOG_DISCARD ? "D" : "", e->flags & LOG_MARK ? "M" : "",
	       e->sectors && !(e->flags & (LOG_DISCARD | LOG_MARK)) ? "W" : "", e->sector, e->sectors, e->mark);
}

/* The image stays sparse: each moment that is looked at costs a copy of it. */
static void put(const char *buf, size_t len, uint64_t to)
{
	int zero = !buf[0] && !memcmp(buf, buf + 1, len - 1);

	if (zero && !fallocate(image, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, to, len))
		return;
	if (pwrite(image, buf, len, to) != (ssize_t)len)
		die("image");
}

static void apply(const struct entry *e, uint64_t at)
{
	uint64_t to = e->sector * unit, len = e->sectors * unit;
	static char buf[1 << 20];
	int zero = e->flags & LOG_DISCARD;
	size_t n;

	if (e->flags & LOG_MARK)
		return;
	if (zero)
		memset(buf, 0, sizeof(buf));
	for (; len; len -= n, at += n, to += n) {
		n = len < sizeof(buf) ? len : sizeof(buf);
		if (!zero)
			get(buf, n, at);
		put(buf, n, to);
	}
}

int main(int argc, char **argv)
{
	uint64_t nr, at, from = 0, to = UINT64_MAX;
	struct super super;
	struct entry e;

	if (argc != 3 && argc != 6) {
		fprintf(stderr, "replay: see the head of replay.c\n");
		return 2;
	}
	log_fd = open(argv[2], O_RDONLY);
	if (log_fd < 0)
		die(argv[2]);
	get(&super, sizeof(super), 0);
	unit = le32toh(super.sector_size);
	errno = 0;
	if (le64toh(super.magic) != LOG_MAGIC || le64toh(super.version) != 1 || unit < 512 || unit > 4096)
		die("no log of dm-log-writes");
	if (argc == 6) {
		from = strtoull(argv[4], NULL, 10);
		to = strtoull(argv[5], NULL, 10);
		image = open(argv[3], O_WRONLY);
		if (image < 0)
			die(argv[3]);
	}
	at = unit;
	for (nr = 0; nr < le64toh(super.entries) && nr < to; nr++) {
		read_entry(&e, at);
		at += unit;
		if (image < 0)
			print(nr, &e);
		else if (nr >= from)
			apply(&e, at);
		at += data_size(&e);
	}
	return image >= 0 && close(image) ? 2 : 0;
}
