/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A disk and a cache as the tool knows them: what the kernel sends, and what is
 * derived from it or read from the system.
 */
#ifndef RXADM_OBJECT_H
#define RXADM_OBJECT_H

#include "base/global.h"
#include "base/strv.h"
#include "kernel/model_gen.h"

/* Counters since the device was made, from /sys/block/NAME/stat. */
struct rx_io {
	uint64_t reads, read_bytes, read_ns;
	uint64_t writes, write_bytes, write_ns;
	uint64_t discards, discard_bytes;

	/* No counters: */
	uint64_t in_flight;
	uint64_t inode;		/* another one: the device was made anew */
};

/*
 * Disks and caches begin with these fields, so that a disk has disk->name and
 * disk->device.
 */
#define RX_DEVICE_FIELDS \
	enum rx_family family; \
	char name[RX_NAME_LEN]; \
	uint64_t major, minor, open, read_only; \
	struct rx_strv mounts; \
	struct rx_io io

struct rx_device { RX_DEVICE_FIELDS; };
#define RX_DEVICE union { struct rx_device device; struct { RX_DEVICE_FIELDS; }; }

/* The most numbers of one attribute that are kept. */
#define RX_BUCKETS	32

/* Names of the caches that share a disk: 32 at most. */
#define RX_HOLDERS_LEN	384

struct rx_disk {
	RX_DEVICE;
	uint64_t id;
	uint64_t size, block, queues, used, freeing;
	char holder[RX_HOLDERS_LEN];	/* separated by commas */
	uint64_t no_space, slow_writes, queue_mode, state;
	uint64_t prealloc, error, node, interleave, zero_detect, limit;
	uint64_t used_nodes[RX_BUCKETS];	/* RX_NONE behind the last node */
};

/* Decaying sums over the last 10 s, 5 min, 1 h; no counters. */
enum { RX_LAST_10S, RX_LAST_5MIN, RX_LAST_1H, RX_WINDOWS };

struct rx_recent {
	uint64_t reads, read_full, read_hit, read_miss, read_bypass;
	uint64_t fill, evict, read_bytes, read_hit_bytes, write_bytes;

	double hit_ratio;	/* derived, as that of the cache */
};

/* How long requests took. All the numbers that the kernel sends are counters. */
enum { RX_TIME_HIT, RX_TIME_MISS, RX_TIME_WRITE, RX_TIME_ORIGIN, RX_TIMES };

struct rx_latency {
	uint64_t sum_ns, bucket[RX_BUCKETS];

	/* Derived: */
	uint64_t count;
	double mean_ns, p50_ns, p99_ns;	/* below 0: nothing was timed */
};

/* The last verification; running is RX_NONE if there was none. */
struct rx_verify {
	uint64_t running, sample, compared, skipped, mismatches, errors, stopped;
};

/* The last change of the size; running is RX_NONE if there was none. */
struct rx_resize {
	uint64_t running, size, error;
	char message[128];
	uint64_t done;		/* parts of 1000 */

	double ratio;		/* derived from done; below 0: not known */
};

/*
 * Caches of other sizes and kinds that the kernel simulates beside this one, for some of
 * its blocks. The numbers are decaying sums.
 */
#define RX_POINTS	16

struct rx_shadow {
	uint64_t rate, reads, lost;
	struct rx_points {
		size_t n;
		struct rx_point {
			uint64_t size, hits, what;
		} at[RX_POINTS];
	} points;
};

/* How far a cache has been loaded from its list; state is RX_NONE if it has none. */
enum { RX_WARM_WAITING, RX_WARM_LOADING, RX_WARM_LOADED, RX_WARM_STOPPED };

struct rx_warm {
	uint64_t state, size, loaded;
	uint64_t next;		/* from this byte of the origin on, blocks of the saved list may not be loaded */
	double ratio;		/* of loaded to size; below 0: not known */
};

struct rx_cache {
	RX_DEVICE;
	uint64_t id;
	char disk[RX_NAME_LEN];
	char origin[64];	/* kernel name */
	uint64_t block, mode, write_allocate, frozen, own_disk, floor, state;
	uint64_t sharers, min_share, max_share, read_ahead, working;
	uint64_t min_share_percent, max_share_percent;	/* RX_NONE: given in bytes */
	uint64_t origin_size, origin_major, origin_minor;
	uint64_t pinned, pinned_cached, pin_limit;
	uint64_t compress, compressed, compressed_memory, incompressible;
	uint64_t compress_tried, compress_done, compress_filled, compress_moved, compress_ns;
	uint64_t compress_verdict;
	uint64_t size, cached, metadata, slack;
	uint64_t error, cause;
	char message[128];
	struct rx_stats stats;	/* all of them are counters */
	uint64_t stats_age;	/* ns since the counters began */
	struct rx_recent recent[RX_WINDOWS];
	struct rx_latency latency[RX_TIMES];
	struct rx_verify verify;
	struct rx_shadow shadow;
	struct rx_resize resize;

	/* Derived, or read from the system: */
	uint64_t status;	/* state and what a reader of lists must know */
	char origin_path[128];
	char ahead[24];		/* read_ahead in words: off, auto or a size */
	uint64_t bypass, errors;
	uint64_t read_blocks, write_blocks;
	double hit_ratio;	/* 0 to 1; below 0 when nothing was read */
	double hit_ratio_requests, hit_ratio_bytes;
	double saved_ns;	/* time that hits saved; below 0: not known */
	struct rx_warm warm;
};

/* The states of a cache, followed by the states that its mode adds. */
enum { RX_STATUS_BYPASS = RX_STATES, RX_STATUS_MISMATCH, RX_STATUS_FROZEN };
extern const char *const rx_status_names[], *const rx_warm_names[], *const rx_yes_no[];

#endif
