// SPDX-License-Identifier: GPL-2.0-only
/*
 * asksmap DISK ORIGIN
 *
 * Asks rxcache to map ORIGIN, a path that is sent as it is, on DISK. Prints "ERRNO: text" of a refusal, exit status 2.
 */
#define _GNU_SOURCE
#include "../../../module/include/uapi/linux/rxcache.h"
#include "genl.h"

static void ignore(struct genl *g, struct nlmsghdr *h)
{
	(void)g;
	(void)h;
}

int main(int argc, char **argv)
{
	struct genl g = { 0 };
	int err;

	if (argc != 3)
		return 1;
	genl_open(&g);
	genl_begin(&g, genl_family(&g, RXCACHE_FAMILY_NAME), RXCACHE_CMD_CACHE_NEW, NLM_F_ACK);
	genl_put_str(&g, RXCACHE_A_CACHE_DISK, argv[1]);
	genl_put_str(&g, RXCACHE_A_CACHE_ORIGIN, argv[2]);
	err = genl_talk(&g, ignore);
	if (!err)
		return 0;
	printf("%s: %s\n", strerrorname_np(err), g.text);
	return 2;
}
