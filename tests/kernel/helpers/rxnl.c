// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxnl get|dump|new|del|resize|flush [ATTRIBUTE=VALUE...]
 * rxnl each FIRST LAST CMD [ATTRIBUTE=VALUE...]
 * rxnl monitor COUNT
 * rxnl opener USER COMMAND...
 *
 * Requests to the family rxdsk as they are, also such as rxadm would not send.
 * Attributes by their names in the spec, values in decimal; "raw:N=V" is a u32
 * under attribute number N; "each" sends the request once for each of the names
 * rxdFIRST to rxdLAST. Prints each reply or event as one line of
 * attribute=value; "monitor" ends after COUNT events or 10 s without one.
 * "opener" opens the socket, becomes the user with the number USER and only
 * then sends. A refusal goes to stderr as "errno: text", exit status 2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "../../../module/include/uapi/linux/rxdsk.h"

enum { U8, U32, U64, STRING, FLAG };

static const struct attr {
	const char *name;
	int number, type;
} attrs[] = {
	{ "name", RXDSK_A_DISK_NAME, STRING },
	{ "size", RXDSK_A_DISK_SIZE, U64 },
	{ "block-size", RXDSK_A_DISK_BLOCK_SIZE, U32 },
	{ "queues", RXDSK_A_DISK_QUEUES, U32 },
	{ "read-only", RXDSK_A_DISK_READ_ONLY, U8 },
	{ "shrink", RXDSK_A_DISK_SHRINK, FLAG },
	{ "used", RXDSK_A_DISK_USED, U64 },
	{ "freeing", RXDSK_A_DISK_FREEING, U64 },
	{ "openers", RXDSK_A_DISK_OPENERS, U32 },
	{ "holder", RXDSK_A_DISK_HOLDER, STRING },
	{ "major", RXDSK_A_DISK_MAJOR, U32 },
	{ "minor", RXDSK_A_DISK_MINOR, U32 },
	{ "no-space", RXDSK_A_DISK_NO_SPACE, U64 },
	{ "slow-writes", RXDSK_A_DISK_SLOW_WRITES, U64 },
};
enum { ATTRS = sizeof(attrs) / sizeof(attrs[0]) };

static const struct {
	const char *name;
	int number;
} cmds[] = {
	{ "get", RXDSK_CMD_DISK_GET },
	{ "dump", RXDSK_CMD_DISK_GET },
	{ "new", RXDSK_CMD_DISK_NEW },
	{ "del", RXDSK_CMD_DISK_DEL },
	{ "resize", RXDSK_CMD_DISK_RESIZE },
	{ "flush", RXDSK_CMD_DISK_FLUSH },
	{ "new-ntf", RXDSK_CMD_DISK_NEW_NTF },
	{ "del-ntf", RXDSK_CMD_DISK_DEL_NTF },
	{ "change-ntf", RXDSK_CMD_DISK_CHANGE_NTF },
};
enum { CMDS = sizeof(cmds) / sizeof(cmds[0]) };

static int sock;
static char buf[1 << 16] __attribute__((aligned(8)));
static uint32_t group;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void put(struct nlmsghdr *h, int type, const void *data, size_t len)
{
	struct nlattr *a = (void *)((char *)h + NLMSG_ALIGN(h->nlmsg_len));

	a->nla_type = type;
	a->nla_len = NLA_HDRLEN + len;
	memcpy((char *)a + NLA_HDRLEN, data, len);
	h->nlmsg_len = NLMSG_ALIGN(h->nlmsg_len) + NLA_ALIGN(a->nla_len);
}

static struct nlmsghdr *request(int family, int cmd, int flags)
{
	struct nlmsghdr *h = (void *)buf;
	struct genlmsghdr *g = NLMSG_DATA(h);

	memset(buf, 0, sizeof(buf));
	h->nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	h->nlmsg_type = family;
	h->nlmsg_flags = NLM_F_REQUEST | flags;
	h->nlmsg_seq = 1;
	g->cmd = cmd;
	g->version = 1;
	return h;
}

#define each_attr(a, start, end)					\
	for (struct nlattr *a = (void *)(start); (char *)a < (char *)(end); \
	     a = (void *)((char *)a + NLA_ALIGN(a->nla_len)))
#define DATA(a) ((void *)((char *)(a) + NLA_HDRLEN))
#define LEN(a) ((a)->nla_len - NLA_HDRLEN)

static void print_attr(const struct nlattr *a)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < ATTRS; i++)
		if (attrs[i].number == (a->nla_type & NLA_TYPE_MASK))
			break;
	if (i == ATTRS)
		return;
	if (attrs[i].type == STRING) {
		printf("%s=%s ", attrs[i].name, (char *)DATA(a));
		return;
	}
	memcpy(&v, DATA(a), LEN(a));
	printf("%s=%llu ", attrs[i].name, (unsigned long long)v);
}

static void print(struct nlmsghdr *h, int with_cmd)
{
	struct genlmsghdr *g = NLMSG_DATA(h);
	int i;

	for (i = CMDS - 1; with_cmd && i > 0; i--)
		if (cmds[i].number == g->cmd)
			break;
	if (with_cmd)
		printf("%s ", cmds[i].name);
	each_attr(a, (char *)g + GENL_HDRLEN, (char *)h + h->nlmsg_len)
		print_attr(a);
	if (h->nlmsg_flags & NLM_F_DUMP_INTR)
		printf("interrupted ");
	printf("\n");
	fflush(stdout);
}

