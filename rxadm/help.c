// SPDX-License-Identifier: GPL-2.0-only
/*
 * help and version: printed from the table of verbs, for people and as JSON for programs. And
 * which verb is meant by a word that is none.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/say.h"
#include "base/units.h"
#include "kernel/model.h"
#include "kernel/name.h"
#include "rx/version.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "help.h"
#include "verbs.h"

/* Words that other tools have for what rxadm does to a disk and to a cache. */
static const struct synonym {
	const char *word, *disk, *cache;
} synonyms[] = {
	{ "create", "attach", "map" }, { "add", "attach", "map" },
	{ "new", "attach", "map" }, { "make", "attach", "map" },
	{ "remove", "detach", "unmap" }, { "rm", "detach", "unmap" },
	{ "del", "detach", "unmap" }, { "delete", "detach", "unmap" },
	{ "destroy", "detach", "unmap" }, { "disconnect", "detach", "unmap" },
	{ "show", "list", "list" }, { "ls", "list", "list" },
	{ "status", "list", "list" }, { "info", "stat", "stat" },
	{ "stats", "stat", "stat" }, { "get", "list", "list" },
	{ "grow", "resize", "set" }, { "extend", "resize", "set" },
	{ "shrink", "resize", "set" }, { "size", "resize", "set" },
	{ "change", "set", "set" }, { "modify", "set", "set" },
	{ "tune", "set", "set" }, { "freeze", "set", "set" },
	{ "flush", "erase", "drop" }, { "clear", "erase", "drop" },
	{ "wipe", "erase", "drop" }, { "purge", "erase", "drop" },
	{ "invalidate", "erase", "drop" }, { "zero", "erase", "drop" },
	{ "backup", "save", "save-list" }, { "dump", "save", "save-list" },
	{ "archive", "save", "save-list" }, { "load", "restore", "load-list" },
	{ "warm", "restore", "load-list" }, { "check", "check-tab", "verify" },
	{ "scrub", "verify", "verify" }, { "benchmark", "bench", "bench" },
	{ "test", "bench", "bench" }, { "watch", "top", "top" },
	{ "events", "monitor", "monitor" }, { "log", "monitor", "monitor" },
	{ "start", "up", "up" }, { "stop", "down", "down" },
	{ "share", "export", "export" }, { "unshare", "unexport", "unexport" },
};

/* What the word says, and the verb set has as an option; NULL for another verb. */
static const char *option_of(const struct synonym *s, const char *verb)
{
	if (strcmp(verb, "set"))
		return NULL;
	return !strcmp(s->disk, "resize") ? "--size SIZE" :
	       !strcmp(s->word, "freeze") ? "--frozen yes" : NULL;
}

/*
 * Tells what the words after the verb are about: a disk, which a size may stand for, or a
 * cache, which a path may stand for, the one of its origin.
 */
static bool family_of(const struct synonym *s, int argc, char **argv, enum rx_family *family)
{
	char name[RX_NAME_LEN], why[256];
	bool known = false, makes = !strcmp(s->cache, "map");
	enum rx_family is;
	uint64_t size;
	int i;

	for (i = 0; i < argc && *argv[i] != '-'; i++) {
		if (name_parse(argv[i], &is, name))
			makes |= is == RX_CACHE;
		else if (!i && size_parse(argv[i], false, &size, why, sizeof(why)))
			is = RX_DISK;
		else if ((!i || makes) && strpbrk(argv[i], "/="))
			is = RX_CACHE;
		else
			continue;
		if (!known || is == RX_CACHE)
			*family = is;
		known = true;
	}
	return known;
}

