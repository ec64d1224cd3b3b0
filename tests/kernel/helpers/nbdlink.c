// SPDX-License-Identifier: GPL-2.0-only
/*
 * nbdlink connect SERVER TIMEOUT DEAD	an nbd device; prints its path and the pid of its server
 * nbdlink again DEVICE SERVER		another server for it, in place of one that is gone; prints its pid
 * nbdlink end DEVICE			no device any more
 *
 * SERVER is a file, which a server that is started here has its bytes in, or the socket of a
 * server, whose pid is then 0.
 *
 * A request without an answer for TIMEOUT seconds gives its connection up. Requests then wait DEAD
 * seconds for another one. To kill the server is to lose the connection, and to stop it is to hear
 * nothing.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <fcntl.h>
#include <linux/nbd.h>
#include <linux/nbd-netlink.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "genl.h"

/* Where requests go. pid is that of the server, if it is ours. */
struct far {
	int sock;
	pid_t pid;
	uint64_t size;
	uint16_t flags;
};

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

/* Starts a server. */
static void start(struct far *far, int file)
{
	int pair[2], null;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("socketpair");
	far->pid = fork();
	if (far->pid < 0)
		die("fork");
	if (!far->pid) {
		close(pair[0]);
		null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		signal(SIGPIPE, SIG_IGN);
		setsid();
		serve(pair[1], file);
	}
	close(pair[1]);
	far->sock = pair[0];
	far->size = lseek(file, 0, SEEK_END);
	far->flags = NBD_FLAG_HAS_FLAGS | NBD_FLAG_SEND_FLUSH;
}

static void receive(int sock, void *buf, size_t len)
{
	if (recv(sock, buf, len, MSG_WAITALL) != (ssize_t)len)
		die("the server says nothing");
}

/* Asks for the default export, in the fixed newstyle negotiation without zeroes at its end. */
static void negotiate(struct far *far)
{
	static const char magic[] = "NBDMAGICIHAVEOPT";
	enum { FIXED_NEWSTYLE = 1, NO_ZEROES = 2, NEWSTYLE = FIXED_NEWSTYLE | NO_ZEROES, EXPORT_NAME = 1 };
	struct __attribute__((packed)) { char magic[16]; uint16_t flags; } hello;
	struct __attribute__((packed)) { uint32_t flags; char magic[8]; uint32_t option, len; } want = {
		.flags = htobe32(NEWSTYLE), .option = htobe32(EXPORT_NAME),
	};
	struct __attribute__((packed)) { uint64_t size; uint16_t flags; } export;

	receive(far->sock, &hello, sizeof(hello));
	if (memcmp(hello.magic, magic, sizeof(hello.magic)) ||
	    (be16toh(hello.flags) & NEWSTYLE) != NEWSTYLE) {
		errno = EPROTO;
		die("negotiation");
	}
	memcpy(want.magic, magic + 8, sizeof(want.magic));
	if (send(far->sock, &want, sizeof(want), MSG_NOSIGNAL) != sizeof(want))
		die("negotiation");
	receive(far->sock, &export, sizeof(export));
	far->size = be64toh(export.size);
	far->flags = be16toh(export.flags);
}

static struct far reach(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct far far = { 0 };
	struct stat st;
	int file;

	if (stat(path, &st))
		die(path);
	if (!S_ISSOCK(st.st_mode)) {
		file = open(path, O_RDWR | O_DIRECT | O_SYNC);
		if (file < 0)
			die(path);
		start(&far, file);
		return far;
	}
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	far.sock = socket(AF_UNIX, SOCK_STREAM, 0);
	if (far.sock < 0 || connect(far.sock, (struct sockaddr *)&addr, sizeof(addr)))
		die(path);
	negotiate(&far);
	return far;
}

static void put_sock(int sock)
{
	struct { struct nlattr item, fd; uint32_t sock; } one = {
		.item = { sizeof(one), NBD_SOCK_ITEM | NLA_F_NESTED },
		.fd = { NLA_HDRLEN + 4, NBD_SOCK_FD },
		.sock = sock,
	};

	genl_put(&g, NBD_ATTR_SOCKETS | NLA_F_NESTED, &one, sizeof(one));
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
	struct far far = { .sock = -1 };
	int family;

	genl_open(&g);
	family = genl_family(&g, NBD_GENL_FAMILY_NAME);
	if (argc < 3 || !family) {
		fprintf(stderr, "nbdlink: see the head of nbdlink.c; is the module nbd loaded?\n");
		return 3;
	}
	if (!strcmp(argv[1], "connect") && argc == 5) {
		far = reach(argv[2]);
		genl_begin(&g, family, NBD_CMD_CONNECT, NLM_F_ACK);
		genl_put_u64(&g, NBD_ATTR_SIZE_BYTES, far.size);
		genl_put_u64(&g, NBD_ATTR_BLOCK_SIZE_BYTES, 512);
		genl_put_u64(&g, NBD_ATTR_SERVER_FLAGS, far.flags);
		genl_put_u64(&g, NBD_ATTR_TIMEOUT, atol(argv[3]));
		genl_put_u64(&g, NBD_ATTR_DEAD_CONN_TIMEOUT, atol(argv[4]));
		put_sock(far.sock);
		talk("connect");
		printf("/dev/nbd%d %d\n", found, far.pid);
	} else {
		if (argc == 4)
			far = reach(argv[3]);
		genl_begin(&g, family, strcmp(argv[1], "end") ? NBD_CMD_RECONFIGURE : NBD_CMD_DISCONNECT,
			   NLM_F_ACK);
		genl_put_u32(&g, NBD_ATTR_INDEX, atol(argv[2] + strlen("/dev/nbd")));
		if (far.sock >= 0)
			put_sock(far.sock);
		talk(argv[1]);
		if (far.sock >= 0)
			printf("%d\n", far.pid);
	}
	return 0;
}
