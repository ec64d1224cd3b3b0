/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for nodes below /dev and for udev; whether a node is the kernel's device. */
#ifndef RXADM_NODE_H
#define RXADM_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UDEV_WAIT_MS	5000	/* a slow udev is no failure */

struct stat;

bool udev_runs(void);
bool udev_busy(void);
bool dev_wait_for(const char *dir, long ms, bool (*ready)(const void *arg),
		  const void *arg);
void dev_settle(const char *name, long ms);
bool dev_wait(const char *name, uint64_t major, uint64_t minor);
int dev_await(const char *path, char *real, size_t len, long wait_ms);

/* Tells whether ST is of the block device of that number. Every node of a recording is. */
bool node_is(const struct stat *st, uint64_t major, uint64_t minor);

/*
 * Says that /dev/NAME is not the device, what it is, and what to do about it. WHAT: of the
 * device, "the disk" or "the new cache, which is unmapped again".
 */
void node_say(const char *verb, const char *object, const char *name, const char *what);

#endif
