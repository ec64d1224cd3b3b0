/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server of origin.c: its data, its requests and what the test tells it.
 * A part of that program, not a header for others.
 */
#ifndef ORIGIN_SERVER_H
#define ORIGIN_SERVER_H

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/nbd.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OP_READ, OP_WRITE, OP_FLUSH, OP_TRIM, OP_ZEROES, OPS, OP_FUA = OPS, OP_ALL };
enum { PASS, BEFORE, AFTER };
enum { CLIENTS = 16, RULES = 16, CMD_WRITE_ZEROES = 6, CMD_MASK = 0xffff, CMD_FUA = 1 << 16 };

static const char *const op_names[] = { "read", "write", "flush", "trim", "zeroes", "fua", "all" };

struct req {
	struct req *next;
	char cookie[8];
	int op, fua, landed, error;
	uint64_t off;
	uint32_t len;
	char *data;
};

struct rule { int op, torn; uint64_t off, len; };
struct extent { struct extent *next; uint64_t off; uint32_t len; };
struct entry { int op, fua; uint64_t off; uint32_t len; };
struct client { int fd, op; long want; };

static struct { int how; uint64_t off, len; } hold[OPS];
static struct { uint64_t x; long most, percent; } scramble;
static struct req *held;
static struct rule rules[RULES];
static struct extent *dirty;
static struct entry *entries;
static size_t n_entries;
static struct client clients[CLIENTS];
static int n_rules, data, stable = -1, sock, dead;
static char dir[96];

