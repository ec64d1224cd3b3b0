/* SPDX-License-Identifier: GPL-2.0-only */
/* The users of a device. */
#ifndef RXADM_USERS_H
#define RXADM_USERS_H

#include <stdbool.h>

struct rx_device;
struct rx_strv;

void users_list(const char *name, struct rx_strv *says);
void users_others(const char *name, const char *holder, struct rx_strv *says);
void users_loops(const char *name, struct rx_strv *says);
bool users_firm(const char *name, const char *holder);
bool users_say(const char *verb, const char *object, const char *subject,
	       const char *name, const char *holder);
/*
 * Opens a disk or cache with FLAGS of open(), directly where that is possible, and sets *FD.
 * Returns RX_OK, or an exit code after saying who uses it, or what else its node is.
 */
int users_open(const char *verb, const struct rx_device *device, int flags, int *fd);

#endif
