// SPDX-License-Identifier: GPL-2.0-only
/*
 * origin start DIR SIZE [WORD...]   an nbd device whose server obeys the test; prints its path
 *	words: block=4096 flush fua trim zeroes ro volatile
 * origin DIR COMMAND [ARGUMENT...]
 *	hold OP before|after [OFFSET LENGTH]	keep requests back, before they touch the data or with only the answer missing
 *	pass [OP]	let later ones through again
 *	release [N]	go on with those kept back, or the first N
 *	scramble SEED MOST [PERCENT]	answer all in any order, with up to MOST under way; 0: no more. So many end in an
 *			error, and of those that are not reads half land all the same
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
#include "number.h"
#include "origin_server.h"

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

/* The driver says that it serves the device before it gives it its size. */
static int ready(const char *dev, int nbd, uint64_t size)
{
	uint64_t now;

	return busy(dev) && !ioctl(nbd, BLKGETSIZE64, &now) && now == size;
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
	for (int i = 0; !ready(dev, nbd, size); i++) {
		if (i == 500)
			die(dev);
		pause_ms(10);
	}
	puts(dev);
	return 0;
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
