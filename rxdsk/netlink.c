// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles the requests of the netlink family "rxdsk". module/spec/rxdsk.yaml describes
 * the attributes.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include "extents.h"
#include "netlink_gen.h"
#include "rxdsk.h"

enum {
	/* The most extents in a reply; they take 8 KiB. */
	EXTENTS_MAX = 512,
	/* Bytes of the other attributes and the headers. */
	EXTENTS_REST = 256,
};

static int refuse(struct genl_info *info, int err, const char *why)
{
	if (info->extack)
		info->extack->_msg = why;
	return err;
}

/*
 * For requests that change a disk or tell of its content. The socket's opener and the
 * sender both need CAP_SYS_ADMIN in the initial user namespace; the family's own flag
 * would ask for CAP_NET_ADMIN only.
 */
static int check_admin(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	return refuse(info, -EPERM, "CAP_SYS_ADMIN is needed");
}

/* Returns the disk that the request names, with a reference, or ERR_PTR. */
static struct rxd_disk *request_disk(struct genl_info *info)
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

/*
 * Takes memory for the reply before anything changes, because a request cannot be
 * refused after that. Returns NULL if the request is refused.
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
	int err = rxd_message_put(msg, d, info->genlhdr->cmd, info);

	if (!err)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return err;
}

/*
 * Returns whether a request is to be carried out. One with "validate" takes the same locks
 * and meets the same checks, and ends where the first thing would change.
 */
static bool commits(const struct genl_info *info)
{
	return !info->attrs[RXDSK_A_DISK_VALIDATE];
}

int rxdsk_nl_disk_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_disk *d = request_disk(info);
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
 * Resumes at the number after the last disk that fitted. If a disk comes or goes
 * between two parts, the second is marked and the reader starts anew.
 */
int rxdsk_nl_disk_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned long *next = (unsigned long *)cb->ctx, index;
	struct rxd_disk *d;
	void *hdr;

	mutex_lock(&rxd_disks_lock);
	cb->seq = rxd_generation;
	xa_for_each_start(&rxd_disks, index, d, *next) {
		hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				  cb->nlh->nlmsg_seq, &rxd_family,
				  NLM_F_MULTI, RXDSK_CMD_DISK_GET);
		if (!hdr)
			break;
		genl_dump_check_consistent(cb, hdr);
		if (rxd_message_fill(skb, d, hdr))
			break;
		*next = index + 1;
	}
	mutex_unlock(&rxd_disks_lock);
	return skb->len;
}

static int params_of(struct genl_info *info, struct rxd_params *p)
{
	struct nlattr **a = info->attrs;

	*p = (struct rxd_params){ .index = -1, .block_size = 512,
				 .node = RXD_NODE_ANY, .commit = commits(info) };
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
	if (a[RXDSK_A_DISK_QUEUE_MODE])
		p->queue_mode = nla_get_u8(a[RXDSK_A_DISK_QUEUE_MODE]);
	if (a[RXDSK_A_DISK_PREALLOC])
		p->prealloc = nla_get_u8(a[RXDSK_A_DISK_PREALLOC]);
	if (a[RXDSK_A_DISK_ZERO_DETECT])
		p->zero_detect = nla_get_u8(a[RXDSK_A_DISK_ZERO_DETECT]);
	if (a[RXDSK_A_DISK_LIMIT])
		p->limit = nla_get_u64(a[RXDSK_A_DISK_LIMIT]);
	if (p->limit && p->limit < PAGE_SIZE)
		return refuse(info, -EINVAL, "the limit must be at least a page, or 0");
	if (p->limit && p->prealloc)
		return refuse(info, -EINVAL,
			      "a preallocated disk has all of its memory, so it has no limit");
	if (a[RXDSK_A_DISK_INTERLEAVE] &&
	    nla_get_u8(a[RXDSK_A_DISK_INTERLEAVE]))
		p->node = RXD_NODE_INTERLEAVE;
	if (a[RXDSK_A_DISK_NODE]) {
		if (p->node == RXD_NODE_INTERLEAVE)
			return refuse(info, -EINVAL,
				      "a disk has one node or is interleaved, not both");
		p->node = min_t(u32, nla_get_u32(a[RXDSK_A_DISK_NODE]), INT_MAX);
	}
	return 0;
}

