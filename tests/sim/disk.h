/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disks in virtual time. A request waits for one of the disk's slots, then for the latency,
 * and then for its transfer; transfers go one after the other. The reader's own requests go
 * before read-ahead wherever requests wait, but no request interrupts another one.
 */
#ifndef RXSIM_DISK_H
#define RXSIM_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

/**
 * struct disk_model - how fast a disk is
 * @name: as the user gave it
 * @latency: ns that a request takes, besides its transfer
 * @rate: bytes that are transferred in a second; 0: transfers take no time
 * @slots: requests at a time
 * @head: a request that begins where the last one ended has no latency
 * @count: nothing but read-ahead has a latency, which is this many requests of the reader
 */
struct disk_model {
	char name[16];
	uint64_t latency;
	uint64_t rate;
	unsigned int slots;
	bool head;
	unsigned int count;
};

/**
 * struct disk_req - a request
 * @block: first block of 4 KiB
 * @blocks: their number
 * @ahead: nobody waits for it
 * @owner: the caller's
 * @done: when it ended, in ns
 */
struct disk_req {
	uint64_t block;
	uint64_t blocks;
	bool ahead;
	void *owner;
	uint64_t done;
	/* Of disk.c: */
	enum disk_stage { DISK_NEW, DISK_WAITS, DISK_FLIES, DISK_READY, DISK_MOVES } stage;
	uint64_t ready;
	TAILQ_ENTRY(disk_req) link;
};

TAILQ_HEAD(disk_queue, disk_req);

/**
 * struct disk - a disk at work; each pair of queues is that of the reader's own requests and
 *	that of read-ahead
 * @model: the disk
 * @now: ns
 * @used: slots in use
 * @end: the block behind the last request that began
 * @waits: requests that wait for a slot
 * @flies: requests whose latency passes, in order of its end
 * @ready: requests that wait for their transfer
 * @moves: the request that is transferred, or NULL
 */
struct disk {
	struct disk_model model;
	uint64_t now;
	unsigned int used;
	uint64_t end;
	struct disk_queue waits[2];
	struct disk_queue flies[2];
	struct disk_queue ready[2];
	struct disk_req *moves;
};

/* The disks that a user gets without a choice, ending with NULL. */
extern const char *const disk_names[];

/* Returns false if @name is no disk. A reader makes a request each @think ns or more. */
bool disk_parse(struct disk_model *model, const char *name, uint64_t think);

void disk_init(struct disk *disk, const struct disk_model *model);

/* Sends a request now. It stays the disk's until disk_next() returns it. */
void disk_send(struct disk *disk, struct disk_req *req);

/*
 * The reader has come for what a request of read-ahead brings. A disk with a count has no
 * times, so the request ends now. Other disks do not hear of it.
 */
void disk_hurry(struct disk *disk, struct disk_req *req);

/* Returns the next request that ends up to @until; or NULL, and it is @until then. */
struct disk_req *disk_next(struct disk *disk, uint64_t until);

#endif
