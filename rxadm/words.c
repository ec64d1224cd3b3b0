// SPDX-License-Identifier: GPL-2.0-only
/*
 * __words [--describe], for completion: given the words before the one that is
 * being typed, the words that fit there, one per line. With --describe a tab
 * and what it means follow, and a line ":device" or ":file" says that a block
 * device or a file fits too, ":comma" that several words may be joined by
 * commas. It loads no module and says no error.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "dev.h"
#include "nl.h"
#include "out.h"
#include "protocol.h"
#include "replay.h"
#include "rxtab.h"
#include "sys.h"
#include "units.h"
#include "verbs.h"

#define GIVEN_MAX	32

/* What the words before say. */
struct line {
	const struct rx_verb *verb;
	bool lost;		/* no such verb: nothing fits */
	bool plain;		/* after "--" */
	const struct rx_opt *pending;	/* the next word is its value */
	const struct rx_opt *given[GIVEN_MAX];
	size_t n_given;
	const char *tab;	/* --tab FILE */
	const char **objects;
	size_t n_objects;
};

static bool describe;

static void put(const char *word, const char *help)
{
	if (describe && help && *help)
		printf("%s\t%s\n", word, help);
	else
		puts(word);
}

static void put_hint(const char *hint)
{
	if (describe)
		puts(hint);
}

static void put_verbs(void)
{
	const struct rx_verb *verb;

	for (verb = rx_verbs; verb->name; verb++)
		if (!verb->hidden)
			put(verb->name, verb->help);
}

static void put_options(const struct rx_opt *opts, const struct line *line)
{
	char word[64];
	size_t i;

	for (; opts && opts->name; opts++) {
		for (i = 0; i < line->n_given; i++)
			if (line->given[i] == opts)
				break;
		snprintf(word, sizeof(word), "--%s", opts->name);
		if (i == line->n_given)
			put(word, opts->help);
	}
}

/* Nobody means an object twice. */
static bool named(const struct line *line, const char *name)
{
	size_t i;

	for (i = 0; i < line->n_objects; i++)
		if (!strcmp(line->objects[i], name))
			return true;
	return false;
}

static void put_names(enum rx_family family, const struct line *line)
{
	struct rx_list list = { 0 };
	char help[192], size[32];
	struct rx_cache *cache;
	struct rx_disk *disk;
	struct rx_err err;
	size_t i;

	/* Asking a family that is absent would load its module. */
	if (!replay_active() &&
	    access(sys_path("/sys/module/%s", model_family(family)), F_OK))
		return;
	if (nl_list(family, &list, &err)) {
		list_free(&list);
		return;
	}
	for (i = 0; i < list.n_disks; i++) {
		disk = &list.disks[i];
		snprintf(help, sizeof(help), "RAM disk of %s%s%s",
			 size_print(disk->size == RX_NONE ? 0 : disk->size,
				    size, sizeof(size)),
			 *disk->holder ? ", memory of " : "", disk->holder);
		if (!named(line, disk->name))
			put(disk->name, help);
	}
	for (i = 0; i < list.n_caches; i++) {
		cache = &list.caches[i];
		dev_origin_path(cache);
		snprintf(help, sizeof(help), "cache of %s in %s",
			 cache->origin_path, cache->disk);
		if (!named(line, cache->name))
			put(cache->name, help);
	}
	list_free(&list);
}

/* Of the table, or of what there is. */
static void put_any_name(const struct line *line)
{
	if (line->verb->run == cmd_up || line->verb->run == cmd_down) {
		tab_put_names(line->tab);
		return;
	}
	put_names(RX_DISK, line);
	put_names(RX_CACHE, line);
}

/* One of the alternatives "a|B" of a placeholder, LEN bytes. */
static void put_alternative(const char *text, size_t len,
			    const struct line *line)
{
	char word[32];

	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	if (!strcmp(word, "rxdN"))
		put_names(RX_DISK, line);
	else if (!strcmp(word, "rxcN"))
		put_names(RX_CACHE, line);
	else if (!strcmp(word, "VERB"))
		put_verbs();
	else if (!strcmp(word, "NAME"))
		put_any_name(line);
	else if (!strcmp(word, "ORIGIN"))
		put_hint(":device");
	else if (!strcmp(word, "FILE"))
		put_hint(":file");
	else if (!strncmp(word, "COL", 3))
		out_columns_each(put, line->verb && line->verb->run == cmd_top ?
				 &view_rates : NULL);
	else if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz-")])
		put(word, NULL);
}

static void put_placeholder(const char *text, size_t len,
			    const struct line *line)
{
	const char *end = text + len;
	size_t n;

	for (; text < end; text += n + 1) {
		n = strcspn(text, "|[] .");
		if (text + n > end)
			n = end - text;
		put_alternative(text, n, line);
	}
}

