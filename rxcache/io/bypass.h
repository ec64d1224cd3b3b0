/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads past the cache. */
#ifndef _RXC_BYPASS_H
#define _RXC_BYPASS_H

#include "io/io.h"

/* How a read past the cache treats cached blocks. */
enum rxc_bypass {
	RXC_BYPASS_UNCACHED,		/* ends before the first of them */
	RXC_BYPASS_ALL,			/* drops them */
	RXC_BYPASS_RETRY,		/* leaves them to writes; after a failed fill */
	RXC_BYPASS_AGAIN,		/* drops them; after a fill that was stored */
};

enum rxc_begun rxc_bypass_read(struct rxc_io *io, struct bvec_iter *iter,
			       enum rxc_bypass how, gfp_t gfp);

#endif
