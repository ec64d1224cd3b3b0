// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reads of a load. The kernel makes them meanwhile (io_submit(2)), with the I/O priority
 * of this thread. A kernel without that, or whose fs.aio-max-nr others have used up, has one
 * read in flight.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "warm/read.h"

#define ALIGN_BYTES	65536		/* no disk has larger logical blocks */
/* This many in a row: the origin is gone. One fault may end all reads in flight. */
#define ERRORS_MAX	(4 * READS_MAX)

/* Prepares reads of the device FD. */
void reads_init(struct warm_reads *r, int fd)
{
	*r = (struct warm_reads){ .fd = fd };
	/* Each has memory of its own: a device below may check or decrypt the data in place. */
	r->data = aligned_alloc(ALIGN_BYTES, READS_MAX * READ_BYTES_MAX);
	if (!r->data)
		abort();
	if (syscall(SYS_io_setup, READS_MAX, &r->aio))
		r->aio = 0;
}

/* Counts a read that has ended. RESULT: its bytes, or an errno below 0. */
static void count(struct warm_reads *r, struct iocb *read, int64_t result)
{
	bool good = result == (int64_t)read->aio_nbytes;

	r->busy--;
	r->bytes += good ? read->aio_nbytes : 0;
	r->failed += !good;
	r->failed_in_a_row = good ? 0 : r->failed_in_a_row + 1;
	r->gone |= r->failed_in_a_row >= ERRORS_MAX || result == -ENXIO;
	read->aio_nbytes = 0;
}

/* Waits until fewer than DEPTH reads are in flight. */
static void wait_for_room(struct warm_reads *r, unsigned int depth)
{
	struct io_event event;

	while (r->busy >= depth) {
		if (syscall(SYS_io_getevents, r->aio, 1, 1, &event, NULL) == 1)
			count(r, &r->reads[event.data], event.res);
		else if (errno != EINTR)
			abort();
	}
}

/*
 * Reads the bytes from BEGIN up to END, at most READ_BYTES_MAX. Waits until fewer than
 * DEPTH reads are in flight, and does not wait for this one. DEPTH is 1 to READS_MAX.
 */
void reads_put(struct warm_reads *r, uint64_t begin, uint64_t end, unsigned int depth)
{
	struct iocb *read = r->reads;
	char *data;
	int err = 0;

	wait_for_room(r, depth);
	while (read->aio_nbytes)
		read++;
	data = r->data + (read - r->reads) * READ_BYTES_MAX;
	*read = (struct iocb){
		.aio_data = read - r->reads, .aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = r->fd, .aio_buf = (uintptr_t)data,
		.aio_nbytes = end - begin, .aio_offset = begin,
	};
	r->busy++;
	if (!r->aio)
		err = sys_read_all(r->fd, data, end - begin, begin);
	else if (syscall(SYS_io_submit, r->aio, 1, &read) != 1)
		err = errno;
	if (!r->aio || err)
		count(r, read, err ? -err : (int64_t)(end - begin));
}

/* Waits until no read is in flight. Returns the bytes that were read since the last call. */
uint64_t reads_wait(struct warm_reads *r)
{
	uint64_t bytes;

	wait_for_room(r, 1);
	bytes = r->bytes;
	r->bytes = 0;
	return bytes;
}

void reads_free(struct warm_reads *r)
{
	if (r->aio)
		syscall(SYS_io_destroy, r->aio);
	free(r->data);
}
