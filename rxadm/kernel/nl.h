/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests to the kernel and their replies. */
#ifndef RXADM_NL_H
#define RXADM_NL_H

#include "base/global.h"
#include "kernel/errtext.h"

struct nl_sock;
struct nlattr;
struct rx_list;
struct rx_req;

typedef void nl_reader(void *arg, const struct nlattr *nla);

/* What else may end nl_read(). */
enum { NL_INTERRUPTED = 1, NL_ANEW };

int nl_do(const struct rx_req *req, void *object, struct rx_err *err);
int nl_read(enum rx_family family, uint8_t cmd, const char *name, uint64_t id, nl_reader *read,
	    void *arg, struct rx_err *err);
int nl_get(enum rx_family family, const char *name, void *object,
	   struct rx_err *err);
int nl_list(enum rx_family family, struct rx_list *list, struct rx_err *err);

/* For events.c: */
struct nl_family {
	bool known;
	bool wanted;		/* join it when it comes */
	bool gone;		/* removed while we listened; asking would load it */
	bool missed;		/* was absent when it was asked for, which should have loaded it */
	int id;
	uint8_t version;
};
extern struct nl_family nl_families[RX_FAMILIES];

struct nl_sock *nl_sock_open(struct rx_err *err);
int nl_resolve(enum rx_family family, struct rx_err *err);
int nl_group(enum rx_family family);

#endif
