/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the verb advise share: cmd_advise.c asks and tells,
 * advice.c judges, advicepage.c and advicejson.c say it, advicestep.c has the
 * commands that carry it out, tracepage.c does all of this for a trace, plot.c
 * draws.
 */
#ifndef RXADM_ADVICE_H
#define RXADM_ADVICE_H

#include "args.h"
#include "object.h"

#define CURVE_MAX	32

/* Hit ratios, 0 to 1, of caches of these sizes, the smallest first. */
struct rx_curve {
	size_t n;
	struct rx_curve_point {
		uint64_t size;
		double ratio;
	} at[CURVE_MAX];
};

/* Of the machine, in bytes; RX_NONE is not known. */
struct rx_memory {
	uint64_t total, available;
	uint64_t promised;	/* other caches will take so much more */
};

enum rx_verdict {
	/* No figures to judge by: */
	VERDICT_NOT_ACTIVE,	/* not yet, or no more */
	VERDICT_BYPASS,		/* in bypass mode */
	VERDICT_UNUSED,		/* hardly anything was ever read */
	VERDICT_IDLE,		/* nothing of late */
	VERDICT_BLIND,		/* the module keeps no shadow of it */
	VERDICT_FEW,		/* too little was sampled yet */
	/* Judged: */
	VERDICT_PAGE_CACHE,	/* the page cache would do it */
	VERDICT_USELESS,	/* no size helps */
	VERDICT_GROW, VERDICT_SHRINK, VERDICT_KEEP,
	VERDICTS
};
extern const char *const rx_verdict_names[];

/* Ratios and times below 0 are not known. */
struct rx_advice {
	enum rx_verdict verdict;
	double ratio;		/* of the last hour, or of all time */
	bool lately;		/* the former */
	double bypassed;	/* likewise, share of reads past the cache */
	struct rx_curve curve;	/* estimates; empty without figures */
	size_t now, best;	/* in it: as it is, as it should be */
	size_t wanted;		/* as it should be if memory were no matter */
	uint64_t room;		/* bytes of blocks that there is memory for */
	double first;		/* share of reads that no size had */
	double lost;		/* share of the samples that came too fast */
	bool full;		/* blocks make way for others */
	bool pressed;		/* the machine takes its memory back */
	double flipped;		/* with write-allocate the other way round */
	bool flip;		/* better so */
	double sequential;	/* if long sequential reads went past it */
	bool scanned;		/* better so */
	double buffered;	/* share of reads that the page cache made */
	double ghost;		/* share of fills that were there not long ago */
	double saved_ns;	/* so far */
	double gain_ns;		/* in an hour, by going from now to best */
};

/* advice.c APIs: */
#define ADVICE_READS_MIN	2000
#define ADVICE_USELESS		0.05	/* a hit ratio below it is none */
#define ADVICE_FIRST_MOST	0.5	/* of rx_advice.first */
size_t curve_knee(const struct rx_curve *curve, size_t from, size_t to);
void advise(struct rx_advice *a, const struct rx_cache *c,
	    const struct rx_memory *memory);

/* advicestep.c APIs: commands to be freed with strv_free(). */
uint64_t advice_size(const struct rx_advice *a, const struct rx_cache *c,
		     size_t at, uint64_t disk_size);
void advice_steps(const struct rx_advice *a, const struct rx_cache *c,
		  uint64_t disk_size, struct rx_strv *steps);

/* advicepage.c APIs: */
void advice_page(const struct rx_advice *a, const struct rx_cache *c,
		 uint64_t disk_size, const struct rx_memory *memory);

/* advicejson.c APIs: */
struct json_object;
struct json_object *advice_json(const struct rx_advice *a,
				const struct rx_cache *c, uint64_t disk_size,
				const struct rx_memory *memory);

/* plot.c APIs: */
struct rx_plot_row {
	const char *size, *label, *mark;
	double ratio;
};
bool plot_utf8(void);
void plot_bars(FILE *f, const struct rx_plot_row *rows, size_t n,
	       const char *heading, size_t width, bool utf8);

/* tracepage.c APIs: */
int advise_trace(const struct rx_args *args);

#endif