int rxdsk_nl_disk_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_params p;
	struct sk_buff *msg;
	struct rxd_disk *d;
	const char *why;
	int err;

	err = check_admin(skb, info);
	if (err)
		return err;
	err = params_of(info, &p);
	if (err)
		return err;
	msg = reply_new(info);
	if (!msg)
		return -ENOMEM;
	d = rxd_disk_attach(&p, &why);
	if (IS_ERR_OR_NULL(d)) {
		nlmsg_free(msg);
		return d ? refuse(info, PTR_ERR(d), why) : 0;
	}
	err = reply_send(msg, d, info);
	rxd_disk_put(d);
	return err;
}

int rxdsk_nl_disk_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_disk *d;
	const char *why;
	int err;

	err = check_admin(skb, info);
	if (err)
		return err;
	d = request_disk(info);
	if (IS_ERR(d))
		return PTR_ERR(d);
	err = rxd_disk_detach(d, commits(info), &why);
	if (err)
		refuse(info, err, why);
	rxd_disk_put(d);
	return err;
}

static int resize_disk(struct rxd_disk *d, struct genl_info *info,
		       const char **why)
{
	return rxd_change_resize(d,
				 nla_get_u64(info->attrs[RXDSK_A_DISK_SIZE]),
				 info->attrs[RXDSK_A_DISK_SHRINK], commits(info), why);
}

static int erase_disk(struct rxd_disk *d, struct genl_info *info,
		      const char **why)
{
	return rxd_change_erase(d, commits(info), why);
}

/* Calls @how for the disk that the request names; the reply has the changed disk. */
static int change_disk(struct genl_info *info,
		       int (*how)(struct rxd_disk *d, struct genl_info *info,
				  const char **why))
{
	struct rxd_disk *d = request_disk(info);
	struct sk_buff *msg;
	const char *why;
	int err;

	if (IS_ERR(d))
		return PTR_ERR(d);
	msg = reply_new(info);
	err = -ENOMEM;
	if (!msg)
		goto out;
	err = how(d, info, &why);
	if (err) {
		nlmsg_free(msg);
		refuse(info, err, why);
	} else if (!commits(info)) {
		nlmsg_free(msg);
	} else {
		rxd_notify(d, RXDSK_CMD_DISK_CHANGE_NTF);
		err = reply_send(msg, d, info);
	}
out:
	rxd_disk_put(d);
	return err;
}

int rxdsk_nl_disk_resize_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = check_admin(skb, info);

	if (err)
		return err;
	if (!info->attrs[RXDSK_A_DISK_SIZE])
		return refuse(info, -EINVAL, "the size is missing");
	return change_disk(info, resize_disk);
}

int rxdsk_nl_disk_erase_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = check_admin(skb, info);

	return err ? err : change_disk(info, erase_disk);
}

static int set_disk(struct rxd_disk *d, struct genl_info *info, const char **why)
{
	u64 limit = nla_get_u64(info->attrs[RXDSK_A_DISK_LIMIT]);
	int err;

	if (limit && limit < PAGE_SIZE) {
		*why = "the limit must be at least a page, or 0";
		return -EINVAL;
	}
	err = rxd_state_trylock(d, why);
	if (err)
		return err;
	err = rxd_limit_set(d, limit, commits(info), why);
	rxd_state_unlock(d);
	return err;
}

int rxdsk_nl_disk_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = check_admin(skb, info);

	if (err)
		return err;
	if (!info->attrs[RXDSK_A_DISK_LIMIT])
		return refuse(info, -EINVAL, "the limit is missing");
	return change_disk(info, set_disk);
}