/* A policy may be one that we do not know yet, but those we know are words. */
static bool has_words(const struct rx_opt *opt)
{
	return opt->type == OPT_CHOICE || opt->type == OPT_BYTES ||
	       (opt->type == OPT_TEXT && strchr(opt->arg, '|') &&
		!strchr(opt->arg, '['));
}

static void put_value(const struct rx_opt *opt, const struct line *line)
{
	const char *p = opt->arg;
	char word[32];
	size_t n;

	/* A name to be given is new. */
	if (opt->type == OPT_NAME)
		return;
	if (!has_words(opt)) {
		put_placeholder(p, strcspn(p, "|["), line);
		if (strstr(p, "[,"))
			put_hint(":comma");
		return;
	}
	for (; *p; p += n + (p[n] == '|')) {
		n = strcspn(p, "|");
		snprintf(word, sizeof(word), "%.*s", (int)n, p);
		put(word, NULL);
	}
}

/*
 * The placeholders of a verb's objects, "[rxdN] ORIGIN" or "rxcN...", that may
 * stand where the next object does: as many words may be before one of them as
 * there are placeholders before it, less those in brackets.
 */
static void put_objects(const struct line *line)
{
	const char *p = line->verb->objects;
	size_t low = 0, high = 0, len, n = line->n_objects;
	bool repeats;

	for (; *p; p += len + (p[len] == ' ')) {
		len = strcspn(p, " ");
		repeats = memmem(p, len, "...", 3);
		if (low <= n && (n <= high || repeats))
			put_placeholder(p, len, line);
		low += *p != '[';
		high++;
	}
}

static const struct rx_opt *option(const struct rx_opt *opts, const char *name,
				   size_t len, char letter)
{
	for (; opts && opts->name; opts++)
		if (letter ? opts->letter == letter :
		    !strncmp(opts->name, name, len) && !opts->name[len])
			return opts;
	return NULL;
}

static void take_value(struct line *line, const struct rx_opt *opt,
		       const char *value)
{
	if (!strcmp(opt->name, "tab"))
		line->tab = value;
}

static const struct rx_opt *take(struct line *line, const char *name,
				 size_t len, char letter)
{
	const struct rx_opt *opt = option(line->verb ? line->verb->opts : NULL,
					  name, len, letter);

	if (!opt)
		opt = option(rx_global_opts, name, len, letter);
	if (opt && line->n_given < GIVEN_MAX)
		line->given[line->n_given++] = opt;
	return opt;
}

/* --name, --name=value, -x, -xy or -ovalue. */
static void take_option(struct line *line, const char *word)
{
	const struct rx_opt *opt;
	const char *p;

	if (word[1] == '-') {
		opt = take(line, word + 2, strcspn(word + 2, "="), 0);
		p = strchr(word, '=');
		if (opt && p)
			take_value(line, opt, p + 1);
		else if (opt && opt->type != OPT_FLAG)
			line->pending = opt;
		return;
	}
	for (p = word + 1; *p; p++) {
		opt = take(line, NULL, 0, *p);
		if (!opt)
			return;
		if (opt->type != OPT_FLAG) {
			line->pending = p[1] ? NULL : opt;
			return;
		}
	}
}

static void take_word(struct line *line, const char *word)
{
	/* bash makes three words of --name=value. */
	if (!strcmp(word, "="))
		return;
	if (line->pending) {
		take_value(line, line->pending, word);
		line->pending = NULL;
		return;
	}
	if (!line->plain && !strcmp(word, "--"))
		line->plain = true;
	else if (!line->plain && word[0] == '-' && word[1])
		take_option(line, word);
	else if (line->verb || line->lost)
		line->objects[line->n_objects++] = word;
	else
		line->lost = !(line->verb = verb_find(word));
}

int cmd_words(const struct rx_verb *verb, const struct rx_args *args)
{
	struct line line = { .objects = NULL };
	size_t i = 0;

	(void)verb;
	line.objects = args->objects;
	if (args->n_objects && !strcmp(args->objects[0], "--describe")) {
		describe = true;
		i++;
	}
	/* Objects are at least one word behind what is read. */
	for (; i < args->n_objects; i++)
		take_word(&line, args->objects[i]);
	if (line.pending) {
		put_value(line.pending, &line);
		return RX_OK;
	}
	if (line.lost)
		return RX_OK;
	if (line.verb && !line.plain)
		put_options(line.verb->opts, &line);
	if (line.verb)
		put_objects(&line);
	else
		put_verbs();
	if (!line.plain)
		put_options(rx_global_opts, &line);
	return RX_OK;
}
