// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes generic netlink requests. Errors keep the kernel's errno and words, which libnl's
 * own handling would fold.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rxcache.h>
#include <linux/rxdsk.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/sys.h"
#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/protocol.h"
#include "kernel/replay.h"
#include "kernel/request.h"

static struct nl_sock *req_sock;
struct nl_family nl_families[RX_FAMILIES];

struct exchange {
	struct rx_err *err;
	bool done, interrupted;
	int (*reply)(void *arg, struct nlmsghdr *nlh);
	void *arg;
};

static void keep_words(struct rx_err *err, const void *tlvs, int len)
{
	struct nlattr *nla = nla_find((struct nlattr *)tlvs, len,
				      NLMSGERR_ATTR_MSG);

	if (nla)
		snprintf(err->msg, sizeof(err->msg), "%.*s", nla_len(nla),
			 (char *)nla_data(nla));
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	struct nlmsghdr *nlh = (void *)((char *)e - NLMSG_HDRLEN);
	struct exchange *ex = arg;
	size_t skip = NLMSG_HDRLEN + sizeof(*e);

	(void)from;
	ex->done = true;
	ex->err->err = -e->error;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NL_STOP;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += e->msg.nlmsg_len - NLMSG_HDRLEN;
	skip = NLMSG_ALIGN(skip);
	if (skip < nlh->nlmsg_len)
		keep_words(ex->err, (char *)nlh + skip,
			   nlh->nlmsg_len - skip);
	return NL_STOP;
}

/*
 * Handles an acknowledgement, or the last message of a dump, which carries its own error
 * and the kernel's words.
 */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct exchange *ex = arg;
	int error, len = nlmsg_datalen(nlh);

	ex->done = true;
	if (len < (int)sizeof(error))
		return NL_STOP;
	memcpy(&error, nlmsg_data(nlh), sizeof(error));
	if (error < 0) {
		ex->err->err = -error;
		if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
			keep_words(ex->err, (char *)nlmsg_data(nlh) +
				   NLMSG_ALIGN(sizeof(error)),
				   len - NLMSG_ALIGN(sizeof(error)));
	}
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	struct exchange *ex = arg;

	(void)msg;
	ex->interrupted = true;
	return NL_OK;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct exchange *ex = arg;

	return ex->reply(ex->arg, nlmsg_hdr(msg));
}

/* Returns NULL with ERR if there is none. */
struct nl_sock *nl_sock_open(struct rx_err *err)
{
	struct nl_sock *sk = nl_socket_alloc();
	int on = 1;

	if (!sk || genl_connect(sk)) {
		*err = (struct rx_err){ 0 };
		err_set(err, errno == EPERM || errno == EACCES ? EAFNOSUPPORT : errno,
			"no netlink socket: %s", strerror(errno));
		nl_socket_free(sk);
		return NULL;
	}
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_EXT_ACK, &on,
		   sizeof(on));
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_CAP_ACK, &on,
		   sizeof(on));
	return sk;
}

/* Returns 0, or -1 with err; MSG is consumed. */
static int exchange(struct nl_msg *msg, struct exchange *ex)
{
	struct nl_cb *cb;
	int ret;

	if (!req_sock)
		req_sock = nl_sock_open(ex->err);
	if (!req_sock) {
		nlmsg_free(msg);
		return -1;
	}
	cb = nl_cb_alloc(NL_CB_CUSTOM);
	if (!cb)
		abort();
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, ex);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_finish, ex);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, ex);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, ex);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, ex);
	ret = nl_send_auto(req_sock, msg);
	nlmsg_free(msg);
	if (ret < 0) {
		ex->err->err = errno ? errno : EIO;
		ex->done = true;
	}
	while (!ex->done) {
		/* A lost or broken reply must never count as success. */
		ret = nl_recvmsgs(req_sock, cb);
		if (ret < 0 && !ex->done) {
			err_set(ex->err, EPROTO, "broken reply: %s",
				nl_geterror(ret));
			break;
		}
	}
	nl_cb_put(cb);
	return ex->err->err ? -1 : 0;
}

static int on_family(void *arg, struct nlmsghdr *nlh)
{
	struct nl_family *f = &nl_families[*(enum rx_family *)arg];
	struct nlattr *tb[CTRL_ATTR_MAX + 1];

	if (genlmsg_parse(nlh, 0, tb, CTRL_ATTR_MAX, NULL) ||
	    !tb[CTRL_ATTR_FAMILY_ID])
		return NL_SKIP;
	f->known = true;
	f->id = nla_get_u16(tb[CTRL_ATTR_FAMILY_ID]);
	if (tb[CTRL_ATTR_VERSION])
		f->version = nla_get_u32(tb[CTRL_ATTR_VERSION]);
	return NL_OK;
}

