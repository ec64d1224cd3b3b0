// SPDX-License-Identifier: GPL-2.0-only
/*
 * nbdlink connect FILE TIMEOUT DEAD	an nbd device whose server has its bytes in FILE; prints its path and the server's pid
 * nbdlink again DEVICE FILE		another server for it, in place of one that is gone; prints the server's pid
 * nbdlink end DEVICE			no device any more
 *
 * A request without an answer for TIMEOUT seconds gives its connection up. Requests then wait DEAD seconds for another one. To kill
 * the server is to lose the connection, and to stop it is to hear nothing.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <fcntl.h>
#include <linux/nbd.h>
#include <linux/nbd-netlink.h>
#include <signal.h>
#include <sys/stat.h>

#include "genl.h"

static struct genl g;
static int found = -1;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void transfer(int fd, void *buf, size_t len, int out)
{
	for (ssize_t n; len; len -= n, buf = (char *)buf + n) {
		n = out ? write(fd, buf, len) : read(fd, buf, len);
		if (n <= 0)
			exit(0);
	}
}

/* Answers one request after the other. */
static void serve(int sock, int file)
{
	static char buf[1 << 25] __attribute__((aligned(4096)));	/* for O_DIRECT */
	struct nbd_request wire;
	struct nbd_reply reply = { .magic = htobe32(NBD_REPLY_MAGIC) };

	for (;;) {
		transfer(sock, &wire, sizeof(wire), 0);
		size_t len = be32toh(wire.len);
		off_t at = be64toh(wire.from);
		int type = be32toh(wire.type) & 0xffff, bad = 0;

		if (type == NBD_CMD_DISC || len > sizeof(buf))
			exit(0);
		if (type == NBD_CMD_WRITE) {
			transfer(sock, buf, len, 0);
			bad = pwrite(file, buf, len, at) != (ssize_t)len;
		} else if (type == NBD_CMD_READ) {
			bad = pread(file, buf, len, at) != (ssize_t)len;
		}
		reply.error = htobe32(bad ? EIO : 0);
		memcpy(&reply.handle, &wire.handle, sizeof(reply.handle));
		transfer(sock, &reply, sizeof(reply), 1);
		if (type == NBD_CMD_READ && !bad)
			transfer(sock, buf, len, 1);
	}
}

/* Starts a server, and puts the other end of its connection into the request. */
static pid_t server(int file)
{
	struct { struct nlattr item, fd; uint32_t sock; } one;
	int pair[2], null;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("socketpair");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		close(pair[0]);
		null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		signal(SIGPIPE, SIG_IGN);
		setsid();
		serve(pair[1], file);
	}
	close(pair[1]);
	one.item = (struct nlattr){ sizeof(one), NBD_SOCK_ITEM | NLA_F_NESTED };
	one.fd = (struct nlattr){ NLA_HDRLEN + 4, NBD_SOCK_FD };
	one.sock = pair[0];
	genl_put(&g, NBD_ATTR_SOCKETS | NLA_F_NESTED, &one, sizeof(one));
	return pid;
}

static void note_index(struct genl *g, struct nlmsghdr *h)
{
	(void)g;
	genl_each(a, (char *)NLMSG_DATA(h) + GENL_HDRLEN, (char *)h + h->nlmsg_len)
		if ((a->nla_type & NLA_TYPE_MASK) == NBD_ATTR_INDEX)
			found = *(uint32_t *)GENL_DATA(a);
}

static void talk(const char *what)
{
	errno = genl_talk(&g, note_index);
	if (errno)
		die(what);
}

int main(int argc, char **argv)
{
	int family, file = -1;
	struct stat st = { 0 };
	pid_t pid;

	genl_open(&g);
	family = genl_family(&g, NBD_GENL_FAMILY_NAME);
	if (argc < 3 || !family) {
		fprintf(stderr, "nbdlink: see the head of nbdlink.c; is the module nbd loaded?\n");
		return 3;
	}
	if (strcmp(argv[1], "end") && ((file = open(argv[argc == 5 ? 2 : 3], O_RDWR | O_DIRECT | O_SYNC)) < 0 || fstat(file, &st)))
		die("file");
	if (!strcmp(argv[1], "connect") && argc == 5) {
		genl_begin(&g, family, NBD_CMD_CONNECT, NLM_F_ACK);
		genl_put_u64(&g, NBD_ATTR_SIZE_BYTES, lseek(file, 0, SEEK_END));
		genl_put_u64(&g, NBD_ATTR_BLOCK_SIZE_BYTES, 512);
		genl_put_u64(&g, NBD_ATTR_SERVER_FLAGS, NBD_FLAG_HAS_FLAGS | NBD_FLAG_SEND_FLUSH);
		genl_put_u64(&g, NBD_ATTR_TIMEOUT, atol(argv[3]));
		genl_put_u64(&g, NBD_ATTR_DEAD_CONN_TIMEOUT, atol(argv[4]));
		pid = server(file);
		talk("connect");
		printf("/dev/nbd%d %d\n", found, pid);
	} else {
		genl_begin(&g, family, strcmp(argv[1], "end") ? NBD_CMD_RECONFIGURE : NBD_CMD_DISCONNECT, NLM_F_ACK);
		genl_put_u32(&g, NBD_ATTR_INDEX, atol(argv[2] + strlen("/dev/nbd")));
		pid = file < 0 ? 0 : server(file);
		talk(argv[1]);
		if (pid)
			printf("%d\n", pid);
	}
	return 0;
}
