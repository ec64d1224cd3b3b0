/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices: their names, parts and figures. */
#ifndef RXADM_DEV_H
#define RXADM_DEV_H

#include "kernel/object.h"

#define UDEV_DATA	"/run/udev/data"

void dev_parts(const char *name, struct rx_strv *all);
char *dev_udev_path(const char *name);
char *dev_udev(const char *name, const char *key);
char *dev_tag_link(const char *text);
bool dev_is_tag(const char *text);
int dev_origin(const char *text, char *path, size_t len);
int dev_real(const char *path, char *real, size_t len);
void dev_by_number(unsigned int major, unsigned int minor, char *name, size_t len);
void dev_link_name(const char *path, char *name, size_t len);
char *dev_kernel_name(const char *path);
bool dev_is_of(const char *device, const char *name);
void dev_origin_path(struct rx_cache *cache);
void dev_io(const char *name, struct rx_io *io);
void dev_memory(uint64_t *total, uint64_t *available);
char *identity_of(const char *kname);
/*
 * Returns what protects the content of DISK and how to end that, without a subject ("is
 * read-only; …"), which the caller frees, or NULL if nothing does.
 */
char *locked_text(const struct rx_disk *disk);

#endif