/*
 * Generic netlink shows a family in the initial network namespace only. To take it for
 * absent in another one would mean that there are no disks and caches.
 */
static int absent(enum rx_family family, struct rx_err *err)
{
	err->hidden = !sys_absent() && sys_module_runs(model_family(family));
	err->absent = !err->hidden;
	nl_families[family].missed = err->absent;
	return err_set(err, ENOENT, "%s", model_family(family));
}

/*
 * Asks for the number of a family. The request makes the kernel load the family's module,
 * if the module is installed.
 */
static int resolve(enum rx_family family, bool again, struct rx_err *err)
{
	struct exchange ex = { .err = err, .reply = on_family, .arg = &family };
	struct nl_family *f = &nl_families[family];
	struct nl_msg *msg;

	memset(err, 0, sizeof(*err));
	if (replay())
		return replay()->absent(family) ? absent(family, err) : 0;
	if (f->gone)
		return absent(family, err);
	if (!f->known) {
		msg = nlmsg_alloc();
		if (!msg || !genlmsg_put(msg, 0, 0, GENL_ID_CTRL, 0, 0,
					 CTRL_CMD_GETFAMILY, 1) ||
		    nla_put_string(msg, CTRL_ATTR_FAMILY_NAME,
				   model_family(family)))
			abort();
		if (exchange(msg, &ex) || !f->known) {
			if (err->err && err->err != ENOENT)
				return -1;
			absent(family, err);
			/* Another process may have loaded it since the question. */
			return err->hidden && !again ? resolve(family, true, err) : -1;
		}
	}
	err->version = f->version < rx_models[family].version;
	return err->version ? -1 : 0;
}

int nl_resolve(enum rx_family family, struct rx_err *err)
{
	return resolve(family, false, err);
}

/*
 * Returns the group of the events of a family that is resolved, or a number below 0 if
 * there is none.
 */
int nl_group(enum rx_family family)
{
	return genl_ctrl_resolve_grp(req_sock, model_family(family),
				     rx_models[family].mcgrp);
}

static struct nl_msg *message(const struct rx_req *req)
{
	struct nlmsghdr *attrs = nlmsg_hdr(req->attrs);
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	if (!msg || !genlmsg_put(msg, 0, 0, nl_families[req->family].id, 0,
				 req->dump ? NLM_F_DUMP : 0,
				 req->op->cmd, rx_models[req->family].version) ||
	    nlmsg_append(msg, nlmsg_data(attrs), nlmsg_datalen(attrs),
			 NLMSG_ALIGNTO))
		abort();
	return msg;
}

/* A reply is stored in OBJECT, added to LIST, given to READ, or dropped if all are NULL. */
struct sink {
	enum rx_family family;
	void *object;
	struct rx_list *list;
	nl_reader *read;
	void *arg;		/* for READ */
	uint64_t id, cursor;	/* for READ: whose it is, and RX_NONE if no reply follows */
	bool any;
};

static const int cursors[RX_FAMILIES] = {
	[RX_DISK] = RXDSK_A_DISK_CURSOR, [RX_CACHE] = RXCACHE_A_CACHE_CURSOR,
};

static void read_part(struct sink *sink, const void *attrs, size_t len)
{
	static const int ids[RX_FAMILIES] = {
		[RX_DISK] = RXDSK_A_DISK_ID, [RX_CACHE] = RXCACHE_A_CACHE_ID,
	};
	struct nlattr *nla;
	int rest;

	sink->cursor = RX_NONE;
	nla_for_each_attr(nla, (struct nlattr *)attrs, (int)len, rest) {
		if (nla_type(nla) == ids[sink->family])
			sink->id = nla_get_u64(nla);
		else if (nla_type(nla) == cursors[sink->family])
			sink->cursor = nla_get_u64(nla);
		else
			sink->read(sink->arg, nla);
	}
}

static int on_object(void *arg, const void *attrs, size_t len)
{
	struct sink *sink = arg;
	struct rx_event e;

	if (record())
		record()->reply(sink->family, attrs, len);
	if (sink->object)
		model_parse(sink->family, attrs, len, sink->object);
	if (sink->list) {
		model_parse(sink->family, attrs, len, &e.disk);
		list_add(sink->list, sink->family, &e.disk);
	}
	if (sink->read)
		read_part(sink, attrs, len);
	sink->any = true;
	return 0;
}