/*
 * Refuses a disk that is dying, that has no content of its own, or whose content nobody
 * can read yet. Through the tree of any other the caller may walk until walk_end(). Sets
 * *@size, which may change as soon as this returns.
 */
static int walk_begin(struct rxd_disk *d, u64 *size, const char **why)
{
	int err = 0;

	mutex_lock(&rxd_disks_lock);
	*size = rxd_disk_size(d);
	if (d->dying) {
		*why = "the disk is being detached";
		err = -ENODEV;
	} else if (d->pool.holder[0]) {
		*why = "the disk is claimed as cache memory";
		err = -EBUSY;
	} else if (d->preparing && d->preparing != RXD_PREPARING_GROW) {
		*why = "the disk is still taking memory or being zeroed";
		err = -EBUSY;
	} else {
		d->walks++;
	}
	mutex_unlock(&rxd_disks_lock);
	return err;
}

static void walk_end(struct rxd_disk *d)
{
	mutex_lock(&rxd_disks_lock);
	d->walks--;
	mutex_unlock(&rxd_disks_lock);
}

static int put_extents(struct sk_buff *msg, const struct rxd_disk *d, u64 size,
		       u64 cursor, const struct rxd_extent *list, unsigned int nr)
{
	if (nla_put_string(msg, RXDSK_A_DISK_NAME, d->gd->disk_name) ||
	    nla_put_u64_64bit(msg, RXDSK_A_DISK_ID, d->id, RXDSK_A_DISK_PAD) ||
	    nla_put_u64_64bit(msg, RXDSK_A_DISK_SIZE, size, RXDSK_A_DISK_PAD) ||
	    nla_put_64bit(msg, RXDSK_A_DISK_EXTENTS, nr * sizeof(*list), list,
			  RXDSK_A_DISK_PAD))
		return -EMSGSIZE;
	if (cursor == RXD_EXTENTS_END)
		return 0;
	return nla_put_u64_64bit(msg, RXDSK_A_DISK_CURSOR, cursor, RXDSK_A_DISK_PAD);
}

/* Sends the extents of @d from the request's cursor on. @list has room for EXTENTS_MAX. */
static int reply_extents(struct rxd_disk *d, struct rxd_extent *list,
			 struct genl_info *info)
{
	struct nlattr *from = info->attrs[RXDSK_A_DISK_CURSOR];
	u64 cursor = from ? nla_get_u64(from) : 0, size;
	struct sk_buff *msg;
	const char *why;
	unsigned int nr;
	void *hdr;
	int err;

	if (!PAGE_ALIGNED(cursor))
		return refuse(info, -EINVAL, "cursor is not one of a reply");
	err = walk_begin(d, &size, &why);
	if (err)
		return refuse(info, err, why);
	nr = rxd_extents_walk(&d->tree, &cursor, size, list, EXTENTS_MAX);
	walk_end(d);
	msg = genlmsg_new(nr * sizeof(*list) + EXTENTS_REST, GFP_KERNEL);
	if (!msg)
		return refuse(info, -ENOMEM, "no memory for the reply");
	hdr = genlmsg_put_reply(msg, info, &rxd_family, 0, info->genlhdr->cmd);
	if (!hdr || put_extents(msg, d, size, cursor, list, nr)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

int rxdsk_nl_disk_extents_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct rxd_extent *list;
	struct rxd_disk *d;
	int err = check_admin(skb, info);

	if (err)
		return err;
	d = request_disk(info);
	if (IS_ERR(d))
		return PTR_ERR(d);
	list = kmalloc_array(EXTENTS_MAX, sizeof(*list), GFP_KERNEL);
	if (list)
		err = reply_extents(d, list, info);
	else
		err = refuse(info, -ENOMEM, "no memory for the reply");
	kfree(list);
	rxd_disk_put(d);
	return err;
}
