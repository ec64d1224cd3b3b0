// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxt generate REQUESTS SEED >FILE
 * rxt replay DEVICE FILE BLOCKS
 *
 * Traces in the form RXT, see rxadm/sim/trace.c. "generate" makes one up: reads and writes of hot blocks, a loop, and scans.
 * "replay" does its requests to DEVICE with O_DIRECT, one after the other, in whole blocks; several devices of a trace are
 * laid out one behind the other, as the simulator does. What is written is nothing in particular. After so many BLOCKS it
 * waits for RCU: pages that have left a cache are its pool's until then, and an origin that takes no time could use them up.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/membarrier.h>

enum { BLOCK = 4096, BLOCKS_MAX = 4096, DEVICES = 256 };

struct req {
	uint64_t block;
	unsigned int blocks, device, write;
};

static void die(const char *what)
{
	fprintf(stderr, "rxt: %s: %s\n", what, errno ? strerror(errno) : "damaged");
	exit(2);
}

/* False at the end. */
static int next_req(FILE *file, struct req *req)
{
	uint64_t word;
	size_t n = fread(&word, 1, sizeof(word), file);

	if (!n && !ferror(file))
		return 0;
	if (n != sizeof(word))
		die("trace");
	word = le64toh(word);
	req->block = word & ((1ULL << 40) - 1);
	req->blocks = (word >> 40 & 4095) + 1;
	req->write = word >> 52 & 1;
	req->device = word >> 56;
	return 1;
}

static void put_req(uint64_t block, unsigned int blocks, unsigned int write)
{
	uint64_t word = htole64(block | (uint64_t)(blocks - 1) << 40 | (uint64_t)write << 52);

	if (fwrite(&word, sizeof(word), 1, stdout) != 1)
		die("standard output");
}

static uint64_t state;

static uint64_t random_below(uint64_t below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % below;
}

/* Hot blocks 0 to 4095, the fourth power of evenly spread; a loop behind them, and behind that scans, none of which returns. */
static void generate(unsigned long requests)
{
	uint64_t u, loop = 0, scan = 0;
	unsigned long i;

	for (i = 0; i < requests; i++) {
		u = random_below(4096);
		u = u * u / 4096;
		u = u * u / 4096;
		switch (random_below(8)) {
		case 0 ... 3:
			put_req(u, 1 + random_below(4), 0);
			break;
		case 4:
		case 5:
			put_req(u, 1 + random_below(8), 1);
			break;
		case 6:
			put_req(5000 + loop, 4, 0);
			loop = (loop + 4) % 1000;
			break;
		default:
			if (i / 1000 % 2)
				break;
			put_req(6000 + scan, 8, 0);
			scan += 8;
		}
	}
}

static void lay_out(FILE *file, uint64_t *base)
{
	uint64_t end[DEVICES] = { 0 }, sum = 0;
	struct req req;
	unsigned int i;

	while (next_req(file, &req))
		if (end[req.device] < req.block + req.blocks)
			end[req.device] = req.block + req.blocks;
	for (i = 0; i < DEVICES; i++) {
		base[i] = sum;
		sum += end[i];
	}
	rewind(file);
}

/* What left the cache lately waits for the end of a grace period that may begin after the present one, and then for a worker. */
static void settle(void)
{
	int i;

	for (i = 0; i < 2; i++)
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
			die("membarrier");
	usleep(1000);
}

static void replay(const char *device, FILE *file, uint64_t pace)
{
	int fd = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);
	uint64_t base[DEVICES], moved = 0;
	struct req req;
	void *buf;

	if (fd < 0)
		die(device);
	if (posix_memalign(&buf, BLOCK, (size_t)BLOCKS_MAX * BLOCK))
		die("buffer");
	memset(buf, 0x5a, (size_t)BLOCKS_MAX * BLOCK);
	lay_out(file, base);
	while (next_req(file, &req)) {
		size_t len = (size_t)req.blocks * BLOCK;
		off_t at = (base[req.device] + req.block) * BLOCK;
		ssize_t n = req.write ? pwrite(fd, buf, len, at) :
					pread(fd, buf, len, at);

		if (n != (ssize_t)len)
			die(req.write ? "write" : "read");
		moved += req.blocks;
		if (moved < pace)
			continue;
		settle();
		moved = 0;
	}
	close(fd);
	free(buf);
}

int main(int argc, char **argv)
{
	FILE *file;

	errno = 0;
	if (argc == 4 && !strcmp(argv[1], "generate")) {
		state = strtoull(argv[3], NULL, 10);
		generate(strtoul(argv[2], NULL, 10));
		return fflush(stdout) ? 2 : 0;
	}
	if (argc != 5 || strcmp(argv[1], "replay")) {
		fputs("rxt generate REQUESTS SEED >FILE\nrxt replay DEVICE FILE BLOCKS\n", stderr);
		return 2;
	}
	file = fopen(argv[3], "r");
	if (!file)
		die(argv[3]);
	replay(argv[2], file, strtoull(argv[4], NULL, 10));
	fclose(file);
	return 0;
}
