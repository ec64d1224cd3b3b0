/* SPDX-License-Identifier: GPL-2.0-only */
/* What nl.c and events.c share. */
#ifndef RXADM_NL_H
#define RXADM_NL_H

#include "rxadm.h"

struct nl_sock;

struct nl_family {
	bool known;
	bool wanted;		/* join it when it comes */
	bool gone;		/* removed while we listened; asking would load it */
	int id;
	uint8_t version;
	uint32_t group;
};
extern struct nl_family nl_families[RX_FAMILIES];

struct nl_sock *nl_sock_open(void);
int nl_resolve(enum rx_family family, struct rx_err *err);

#endif
