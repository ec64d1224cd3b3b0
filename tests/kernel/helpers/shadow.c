// SPDX-License-Identifier: GPL-2.0-only
/*
 * shadow CACHE
 *
 * Prints what the module says of a cache's shadow as JSON: {"rate":R,"reads":N,"lost":N,"points":[{"what":N,"size":N,
 * "hits":N}...]}, or null if there is none. Exit status 2 if there is no such cache.
 */
#include <stdbool.h>
#include "../../../module/include/uapi/linux/rxcache.h"
#include "genl.h"

static struct genl genl;

static unsigned long long number(const struct nlattr *a)
{
	uint64_t v = 0;

	memcpy(&v, GENL_DATA(a), a->nla_len - NLA_HDRLEN);
	return v;
}

static void print_point(const struct nlattr *point, bool first)
{
	static const char *const names[] = {
		[RXCACHE_A_SHADOW_POINT_SIZE] = "size",
		[RXCACHE_A_SHADOW_POINT_HITS] = "hits",
		[RXCACHE_A_SHADOW_POINT_WHAT] = "what",
	};
	const char *comma = "";

	printf(first ? "{" : ",{");
	genl_each(a, GENL_DATA(point), (char *)point + point->nla_len) {
		if (a->nla_type == RXCACHE_A_SHADOW_POINT_PAD)
			continue;
		printf("%s\"%s\":%llu", comma, names[a->nla_type], number(a));
		comma = ",";
	}
	printf("}");
}

static void print_shadow(const struct nlattr *shadow)
{
	bool first = true;

	printf("{");
	genl_each(a, GENL_DATA(shadow), (char *)shadow + shadow->nla_len) {
		switch (a->nla_type & NLA_TYPE_MASK) {
		case RXCACHE_A_SHADOW_RATE:
			printf("\"rate\":%llu,", number(a));
			break;
		case RXCACHE_A_SHADOW_READS:
			printf("\"reads\":%llu,", number(a));
			break;
		case RXCACHE_A_SHADOW_LOST:
			printf("\"lost\":%llu,\"points\":[", number(a));
			break;
		case RXCACHE_A_SHADOW_POINT:
			print_point(a, first);
			first = false;
			break;
		}
	}
	printf("]}\n");
}

static void print(struct genl *g, struct nlmsghdr *h)
{
	struct genlmsghdr *gh = NLMSG_DATA(h);

	(void)g;
	genl_each(a, (char *)gh + GENL_HDRLEN, (char *)h + h->nlmsg_len) {
		if ((a->nla_type & NLA_TYPE_MASK) == RXCACHE_A_CACHE_SHADOW) {
			print_shadow(a);
			return;
		}
	}
	printf("null\n");
}

static int ask(int family, const char *cache)
{
	genl_begin(&genl, family, RXCACHE_CMD_CACHE_GET, NLM_F_ACK);
	genl_put_str(&genl, RXCACHE_A_CACHE_NAME, cache);
	return family ? genl_talk(&genl, print) : ENOENT;
}

int main(int argc, char **argv)
{
	int family, err;

	if (argc != 2)
		return 3;
	genl_open(&genl);
	family = genl_family(&genl, RXCACHE_FAMILY_NAME);
	err = ask(family, argv[1]);
	if (err)
		fprintf(stderr, "shadow: %s: %s\n", argv[1], strerror(err));
	return err ? 2 : 0;
}
