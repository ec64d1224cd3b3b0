/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's compressors and its checksum. A kernel that has them as modules, or not at
 * all, offers no codec, so that nobody's module needs another one to load.
 *
 * symbol_get() would not do: from 6.6 on it takes only symbols for GPL modules, and those of
 * LZ4 and zstd are for any. The crypto API loads the module of a compressor itself.
 */
#ifndef _RX_COMPAT_CODEC_H
#define _RX_COMPAT_CODEC_H

#include <linux/crypto.h>
#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/scatterlist.h>
#include <linux/types.h>

#if IS_BUILTIN(CONFIG_CRYPTO_ACOMP2) && IS_BUILTIN(CONFIG_XXHASH)
#include <crypto/acompress.h>
#include <linux/xxhash.h>

/* Context: process, may sleep and load a module. Returns ERR_PTR if there is none. */
static inline struct crypto_acomp *rx_codec_new(const char *name)
{
	/* Only those that are done when the call returns. */
	return crypto_alloc_acomp(name, 0, CRYPTO_ALG_ASYNC);
}

static inline void rx_codec_free(struct crypto_acomp *codec)
{
	crypto_free_acomp(codec);
}

/* Room for one call at a time. Context: process, may sleep. Returns NULL without memory. */
static inline struct acomp_req *rx_codec_request_new(struct crypto_acomp *codec)
{
	struct acomp_req *req = acomp_request_alloc(codec);

	if (req)
		acomp_request_set_callback(req, 0, NULL, NULL);
	return req;
}

static inline void rx_codec_request_free(struct acomp_req *req)
{
	acomp_request_free(req);
}

/*
 * Compress or decompress @slen bytes of @src into up to @dlen bytes of @dst, both of which
 * have a struct page. Context: any but interrupts, sleeps not. Return how many bytes came
 * out, or a negative number.
 */
static inline int rx_codec_run(struct acomp_req *req, bool compress, const void *src,
			       unsigned int slen, void *dst, unsigned int dlen)
{
	struct scatterlist from, to;
	int err;

	sg_init_one(&from, src, slen);
	sg_init_one(&to, dst, dlen);
	acomp_request_set_params(req, &from, &to, slen, dlen);
	err = compress ? crypto_acomp_compress(req) : crypto_acomp_decompress(req);
	return err ?: req->dlen <= dlen ? (int)req->dlen : -ENOSPC;
}

static inline u32 rx_codec_sum(const void *data, unsigned int len, u64 seed)
{
	return xxh64(data, len, seed);
}

#else

struct acomp_req;
struct crypto_acomp;

static inline struct crypto_acomp *rx_codec_new(const char *name)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static inline void rx_codec_free(struct crypto_acomp *codec)
{
}

static inline struct acomp_req *rx_codec_request_new(struct crypto_acomp *codec)
{
	return NULL;
}

static inline void rx_codec_request_free(struct acomp_req *req)
{
}

static inline int rx_codec_run(struct acomp_req *req, bool compress, const void *src,
			       unsigned int slen, void *dst, unsigned int dlen)
{
	return -EOPNOTSUPP;
}

static inline u32 rx_codec_sum(const void *data, unsigned int len, u64 seed)
{
	return 0;
}

#endif

#endif
