// SPDX-License-Identifier: GPL-2.0-only
/*
 * rxnl get|dump|new|del|resize|erase|extents [ATTRIBUTE=VALUE...]
 * rxnl each FIRST LAST CMD [ATTRIBUTE=VALUE...]
 * rxnl begin CMD [ATTRIBUTE=VALUE...]
 * rxnl monitor COUNT
 * rxnl chase NAME MS
 * rxnl slowest MS [DEVICE]
 * rxnl opener USER COMMAND...
 *
 * Requests to the family rxdsk as they are, also such as rxadm would not send.
 * Attributes by their names in the spec, values in decimal; "raw:N=V" is a u32
 * under attribute number N; "each" sends the request once for each of the names
 * rxdFIRST to rxdLAST. After del, resize and erase it waits until the disk is
 * gone, its memory free, or its size the new one; "begin" does not. Prints each
 * reply or event as one line of attribute=value; "slowest" lists all families (and opens DEVICE) again and
 * again for MS milliseconds, and prints how many microseconds the slowest round
 * took; "monitor" ends after COUNT events or 10 s without one; "chase" asks for
 * MS milliseconds for the end of each new disk of that NAME as soon as an event
 * tells of it, and prints how many of them it has ended.
 * "opener" opens the socket, becomes the user with the number USER and only
 * then sends. A refusal goes to stderr as "errno: text", exit status 2.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include "../../../module/include/uapi/linux/rxdsk.h"
#include "genl.h"

enum { U8, U32, U64, STRING, FLAG, PAIRS };

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
	{ "queue-mode", RXDSK_A_DISK_QUEUE_MODE, U8 },
	{ "state", RXDSK_A_DISK_STATE, U8 },
	{ "prealloc", RXDSK_A_DISK_PREALLOC, U8 },
	{ "error", RXDSK_A_DISK_ERROR, U32 },
	{ "node", RXDSK_A_DISK_NODE, U32 },
	{ "interleave", RXDSK_A_DISK_INTERLEAVE, U8 },
	{ "zero-detect", RXDSK_A_DISK_ZERO_DETECT, U8 },
	{ "id", RXDSK_A_DISK_ID, U64 },
	{ "cursor", RXDSK_A_DISK_CURSOR, U64 },
	{ "extents", RXDSK_A_DISK_EXTENTS, PAIRS },
	{ "limit", RXDSK_A_DISK_LIMIT, U64 },
	{ "validate", RXDSK_A_DISK_VALIDATE, FLAG },
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
	{ "erase", RXDSK_CMD_DISK_ERASE },
	{ "extents", RXDSK_CMD_DISK_EXTENTS },
	{ "new-ntf", RXDSK_CMD_DISK_NEW_NTF },
	{ "del-ntf", RXDSK_CMD_DISK_DEL_NTF },
	{ "change-ntf", RXDSK_CMD_DISK_CHANGE_NTF },
	{ "set", RXDSK_CMD_DISK_SET },
	{ "full-ntf", RXDSK_CMD_DISK_FULL_NTF },
};
enum { CMDS = sizeof(cmds) / sizeof(cmds[0]) };

static struct genl genl;
static int begin;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void print_pairs(const struct nlattr *a)
{
	uint64_t pair[2];
	size_t i;

	for (i = NLA_HDRLEN; i + sizeof(pair) <= a->nla_len; i += sizeof(pair)) {
		memcpy(pair, (char *)a + i, sizeof(pair));
		printf("%s%llu+%llu", i == NLA_HDRLEN ? "" : ",",
		       (unsigned long long)pair[0], (unsigned long long)pair[1]);
	}
	printf(" ");
}

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
		printf("%s=%s ", attrs[i].name, (char *)GENL_DATA(a));
		return;
	}
	if (attrs[i].type == PAIRS) {
		printf("%s=", attrs[i].name);
		print_pairs(a);
		return;
	}
	memcpy(&v, GENL_DATA(a), (a->nla_len - NLA_HDRLEN));
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
	genl_each(a, (char *)g + GENL_HDRLEN, (char *)h + h->nlmsg_len)
		print_attr(a);
	if (h->nlmsg_flags & NLM_F_DUMP_INTR)
		printf("interrupted ");
	printf("\n");
	fflush(stdout);
}

static void print_reply(struct genl *g, struct nlmsghdr *h)
{
	(void)g;
	print(h, 0);
}

/* Sends what was put together and prints the answers; 0 or the exit status. */
static int talk(void)
{
	int err = genl_talk(&genl, print_reply);

	if (!err)
		return 0;
	fprintf(stderr, "%s: %s\n", strerrorname_np(err),
		*genl.text ? genl.text : "no text");
	return 2;
}

static int state;

static void take_state(struct genl *g, struct nlmsghdr *h)
{
	(void)g;
	genl_each(a, (char *)NLMSG_DATA(h) + GENL_HDRLEN, (char *)h + h->nlmsg_len)
		if ((a->nla_type & NLA_TYPE_MASK) == RXDSK_A_DISK_STATE)
			state = *(unsigned char *)GENL_DATA(a);
}

/* Until what CMD has begun with the disk NAME has ended. */
static void wait_end(int family, int cmd, const char *name)
{
	for (;;) {
		state = RXDSK_DISK_STATE_ACTIVE;
		genl_begin(&genl, family, RXDSK_CMD_DISK_GET, NLM_F_ACK);
		genl_put_str(&genl, RXDSK_A_DISK_NAME, name);
		if (genl_talk(&genl, take_state))
			return;
		if (cmd == RXDSK_CMD_DISK_DEL ? state != RXDSK_DISK_STATE_DETACHING :
		    state != RXDSK_DISK_STATE_CLEARING && state != RXDSK_DISK_STATE_PREPARING)
			return;
		usleep(2000);
	}
}

