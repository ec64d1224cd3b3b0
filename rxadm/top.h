/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the verb top: cmd_top.c calls the others, sample.c asks the
 * kernel, rates.c computes rates, screen.c draws them, keys.c decodes and obeys
 * keys, term.c owns the terminal.
 */
#ifndef RXADM_TOP_H
#define RXADM_TOP_H

#include "args.h"
#include "errtext.h"
#include "list.h"

/* A device over an interval, per second; below 0: not known. */
struct rx_rate {
	enum rx_family family;
	char name[RX_NAME_LEN], state[RX_NAME_LEN];
	char disk[RX_NAME_LEN], cache[RX_HOLDERS_LEN], origin[128];
	uint64_t size, used, freeing, index, in_flight;
	double hit, hit_all;		/* 0 to 1 */
	double reads, read_bytes, read_ns;	/* read_ns: mean of one */
	double writes, write_bytes, write_ns;
	double discards, discard_bytes;
	double fills, evicts, reclaims, errors;
};

struct rx_total {
	size_t disks, caches;
	uint64_t size, used, index;	/* memory of the disks, and of the caches' indexes */
	uint64_t memory, free_now, available;	/* of the machine */
	double reads, read_bytes, writes, write_bytes, hit;
};

struct rx_rates {
	struct rx_rate *rows;	/* disks, then caches */
	size_t n;
	struct rx_total total;
	uint64_t interval_ns;	/* 0 for the first sample */
};

/* sample.c APIs: */
struct rx_sampler {
	const struct rx_args *only;	/* with objects, if any are named */
	bool mounts;			/* look up mount points too */
	bool absent[RX_FAMILIES];
	struct rx_list last;		/* figures of the last sample */
	int64_t last_ns;		/* its time; 0 before the first */
	struct rx_list list;		/* their increase over the last interval */
	struct rx_rates rates;
};
int sample(struct rx_sampler *s, struct rx_err *err);
void sample_free(struct rx_sampler *s);

/* keys.c APIs: */
enum { KEY_NONE, KEY_UP = 256, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME,
       KEY_END };

struct rx_keys {
	char pending[8];	/* the beginning of an escape sequence */
	size_t n;
};

/* The order is that of the choices of --sort. */
enum rx_sort { SORT_NAME, SORT_IO, SORT_BYTES, SORT_HIT, SORT_MEMORY,
	       SORT_LATENCY, SORTS };

struct rx_sort_key {
	const char *name;	/* of --sort */
	int key;
	const char *help;
};
extern const struct rx_sort_key rx_sort_keys[SORTS];

/* The view that the user chose. */
struct rx_top {
	enum rx_sort sort;
	bool reverse, disks, caches, paused, help, quit;
	uint64_t interval_ns;
	size_t first, page;	/* first row shown; rows that fit */
	char message[256];	/* the present problem, or "" */
	char time[32];
};

int keys_next(struct rx_keys *keys, int byte);
void keys_obey(struct rx_top *top, int key);

/* rates.c APIs: */
void rates_make(struct rx_rates *rates, const struct rx_list *delta,
		const struct rx_list *all, uint64_t interval_ns);
void rates_free(struct rx_rates *rates);
struct rx_rate *top_rows(const struct rx_top *top, const struct rx_rates *rates,
			 size_t *n);

/* screen.c APIs: */
void top_summary(const struct rx_total *total, char *memory, char *sums,
		 size_t len);
char *screen_draw(size_t width, size_t height, struct rx_top *top,
		  const struct rx_rates *rates);

/* term.c APIs: */
bool term_usable(void);
bool term_open(void);
void term_close(void);
void term_stop(void);
void term_size(size_t *width, size_t *height);
int term_fd(void);
int term_read(char *buf, size_t len);
bool term_write(const char *text);

#endif
