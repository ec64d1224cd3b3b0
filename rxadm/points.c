// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shadow of a cache as attributes: its nest has an attribute, itself a
 * nest, that comes once for each size and setting. As text each is
 * "shadow.point=SIZE,HITS,WHAT".
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>

#include "model.h"

_Static_assert((int)RX_AS_IS == RXCACHE_SHADOW_WHAT_AS_IS &&
	       (int)RX_FLIPPED == RXCACHE_SHADOW_WHAT_WRITE_ALLOCATE_FLIPPED &&
	       (int)RX_NO_SEQUENTIAL == RXCACHE_SHADOW_WHAT_SEQUENTIAL_BYPASS,
	       "what a point is about is as in the protocol");

const char *const rx_what_names[] = {
	[RX_AS_IS] = "as-is",
	[RX_FLIPPED] = "write-allocate-flipped",
	[RX_NO_SEQUENTIAL] = "sequential-bypass",
	NULL
};

const struct rx_attr shadow_attrs[] = {
	NUM(RXCACHE_A_SHADOW_RATE, A_U32, "rate", rx_shadow, rate),
	NUM(RXCACHE_A_SHADOW_READS, A_U64, "reads", rx_shadow, reads),
	NUM(RXCACHE_A_SHADOW_LOST, A_U64, "lost", rx_shadow, lost),
	NUM(RXCACHE_A_SHADOW_POINT, A_POINT, "point", rx_shadow, points),
	{ .name = NULL }
};

void points_clear(void *points)
{
	memset(points, 0, sizeof(struct rx_points));
}

static struct rx_point parse(const struct nlattr *nla)
{
	struct rx_point point = { RX_NONE, RX_NONE, RX_NONE };
	struct nlattr *inner;
	int rest;

	nla_for_each_nested(inner, nla, rest) {
		switch (nla_type(inner)) {
		case RXCACHE_A_SHADOW_POINT_SIZE:
			point.size = attr_number(inner);
			break;
		case RXCACHE_A_SHADOW_POINT_HITS:
			point.hits = attr_number(inner);
			break;
		case RXCACHE_A_SHADOW_POINT_WHAT:
			point.what = attr_number(inner);
			break;
		}
	}
	return point;
}

/* Of more than there are places for the last ones are left out. */
void points_take(const struct nlattr *nla, void *into)
{
	struct rx_points *points = into;

	if (points->n < RX_POINTS)
		points->at[points->n++] = parse(nla);
}

void point_write(FILE *f, const struct nlattr *nla)
{
	struct rx_point point = parse(nla);

	fprintf(f, "%" PRIu64 ",%" PRIu64 ",", point.size, point.hits);
	if (point.what < RX_WHATS)
		fputs(rx_what_names[point.what], f);
	else
		fprintf(f, "%" PRIu64, point.what);
}

int point_put(struct nl_msg *msg, int nr, const char *text)
{
	unsigned long long size, hits;
	struct nlattr *nest;
	unsigned int what;
	char name[32];

	if (sscanf(text, "%llu,%llu,%31s", &size, &hits, name) != 3)
		return -1;
	for (what = 0; what < RX_WHATS; what++)
		if (!strcmp(rx_what_names[what], name))
			break;
	if (what == RX_WHATS)
		what = atoi(name);
	nest = nla_nest_start(msg, nr);
	if (!nest || nla_put_u64(msg, RXCACHE_A_SHADOW_POINT_SIZE, size) ||
	    nla_put_u64(msg, RXCACHE_A_SHADOW_POINT_HITS, hits) ||
	    nla_put_u32(msg, RXCACHE_A_SHADOW_POINT_WHAT, what))
		return -1;
	return nla_nest_end(msg, nest);
}
