// SPDX-License-Identifier: GPL-2.0-only
/* Disks in virtual time. See disk.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "trace.h"

enum { COUNT_MAX = 1000000 };

#define US	1000ULL
#define MS	1000000ULL
#define SECOND	1000000000ULL

const char *const disk_names[] = { "seek", "net", "ssd", "4", NULL };

static const struct disk_model models[] = {
	{ .name = "seek", .latency = 8 * MS, .rate = 150 << 20, .slots = 1, .head = true },
	{ .name = "net", .latency = 500 * US, .rate = 1000000000 / 8, .slots = UINT_MAX },
	{ .name = "ssd", .latency = 80 * US, .rate = 2000000000, .slots = 32 },
};

bool disk_parse(struct disk_model *model, const char *name, uint64_t think)
{
	unsigned long count;
	unsigned int i;
	char *end;

	for (i = 0; i < sizeof(models) / sizeof(*models); i++)
		if (!strcmp(models[i].name, name)) {
			*model = models[i];
			return true;
		}
	count = strtoul(name, &end, 10);
	if (*name < '0' || *name > '9' || *end || !count || count > COUNT_MAX)
		return false;
	*model = (struct disk_model){
		.latency = count * think, .slots = UINT_MAX, .count = count,
	};
	snprintf(model->name, sizeof(model->name), "%s", name);
	return true;
}

void disk_init(struct disk *disk, const struct disk_model *model)
{
	int ahead;

	/* Before its first request the head is nowhere. */
	*disk = (struct disk){ .model = *model, .end = UINT64_MAX };
	for (ahead = 0; ahead < 2; ahead++) {
		TAILQ_INIT(&disk->waits[ahead]);
		TAILQ_INIT(&disk->flies[ahead]);
		TAILQ_INIT(&disk->ready[ahead]);
	}
}

static uint64_t latency_of(const struct disk *disk, const struct disk_req *req)
{
	const struct disk_model *model = &disk->model;

	if (model->count ? !req->ahead : model->head && req->block == disk->end)
		return 0;
	return model->latency;
}

static uint64_t transfer_of(const struct disk *disk, const struct disk_req *req)
{
	if (!disk->model.rate)
		return 0;
	return req->blocks * TRACE_BLOCK * SECOND / disk->model.rate;
}

/* Latencies of a disk differ only by whether requests are read-ahead. */
static void fly(struct disk *disk, struct disk_req *req)
{
	struct disk_queue *flies = &disk->flies[req->ahead];
	struct disk_req *after = TAILQ_LAST(flies, disk_queue);

	req->stage = DISK_FLIES;
	while (after && after->ready > req->ready)
		after = TAILQ_PREV(after, disk_queue, link);
	if (after)
		TAILQ_INSERT_AFTER(flies, after, req, link);
	else
		TAILQ_INSERT_HEAD(flies, req, link);
}

/* Takes the next request of a pair of queues. */
static struct disk_req *take(struct disk_queue *pair)
{
	struct disk_queue *queue = TAILQ_EMPTY(&pair[0]) ? &pair[1] : &pair[0];
	struct disk_req *req = TAILQ_FIRST(queue);

	if (req)
		TAILQ_REMOVE(queue, req, link);
	return req;
}

/* Begins what can begin now. */
static void advance(struct disk *disk)
{
	struct disk_req *req;
	int ahead;

	while (disk->used < disk->model.slots && (req = take(disk->waits))) {
		disk->used++;
		req->ready = disk->now + latency_of(disk, req);
		disk->end = req->block + req->blocks;
		fly(disk, req);
	}
	for (ahead = 0; ahead < 2; ahead++)
		while ((req = TAILQ_FIRST(&disk->flies[ahead])) && req->ready <= disk->now) {
			TAILQ_REMOVE(&disk->flies[ahead], req, link);
			req->stage = DISK_READY;
			TAILQ_INSERT_TAIL(&disk->ready[ahead], req, link);
		}
	if (!disk->moves && (req = take(disk->ready))) {
		req->stage = DISK_MOVES;
		req->done = disk->now + transfer_of(disk, req);
		disk->moves = req;
	}
}

/* When something ends next. */
static uint64_t next_event(const struct disk *disk)
{
	uint64_t at = disk->moves ? disk->moves->done : UINT64_MAX;
	const struct disk_req *req;
	int ahead;

	for (ahead = 0; ahead < 2; ahead++) {
		req = TAILQ_FIRST(&disk->flies[ahead]);
		if (req && req->ready < at)
			at = req->ready;
	}
	return at;
}

void disk_send(struct disk *disk, struct disk_req *req)
{
	req->stage = DISK_WAITS;
	TAILQ_INSERT_TAIL(&disk->waits[req->ahead], req, link);
}

void disk_hurry(struct disk *disk, struct disk_req *req)
{
	struct disk_queue *flies = &disk->flies[1];

	if (!disk->model.count)
		return;
	/* It may have been sent just now. */
	advance(disk);
	if (req->stage != DISK_FLIES)
		return;
	TAILQ_REMOVE(flies, req, link);
	req->ready = disk->now;
	TAILQ_INSERT_HEAD(flies, req, link);
}

struct disk_req *disk_next(struct disk *disk, uint64_t until)
{
	struct disk_req *req;
	uint64_t at;

	for (;;) {
		advance(disk);
		at = next_event(disk);
		if (at > until || at == UINT64_MAX)
			break;
		disk->now = at;
		req = disk->moves;
		if (req && req->done == at) {
			disk->moves = NULL;
			disk->used--;
			return req;
		}
	}
	if (until != UINT64_MAX)
		disk->now = until;
	return NULL;
}
