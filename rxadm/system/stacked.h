/* SPDX-License-Identifier: GPL-2.0-only */
/* The devices that stand on a device and have a link in its holders/ in /sys. */
#ifndef RXADM_STACKED_H
#define RXADM_STACKED_H

#include "base/global.h"

struct rx_strv;

/* The caches that hold a disk, "rxc0,rxc1": their names, separated by commas. */
const char *holder_next(const char **rest, char name[RX_NAME_LEN]);
const char *holder_active(const char *holders, char name[RX_NAME_LEN]);
void stacked_on(const char *name, struct rx_strv *holders);
/* Add "in use by /dev/mapper/secret; run: cryptsetup close secret" and the like. */
void stacked_tell(const char *name, struct rx_strv *says);
void stacked_tell_caches(const char *holder, struct rx_strv *says);

#endif
