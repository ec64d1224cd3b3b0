// SPDX-License-Identifier: GPL-2.0-only
/*
 * linear DEVICE OFFSET SECTORS [WORD...]
 *
 * Threads read and write one small region of a block device for a while, every sector of every write with a value of its
 * own; then each sector's history is judged (linear_check.h): it must be linearizable, as that of a disk is. Times are
 * tickets of one atomic counter, drawn before and after each system call: no clock can be wrong, and none is equal.
 *	writers=N readers=N	threads (4 and 4)
 *	ms=N		how long (1000)		seed=N	of the random numbers (1)
 *	max=SECTORS	largest request (128)
 *	skew=BYTES	buffers begin at any multiple of this (512)
 *	owned		each sector has one writer; blocks have several, for the shares are not aligned to them
 *	zero discard	with owned: every fourth write is a BLKZEROOUT or BLKDISCARD, which must read as zeroes
 *	torn		the device may give a mix of two values to a read that overlaps a write to the sector, and only then
 *	errors		EIO is no failure: such a read says nothing, such a write may have happened
 *	peek=N		so many more readers, through the page cache, see below
 *	cached		writers and half of the readers go through the page cache, see below
 *	origin=PATH	in the end also reads this, as one more reader of the same history
 *
 * What the page cache allows to be said: it is no part of what O_DIRECT does, which only writes back before and drops
 * after, as well as it can.
 *  - A buffered read beside direct writes may give old data for as long as the page lives. All that holds is that it is
 *    data of that sector whose write had begun (peek).
 *  - A buffered write of a sector becomes a write of its whole page, later. So no direct write is made where there are
 *    buffered ones (cached).
 *  - Buffered writes and reads go to the same memory: linearizable. A direct read writes back first: with the writes, it
 *    is linearizable too. But a buffered read may see a write that is not marked for writing back yet, which a direct
 *    read after it does not find: the two kinds of reads are judged apart. A sector may be a mix while it is written
 *    (torn). The pages are written back and dropped all the time, or no read would reach the device.
 * Exit status 1: not linearizable, or data from nowhere; 2: an I/O error. The last line says how much was done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "linear_history.h"

static int writers = 4, readers = 4, ms = 1000, max = 128, skew = SECTOR, owned, zero, discard, errors, fd[VIEWS], origin = -1;
static uint64_t seed = 1;
static _Atomic uint64_t tickets = 1;
static atomic_int stop;
static atomic_long n_torn, n_errors, n_zeroes;

static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void fail_io(const struct op *op, const char *what)
{
	if (!atomic_exchange(&failure, 2))
		printf("linear: %s of %u sectors at %u: %s\n", what, op->sectors, op->first, strerror(errno));
	stop = 1;
}

/* --- the threads ---------------------------------------------------------- */

/* Often one sector or a block of eight, sometimes all that may be, else anything within [from, to). */
static void choose(uint64_t *x, struct op *op, uint64_t from, uint64_t to)
{
	uint64_t kind = next(x) % 8, most;

	op->first = from + next(x) % (to - from);
	op->sectors = 1;
	if (kind < 2 && (op->first & ~7U) >= from && (op->first & ~7U) + 8 <= to) {
		op->first &= ~7U;
		op->sectors = 8;
	} else if (kind == 2) {
		op->first = from + next(x) % 4 * 8 % (to - from);
		op->sectors = to - op->first < (uint64_t)max ? to - op->first : (uint64_t)max;
	} else if (kind < 6) {
		most = to - op->first < (uint64_t)max ? to - op->first : (uint64_t)max;
		op->sectors = 1 + next(x) % most;
	}
}

static void end_op(struct op *op, ssize_t got, const char *what)
{
	op->end = tickets++;
	if (got == (ssize_t)op->sectors * SECTOR)
		return;
	if (got >= 0)
		errno = EBADMSG;
	if (!errors || errno != EIO)
		fail_io(op, what);
	op->failed = 1;
	n_errors++;
}

