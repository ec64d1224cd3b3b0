/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_SYSTEM_BOOTDEV_H
#define RXADM_SYSTEM_BOOTDEV_H

/*
 * What has to be done so that the machine still starts when DEVICE has a cache, "holds
 * /boot ...", or NULL. The caller frees it.
 */
char *preflight_boot(const char *device);

#endif
