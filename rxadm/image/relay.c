// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fills and takes items at the same time. Between both there is work on each item that
 * needs no order. Whoever would wait for the other does some of it, so both are busy as
 * long as there is work, whichever of the three takes longest.
 */
#include <signal.h>
#include <string.h>

#include "image/relay.h"

enum { CALLER, THREAD };

static unsigned int slot(unsigned int n)
{
	return n % RELAY_ITEMS;
}

/* Works on item N without the lock. */
static void work_on(struct relay *r, unsigned int n, unsigned int hand)
{
	r->state[slot(n)] = RELAY_BUSY;
	pthread_mutex_unlock(&r->lock);
	r->ops->work(r->arg, slot(n), hand);
	pthread_mutex_lock(&r->lock);
	r->state[slot(n)] = RELAY_DONE;
	pthread_cond_broadcast(&r->changed);
}

static void fill_one(struct relay *r)
{
	unsigned int item = slot(r->filled);
	bool more;

	pthread_mutex_unlock(&r->lock);
	more = r->ops->fill(r->arg, item);
	pthread_mutex_lock(&r->lock);
	r->state[item] = RELAY_RAW;
	r->filled++;
	r->last = !more;
	pthread_cond_broadcast(&r->changed);
}

/* Works on the item that the caller takes last, which is the least likely to be waited for. */
static bool help(struct relay *r)
{
	unsigned int n;

	for (n = r->filled; n != r->given; n--) {
		if (r->state[slot(n - 1)] == RELAY_RAW) {
			work_on(r, n - 1, THREAD);
			return true;
		}
	}
	return false;
}

static void *run(void *arg)
{
	struct relay *r = arg;

	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		if (!r->last && r->filled - r->given < RELAY_ITEMS)
			fill_one(r);
		else if (!help(r)) {
			if (r->last)
				break;
			pthread_cond_wait(&r->changed, &r->lock);
		}
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

void relay_start(struct relay *r, const struct relay_ops *ops, void *arg, bool thread)
{
	sigset_t all, before;

	memset(r, 0, sizeof(*r));
	r->ops = ops;
	r->arg = arg;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	if (!thread)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r->threaded = !pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int relay_take(struct relay *r)
{
	unsigned int n;
	int item = -1;

	pthread_mutex_lock(&r->lock);
	if (r->taken) {
		r->given++;
		r->taken = false;
		pthread_cond_broadcast(&r->changed);
	}
	n = r->given;
	if (!r->threaded && n == r->filled && !r->last)
		fill_one(r);
	while (n == r->filled && !r->last)
		pthread_cond_wait(&r->changed, &r->lock);
	if (n != r->filled) {
		if (r->state[slot(n)] == RELAY_RAW)
			work_on(r, n, CALLER);
		while (r->state[slot(n)] != RELAY_DONE)
			pthread_cond_wait(&r->changed, &r->lock);
		r->taken = true;
		item = slot(n);
	}
	pthread_mutex_unlock(&r->lock);
	return item;
}

void relay_stop(struct relay *r)
{
	if (!r->ops)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	if (r->threaded)
		pthread_join(r->thread, NULL);
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	r->ops = NULL;
}
