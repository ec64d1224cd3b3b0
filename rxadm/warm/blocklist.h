/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of the blocks that a cache holds, and its form in a file. */
#ifndef RXADM_WARM_H
#define RXADM_WARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARM_DIR	"/var/lib/rxdsk"

/* A block of a list is its number << WARM_HEAT_BITS | its heat, as the kernel sends it. */
#define WARM_HEAT_BITS	2
#define WARM_HEATS	(1 << WARM_HEAT_BITS)

static inline uint64_t warm_number(uint64_t block) { return block >> WARM_HEAT_BITS; }
static inline unsigned int warm_heat(uint64_t block) { return block & (WARM_HEATS - 1); }

struct warm_list {
	char *identity;		/* of the origin, see system/identity.c */
	uint64_t origin_size;
	uint64_t block_size;
	uint64_t saved;		/* seconds since 1970 */
	uint64_t *block;	/* ascending, once it is sorted */
	size_t n, room;
};

void warm_add(struct warm_list *list, uint64_t block);
void warm_sort(struct warm_list *list);
void warm_convert(struct warm_list *list, uint64_t block_size);
void warm_cap(struct warm_list *list, size_t max);
void warm_carry(struct warm_list *list, const struct warm_list *before, uint64_t from,
		size_t max);
void warm_free(struct warm_list *list);
unsigned char *warm_encode(const struct warm_list *list, size_t *len);
uint64_t warm_len_max(uint64_t origin_size);
const char *warm_decode(struct warm_list *list, const void *file, size_t len, uint64_t most);
char *warm_file(const char *identity);
int warm_make_dir(void);
int warm_read(const char *path, uint64_t most, struct warm_list *list, const char **wrong);

#endif