static int refused(struct nlmsghdr *h)
{
	struct nlmsgerr *e = NLMSG_DATA(h);
	const char *text = "no text";
	size_t skip = sizeof(*e);

	if (!e->error)
		return 0;
	if (!(h->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(e->msg.nlmsg_len) - sizeof(e->msg);
	if (h->nlmsg_flags & NLM_F_ACK_TLVS)
		each_attr(a, (char *)e + skip, (char *)h + h->nlmsg_len)
			if (a->nla_type == NLMSGERR_ATTR_MSG)
				text = DATA(a);
	fprintf(stderr, "%s: %s\n", strerrorname_np(-e->error), text);
	return 2;
}

/* Sends @h and prints the answers; 0 or the exit status. */
static int talk(struct nlmsghdr *h)
{
	ssize_t n;

	if (send(sock, h, h->nlmsg_len, 0) < 0)
		die("send");
	for (;;) {
		n = recv(sock, buf, sizeof(buf), 0);
		if (n < 0)
			die("recv");
		for (h = (void *)buf; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type == NLMSG_ERROR)
				return refused(h);
			if (h->nlmsg_type == NLMSG_DONE)
				return 0;
			print(h, 0);
		}
	}
}

static int family_find(void)
{
	struct nlmsghdr *h = request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	int id = 0;

	put(h, CTRL_ATTR_FAMILY_NAME, RXDSK_FAMILY_NAME,
	    sizeof(RXDSK_FAMILY_NAME));
	if (send(sock, h, h->nlmsg_len, 0) < 0 ||
	    recv(sock, buf, sizeof(buf), 0) < 0)
		die("family");
	h = (void *)buf;
	if (h->nlmsg_type == NLMSG_ERROR)
		{
		refused(h);
		exit(3);
	}
	each_attr(a, (char *)NLMSG_DATA(h) + GENL_HDRLEN,
		  (char *)h + h->nlmsg_len) {
		if (a->nla_type == CTRL_ATTR_FAMILY_ID)
			id = *(uint16_t *)DATA(a);
		if (a->nla_type != CTRL_ATTR_MCAST_GROUPS)
			continue;
		each_attr(g, DATA(a), (char *)a + a->nla_len)
			each_attr(x, DATA(g), (char *)g + g->nla_len)
				if (x->nla_type == CTRL_ATTR_MCAST_GRP_ID)
					group = *(uint32_t *)DATA(x);
	}
	return id;
}

static void put_arg(struct nlmsghdr *h, const char *arg)
{
	const char *value = strchr(arg, '=');
	uint64_t v;
	int i;

	value = value ? value + 1 : "";
	v = strtoull(value, NULL, 10);
	if (!strncmp(arg, "raw:", 4)) {
		put(h, atoi(arg + 4), &v, 4);
		return;
	}
	for (i = 0; i < ATTRS; i++)
		if (!strncmp(arg, attrs[i].name, strlen(attrs[i].name)) &&
		    strchr("=", arg[strlen(attrs[i].name)]))
			break;
	if (i == ATTRS) {
		fprintf(stderr, "rxnl: no attribute '%s'\n", arg);
		exit(1);
	}
	switch (attrs[i].type) {
	case U8: put(h, attrs[i].number, &v, 1); break;
	case U32: put(h, attrs[i].number, &v, 4); break;
	case U64: put(h, attrs[i].number, &v, 8); break;
	case STRING: put(h, attrs[i].number, value, strlen(value) + 1); break;
	case FLAG: put(h, attrs[i].number, "", 0); break;
	}
}

static int send_all(int family, int first, int last, int cmd, int argc,
		    char **argv)
{
	int dump = !strcmp(cmds[cmd].name, "dump"), i, ret = 0, n;
	struct nlmsghdr *h;
	char name[32];

	for (n = first; n <= last && !ret; n++) {
		h = request(family, cmds[cmd].number,
			    dump ? NLM_F_DUMP : NLM_F_ACK);
		for (i = 0; i < argc; i++)
			put_arg(h, argv[i]);
		if (first >= 0) {
			snprintf(name, sizeof(name), "name=rxd%d", n);
			put_arg(h, name);
		}
		ret = talk(h);
	}
	return ret;
}

static int monitor(int count)
{
	struct timeval wait = { .tv_sec = 10 };
	ssize_t n;

	if (setsockopt(sock, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
		       sizeof(group)))
		die("group");
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	printf("listening\n");
	fflush(stdout);
	while (count-- > 0) {
		n = recv(sock, buf, sizeof(buf), 0);
		if (n < 0)
			die("no event");
		print((void *)buf, 1);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_nl local = { .nl_family = AF_NETLINK };
	int one = 1, family, i, first = -1, last = -1;

	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (sock < 0 || bind(sock, (void *)&local, sizeof(local)))
		die("socket");
	setsockopt(sock, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	family = family_find();
	if (argc > 3 && !strcmp(argv[1], "opener")) {
		if (setresuid(atoi(argv[2]), atoi(argv[2]), atoi(argv[2])))
			die("setresuid");
		argc -= 2;
		argv += 2;
	}
	if (argc == 3 && !strcmp(argv[1], "monitor"))
		return monitor(atoi(argv[2]));
	if (argc > 4 && !strcmp(argv[1], "each")) {
		first = atoi(argv[2]);
		last = atoi(argv[3]);
		argc -= 3;
		argv += 3;
	}
	for (i = 0; argc > 1 && i < CMDS; i++)
		if (!strcmp(argv[1], cmds[i].name))
			break;
	if (argc < 2 || i == CMDS) {
		fprintf(stderr, "rxnl: see the head of rxnl.c\n");
		return 1;
	}
	return send_all(family, first, last, i, argc - 2, argv + 2);
}
