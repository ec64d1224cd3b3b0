// SPDX-License-Identifier: GPL-2.0-only
/* Codecs and lanes. See codec.h. */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <rx/memcpy.h>
#include "compat.h"
#include "compat_codec.h"
#include "packed/bin.h"
#include "packed/codec.h"

/*
 * All pools and requests share one of each. In Linux 6.17 and 6.18.0, when one of zstd is freed,
 * so are the buffers of all others. Each has a mutex of its own, which is held while its module
 * is loaded: who needs the other codec, maybe with rxc_mutex, does not wait for that.
 */
static struct {
	const char *name;
	struct mutex mutex;
	struct crypto_acomp *acomp;
	unsigned int users;
} shared[RXC_NR_CODECS] = {
	[RXCACHE_COMPRESS_LZ4] = {
		.name	= "lz4",
		.mutex	= __MUTEX_INITIALIZER(shared[RXCACHE_COMPRESS_LZ4].mutex),
	},
	[RXCACHE_COMPRESS_ZSTD] = {
		.name	= "zstd",
		.mutex	= __MUTEX_INITIALIZER(shared[RXCACHE_COMPRESS_ZSTD].mutex),
	},
};

struct crypto_acomp *rxc_codec_get(u32 codec)
{
	struct crypto_acomp *acomp;

	mutex_lock(&shared[codec].mutex);
	if (!shared[codec].users)
		shared[codec].acomp = rx_codec_new(shared[codec].name);
	acomp = shared[codec].acomp;
	if (!IS_ERR(acomp))
		shared[codec].users++;
	mutex_unlock(&shared[codec].mutex);
	return acomp;
}

/* The last user frees it. The others have freed their requests and use it no more. */
void rxc_codec_put(u32 codec)
{
	mutex_lock(&shared[codec].mutex);
	if (!--shared[codec].users)
		rx_codec_free(shared[codec].acomp);
	mutex_unlock(&shared[codec].mutex);
}

int rxc_codec_refusal(int err, const char **why)
{
	*why = err == -ENOMEM ? "no memory to compress" : "this kernel has no such compressor";
	return err == -ENOMEM ? -ENOMEM : -EOPNOTSUPP;
}

struct rxc_lanes *rxc_lanes_new(unsigned int readers)
{
	unsigned int i, nr = min(num_possible_cpus(), readers) + 1;
	struct rxc_lanes *lanes = kzalloc(struct_size(lanes, lane, nr), GFP_KERNEL);

	if (!lanes)
		return NULL;
	lanes->nr = nr;
	for (i = 0; i < nr; i++) {
		struct rxc_lane *lane = &lanes->lane[i];

		spin_lock_init(&lane->lock);
		lane->in = alloc_page(GFP_KERNEL);
		lane->out = alloc_page(GFP_KERNEL);
		if (!lane->in || !lane->out) {
			rxc_lanes_free(lanes);
			return NULL;
		}
	}
	return lanes;
}

static void requests_free(struct acomp_req **requests)
{
	unsigned int codec;

	for (codec = 0; codec < RXC_NR_CODECS; codec++)
		if (requests[codec])
			rx_codec_request_free(requests[codec]);
}

void rxc_lanes_free(struct rxc_lanes *lanes)
{
	unsigned int i;

	if (!lanes)
		return;
	for (i = 0; i < lanes->nr; i++) {
		struct rxc_lane *lane = &lanes->lane[i];

		requests_free(lane->request);
		if (lane->in)
			__free_page(lane->in);
		if (lane->out)
			__free_page(lane->out);
	}
	for (i = 0; i < RXC_NR_CODECS; i++)
		if (lanes->codec[i])
			rxc_codec_put(i);
	kfree(lanes);
}

