// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the kernel which parts of a disk have memory. A reply has some of them, and a cursor
 * if there may be more.
 */
#include <string.h>

#include <linux/rxdsk.h>
#include <netlink/attr.h>

#include "base/say.h"
#include "base/wait.h"
#include "image/diskparts.h"
#include "kernel/errtext.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/run.h"
#include "system/extents.h"

/* The content of a reply. */
struct reply {
	struct rx_extents *parts;
	uint64_t id, size, cursor;	/* cursor: RX_NONE after the last reply */
};

static void take_reply(void *arg, const void *attrs, size_t len)
{
	struct reply *reply = arg;
	struct nlattr *nla;
	uint64_t pair[2];
	int rest, i;

	reply->cursor = RX_NONE;
	nla_for_each_attr(nla, (struct nlattr *)attrs, (int)len, rest) {
		if (nla_type(nla) == RXDSK_A_DISK_ID)
			reply->id = nla_get_u64(nla);
		if (nla_type(nla) == RXDSK_A_DISK_SIZE)
			reply->size = nla_get_u64(nla);
		if (nla_type(nla) == RXDSK_A_DISK_CURSOR)
			reply->cursor = nla_get_u64(nla);
		if (nla_type(nla) != RXDSK_A_DISK_EXTENTS)
			continue;
		for (i = 0; i + (int)sizeof(pair) <= nla_len(nla); i += sizeof(pair)) {
			memcpy(pair, (char *)nla_data(nla) + i, sizeof(pair));
			extents_add(reply->parts, pair[0], pair[1], false);
		}
	}
}

/* Asks for all parts, one reply after the other. */
static int ask_parts(const char *verb, const struct rx_disk *disk, struct reply *reply)
{
	struct rx_req req;
	struct rx_err err;
	int ret;

	do {
		if (signals_pending()) {
			say(verb, disk->name, "interrupted; nothing was changed");
			return RX_KERNEL;
		}
		req_named(&req, RX_DISK, RXDSK_CMD_DISK_EXTENTS, disk->name);
		req_num(&req, RXDSK_A_DISK_CURSOR, reply->cursor);
		ret = nl_read(&req, take_reply, reply, &err);
		req_free(&req);
		if (ret)
			return err_report(verb, disk->name, &err);
		if (reply->id != disk->id) {
			say(verb, disk->name, "was detached and attached anew meanwhile; try again");
			return RX_KERNEL;
		}
		if (reply->size != disk->size) {
			say(verb, disk->name, "was resized meanwhile; try again");
			return RX_KERNEL;
		}
	} while (reply->cursor != RX_NONE);
	return RX_OK;
}

int disk_parts(const char *verb, const struct rx_disk *disk, struct rx_extents *parts)
{
	struct reply reply = { parts, disk->id, disk->size, RX_NONE };
	int ret;

	*parts = (struct rx_extents){ 0 };
	ret = ask_parts(verb, disk, &reply);
	if (ret)
		extents_free(parts);
	return ret;
}
