/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_SYSTEM_HAZARD_H
#define RXADM_SYSTEM_HAZARD_H

#include <stdbool.h>

/*
 * Says why the machine would not start when DEVICE has a cache, and how to prevent that
 * ("holds /boot ..."), or returns NULL. The caller frees it.
 */
char *preflight_boot(const char *device);
/*
 * Tells whether DEVICE, a name of the kernel, or a partition of it is a physical volume that
 * the commands of LVM would find twice. Its cache tells for an origin that is mapped.
 */
bool lvm_finds_twice(const char *device);
#define LVM_TWICE "has a physical volume of LVM, whose commands find it once more below the cache and refuse the group"
#define LVM_LINES "in lvm.conf, section devices: external_device_info_source = \"udev\" and fw_raid_component_detection = 1, see LVM in rxcache(4)"

#endif
