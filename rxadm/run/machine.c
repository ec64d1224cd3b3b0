// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds what this machine has no room for: its pages, its NUMA nodes and its memory, for
 * a disk or cache that is to be made.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/mem.h"
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

/* Returns "4K, 8K or 16K" for the cache blocks of at least LEAST bytes. */
char *machine_blocks(uint64_t least)
{
	char *text, size[32];
	uint64_t block;
	FILE *f = mem_open(&text);

	for (block = RXCACHE_BLOCK_MIN; block <= RXCACHE_BLOCK_MAX; block *= 2)
		if (block >= least)
			fprintf(f, "%s%s", block == least || block == RXCACHE_BLOCK_MIN ? "" :
				block == RXCACHE_BLOCK_MAX ? " or " : ", ",
				size_exact(block, size, sizeof(size)));
	mem_close(f);
	return text;
}

/* Tells whether NODE is in a list such as "0-1,3". */
static bool list_has(const char *list, uint64_t node)
{
	uint64_t first, last;
	char *end;

	for (; *list; list = *end == ',' ? end + 1 : "") {
		first = last = strtoull(list, &end, 10);
		if (*end == '-')
			last = strtoull(end + 1, &end, 10);
		if (node >= first && node <= last)
			return true;
	}
	return false;
}

/* The pages of a disk come from nodes with memory of the kind that the kernel itself uses. */
static void check_node(const struct rx_plan *plan, struct rx_strv *wrong)
{
	static const char dir[] = "/sys/devices/system/node";
	char *with;

	if (!plan->numa.text || plan->numa.num == RX_NONE)
		return;
	if (access(sys_path(dir), F_OK)) {
		/* A kernel without NUMA has node 0 alone. Where /sys is not mounted, the kernel decides. */
		if (plan->numa.num && !access(sys_path("/sys/devices/system"), F_OK))
			strv_print(wrong, "numa '%s' is no node of this machine, which has node 0 alone",
				   plan->numa.text);
		return;
	}
	if (access(sys_path("%s/node%" PRIu64, dir, plan->numa.num), F_OK)) {
		strv_print(wrong, "numa '%s' is no node of this machine; see: ls %s",
			   plan->numa.text, dir);
		return;
	}
	with = sys_read(sys_path("%s/has_normal_memory", dir));
	if (with && !list_has(with, plan->numa.num))
		strv_print(wrong, "numa '%s' is a node without memory; say one of %s, see: cat %s/has_normal_memory",
			   plan->numa.text, with, dir);
	free(with);
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

/* Returns what disks may take of the AVAILABLE memory: they leave min_free alone. */
static uint64_t above_min_free(uint64_t available)
{
	char *min_free = sys_read(sys_path("/sys/module/rxdsk/parameters/min_free"));
	uint64_t kept = min_free ? strtoull(min_free, NULL, 10) << 20 : 0;

	free(min_free);
	return available > kept ? available - kept : 0;
}

uint64_t machine_spare(void)
{
	uint64_t total, available;

	dev_memory(&total, &available);
	return available == RX_NONE ? RX_NONE : above_min_free(available);
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
	char *blocks;

	/* A recording is not of this machine. */
	if (sys_absent())
		return;
	if (plan->family == RX_CACHE && plan->block.text &&
	    plan->block.num >= RXCACHE_BLOCK_MIN && plan->block.num < page_size()) {
		blocks = machine_blocks(page_size());
		strv_print(wrong, "block '%s' is smaller than a page of this machine; say %s",
			   plan->block.text, blocks);
		free(blocks);
	}
	check_node(plan, wrong);
	check_memory(plan, wrong, doubt);
}
