// SPDX-License-Identifier: GPL-2.0-only
/* CRC32C by tables and by the processor: the vectors of RFC 3720, all lengths, and joined parts. */
#include "image/checksum.h"
#include "rx_test.h"

static unsigned char data[8192];

static void vectors(crc32c_way *way, const char *name)
{
	static const unsigned char read10[48] = {
		0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
		0, 0, 0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
	};
	unsigned char up[32], down[32], ones[32], zeroes[32] = { 0 };
	int i;

	memset(ones, 0xff, sizeof(ones));
	for (i = 0; i < 32; i++) {
		up[i] = i;
		down[i] = 31 - i;
	}
	check(~way(~0u, zeroes, 32) == 0x8a9136aa, "%s: 32 zeroes", name);
	check(~way(~0u, ones, 32) == 0x62a8ab43, "%s: 32 ones", name);
	check(~way(~0u, up, 32) == 0x46dd794e, "%s: incrementing", name);
	check(~way(~0u, down, 32) == 0x113fdb5c, "%s: decrementing", name);
	check(~way(~0u, read10, 48) == 0xd9963a56, "%s: a command of iSCSI", name);
	check(~way(~0u, (const unsigned char *)"123456789", 9) == 0xe3069283, "%s: digits", name);
}

/* One bit at a time, as the definition has it. */
static uint32_t slow(const unsigned char *p, size_t len)
{
	uint32_t crc = ~0u;
	int i;

	for (; len; len--)
		for (crc ^= *p++, i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	return ~crc;
}

/* The processor takes long texts in thirds. */
static void long_texts(crc32c_way *way, const char *name)
{
	static const size_t lengths[] = { 65528, 65535, 65536, 65537, 65544, 65560, 100001, 1 << 20 };
	static unsigned char text[(1 << 20) + 8];
	size_t i, good = 0;

	for (i = 0; i < sizeof(text); i++)
		text[i] = i * 2654435761u >> 11;
	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
		good += ~way(~0u, text + i, lengths[i]) == slow(text + i, lengths[i]);
	check(good == i, "%s: %zu of %zu long texts", name, good, i);
}

int main(void)
{
	size_t i, good = 0, joined = 0;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 2654435761u >> 13;
	vectors(crc32c_table_way(), "tables");
	long_texts(crc32c_table_way(), "tables");
	if (crc32c_cpu_way()) {
		vectors(crc32c_cpu_way(), "processor");
		long_texts(crc32c_cpu_way(), "processor");
	}
	for (i = 0; i < 300; i++)
		good += crc32c(0, data + i % 9, i) == slow(data + i % 9, i);
	check(good == 300, "all lengths and alignments");
	check(crc32c(crc32c(0, data, 100), data + 100, 900) == crc32c(0, data, 1000), "in two parts");
	for (i = 0; i <= 8192; i += 37)
		joined += crc32c_join(crc32c(0, data, i), crc32c(0, data + i, 8192 - i), 8192 - i) ==
			  crc32c(0, data, 8192);
	check(joined == 8192 / 37 + 1, "joined from two");
	check(crc32c_join(0, 0, 0) == 0, "nothing");
	return done();
}