/* @io is where the request finds its bytes; @buf is for words. */
static void write_some(struct thread *t, struct op *op, uint64_t *buf, char *io, unsigned long request)
{
	uint64_t range[2] = { offset + op->first * SECTOR, op->sectors * SECTOR };
	ssize_t n;

	op->write = 1;
	op->zeroes = !!request;
	for (unsigned int s = 0; s < op->sectors; s++)
		for (unsigned int w = 0; w < WORDS; w++)
			buf[s * WORDS + w] = word_of(value_of(t, op), op->first + s, w);
	memcpy(io, buf, range[1]);
	op->begin = tickets++;
	if (request)
		n = ioctl(t->fd, request, range) ? -1 : (ssize_t)range[1];
	else
		n = pwrite(t->fd, io, range[1], range[0]);
	end_op(op, n, request ? "zeroing" : "write");
	n_zeroes += op->zeroes;
}

/* 0: a write of data. */
static unsigned long choose_zeroing(uint64_t *x)
{
	uint64_t kind = next(x) % 8;

	if (kind < 2 && zero && (!discard || kind))
		return BLKZEROOUT;
	return kind < 2 && discard ? BLKDISCARD : 0;
}

static void read_some(struct thread *t, int from, uint64_t where, struct op *op, uint64_t *buf, char *io)
{
	ssize_t n;

	op->view = t->view;
	op->begin = tickets++;
	n = pread(from, io, op->sectors * SECTOR, where + op->first * SECTOR);
	end_op(op, n, "read");
	op->seen = t->n_seen;
	if (op->failed)
		return;
	memcpy(buf, io, op->sectors * SECTOR);
	for (unsigned int s = 0; s < op->sectors; s++) {
		t->seen[t->n_seen++] = value_in(buf + s * WORDS, op->first + s);
		n_torn += t->seen[t->n_seen - 1] == TORN;
	}
}

static struct op *new_op(struct thread *t)
{
	if (t->n_ops == OPS || t->n_seen + MAX_SECTORS > SEEN) {
		stop = 1;
		return NULL;
	}
	return &t->ops[t->n_ops++];
}

static void *work(void *arg)
{
	struct thread *t = arg;
	uint64_t from = 0, to = sectors, *buf;
	struct op *op;
	char *io, *at;

	if (owned && t->writes) {
		from = sectors * t->number / writers;
		to = sectors * (t->number + 1) / writers;
	}
	if (posix_memalign((void **)&buf, 4096, sectors * SECTOR) ||
	    posix_memalign((void **)&io, 4096, (sectors + 8) * SECTOR))
		abort();
	while (!stop && (op = new_op(t))) {
		choose(&t->x, op, from, to);
		/* Not on a page's border, so that a request has pieces. */
		at = io + next(&t->x) % (8 * SECTOR / skew) * skew;
		if (t->writes)
			write_some(t, op, buf, at, choose_zeroing(&t->x));
		else
			read_some(t, t->fd, offset, op, buf, at);
		if (t->view != DIRECT && !(next(&t->x) % 4)) {
			if (t->writes)
				fdatasync(t->fd);
			posix_fadvise(t->fd, offset, sectors * SECTOR, POSIX_FADV_DONTNEED);
		}
	}
	free(io);
	free(buf);
	return NULL;
}

/* All of the region, by the main thread: its first values if @from is -1, or what is there in the end. */
static void all(struct thread *t, int from, uint64_t where)
{
	uint64_t *buf;
	struct op *op;
	char *io;

	if (posix_memalign((void **)&buf, 4096, MAX_SECTORS * SECTOR) ||
	    posix_memalign((void **)&io, 4096, MAX_SECTORS * SECTOR))
		abort();
	for (uint64_t s = 0; s < sectors; s += 64) {
		/* A history that begins with a failed write begins with nothing known. */
		do {
			op = &t->ops[t->n_ops++];
			op->first = s;
			op->sectors = sectors - s < 64 ? sectors - s : 64;
			if (from < 0)
				write_some(t, op, buf, io, 0);
			else
				read_some(t, from, where, op, buf, io);
		} while (from < 0 && op->failed && !failure && t->n_ops < OPS / 2);
	}
	free(io);
	free(buf);
}

/* --- beginning and end ---------------------------------------------------- */

static struct thread *new_thread(int writes, int view)
{
	struct thread *t = &threads[n_threads];

