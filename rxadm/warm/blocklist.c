// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds a list of blocks, and keeps it in a file, one for each origin: a frame of zstd, which
 * tells its length and has a checksum. In it are a header, the identity of the origin without a
 * zero at its end, and 8 bytes for each block. Every number has its lowest byte first.
 *
 * The list is sorted. A block is told by its distance to the block after the one before, as
 * distance << WARM_HEAT_BITS | heat.
 *
 * Nothing of a file is used before its checksum was found right. Even then no number is
 * trusted: a file is refused if one of its blocks is not of the origin.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/mem.h"
#include "base/sys.h"
#include "warm/blocklist.h"

#define VERSION		1
#define BLOCK_MIN	4096		/* a block has a power of two from here ... */
#define BLOCK_MAX	65536		/* ... up to here */
#define IDENTITY_MAX	4096
#define FRAME_FLAGS	4		/* where a frame of zstd has a byte of flags, of which ... */
#define HAS_CHECKSUM	4		/* ... this one is */
#define READABLE	80	/* of an identity, in the name of the file */

static const char magic[8] = "RXWARM\r\n";

struct header {
	char magic[8];
	uint32_t version, block_size;
	uint64_t origin_size, saved;
	uint64_t identity;		/* its length */
};

_Static_assert(sizeof(struct header) == 40, "the header has no gaps");

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

/* Returns the file of a sorted list, which the caller frees. */
unsigned char *warm_encode(const struct warm_list *list, size_t *len)
{
	struct header header = { .version = htole32(VERSION),
				 .block_size = htole32(list->block_size),
				 .origin_size = htole64(list->origin_size),
				 .saved = htole64(list->saved),
				 .identity = htole64(strlen(list->identity)) };
	size_t identity = strlen(list->identity), i;
	size_t plain = sizeof(header) + identity + list->n * sizeof(uint64_t);
	unsigned char *data = mem_zero(plain, 1), *to = data + sizeof(header) + identity, *file;
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	uint64_t next = 0, value;

	memcpy(header.magic, magic, sizeof(magic));
	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), list->identity, identity);
	for (i = 0; i < list->n; i++, to += sizeof(value)) {
		value = htole64(list->block[i] - (next << WARM_HEAT_BITS));
		memcpy(to, &value, sizeof(value));
		next = warm_number(list->block[i]) + 1;
	}
	file = mem_zero(ZSTD_compressBound(plain), 1);
	if (!zstd || ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)))
		abort();
	*len = ZSTD_compress2(zstd, file, ZSTD_compressBound(plain), data, plain);
	if (ZSTD_isError(*len))
		abort();
	ZSTD_freeCCtx(zstd);
	free(data);
	return file;
}

/* Returns how long the list of an origin may be, at most, in a file or out of it. */
uint64_t warm_len_max(uint64_t origin_size)
{
	return sizeof(struct header) + IDENTITY_MAX +
	       (origin_size / BLOCK_MIN + 1) * sizeof(uint64_t);
}

static const char *zstd_says(size_t n)
{
	switch (ZSTD_getErrorCode(n)) {
	case ZSTD_error_prefix_unknown:
		return "is no list of blocks";
	case ZSTD_error_srcSize_wrong:
		return "is cut short";
	case ZSTD_error_checksum_wrong:
		return "is damaged (wrong checksum)";
	case ZSTD_error_memory_allocation:
		abort();
	default:
		return "is damaged";
	}
}

static const char *read_blocks(struct warm_list *list, const unsigned char *at, size_t n)
{
	uint64_t value, next = 0, blocks;

	blocks = list->origin_size / list->block_size +
		 !!(list->origin_size % list->block_size);
	for (; n; n--, at += sizeof(value)) {
		memcpy(&value, at, sizeof(value));
		value = le64toh(value);
		if (warm_number(value) >= blocks - next)
			return "has a block beyond the end of the origin";
		warm_add(list, value + (next << WARM_HEAT_BITS));
		next += warm_number(value) + 1;
	}
	return NULL;
}

