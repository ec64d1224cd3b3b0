// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb __words [--describe], for completion. It gets the words before the one that is
 * being typed, and prints the words that fit there, one per line. With --describe each
 * word is followed by a tab and its meaning. With it, a line ":device" or ":file" says
 * that a block device or a file fits too, and ":comma" that commas may join several
 * words. The verb loads no module and prints no error.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "args/args.h"
#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "export/record.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/nl.h"
#include "show/columns.h"
#include "show/out.h"
#include "system/dev.h"
#include "table/load.h"
#include "up/up.h"
#include "verb/bench.h"
#include "verb/export.h"
#include "verbs.h"
#include "words.h"

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

static void put_jobs(void)
{
	struct rx_strv names = { 0 };
	size_t i;

	bench_jobs(&names);
	for (i = 0; i < names.n; i++)
		put(names.v[i], NULL);
	strv_free(&names);
}

static void put_verbs(void)
{
	const struct rx_verb *verb;

	for (verb = rx_verbs; verb->name; verb++)
		if (verb->shows != HIDDEN)
			put(verb->name, verb->help);
}

static void put_options(const struct rx_opt *opts, const struct rx_args *line)
{
	char word[64];

	for (; opts && opts->name; opts++) {
		snprintf(word, sizeof(word), "--%s", opts->name);
		if (!args_has(line, opts->name) || opts->type == OPT_TEXTS)
			put(word, opts->help);
	}
}

/* An object that was named already is not offered again. */
static void put_names(enum rx_family family, const struct rx_args *line)
{
	struct rx_objects named = args_objects(line);
	struct rx_list list = { 0 };
	char help[RX_HOLDERS_LEN + 64], size[32];
	struct rx_cache *cache;
	struct rx_disk *disk;
	struct rx_err err;
	size_t i;

	if (!sys_has_module(model_family(family)) ||
	    nl_list(family, &list, &err))
		list_free(&list);
	for (i = 0; i < list.n_disks; i++) {
		disk = &list.disks[i];
		snprintf(help, sizeof(help), "RAM disk of %s%s%s",
			 size_print(or_zero(disk->size), size, sizeof(size)),
			 *disk->holder ? ", memory of " : "", disk->holder);
		if (!objects_have(&named, disk->name))
			put(disk->name, help);
	}
	for (i = 0; i < list.n_caches; i++) {
		cache = &list.caches[i];
		dev_origin_path(cache);
		snprintf(help, sizeof(help), "cache of %s in %s",
			 cache->origin_path, cache->disk);
		if (!objects_have(&named, cache->name))
			put(cache->name, help);
	}
	list_free(&list);
}

/* up and down take names from the table, other verbs names of objects. */
static void put_any_name(const struct rx_args *line)
{
	if (line->verb->run == cmd_up_down) {
		tab_put_names(args_text(line, "tab"));
		return;
	}
	put_names(RX_DISK, line);
	put_names(RX_CACHE, line);
}

/* Other verbs choose the name of a new export. */
static void put_nqns(const struct rx_args *line)
{
	struct rx_strv names = { 0 };
	struct rx_export export;
	size_t i;

	if (line->verb->run == cmd_unexport)
		export_names(&names);
	for (i = 0; i < names.n; i++) {
		if (export_load(names.v[i], &export))
			put(export.nqn, names.v[i]);
		export_free(&export);
	}
	strv_free(&names);
}

/* TEXT is one alternative, of LEN bytes, of a placeholder "a|B". */
static void put_alternative(const char *text, size_t len,
			    const struct rx_args *line)
{
	const struct rx_view *const *views;
	char word[32];
	size_t n;

	/* The JSON of a verb without a table has the columns of list. */
	views = verb_views(line->verb, &n);
	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	if (!strcmp(word, "rxdN"))
		put_names(RX_DISK, line);
	else if (!strcmp(word, "rxcN"))
		put_names(RX_CACHE, line);
	else if (!strcmp(word, "VERB"))
		put_verbs();
	else if (!strcmp(word, "NAME"))
		put_any_name(line);
	else if (!strcmp(word, "NQN"))
		put_nqns(line);
	else if (!strcmp(word, "ORIGIN"))
		put_hint(":device");
	else if (!strcmp(word, "FILE"))
		put_hint(":file");
	else if (!strcmp(word, "JOB"))
		put_jobs();
	else if (!strncmp(word, "COL", 3))
		out_columns_each(put, views, n ? n : ARRAY_SIZE(views_list));
	/* Other capitals stand for any value, and so does what has a fraction in it. */
	else if (*word && !isupper((unsigned char)*word) && !strchr(word, '/'))
		put(word, NULL);
}

static void put_placeholder(const char *text, size_t len,
			    const struct rx_args *line)
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

static void put_value(const struct rx_opt *opt, const struct rx_args *line)
{
	/* The name of a new object can't be known. */
	if (opt->type == OPT_NAME)
		return;
	put_placeholder(opt->arg, strcspn(opt->arg, "["), line);
	if (strstr(opt->arg, "[,"))
		put_hint(":comma");
}

/*
 * Prints the placeholders of a verb's objects, "[rxdN] ORIGIN" or "rxcN...", that may
 * stand where the next object does. As many words may be before a placeholder as there
 * are placeholders before it, less those in brackets.
 */
static void put_objects(const struct rx_args *line)
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

int cmd_words(const struct rx_args *args)
{
	static const struct rx_verb none = { .name = "", .objects = "VERB" };
	struct rx_args line = { .lenient = true };
	char **words = mem_zero(args->n_objects + 1, sizeof(*words));
	size_t i = 0;
	int n = 0, at;

	if (args->n_objects && !strcmp(args->objects[0], "--describe")) {
		describe = true;
		i++;
	}
	for (; i < args->n_objects; i++) {
		words[n++] = (char *)args->objects[i];
		/* bash makes three words of --name=value. */
		if (n < 2 || strcmp(words[n - 1], "=") || *words[n - 2] != '-')
			continue;
		n--;
		words[n - 1] = mem_text("%s=%s", words[n - 1],
					i + 1 < args->n_objects ? args->objects[i + 1] : "");
		i++;
	}
	at = args_verb(n, words);
	line.verb = at < n ? verb_find(words[at]) : &none;
	if (line.verb) {
		args_parse(n, words, at, &line);
		if (line.pending) {
			put_value(line.pending, &line);
		} else {
			if (!line.plain)
				put_options(line.verb->opts, &line);
			put_objects(&line);
			if (!line.plain)
				put_options(rx_global_opts, &line);
		}
	}
	free(line.objects);
	free(words);
	return RX_OK;
}
