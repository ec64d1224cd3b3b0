// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides what is to be done about a line of the table. Whatever command was the last one
 * of a run that was killed, the plan for what is there then leads to the same end.
 *
 * A good image is never lost to a disk that does not have its content: a disk is saved over
 * an image only if the disk came from it, or if there was none; see image/mark.c. And
 * a disk is not used without its image: if that can't be restored, a new disk is removed
 * again.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/units.h"
#include "system/address.h"
#include "table/export.h"
#include "table/parse.h"
#include "table/table.h"
#include "up/plan.h"
#include "up/shares.h"

/* Adds words up to a NULL. */
static void __attribute__((sentinel)) add_words(struct rx_strv *words, ...)
{
	const char *word;
	va_list ap;

	va_start(ap, words);
	while ((word = va_arg(ap, const char *)))
		strv_add(words, word);
	va_end(ap);
}

static struct up_cmd *add(struct up_plan *plan, enum up_result result)
{
	struct up_cmd *cmd = &plan->cmds[plan->n++];

	cmd->usable = plan->usable;
	/* A disk or cache that is made stays made by what changes it then. */
	if (plan->result != UP_MADE)
		plan->result = result;
	return cmd;
}

/* Ends the plan with WHAT, the reason. FMT and the rest say what to do next. */
static void __attribute__((format(printf, 3, 4)))
refuse(struct up_plan *plan, char *what, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	plan->what = what;
	plan->next = mem_vtext(fmt, ap);
	va_end(ap);
}

/*
 * Refuses if it can't be known whether there is an image, or none could be written there.
 * AGAIN is the command that is to be tried again.
 */
static bool place_known(struct up_plan *plan, const struct tab_line *line,
			const struct up_state *is, const char *again)
{
	const char *path = line->text[TAB_IMAGE];

	switch (is->image) {
	case IMAGE_UNMOUNTED:
		refuse(plan, mem_text("%s is not mounted, and its image %s lies there", is->place, path),
		       "run: mount %s, then: %s", quoted(is->place), again);
		return false;
	case IMAGE_NO_DIR:
		refuse(plan, mem_text("the directory %s of its image is missing", is->place),
		       "run: mkdir -p -m 700 %s, then: %s", quoted(is->place), again);
		return false;
	case IMAGE_UNKNOWN:
		refuse(plan, mem_text("its image %s: %s", path, is->place),
		       "put that right, then: %s", again);
		return false;
	default:
		return true;
	}
}

/* Returns the name, as quoted() does, to which an image is moved out of the way. */
static const char *old_name(const char *path)
{
	char *name = mem_text("%s.old", path);
	const char *word = quoted(name);

	free(name);
	return word;
}

/* A disk that is MADE for its image is of no use without it. */
static void restore(struct up_plan *plan, const struct tab_line *line, bool made)
{
	const char *name = line->name, *path = line->text[TAB_IMAGE], *up = tab_again("up", line);
	struct up_cmd *cmd = add(plan, UP_CHANGED);

	add_words(&cmd->words, "restore", path, name, NULL);
	cmd->what = mem_text("its image %s can't be restored, see above; the image stays as it is", path);
	if (made) {
		add_words(&cmd->undo, "detach", name, NULL);
		cmd->next = mem_text("put that right and run: %s; or to begin with an empty disk: mv %s %s, then: %s",
				     up, quoted(path), old_name(path), up);
	} else {
		cmd->next = mem_text("put that right and run: %s", up);
	}
	cmd->mark = true;
}

static void make_disk(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *path = line->text[TAB_IMAGE];
	struct up_cmd *cmd;

	if (path && !place_known(plan, line, is, tab_again("up", line)))
		return;
	cmd = add(plan, UP_MADE);
	add_words(&cmd->words, "attach", line->text[TAB_SIZE], NULL);
	tab_put_options(line, &cmd->words);
	cmd->timed = true;
	if (path && is->image == IMAGE_THERE) {
		strv_add(&cmd->words, "--awaits-image");
		restore(plan, line, true);
	} else if (path) {
		strv_print(&plan->hints, "no image yet in %s, the disk is empty", path);
		plan->mark = true;
	}
}

/* The disk holds its image, nothing, a part of its image, or other data. */
static void take_over(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *path = line->text[TAB_IMAGE], *up = tab_again("up", line);

	if (is->image == IMAGE_ABSENT && is->awaited)
		refuse(plan, mem_text("was to have the image %s, which is not there any more; the disk may have a part of it",
				      path),
		       "put the image back and run: %s; or to begin with an empty disk: %s --no-save, then: %s",
		       up, tab_again("down", line), up);
	else if (is->image == IMAGE_ABSENT)
		plan->mark = true;
	else if (!is->awaited && is->disk.used)
		refuse(plan, mem_text("holds data that did not come from its image %s, so neither is replaced", path),
		       "to keep the data: mv %s %s, then: %s; to have the image: rxadm detach %s, then: %s",
		       quoted(path), old_name(path), up, line->name, up);
	else
		restore(plan, line, false);
}