static void die(const char *what)
{
	fprintf(stderr, "origin: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void read_all(int fd, void *buf, size_t len)
{
	for (ssize_t n; len; len -= n, buf = (char *)buf + n) {
		n = read(fd, buf, len);
		if (n <= 0)
			exit(0);
	}
}

static void write_all(int fd, const void *buf, size_t len)
{
	for (ssize_t n; len; len -= n, buf = (const char *)buf + n) {
		n = write(fd, buf, len);
		if (n <= 0)
			exit(0);
	}
}

static int op_of(const char *name)
{
	for (int i = 0; name && i <= OP_ALL; i++)
		if (!strcmp(name, op_names[i]))
			return i;
	return -1;
}

static int overlap(uint64_t a, uint64_t a_len, uint64_t b, uint64_t b_len)
{
	return a < b + b_len && b < a + a_len;
}

/* --- the data ------------------------------------------------------------ */

static void copy(int from, int to, uint64_t off, uint32_t len)
{
	char *buf = malloc(len);

	if (!buf || pread(from, buf, len, off) != (ssize_t)len ||
	    pwrite(to, buf, len, off) != (ssize_t)len)
		die("copy");
	free(buf);
}

static void dirty_add(uint64_t off, uint32_t len)
{
	struct extent *e = malloc(sizeof(*e));

	if (!e)
		die("malloc");
	e->off = off;
	e->len = len;
	e->next = dirty;
	dirty = e;
}

/* All that is not on stable storage goes there. */
static void settle(void)
{
	struct extent *e;

	while ((e = dirty)) {
		dirty = e->next;
		copy(data, stable, e->off, e->len);
		free(e);
	}
}

static void land(struct req *r)
{
	char *zeroes;

	if (r->landed)
		return;
	r->landed = 1;
	switch (r->op) {
	case OP_READ:
		r->data = malloc(r->len);
		if (!r->data || pread(data, r->data, r->len, r->off) != (ssize_t)r->len)
			die("read");
		return;
	case OP_WRITE:
		if (pwrite(data, r->data, r->len, r->off) != (ssize_t)r->len)
			die("write");
		break;
	case OP_FLUSH:
		if (stable >= 0)
			settle();
		return;
	case OP_TRIM:
	case OP_ZEROES:
		if (!fallocate(data, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, r->off, r->len))
			break;
		zeroes = calloc(1, r->len);
		if (!zeroes || pwrite(data, zeroes, r->len, r->off) != (ssize_t)r->len)
			die("zeroes");
		free(zeroes);
	}
	if (stable < 0)
		return;
	if (r->fua)
		copy(data, stable, r->off, r->len);
	else
		dirty_add(r->off, r->len);
}

/* --- requests ------------------------------------------------------------ */

static void finish(struct req *r)
{
	struct nbd_reply reply = { .magic = htobe32(NBD_REPLY_MAGIC) };

	if (!r->error || r->landed)
		land(r);
	reply.error = htobe32(r->error ? EIO : 0);
	memcpy(&reply.handle, r->cookie, sizeof(r->cookie));
	write_all(sock, &reply, sizeof(reply));
	if (r->op == OP_READ && !r->error)
		write_all(sock, r->data, r->len);
	free(r->data);
	free(r);
}

static uint64_t draw(void)
{
	scramble.x ^= scramble.x << 13;
	scramble.x ^= scramble.x >> 7;
	scramble.x ^= scramble.x << 17;
	return scramble.x;
}

static void judge(struct req *r)
{
	for (int i = 0; i < n_rules; i++) {
		if (rules[i].op != r->op ||
		    (r->op != OP_FLUSH && !overlap(rules[i].off, rules[i].len, r->off, r->len)))
			continue;
		if (rules[i].torn)
			land(r);
		r->error = 1;
	}
	if (scramble.percent && draw() % 100 < (uint64_t)scramble.percent) {
		if (r->op != OP_READ && draw() % 2)
			land(r);
		r->error = 1;
	}
}

static int op_of_wire(uint32_t type)
{
	switch (type) {
	case NBD_CMD_READ: return OP_READ;
	case NBD_CMD_WRITE: return OP_WRITE;
	case NBD_CMD_FLUSH: return OP_FLUSH;
	case NBD_CMD_TRIM: return OP_TRIM;
	case CMD_WRITE_ZEROES: return OP_ZEROES;
	}
	die("request of unknown type");
	return -1;
}

static void request(void)
{
	struct nbd_request wire;
	struct req *r = calloc(1, sizeof(*r)), **end = &held;
	uint32_t type;

	read_all(sock, &wire, sizeof(wire));
	if (!r || be32toh(wire.magic) != NBD_REQUEST_MAGIC)
		die("request");
	type = be32toh(wire.type);
	if ((type & CMD_MASK) == NBD_CMD_DISC)
		exit(0);
	r->op = op_of_wire(type & CMD_MASK);
	r->fua = !!(type & CMD_FUA);
	r->off = be64toh(wire.from);
	r->len = be32toh(wire.len);
	memcpy(r->cookie, &wire.handle, sizeof(r->cookie));
	if (r->op == OP_WRITE) {
		r->data = malloc(r->len);
		if (!r->data)
			die("malloc");
		read_all(sock, r->data, r->len);
	}
	entries = realloc(entries, (n_entries + 1) * sizeof(*entries));
	entries[n_entries++] = (struct entry){ r->op, r->fua, r->off, r->len };
	judge(r);
	if (!dead && !scramble.most && (hold[r->op].how == PASS ||
		      (hold[r->op].len && !overlap(hold[r->op].off, hold[r->op].len, r->off, r->len)))) {
		finish(r);
		return;
	}
	/* Scrambled ones land when they come or when they go, as it falls. */
	if (!dead && (hold[r->op].how == AFTER || (scramble.most && draw() % 2)) && !r->error)
		land(r);
	while (*end)
		end = &(*end)->next;
	*end = r;
}

static void release(long n)
{
	struct req *r;

	while (n-- && (r = held)) {
		held = r->next;
		finish(r);
	}
}

/* Some of those kept back, in any order. */
static void release_any(long n)
{
	struct req *r, **at;
	long i;

	while (n-- && held) {
		for (i = 0, r = held; r; r = r->next)
			i++;
		for (at = &held, i = draw() % i; i; i--)
			at = &(*at)->next;
		r = *at;
		*at = r->next;
		finish(r);
	}
}

/* --- control ------------------------------------------------------------- */

static long count(int op)
{
	struct req *r = held;
	long n = 0;

	if (op < 0) {
		for (; r; r = r->next)
			n++;
		return n;
	}
	for (size_t i = 0; i < n_entries; i++)
		n += op == OP_ALL || entries[i].op == op || (op == OP_FUA && entries[i].fua);
	return n;
}

static void answer(int fd, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vdprintf(fd, fmt, ap);
	va_end(ap);
}

static void print_log(int fd)
{
	FILE *f = fdopen(dup(fd), "w");

	for (size_t i = 0; i < n_entries; i++)
		fprintf(f, "%s%s %" PRIu64 " %" PRIu32 "\n", op_names[entries[i].op],
			entries[i].fua ? "+fua" : "", entries[i].off, entries[i].len);
	fclose(f);
}

static int add_rule(int op, int torn, char **words)
{
	if (op < 0 || op >= OPS || n_rules == RULES || (op != OP_FLUSH && (!words[2] || !words[3])))
		return 0;
	rules[n_rules] = (struct rule){ .op = op, .torn = torn };
	if (words[2] && words[3]) {
		rules[n_rules].off = strtoull(words[2], NULL, 0);
		rules[n_rules].len = strtoull(words[3], NULL, 0);
	}
	n_rules++;
	return 1;
}

static int set_hold(int op, char **words)
{
	int how = words[1] && words[2] && !strcmp(words[2], "after") ? AFTER : BEFORE;

	if (op < 0 || op >= OPS || !words[2])
		return 0;
	hold[op].how = how;
	hold[op].off = words[3] ? strtoull(words[3], NULL, 0) : 0;
	hold[op].len = words[3] && words[4] ? strtoull(words[4], NULL, 0) : 0;
	return 1;
}

/* False: the answer comes later. */
static int command(struct client *c, char **words)
{
	int op = op_of(words[1]), i;

	if (!strcmp(words[0], "hold") && set_hold(op, words)) {
	} else if (!strcmp(words[0], "pass")) {
		for (i = 0; i < OPS; i++)
			if (!words[1] || i == op)
				hold[i].how = PASS;
	} else if (!strcmp(words[0], "release")) {
		release(words[1] ? atol(words[1]) : -1);
	} else if (!strcmp(words[0], "fail") && add_rule(op, 0, words)) {
	} else if (!strcmp(words[0], "tear") && add_rule(op, 1, words)) {
	} else if (!strcmp(words[0], "scramble") && words[1] && words[2]) {
		scramble.x = strtoull(words[1], NULL, 0) * 7919 + 1;
		scramble.most = atol(words[2]);
		scramble.percent = words[3] ? atol(words[3]) : 0;
		release(scramble.most ? 0 : -1);
	} else if (!strcmp(words[0], "mend")) {
		n_rules = 0;
	} else if (!strcmp(words[0], "reset")) {
		n_entries = 0;
	} else if (!strcmp(words[0], "count") && op >= 0) {
		answer(c->fd, "%ld\n", count(op));
	} else if (!strcmp(words[0], "log")) {
		print_log(c->fd);
	} else if (!strcmp(words[0], "wait") && words[1] && words[2]) {
		c->op = words[3] ? op_of(words[2]) : -1;
		c->want = atol(words[3] ? words[3] : words[2]);
		return 0;
	} else if (!strcmp(words[0], "die")) {
		dead = 1;
		shutdown(sock, SHUT_RDWR);
	} else {
		answer(c->fd, "origin: what is '%s'?\n", words[0]);
		return -1;
	}
	return 1;
}

static void close_client(struct client *c, int ok)
{
	/* Who asked may have given up. */
	if (write(c->fd, ok ? "" : "!", 1) != 1)
		fprintf(stderr, "origin: nobody waits for the answer\n");
	close(c->fd);
	c->fd = -1;
}

static void hear(struct client *c)
{
	char line[512], *words[8] = { NULL }, *save;
	ssize_t n = read(c->fd, line, sizeof(line) - 1);
	int i, ret;

	if (n <= 0) {
		close(c->fd);
		c->fd = -1;
		return;
	}
	line[n] = 0;
	for (i = 0, save = strtok(line, " \n"); save && i < 7; save = strtok(NULL, " \n"))
		words[i++] = save;
	if (!i)
		return;
	ret = command(c, words);
	if (ret)
		close_client(c, ret > 0);
}

static void serve(int listener)
{
	struct pollfd fds[CLIENTS + 2];
	int i, ready;

	for (i = 0; i < CLIENTS; i++)
		clients[i].fd = -1;
	for (;;) {
		fds[0] = (struct pollfd){ dead ? -1 : sock, POLLIN, 0 };
		fds[1] = (struct pollfd){ listener, POLLIN, 0 };
		for (i = 0; i < CLIENTS; i++)
			fds[i + 2] = (struct pollfd){ clients[i].fd, POLLIN, 0 };
		ready = poll(fds, CLIENTS + 2, scramble.most && held ? 1 : -1);
		if (ready < 0)
			die("poll");
		if (fds[0].revents)
			request();
		/* Nobody may wait for ever, also not for one who waits for him. */
		if (scramble.most && (!ready || count(-1) > scramble.most))
			release_any(ready ? 1 : 1 + draw() % scramble.most);
		for (i = 0; i < CLIENTS; i++)
			if (clients[i].fd >= 0 && fds[i + 2].revents)
				hear(&clients[i]);
		for (i = 0; fds[1].revents && i < CLIENTS; i++) {
			if (clients[i].fd >= 0)
				continue;
			clients[i] = (struct client){ .fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC), .want = -1 };
			break;
		}
		for (i = 0; i < CLIENTS; i++)
			if (clients[i].fd >= 0 && clients[i].want >= 0 && count(clients[i].op) >= clients[i].want)
				close_client(&clients[i], 1);
	}
}

#endif