	t->number = n_threads++;
	t->writes = writes;
	t->view = view;
	t->fd = fd[view];
	t->x = seed * 7919 + n_threads * 104729;
	t->ops = get(OPS * sizeof(*t->ops));
	t->seen = get(writes ? 8 : SEEN * sizeof(*t->seen));
	return t;
}

static void parse(char **words)
{
	static const struct { const char *name; int *value; } numbers[] = {
		{ "writers=%d%c", &writers }, { "readers=%d%c", &readers }, { "ms=%d%c", &ms },
		{ "max=%d%c", &max }, { "peek=%d%c", &peeks }, { "skew=%d%c", &skew },
	}, flags[] = {
		{ "owned", &owned }, { "zero", &zero }, { "discard", &discard }, { "torn", &torn },
		{ "errors", &errors }, { "cached", &cached },
	};
	size_t i;
	char c;

	for (; *words; words++) {
		for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			if (sscanf(*words, numbers[i].name, numbers[i].value, &c) == 1)
				break;
		if (i < sizeof(numbers) / sizeof(*numbers))
			continue;
		for (i = 0; i < sizeof(flags) / sizeof(*flags) && strcmp(*words, flags[i].name); i++)
			;
		if (i < sizeof(flags) / sizeof(*flags)) {
			*flags[i].value = 1;
		} else if (!strncmp(*words, "origin=", 7)) {
			origin = open(*words + 7, O_RDONLY | O_DIRECT);
			if (origin < 0 && errno == EINVAL)
				origin = open(*words + 7, O_RDONLY);
			if (origin < 0) {
				perror(*words + 7);
				exit(2);
			}
		} else if (sscanf(*words, "seed=%" SCNu64 "%c", &seed, &c) != 1) {
			fprintf(stderr, "linear: what is '%s'?\n", *words);
			exit(3);
		}
	}
}

static void open_device(const char *path)
{
	fd[DIRECT] = open(path, O_RDWR | O_DIRECT);
	fd[BUFFERED] = open(path, O_RDWR);
	fd[PEEK] = open(path, O_RDONLY);
	if (fd[DIRECT] < 0 || fd[BUFFERED] < 0 || fd[PEEK] < 0) {
		perror(path);
		exit(2);
	}
}

static void run(void)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };
	struct thread *self;

	for (int i = 0; i < writers; i++)
		new_thread(1, cached ? BUFFERED : DIRECT);
	for (int i = 0; i < readers; i++)
		new_thread(0, cached && i % 2 ? BUFFERED : DIRECT);
	for (int i = 0; i < peeks; i++)
		new_thread(0, PEEK);
	self = new_thread(0, DIRECT);
	all(self, -1, 0);
	for (int i = 0; i < self->number; i++)
		if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
			abort();
	nanosleep(&ts, NULL);
	stop = 1;
	for (int i = 0; i < self->number; i++)
		pthread_join(threads[i].id, NULL);
	all(self, fd[DIRECT], offset);
	if (origin >= 0)
		all(self, origin, offset);
	if (cached) {
		self->view = BUFFERED;
		all(self, fd[BUFFERED], offset);
	}
}

int main(int argc, char **argv)
{
	long n[2] = { 0 };

	if (argc < 4) {
		fprintf(stderr, "linear: see the head of linear.c\n");
		return 3;
	}
	offset = strtoull(argv[2], NULL, 0);
	sectors = strtoull(argv[3], NULL, 0);
	parse(argv + 4);
	if (!sectors || sectors > MAX_SECTORS || max < 1 || writers + readers + peeks >= MAX_THREADS ||
	    skew < 1 || skew > 4096 || ((zero || discard) && (!owned || errors)) || (cached && peeks) || (owned && sectors < (uint64_t)writers)) {
		fprintf(stderr, "linear: these don't go together\n");
		return 3;
	}
	open_device(argv[1]);
	run();
	zeroing = zero || discard;
	if (!failure)
		judge_all();
	for (int i = 0; i < n_threads; i++)
		for (size_t k = 0; k < threads[i].n_ops; k++)
			n[threads[i].ops[k].write]++;
	printf("linear: %ld writes, %ld reads, %ld zeroings, %ld mixed sectors, %ld errors\n", n[1], n[0], n_zeroes,
	       n_torn, n_errors);
	return failure;
}