static struct up_cmd *save_image(struct up_plan *plan, const struct tab_line *line, const char *what)
{
	const char *path = line->text[TAB_IMAGE];
	struct up_cmd *cmd = add(plan, plan->result);

	add_words(&cmd->words, "save", line->name, path, "--freeze", NULL);
	cmd->what = mem_text("%s %s, see above", what, path);
	return cmd;
}

/* The old image of a disk that was resized can still be restored, so hosts may go on writing. */
static void save_resized(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *path = line->text[TAB_IMAGE];

	if (is->export >= UP_EXPORT_HALF)
		strv_print(&plan->hints, "is exported, so it is not saved to its image %s now, but by the next down, after the end of its export",
			   path);
	else
		save_image(plan, line, "was resized, and could not be saved to its image")->next =
			mem_text("put that right and run: rxadm save %s %s --freeze", line->name, quoted(path));
}

/* A cache that holds the disk is in use, and stays so. The kernel rounds a limit down to whole pages. */
static void change_disk(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *path = line->text[TAB_IMAGE], *limit = line->text[TAB_LIMIT];
	uint64_t want = limit ? line->num[TAB_LIMIT] / is->page * is->page : 0;
	bool resized = is->disk.size != tab_disk_size(line);
	struct up_cmd *cmd;

	/* An older module has no limit, and sends nothing. */
	if (is->disk.limit != RX_NONE && is->disk.limit != want)
		add_words(&add(plan, UP_CHANGED)->words, "set", line->name, "--limit",
			  limit ? limit : "0B", NULL);
	if (resized) {
		cmd = add(plan, UP_CHANGED);
		if (*is->disk.holder)
			add_words(&cmd->words, "set", is->holder, "--size", NULL);
		else
			add_words(&cmd->words, "resize", line->name, NULL);
		strv_add(&cmd->words, line->text[TAB_SIZE]);
	}
	if (!path || ((resized || is->awaited || !is->marked) &&
		      !place_known(plan, line, is, tab_again("up", line))))
		return;
	if (is->awaited || !is->marked)
		take_over(plan, line, is);
	else if (resized)
		save_resized(plan, line, is);
}

static void plan_disk(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	if (!is->there) {
		make_disk(plan, line, is);
	} else if (is->disk.state == RX_DISK_DETACHING) {
		refuse(plan, mem_dup("is still being detached"), "wait for its end, see: rxadm list");
	} else if (is->disk.state == RX_DISK_PREPARING) {
		/* It may not get its memory, and its size may be about to change. */
		refuse(plan, mem_dup("is still taking its memory, growing or being zeroed"),
		       "wait for its end, see: rxadm list -o NAME,SIZE,USED,STATE");
	} else if (is->differs) {
		refuse(plan, mem_dup(is->differs),
		       "change line %u, or, if the data on it may be lost: rxadm detach %s, then: %s",
		       line->nr, line->name, tab_again("up", line));
	} else {
		plan->usable = true;
		change_disk(plan, line, is);
	}
}

/* Adds the options for all but the size and the shares. */
static void put_settings(struct rx_strv *words, const struct tab_line *line, const struct rx_cache *cache)
{
	bool allocate = !line->text[TAB_NO_WRITE_ALLOCATE];
	uint64_t ahead = line->text[TAB_READ_AHEAD] ? line->num[TAB_READ_AHEAD] : AHEAD_OFF;

	if (cache->mode != line->num[TAB_MODE])
		add_words(words, "--mode", line->text[TAB_MODE] ?: "through", NULL);
	if (cache->write_allocate != allocate)
		add_words(words, "--write-allocate", allocate ? "yes" : "no", NULL);
	/* An older module has none, and sends nothing. */
	if (cache->read_ahead != ahead && cache->read_ahead != RX_NONE)
		add_words(words, "--read-ahead", line->text[TAB_READ_AHEAD] ?: "off", NULL);
	if (cache->compress != line->num[TAB_COMPRESS] && cache->compress != RX_NONE)
		add_words(words, "--compress", line->text[TAB_COMPRESS] ?: "off", NULL);
	/* The kernel rounds the floor down to whole blocks. */
	if (line->text[TAB_FLOOR] &&
	    cache->floor != line->num[TAB_FLOOR] / cache->block * cache->block)
		add_words(words, "--floor", line->text[TAB_FLOOR], NULL);
}

