/* SPDX-License-Identifier: GPL-2.0-only */
/* The difference of two lists, and copies of their figures. */
#ifndef RXADM_DELTA_H
#define RXADM_DELTA_H

#include "kernel/list.h"
#include "kernel/name.h"

void list_subtract(struct rx_list *now, const struct rx_list *before);
struct rx_list list_figures(const struct rx_list *list, const struct rx_objects *only);

#endif
