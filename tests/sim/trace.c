// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading traces. RXT is one little-endian number of 64 bits per request: bits
 * 0-39 the first block of 4 KiB, 40-51 how many blocks but one, 52 a write, 53
 * and 54 the first or the last block is covered in part, 56-63 the device.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace.h"

enum { SECTOR = 512, PER_BLOCK = TRACE_BLOCK / SECTOR, REQ_BLOCKS = 4096 };

/* While it is read, a request knows its own device's blocks. */
struct reader {
	struct trace *trace;
	size_t room;
	uint8_t *device;		/* of each request */
	uint64_t end[TRACE_DEVICES];	/* blocks of each device */
	unsigned int numbers[TRACE_DEVICES][2];	/* major and minor, blkparse */
	unsigned int devices;
};

static void *must(void *p)
{
	if (!p) {
		fputs("sim: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

static void add(struct reader *r, unsigned int device, struct trace_req req)
{
	struct trace *trace = r->trace;

	if (trace->nr == r->room) {
		r->room = r->room ? r->room * 2 : 1 << 16;
		trace->req = must(realloc(trace->req, r->room * sizeof(*trace->req)));
		r->device = must(realloc(r->device, r->room));
	}
	if (r->end[device] < req.block + req.blocks)
		r->end[device] = req.block + req.blocks;
	r->device[trace->nr] = device;
	trace->req[trace->nr++] = req;
}

static bool read_rxt(struct reader *r, FILE *file)
{
	uint64_t word;
	size_t n;

	while ((n = fread(&word, 1, sizeof(word), file)) == sizeof(word)) {
		word = le64toh(word);
		add(r, word >> 56, (struct trace_req) {
			.block = word & ((1ULL << 40) - 1),
			.blocks = (word >> 40 & 4095) + 1,
			.write = word >> 52 & 1,
			.first_part = word >> 53 & 1,
			.last_part = word >> 54 & 1,
		});
	}
	return !n && !ferror(file);
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

static void add_sectors(struct reader *r, unsigned int device, uint64_t sector,
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
		add(r, device, req);
	}
}

/*
 * "  8,0    3   11   0.009507758  697  Q   WS 223490 + 8 [sync]": device, CPU,
 * number, time, process, action, what, sector, sectors. Others have no data
 * or tell of the same request again.
 */
static bool read_blkparse(struct reader *r, FILE *file)
{
	uint64_t sector, sectors;
	unsigned int major, minor;
	char action[8], what[16];
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, file) > 0) {
		if (sscanf(line, " %u,%u %*u %*u %*s %*d %7s %15s %" SCNu64
			   " + %" SCNu64, &major, &minor, action, what,
			   &sector, &sectors) != 6)
			continue;
		if (strcmp(action, "Q") || !sectors || strchr(what, 'D') ||
		    !strpbrk(what, "RW"))
			continue;
		add_sectors(r, device_number(r, major, minor), sector, sectors,
			    strchr(what, 'W'));
	}
	free(line);
	return !ferror(file);
}

/* The devices, one behind the other. */
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

/* An open hash of all blocks seen; 0 is a free place. */
static uint64_t count_distinct(const struct trace *trace)
{
	uint64_t mask = (1 << 16) - 1, at, block, last, nr = 0, *old, i, *seen;
	size_t req;

	seen = must(calloc(mask + 1, sizeof(*seen)));
	for (req = 0; req < trace->nr; req++) {
		block = trace->req[req].block + 1;
		for (last = block + trace->req[req].blocks; block < last; block++) {
			for (at = place(block) & mask; seen[at] && seen[at] != block;)
				at = (at + 1) & mask;
			if (seen[at])
				continue;
			seen[at] = block;
			if (++nr < mask / 2)
				continue;
			old = seen;
			seen = must(calloc(2 * (mask + 1), sizeof(*seen)));
			for (i = 0; i <= mask; i++) {
				if (!old[i])
					continue;
				for (at = place(old[i]) & (2 * mask + 1); seen[at];)
					at = (at + 1) & (2 * mask + 1);
				seen[at] = old[i];
			}
			mask = 2 * mask + 1;
			free(old);
		}
	}
	free(seen);
	return nr;
}

static bool ends(const char *name, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !strncmp(name + len - n, with, n);
}

/* The output of xz for a packed file, and its process. */
static FILE *unpack(const char *path, pid_t *pid)
{
	int fds[2];

	if (pipe(fds))
		return NULL;
	*pid = fork();
	if (*pid < 0)
		return NULL;
	if (!*pid) {
		dup2(fds[1], STDOUT_FILENO);
		close(fds[0]);
		close(fds[1]);
		execlp("xz", "xz", "-dc", "--", path, NULL);
		perror("sim: xz");
		_exit(2);
	}
	close(fds[1]);
	return fdopen(fds[0], "r");
}

bool trace_read(struct trace *trace, const char *path)
{
	struct reader r = { .trace = trace };
	size_t len = strlen(path);
	bool packed = ends(path, len, ".xz"), good;
	FILE *file = stdin;
	pid_t pid = 0;
	int status = 0;

	*trace = (struct trace) { 0 };
	if (packed) {
		len -= strlen(".xz");
		file = unpack(path, &pid);
	} else if (strcmp(path, "-")) {
		file = fopen(path, "r");
	}
	if (!file) {
		fprintf(stderr, "sim: %s: %s\n", path, strerror(errno));
		return false;
	}
	good = ends(path, len, ".rxt") ? read_rxt(&r, file) :
					 read_blkparse(&r, file);
	if (file != stdin)
		fclose(file);
	if (packed)
		waitpid(pid, &status, 0);
	good = good && !status && trace->nr;
	if (good) {
		lay_out(&r);
		trace->distinct = count_distinct(trace);
	} else {
		fprintf(stderr, "sim: %s: no requests, or damaged\n", path);
		trace_free(trace);
	}
	free(r.device);
	return good;
}

void trace_free(struct trace *trace)
{
	free(trace->req);
	trace->req = NULL;
	trace->nr = 0;
}
