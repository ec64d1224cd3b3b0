// SPDX-License-Identifier: GPL-2.0-only
/*
 * The netlink family "rxdsk". What the attributes mean is said in
 * module/spec/rxdsk.yaml; replies, dumps and events are one message form.
 */
#include <linux/blkdev.h>
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <net/genetlink.h>
#include "netlink_gen.h"
#include "rxdsk.h"

static struct genl_family rxd_nl_family;

static int refuse(struct genl_info *info, int err, const char *why)
{
	if (info->extack)
		info->extack->_msg = why;
	return err;
}

/*
 * Of the socket's opener and of the sender, in the initial namespaces; the
 * family's own flag would ask for CAP_NET_ADMIN only.
 */
static int may_change(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	return refuse(info, -EPERM, "CAP_SYS_ADMIN is needed");
}

/* The disk named in the request, with a reference, or ERR_PTR. */
static struct rxd_disk *disk_of(struct genl_info *info)
{
	struct nlattr *name = info->attrs[RXDSK_A_DISK_NAME];
	struct rxd_disk *d;
	const char *why;

	if (!name)
		return ERR_PTR(refuse(info, -EINVAL, "the name is missing"));
	d = rxd_disk_get(nla_data(name), &why);
	if (IS_ERR(d))
		refuse(info, PTR_ERR(d), why);
	return d;
}

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, RXDSK_A_DISK_PAD);
}

static u8 state_of(const struct rxd_disk *d)
{
	if (d->dying)
		return RXDSK_DISK_STATE_DETACHING;
	return d->clear.busy ? RXDSK_DISK_STATE_CLEARING :
			       RXDSK_DISK_STATE_ACTIVE;
}

/* A page can be counted out before it is counted in; never show below zero. */
static u64 count(const atomic_long_t *counter)
{
	return max(atomic_long_read(counter), 0L);
}

/* Ends or cancels the message whose header is @hdr. */
static int fill(struct sk_buff *skb, const struct rxd_disk *d, void *hdr)
{
	u64 used = count(&d->used), spare = 0;

	lockdep_assert_held(&rxd_table_lock);
	if (d->pool.holder[0])
		spare = min_t(u64, used, rxd_stock_pages(&d->pool));

	if (nla_put_string(skb, RXDSK_A_DISK_NAME, d->gd->disk_name) ||
	    put_u64(skb, RXDSK_A_DISK_SIZE, rxd_disk_size(d)) ||
	    nla_put_u32(skb, RXDSK_A_DISK_BLOCK_SIZE, d->block_size) ||
	    nla_put_u8(skb, RXDSK_A_DISK_QUEUE_MODE, d->queue_mode) ||
	    (d->queue_mode == RXDSK_QUEUE_MODE_MQ &&
	     nla_put_u32(skb, RXDSK_A_DISK_QUEUES, d->tags.nr_hw_queues)) ||
	    nla_put_u8(skb, RXDSK_A_DISK_READ_ONLY, d->read_only) ||
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
	    nla_put_u8(skb, RXDSK_A_DISK_STATE, state_of(d))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* The disk's state as an unicast to the sender of @info, or as an event. */
static int message_fill(struct sk_buff *msg, const struct rxd_disk *d, u8 cmd,
			struct genl_info *info)
{
	int err = -EMSGSIZE;
	void *hdr;

	if (info)
		hdr = genlmsg_put_reply(msg, info, &rxd_nl_family, 0, cmd);
	else
		hdr = genlmsg_put(msg, 0, 0, &rxd_nl_family, 0, cmd);
	if (hdr) {
		mutex_lock(&rxd_table_lock);
		err = fill(msg, d, hdr);
		mutex_unlock(&rxd_table_lock);
	}
	return err;
}

/*
 * Memory for the reply, taken before anything is changed: later it would be
 * too late to refuse the request. NULL: refused.
 */
static struct sk_buff *reply_new(struct genl_info *info)
{
	struct sk_buff *msg = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!msg)
		refuse(info, -ENOMEM, "no memory for the reply");
	return msg;
}

/* Fills, sends and so frees @msg. */
static int reply_send(struct sk_buff *msg, const struct rxd_disk *d,
		      struct genl_info *info)
{
	int err = message_fill(msg, d, info->genlhdr->cmd, info);

	if (!err)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return err;
}

/* To be sent later. NULL if nobody listens. */
struct sk_buff *rxd_nl_event(const struct rxd_disk *d, u8 cmd)
{
	struct sk_buff *msg;

	if (!genl_has_listeners(&rxd_nl_family, &init_net,
				RXDSK_NLGRP_MONITOR))
		return NULL;
	msg = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (msg && message_fill(msg, d, cmd, NULL)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return msg;
}

/* Sends and so frees what rxd_nl_event() has returned. */
void rxd_nl_event_send(struct sk_buff *msg)
{
	if (msg)
		genlmsg_multicast(&rxd_nl_family, msg, 0, RXDSK_NLGRP_MONITOR,
				  GFP_KERNEL);
}

/* The caller holds a reference to the disk. */
void rxd_nl_notify(struct rxd_disk *d, u8 cmd)
{
	rxd_nl_event_send(rxd_nl_event(d, cmd));
}

int rxdsk_nl_disk_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_disk *d = disk_of(info);
	struct sk_buff *msg;
	int err = -ENOMEM;

	if (IS_ERR(d))
		return PTR_ERR(d);
	msg = reply_new(info);
	if (msg)
		err = reply_send(msg, d, info);
	rxd_disk_put(d);
	return err;
}

/*
 * Resumes at the number after the last disk that fitted. If the table changes
 * between two parts, the second is marked and the reader starts anew.
 */
int rxdsk_nl_disk_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned long *next = (unsigned long *)cb->ctx, index;
	struct rxd_disk *d;
	void *hdr;

	mutex_lock(&rxd_table_lock);
	cb->seq = rxd_generation;
	xa_for_each_start(&rxd_table, index, d, *next) {
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, &rxd_nl_family,
				  NLM_F_MULTI, RXDSK_CMD_DISK_GET);
		if (!hdr)
			break;
		genl_dump_check_consistent(cb, hdr);
		if (fill(skb, d, hdr))
			break;
		*next = index + 1;
	}
	mutex_unlock(&rxd_table_lock);
	return skb->len;
}

