// SPDX-License-Identifier: GPL-2.0-only
/* help and version: printed from the table of verbs, for people and as JSON for programs. */
#include <stdlib.h>

#include <json-c/json.h>

#include "args/args.h"
#include "args/synonyms.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "kernel/model.h"
#include "rx/version.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "help.h"
#include "verbs.h"

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
