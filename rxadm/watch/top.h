/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the verb top: verb/top.c calls the others, sample.c asks the
 * kernel, rates.c computes rates, screen.c draws them, keys.c decodes and obeys
 * keys, term.c owns the terminal.
 */
#ifndef RXADM_TOP_H
#define RXADM_TOP_H

#include "kernel/errtext.h"
#include "kernel/list.h"
#include "kernel/name.h"

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

struct rx_sampler {
	struct rx_objects only;
	bool mounts;			/* look up mount points too */
	bool absent[RX_FAMILIES];
	struct rx_list last;		/* figures of the last sample */
	int64_t last_ns;		/* its time; 0 before the first */
	struct rx_list list;		/* their increase over the last interval */
	struct rx_rates rates;
};

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

/* The view that the user chose. */
struct rx_top {
	enum rx_sort sort;
	bool reverse, disks, caches, paused, help, quit;
	uint64_t interval_ns;
	size_t first, page;	/* first row shown; rows that fit */
	char message[256];	/* the present problem, or "" */
	char time[32];
};

#endif
