/* SPDX-License-Identifier: GPL-2.0-only */
/* Time, signals, and waiting for either or for a file descriptor. */
#ifndef RXADM_WAIT_H
#define RXADM_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rx_wait { WAIT_EVENT, WAIT_TIMEOUT, WAIT_OVERRUN, WAIT_SIGNAL,
	       WAIT_RELOADED };

#define WAIT_DEFAULT	(-1L)
struct pollfd;
int64_t now_ns(void);
int64_t now_ms(void);
long wait_left(int64_t start, long wait_ms);
void signals_take(void);
void signals_note(int sig);
void signals_add(const int *signals, size_t n);
int signals_last(void);
bool signals_pending(void);
void signals_die(void);
enum rx_wait wait_fd(int fd, long timeout_ms);
enum rx_wait wait_poll(struct pollfd *fd, long timeout_ms);

#endif
