// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receives events on a socket of their own: those of both families, and those of the
 * netlink controller, which tell when a module is loaded or removed.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include <linux/genetlink.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/wait.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/protocol.h"
#include "kernel/replay.h"

static struct nl_sock *event_sock;
static bool reloaded;

static void on_controller(struct nlmsghdr *nlh)
{
	struct genlmsghdr *genl = genlmsg_hdr(nlh);
	struct nlattr *tb[CTRL_ATTR_MAX + 1];
	int family;

	if ((genl->cmd != CTRL_CMD_NEWFAMILY &&
	     genl->cmd != CTRL_CMD_DELFAMILY) ||
	    genlmsg_parse(nlh, 0, tb, CTRL_ATTR_MAX, NULL) ||
	    !tb[CTRL_ATTR_FAMILY_NAME])
		return;
	for (family = 0; family < RX_FAMILIES; family++) {
		if (!strcmp(nla_get_string(tb[CTRL_ATTR_FAMILY_NAME]),
			    model_family(family))) {
			nl_families[family].known = false;
			nl_families[family].gone =
				genl->cmd == CTRL_CMD_DELFAMILY;
			/* The family comes while its module is not "live" yet. */
			if (genl->cmd == CTRL_CMD_NEWFAMILY)
				nl_families[family].missed = false;
			reloaded = true;
		}
	}
}

/*
 * ARG is the event to fill in. The op of the event stays NULL if the message is no event
 * of ours.
 */
static int on_event(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct rx_event *event = arg;
	struct genlmsghdr *genl;
	const struct rx_op *op;
	int family;

	if (!genlmsg_valid_hdr(nlh, 0))
		return NL_SKIP;
	if (nlh->nlmsg_type == GENL_ID_CTRL) {
		on_controller(nlh);
		return NL_OK;
	}
	genl = genlmsg_hdr(nlh);
	for (family = 0; family < RX_FAMILIES; family++) {
		if (!nl_families[family].known ||
		    nl_families[family].id != nlh->nlmsg_type)
			continue;
		op = model_op_by_cmd(family, genl->cmd);
		if (!op || !op->event)
			continue;
		event->family = family;
		event->op = op;
		model_parse(family, genlmsg_attrdata(genl, 0),
			    genlmsg_attrlen(genl, 0), &event->disk);
		if (record())
			record()->event(family, op, genlmsg_attrdata(genl, 0),
					genlmsg_attrlen(genl, 0));
	}
	return NL_OK;
}

/* Returns 0, or -1 with err. */
static int events_open(struct rx_err *err)
{
	if (event_sock)
		return 0;
	event_sock = nl_sock_open(err);
	if (!event_sock)
		return -1;
	nl_socket_disable_seq_check(event_sock);
	nl_socket_set_nonblocking(event_sock);
	nl_socket_set_buffer_size(event_sock, 1 << 20, 0);
	/* The controller's own group has the number of the controller's family. */
	nl_socket_add_membership(event_sock, GENL_ID_CTRL);
	return 0;
}

/*
 * From now on nl_wait() returns the events of FAMILY. An absent family is an error, but
 * its events are returned once its module is loaded.
 */
int nl_join(enum rx_family family, struct rx_err *err)
{
	int group;

	if (!replay() && events_open(err))
		return -1;
	nl_families[family].wanted = true;
	if (nl_resolve(family, err))
		return -1;
	if (replay()) {
		replay()->join(family);
		return 0;
	}
	group = nl_group(family);
	if (group < 0 || nl_socket_add_membership(event_sock, group))
		return err_set(err, EPROTO, "can't listen to events");
	if (record())
		record()->join(family);
	return 0;
}

static void rejoin(void)
{
	struct rx_err err;
	int family;

	for (family = 0; family < RX_FAMILIES; family++)
		if (nl_families[family].wanted &&
		    !nl_families[family].known && !nl_families[family].gone)
			nl_join(family, &err);
}

static enum rx_wait wait_replayed(struct rx_event *event, long timeout_ms)
{
	struct nl_msg *attrs = NULL;
	enum rx_wait ret = replay()->wait(&event->family, &event->op, &attrs);

	if (ret == WAIT_EVENT) {
		model_parse(event->family, nlmsg_data(nlmsg_hdr(attrs)),
			    nlmsg_datalen(nlmsg_hdr(attrs)), &event->disk);
		nlmsg_free(attrs);
	} else if (ret == WAIT_TIMEOUT) {
		/* No other event can come from a recording, so the wait is short. */
		ret = wait_fd(-1, timeout_ms < 0 || timeout_ms > 20 ? 20 :
			      timeout_ms);
	} else if (ret == WAIT_SIGNAL) {
		signals_note(SIGINT);
	}
	return ret;
}

/*
 * Waits for the next event. A TIMEOUT_MS of WAIT_DEFAULT stands for no time-out.
 * WAIT_OVERRUN and WAIT_RELOADED say that events were lost, so a caller that keeps state
 * must ask for the state anew.
 */
enum rx_wait nl_wait(struct rx_event *event, long timeout_ms)
{
	int64_t start = now_ms();
	enum rx_wait ret;

	if (replay())
		return wait_replayed(event, timeout_ms);
	for (;;) {
		if (reloaded) {
			reloaded = false;
			rejoin();
			return WAIT_RELOADED;
		}
		ret = wait_fd(nl_socket_get_fd(event_sock),
			      wait_left(start, timeout_ms));
		if (ret != WAIT_EVENT)
			return ret;
		/* The kernel sends each event in a datagram of its own. */
		event->op = NULL;
		nl_socket_modify_cb(event_sock, NL_CB_VALID, NL_CB_CUSTOM,
				    on_event, event);
		/* libnl turns ENOBUFS into NLE_NOMEM. */
		if (nl_recvmsgs_default(event_sock) == -NLE_NOMEM)
			return WAIT_OVERRUN;
		if (event->op)
			return WAIT_EVENT;
	}
}
