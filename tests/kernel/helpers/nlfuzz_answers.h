/* SPDX-License-Identifier: GPL-2.0-only */
/* nlfuzz: the two families as their specs have them, and what an answer of theirs may hold. */
#ifndef NLFUZZ_ANSWERS_H
#define NLFUZZ_ANSWERS_H

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "../../../module/include/uapi/linux/rxcache.h"
#include "../../../module/include/uapi/linux/rxdsk.h"

enum { NONE, PAD, U8, U32, U64, FLAG, STRING, STATS, VERIFY, RECENT, LATENCY,
       SHADOW, POINT, NODES, RESIZE, BLOCKS, EXTENTS };
enum { CMDS = RXCACHE_CMD_MAX, RING = 4096 };
#define BIT(n) (1ull << (n))

static const uint8_t disk_types[] = {
	NONE, PAD, STRING, U64, U32, U32, U8, FLAG, U64, U64, U32, STRING, U32,
	U32, U64, U64, U8, U8, U8, U32, U32, U8, NODES, U8, U64, U64, EXTENTS,
	U64, FLAG,
};
static const uint8_t map_types[] = {
	NONE, PAD, STRING, U64, STRING, STRING, U32, U32, U8, FLAG, U8,
	U64, U32, U64, U32, U32, U64, U64, U64, U32, U8, U32, U32, U32, STRING,
	STATS, U32, FLAG, VERIFY, U64, U64, RECENT, RECENT, RECENT,
	LATENCY, LATENCY, LATENCY, LATENCY, U32, SHADOW, RESIZE, U8,
	U64, U64, U64, U64, U64, U64, BLOCKS, U32, U64, U64, U32, U32,
	U64, U8, FLAG, U32, U64, U64, U64, U64, U64, U64, U64, U64, U32,
};
static const uint8_t verify_types[] = {
	NONE, PAD, U8, U32, U64, U64, U64, U64, U8,
};
static const uint8_t shadow_types[] = { NONE, PAD, U32, U64, U64, POINT };
static const uint8_t point_types[] = { NONE, PAD, U64, U64, U32 };
static const uint8_t resize_types[] = { NONE, PAD, U8, U64, U32, STRING, U32 };
_Static_assert(sizeof(disk_types) == RXDSK_A_DISK_MAX + 1, "disk");
_Static_assert(sizeof(map_types) == RXCACHE_A_CACHE_MAX + 1, "map");
_Static_assert(sizeof(verify_types) == RXCACHE_A_VERIFY_MAX + 1, "verify");
_Static_assert(sizeof(resize_types) == RXCACHE_A_RESIZE_MAX + 1, "resize");
_Static_assert(sizeof(shadow_types) == RXCACHE_A_SHADOW_MAX + 1, "shadow");
_Static_assert(sizeof(point_types) == RXCACHE_A_SHADOW_POINT_MAX + 1, "point");