/* Returns the verb with what WORDS name of its kind, or else with what its synopsis has. */
static char *command(const struct synonym *s, const char *name, int argc, char **argv)
{
	const struct rx_verb *verb = verb_find(name);
	const char *option = option_of(s, name);
	const char *more = strchr(verb->objects, ' ');
	bool any = (strstr(verb->objects, "rxd") && strstr(verb->objects, "rxc")) ||
		   !strncmp(verb->objects, "[NAME", 5);
	bool known = false;
	enum rx_family family;
	char object[RX_NAME_LEN], why[256], *text;
	uint64_t size;
	FILE *f = mem_open(&text);
	int i;

	fprintf(f, "rxadm %s", name);
	for (i = 0; i < argc && *argv[i] != '-' && !(known && verb->max <= 2); i++) {
		if (name_parse(argv[i], &family, object)) {
			if (!any && strncmp(verb->objects, object, 3))
				continue;
		} else if (!i && !strcmp(verb->objects, "SIZE") && strlen(argv[i]) < sizeof(object) &&
			   size_parse(argv[i], false, &size, why, sizeof(why))) {
			strcpy(object, argv[i]);
		} else {
			continue;
		}
		fprintf(f, " %s", object);
		known = true;
	}
	if (!known && *verb->objects)
		fprintf(f, " %s", verb->objects);
	else if (known && more && !option)
		fputs(more, f);
	if (option)
		fprintf(f, " %s", option);
	mem_close(f);
	return text;
}

static int say_synonym(const struct synonym *s, int argc, char **argv)
{
	char *disk = command(s, s->disk, argc, argv), *cache = command(s, s->cache, argc, argv);
	enum rx_family family = RX_DISK;
	int ret;

	if (!strcmp(s->disk, s->cache) || family_of(s, argc, argv, &family))
		ret = usage_error("no verb '%s'; say: %s", s->word,
				  family == RX_DISK ? disk : cache);
	else
		ret = usage_error("no verb '%s'; say: %s, or of a cache: %s", s->word, disk, cache);
	free(disk);
	free(cache);
	return ret;
}

int no_verb(int argc, char **argv)
{
	const char *names[64], *near;
	const struct rx_verb *verb;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(synonyms); i++)
		if (!strcmp(synonyms[i].word, argv[0]))
			return say_synonym(&synonyms[i], argc - 1, argv + 1);
	for (verb = rx_verbs; verb->name && n < ARRAY_SIZE(names); verb++)
		if (verb->shows != HIDDEN)
			names[n++] = verb->name;
	near = nearest(argv[0], names, n);
	if (near)
		return usage_error("no verb '%s'; did you mean '%s'? (rxadm help)", argv[0], near);
	return usage_error("no verb '%s'; see: rxadm help", argv[0]);
}

static struct json_object *options(const struct rx_opt *opt)
{
	struct json_object *array = json_object_new_array(), *row;
	char letter[2] = "";

	for (; opt && opt->name; opt++) {
		row = json_object_new_object();
		*letter = opt->letter;
		json_add_text(row, "name", opt->name);
		json_add_text(row, "letter", *letter ? letter : NULL);
		json_add_text(row, "argument", opt->arg);
		json_add_text(row, "help", opt->help);
		json_object_array_add(array, row);
	}
	return array;
}

/* Adds the columns of a view, with the place of each in JSON: "key" or "group.key". */
static void add_columns(struct json_object *array, const struct rx_view *view)
{
	const struct rx_col *col;
	struct json_object *row;
	char *key;

	for (col = view->cols; col->help; col++) {
		if (!col->name)
			continue;
		row = json_object_new_object();
		key = !col->key ? NULL : mem_text("%s%s%s", col->group ? col->group : "",
						  col->group ? "." : "", col->key);
		json_add_text(row, "of", view->key);
		json_add_text(row, "name", col->name);
		json_add_text(row, "key", key);
		json_object_object_add(row, "default",
				       json_object_new_boolean(col->flags & COL_DEFAULT));
		json_add_text(row, "help", col->help);
		json_object_array_add(array, row);
		free(key);
	}
}

static struct json_object *verb_json(const struct rx_verb *verb)
{
	struct json_object *row = json_object_new_object(), *columns = json_object_new_array();
	const struct rx_view *const *views;
	size_t i, n;

	views = verb_views(verb, &n);
	for (i = 0; i < n; i++)
		add_columns(columns, views[i]);
	json_add_text(row, "name", verb->name);
	json_add_text(row, "objects", verb->objects);
	json_add_text(row, "help", verb->help);
	json_object_object_add(row, "options", options(verb->opts));
	json_object_object_add(row, "columns", columns);
	return row;
}

/* Prints one verb, or all if VERB is NULL, and the options that all verbs have. */
static void help_json(const struct rx_verb *verb)
{
	struct json_object *root = out_json_root(), *verbs = json_object_new_array();
	const struct rx_verb *v;

	for (v = verb ? verb : rx_verbs; v->name; v++) {
		if (v->shows != HIDDEN)
			json_object_array_add(verbs, verb_json(v));
		if (verb)
			break;
	}
	json_object_object_add(root, "verbs", verbs);
	json_object_object_add(root, "options", options(rx_global_opts));
	out_json_print(root);
}

