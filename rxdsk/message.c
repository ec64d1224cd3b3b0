// SPDX-License-Identifier: GPL-2.0-only
/*
 * The netlink family "rxdsk", and its message about a disk, which has one form for
 * replies, dumps and events.
 */
#include <linux/blkdev.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <net/genetlink.h>
#include "netlink_gen.h"
#include "rxdsk.h"

/* A message has at most this many nodes, the first of the machine. */
enum { NODES_MAX = 32 };

static const struct genl_multicast_group rxd_mcgrps[] = {
	[RXDSK_NLGRP_MONITOR] = { RXDSK_MCGRP_MONITOR, },
};

/* The table of requests is generated; netlink.c has the handlers that it names. */
struct genl_family rxd_family __ro_after_init = {
	.name		= RXDSK_FAMILY_NAME,
	.version	= RXDSK_FAMILY_VERSION,
	.module		= THIS_MODULE,
	.parallel_ops	= true,
	.ops		= rxdsk_nl_ops,
	.n_ops		= ARRAY_SIZE(rxdsk_nl_ops),
	.mcgrps		= rxd_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(rxd_mcgrps),
};

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, RXDSK_A_DISK_PAD);
}

static u8 state_of(const struct rxd_disk *d)
{
	if (d->dying)
		return RXDSK_DISK_STATE_DETACHING;
	if (d->preparing)
		return RXDSK_DISK_STATE_PREPARING;
	return d->clear.busy ? RXDSK_DISK_STATE_CLEARING :
			       RXDSK_DISK_STATE_ACTIVE;
}

/* A page can be subtracted before it is added, so a counter may be negative here. */
static u64 count(const atomic_long_t *counter)
{
	return max(atomic_long_read(counter), 0L);
}

static u64 limit_of(const struct rxd_disk *d)
{
	long limit = READ_ONCE(d->limit);

	return limit == LONG_MAX ? 0 : (u64)limit << PAGE_SHIFT;
}

/* Adds the nodes that the disk's memory may come from, and how much each has. */
static bool put_nodes(struct sk_buff *skb, const struct rxd_disk *d)
{
	int node, nr = min_t(int, nr_node_ids, NODES_MAX);
	u64 used[NODES_MAX];

	if ((d->node >= 0 && nla_put_u32(skb, RXDSK_A_DISK_NODE, d->node)) ||
	    nla_put_u8(skb, RXDSK_A_DISK_INTERLEAVE,
		       d->node == RXD_NODE_INTERLEAVE))
		return false;
	/* The pages of a cache do not pass the store, which counts by node. */
	if (!d->node_used || d->pool.holder[0])
		return true;
	for (node = 0; node < nr; node++)
		used[node] = count(&d->node_used[node]) << PAGE_SHIFT;
	return !nla_put(skb, RXDSK_A_DISK_USED_NODES, nr * sizeof(u64), used);
}

/*
 * Fills the message that @hdr begins, for a reply, a dump or an event. Context:
 * process, under rxd_disks_lock. Return: 0, or -EMSGSIZE if the disk does not fit,
 * and then @skb has nothing of it.
 */