/* What each command takes, by its number; the first only shows, those that take nothing are events or none. */
static const struct family {
	const char *name, *prefix;
	const uint8_t *types;
	int max;
	uint64_t takes[CMDS + 1];
} families[] = {
	{ RXDSK_FAMILY_NAME, "rxd", disk_types, RXDSK_A_DISK_MAX, {
		0, BIT(RXDSK_A_DISK_NAME),
		BIT(RXDSK_A_DISK_NAME) | BIT(RXDSK_A_DISK_SIZE) |
		BIT(RXDSK_A_DISK_BLOCK_SIZE) | BIT(RXDSK_A_DISK_QUEUES) |
		BIT(RXDSK_A_DISK_QUEUE_MODE) |
		BIT(RXDSK_A_DISK_PREALLOC) | BIT(RXDSK_A_DISK_NODE) |
		BIT(RXDSK_A_DISK_INTERLEAVE) | BIT(RXDSK_A_DISK_ZERO_DETECT) |
		BIT(RXDSK_A_DISK_LIMIT),
		BIT(RXDSK_A_DISK_NAME),
		BIT(RXDSK_A_DISK_NAME) | BIT(RXDSK_A_DISK_SIZE) |
		BIT(RXDSK_A_DISK_SHRINK),
		BIT(RXDSK_A_DISK_NAME),
		[RXDSK_CMD_DISK_EXTENTS] = BIT(RXDSK_A_DISK_NAME) |
		BIT(RXDSK_A_DISK_CURSOR),
		[RXDSK_CMD_DISK_SET] = BIT(RXDSK_A_DISK_NAME) |
		BIT(RXDSK_A_DISK_LIMIT) } },
	{ RXCACHE_FAMILY_NAME, "rxc", map_types, RXCACHE_A_CACHE_MAX, {
		0, BIT(RXCACHE_A_CACHE_NAME),
		BIT(RXCACHE_A_CACHE_NAME) | BIT(RXCACHE_A_CACHE_DISK) |
		BIT(RXCACHE_A_CACHE_ORIGIN) | BIT(RXCACHE_A_CACHE_BLOCK_SIZE) |
		BIT(RXCACHE_A_CACHE_MODE) |
		BIT(RXCACHE_A_CACHE_WRITE_ALLOCATE) | BIT(RXCACHE_A_CACHE_ERASE) |
		BIT(RXCACHE_A_CACHE_OWN_DISK) | BIT(RXCACHE_A_CACHE_FLOOR) |
		BIT(RXCACHE_A_CACHE_READ_ONLY) | BIT(RXCACHE_A_CACHE_READ_AHEAD) |
		BIT(RXCACHE_A_CACHE_COMPRESS),
		BIT(RXCACHE_A_CACHE_NAME), BIT(RXCACHE_A_CACHE_NAME),
		BIT(RXCACHE_A_CACHE_NAME) | BIT(RXCACHE_A_CACHE_MODE) |
		BIT(RXCACHE_A_CACHE_WRITE_ALLOCATE) | BIT(RXCACHE_A_CACHE_FLOOR) |
		BIT(RXCACHE_A_CACHE_SIZE) | BIT(RXCACHE_A_CACHE_FROZEN) |
		BIT(RXCACHE_A_CACHE_READ_AHEAD) |
		BIT(RXCACHE_A_CACHE_COMPRESS),
		[RXCACHE_CMD_CACHE_VERIFY] = BIT(RXCACHE_A_CACHE_NAME) |
		BIT(RXCACHE_A_CACHE_SAMPLE) | BIT(RXCACHE_A_CACHE_STOP),
		[RXCACHE_CMD_CACHE_PIN] = BIT(RXCACHE_A_CACHE_NAME) |
		BIT(RXCACHE_A_CACHE_OFFSET) | BIT(RXCACHE_A_CACHE_LENGTH),
		[RXCACHE_CMD_CACHE_UNPIN] = BIT(RXCACHE_A_CACHE_NAME) |
		BIT(RXCACHE_A_CACHE_OFFSET) | BIT(RXCACHE_A_CACHE_LENGTH),
		[RXCACHE_CMD_CACHE_RESET_STATS] = BIT(RXCACHE_A_CACHE_NAME),
		[RXCACHE_CMD_CACHE_BLOCKS] = BIT(RXCACHE_A_CACHE_NAME) |
		BIT(RXCACHE_A_CACHE_CURSOR),
		[RXCACHE_CMD_CACHE_WEIGH] = BIT(RXCACHE_A_CACHE_NAME) |
		BIT(RXCACHE_A_CACHE_COMPRESS) } },
};

static struct result {
	unsigned long sent, shown, accepted, refused[256];
	int wrong;
} *result;
static const struct family *fam;
static const struct family *fam;
static int family_id, is_root;
static uint8_t cmd_of[RING];
static uint32_t seq;

static void wrong(const char *what, long value)
{
	fprintf(stderr, "nlfuzz: %s (%ld) after request %u, command %d\n",
		what, value, seq, cmd_of[seq % RING]);
	__atomic_store_n(&result->wrong, 1, __ATOMIC_RELAXED);
}

