// SPDX-License-Identifier: GPL-2.0-only
/*
 * nlfuzz FAMILY WHO SECONDS SEED [ORIGIN...]
 *
 * Requests to the family rxdsk or rxcache, from two processes at a time, that
 * are nearly right: attributes missing, doubled, nested, too short, too long,
 * of a wrong or unknown type; messages cut, with wrong flags, several in one;
 * dumps begun and left. ORIGINs are paths to ask a cache for.
 * WHO: root, nobody, net-admin (root but for all other capabilities), opener
 * (nobody opened the socket, root sends), sender (the other way round), userns
 * (root of a user namespace), netns (root in another network namespace).
 *
 * Every answer is looked at: only attributes that the spec has, of their type,
 * no byte of padding that is not zero, no text that is not text. Only root may
 * be told that a change was made, and nobody in netns may be told anything.
 * Prints what was answered how often; exit status 1 if an answer was wrong.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include "genl.h"
#include "nlfuzz_answers.h"

enum { NOBODY = 65534, WORKERS = 2, MAXLEN = 1 << 17 };

static char **origins;
static int origin_count, sock = -1, is_outside, is_opener;
static char out[MAXLEN * 2] __attribute__((aligned(8)));
static char in[MAXLEN] __attribute__((aligned(8)));
static uint64_t state;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint32_t rnd(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? (state >> 16) % below : 0;
}

static int one_in(uint32_t n) { return rnd(n) == 0; }

/* A text for string attribute @type; returns its length with the zero. */
static size_t text(int type, char *s, size_t size)
{
	static const char *const odd[] = {
		"", "rxd", "rxc", "rxd-1", "rxd00", "rxd1048576", "rxc1048575",
		"rxd99999999999999999999", "%s%n%p", "../../dev/rxd0", "/", "//",
		"/dev", "/dev/null", "/proc/self/mem", "/dev/rxd0", "/dev/rxc0",
		"/dev/rxd3", "\x7f\x80\xff\n", "rxd 0",
	};
	int is_map = fam->types == map_types;

	if (one_in(8))
		snprintf(s, size, "%s", odd[rnd(sizeof(odd) / sizeof(*odd))]);
	else if (one_in(16))
		memset(s, 'a' + rnd(26), size - 1);
	else if (is_map && type == RXCACHE_A_CACHE_ORIGIN)
		snprintf(s, size, "%s", origin_count ?
			 origins[rnd(origin_count)] : "/dev/rxd1");
	else
		snprintf(s, size, "%s%u", is_map &&
			 type == RXCACHE_A_CACHE_DISK ? "rxd" : fam->prefix, rnd(12));
	return strnlen(s, size - 1) + 1;
}

static uint64_t number(void)
{
	static const uint64_t some[] = {
		0, 1, 2, 511, 512, 4095, 4096, 8192, 65536, 131072, 1 << 20,
		1 << 24, 1 << 26, 1ull << 30, 1ull << 31, 0xffffffffull, 1ull << 32,
		1ull << 40, (1ull << 60) - 1, 1ull << 60, 1ull << 63, ~0ull,
	};

	return one_in(8) ? ((uint64_t)rnd(~0u) << 32 | rnd(~0u)) :
			   some[rnd(sizeof(some) / sizeof(*some))];
}

/* Appends @len bytes as attribute @type, whose header may say @says instead. */
static char *put(char *p, int type, const void *data, size_t len, int says)
{
	struct nlattr *a = (void *)p;

	if (p + len + 64 > out + sizeof(out) - MAXLEN)
		return p;
	a->nla_type = type;
	a->nla_len = says >= 0 ? says : (int)(NLA_HDRLEN + len);
	memset(p + NLA_HDRLEN, 0, NLA_ALIGN(len));
	memcpy(p + NLA_HDRLEN, data, len);
	return p + NLA_HDRLEN + NLA_ALIGN(len);
}

static char *put_nested(char *p, int type, const void *data, size_t len)
{
	int depth = 1 + rnd(40), i;
	char *at = p;

	for (i = 0; i < depth; i++)
		at = put(at, type | NLA_F_NESTED, "", 0, (depth - i) *
			 NLA_HDRLEN + NLA_HDRLEN + NLA_ALIGN(len));
	return put(at, type, data, len, -1);
}

