/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	module/spec/rxdsk.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_RXDSK_H
#define _UAPI_LINUX_RXDSK_H

#define RXDSK_FAMILY_NAME	"rxdsk"
#define RXDSK_FAMILY_VERSION	1

#define RXDSK_NAME_MAX		31
#define RXDSK_NUMBER_MAX	1048575
#define RXDSK_SIZE_MIN		4096
#define RXDSK_SIZE_MAX		1152921504606846976
#define RXDSK_BLOCK_MIN		512
#define RXDSK_BLOCK_MAX		4096
#define RXDSK_QUEUES_MAX	64

/**
 * enum rxdsk_disk_flag - Value of a yes-or-no attribute.
 */
enum rxdsk_disk_flag {
	RXDSK_DISK_FLAG_NO,
	RXDSK_DISK_FLAG_YES,
};

/**
 * enum rxdsk_queue_mode - How a disk receives I/O.
 * @RXDSK_QUEUE_MODE_MQ: Requests in hardware queues, with an I/O scheduler if
 *   one is chosen.
 * @RXDSK_QUEUE_MODE_BIO: Each bio is served when it is submitted, without
 *   queues, merging or a scheduler.
 */
enum rxdsk_queue_mode {
	RXDSK_QUEUE_MODE_MQ,
	RXDSK_QUEUE_MODE_BIO,
};

/**
 * enum rxdsk_disk_state - State of a disk.
 * @RXDSK_DISK_STATE_ACTIVE: The disk is idle or in use.
 * @RXDSK_DISK_STATE_CLEARING: As active, but memory of the last erase or
 *   shrink is still being freed. The next erase, shrink or claim has to wait
 *   for that.
 * @RXDSK_DISK_STATE_DETACHING: The disk is being removed and cannot be opened
 *   any more.
 * @RXDSK_DISK_STATE_PREPARING: The disk grows, or a disk with prealloc takes
 *   its memory, or zeroes its memory for an erase. A disk that grows can be
 *   used meanwhile; in the other cases it cannot be opened.
 */
enum rxdsk_disk_state {
	RXDSK_DISK_STATE_ACTIVE,
	RXDSK_DISK_STATE_CLEARING,
	RXDSK_DISK_STATE_DETACHING,
	RXDSK_DISK_STATE_PREPARING,
};

enum {
	RXDSK_A_DISK_PAD = 1,
	RXDSK_A_DISK_NAME,
	RXDSK_A_DISK_SIZE,
	RXDSK_A_DISK_BLOCK_SIZE,
	RXDSK_A_DISK_QUEUES,
	RXDSK_A_DISK_READ_ONLY,
	RXDSK_A_DISK_SHRINK,
	RXDSK_A_DISK_USED,
	RXDSK_A_DISK_FREEING,
	RXDSK_A_DISK_OPENERS,
	RXDSK_A_DISK_HOLDER,
	RXDSK_A_DISK_MAJOR,
	RXDSK_A_DISK_MINOR,
	RXDSK_A_DISK_NO_SPACE,
	RXDSK_A_DISK_SLOW_WRITES,
	RXDSK_A_DISK_QUEUE_MODE,
	RXDSK_A_DISK_STATE,
	RXDSK_A_DISK_PREALLOC,
	RXDSK_A_DISK_ERROR,
	RXDSK_A_DISK_NODE,
	RXDSK_A_DISK_INTERLEAVE,
	RXDSK_A_DISK_USED_NODES,
	RXDSK_A_DISK_ZERO_DETECT,
	RXDSK_A_DISK_ID,
	RXDSK_A_DISK_CURSOR,
	RXDSK_A_DISK_EXTENTS,
	RXDSK_A_DISK_LIMIT,
	RXDSK_A_DISK_VALIDATE,

	__RXDSK_A_DISK_MAX,
	RXDSK_A_DISK_MAX = (__RXDSK_A_DISK_MAX - 1)
};

enum {
	RXDSK_CMD_DISK_GET = 1,
	RXDSK_CMD_DISK_NEW,
	RXDSK_CMD_DISK_DEL,
	RXDSK_CMD_DISK_RESIZE,
	RXDSK_CMD_DISK_ERASE,
	RXDSK_CMD_DISK_NEW_NTF,
	RXDSK_CMD_DISK_DEL_NTF,
	RXDSK_CMD_DISK_CHANGE_NTF,
	RXDSK_CMD_DISK_EXTENTS,
	RXDSK_CMD_DISK_SET,
	RXDSK_CMD_DISK_FULL_NTF,

	__RXDSK_CMD_MAX,
	RXDSK_CMD_MAX = (__RXDSK_CMD_MAX - 1)
};

#define RXDSK_MCGRP_MONITOR	"monitor"

#endif /* _UAPI_LINUX_RXDSK_H */
