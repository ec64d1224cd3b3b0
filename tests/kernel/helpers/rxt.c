// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxt generate REQUESTS SEED >FILE
 * rxt uniform REQUESTS SEED BLOCKS >FILE
 * rxt once SEED BLOCKS >FILE
 * rxt replay DEVICE FILE BLOCKS [FROM TO WINDOW COMMAND]
 * rxt think DEVICE FILE US
 *
 * Traces in the form RXT, see rxadm/sim/trace.c. "generate" makes one up: reads and writes of hot blocks, a loop, and scans;
 * "uniform" one that reads single blocks, each of the first BLOCKS as likely as any other; "once" one that reads each of them once, in
 * any order.
 * "replay" does its requests to DEVICE with O_DIRECT, one after the other, in whole blocks; several devices of a trace are
 * laid out one behind the other, as the simulator does. What is written is nothing in particular or, with RXT_MEAN and RXT_RAW in
 * the environment, what modules/rxtmodel.c gives for its "mean" and "raw". After so many BLOCKS it
 * waits for RCU: pages that have left a cache are its pool's until then, and an origin that takes no time could use them up.
 * With FROM it does requests FROM to before TO only, and runs COMMAND by the shell after each WINDOW of them, with these in its
 * environment: RXT_AT, the number of the next request; RXT_MS, how long the requests took from FROM on; RXT_READ and RXT_QUICK, the
 * blocks that were read in the window, and those of them whose request took less than a millisecond. It ends when COMMAND fails.
 * "think" does the same requests as a reader that takes US microseconds for each one, besides waiting, and leaves out what a request
 * does not cover of its first and last block. It prints how many nanoseconds the read requests took that took longer than
 * HIT_NS.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/membarrier.h>

enum {
	BLOCK = 4096, SECTOR = 512, BLOCKS_MAX = 4096, DEVICES = 256,
	/* A hit is quicker than this where only reading the clock takes time. */
	HIT_NS = 20000,
};

struct req {
	uint64_t block;
	unsigned int blocks, device, write;
	unsigned int first_part, last_part;
};