static char *put_attr(char *p, int type, int mutate)
{
	static char data[65536];
	size_t len = 0;
	uint64_t v = number();
	int kind = type <= fam->max ? fam->types[type] : (int)rnd(LATENCY + 1);

	memset(data, rnd(256), 64);
	switch (kind) {
	case U8: v = rnd(3); len = 1; memcpy(data, &v, len); break;
	case U32: v = one_in(2) ? rnd(2) : v; len = 4; memcpy(data, &v, len); break;
	case U64: len = 8; memcpy(data, &v, len); break;
	case STRING: len = text(type, data, one_in(8) ? 5000 : 40); break;
	}
	if (!mutate)
		return put(p, type, data, len, -1);
	switch (rnd(11)) {
	case 0: return put(p, type, data, rnd(len + 1), -1);
	case 1: return put(p, type, data, len + 1 + rnd(60), -1);
	case 2: return put(p, type, data, sizeof(data) - 8 - rnd(9000), -1);
	case 3: return put(p, type | NLA_F_NESTED, data, len, -1);
	case 4: return put(p, type | NLA_F_NET_BYTEORDER, data, len, -1);
	case 5: return put(p, one_in(2) ? rnd(40) : rnd(65536), data, len, -1);
	case 6: return put_nested(p, type, data, len);
	case 7: return put(p, type, data, len, rnd(NLA_HDRLEN));
	case 8: return put(p, type, data, len, rnd(65536));
	case 9: return put_attr(put(p, type, data, len, -1), type, 0);
	}
	return p;
}

/* Appends one request; @mutate 0 makes it as the spec wants it. */
static char *put_request(char *p, int cmd, int mutate)
{
	struct nlmsghdr *h = (void *)p;
	struct genlmsghdr *g = NLMSG_DATA(h);
	uint64_t takes = cmd <= CMDS ? fam->takes[cmd] : rnd(~0u);
	int type;

	memset(p, 0, NLMSG_LENGTH(GENL_HDRLEN));
	h->nlmsg_type = family_id;
	h->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (cmd == 1 && one_in(2))
		h->nlmsg_flags |= NLM_F_DUMP;
	h->nlmsg_seq = ++seq;
	cmd_of[seq % RING] = cmd;
	g->cmd = cmd;
	g->version = 1;
	p += NLMSG_LENGTH(GENL_HDRLEN);
	for (type = 0; type <= fam->max + 2; type++) {
		int wanted = type < 64 && !!(takes & BIT(type));

		if (!mutate ? wanted && (type == 2 || one_in(2)) :
			      one_in(wanted ? 1 + one_in(4) : 40))
			p = put_attr(p, type, mutate && one_in(12));
	}
	h->nlmsg_len = p - (char *)h;
	if (mutate && one_in(8)) {
		switch (rnd(7)) {
		case 0: h->nlmsg_len = rnd(h->nlmsg_len + 1); break;
		case 1: h->nlmsg_len += rnd(64); break;
		case 2: h->nlmsg_flags = rnd(65536); break;
		case 3: h->nlmsg_flags ^= NLM_F_DUMP; break;
		case 4: h->nlmsg_len = NLMSG_HDRLEN; return (char *)g;
		case 5: g->version = rnd(256); g->reserved = rnd(65536); break;
		case 6: memset(p, rnd(256), 16); return p + NLMSG_ALIGN(rnd(16));
		}
	}
	return (char *)h + NLMSG_ALIGN(p - (char *)h);
}

static void read_answers(void)
{
	struct nlmsghdr *h;
	ssize_t n;

	while ((n = recv(sock, in, sizeof(in), MSG_DONTWAIT)) > 0)
		for (h = (void *)in; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			struct genlmsghdr *g = NLMSG_DATA(h);

			if (h->nlmsg_type == NLMSG_ERROR) {
				check_error(h);
			} else if (h->nlmsg_type == family_id) {
				count(&result->shown);
				if (is_outside || (!is_root && g->cmd != 1))
					wrong("told what is not its business", g->cmd);
				check_attrs(fam->types, fam->max,
					    (char *)g + GENL_HDRLEN,
					    h->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN));
			}
		}
}

