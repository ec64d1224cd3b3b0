/* SPDX-License-Identifier: GPL-2.0-only */
/* Disks and caches as metrics. */
#ifndef RXADM_METRICS_H
#define RXADM_METRICS_H

#include "kernel/list.h"

/*
 * Both forms are right for programs that read either of them. But OpenMetrics names the
 * type of a counter before its suffix "_total", where the older text format of Prometheus
 * does not look for it.
 */
enum metrics_form { METRICS_OPENMETRICS, METRICS_PROMETHEUS };

void metrics_print(FILE *f, enum metrics_form form, const struct rx_list *list);

#endif
