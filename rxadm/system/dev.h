/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices: the nodes below /dev, /sys, and udev. */
#ifndef RXADM_DEV_H
#define RXADM_DEV_H

#include "kernel/object.h"

#define UDEV_WAIT_MS	5000	/* a slow udev is no failure */
#define UDEV_DATA	"/run/udev/data"

bool udev_runs(void);
bool udev_busy(void);
bool dev_wait_for(const char *dir, long ms, bool (*ready)(const void *arg),
		  const void *arg);
void dev_parts(const char *name, struct rx_strv *all);
char *dev_udev_path(const char *name);
char *dev_udev(const char *name, const char *key);
void dev_settle(const char *name, long ms);
bool dev_wait(const char *name, uint64_t major, uint64_t minor);
char *dev_tag_link(const char *text);
bool dev_is_tag(const char *text);
int dev_origin(const char *text, char *path, size_t len);
int dev_real(const char *path, char *real, size_t len);
void dev_by_number(unsigned int major, unsigned int minor, char *name, size_t len);
void dev_link_name(const char *path, char *name, size_t len);
char *dev_kernel_name(const char *path);
bool dev_is_of(const char *device, const char *name);
int dev_await(const char *path, char *real, size_t len, long wait_ms);
void dev_origin_path(struct rx_cache *cache);
void dev_io(const char *name, struct rx_io *io);
void dev_memory(uint64_t *total, uint64_t *available);

#endif
