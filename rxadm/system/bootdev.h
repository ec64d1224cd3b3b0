/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_SYSTEM_BOOTDEV_H
#define RXADM_SYSTEM_BOOTDEV_H

/*
 * Says why the machine would not start when DEVICE has a cache, and how to prevent that
 * ("holds /boot ..."), or returns NULL. The caller frees it.
 */
char *preflight_boot(const char *device);

#endif
