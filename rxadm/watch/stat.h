/* SPDX-License-Identifier: GPL-2.0-only */
/* The verb stat: its page in words, and its lines for --interval. */
#ifndef RXADM_STAT_H
#define RXADM_STAT_H

#include "kernel/list.h"

#endif