static void put_options(const struct rx_opt *opts)
{
	char letter[8], left[64];

	for (; opts && opts->name; opts++) {
		bool when = opt_may_lack(opts);

		snprintf(letter, sizeof(letter), "-%c,", opts->letter);
		snprintf(left, sizeof(left), "%-3s --%s%s%s%s",
			 opts->letter ? letter : "", opts->name,
			 when ? "[=" : opts->arg ? " " : "", opts->arg ? opts->arg : "",
			 when ? "]" : "");
		printf("  %-27s %s\n", left, opts->help);
	}
}

static void help_all(void)
{
	const struct rx_verb *verb;
	char left[64];

	puts("rxadm [OPTION...] VERB [OBJECT...] [OPTION...]\n"
	     "RAM disks, and read caches in RAM over slow devices. No verb means list.\n");
	for (verb = rx_verbs; verb->name; verb++) {
		if (verb->shows == HIDDEN)
			continue;
		snprintf(left, sizeof(left), "%s %s", verb->name,
			 verb->objects);
		printf("  %-26s %s\n", left, verb->help);
	}
	puts("\nOptions of every verb:");
	put_options(rx_global_opts);
	puts("\nSizes: 512M 1.5G (1024), 500MB (1000), 4096B, 25% of the memory. Times: 500ms 1s 2m.\n"
	     "Exit: 0 done, 1 usage, 2 refused by the kernel, 3 module absent, 4 partly done,\n"
	     "5 data differs, an image is damaged, no list to load, or output was lost.\n"
	     "More: rxadm help VERB, man rxadm");
}

/* The options that every verb has, in one line. */
static void put_common(void)
{
	const struct rx_opt *opt;

	printf("\nAnd as every verb:");
	for (opt = rx_global_opts; opt->name; opt++)
		if (opt->letter)
			printf(" -%c", opt->letter);
		else
			printf(" --%s", opt->name);
	puts("; see: rxadm help");
}

void help_verb(const struct rx_verb *verb)
{
	if (rx.json) {
		help_json(verb);
		return;
	}
	printf("rxadm %s%s%s%s\n%s\n", verb->name, *verb->objects ? " " : "",
	       verb->objects, verb->opts ? " [OPTION...]" : "", verb->help);
	if (verb->opts) {
		putchar('\n');
		put_options(verb->opts);
	}
	if (verb->shows == SHOWS_TABLE)
		printf("\nColumns: rxadm %s -o help\n", verb->name);
	put_common();
}

/* The columns that -o chooses: those of the verb's tables or else those in its JSON. */
void help_columns(const struct rx_verb *verb)
{
	const struct rx_view *const *views;
	size_t i, n;

	if (rx.json) {
		help_json(verb);
		return;
	}
	views = verb_views(verb, &n);
	for (i = 0; i < (n ? n : ARRAY_SIZE(views_list)); i++)
		out_columns_list(stdout, views[i]);
}

int cmd_help(const struct rx_args *args)
{
	const struct rx_verb *verb;

	if (rx.quiet)
		return args_quiet(args);
	if (!args->n_objects) {
		if (rx.json)
			help_json(NULL);
		else
			help_all();
		return RX_OK;
	}
	verb = verb_find(args->objects[0]);
	if (!verb)
		return no_verb(1, (char **)args->objects);
	help_verb(verb);
	return RX_OK;
}

int cmd_version(const struct rx_args *args)
{
	struct json_object *root, *protocol;
	int family;

	if (rx.quiet)
		return args_quiet(args);
	if (!rx.json) {
		printf("rxadm %s (protocol:", RX_VERSION);
		for (family = 0; family < RX_FAMILIES; family++)
			printf(" %s %u", model_family(family),
			       rx_models[family].version);
		puts(")");
		return RX_OK;
	}
	root = out_json_root();
	protocol = json_object_new_object();
	for (family = 0; family < RX_FAMILIES; family++)
		json_add_number(protocol, model_family(family),
				rx_models[family].version);
	json_add_text(root, "version", RX_VERSION);
	json_object_object_add(root, "protocol", protocol);
	out_json_print(root);
	return RX_OK;
}
