/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a node below /dev is the kernel's device, and what is there instead. */
#ifndef RXADM_NODE_H
#define RXADM_NODE_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Tells whether ST is of the block device of that number. Every node of a recording is. */
bool node_is(const struct stat *st, uint64_t major, uint64_t minor);

/*
 * Says that /dev/NAME is not the device, what it is, and what to do about it. WHAT: of the
 * device, "the disk" or "the new cache, which is unmapped again".
 */
void node_say(const char *verb, const char *object, const char *name, const char *what);

#endif
