// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what this machine has no room for: its pages and its memory, for a disk or cache
 * that is to be made.
 */
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "run/machine.h"
#include "run/preflight.h"
#include "system/dev.h"

static uint64_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/* Returns the bytes of a cache block, with the kernel's default. */
uint64_t machine_block(const struct rx_plan *plan)
{
	if (plan->block.num && plan->block.num != RX_NONE)
		return plan->block.num;
	return page_size() > RXCACHE_BLOCK_MIN ? page_size() : RXCACHE_BLOCK_MIN;
}

/*
 * Checks the index, which is made whole at the start. The kernel refuses one that needs
 * half of the available memory.
 */
static bool check_index(const struct rx_plan *plan, uint64_t total, uint64_t available,
			struct rx_strv *wrong)
{
	uint64_t index = plan->size.num / machine_block(plan) * RXCACHE_INDEX_BYTES;
	char is[32];

	if (!plan->at_boot && available != RX_NONE)
		total = available;
	if (index < total / 2)
		return true;
	strv_print(wrong, "size '%s' needs an index of %s, which is half of the memory or more; say less, or a larger block",
		   plan->size.text, size_print(index, is, sizeof(is)));
	return false;
}

static void check_memory(const struct rx_plan *plan, struct rx_strv *wrong,
			 struct rx_strv *doubt)
{
	uint64_t total, available;
	char has[32];

	dev_memory(&total, &available);
	if (total == RX_NONE)
		return;
	size_print(total, has, sizeof(has));
	if (plan->floor.text && plan->floor.num >= total)
		strv_print(doubt, "floor '%s' is all of the memory of this machine, %s; say less",
			   plan->floor.text, has);
	if (!plan->size.text || plan->size.num > RXDSK_SIZE_MAX || plan->has_memory)
		return;
	if (plan->family == RX_CACHE && !check_index(plan, total, available, wrong))
		return;
	if (plan->size.num <= total)
		return;
	if (plan->prealloc)
		strv_print(wrong, "size '%s' is more than the memory of this machine, %s; say less, or leave out prealloc",
			   plan->size.text, has);
	else if (plan->family == RX_DISK)
		strv_print(doubt, "size '%s' is more than the memory of this machine, %s; writes fail once that is taken",
			   plan->size.text, has);
	else
		strv_print(doubt, "size '%s' is more than the memory of this machine, %s; the cache never gets that much",
			   plan->size.text, has);
}

void preflight_machine(const struct rx_plan *plan, struct rx_strv *wrong,
		       struct rx_strv *doubt)
{
	char is[32];

	/* A recording is not of this machine. */
	if (sys_absent())
		return;
	if (plan->family == RX_CACHE && plan->block.text &&
	    plan->block.num >= RXCACHE_BLOCK_MIN && plan->block.num < page_size())
		strv_print(wrong, "block '%s' is smaller than a page of this machine; say at least %s",
			   plan->block.text, size_exact(page_size(), is, sizeof(is)));
	check_memory(plan, wrong, doubt);
}