int rxd_message_fill(struct sk_buff *skb, const struct rxd_disk *d, void *hdr)
{
	u64 used = count(&d->used), spare = 0;

	lockdep_assert_held(&rxd_disks_lock);
	if (d->pool.holder[0])
		spare = min_t(u64, used, rxd_stock_pages(&d->pool));

	if (nla_put_string(skb, RXDSK_A_DISK_NAME, d->gd->disk_name) ||
	    put_u64(skb, RXDSK_A_DISK_SIZE, rxd_disk_size(d)) ||
	    nla_put_u32(skb, RXDSK_A_DISK_BLOCK_SIZE, d->block_size) ||
	    nla_put_u8(skb, RXDSK_A_DISK_QUEUE_MODE, d->queue_mode) ||
	    (d->queue_mode == RXDSK_QUEUE_MODE_MQ &&
	     nla_put_u32(skb, RXDSK_A_DISK_QUEUES, d->tags.nr_hw_queues)) ||
	    nla_put_u8(skb, RXDSK_A_DISK_READ_ONLY,
		       bdev_read_only(d->gd->part0)) ||
	    put_u64(skb, RXDSK_A_DISK_USED, (used - spare) << PAGE_SHIFT) ||
	    put_u64(skb, RXDSK_A_DISK_FREEING,
		    (count(&d->reap.pages) + count(&d->clear.pages) + spare) <<
		    PAGE_SHIFT) ||
	    nla_put_u32(skb, RXDSK_A_DISK_OPENERS, disk_openers(d->gd)) ||
	    (d->pool.holder[0] &&
	     nla_put_string(skb, RXDSK_A_DISK_HOLDER, d->pool.holder)) ||
	    nla_put_u32(skb, RXDSK_A_DISK_MAJOR, d->gd->major) ||
	    nla_put_u32(skb, RXDSK_A_DISK_MINOR, d->gd->first_minor) ||
	    put_u64(skb, RXDSK_A_DISK_NO_SPACE, count(&d->no_space)) ||
	    put_u64(skb, RXDSK_A_DISK_SLOW_WRITES, count(&d->slow_writes)) ||
	    nla_put_u8(skb, RXDSK_A_DISK_STATE, state_of(d)) ||
	    nla_put_u8(skb, RXDSK_A_DISK_PREALLOC, d->prealloc) ||
	    (d->error && nla_put_u32(skb, RXDSK_A_DISK_ERROR, d->error)) ||
	    !put_nodes(skb, d) ||
	    nla_put_u8(skb, RXDSK_A_DISK_ZERO_DETECT, d->zero_detect) ||
	    put_u64(skb, RXDSK_A_DISK_ID, d->id) ||
	    put_u64(skb, RXDSK_A_DISK_LIMIT, limit_of(d))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* As rxd_message_put(). Context: process, under rxd_disks_lock. */
static int message_put(struct sk_buff *msg, const struct rxd_disk *d, u8 cmd,
		       struct genl_info *info)
{
	void *hdr;

	if (info)
		hdr = genlmsg_put_reply(msg, info, &rxd_family, 0, cmd);
	else
		hdr = genlmsg_put(msg, 0, 0, &rxd_family, 0, cmd);
	return hdr ? rxd_message_fill(msg, d, hdr) : -EMSGSIZE;
}

/*
 * Adds the disk as it is now, as a reply to the request @info or, if @info is NULL, as
 * an event. Return: 0 or -EMSGSIZE.
 */
int rxd_message_put(struct sk_buff *msg, const struct rxd_disk *d, u8 cmd,
		    struct genl_info *info)
{
	int err;

	mutex_lock(&rxd_disks_lock);
	err = message_put(msg, d, cmd, info);
	mutex_unlock(&rxd_disks_lock);
	return err;
}

/* As rxd_event_new(). Context: process, under rxd_disks_lock. */
static struct sk_buff *event_new(const struct rxd_disk *d, u8 cmd)
{
	struct sk_buff *msg;

	if (!genl_has_listeners(&rxd_family, &init_net,
				RXDSK_NLGRP_MONITOR))
		return NULL;
	msg = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (msg && message_put(msg, d, cmd, NULL)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return msg;
}

/* Returns an event to be sent later, or NULL if there is no listener or no memory. */
struct sk_buff *rxd_event_new(const struct rxd_disk *d, u8 cmd)
{
	struct sk_buff *msg;

	mutex_lock(&rxd_disks_lock);
	msg = event_new(d, cmd);
	mutex_unlock(&rxd_disks_lock);
	return msg;
}

/* Sends and so frees the event of rxd_event_new(); does nothing if @msg is NULL. */
void rxd_event_send(struct sk_buff *msg)
{
	if (msg)
		genlmsg_multicast(&rxd_family, msg, 0, RXDSK_NLGRP_MONITOR,
				  GFP_KERNEL);
}

/*
 * Sends an event under rxd_disks_lock, so that the last event of a disk has its present
 * state, and no event follows the one about its end. The caller holds a reference to
 * the disk.
 */
void rxd_notify_locked(struct rxd_disk *d, u8 cmd)
{
	lockdep_assert_held(&rxd_disks_lock);
	if (xa_load(&rxd_disks, d->index) == d)
		rxd_event_send(event_new(d, cmd));
}

/* Does the same for a caller that has not taken the lock. */
void rxd_notify(struct rxd_disk *d, u8 cmd)
{
	mutex_lock(&rxd_disks_lock);
	rxd_notify_locked(d, cmd);
	mutex_unlock(&rxd_disks_lock);
}

int rxd_message_init(void)
{
	return genl_register_family(&rxd_family);
}

/* Waits for handlers; none can be called afterwards. */
void rxd_message_exit(void)
{
	genl_unregister_family(&rxd_family);
}

MODULE_ALIAS_GENL_FAMILY(RXDSK_FAMILY_NAME);
