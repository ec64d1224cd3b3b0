/* SPDX-License-Identifier: GPL-2.0-only */
/* Mounted file systems and swap areas. They are read once, until they are forgotten. */
#ifndef RXADM_MOUNTS_H
#define RXADM_MOUNTS_H

#include <stdbool.h>

struct rx_strv;

void mounts_forget(void);
void mounts_of(const char *name, struct rx_strv *mounts);
bool mounts_have(const char *name, int id);
bool mounts_hold(const char *device);
void mounts_places(const char *name, bool swap, struct rx_strv *places);
char *mounts_elsewhere(const char *name, const char *pid);

#endif
