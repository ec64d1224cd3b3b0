// SPDX-License-Identifier: GPL-2.0-only
/*
 * origin start DIR SIZE [WORD...]   an nbd device whose server obeys the test; prints its path
 *	words: block=4096 flush fua trim zeroes ro volatile
 * origin DIR COMMAND [ARGUMENT...]
 *	hold OP before|after [OFFSET LENGTH]	keep requests back, before they touch the data or with only the answer missing
 *	pass [OP]	let later ones through again
 *	release [N]	go on with those kept back, or the first N
 *	fail OP OFFSET LENGTH	such requests end in an error, and writes do not land
 *	tear write OFFSET LENGTH	such writes land and end in an error
 *	mend		no more errors
 *	reset		forget what was counted
 *	count OP	requests since then; OP also: fua, all
 *	log		the requests since then, one per line: OP OFFSET LENGTH
 *	wait held N | wait count OP N	until at least so many (20 s)
 *	die		no answer any more, to anything
 *	stop		the end
 * OP is read, write, flush, trim, zeroes. The data is in DIR/data, where the test may look at it and change it; with
 * "volatile" DIR/stable is what a power failure would leave, and "freeze" and "thaw" stop and go on with the server.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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
	if (!dead && (hold[r->op].how == PASS ||
		      (hold[r->op].len && !overlap(hold[r->op].off, hold[r->op].len, r->off, r->len)))) {
		finish(r);
		return;
	}
	if (!dead && hold[r->op].how == AFTER && !r->error)
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
	int i;

	for (i = 0; i < CLIENTS; i++)
		clients[i].fd = -1;
	for (;;) {
		fds[0] = (struct pollfd){ dead ? -1 : sock, POLLIN, 0 };
		fds[1] = (struct pollfd){ listener, POLLIN, 0 };
		for (i = 0; i < CLIENTS; i++)
			fds[i + 2] = (struct pollfd){ clients[i].fd, POLLIN, 0 };
		if (poll(fds, CLIENTS + 2, -1) < 0)
			die("poll");
		if (fds[0].revents)
			request();
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

/* --- start, stop and the other side of control ---------------------------- */

static int talk(int argc, char **argv)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	struct timeval tv = { .tv_sec = 20 };
	char buf[4096];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), i, last = '!';
	ssize_t n;

	snprintf(sa.sun_path, sizeof(sa.sun_path), "%s/ctl", dir);
	if (connect(fd, (void *)&sa, sizeof(sa)))
		die(sa.sun_path);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	for (i = 0, *buf = 0; i < argc; i++)
		snprintf(buf + strlen(buf), 512 - strlen(buf), "%s ", argv[i]);
	write_all(fd, buf, strlen(buf));
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		last = buf[n - 1];
		fwrite(buf, 1, n - (last == '!' || !last), stdout);
	}
	if (n < 0)
		fprintf(stderr, "origin: in vain: %s %s %s\n", argv[0], argv[1] ? argv[1] : "",
			argc > 2 ? argv[2] : "");
	return last ? 1 : 0;
}

static int busy(const char *dev)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/%s/pid", strrchr(dev, '/') + 1);
	return !access(path, F_OK);
}

static void pause_ms(int ms)
{
	struct timespec ts = { .tv_nsec = ms * 1000000L };

	nanosleep(&ts, NULL);
}

static void find(char *dev, int *server, int *runner)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/pids", dir);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%63s %d %d", dev, server, runner) != 3)
		die(path);
	fclose(f);
}

static int stop(void)
{
	int fd, server, runner;
	char dev[64];

	find(dev, &server, &runner);
	/* What it keeps back fails now, and what the kernel still wants too. */
	kill(server, SIGKILL);
	fd = open(dev, O_RDONLY | O_NONBLOCK);
	if (fd >= 0 && busy(dev))
		ioctl(fd, NBD_DISCONNECT);
	for (int i = 0; i < 500 && !kill(runner, 0); i++)
		pause_ms(10);
	if (fd >= 0) {
		ioctl(fd, NBD_CLEAR_SOCK);
		close(fd);
	}
	return kill(runner, 0) ? 0 : 1;
}

static int suspend(int on)
{
	int server, runner;
	char dev[64];

	find(dev, &server, &runner);
	return kill(server, on ? SIGSTOP : SIGCONT) ? 1 : 0;
}

