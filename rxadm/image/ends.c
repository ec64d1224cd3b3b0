// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first and the last MiB of a disk have tables of partitions, superblocks and labels.
 * A restore zeroes them first, and writes them when all else is on the disk, from the last
 * piece to the first. So a restore that is killed leaves no disk that looks whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "image/disk.h"
#include "image/ends.h"
#include "image/format.h"

#define END	(1ULL << 20)

/* There are few: all of them lie in or across two MiB. */
struct end_piece {
	uint64_t offset;
	size_t len;
	unsigned char *data;
};

static int synced(int fd, int err)
{
	if (!err && fsync(fd))
		err = errno;
	return err;
}

int image_ends_zero(const struct image_ends *e, int fd)
{
	uint64_t len = e->size < END ? e->size : END;
	int err = image_disk_zero(fd, 0, len);

	if (!err)
		err = image_disk_zero(fd, e->size - len, len);
	return synced(fd, err);
}

bool image_ends_have(const struct image_ends *e, uint64_t offset, size_t len)
{
	return offset < END || offset + len + END > e->size;
}

void image_ends_keep(struct image_ends *e, uint64_t offset, const unsigned char *data, size_t len)
{
	e->pieces = mem_grow(e->pieces, e->n, sizeof(*e->pieces));
	e->pieces[e->n] = (struct end_piece){ offset, len, image_buffer(len) };
	memcpy(e->pieces[e->n++].data, data, len);
}

static void drop_last(struct image_ends *e)
{
	free(e->pieces[--e->n].data);
}

int image_ends_write(struct image_ends *e, int fd)
{
	const struct end_piece *last;
	int err;

	for (err = synced(fd, 0); !err && e->n; drop_last(e)) {
		last = &e->pieces[e->n - 1];
		err = image_disk_write(fd, last->offset, last->data, last->len);
	}
	return synced(fd, err);
}

void image_ends_free(struct image_ends *e)
{
	while (e->n)
		drop_last(e);
	free(e->pieces);
	e->pieces = NULL;
}