static void put_arg(const char *arg)
{
	const char *value = strchr(arg, '=');
	uint64_t v;
	int i;

	value = value ? value + 1 : "";
	v = strtoull(value, NULL, 10);
	if (!strncmp(arg, "raw:", 4)) {
		genl_put_u32(&genl, atoi(arg + 4), v);
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
	case U8: genl_put_u8(&genl, attrs[i].number, v); break;
	case U32: genl_put_u32(&genl, attrs[i].number, v); break;
	case U64: genl_put_u64(&genl, attrs[i].number, v); break;
	case STRING: genl_put_str(&genl, attrs[i].number, value); break;
	case FLAG: genl_put(&genl, attrs[i].number, "", 0); break;
	}
}

static int send_all(int family, int first, int last, int cmd, int argc,
		    char **argv)
{
	int dump = !strcmp(cmds[cmd].name, "dump"), nr = cmds[cmd].number, i, ret = 0, n;
	char name[64] = "";

	for (n = first; n <= last && !ret; n++) {
		genl_begin(&genl, family, cmds[cmd].number,
			   dump ? NLM_F_DUMP : NLM_F_ACK);
		for (i = 0; i < argc; i++) {
			put_arg(argv[i]);
			if (!strncmp(argv[i], "name=", 5))
				snprintf(name, sizeof(name), "%s", argv[i]);
		}
		if (first >= 0) {
			snprintf(name, sizeof(name), "name=rxd%d", n);
			put_arg(name);
		}
		ret = talk();
		if (!ret && !begin && (nr == RXDSK_CMD_DISK_DEL || nr == RXDSK_CMD_DISK_ERASE || nr == RXDSK_CMD_DISK_RESIZE))
			wait_end(family, nr, name + 5);
	}
	return ret;
}

static void listen_for(struct timeval wait)
{
	if (setsockopt(genl.fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP,
		       &genl.group, sizeof(genl.group)))
		die("group");
	setsockopt(genl.fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	printf("listening\n");
	fflush(stdout);
}

static int monitor(int count)
{
	listen_for((struct timeval){ .tv_sec = 60 });
	while (count-- > 0) {
		if (recv(genl.fd, genl.buf, sizeof(genl.buf), 0) < 0)
			die("no event");
		print(&genl.h, 1);
	}
	return 0;
}

static long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* Whether the event that was received tells of a new disk NAME. */
static int is_new(const char *name)
{
	struct genlmsghdr *g = NLMSG_DATA(&genl.h);

	if (g->cmd != RXDSK_CMD_DISK_NEW_NTF)
		return 0;
	genl_each(a, (char *)g + GENL_HDRLEN, genl.buf + genl.h.nlmsg_len)
		if ((a->nla_type & NLA_TYPE_MASK) == RXDSK_A_DISK_NAME)
			return !strcmp(GENL_DATA(a), name);
	return 0;
}

static int chase(int family, const char *name, long ms)
{
	static struct genl asks;
	long end = now_us() + ms * 1000;
	int ended = 0;

	genl_open(&asks);
	listen_for((struct timeval){ .tv_usec = 100000 });
	while (now_us() < end) {
		if (recv(genl.fd, genl.buf, sizeof(genl.buf), 0) < 0 || !is_new(name))
			continue;
		genl_begin(&asks, family, RXDSK_CMD_DISK_DEL, NLM_F_ACK);
		genl_put_str(&asks, RXDSK_A_DISK_NAME, name);
		ended += !genl_talk(&asks, NULL);
	}
	printf("%d\n", ended);
	return 0;
}

static int slowest(long ms, const char *device)
{
	long end = now_us() + ms * 1000, most = 0, start, took;
	int fd;

	do {
		start = now_us();
		genl_begin(&genl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_DUMP);
		if (genl_talk(&genl, NULL))
			die("list of families");
		fd = device ? open(device, O_RDONLY) : -1;
		if (fd >= 0)
			close(fd);
		took = now_us() - start;
		most = took > most ? took : most;
		usleep(1000);
	} while (now_us() < end);
	printf("%ld\n", most);
	return 0;
}

int main(int argc, char **argv)
{
	int family, i, first = -1, last = -1;

	genl_open(&genl);
	family = genl_family(&genl, RXDSK_FAMILY_NAME);
	if (!family) {
		fprintf(stderr, "rxnl: no family " RXDSK_FAMILY_NAME "\n");
		return 3;
	}
	if (argc > 3 && !strcmp(argv[1], "opener")) {
		if (setresuid(atoi(argv[2]), atoi(argv[2]), atoi(argv[2])))
			die("setresuid");
		argc -= 2;
		argv += 2;
	}
	if (argc > 2 && !strcmp(argv[1], "begin")) {
		begin = 1;
		argc--;
		argv++;
	}
	if (argc == 3 && !strcmp(argv[1], "monitor"))
		return monitor(atoi(argv[2]));
	if (argc == 4 && !strcmp(argv[1], "chase"))
		return chase(family, argv[2], atol(argv[3]));
	if (argc > 2 && !strcmp(argv[1], "slowest"))
		return slowest(atol(argv[2]), argv[3]);
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