/* Adds "set NAME" with WORDS, which it frees, unless there are none. */
static void set(struct up_plan *plan, const struct tab_line *line, struct rx_strv *words)
{
	struct up_cmd *cmd = words->n ? add(plan, UP_CHANGED) : NULL;
	size_t i;

	if (cmd)
		add_words(&cmd->words, "set", line->name, NULL);
	for (i = 0; i < words->n; i++)
		strv_add(&cmd->words, words->v[i]);
	strv_free(words);
}

static void lower(struct up_plan *plan, const struct tab_line *line, const struct rx_cache *cache)
{
	struct rx_strv words = { 0 };

	plan->sent |= shares_put_lower(line, cache, &words);
	set(plan, line, &words);
}

/*
 * Min shares that are larger than the smaller of two sizes of a disk of the cache's own fit
 * only before or only after its change.
 */
static void change_cache(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	bool resized = !line->disk && is->disk.size != tab_disk_size(line);
	struct rx_cache cache = is->cache;
	struct rx_strv words = { 0 };

	plan->sent = is->sent;
	if (resized) {
		lower(plan, line, &cache);
		add_words(&words, "--size", line->text[TAB_SIZE], NULL);
		put_settings(&words, line, &cache);
		set(plan, line, &words);
		cache.size = tab_disk_size(line);
	} else {
		put_settings(&words, line, &cache);
	}
	shares_put(line, &cache, plan->sent, &words);
	set(plan, line, &words);
}

static void make_cache(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *origin = line->text[TAB_ORIGIN];
	struct up_cmd *cmd;

	if (is->origin) {
		refuse(plan, is->origin == ENOENT ? mem_text("origin %s missing", origin) :
		       is->origin == ENOTBLK ? mem_text("origin %s is no block device", origin) :
		       mem_text("origin %s: %s", origin, strerror(is->origin)),
		       "fix %s line %u and run: %s", line->tab, line->nr, tab_again("up", line));
		return;
	}
	/* One that has lost its origin holds nothing. */
	if (is->there)
		add_words(&add(plan, UP_REMOVED)->words, "unmap", line->name, NULL);
	cmd = add(plan, UP_MADE);
	strv_add(&cmd->words, "map");
	if (line->disk)
		strv_add(&cmd->words, line->disk->name);
	strv_add(&cmd->words, origin);
	tab_put_options(line, &cmd->words);
	cmd->timed = true;
	/* The kernel may go on making it, and nobody would wait for it any more. */
	add_words(&cmd->undo, "unmap", line->name, NULL);
}

static void plan_cache(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	const char *name = line->name, *up = tab_again("up", line);

	if (!is->there || is->cache.status == RX_STATE_DEAD) {
		make_cache(plan, line, is);
		return;
	}
	switch (is->cache.status) {
	case RX_STATE_STARTING:
	case RX_STATE_DRAINING:
	case RX_STATE_FAILED:
		refuse(plan, mem_text("is %s", rx_state_names[is->cache.state]),
		       "run: rxadm unmap %s, then: %s", name, up);
		return;
	case RX_STATUS_MISMATCH:
		refuse(plan, mem_dup("is bypassed since its verification found blocks that differ from the origin"),
		       "find out why, then: rxadm set %s --mode through", name);
		return;
	}
	if (is->differs)
		refuse(plan, mem_dup(is->differs), "change line %u, or run: %s && %s",
		       line->nr, tab_again("down", line), up);
	else
		change_cache(plan, line, is);
}

/* Adds the command of the line's export. */
static void put_export(struct rx_strv *words, const struct tab_line *line)
{
	struct rx_strv addrs = { 0 };
	size_t i;

	add_words(words, "export", line->name, NULL);
	if (line->text[TAB_NQN])
		add_words(words, "--nqn", line->text[TAB_NQN], NULL);
	add_words(words, "--transport", nvmet_transports[tab_export_transport(line)], NULL);
	tab_export_addrs(line, &addrs);
	for (i = 0; i < addrs.n; i++)
		add_words(words, "--addr", addrs.v[i], NULL);
	strv_free(&addrs);
	for (i = 0; i < line->hosts.n; i++)
		add_words(words, "--host", line->hosts.v[i], NULL);
	if (line->text[TAB_ANY_HOST])
		strv_add(words, "--any-host");
}

static void unexport(struct up_plan *plan, const struct tab_line *line, enum up_result result)
{
	add_words(&add(plan, result)->words, "unexport", line->name, NULL);
}

/*
 * The verb export makes what is missing of an export that serves the device, and leaves
 * alone what hosts use. One that does not serve it is made again.
 */
