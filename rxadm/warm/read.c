// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reads of a load. Threads make them, so that several can be in flight. They take the
 * I/O priority and the blocked signals of the thread that creates them.
 *
 * All functions are called by one thread, which hands one read over at a time.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sys.h"
#include "warm/read.h"

#define ALIGN_BYTES	65536		/* no disk has larger logical blocks */
/* This many in a row: the origin is gone. One fault may end all reads in flight. */
#define ERRORS_MAX	(4 * READS_MAX)

struct warm_reads {
	int fd;
	pthread_t threads[READS_MAX];
	unsigned int n_threads;		/* of the caller alone */

	pthread_mutex_t lock;		/* protects the rest */
	pthread_cond_t changed;
	bool given;			/* a read that no thread has taken yet ... */
	uint64_t begin, end;		/* ... and where it is */
	bool stop;
	unsigned int busy;		/* reads in flight, and the one that is given */
	uint64_t bytes;			/* that were read since the last reads_wait() */
	unsigned int failed, failed_in_a_row;
	bool gone;			/* the device */
};

/* Counts a read that has ended. */
static void count(struct warm_reads *r, uint64_t bytes, int err)
{
	r->busy--;
	if (!err) {
		r->failed_in_a_row = 0;
		r->bytes += bytes;
		return;
	}
	r->failed++;
	if (++r->failed_in_a_row >= ERRORS_MAX || err == ENXIO)
		r->gone = true;
}

static void *reader(void *arg)
{
	struct warm_reads *r = arg;
	uint64_t begin, end;
	char *buf;
	int err;

	buf = aligned_alloc(ALIGN_BYTES, READ_BYTES_MAX);
	if (!buf)
		abort();
	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		if (!r->given) {
			pthread_cond_wait(&r->changed, &r->lock);
			continue;
		}
		begin = r->begin;
		end = r->end;
		r->given = false;
		pthread_cond_broadcast(&r->changed);
		pthread_mutex_unlock(&r->lock);
		err = sys_read_all(r->fd, buf, end - begin, begin);
		pthread_mutex_lock(&r->lock);
		count(r, end - begin, err);
		pthread_cond_broadcast(&r->changed);
	}
	pthread_mutex_unlock(&r->lock);
	free(buf);
	return NULL;
}

/* Returns 0 or an errno. */
static int add_thread(struct warm_reads *r)
{
	int err = pthread_create(&r->threads[r->n_threads], NULL, reader, r);

	if (!err)
		r->n_threads++;
	return err;
}

/*
 * Prepares reads of the device FD, with the I/O priority that the caller has now. Returns
 * NULL, with errno set, if there can be no thread.
 */
struct warm_reads *reads_new(int fd)
{
	struct warm_reads *r = mem_zero(1, sizeof(*r));
	int err;

	r->fd = fd;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	err = add_thread(r);
	if (!err)
		return r;
	reads_free(r);
	errno = err;
	return NULL;
}

/*
 * Reads the bytes from BEGIN up to END, at most READ_BYTES_MAX. Waits until fewer than
 * DEPTH reads are in flight, and does not wait for this one. DEPTH is 1 to READS_MAX.
 */
void reads_put(struct warm_reads *r, uint64_t begin, uint64_t end, unsigned int depth)
{
	/* If there can be no more threads, there are fewer reads in flight. */
	while (r->n_threads < depth && !add_thread(r))
		;
	if (depth > r->n_threads)
		depth = r->n_threads;
	pthread_mutex_lock(&r->lock);
	while (r->given || r->busy >= depth)
		pthread_cond_wait(&r->changed, &r->lock);
	r->begin = begin;
	r->end = end;
	r->given = true;
	r->busy++;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

/* Waits until no read is in flight. Returns the bytes that were read since the last call. */
uint64_t reads_wait(struct warm_reads *r)
{
	uint64_t bytes;

	pthread_mutex_lock(&r->lock);
	while (r->busy)
		pthread_cond_wait(&r->changed, &r->lock);
	bytes = r->bytes;
	r->bytes = 0;
	pthread_mutex_unlock(&r->lock);
	return bytes;
}

unsigned int reads_failed(struct warm_reads *r)
{
	unsigned int n;

	pthread_mutex_lock(&r->lock);
	n = r->failed;
	pthread_mutex_unlock(&r->lock);
	return n;
}

/* Tells whether the device is gone, or so many reads have failed that it may be. */
bool reads_useless(struct warm_reads *r)
{
	bool gone;

	pthread_mutex_lock(&r->lock);
	gone = r->gone;
	pthread_mutex_unlock(&r->lock);
	return gone;
}

/* Waits for the reads in flight, and ends the threads. */
void reads_free(struct warm_reads *r)
{
	unsigned int i;

	if (!r)
		return;
	reads_wait(r);
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	for (i = 0; i < r->n_threads; i++)
		pthread_join(r->threads[i], NULL);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
