/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_STATLINE_H
#define RXADM_WATCH_STATLINE_H

#include <stdint.h>

struct rx_list;

void stat_lines(const struct rx_list *list, uint64_t interval_ns);

#endif