/* Of a trace. Without a window there is no command. */
struct part {
	uint64_t from, to, window;
	const char *command;
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
	req->first_part = word >> 53 & 1;
	req->last_part = word >> 54 & 1;
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

static void generate_uniform(unsigned long requests, uint64_t blocks)
{
	while (requests--)
		put_req(random_below(blocks), 1, 0);
}

static void generate_once(uint32_t blocks)
{
	uint32_t *order = malloc(blocks * sizeof(*order)), i, j;

	if (!order)
		die("memory");
	for (i = 0; i < blocks; i++) {
		j = random_below(i + 1);
		order[i] = order[j];
		order[j] = i;
	}
	for (i = 0; i < blocks; i++)
		put_req(order[i], 1, 0);
	free(order);
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

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static uint64_t now_us(void)
{
	return now_ns() / 1000;
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	if (errno)
		die("clock_nanosleep");
}

static void set_number(const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	setenv(name, text, 1);
}

/* What requests have met. */
struct sum {
	uint64_t us;			/* the time of all */
	uint64_t read, quick;		/* blocks of this window */
};

static void add(struct sum *sum, const struct req *req, uint64_t us)
{
	sum->us += us;
	if (req->write)
		return;
	sum->read += req->blocks;
	if (us < 1000)
		sum->quick += req->blocks;
}

/* False if the command wants no more. */
static int tell(const struct part *part, uint64_t at, struct sum *sum)
{
	if (!part->window || (at - part->from) % part->window)
		return 1;
	set_number("RXT_AT", at);
	set_number("RXT_MS", sum->us / 1000);
	set_number("RXT_READ", sum->read);
	set_number("RXT_QUICK", sum->quick);
	sum->read = sum->quick = 0;
	return !system(part->command);
}

static unsigned int mean, raw;

/* Random bytes at the front of each block and zeroes behind them. */
static void fill(uint8_t *buf, unsigned int blocks)
{
	static uint8_t noise[2 * BLOCK];
	unsigned int i, len;

	if (!noise[0])
		for (i = 0; i < sizeof(noise); i++)
			noise[i] = 1 + random_below(255);
	for (i = 0; i < blocks; i++) {
		len = random_below(100) < raw ? BLOCK : BLOCK * mean * (50 + random_below(101)) / 10000;
		memcpy(buf + i * BLOCK, noise + random_below(BLOCK), len);
		memset(buf + i * BLOCK + len, 0, BLOCK - len);
	}
}

/* With @parts what the request does not cover of its blocks is left out, all but a sector of them. */
static void do_req(int fd, const struct req *req, const uint64_t *base, int parts, void *buf)
{
	size_t front = parts && req->first_part ? SECTOR : 0;
	size_t len = (size_t)req->blocks * BLOCK - front - (parts && req->last_part ? SECTOR : 0);
	off_t at = (base[req->device] + req->block) * BLOCK + front;
	ssize_t n;

	if (req->write && mean)
		fill(buf, req->blocks);
	n = req->write ? pwrite(fd, buf, len, at) : pread(fd, buf, len, at);

	if (n != (ssize_t)len)
		die(req->write ? "write" : "read");
}

static int open_device(const char *device)
{
	int fd = open(device, O_RDWR | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		die(device);
	return fd;
}

/* For the largest request. */
static void *new_buffer(void)
{
	void *buf;

	if (posix_memalign(&buf, BLOCK, (size_t)BLOCKS_MAX * BLOCK))
		die("buffer");
	return memset(buf, 0x5a, (size_t)BLOCKS_MAX * BLOCK);
}

static void replay(const char *device, FILE *file, uint64_t pace, const struct part *part)
{
	uint64_t base[DEVICES], moved = 0, at = part->from, begun;
	int fd = open_device(device);
	void *buf = new_buffer();
	struct sum sum = { 0 };
	struct req req;

	lay_out(file, base);
	if (fseek(file, part->from * sizeof(uint64_t), SEEK_SET))
		die("trace");
	while (at++ < part->to && next_req(file, &req)) {
		begun = now_us();
		do_req(fd, &req, base, 0, buf);
		add(&sum, &req, now_us() - begun);
		moved += req.blocks;
		if (moved >= pace) {
			settle();
			moved = 0;
		}
		if (!tell(part, at, &sum))
			break;
	}
	close(fd);
	free(buf);
}

/* The next request comes @think after the end of the last one, however long the clock takes to be read. */
static void replay_thinking(const char *device, FILE *file, uint64_t think)
{
	uint64_t base[DEVICES], waited = 0, begun, ns;
	int fd = open_device(device);
	void *buf = new_buffer();
	struct req req;

	/* The kernel may be late by this much, by default 50 us. */
	if (prctl(PR_SET_TIMERSLACK, 1))
		die("timer slack");
	lay_out(file, base);
	begun = now_ns();
	while (next_req(file, &req)) {
		do_req(fd, &req, base, 1, buf);
		ns = now_ns() - begun;
		if (!req.write && ns > HIT_NS)
			waited += ns;
		begun += ns + think;
		sleep_until(begun);
	}
	printf("%" PRIu64 "\n", waited);
	close(fd);
	free(buf);
}

static FILE *open_trace(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file)
		die(name);
	return file;
}

static void usage(void)
{
	fputs("rxt generate REQUESTS SEED >FILE\n"
	      "rxt uniform REQUESTS SEED BLOCKS >FILE\n"
	      "rxt once SEED BLOCKS >FILE\n"
	      "rxt replay DEVICE FILE BLOCKS [FROM TO WINDOW COMMAND]\n"
	      "rxt think DEVICE FILE US\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct part part = { .to = UINT64_MAX };
	FILE *file;

	mean = getenv("RXT_MEAN") ? atoi(getenv("RXT_MEAN")) : 0;
	raw = getenv("RXT_RAW") ? atoi(getenv("RXT_RAW")) : 0;
	errno = 0;
	if (argc == 5 && !strcmp(argv[1], "think")) {
		file = open_trace(argv[3]);
		replay_thinking(argv[2], file, strtoull(argv[4], NULL, 10) * 1000);
		return fclose(file) ? 2 : 0;
	}
	if (argc == 4 && !strcmp(argv[1], "generate")) {
		state = strtoull(argv[3], NULL, 10);
		generate(strtoul(argv[2], NULL, 10));
		return fflush(stdout) ? 2 : 0;
	}
	if (argc == 5 && !strcmp(argv[1], "uniform")) {
		state = strtoull(argv[3], NULL, 10);
		generate_uniform(strtoul(argv[2], NULL, 10), strtoull(argv[4], NULL, 10));
		return fflush(stdout) ? 2 : 0;
	}
	if (argc == 4 && !strcmp(argv[1], "once")) {
		state = strtoull(argv[2], NULL, 10);
		generate_once(strtoul(argv[3], NULL, 10));
		return fflush(stdout) ? 2 : 0;
	}
	if ((argc != 5 && argc != 9) || strcmp(argv[1], "replay"))
		usage();
	if (argc == 9)
		part = (struct part){ strtoull(argv[5], NULL, 10), strtoull(argv[6], NULL, 10),
				      strtoull(argv[7], NULL, 10), argv[8] };
	file = open_trace(argv[3]);
	replay(argv[2], file, strtoull(argv[4], NULL, 10), &part);
	fclose(file);
	return 0;
}
