/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of work that the kernel goes on with by itself. */
#ifndef RXADM_AWAIT_H
#define RXADM_AWAIT_H

struct rx_cache;
struct rx_disk;

enum rx_end { END_DONE, END_FAILED, END_TIMEOUT, END_SIGNAL };
enum rx_end await_active(struct rx_cache *cache, const char *verb,
			 const char *object, long wait_ms);
enum rx_end await_verified(struct rx_cache *cache, const char *verb,
			   const char *object, long wait_ms);
enum rx_end await_gone(struct rx_cache *cache, const char *verb,
		       const char *object, long wait_ms);
enum rx_end await_detached(const struct rx_disk *disk, const char *verb,
			   long wait_ms);
enum rx_end await_cleared(struct rx_disk *disk, const char *verb, long wait_ms);

#endif