static int nbd_open(int fd, char *dev, size_t len, uint64_t size, unsigned long block, unsigned long flags)
{
	int nbd;

	for (int i = 0; i < 16; i++) {
		snprintf(dev, len, "/dev/nbd%d", i);
		if (access(dev, F_OK) || busy(dev))
			continue;
		nbd = open(dev, O_RDWR | O_CLOEXEC);
		if (nbd < 0)
			continue;
		if (!ioctl(nbd, NBD_SET_SOCK, fd) && !ioctl(nbd, NBD_SET_BLKSIZE, block) &&
		    !ioctl(nbd, NBD_SET_SIZE_BLOCKS, size / block) && !ioctl(nbd, NBD_SET_FLAGS, flags))
			return nbd;
		close(nbd);
	}
	die("no free nbd device");
	return -1;
}

static void detach_output(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/log", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, 1);
	dup2(fd, 2);
	close(fd);
}

static int file_open(const char *name, uint64_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, size))
		die(path);
	return fd;
}

static int listen_at(void)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(sa.sun_path, sizeof(sa.sun_path), "%s/ctl", dir);
	if (bind(fd, (void *)&sa, sizeof(sa)) || listen(fd, CLIENTS))
		die(sa.sun_path);
	return fd;
}

static int start(uint64_t size, char **words)
{
	unsigned long flags = NBD_FLAG_HAS_FLAGS, block = 512;
	int pair[2], nbd, listener;
	pid_t server, runner;
	char dev[32], path[128];
	FILE *f;

	data = file_open("data", size);
	for (; *words; words++) {
		if (!strncmp(*words, "block=", 6))
			block = atol(*words + 6);
		else if (!strcmp(*words, "volatile"))
			stable = file_open("stable", size);
		else
			flags |= !strcmp(*words, "flush") ? NBD_FLAG_SEND_FLUSH :
				 !strcmp(*words, "fua") ? NBD_FLAG_SEND_FUA :
				 !strcmp(*words, "trim") ? NBD_FLAG_SEND_TRIM :
				 !strcmp(*words, "zeroes") ? 1 << 6 :
				 !strcmp(*words, "ro") ? NBD_FLAG_READ_ONLY : (die(*words), 0);
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		die("socketpair");
	listener = listen_at();
	nbd = nbd_open(pair[0], dev, sizeof(dev), size, block, flags);
	server = fork();
	if (!server) {
		close(pair[0]);
		close(nbd);
		detach_output();
		mlockall(MCL_CURRENT | MCL_FUTURE);
		signal(SIGPIPE, SIG_IGN);
		sock = pair[1];
		serve(listener);
	}
	close(pair[1]);
	runner = fork();
	if (!runner) {
		close(pair[0]);
		close(listener);
		detach_output();
		ioctl(nbd, NBD_DO_IT);
		ioctl(nbd, NBD_CLEAR_QUE);
		ioctl(nbd, NBD_CLEAR_SOCK);
		_exit(0);
	}
	snprintf(path, sizeof(path), "%s/pids", dir);
	f = fopen(path, "w");
	fprintf(f, "%s %d %d\n", dev, server, runner);
	fclose(f);
	for (int i = 0; !busy(dev); i++) {
		if (i == 500)
			die(dev);
		pause_ms(10);
	}
	puts(dev);
	return 0;
}

static uint64_t number(const char *s)
{
	char *end;
	uint64_t n = strtoull(s, &end, 0);

	return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : *end == 'G' ? n << 30 : n;
}

int main(int argc, char **argv)
{
	if (argc >= 4 && !strcmp(argv[1], "start")) {
		snprintf(dir, sizeof(dir), "%s", argv[2]);
		return start(number(argv[3]), argv + 4);
	}
	if (argc < 3) {
		fprintf(stderr, "origin: see the head of origin.c\n");
		return 3;
	}
	snprintf(dir, sizeof(dir), "%s", argv[1]);
	if (!strcmp(argv[2], "stop"))
		return stop();
	if (!strcmp(argv[2], "freeze") || !strcmp(argv[2], "thaw"))
		return suspend(!strcmp(argv[2], "freeze"));
	return talk(argc - 2, argv + 2);
}