static void count(unsigned long *n)
{
	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

static void check_text(const char *what, const char *s, int len)
{
	int i;

	if (len < 1 || s[len - 1])
		wrong("no zero at the end of a text", len);
	for (i = 0; i < len - 1; i++)
		if (s[i] < ' ' || s[i] > '~') {
			wrong(what, (unsigned char)s[i]);
			return;
		}
}

/* A sum and 32 buckets, with padding where alignment wants it. */
static void check_latency(const char *p, int len)
{
	int left = len, n;

	for (; left >= NLA_HDRLEN; p += NLA_ALIGN(n), left -= NLA_ALIGN(n)) {
		const struct nlattr *a = (void *)p;

		n = a->nla_len;
		if (n < NLA_HDRLEN || n > left)
			break;
		if (a->nla_type == RXCACHE_A_LATENCY_BUCKETS ? n != NLA_HDRLEN + 256 :
		    a->nla_type == RXCACHE_A_LATENCY_SUM ? n != NLA_HDRLEN + 8 :
		    a->nla_type != RXCACHE_A_LATENCY_PAD)
			break;
	}
	if (left > 0)
		wrong("a histogram that is none", len);
}

static void check_attrs(const uint8_t *types, int max, const char *p, int len)
{
	static const int lengths[] = { [U8] = 1, [U32] = 4, [U64] = 8 };

	while (len >= NLA_HDRLEN) {
		const struct nlattr *a = (void *)p;
		int type = a->nla_type & NLA_TYPE_MASK, n = a->nla_len, i;
		int kind = types ? type > max ? NONE : types[type] :
				   type == 1 ? PAD : type > max ? NONE : U64;

		if (n < NLA_HDRLEN || n > len) {
			wrong("an attribute of a wrong length", n);
			return;
		}
		if (kind == NONE || kind == FLAG)
			wrong("an attribute that is not in the spec", type);
		else if (kind < FLAG && kind != PAD && n - NLA_HDRLEN != lengths[kind])
			wrong("a number of a wrong length", n);
		else if (kind == STRING)
			check_text("not a text", p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == STATS)
			check_attrs(NULL, RXCACHE_A_STATS_MAX, p + NLA_HDRLEN,
				    n - NLA_HDRLEN);
		else if (kind == NODES && (n - NLA_HDRLEN) % 8)
			wrong("numbers of a wrong length", n);
		else if (kind == LATENCY)
			check_latency(p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == RECENT)
			check_attrs(NULL, RXCACHE_A_RECENT_MAX, p + NLA_HDRLEN,
				    n - NLA_HDRLEN);
		else if (kind == VERIFY)
			check_attrs(verify_types, RXCACHE_A_VERIFY_MAX,
				    p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == RESIZE)
			check_attrs(resize_types, RXCACHE_A_RESIZE_MAX,
				    p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == SHADOW)
			check_attrs(shadow_types, RXCACHE_A_SHADOW_MAX,
				    p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == POINT)
			check_attrs(point_types, RXCACHE_A_SHADOW_POINT_MAX,
				    p + NLA_HDRLEN, n - NLA_HDRLEN);
		else if (kind == BLOCKS && (n - NLA_HDRLEN) % 8)
			wrong("a list of blocks with a part of a number", n);
		else if (kind == EXTENTS && (n - NLA_HDRLEN) % 16)
			wrong("a list of extents with a part of a pair", n);
		for (i = n; i < (int)NLA_ALIGN(n) && i < len; i++)
			if (p[i])
				wrong("bytes between attributes", p[i]);
		p += NLA_ALIGN(n);
		len -= NLA_ALIGN(n);
	}
}

static void check_error(const struct nlmsghdr *h)
{
	const struct nlmsgerr *e = NLMSG_DATA(h);
	const char *p = (char *)(e + 1), *end = (char *)h + h->nlmsg_len;
	int cmd = cmd_of[e->msg.nlmsg_seq % RING], has_text = 0;

	if (e->error > 0 || e->error < -4095)
		wrong("not an errno", e->error);
	while (h->nlmsg_flags & NLM_F_ACK_TLVS && p + NLA_HDRLEN <= end) {
		const struct nlattr *a = (void *)p;

		if (a->nla_len < NLA_HDRLEN)
			break;
		if ((a->nla_type & NLA_TYPE_MASK) == NLMSGERR_ATTR_MSG) {
			has_text = 1;
			check_text("extack that is no text", p + NLA_HDRLEN,
				   a->nla_len - NLA_HDRLEN);
		}
		p += NLA_ALIGN(a->nla_len);
	}
	/* Netlink's own word for a second dump before the end of the first. */
	if (e->error == -EBUSY && e->msg.nlmsg_flags & NLM_F_DUMP)
		has_text = 1;
	switch (-e->error) {
	case 0:
		/* What is no request is acknowledged unread. */
		if (cmd >= 2 && cmd <= CMDS && e->msg.nlmsg_type == family_id &&
		    e->msg.nlmsg_flags & NLM_F_REQUEST) {
			count(&result->accepted);
			if (!is_root)
				wrong("told that a change was made", cmd);
		}
		return;
	case EPERM: case ENODEV: case EBUSY: case EEXIST: case ENOTEMPTY:
	case ENOTBLK: case EALREADY: case EROFS: case EAGAIN:
		if (!has_text)
			wrong("refused without a text", e->error);
	}
	count(&result->refused[-e->error & 255]);
}

#endif
