// SPDX-License-Identifier: GPL-2.0-only
/* help --json: the verbs, their options and columns, for programs that make use of them. */
#include <stdlib.h>

#include <json-c/json.h>

#include "args/args.h"
#include "base/mem.h"
#include "show/json.h"
#include "show/out.h"
#include "helpjson.h"
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
void help_json(const struct rx_verb *verb)
{
	struct json_object *root = out_json_root(), *verbs = json_object_new_array();
	const struct rx_verb *v;

	for (v = verb ? verb : rx_verbs; v->name; v++) {
		if (!v->hidden)
			json_object_array_add(verbs, verb_json(v));
		if (verb)
			break;
	}
	json_object_object_add(root, "verbs", verbs);
	json_object_object_add(root, "options", options(rx_global_opts));
	out_json_print(root);
}