/* Reads what was in the frame. */
static const char *read_list(struct warm_list *list, const unsigned char *data, size_t len)
{
	const unsigned char *identity = data + sizeof(struct header);
	struct header header;
	uint64_t n;

	if (len < sizeof(header) || memcmp(data, magic, sizeof(magic)))
		return "is no list of blocks";
	memcpy(&header, data, sizeof(header));
	if (le32toh(header.version) != VERSION)
		return "is of another version of rxadm";
	len -= sizeof(header);
	n = le64toh(header.identity);
	list->origin_size = le64toh(header.origin_size);
	list->saved = le64toh(header.saved);
	list->block_size = le32toh(header.block_size);
	if (n > IDENTITY_MAX || n > len || memchr(identity, 0, n) ||
	    list->block_size < BLOCK_MIN || list->block_size > BLOCK_MAX ||
	    list->block_size & (list->block_size - 1) || (len - n) % sizeof(uint64_t))
		return "has a header that can't be right";
	list->identity = mem_text("%.*s", (int)n, identity);
	return read_blocks(list, identity + n, (len - n) / sizeof(uint64_t));
}

/*
 * MOST: the bytes that the list may have. Returns NULL, or what is wrong with the file; the
 * list is empty then.
 */
const char *warm_decode(struct warm_list *list, const void *file, size_t len, uint64_t most)
{
	size_t n = ZSTD_findFrameCompressedSize(file, len);
	uint64_t plain = ZSTD_getFrameContentSize(file, len);
	const char *wrong = NULL;
	unsigned char *data;

	memset(list, 0, sizeof(*list));
	if (ZSTD_isError(n))
		return zstd_says(n);
	if (n < len)
		return "has more bytes than it says";
	if (!(((const unsigned char *)file)[FRAME_FLAGS] & HAS_CHECKSUM))
		return "is no list of blocks";
	/* A frame that does not tell its length has the largest number there. */
	if (plain > most)
		return "is longer than a list of the whole origin";
	data = mem_zero(plain + 1, 1);
	n = ZSTD_decompress(data, plain, file, len);
	wrong = ZSTD_isError(n) ? zstd_says(n) : read_list(list, data, n);
	free(data);
	if (wrong)
		warm_free(list);
	return wrong;
}

/* Returns the path of the list of an origin, without RXADM_SYSROOT. The caller frees it. */
char *warm_file(const char *identity)
{
	char *name = mem_text("%.*s", READABLE, identity), *path, *p;
	uint32_t hash = 0x811c9dc5;	/* FNV-1a */
	const char *byte;

	for (byte = identity; *byte; byte++)
		hash = (hash ^ (unsigned char)*byte) * 0x01000193;
	for (p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._",
			    *p))
			*p = '-';
	path = mem_text(WARM_DIR "/%s-%08x.warm", name, hash);
	free(name);
	return path;
}

/*
 * Makes the directory of the lists, but not those above it: these are missing when their
 * file system is not mounted. Returns 0 or an errno.
 */
int warm_make_dir(void)
{
	return mkdir(sys_path(WARM_DIR), 0700) && errno != EEXIST ? errno : 0;
}

/*
 * Reads a file of MOST bytes at most. Returns 0 or an errno. After EBADMSG, *WRONG says
 * what is wrong with the file.
 */
int warm_read(const char *path, uint64_t most, struct warm_list *list, const char **wrong)
{
	/* No FIFO keeps us waiting for a writer. */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), err;
	char *data = NULL;
	struct stat st;

	memset(list, 0, sizeof(*list));
	*wrong = NULL;
	if (fd < 0)
		return errno;
	err = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	if (!err && (uint64_t)st.st_size > most)
		*wrong = "is longer than a list of the whole origin";
	if (!err && !*wrong) {
		data = malloc(st.st_size + 1);
		err = data ? sys_read_all(fd, data, st.st_size, 0) : ENOMEM;
	}
	close(fd);
	if (!err && !*wrong)
		*wrong = warm_decode(list, data, st.st_size, most);
	free(data);
	return *wrong ? EBADMSG : err;
}
