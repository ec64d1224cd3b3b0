// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of blocks: a damaged list is refused, and a forged list names no block beyond the
 * origin.
 */
#include <zstd.h>

#include "base/global.h"
#include "rx_test.h"
#include "warm/blocklist.h"

#define HEADER		40
#define MOST		(1 << 26)

static uint64_t seed = 1;

static uint64_t next_random(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 16;
}

static void new_list(struct warm_list *list, uint64_t origin_size)
{
	*list = (struct warm_list){ .identity = strdup("wwid=naa.5000c500a1b2c3d4"),
				    .origin_size = origin_size, .block_size = 4096,
				    .saved = 1700000000 };
}

/* Decodes a copy of exactly that length, so that ASan sees a read beyond its end. */
static const char *decode(struct warm_list *list, const unsigned char *file, size_t len)
{
	unsigned char *copy = malloc(len ? len : 1);
	const char *wrong;

	memcpy(copy, file, len);
	wrong = warm_decode(list, copy, len, MOST);
	free(copy);
	return wrong;
}

static bool same(const struct warm_list *a, const struct warm_list *b)
{
	return !strcmp(a->identity, b->identity) && a->origin_size == b->origin_size &&
	       a->block_size == b->block_size && a->saved == b->saved && a->n == b->n &&
	       (!a->n || !memcmp(a->block, b->block, a->n * sizeof(*a->block)));
}

static bool comes_back(struct warm_list *list, size_t *len)
{
	unsigned char *file = warm_encode(list, len);
	struct warm_list back;
	const char *wrong = decode(&back, file, *len);
	bool good = !wrong && same(list, &back);

	if (wrong)
		printf("# %s\n", wrong);
	warm_free(&back);
	free(file);
	return good;
}

static void test_round_trip(void)
{
	struct warm_list list;
	size_t len;
	int i;

	new_list(&list, 1 << 30);
	check(comes_back(&list, &len), "an empty list comes back");
	for (i = 0; i < 1000; i++)
		warm_add(&list, (uint64_t)i << WARM_HEAT_BITS | i % WARM_HEATS);
	check(comes_back(&list, &len) && len < 1000 + 200, "1000 neighbours take %zu bytes", len);
	warm_free(&list);
	new_list(&list, 16ULL << 40);
	for (i = 0; i < 100000; i++)
		warm_add(&list, next_random() % (list.origin_size / 4096) << WARM_HEAT_BITS | 3);
	warm_sort(&list);
	check(comes_back(&list, &len) && len <= 5 * list.n,
	      "%zu blocks scattered over 16 TiB take %zu bytes, at most 5 each", list.n, len);
	warm_free(&list);
	new_list(&list, 1ULL << 60);
	warm_add(&list, 0);
	warm_add(&list, ((1ULL << 48) - 1) << WARM_HEAT_BITS | 2);
	check(comes_back(&list, &len), "the last block of the largest origin comes back");
	warm_free(&list);
}

static void test_sort(void)
{
	static const uint64_t in[] = { 9 << 2, 5 << 2 | 1, 9 << 2 | 3, 0, 5 << 2 };
	struct warm_list list;
	size_t i;

	new_list(&list, 1 << 20);
	for (i = 0; i < ARRAY_SIZE(in); i++)
		warm_add(&list, in[i]);
	warm_sort(&list);
	check(list.n == 3 && list.block[0] == 0 && list.block[1] == (5 << 2 | 1) &&
	      list.block[2] == (9 << 2 | 3), "a list is sorted, and of twins the hotter stays");
	list.origin_size = 65536 + 8192;
	warm_add(&list, 17 << 2);
	warm_convert(&list, 65536);
	check(list.n == 2 && list.block[0] == 3 && list.block[1] == 1 << 2,
	      "blocks of 4K become some of 64K");
	warm_convert(&list, 4096);
	check(list.n == 18 && list.block[15] == (15 << 2 | 3) && list.block[17] == 17 << 2,
	      "and these as many of 4K as there are in the origin");
	warm_free(&list);
}

static bool lists(struct warm_list *list, const uint64_t *want, size_t n)
{
	return list->n == n && !memcmp(list->block, want, n * sizeof(*want));
}
#define lists(list, ...) lists(list, (const uint64_t[]){ __VA_ARGS__ }, \
			       sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void add_all(struct warm_list *list, const uint64_t *blocks, size_t n)
{
	list->n = 0;
	while (n--)
		warm_add(list, *blocks++);
}
#define add_all(list, ...) add_all(list, (const uint64_t[]){ __VA_ARGS__ }, \
				   sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void test_cap_and_carry(void)
{
	struct warm_list list, before;

	new_list(&list, 1 << 20);
	new_list(&before, 1 << 20);
	add_all(&list, 1 << 2, 2 << 2 | 3, 3 << 2 | 1, 4 << 2 | 3, 5 << 2 | 1);
	warm_cap(&list, 3);
	check(lists(&list, 2 << 2 | 3, 3 << 2 | 1, 4 << 2 | 3),
	      "the hottest stay, and of the others the first");
	add_all(&before, 1 << 2 | 1, 3 << 2 | 3, 4 << 2 | 1, 7 << 2 | 2, 8 << 2 | 3);
	warm_carry(&list, &before, RX_NONE, 100);
	check(lists(&list, 2 << 2 | 3, 3 << 2 | 2, 4 << 2 | 3),
	      "after the load only the heat of blocks that are there is carried over");
	add_all(&list, 2 << 2 | 3, 3 << 2 | 1);
	warm_carry(&list, &before, 4 * 4096, 100);
	check(lists(&list, 2 << 2 | 3, 3 << 2 | 2, 4 << 2, 7 << 2 | 1, 8 << 2 | 2),
	      "before that also blocks that are not loaded, with less heat");
	add_all(&list, 2 << 2 | 3, 3 << 2 | 1);
	warm_carry(&list, &before, 0, 4);
	check(lists(&list, 2 << 2 | 3, 3 << 2 | 2, 7 << 2 | 1, 8 << 2 | 2),
	      "but no more than fit, the hottest");
	warm_free(&list);
	warm_free(&before);
}

