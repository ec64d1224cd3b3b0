// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads traces. RXT stores each request as one little-endian number of 64 bits:
 * bits 0-39 are the first block of 4 KiB, 40-51 the number of blocks less one,
 * 52 is set for a write, 53 and 54 are set if the request covers only a part of
 * the first or the last block, 55 is clear, and 56-63 number the device.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace.h"

enum {
	SECTOR = 512, PER_BLOCK = TRACE_BLOCK / SECTOR,
	SECTOR_BITS = 50,	/* no device has a larger sector number */
	REQ_BLOCKS = 4096,
	HASH_MIN = 1 << 16,
};

extern char **environ;

/* Until lay_out(), a request's block number counts from 0 on its own device. */
struct reader {
	struct trace *trace;
	size_t room;
	uint8_t *device;		/* one for each request */
	bool timed;			/* requests have times */
	uint64_t now;			/* the next one's */
	uint64_t end[TRACE_DEVICES];	/* one past the last block of each device */
	unsigned int numbers[TRACE_DEVICES][2];	/* major and minor, from blkparse */
	unsigned int devices;
	uint64_t memory;		/* most bytes that the trace may take */
	char *why;
	size_t len;
};

static bool fail(struct reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Keeps the first reason: later failures follow from it. */
static bool fail(struct reader *r, const char *fmt, ...)
{
	va_list ap;

	if (!*r->why) {
		va_start(ap, fmt);
		vsnprintf(r->why, r->len, fmt, ap);
		va_end(ap);
	}
	return false;
}

/*
 * Linux overcommits: an allocation beyond the machine's memory succeeds, and its
 * use then has other processes killed.
 */
static bool may_take(struct reader *r, uint64_t bytes)
{
	return bytes <= r->memory ||
	       fail(r, "too long for this machine's memory after %zu requests; take a part of it",
		    r->trace->nr);
}

/* Bytes of @room requests. */
static uint64_t bytes_of(const struct reader *r, size_t room)
{
	return room * (sizeof(*r->trace->req) + sizeof(*r->device) +
		       (r->timed ? sizeof(*r->trace->time) : 0));
}

static void *enlarge(void *array, size_t bytes, bool *good)
{
	void *p = realloc(array, bytes);

	*good &= !!p;
	return p ? p : array;
}

static bool grow(struct reader *r)
{
	size_t room = r->room ? r->room * 2 : 1 << 16;
	struct trace *trace = r->trace;
	bool good = true;

	if (!may_take(r, bytes_of(r, room)))
		return false;
	trace->req = enlarge(trace->req, room * sizeof(*trace->req), &good);
	r->device = enlarge(r->device, room * sizeof(*r->device), &good);
	if (r->timed)
		trace->time = enlarge(trace->time, room * sizeof(*trace->time),
				      &good);
	if (!good)
		return fail(r, "out of memory");
	r->room = room;
	return true;
}

static bool add(struct reader *r, unsigned int device, struct trace_req req)
{
	struct trace *trace = r->trace;

	if (trace->nr == r->room && !grow(r))
		return false;
	if (r->end[device] < req.block + req.blocks)
		r->end[device] = req.block + req.blocks;
	r->device[trace->nr] = device;
	if (r->timed)
		trace->time[trace->nr] = r->now;
	trace->req[trace->nr++] = req;
	return true;
}

static bool read_rxt(struct reader *r, FILE *file)
{
	uint64_t word;
	size_t n;

	while ((n = fread(&word, 1, sizeof(word), file)) == sizeof(word)) {
		word = le64toh(word);
		if (word >> 55 & 1)
			return fail(r, "no RXT: bit 55 of request %zu is set",
				    r->trace->nr + 1);
		if (!add(r, word >> 56, (struct trace_req) {
				.block = word & ((1ULL << 40) - 1),
				.blocks = (word >> 40 & 4095) + 1,
				.write = word >> 52 & 1,
				.first_part = word >> 53 & 1,
				.last_part = word >> 54 & 1,
			}))
			return false;
	}
	return !n || fail(r, "damaged: it ends within a request");
}

static unsigned int device_number(struct reader *r, unsigned int major,
				  unsigned int minor)
{
	unsigned int i;

	for (i = 0; i < r->devices; i++)
		if (r->numbers[i][0] == major && r->numbers[i][1] == minor)
			return i;
	if (r->devices == TRACE_DEVICES)
		return TRACE_DEVICES - 1;
	r->numbers[i][0] = major;
	r->numbers[i][1] = minor;
	return r->devices++;
}

static bool add_sectors(struct reader *r, unsigned int device, uint64_t sector,
			uint64_t sectors, bool write)
{
	uint64_t end = sector + sectors, first = sector / PER_BLOCK;
	uint64_t last = (end - 1) / PER_BLOCK, n;
	struct trace_req req = { .write = write };

	for (; first <= last; first += n) {
		n = last - first + 1 < REQ_BLOCKS ? last - first + 1 : REQ_BLOCKS;
		req.block = first;
		req.blocks = n;
		req.first_part = first * PER_BLOCK < sector;
		req.last_part = (first + n) * PER_BLOCK > end;
		/* A single block is one end, not two. */
		if (n == 1 && req.last_part) {
			req.first_part = true;
			req.last_part = false;
		}
		if (!add(r, device, req))
			return false;
	}
	return true;
}

/*
 * "  8,0    3   11   0.009507758  697  Q   WS 223490 + 8 [sync]": device, CPU,
 * number, time, process, action, kind, sector, sectors. Lines with other actions
 * carry no data or repeat a request.
 */
static bool read_blkparse(struct reader *r, FILE *file)
{
	uint64_t sector, sectors;
	unsigned int major, minor;
	char time[32], action[8], what[16];
	char *line = NULL;
	size_t room = 0;
	bool good = true;

	r->timed = true;
	while (good && getline(&line, &room, file) > 0) {
		if (sscanf(line, " %u,%u %*u %*u %31s %*d %7s %15s %" SCNu64
			   " + %" SCNu64, &major, &minor, time, action, what,
			   &sector, &sectors) != 7)
			continue;
		if (strcmp(action, "Q") || !sectors || strchr(what, 'D') ||
		    !strpbrk(what, "RW"))
			continue;
		r->now = strtod(time, NULL) * 1e9;
		if (sector >> SECTOR_BITS || sectors >> 32)
			good = fail(r, "no output of blkparse: %.60s", line);
		else
			good = add_sectors(r, device_number(r, major, minor),
					   sector, sectors, strchr(what, 'W'));
	}
	free(line);
	return good;
}

/* Puts the devices one behind the other, so that block numbers are unique. */
static void lay_out(struct reader *r)
{
	struct trace *trace = r->trace;
	uint64_t base[TRACE_DEVICES];
	unsigned int device;
	size_t i;

	trace->span = 0;
	for (device = 0; device < TRACE_DEVICES; device++) {
		base[device] = trace->span;
		trace->span += r->end[device];
	}
	for (i = 0; i < trace->nr; i++)
		trace->req[i].block += base[r->device[i]];
}

static uint64_t place(uint64_t block)
{
	return block * 0x9e3779b97f4a7c15ULL >> 20;
}

/* An open hash of the blocks seen so far; 0 marks a free place. */
struct seen {
	uint64_t *at, mask, nr;
};

static void remember(struct seen *seen, uint64_t block)
{
	uint64_t at = place(block) & seen->mask;

	while (seen->at[at] && seen->at[at] != block)
		at = (at + 1) & seen->mask;
	seen->nr += !seen->at[at];
	seen->at[at] = block;
}

static bool widen(struct reader *r, struct seen *seen)
{
	struct seen wide = { .mask = 2 * (seen->mask + 1) - 1 };
	uint64_t used = bytes_of(r, r->room), i;

	if (!may_take(r, used + 3 * (seen->mask + 1) * sizeof(*seen->at)))
		return false;
	wide.at = calloc(wide.mask + 1, sizeof(*wide.at));
	if (!wide.at)
		return fail(r, "out of memory");
	for (i = 0; i <= seen->mask; i++)
		if (seen->at[i])
			remember(&wide, seen->at[i]);
	free(seen->at);
	*seen = wide;
	return true;
}

static bool count_distinct(struct reader *r)
{
	struct seen seen = { .mask = HASH_MIN - 1 };
	struct trace *trace = r->trace;
	uint64_t block, last;
	bool good = true;
	size_t req;

	seen.at = calloc(seen.mask + 1, sizeof(*seen.at));
	if (!seen.at)
		return fail(r, "out of memory");
	for (req = 0; good && req < trace->nr; req++) {
		block = trace->req[req].block + 1;
		last = block + trace->req[req].blocks;
		for (; good && block < last; block++) {
			remember(&seen, block);
			if (seen.nr >= seen.mask / 2)
				good = widen(r, &seen);
		}
	}
	free(seen.at);
	trace->distinct = seen.nr;
	return good;
}

static bool ends(const char *name, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !strncmp(name + len - n, with, n);
}

/* Returns the path of xz. Root may run this, so neither PATH nor the current folder chooses. */
static char *find_xz(void)
{
	static char *const places[] = { "/usr/bin/xz", "/bin/xz", "/usr/local/bin/xz" };
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (!access(places[i], X_OK))
			return places[i];
	return places[0];
}

/* Starts xz; returns its output and stores its process. */
static FILE *unpack(struct reader *r, const char *path, pid_t *pid)
{
	char *const argv[] = { find_xz(), "-dc", "--", (char *)path, NULL };
	posix_spawn_file_actions_t actions;
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC)) {
		fail(r, "%s", strerror(errno));
		return NULL;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	err = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	if (!err)
		return fdopen(fds[0], "r");
	close(fds[0]);
	*pid = 0;
	if (err == ENOENT)
		fail(r, "unpacking it needs xz, which is not there; install xz-utils (or xz)");
	else
		fail(r, "xz: %s", strerror(err));
	return NULL;
}

