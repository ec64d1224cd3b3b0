/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects as the kernel and the system know them. */
#ifndef RXADM_FETCH_H
#define RXADM_FETCH_H

#include "global.h"

struct rx_args;
struct rx_err;
struct rx_event;
struct rx_list;

void list_add_system(struct rx_list *list);
int fetch_one(const char *verb, enum rx_family family, const char *name,
	      struct rx_event *object);
int fetch(const struct rx_args *args, bool disks, bool caches, struct rx_list *list);
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err);
int out_result(struct rx_list *list);

#endif
