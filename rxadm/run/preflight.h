/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds mistakes before a disk or cache is made or changed. The command line, the
 * table and --dry-run ask the same questions, so all of them get the same answers.
 *
 * Each function adds "what is wrong; what to do" to a list for every mistake that it finds.
 */
#ifndef RXADM_PREFLIGHT_H
#define RXADM_PREFLIGHT_H

#include "base/global.h"

struct rx_strv;

struct rx_draft_value {
	const char *text;	/* as the user wrote it; NULL: not given */
	uint64_t num;
};

/* The disk or cache that is to be made. Values that are not given are not checked. */
struct rx_draft {
	enum rx_family family;
	struct rx_draft_value size;	/* of the disk, also that of a cache */
	/* A number without a text is not the user's, and serves other checks only. */
	struct rx_draft_value block, queues, queue_mode, floor, limit;
	struct rx_draft_value min_share, max_share;	/* see part_parse() */
	bool prealloc, zero_detect;
	bool has_memory;	/* the disk and the index are no part of the draft */
	const char *origin;	/* its path in /dev without links, or NULL */
	bool at_boot;		/* it is made at a boot, with all memory free */
};

/*
 * What the kernel refuses on any machine. The kernel takes any floor; one above the size
 * is wrong if it is typed, and in DOUBT in a table.
 */
void preflight_values(const struct rx_draft *draft, struct rx_strv *wrong,
		      struct rx_strv *doubt);
/* What this machine has no room for, and, in DOUBT, what it can't fill. */
void preflight_machine(const struct rx_draft *draft, struct rx_strv *wrong,
		       struct rx_strv *doubt);
/* What this origin does not allow. */
void preflight_origin(const struct rx_draft *draft, struct rx_strv *wrong);
/* The users of the origin, because of which it can have no cache now. */
void preflight_users(const struct rx_draft *draft, struct rx_strv *wrong);
/*
 * "is claimed by ...", if somebody has claimed DEVICE, or NULL; without permission the kernel
 * will tell. The caller frees it.
 */
char *preflight_claimed(const char *device);
/* The mount point, / or /usr, that is on DEVICE before its cache can be; or NULL. */
const char *preflight_early_mount(const char *device);
/* The bytes of a block device, or RX_NONE: not known, or one of ours that is being removed. */
uint64_t preflight_device_size(const char *name);
/* Tells whether the user leaves these questions to the kernel. */
bool preflight_off(void);
/* Asks all of that and prints it. Returns an exit code. */
int preflight(const char *verb, const char *object, const struct rx_draft *draft);

#endif
