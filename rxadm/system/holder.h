/* SPDX-License-Identifier: GPL-2.0-only */
/* The caches that hold a disk, "rxc0,rxc1": their names, separated by commas. */
#ifndef RXADM_HOLDER_H
#define RXADM_HOLDER_H

#include "kernel/object.h"

const char *holder_next(const char **rest, char name[RX_NAME_LEN]);
const char *holder_active(const char *holders, char name[RX_NAME_LEN]);

#endif
