/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_TRACE_H
#define RXADM_VERB_TRACE_H

struct rx_args;

int advise_trace(const struct rx_args *args);

#endif
