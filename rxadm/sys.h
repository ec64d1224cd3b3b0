/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of the system. RXADM_SYSROOT is put before their paths, for tests; a
 * recording without such a tree has no system at all.
 */
#ifndef RXADM_SYS_H
#define RXADM_SYS_H

#include <stdbool.h>
#include <stddef.h>

struct rx_strv;

const char *sys_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *sys_read(const char *path);
void sys_entries(struct rx_strv *v, const char *path);
/* Returns 0 or an errno. Goes on after a signal. */
int sys_write_all(int fd, const void *data, size_t len);
bool sys_replayed(void);
bool sys_absent(void);
bool sys_has_module(const char *name);
void io_priority_lower(void);

#endif
