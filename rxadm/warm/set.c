// SPDX-License-Identifier: GPL-2.0-only
/*
 * Remembers which blocks have been seen, in a hash table with open addressing. A bitmap
 * would take memory for all of the origin, whose size a file may forge. A file, or a guest
 * by its reads, also chooses the blocks. So the hash has a seed that they can't know, or
 * all blocks may get one slot, and each takes a search through the others.
 */
#include <stdlib.h>
#include <sys/random.h>

#include "base/mem.h"
#include "warm/set.h"

#define BITS_FIRST	10

/* The finalizer of MurmurHash3: each bit of the result depends on each bit of VALUE. */
static uint64_t mix(uint64_t value)
{
	value ^= value >> 33;
	value *= 0xff51afd7ed558ccdULL;
	value ^= value >> 33;
	value *= 0xc4ceb9fe1a85ec53ULL;
	return value ^ value >> 33;
}

/* Returns the slot of NUMBER, or the free slot where it would be. */
static uint64_t *slot_of(const struct warm_set *set, uint64_t number)
{
	uint64_t mask = (1ULL << set->bits) - 1;
	uint64_t i = mix(number ^ set->seed) & mask;

	while (set->slot[i] && set->slot[i] != number + 1)
		i = (i + 1) & mask;
	return &set->slot[i];
}

static void grow(struct warm_set *set)
{
	struct warm_set old = *set;
	uint64_t i;

	set->bits = old.slot ? old.bits + 1 : BITS_FIRST;
	set->slot = mem_zero(1ULL << set->bits, sizeof(*set->slot));
	for (i = 0; old.slot && i < 1ULL << old.bits; i++)
		if (old.slot[i])
			*slot_of(set, old.slot[i] - 1) = old.slot[i];
	free(old.slot);
}

/* Adds NUMBER, which is below UINT64_MAX. Returns false if it was there already. */
bool set_add(struct warm_set *set, uint64_t number)
{
	uint64_t *slot;

	/* At least a quarter of the slots stay free. */
	if (!set->slot && getrandom(&set->seed, sizeof(set->seed), GRND_INSECURE) < 0)
		abort();
	if (!set->slot || set->n >= (3ULL << set->bits) / 4)
		grow(set);
	slot = slot_of(set, number);
	if (*slot)
		return false;
	*slot = number + 1;
	set->n++;
	return true;
}

void set_free(struct warm_set *set)
{
	free(set->slot);
	*set = (struct warm_set){ 0 };
}
