// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds a list of blocks, and its form in a file. In the file every number has its
 * lowest byte first:
 *
 *	magic, version		8 and 4 bytes
 *	length			8, of the file
 *	origin_size, saved, n	8 each
 *	block_size, identity	4 each, the latter a length
 *	identity
 *	n blocks		each 7 bits in a byte, the lowest first; the top bit
 *				says that more follow
 *	checksum		8, CRC-64 as in xz, of all the bytes before
 *
 * The list is sorted. A block is told by its distance to the block after the one before,
 * as distance << WARM_HEAT_BITS | heat.
 *
 * Nothing of a file is used before its length and its checksum were found right. Even
 * then no number is trusted: a file is refused if one of its blocks is not of the origin.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "warm/blocklist.h"

#define MAGIC		"RXWARM\r\n"
#define VERSION		1
#define HEAD		20		/* up to the length of the file */
#define HEADER		52
#define CHECKSUM	8
#define BLOCK_MIN	4096		/* a block has a power of two from here ... */
#define BLOCK_MAX	65536		/* ... up to here */
#define IDENTITY_MAX	4096
#define NUMBER_BYTES	8		/* most bytes of a block, for 56 bits */

void warm_add(struct warm_list *list, uint64_t block)
{
	if (list->n == list->room) {
		list->room = list->room ? list->room * 2 : 1024;
		list->block = mem_grow(list->block, list->room - 1, sizeof(*list->block));
	}
	list->block[list->n++] = block;
}

/*
 * Sorts by one byte after the other, from the lowest, because the kernel's order is that
 * of a hash.
 */
