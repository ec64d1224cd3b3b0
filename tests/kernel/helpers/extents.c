// SPDX-License-Identifier: GPL-2.0-only
/*
 * extents list DISK
 * extents count DISK
 * extents loop DISK SECONDS
 *
 * Asks for the parts of a disk that have memory, as many replies as it takes, and checks
 * that each reply keeps the promises of the protocol. "list" prints the parts, joined over
 * the replies, as OFFSET+LENGTH in bytes, one a line. "count" prints the numbers of replies
 * and parts, and the microseconds that all took. "loop" asks again and again, whatever
 * happens to the disk, and prints how often it got all parts and how often it was refused.
 *
 * Exit status: 0, 1 for a reply that breaks a promise, 2 if the first request was refused.
 */
#define _GNU_SOURCE
#include <time.h>
#include "../../../module/include/uapi/linux/rxdsk.h"
#include "genl.h"

static struct genl genl;
static uint64_t page;

/* The parts so far, and what the last reply had. */
static struct {
	struct part { uint64_t offset, length; } *at;
	size_t n, room;
	uint64_t id, size, cursor;
	int more, replaced;
	unsigned long replies;
} got;

static void broken(const char *what, uint64_t value)
{
	fprintf(stderr, "extents: %s (%llu) in reply %lu\n", what,
		(unsigned long long)value, got.replies);
	exit(1);
}

static void add(uint64_t offset, uint64_t length, int first)
{
	struct part *last = got.n ? &got.at[got.n - 1] : NULL;
	uint64_t end = last ? last->offset + last->length : 0;

	if (!length || offset % page || (length % page && offset + length != got.size))
		broken("a part that is not of pages", offset);
	if (offset + length > got.size)
		broken("a part behind the disk's end", offset + length);
	if (offset < got.cursor || (last && offset < end))
		broken("a part that was there before", offset);
	if (last && offset == end) {
		if (!first)
			broken("a part that touches the one before", offset);
		last->length += length;
		return;
	}
	if (got.n == got.room) {
		got.room = got.room ? 2 * got.room : 1024;
		got.at = realloc(got.at, got.room * sizeof(*got.at));
		if (!got.at)
			exit(2);
	}
	got.at[got.n++] = (struct part){ offset, length };
}

static void take(struct genl *g, struct nlmsghdr *h)
{
	uint64_t id = 0, cursor = 0;
	struct nlattr *list = NULL;
	struct part part;
	size_t i;

	(void)g;
	got.replies++;
	got.size = 0;
	genl_each(a, (char *)NLMSG_DATA(h) + GENL_HDRLEN, (char *)h + h->nlmsg_len)
		switch (a->nla_type & NLA_TYPE_MASK) {
		case RXDSK_A_DISK_ID: memcpy(&id, GENL_DATA(a), sizeof(id)); break;
		case RXDSK_A_DISK_SIZE: memcpy(&got.size, GENL_DATA(a), sizeof(got.size)); break;
		case RXDSK_A_DISK_CURSOR: memcpy(&cursor, GENL_DATA(a), sizeof(cursor)); break;
		case RXDSK_A_DISK_EXTENTS: list = a; break;
		}
	if (!id || !got.size || !list)
		broken("an attribute is missing", list ? got.size : 0);
	got.replaced = got.id && id != got.id;
	got.id = id;
	/* What comes now is of another disk. */
	if (got.replaced)
		return;
	for (i = NLA_HDRLEN; i + sizeof(part) <= list->nla_len; i += sizeof(part)) {
		memcpy(&part, (char *)list + i, sizeof(part));
		add(part.offset, part.length, i == NLA_HDRLEN);
	}
	if (i != list->nla_len)
		broken("a part of a pair", list->nla_len);
	if (cursor && (cursor <= got.cursor || cursor % page))
		broken("a cursor that does not move on", cursor);
	if (cursor && got.n && got.at[got.n - 1].offset + got.at[got.n - 1].length > cursor)
		broken("a cursor within a part", cursor);
	got.cursor = cursor;
	got.more = cursor != 0;
}

/* Gets all parts; returns 0 or the errno of a refusal. */
static int walk(int family, const char *name)
{
	int err;

	got.n = got.id = got.cursor = got.replies = got.replaced = 0;
	do {
		got.more = 0;
		genl_begin(&genl, family, RXDSK_CMD_DISK_EXTENTS, NLM_F_ACK);
		genl_put_str(&genl, RXDSK_A_DISK_NAME, name);
		if (got.cursor)
			genl_put_u64(&genl, RXDSK_A_DISK_CURSOR, got.cursor);
		err = genl_talk(&genl, take);
	} while (!err && got.more);
	return err;
}

static long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int loop(int family, const char *name, long seconds)
{
	unsigned long whole = 0, replaced = 0, refused = 0;
	long end = now_us() + seconds * 1000000;
	int err;

	while (now_us() < end) {
		err = walk(family, name);
		if (err && err != ENODEV && err != EBUSY)
			broken("refused", err);
		refused += !!err;
		replaced += !err && got.replaced;
		whole += !err && !got.replaced;
	}
	printf("whole=%lu replaced=%lu refused=%lu\n", whole, replaced, refused);
	return 0;
}

int main(int argc, char **argv)
{
	long start = now_us();
	int family, err;
	size_t i;

	page = sysconf(_SC_PAGESIZE);
	genl_open(&genl);
	family = genl_family(&genl, RXDSK_FAMILY_NAME);
	if (argc == 4 && !strcmp(argv[1], "loop"))
		return loop(family, argv[2], atol(argv[3]));
	if (argc != 3) {
		fprintf(stderr, "extents: see the head of extents.c\n");
		return 2;
	}
	err = walk(family, argv[2]);
	if (err) {
		fprintf(stderr, "%s: %s\n", strerrorname_np(err), genl.text);
		return 2;
	}
	if (!strcmp(argv[1], "count"))
		printf("replies=%lu parts=%zu us=%ld\n", got.replies, got.n, now_us() - start);
	else
		for (i = 0; i < got.n; i++)
			printf("%llu+%llu\n", (unsigned long long)got.at[i].offset,
			       (unsigned long long)got.at[i].length);
	return 0;
}