static FILE *open_trace(struct reader *r, const char *path, bool packed,
			pid_t *pid)
{
	FILE *file;

	if (!strcmp(path, "-"))
		return stdin;
	/* Opened here first, because xz would print an error of its own. */
	file = fopen(path, "re");
	if (!file)
		fail(r, "%s", strerror(errno));
	if (!file || !packed)
		return file;
	fclose(file);
	return unpack(r, path, pid);
}

static bool read_all(struct reader *r, const char *path)
{
	size_t len = strlen(path);
	bool packed = ends(path, len, ".xz"), good;
	int status = 0;
	pid_t pid = 0;
	FILE *file = open_trace(r, path, packed, &pid);

	if (!file)
		return false;
	if (packed)
		len -= strlen(".xz");
	good = ends(path, len, ".rxt") ? read_rxt(r, file) :
					 read_blkparse(r, file);
	if (good && ferror(file))
		good = fail(r, "%s", strerror(errno));
	if (file != stdin)
		fclose(file);
	/* The status of xz counts only if its output was read to the end. */
	if (pid && waitpid(pid, &status, 0) == pid && status && good)
		return fail(r, "xz could not unpack it");
	if (good && !r->trace->nr)
		return fail(r, "no requests: neither RXT (NAME.rxt, NAME.rxt.xz) nor what blkparse prints");
	return good;
}

bool trace_read(struct trace *trace, const char *path, uint64_t memory,
		char *why, size_t len)
{
	struct reader r = {
		.trace = trace, .memory = memory, .why = why, .len = len,
	};
	bool good;

	*trace = (struct trace) { 0 };
	*why = '\0';
	good = read_all(&r, path);
	if (good) {
		lay_out(&r);
		good = count_distinct(&r);
	}
	if (!good)
		trace_free(trace);
	free(r.device);
	return good;
}

void trace_free(struct trace *trace)
{
	free(trace->req);
	free(trace->time);
	trace->req = NULL;
	trace->time = NULL;
	trace->nr = 0;
}

uint64_t trace_bytes(const struct trace *trace)
{
	return trace->nr * (sizeof(*trace->req) +
			    (trace->time ? sizeof(*trace->time) : 0));
}
