/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of exports: a row for each address of each. */
#ifndef RXADM_EXPORTLIST_H
#define RXADM_EXPORTLIST_H

#include "export/nvmet.h"
#include "kernel/object.h"

struct rx_objects;

/* A part of an export is missing; another program has made it. */
enum { EXPORTED_COMPLETE, EXPORTED_HALF, EXPORTED_FOREIGN };

struct rx_exported {
	char name[RX_NAME_LEN], nqn[NQN_LEN];
	char transport[8], addr[NVMET_ADDR_LEN];
	uint64_t port;		/* RX_NONE: none */
	struct rx_strv hosts;	/* "any", if all hosts are let in */
	uint64_t state;
};

struct rx_exported_list {
	struct rx_exported *at;
	size_t n;
};

void export_users(const char *name, struct rx_strv *says);
void exported_add(struct rx_exported_list *list, const char *name);
void exported_free(struct rx_exported_list *list);
int exported_show(const struct rx_objects *objects);

extern const struct rx_view view_exports;

#endif