static int on_reply(void *arg, struct nlmsghdr *nlh)
{
	struct genlmsghdr *genl = genlmsg_hdr(nlh);

	if (!genlmsg_valid_hdr(nlh, 0))
		return NL_SKIP;
	on_object(arg, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0));
	return NL_OK;
}

/*
 * Tells whether the module of the family was removed after nl_resolve(), or is being
 * removed. The kernel then refuses dumps, the latter because they would need a reference
 * to the module, and has no words for either.
 */
static bool is_leaving(const struct rx_req *req, const struct rx_err *err)
{
	return req->dump && !*err->msg &&
	       (err->err == ENOENT || err->err == EPROTONOSUPPORT);
}

/* Returns 0, -1 with err, or 1 for a dump that changed while it was made. */
static int call(const struct rx_req *req, struct sink *sink, struct rx_err *err)
{
	struct exchange ex = { .err = err, .reply = on_reply, .arg = sink };
	int ret;

	if (nl_resolve(req->family, err))
		return -1;
	if (replay()) {
		ret = replay()->call(req, on_object, sink, err);
	} else {
		if (record())
			record()->request(req);
		ret = exchange(message(req), &ex);
		if (ret && record())
			record()->error(err);
	}
	if (ret && is_leaving(req, err)) {
		/* If the module was loaded again, the family has a new number. */
		nl_families[req->family].known = false;
		return absent(req->family, err);
	}
	return !ret && ex.interrupted ? 1 : ret;
}

/* OBJECT, which may be NULL, takes the reply. Returns 0, or -1 with err. */
int nl_do(const struct rx_req *req, void *object, struct rx_err *err)
{
	struct sink sink = { .family = req->family, .object = object };

	if (object)
		model_clear(req->family, object);
	if (call(req, &sink, err))
		return -1;
	return !object || sink.any ? 0 :
		err_set(err, EPROTO, "acknowledged without a reply");
}

/*
 * Asks for what a disk or cache has too much of for one reply. Each reply has a part of it,
 * and a cursor if there may be more. READ gets the other attributes of all of them. Returns
 * 0, -1 with err, NL_INTERRUPTED after a signal, or NL_ANEW if the name is that of another
 * disk or cache by now.
 */
int nl_read(enum rx_family family, uint8_t cmd, const char *name, uint64_t id, nl_reader *read,
	    void *arg, struct rx_err *err)
{
	struct sink sink = { .family = family, .read = read, .arg = arg, .id = id,
			     .cursor = RX_NONE };
	struct rx_req req;
	int ret;

	do {
		if (signals_pending())
			return NL_INTERRUPTED;
		req_named(&req, family, cmd, name);
		req_num(&req, cursors[family], sink.cursor);
		sink.any = false;
		ret = call(&req, &sink, err);
		req_free(&req);
		if (!ret && !sink.any)
			return err_set(err, EPROTO, "acknowledged without a reply");
		if (!ret && sink.id != id)
			return NL_ANEW;
	} while (!ret && sink.cursor != RX_NONE);
	return ret;
}

static const uint8_t get_cmds[RX_FAMILIES] = {
	[RX_DISK] = RXDSK_CMD_DISK_GET, [RX_CACHE] = RXCACHE_CMD_CACHE_GET,
};

int nl_get(enum rx_family family, const char *name, void *object,
	   struct rx_err *err)
{
	struct rx_req req;
	int ret;

	req_named(&req, family, get_cmds[family], name);
	ret = nl_do(&req, object, err);
	req_free(&req);
	return ret;
}

/*
 * Adds all objects of a family to LIST, or none if that fails. Who lists again and again
 * would load a module after its removal, so one that was absent is not asked for until it
 * is loaded.
 */
int nl_list(enum rx_family family, struct rx_list *list, struct rx_err *err)
{
	struct sink sink = { .family = family, .list = list };
	size_t disks = list->n_disks, caches = list->n_caches;
	struct rx_req req;
	int ret, tries = 0;

	memset(err, 0, sizeof(*err));
	if (nl_families[family].missed && !sys_module_runs(model_family(family)))
		return absent(family, err);
	req_init(&req, family, get_cmds[family]);
	req.dump = true;
	do {
		ret = call(&req, &sink, err);
		if (ret) {
			list->n_disks = disks;
			list->n_caches = caches;
		}
	} while (ret == 1 && ++tries < 100);
	req_free(&req);
	return ret <= 0 ? ret : err_set(err, EAGAIN,
					"the list keeps changing while it is read");
}