static void plan_export(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	if (!line->text[TAB_EXPORT]) {
		if (is->export > UP_EXPORT_LEFT)
			strv_print(&plan->hints, "is exported as %s, and the table does not say so; to end that: rxadm unexport %s",
				   is->nqn, line->name);
		return;
	}
	if (plan->what)
		return;
	plan->usable = true;
	if (is->export == UP_EXPORT_BROKEN)
		unexport(plan, line, UP_CHANGED);
	if (is->export >= UP_EXPORT_HALF && is->export_differs)
		refuse(plan, mem_dup(is->export_differs),
		       "change line %u, or, if its hosts may lose it: rxadm unexport %s, then: %s",
		       line->nr, line->name, tab_again("up", line));
	else if (is->export != UP_EXPORT_WHOLE)
		put_export(&add(plan, UP_CHANGED)->words, line);
}

/*
 * Lowers the shares of a cache, before its disk is changed or others on it get more. One
 * that is absent or can't be changed has its own turn, which will tell.
 */
void plan_lower(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	plan->result = UP_SAME;
	plan->usable = true;
	if (is->there && !is->differs && is->cache.state == RX_STATE_ACTIVE &&
	    is->cache.status != RX_STATUS_MISMATCH)
		lower(plan, line, &is->cache);
}

/* With EXPORT, what the line has made is exported. */
void plan_up(struct up_plan *plan, const struct tab_line *line, const struct up_state *is, bool export)
{
	plan->result = is->sent ? UP_CHANGED : UP_SAME;
	if (line->family == RX_DISK)
		plan_disk(plan, line, is);
	else
		plan_cache(plan, line, is);
	if (export)
		plan_export(plan, line, is);
}

/*
 * Saves a disk that is there to its image. Returns false if it must not be. File systems
 * that are mounted are frozen: what a busy one has by then is better than an old image.
 * TIMER: the command of the timer, or NULL for down.
 */
static bool save_disk(struct up_plan *plan, const struct tab_line *line,
		      const struct up_state *is, const char *timer)
{
	const char *path = line->text[TAB_IMAGE], *lose = tab_again("down", line), *again = timer ?: lose;

	if (!is->marked && line->bad) {
		refuse(plan, mem_dup("its line has an error, so it is not saved to its image"),
		       "correct line %u, or to lose what is on the disk: %s --no-save", line->nr, lose);
	} else if (!place_known(plan, line, is, again)) {
		return false;
	} else if (!is->awaited && (is->marked || is->image == IMAGE_ABSENT)) {
		save_image(plan, line, "could not be saved to its image")->next = timer ?
			mem_text("put that right, then: %s", timer) :
			mem_text("put that right, then: %s; or to lose what is on the disk: %s --no-save", lose, lose);
		plan->mark = !is->marked;
	} else {
		refuse(plan, mem_text("does not have the content of its image %s, so it is not saved over that", path),
		       "to keep what is on the disk: mv %s %s, then: %s; to lose it: %s --no-save",
		       quoted(path), old_name(path), again, lose);
	}
	return !plan->what;
}

/*
 * Removes the object that the line names, whatever the line says otherwise. With SAVE,
 * the list of a cache is saved first if the line says warm, and a disk that has an image.
 * A disk that can't be saved stays, a cache does not: at shutdown it goes with the machine.
 */
void plan_down(struct up_plan *plan, const struct tab_line *line, const struct up_state *is, bool save)
{
	bool disk = line->family == RX_DISK;
	struct up_cmd *cmd;

	plan->result = UP_ABSENT;
	if (is->export != UP_EXPORT_NONE)
		unexport(plan, line, is->there ? UP_REMOVED : UP_ABSENT);
	if (!is->there || (save && disk && line->text[TAB_IMAGE] &&
			   !save_disk(plan, line, is, NULL)))
		return;
	cmd = add(plan, UP_REMOVED);
	add_words(&cmd->words, disk ? "detach" : "unmap", line->name, NULL);
	if (save && line->text[TAB_WARM]) {
		strv_add(&cmd->words, "--save");
		add_words(&cmd->instead, "unmap", line->name, NULL);
	}
}

/* Saves a disk while it is in use, for the timer. */
void plan_save(struct up_plan *plan, const struct tab_line *line, const struct up_state *is)
{
	char *timer = mem_text("systemctl start rxadm-image@%s", line->name);

	plan->result = UP_SAME;
	if (is->there)
		save_disk(plan, line, is, timer);
	free(timer);
}

void plan_free(struct up_plan *plan)
{
	struct up_cmd *cmd;

	for (cmd = plan->cmds; cmd < plan->cmds + PLAN_CMDS; cmd++) {
		strv_free(&cmd->words);
		strv_free(&cmd->undo);
		strv_free(&cmd->instead);
		free(cmd->what);
		free(cmd->next);
	}
	strv_free(&plan->hints);
	free(plan->what);
	free(plan->next);
}