static int params_of(struct genl_info *info, struct rxd_params *p)
{
	struct nlattr **a = info->attrs;

	*p = (struct rxd_params){ .index = -1, .block_size = 512 };
	if (!a[RXDSK_A_DISK_SIZE])
		return refuse(info, -EINVAL, "the size is missing");
	p->size = nla_get_u64(a[RXDSK_A_DISK_SIZE]);
	if (a[RXDSK_A_DISK_NAME]) {
		p->index = rxd_name_parse(nla_data(a[RXDSK_A_DISK_NAME]));
		if (p->index < 0)
			return refuse(info, -EINVAL,
				      "a name is rxd and a number below 1048576");
	}
	if (a[RXDSK_A_DISK_BLOCK_SIZE])
		p->block_size = nla_get_u32(a[RXDSK_A_DISK_BLOCK_SIZE]);
	if (a[RXDSK_A_DISK_QUEUES])
		p->queues = nla_get_u32(a[RXDSK_A_DISK_QUEUES]);
	if (a[RXDSK_A_DISK_READ_ONLY])
		p->read_only = nla_get_u8(a[RXDSK_A_DISK_READ_ONLY]);
	if (a[RXDSK_A_DISK_QUEUE_MODE])
		p->queue_mode = nla_get_u8(a[RXDSK_A_DISK_QUEUE_MODE]);
	return 0;
}

int rxdsk_nl_disk_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_params p;
	struct sk_buff *msg;
	struct rxd_disk *d;
	const char *why;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	err = params_of(info, &p);
	if (err)
		return err;
	msg = reply_new(info);
	if (!msg)
		return -ENOMEM;
	d = rxd_disk_attach(&p, &why);
	if (IS_ERR(d)) {
		nlmsg_free(msg);
		return refuse(info, PTR_ERR(d), why);
	}
	rxd_nl_notify(d, RXDSK_CMD_DISK_NEW_NTF);
	err = reply_send(msg, d, info);
	rxd_disk_put(d);
	return err;
}

int rxdsk_nl_disk_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_disk *d;
	const char *why;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	d = disk_of(info);
	if (IS_ERR(d))
		return PTR_ERR(d);
	err = rxd_disk_detach(d, &why);
	if (err)
		refuse(info, err, why);
	rxd_disk_put(d);
	return err;
}

int rxdsk_nl_disk_resize_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *size = info->attrs[RXDSK_A_DISK_SIZE];
	struct sk_buff *msg;
	struct rxd_disk *d;
	const char *why;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	if (!size)
		return refuse(info, -EINVAL, "the size is missing");
	d = disk_of(info);
	if (IS_ERR(d))
		return PTR_ERR(d);
	msg = reply_new(info);
	err = -ENOMEM;
	if (!msg)
		goto out;
	err = rxd_disk_resize(d, nla_get_u64(size),
			      info->attrs[RXDSK_A_DISK_SHRINK], &why);
	if (err) {
		nlmsg_free(msg);
		refuse(info, err, why);
	} else {
		rxd_nl_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
		err = reply_send(msg, d, info);
	}
out:
	rxd_disk_put(d);
	return err;
}

int rxdsk_nl_disk_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg;
	struct rxd_disk *d;
	const char *why;
	int err;

	err = may_change(skb, info);
	if (err)
		return err;
	d = disk_of(info);
	if (IS_ERR(d))
		return PTR_ERR(d);
	msg = reply_new(info);
	err = -ENOMEM;
	if (!msg)
		goto out;
	err = rxd_disk_erase(d, &why);
	if (err) {
		nlmsg_free(msg);
		refuse(info, err, why);
	} else {
		rxd_nl_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
		err = reply_send(msg, d, info);
	}
out:
	rxd_disk_put(d);
	return err;
}

static const struct genl_multicast_group rxd_nl_mcgrps[] = {
	[RXDSK_NLGRP_MONITOR] = { RXDSK_MCGRP_MONITOR, },
};

static struct genl_family rxd_nl_family __ro_after_init = {
	.name		= RXDSK_FAMILY_NAME,
	.version	= RXDSK_FAMILY_VERSION,
	.module		= THIS_MODULE,
	.parallel_ops	= true,
	.ops		= rxdsk_nl_ops,
	.n_ops		= ARRAY_SIZE(rxdsk_nl_ops),
	.mcgrps		= rxd_nl_mcgrps,
	.n_mcgrps	= ARRAY_SIZE(rxd_nl_mcgrps),
};

int rxd_nl_init(void)
{
	return genl_register_family(&rxd_nl_family);
}

/* Waits for handlers; nobody can call one afterwards. */
void rxd_nl_exit(void)
{
	genl_unregister_family(&rxd_nl_family);
}

MODULE_ALIAS_GENL_FAMILY(RXDSK_FAMILY_NAME);
