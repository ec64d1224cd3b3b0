// SPDX-License-Identifier: GPL-2.0-only
/* The exports of the table: the steps of up and down. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "export/plan.h"
#include "system/address.h"
#include "system/exportrec.h"
#include "table/table.h"
#include "up/export.h"
#include "up/line.h"
#include "verb/args.h"
#include "verb/export.h"

/* Puts the command of the line's export into job->words. */
static void put_command(struct tab_job *job)
{
	const struct tab_line *line = job->line;
	const char *first = line->exports.v[0], *addr;
	char *transport = mem_text("%.*s", (int)strcspn(first, ":"), first);
	size_t i;

	tab_add(job, "export", line->name, NULL);
	if (line->text[TAB_NQN])
		tab_add(job, "--nqn", line->text[TAB_NQN], NULL);
	tab_add(job, "--transport", transport, NULL);
	for (i = 0; i < line->exports.n; i++) {
		addr = strchr(line->exports.v[i], ':');
		if (strcmp(transport, "loop"))
			tab_add(job, "--addr", addr ? addr + 1 : "127.0.0.1", NULL);
	}
	for (i = 0; i < line->hosts.n; i++)
		tab_add(job, "--host", line->hosts.v[i], NULL);
	if (line->text[TAB_ANY_HOST])
		tab_add(job, "--any-host", NULL, NULL);
	free(transport);
}

/* Says how an export that is whole differs from the line. Returns true if it is the same. */
static bool is_same(struct tab_job *job, const struct rx_export *is)
{
	struct rx_args args = { .verb = verb_find("export") };
	struct rx_export want = { .stage = EXPORT_MAKING };
	char *what = NULL;

	job->status = args_parse((int)job->words.n, job->words.v, 0, &args);
	if (!job->status && !export_read(&args, job->line->name, &want))
		job->status = RX_USAGE;
	if (job->status)
		job->result = TAB_FAILED;
	else
		what = plan_differs(is, &want);
	if (what)
		tab_fail(job, what, "change line %u, or, if its hosts may lose it: rxadm unexport %s, then: rxadm up %s",
			 job->line->nr, job->line->name, job->line->name);
	export_free(&want);
	free(args.objects);
	return job->result != TAB_FAILED;
}

/* Says that the disk or cache is exported, and that its line has no export. */
static void say_exported(const struct tab_line *line)
{
	struct rx_export is;

	if (export_load(line->name, &is) && export_is_ours(&is))
		say_hint("up", line->name, "is exported as %s, and the table does not say so; to end that: rxadm unexport %s",
			 is.nqn, line->name);
	export_free(&is);
}

/*
 * Exports what the line has made. A failure leaves the disk or cache as it is. The verb
 * export makes what is missing of an export that serves the device, and leaves alone what
 * hosts use. One that does not serve it is made again.
 */
void tab_export(struct tab_job *job)
{
	enum tab_result result = job->result;
	struct rx_export is;
	bool there, whole, half;

	if (!job->line->text[TAB_EXPORT]) {
		say_exported(job->line);
		return;
	}
	if (result != TAB_MADE && result != TAB_CHANGED && result != TAB_SAME)
		return;
	job->usable = true;
	there = export_load(job->line->name, &is) && export_is_ours(&is);
	whole = there && export_whole(&is);
	half = there && !whole && export_repairable(&is);
	if (there && !whole && !half)
		tab_unexport(job);
	if (job->result != TAB_FAILED) {
		put_command(job);
		if (((whole || half) && !is_same(job, &is)) || whole)
			strv_free(&job->words);
		else
			tab_step(job, result == TAB_MADE ? TAB_MADE : TAB_CHANGED);
	}
	export_free(&is);
}

/* Ends the export of the line's disk or cache, which is in the way of its removal. */
void tab_unexport(struct tab_job *job)
{
	struct rx_export is;

	if (export_load(job->line->name, &is)) {
		tab_add(job, "unexport", job->line->name, NULL);
		tab_step(job, TAB_REMOVED);
	}
	export_free(&is);
}
