// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks on this machine the memory that the lines of the table take: each by itself, and
 * all that a boot makes together.
 */
#include <errno.h>
#include <string.h>

#include <linux/rxdsk.h>

#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "kernel/errtext.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "kernel/request.h"
#include "run/machine.h"
#include "run/preflight.h"
#include "system/dev.h"
#include "table/memory.h"
#include "table/table.h"

/* Asks the kernel for the node of a disk. A module that is not loaded knows no nodes yet. */
static void check_node(struct rx_tab *tab, struct tab_line *line)
{
	struct rx_err err;
	struct rx_req req;

	if (!line->text[TAB_NUMA] || line->num[TAB_NUMA] == RX_NONE ||
	    !sys_has_module(model_family(RX_DISK)))
		return;
	req_init(&req, RX_DISK, RXDSK_CMD_DISK_NEW);
	req_num(&req, RXDSK_A_DISK_SIZE, RXDSK_SIZE_MIN);
	req_num(&req, RXDSK_A_DISK_NODE, line->num[TAB_NUMA]);
	req_flag(&req, RXDSK_A_DISK_VALIDATE);
	if (nl_do(&req, NULL, &err) && err.err == EINVAL && strstr(err.msg, "NUMA"))
		tab_note(tab, line, !preflight_off(), "numa '%s': %s (see: cat /sys/devices/system/node/has_normal_memory)",
			 line->text[TAB_NUMA], err.msg);
	req_free(&req);
}

/*
 * Refuses lines for which the machine has no memory, no NUMA node or pages that are too
 * large. If CHECK is set, it also warns of sizes that can't be filled.
 */
void tab_check_machine(struct rx_tab *tab, bool check)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	struct rx_strv wrong = { 0 }, doubt = { 0 };
	struct rx_plan plan;

	for (line = tab->lines; line < end; line++) {
		check_node(tab, line);
		plan = tab_plan(line);
		preflight_machine(&plan, &wrong, &doubt);
		tab_say_all(tab, line, !preflight_off(), &wrong);
		if (check)
			tab_say_all(tab, line, false, &doubt);
		strv_free(&doubt);
	}
}

/* Returns the memory that a line keeps from all others: of a disk, or of a cache's floor. */
static uint64_t line_keeps(const struct rx_tab *tab, const struct tab_line *line)
{
	const struct rx_plan plan = tab_plan(line);
	const struct tab_line *other = tab->lines;

	if (line->family == RX_DISK)
		return plan.prealloc ? or_zero(plan.size.num) : 0;
	/* Caches that share a disk have one floor. */
	while (line->disk && other < line && other->disk != line->disk)
		other++;
	if ((line->disk && other < line) || !plan.floor.text)
		return 0;
	return or_zero(plan.size.num) < plan.floor.num ? or_zero(plan.size.num) : plan.floor.num;
}

/*
 * Refuses preallocated disks that together are more than the memory of the machine. The
 * kernel takes any floor, so with floors it is a warning. A line that a boot leaves out, or
 * that takes all by itself, is not counted.
 */
void tab_check_sums(struct rx_tab *tab)
{
	uint64_t total, available, keeps, disks = 0, floors = 0;
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	char has[32], is[32];
	bool over = false;

	dev_memory(&total, &available);
	if (sys_absent() || total == RX_NONE)
		return;
	size_print(total, has, sizeof(has));
	for (line = tab->lines; line < end; line++) {
		keeps = line->bad || line->text[TAB_NOAUTO] ? 0 : line_keeps(tab, line);
		if (!keeps || keeps >= total)
			continue;
		if (line->family == RX_CACHE) {
			floors += keeps;
		} else if (disks + keeps > total) {
			tab_note(tab, line, !preflight_off(),
				 "the preallocated disks up to this line have %s, which is more than the memory of this machine, %s (smaller ones, or without prealloc)",
				 size_print(disks + keeps, is, sizeof(is)), has);
			continue;
		} else {
			disks += keeps;
		}
		if (over || !floors || disks + floors < total)
			continue;
		over = true;
		tab_warn(tab, line,
			 "the preallocated disks and the floors up to this line are %s, all of the memory of this machine, %s, or more (smaller ones)",
			 size_print(disks + floors, is, sizeof(is)), has);
	}
}