/* Makes a list that is so small that a test can try every damage. */
static unsigned char *small_file(size_t *len)
{
	struct warm_list list;
	unsigned char *file;
	int i;

	new_list(&list, 1 << 20);
	for (i = 0; i < 16; i++)
		warm_add(&list, (uint64_t)(i * 15 + i % 3) << WARM_HEAT_BITS |
				i % WARM_HEATS);
	file = warm_encode(&list, len);
	warm_free(&list);
	return file;
}

static void test_damage(void)
{
	struct warm_list list, good;
	size_t len, i, accepted = 0;
	unsigned char *file = small_file(&len);

	for (i = 0; i < len; i++)
		accepted += !decode(&list, file, i);
	check(!accepted, "cut at each of %zu bytes it is refused", len);
	check(!decode(&good, file, len), "as it is, it is taken");
	for (i = 0; i < len * 8; i++) {
		file[i / 8] ^= 1 << i % 8;
		accepted += !decode(&list, file, len) && !same(&list, &good);
		warm_free(&list);
		file[i / 8] ^= 1 << i % 8;
	}
	/* Some bits mean nothing. */
	check(!accepted, "with each of %zu bits flipped it is refused, or has the same blocks", len * 8);
	check_str(warm_decode(&list, file, len, HEADER), "is longer than a list of the whole origin",
		  "and so is a list that has more than it may");
	warm_free(&good);
	free(file);
}

/* Decodes a file that has this content. */
static const char *decode_frame(struct warm_list *list, const unsigned char *plain, size_t len,
				bool checksum)
{
	size_t room = ZSTD_compressBound(len), n;
	unsigned char *file = malloc(room);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	const char *wrong;

	ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, checksum);
	n = ZSTD_compress2(zstd, file, room, plain, len);
	ZSTD_freeCCtx(zstd);
	wrong = decode(list, file, n);
	free(file);
	return wrong;
}

static const char *decode_plain(struct warm_list *list, const unsigned char *plain, size_t len)
{
	return decode_frame(list, plain, len, true);
}

/* Returns what a small file has inside. */
static unsigned char *small_plain(size_t *len)
{
	unsigned char *file = small_file(len), *plain;
	size_t n = ZSTD_getFrameContentSize(file, *len);

	plain = malloc(n + 1);
	*len = ZSTD_decompress(plain, n, file, *len);
	free(file);
	return plain;
}

/* Returns whether an accepted list can be loaded: blocks in order, and none beyond the origin. */
static bool sane(const struct warm_list *list)
{
	uint64_t last = list->origin_size ? (list->origin_size - 1) / list->block_size : 0;
	bool good = true;
	size_t i;

	for (i = 0; i < list->n; i++)
		good &= warm_number(list->block[i]) <= last && list->origin_size &&
			(!i || warm_number(list->block[i]) > warm_number(list->block[i - 1]));
	return good;
}

/* The checksum may be forged, so the numbers are checked even if it is right. */
static void test_forged(void)
{
	size_t len, i, insane = 0, taken = 0, refused = 0;
	unsigned char *plain = small_plain(&len), *forged = malloc(len + 1);
	struct warm_list list;
	int value;

	check_str(decode_frame(&list, plain, len, false), "is no list of blocks",
		  "a frame without a checksum is refused");
	for (i = 0; i < len * 256; i++) {
		memcpy(forged, plain, len);
		forged[i / 256] = i % 256;
		if (decode_plain(&list, forged, len)) {
			refused++;
			insane += list.n || list.block;
			continue;
		}
		taken++;
		insane += !sane(&list);
		warm_free(&list);
	}
	check(!insane && taken && refused,
	      "with each byte forged: %zu refused, %zu taken, all of the origin", refused, taken);
	for (i = 0; i < len; i++)
		if ((len - i) % 8 || i < HEADER + 24)
			insane += !decode_plain(&list, plain, i);
	check(!insane, "cut within its header or a block and sealed anew it is refused");
	memcpy(forged, plain, len);
	forged[len] = 0;
	insane += !decode_plain(&list, forged, len + 1);
	check(!insane, "with a byte more and sealed anew it is refused");
	for (value = 0; value < 20000; value++) {
		memcpy(forged, plain, len);
		for (i = HEADER + 25; i < len; i += 8)
			forged[i] = next_random() >> 7;
		forged[HEADER + 25 + next_random() % (len - HEADER - 25)] = next_random() % 32;
		if (decode_plain(&list, forged, len))
			continue;
		insane += !sane(&list);
		warm_free(&list);
	}
	check(!insane, "random blocks are refused, or of the origin");
	free(forged);
	free(plain);
}

static void test_version(void)
{
	struct warm_list list;
	size_t len;
	unsigned char *plain = small_plain(&len);

	plain[8] = 2;
	check_str(decode_plain(&list, plain, len), "is of another version of rxadm",
		  "version 2 is refused");
	plain[0] = 'r';
	check_str(decode_plain(&list, plain, len), "is no list of blocks", "and so is any other file");
	free(plain);
}

int main(void)
{
	test_round_trip();
	test_sort();
	test_cap_and_carry();
	test_damage();
	test_forged();
	test_version();
	return done();
}
