// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes CRC32C with the processor's own instruction, or with tables that take eight
 * bytes at once. An emulated processor may have the instruction and be slow at it, so the
 * first call measures both.
 */
#include <pthread.h>
#include <string.h>

#include "base/wait.h"
#include "image/checksum.h"

#define POLY	0x82f63b78u	/* with its bits reversed */
#define ONE	0x80000000u	/* the polynomial 1, likewise */

static uint32_t table[8][256];
static uint32_t powers[64];	/* x to the power of 8 << I */
static crc32c_way *best;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(v) : v;
}

static uint32_t by_table(uint32_t crc, const unsigned char *p, size_t len)
{
	uint64_t v;

	for (; len >= 8; p += 8, len -= 8) {
		v = get64(p) ^ crc;
		crc = table[7][v & 255] ^ table[6][v >> 8 & 255] ^
		      table[5][v >> 16 & 255] ^ table[4][v >> 24 & 255] ^
		      table[3][v >> 32 & 255] ^ table[2][v >> 40 & 255] ^
		      table[1][v >> 48 & 255] ^ table[0][v >> 56];
	}
	for (; len; len--)
		crc = table[0][(crc ^ *p++) & 255] ^ crc >> 8;
	return crc;
}

/* Multiplies two polynomials, modulo that of the checksum. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0, bit;

	for (bit = ONE; bit; bit >>= 1) {
		if (a & bit)
			product ^= b;
		b = b >> 1 ^ (b & 1 ? POLY : 0);
	}
	return product;
}

static uint32_t join(uint32_t first, uint32_t second, uint64_t len)
{
	unsigned int i;

	for (i = 0; len; i++, len >>= 1)
		if (len & 1)
			first = multiply(powers[i], first);
	return first ^ second;
}

#if defined(__x86_64__)
#define CPU		__attribute__((target("sse4.2")))
#define CRC_64(c, v)	((uint32_t)__builtin_ia32_crc32di(c, v))
#define CRC_8(c, v)	__builtin_ia32_crc32qi(c, v)

static bool cpu_can(void)
{
	return __builtin_cpu_supports("sse4.2");
}
#elif defined(__aarch64__)
#include <sys/auxv.h>

#define CPU		__attribute__((target("+crc")))
#define CRC_64(c, v)	__builtin_aarch64_crc32cx(c, v)
#define CRC_8(c, v)	__builtin_aarch64_crc32cb(c, v)

static bool cpu_can(void)
{
	return getauxval(AT_HWCAP) & 1UL << 7;	/* HWCAP_CRC32 */
}
#endif

#ifdef CPU
/*
 * The instruction takes about three cycles, and three of them can run at the same time. A
 * third of this length takes longer than to join them.
 */
#define THIRDS_MIN	65536

CPU static uint32_t by_cpu(uint32_t crc, const unsigned char *p, size_t len)
{
	size_t third = len < THIRDS_MIN ? 0 : len / 24 * 8, i;
	uint32_t second = 0, last = 0;

	for (i = 0; i < third; i += 8) {
		crc = CRC_64(crc, get64(p + i));
		second = CRC_64(second, get64(p + third + i));
		last = CRC_64(last, get64(p + 2 * third + i));
	}
	if (third)
		crc = join(join(crc, second, third), last, third);
	p += 3 * third;
	len -= 3 * third;
	for (; len >= 8; p += 8, len -= 8)
		crc = CRC_64(crc, get64(p));
	for (; len; len--)
		crc = CRC_8(crc, *p++);
	return crc;
}
#else
#define by_cpu		by_table
#define cpu_can()	false
#endif

static int64_t time_of(crc32c_way *way, const unsigned char *data, size_t len)
{
	int64_t least = INT64_MAX, begun, took;
	volatile uint32_t keep;
	int i;

	for (i = 0; i < 3; i++) {
		begun = now_ns();
		keep = way(0, data, len);
		took = now_ns() - begun;
		least = took < least ? took : least;
	}
	(void)keep;
	return least;
}

static void prepare(void)
{
	static unsigned char data[4096];
	uint32_t i, j, crc;

	for (i = 0; i < 256; i++) {
		for (crc = i, j = 0; j < 8; j++)
			crc = crc >> 1 ^ (crc & 1 ? POLY : 0);
		table[0][i] = crc;
	}
	for (i = 0; i < 256; i++)
		for (j = 1; j < 8; j++)
			table[j][i] = table[0][table[j - 1][i] & 255] ^ table[j - 1][i] >> 8;
	powers[0] = ONE >> 8;
	for (i = 1; i < 64; i++)
		powers[i] = multiply(powers[i - 1], powers[i - 1]);
	best = cpu_can() && time_of(by_cpu, data, sizeof(data)) <=
	       time_of(by_table, data, sizeof(data)) ? by_cpu : by_table;
}

crc32c_way *crc32c_table_way(void)
{
	pthread_once(&once, prepare);
	return by_table;
}

/* Returns NULL if the processor has no such instruction. */
crc32c_way *crc32c_cpu_way(void)
{
	pthread_once(&once, prepare);
	return cpu_can() ? by_cpu : NULL;
}

uint32_t crc32c(uint32_t crc, const void *data, size_t len)
{
	pthread_once(&once, prepare);
	return ~best(~crc, data, len);
}

uint32_t crc32c_join(uint32_t first, uint32_t second, uint64_t len)
{
	pthread_once(&once, prepare);
	return join(first, second, len);
}
