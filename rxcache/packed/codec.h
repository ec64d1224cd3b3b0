/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Codecs compress and decompress blocks, in lanes. A lane has what one call needs: a request
 * of each codec and two pages. There is a lane for each processor, up to a number, and one
 * for the packer. A lane is used under its lock, for as long as a block takes. So no other
 * task that runs on the processor meanwhile can use it, and nobody waits for one that sleeps.
 */
#ifndef _RXC_CODEC_H
#define _RXC_CODEC_H

#include <linux/cache.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <uapi/linux/rxcache.h>
#include "packed/bin.h"

struct acomp_req;
struct crypto_acomp;
struct page;

enum {
	RXC_NR_CODECS = RXCACHE_COMPRESS_ZSTD + 1,
	/* The most lanes for readers. Each takes up to 1.5 MB with zstd on older kernels. */
	RXC_LANES_MAX = 16,
	/* A block that does not shrink to this is better off plain, or too long for a bin. */
	RXC_PACKED_MAX = PAGE_SIZE / 4 * 3 < RXC_BIN_LEN_MAX ? PAGE_SIZE / 4 * 3 : RXC_BIN_LEN_MAX,
};

/**
 * struct rxc_lane - room for one call
 * @lock: outer to the locks of sets; taken in process context
 * @in: what goes in, a page
 * @out: what comes out, a page
 * @request: of each codec that the pool has used; constant once set
 */
struct rxc_lane {
	spinlock_t lock;
	struct page *in;
	struct page *out;
	struct acomp_req *request[RXC_NR_CODECS];
} ____cacheline_aligned_in_smp;

/**
 * struct rxc_lanes - the lanes of a pool
 * @codec: those that the pool has used; constant once set
 * @nr: how many lanes; the last one is the packer's
 */
struct rxc_lanes {
	struct crypto_acomp *codec[RXC_NR_CODECS];
	unsigned int nr;
	struct rxc_lane lane[];
};

/* The codec of a setting, which may be auto. */
static inline u32 rxc_codec_of(u32 setting)
{
	return setting == RXCACHE_COMPRESS_AUTO ? RXCACHE_COMPRESS_LZ4 : setting;
}

/*
 * Gets a codec that is not off, until rxc_codec_put(). Returns ERR_PTR if the kernel lacks it or
 * has no memory. Context: process, may sleep; the first call for a codec may load its module,
 * so a request makes it before it takes a lock.
 */
struct crypto_acomp *rxc_codec_get(u32 codec);
void rxc_codec_put(u32 codec);

/* What a request is refused with if @err kept it from a codec, with the text in *@why. */
int rxc_codec_refusal(int err, const char **why);

/*
 * Makes lanes without a codec, or returns NULL: one for each processor, up to @readers, and
 * another one. With no @readers there is no use for rxc_lane_lock(). Context: process, may sleep.
 */
struct rxc_lanes *rxc_lanes_new(unsigned int readers);

/* Frees lanes that nobody can find any more, or NULL. Context: process, may sleep. */
void rxc_lanes_free(struct rxc_lanes *lanes);

/*
 * Adds a codec, unless it is there. Context: process, may sleep, and rxc_mutex if others know the
 * lanes. 0 or an errno.
 */
int rxc_lanes_add(struct rxc_lanes *lanes, u32 codec);

/* Takes a lane, which rxc_lane_unlock() gives back. Context: process. */
struct rxc_lane *rxc_lane_lock(struct rxc_lanes *lanes);
static inline void rxc_lane_unlock(struct rxc_lane *lane)
{
	__acquire(&lane->lock);
	spin_unlock(&lane->lock);
}

/*
 * Decompresses the block of @key in the bin of @page, to which the caller has a reference,
 * into @lane->out. Returns false if the bin's memory has failed. Context: process, with the
 * lane.
 */
bool rxc_lane_unpack(struct rxc_lane *lane, struct page *page, u64 key);

/*
 * Takes the compressed bytes of a block of a bin into @lane->in, after a look at their
 * checksum, and returns how many they are, with their codec and checksum, or 0 if the bin's
 * memory has failed. Context: as above.
 */
unsigned int rxc_lane_take(struct rxc_lane *lane, struct page *page, u64 key,
			   unsigned int *codec, u32 *sum);

/*
 * Copies a page to @lane->in. Returns false at a memory error. Context: process, with the lane.
 */
bool rxc_lane_load(struct rxc_lane *lane, struct page *page);

/*
 * Compresses a page from @lane->in, where the caller put it, into @lane->out. Returns how many
 * bytes there are, or 0 if they are more than RXC_PACKED_MAX. Context: as above.
 */
unsigned int rxc_lane_pack(struct rxc_lane *lane, unsigned int codec);

/* The checksum of what a bin has of a block. */
u32 rxc_codec_sum(const void *data, unsigned int len, u64 key);

#endif
