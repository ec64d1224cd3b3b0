/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests in generic netlink for the helpers: one socket of one thread, one request at a time. */
#ifndef GENL_H
#define GENL_H

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct genl {
	int fd;
	uint32_t group;		/* of the family that was looked for last */
	union {
		char buf[65536];
		struct nlmsghdr h;
	};
	char text[128];		/* of the last refusal; empty if it had none */
};

static inline void genl_open(struct genl *g)
{
	struct sockaddr_nl local = { .nl_family = AF_NETLINK };
	int one = 1;

	g->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (g->fd < 0 || bind(g->fd, (void *)&local, sizeof(local))) {
		perror("netlink");
		exit(2);
	}
	setsockopt(g->fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
}

static inline void genl_begin(struct genl *g, int family, int cmd, int flags)
{
	struct genlmsghdr *gh = NLMSG_DATA(&g->h);

	memset(g->buf, 0, NLMSG_LENGTH(GENL_HDRLEN));
	g->h.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	g->h.nlmsg_type = family;
	g->h.nlmsg_flags = NLM_F_REQUEST | flags;
	g->h.nlmsg_seq = 1;
	gh->cmd = cmd;
	gh->version = 1;
}

static inline void genl_put(struct genl *g, int type, const void *data, size_t len)
{
	struct nlattr *a = (void *)(g->buf + NLMSG_ALIGN(g->h.nlmsg_len));

	a->nla_type = type;
	a->nla_len = NLA_HDRLEN + len;
	memcpy((char *)a + NLA_HDRLEN, data, len);
	g->h.nlmsg_len = NLMSG_ALIGN(g->h.nlmsg_len) + NLA_ALIGN(a->nla_len);
}

static inline void genl_put_str(struct genl *g, int type, const char *s) { genl_put(g, type, s, strlen(s) + 1); }
static inline void genl_put_u8(struct genl *g, int type, uint8_t v) { genl_put(g, type, &v, sizeof(v)); }
static inline void genl_put_u32(struct genl *g, int type, uint32_t v) { genl_put(g, type, &v, sizeof(v)); }
static inline void genl_put_u64(struct genl *g, int type, uint64_t v) { genl_put(g, type, &v, sizeof(v)); }

#define genl_each(a, start, end) for (struct nlattr *a = (void *)(start); (char *)a < (char *)(end); \
				      a = (void *)((char *)a + NLA_ALIGN(a->nla_len)))
#define GENL_DATA(a) ((void *)((char *)(a) + NLA_HDRLEN))

static inline int genl_error(struct genl *g, struct nlmsghdr *h)
{
	struct nlmsgerr *e = NLMSG_DATA(h);
	size_t skip = sizeof(*e);

	g->text[0] = 0;
	if (!(h->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(e->msg.nlmsg_len) - sizeof(e->msg);
	if (e->error && h->nlmsg_flags & NLM_F_ACK_TLVS)
		genl_each(a, (char *)e + skip, (char *)h + h->nlmsg_len)
			if (a->nla_type == NLMSGERR_ATTR_MSG)
				snprintf(g->text, sizeof(g->text), "%s", (char *)GENL_DATA(a));
	return -e->error;
}

/* Sends what was put together and reads to the end of the answer: 0 or the errno. */
static inline int genl_talk(struct genl *g, void (*reply)(struct genl *g, struct nlmsghdr *h))
{
	struct nlmsghdr *h;
	ssize_t n;

	if (send(g->fd, g->buf, g->h.nlmsg_len, 0) < 0)
		return errno;
	for (;;) {
		n = recv(g->fd, g->buf, sizeof(g->buf), 0);
		if (n < 0)
			return errno;
		for (h = &g->h; NLMSG_OK(h, n); h = NLMSG_NEXT(h, n)) {
			if (h->nlmsg_type == NLMSG_ERROR)
				return genl_error(g, h);
			if (h->nlmsg_type == NLMSG_DONE)
				return 0;
			if (reply)
				reply(g, h);
		}
	}
}

/* The family's number, with that of its one group in g->group; 0 if there is none of that name. */
static inline int genl_family(struct genl *g, const char *name)
{
	int id = 0;

	g->group = 0;
	genl_begin(g, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	genl_put_str(g, CTRL_ATTR_FAMILY_NAME, name);
	if (send(g->fd, g->buf, g->h.nlmsg_len, 0) < 0 || recv(g->fd, g->buf, sizeof(g->buf), 0) < 0)
		return 0;
	if (g->h.nlmsg_type == NLMSG_ERROR)
		return 0;
	genl_each(a, (char *)NLMSG_DATA(&g->h) + GENL_HDRLEN, g->buf + g->h.nlmsg_len) {
		if (a->nla_type == CTRL_ATTR_FAMILY_ID)
			id = *(uint16_t *)GENL_DATA(a);
		if (a->nla_type != CTRL_ATTR_MCAST_GROUPS)
			continue;
		genl_each(m, GENL_DATA(a), (char *)a + a->nla_len)
			genl_each(x, GENL_DATA(m), (char *)m + m->nla_len)
				if (x->nla_type == CTRL_ATTR_MCAST_GRP_ID)
					g->group = *(uint32_t *)GENL_DATA(x);
	}
	return id;
}

#endif
