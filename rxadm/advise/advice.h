/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of the verb advise. verb/advise.c asks the kernel and calls the others.
 * advice.c judges, and page.c and json.c print the judgement. steps.c has the commands that
 * carry it out, compressed.c judges whether compression would help, and verb/trace.c judges
 * recorded traces.
 */
#ifndef RXADM_ADVICE_H
#define RXADM_ADVICE_H

#include "kernel/object.h"

#define CURVE_MAX	32

/*
 * The hit ratio that a doubling of the size must add. Estimates are mostly off by less than
 * 1 point and by up to 2, so a smaller gain may be nothing.
 */
#define GAIN		0.02

/* Hit ratios, 0 to 1, of caches of these sizes, the smallest first. */
struct rx_curve {
	size_t n;
	struct rx_curve_point {
		uint64_t size;
		double ratio;
	} at[CURVE_MAX];
};

/* Memory of the machine, in bytes; RX_NONE: not known. */
struct rx_memory {
	uint64_t total, available;
	uint64_t promised;	/* that caches on other disks have yet to take */
	uint64_t beside;	/* blocks of other caches on the same disk */
};

enum rx_verdict {
	/* Not in use: */
	VERDICT_NOT_ACTIVE,	/* not yet, or no more */
	VERDICT_BYPASS,		/* in bypass mode */
	VERDICT_UNUSED,		/* hardly anything was ever read */
	VERDICT_IDLE,		/* nothing was read in the last hour */
	/* No figures to judge by: */
	VERDICT_BLIND,		/* the module keeps no shadow of it */
	VERDICT_FEW,		/* too few samples yet */
	/* Judged: */
	VERDICT_PAGE_CACHE,	/* the page cache would do as well */
	VERDICT_USELESS,	/* no size helps */
	VERDICT_GROW, VERDICT_SHRINK, VERDICT_KEEP,
	VERDICTS
};
extern const char *const rx_verdict_names[];

/* Tells whether the memory should be given back. */
static inline bool verdict_unmaps(enum rx_verdict verdict)
{
	return verdict == VERDICT_PAGE_CACHE || verdict == VERDICT_USELESS;
}

/* Tells whether the cache should have another size. */
static inline bool verdict_resizes(enum rx_verdict verdict)
{
	return verdict == VERDICT_GROW || verdict == VERDICT_SHRINK;
}

/* Ratios and times below 0 are not known. */
struct rx_advice {
	const struct rx_cache *cache;
	uint64_t disk_size;	/* as the user gave it, or RX_NONE */
	struct rx_memory memory;
	/* The file and the name of its line that has the size of the memory, or NULL. */
	const char *table, *table_line;
	enum rx_verdict verdict;
	double ratio;		/* hits of the last hour, or of all time */
	bool lately;		/* the ratio is that of the last hour */
	bool frozen;		/* many reads came while frozen: the ratio is the shadow's */
	double bypassed;	/* reads past the cache in the same time */
	struct rx_curve curve;	/* estimates; empty without figures */
	size_t now, best;	/* points of the curve: present, right size */
	size_t wanted;		/* the right point if memory sufficed */
	size_t whole;		/* the point that holds all of the origin; CURVE_MAX: none */
	uint64_t room;		/* bytes of blocks that there is memory for */
	double first;		/* share of reads that are misses at any size */
	double lost;		/* share of the samples that came too fast */
	bool shared;		/* other caches have a part of the memory */
	bool limited;		/* the cache has a max share that is less than the memory */
	bool at_max;		/* it has as much as that */
	bool full;		/* blocks that enter evict other blocks */
	bool evicted;		/* blocks were evicted in the last hour, perhaps before it grew */
	bool pressed;		/* the machine takes its memory back */
	double flipped;		/* ratio with write-allocate inverted */
	bool flip;		/* the ratio before is better */
	double sequential;	/* ratio if long sequential reads bypassed the cache */
	bool scanned;		/* the ratio before is better */
	double times;		/* as many blocks with compression as now; 0: not known */
	double compressed;	/* ratio with so many blocks */
	bool compress;		/* the ratio before is better */
	double vain;		/* share of what was read ahead that nobody read */
	bool no_ahead;		/* the share before is too large */
	double buffered;	/* share of reads that the page cache made */
	double ghost;		/* share of fills that were evicted recently */
	double saved_ns;	/* waiting that hits saved so far */
	double gain_ns;		/* waiting that best saves in an hour, against now */
};

#define ADVICE_READS_MIN	2000
#define ADVICE_USELESS		0.05	/* a lower hit ratio counts as none */
#define ADVICE_FIRST_MOST	0.5	/* of rx_advice.first */
size_t curve_knee(const struct rx_curve *curve, size_t from, size_t to);
void advise(struct rx_advice *a, const struct rx_cache *cache, uint64_t disk_size,
	    const struct rx_memory *memory);

#endif
