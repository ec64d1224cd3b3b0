/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_EACH_H
#define RXADM_EACH_H

#include "base/global.h"

struct rx_args;
struct rx_list;

int verb_each(const struct rx_args *args, enum rx_family family,
	      int (*one)(const struct rx_args *args, const char *name, struct rx_list *done));

#endif