int rxc_lanes_add(struct rxc_lanes *lanes, u32 codec)
{
	struct crypto_acomp *acomp;
	unsigned int i;

	if (codec == RXCACHE_COMPRESS_OFF || lanes->codec[codec])
		return 0;
	acomp = rxc_codec_get(codec);
	if (IS_ERR(acomp))
		return PTR_ERR(acomp);
	for (i = 0; i < lanes->nr; i++) {
		lanes->lane[i].request[codec] = rx_codec_request_new(acomp);
		if (!lanes->lane[i].request[codec])
			break;
	}
	if (i == lanes->nr) {
		lanes->codec[codec] = acomp;
		return 0;
	}
	/* No block of this codec exists, so no reader looks at the requests. */
	while (i--) {
		rx_codec_request_free(lanes->lane[i].request[codec]);
		lanes->lane[i].request[codec] = NULL;
	}
	rxc_codec_put(codec);
	return -ENOMEM;
}

struct rxc_lane *rxc_lane_lock(struct rxc_lanes *lanes)
{
	struct rxc_lane *lane = &lanes->lane[raw_smp_processor_id() % (lanes->nr - 1)];

	spin_lock(&lane->lock);
	/* Sparse knows no lock behind a pointer that a function returns. */
	__release(&lane->lock);
	return lane;
}

u32 rxc_codec_sum(const void *data, unsigned int len, u64 key)
{
	return rx_codec_sum(data, len, key) & S32_MAX;
}

/* Whether the kernel knows of an error in the pages from @data on. */
static bool is_poisoned(const void *data, unsigned int len)
{
	return PageHWPoison(virt_to_page(data)) || PageHWPoison(virt_to_page(data + len - 1));
}

unsigned int rxc_lane_take(struct rxc_lane *lane, struct page *page, u64 key,
			   unsigned int *codec, u32 *sum)
{
	void *in = page_address(lane->in);
	struct rxc_bin_at at;
	unsigned int left;

	lockdep_assert_held(&lane->lock);
	if (unlikely(PageHWPoison(page)) || !rxc_bin_find(page, key, &at) ||
	    at.len > PAGE_SIZE || unlikely(is_poisoned(at.data, at.len)))
		return 0;
	left = rx_memcpy_mc(in, at.data, at.len);
	if (unlikely(left)) {
		rx_memory_failed(virt_to_page(at.data + at.len - left));
		return 0;
	}
	if (unlikely(rxc_codec_sum(in, at.len, key) != at.sum))
		return 0;
	*codec = at.codec;
	*sum = at.sum;
	return at.len;
}

bool rxc_lane_unpack(struct rxc_lane *lane, struct page *page, u64 key)
{
	void *in = page_address(lane->in), *out = page_address(lane->out);
	unsigned int codec, len;
	u32 sum;

	len = rxc_lane_take(lane, page, key, &codec, &sum);
	if (unlikely(!len))
		return false;
	if (len == RXC_BIN_FILLED) {
		memset64(out, *(u64 *)in, PAGE_SIZE / sizeof(u64));
		return true;
	}
	if (unlikely(codec >= RXC_NR_CODECS || !lane->request[codec]))
		return false;
	return rx_codec_run(lane->request[codec], false, in, len, out,
			    PAGE_SIZE) == PAGE_SIZE;
}

bool rxc_lane_load(struct rxc_lane *lane, struct page *page)
{
	lockdep_assert_held(&lane->lock);
	if (unlikely(PageHWPoison(page)))
		return false;
	if (likely(!rx_memcpy_mc(page_address(lane->in), page_address(page), PAGE_SIZE)))
		return true;
	rx_memory_failed(page);
	return false;
}

static bool is_filled(const u64 *data)
{
	unsigned int i;

	/* Most pages differ early or in their last word. */
	if (data[0] != data[PAGE_SIZE / sizeof(u64) - 1])
		return false;
	for (i = 1; i < PAGE_SIZE / sizeof(u64); i++)
		if (data[i] != data[0])
			return false;
	return true;
}

unsigned int rxc_lane_pack(struct rxc_lane *lane, unsigned int codec)
{
	void *in = page_address(lane->in), *out = page_address(lane->out);
	int len;

	lockdep_assert_held(&lane->lock);
	if (is_filled(in)) {
		*(u64 *)out = *(u64 *)in;
		return RXC_BIN_FILLED;
	}
	len = rx_codec_run(lane->request[codec], true, in, PAGE_SIZE, out, RXC_PACKED_MAX);
	/* No codec makes so few bytes of a page, but the length says what a block is. */
	return len > RXC_BIN_FILLED ? len : 0;
}
