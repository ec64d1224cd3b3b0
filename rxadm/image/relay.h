/* SPDX-License-Identifier: GPL-2.0-only */
/* Items that go through two hands: a thread fills them, and the caller takes them in the same order. */
#ifndef RXADM_RELAY_H
#define RXADM_RELAY_H

#include <pthread.h>
#include <stdbool.h>

#define RELAY_ITEMS	8
#define RELAY_HANDS	2

struct relay_ops {
	/* Fills item I, in order. Returns whether there is one more. */
	bool (*fill)(void *arg, unsigned int i);
	/*
	 * Does what is left to do with item I, in any order, beside fill() and beside work()
	 * with another item and HAND. HAND is below RELAY_HANDS.
	 */
	void (*work)(void *arg, unsigned int i, unsigned int hand);
};

struct relay {
	const struct relay_ops *ops;
	void *arg;
	bool threaded;
	pthread_t thread;

	pthread_mutex_t lock;		/* protects the rest */
	pthread_cond_t changed;
	unsigned int filled, given;	/* items since the start; GIVEN: back from the caller */
	bool taken;			/* the caller has item GIVEN */
	bool last;			/* no more will be filled */
	bool stop;
	enum { RELAY_RAW, RELAY_BUSY, RELAY_DONE } state[RELAY_ITEMS];
};

/*
 * Begins with item 0. Without THREAD, or if there can be none, relay_take() does all. The
 * thread gets no signals. A relay that has not started is all zeroes.
 */
void relay_start(struct relay *relay, const struct relay_ops *ops, void *arg, bool thread);
/* Returns the next item, which has been worked on, or -1 after the last. Takes back the one before. */
int relay_take(struct relay *relay);
/* Waits for what the thread is doing, and ends it. Does nothing to a relay that has not started. */
void relay_stop(struct relay *relay);

#endif