static void sort(struct warm_list *list)
{
	uint64_t *from = list->block, *to = mem_zero(list->n, sizeof(*to)), *swap, all = 0;
	size_t i, at[257];
	int shift;

	for (i = 0; i < list->n; i++)
		all |= from[i];
	for (shift = 0; shift < 64 && all >> shift; shift += 8) {
		memset(at, 0, sizeof(at));
		for (i = 0; i < list->n; i++)
			at[(from[i] >> shift & 255) + 1]++;
		for (i = 1; i < 256; i++)
			at[i] += at[i - 1];
		for (i = 0; i < list->n; i++)
			to[at[from[i] >> shift & 255]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	list->block = from;
	list->room = list->n;
	free(to);
}

/* Sorts the list; a block that is listed twice keeps its greater heat. */
void warm_sort(struct warm_list *list)
{
	size_t i, n = 0;

	sort(list);
	for (i = 0; i < list->n; i++) {
		if (n && warm_number(list->block[n - 1]) == warm_number(list->block[i]))
			n--;
		list->block[n++] = list->block[i];
	}
	list->n = n;
}

/* Converts the list to blocks of BLOCK_SIZE, and sorts it. */
void warm_convert(struct warm_list *list, uint64_t block_size)
{
	struct warm_list old = *list;
	uint64_t at, end, block;
	size_t i;

	if (block_size == old.block_size)
		return;
	list->block = NULL;
	list->n = list->room = 0;
	list->block_size = block_size;
	for (i = 0; i < old.n; i++) {
		at = warm_number(old.block[i]) * old.block_size;
		end = at + old.block_size;
		if (end > old.origin_size)
			end = old.origin_size;
		for (block = at / block_size; block * block_size < end; block++)
			warm_add(list, block << WARM_HEAT_BITS | warm_heat(old.block[i]));
	}
	free(old.block);
	warm_sort(list);
}

/* Keeps the hottest MAX blocks. If not all blocks of a heat fit, the first ones stay. */
void warm_cap(struct warm_list *list, size_t max)
{
	size_t room[WARM_HEATS] = { 0 }, i, n = 0;
	int heat;

	for (i = 0; i < list->n; i++)
		room[warm_heat(list->block[i])]++;
	for (heat = WARM_HEATS - 1; heat >= 0; heat--) {
		if (room[heat] > max)
			room[heat] = max;
		max -= room[heat];
	}
	for (i = 0; i < list->n; i++)
		if (room[warm_heat(list->block[i])]) {
			room[warm_heat(list->block[i])]--;
			list->block[n++] = list->block[i];
		}
	list->n = n;
}

/*
 * Carries over from the previous list what LIST would lose; both are sorted. A block in
 * both lists gets its previous heat less one, if that is more than its heat now, because
 * the load has read the block only once. Previous blocks from the byte FROM on, which
 * were not loaded yet, are added, up to MAX blocks in all. Their heat falls by one each
 * time, so that unread blocks go first.
 */
void warm_carry(struct warm_list *list, const struct warm_list *before, uint64_t from,
		size_t max)
{
	struct warm_list missing = { 0 };
	uint64_t number, block;
	size_t i, at = 0;

	for (i = 0; i < before->n; i++) {
		number = warm_number(before->block[i]);
		block = before->block[i] - (warm_heat(before->block[i]) > 0);
		while (at < list->n && warm_number(list->block[at]) < number)
			at++;
		if (at < list->n && warm_number(list->block[at]) == number) {
			if (list->block[at] < block)
				list->block[at] = block;
		} else if (number * before->block_size >= from) {
			warm_add(&missing, block);
		}
	}
	warm_cap(&missing, max > list->n ? max - list->n : 0);
	for (i = 0; i < missing.n; i++)
		warm_add(list, missing.block[i]);
	warm_free(&missing);
	warm_sort(list);
}

void warm_free(struct warm_list *list)
{
	free(list->identity);
	free(list->block);
	memset(list, 0, sizeof(*list));
}

/* Computes the CRC-64 of ECMA-182 with reversed bits, as in xz. */
uint64_t warm_crc(const void *data, size_t len)
{
	static uint64_t table[256];
	const unsigned char *p = data;
	uint64_t crc = ~0ULL, value;
	int i, bit;

	for (i = 0; !table[255] && i < 256; i++) {
		value = i;
		for (bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? 0xc96c5795d7870f42ULL : 0);
		table[i] = value;
	}
	for (; len; len--)
		crc = table[(crc ^ *p++) & 255] ^ crc >> 8;
	return ~crc;
}

static void put(unsigned char **to, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*(*to)++ = value;
}

static uint64_t get(const unsigned char **from, int bytes)
{
	uint64_t value = 0;
	int i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)*(*from)++ << 8 * i;
	return value;
}

static void put_block(unsigned char **to, uint64_t value)
{
	for (; value > 127; value >>= 7)
		*(*to)++ = value | 128;
	*(*to)++ = value;
}

/* Reads a number. Returns false if there is no whole number up to END. */
static bool get_block(const unsigned char **from, const unsigned char *end, uint64_t *value)
{
	int i;

	*value = 0;
	for (i = 0; i < NUMBER_BYTES && *from < end; i++) {
		*value |= (uint64_t)(**from & 127) << 7 * i;
		if (*(*from)++ < 128)
			return true;
	}
	return false;
}

/* Returns the file of a sorted list, which the caller frees. */
unsigned char *warm_encode(const struct warm_list *list, size_t *len)
{
	size_t identity = strlen(list->identity), i;
	unsigned char *file, *to;
	uint64_t next = 0;

	file = mem_zero(HEADER + identity + list->n * NUMBER_BYTES + CHECKSUM, 1);
	to = file + HEADER;
	memcpy(to, list->identity, identity);
	to += identity;
	for (i = 0; i < list->n; i++) {
		put_block(&to, list->block[i] - (next << WARM_HEAT_BITS));
		next = warm_number(list->block[i]) + 1;
	}
	*len = to + CHECKSUM - file;
	to = file;
	memcpy(to, MAGIC, 8);
	to += 8;
	put(&to, VERSION, 4);
	put(&to, *len, 8);
	put(&to, list->origin_size, 8);
	put(&to, list->saved, 8);
	put(&to, list->n, 8);
	put(&to, list->block_size, 4);
	put(&to, identity, 4);
	to = file + *len - CHECKSUM;
	put(&to, warm_crc(file, *len - CHECKSUM), CHECKSUM);
	return file;
}

/* Returns how long the file of a list may be, at most. */
uint64_t warm_len_max(uint64_t origin_size)
{
	return HEADER + IDENTITY_MAX + (origin_size / BLOCK_MIN + 1) * NUMBER_BYTES + CHECKSUM;
}

static const char *check_file(const unsigned char *file, size_t len)
{
	const unsigned char *at = file + 8;
	uint64_t version, length;

	if (len < HEAD)
		return "is cut short";
	if (memcmp(file, MAGIC, 8))
		return "is no list of blocks";
	version = get(&at, 4);
	length = get(&at, 8);
	if (version != VERSION)
		return "is of another version of rxadm";
	if (length > len || len < HEADER + CHECKSUM)
		return "is cut short";
	if (length < len)
		return "has more bytes than it says";
	at = file + len - CHECKSUM;
	if (get(&at, CHECKSUM) != warm_crc(file, len - CHECKSUM))
		return "is damaged (wrong checksum)";
	return NULL;
}

static const char *read_blocks(struct warm_list *list, const unsigned char *at,
			       const unsigned char *end, uint64_t n)
{
	uint64_t value, block, next = 0, blocks;

	blocks = list->origin_size / list->block_size +
		 !!(list->origin_size % list->block_size);
	for (; n; n--) {
		if (!get_block(&at, end, &value))
			return "has fewer blocks than it says";
		block = value + (next << WARM_HEAT_BITS);
		if (warm_number(block) >= blocks)
			return "has a block beyond the end of the origin";
		warm_add(list, block);
		next = warm_number(block) + 1;
	}
	return at == end ? NULL : "has more blocks than it says";
}

/* Returns NULL, or what is wrong with the file; the list is empty then. */
const char *warm_decode(struct warm_list *list, const void *data, size_t len)
{
	const unsigned char *file = data, *at, *end;
	const char *wrong = check_file(file, len);
	uint64_t n, identity;

	memset(list, 0, sizeof(*list));
	if (wrong)
		return wrong;
	at = file + HEAD;
	end = file + len - CHECKSUM;
	list->origin_size = get(&at, 8);
	list->saved = get(&at, 8);
	n = get(&at, 8);
	list->block_size = get(&at, 4);
	identity = get(&at, 4);
	if (identity > IDENTITY_MAX || identity > (uint64_t)(end - at) ||
	    memchr(at, 0, identity) || list->block_size < BLOCK_MIN ||
	    list->block_size > BLOCK_MAX || list->block_size & (list->block_size - 1)) {
		memset(list, 0, sizeof(*list));
		return "has a header that can't be right";
	}
	list->identity = mem_zero(identity + 1, 1);
	memcpy(list->identity, at, identity);
	wrong = read_blocks(list, at + identity, end, n);
	if (wrong)
		warm_free(list);
	return wrong;
}
