/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds mistakes before a disk or cache is made or changed, which a request can't tell. The
 * command line, the table and --dry-run ask the same, so all of them get the same answers.
 */
#ifndef RXADM_PREFLIGHT_H
#define RXADM_PREFLIGHT_H

#include "base/global.h"

struct rx_strv;

/* Add "what is wrong; what to do" for each mistake. RX_NONE is a value that is not given. */
void preflight_memory(enum rx_family family, uint64_t size, uint64_t floor, struct rx_strv *doubt);
/* The users of ORIGIN, a path without links, because of which it can have no cache now. */
void preflight_users(const char *origin, struct rx_strv *wrong);
/*
 * "is claimed by ...", if somebody has claimed DEVICE, or NULL; without permission the kernel
 * will tell. The caller frees it.
 */
char *preflight_claimed(const char *device);
/* The mount point, / or /usr, that is on DEVICE before its cache can be; or NULL. */
const char *preflight_early_mount(const char *device);
/* Tells whether the user leaves these questions to the kernel. */
bool preflight_off(void);
/* Print what the others find. */
void preflight_warn(const char *verb, const char *object, enum rx_family family, uint64_t size,
		    uint64_t floor);
/* Returns false if ORIGIN can have no cache now. */
bool preflight_origin(const char *verb, const char *object, const char *origin);

#endif
