/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects as the kernel and the system know them. */
#ifndef RXADM_FETCH_H
#define RXADM_FETCH_H

#include "base/global.h"

struct json_object;
struct rx_objects;
struct rx_err;
struct rx_event;
struct rx_list;

void list_add_system(struct rx_list *list);
int fetch_absent(const char *verb, enum rx_family family, const bool *absent);
int fetch_one(const char *verb, enum rx_family family, const char *name,
	      struct rx_event *object);
bool fetch_fits(const struct rx_objects *objects, bool disks, bool caches);
int fetch(const struct rx_objects *objects, bool disks, bool caches, struct rx_list *list);
int fetch_all(bool disks, bool caches, struct rx_list *list,
	      struct rx_err *err);
void fetch_json_absent(struct json_object *root, const bool *absent);
int out_result(struct rx_list *list);

#endif