static void open_socket(void)
{
	struct sockaddr_nl local = { .nl_family = AF_NETLINK };
	int one = 1;

	if (sock >= 0)
		close(sock);
	if (is_opener && seteuid(NOBODY))
		die("seteuid");
	sock = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (sock < 0 || bind(sock, (void *)&local, sizeof(local)))
		die("socket");
	if (is_opener && seteuid(0))
		die("seteuid");
	setsockopt(sock, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(sock, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	if (one_in(2))
		setsockopt(sock, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one,
			   sizeof(one));
}

static void family_find(void)
{
	struct genl g;

	genl_open(&g);
	family_id = genl_family(&g, fam->name);
	close(g.fd);
	if (!family_id) {
		fprintf(stderr, "nlfuzz: no family %s\n", fam->name);
		exit(3);
	}
}

static void put_file(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, what, strlen(what)) < 0)
		die(path);
	close(fd);
}

static void be_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		die("nobody");
}

static void only_net_admin(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2] = {
		{ BIT(CAP_NET_ADMIN), BIT(CAP_NET_ADMIN), 0 },
	};

	if (syscall(SYS_capset, &head, caps))
		die("capset");
}

static void become(const char *who)
{
	is_root = !strcmp(who, "root");
	is_opener = !strcmp(who, "opener");
	is_outside = !strcmp(who, "netns");
	if (!strcmp(who, "nobody")) {
		be_nobody();
	} else if (!strcmp(who, "net-admin")) {
		only_net_admin();
	} else if (!strcmp(who, "userns")) {
		if (unshare(CLONE_NEWUSER)) {
			fprintf(stderr, "nlfuzz: no user namespaces\n");
			exit(4);
		}
		put_file("/proc/self/setgroups", "deny");
		put_file("/proc/self/uid_map", "0 0 1");
		put_file("/proc/self/gid_map", "0 0 1");
	} else if (is_outside) {
		if (unshare(CLONE_NEWNET))
			die("network namespace");
	}
}

static void fuzz(const char *who, int seconds)
{
	struct timespec t;
	time_t end;
	char *p;
	int i;

	open_socket();
	if (!strcmp(who, "sender"))
		be_nobody();
	clock_gettime(CLOCK_MONOTONIC, &t);
	end = t.tv_sec + seconds;
	while (t.tv_sec <= end && !result->wrong) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		/* As root things are made; most of them go again. */
		p = put_request(out, 3, 0);
		for (i = one_in(16) ? 1 + rnd(8) : 1; i > 0; i--)
			p = put_request(p, one_in(10) ? rnd(256) : 1 + rnd(CMDS),
					!one_in(4));
		count(&result->sent);
		if (send(sock, out, p - out, 0) < 0 && errno != ENOBUFS &&
		    errno != EINVAL && errno != EMSGSIZE)
			die("send");
		if (one_in(200) && strcmp(who, "sender"))
			open_socket();
		else
			read_answers();
	}
}

int main(int argc, char **argv)
{
	int i, status, bad = 0;

	if (argc < 5) {
		fprintf(stderr, "nlfuzz: see the head of nlfuzz.c\n");
		return 2;
	}
	fam = &families[!strcmp(argv[1], RXCACHE_FAMILY_NAME)];
	origins = argv + 5;
	origin_count = argc - 5;
	result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	state = 1;
	open_socket();
	family_find();
	become(argv[2]);
	for (i = 0; i < WORKERS; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		state = (strtoull(argv[4], NULL, 10) * 16 + i + 1) * 0x9e3779b97f4a7c15ull;
		fuzz(argv[2], atoi(argv[3]));
		return 0;
	}
	while (wait(&status) > 0)
		bad |= status;
	printf("sent=%lu shown=%lu accepted=%lu eperm=%lu einval=%lu enoent=%lu enodev=%lu ebusy=%lu\n",
	       result->sent, result->shown, result->accepted,
	       result->refused[EPERM], result->refused[EINVAL],
	       result->refused[ENOENT], result->refused[ENODEV],
	       result->refused[EBUSY]);
	return bad || result->wrong;
}
