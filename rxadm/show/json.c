// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints JSON: one object with a version, raw numbers, and null for what is not known.
 * All columns are there unless -o chooses some.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/global.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/units.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"
#include "system/stacked.h"

#define RX_JSON_VERSION	1

struct json_object *json_string(const char *s)
{
	char *text = text_utf8(s);
	struct json_object *obj = json_object_new_string(text);

	free(text);
	return obj;
}

struct json_object *json_list(const struct rx_strv *v)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < v->n; i++)
		json_object_array_add(array, json_string(v->v[i]));
	return array;
}

/* A TEXT of NULL becomes null. */
void json_add_text(struct json_object *into, const char *key, const char *text)
{
	json_object_object_add(into, key, text ? json_string(text) : NULL);
}

void json_add_number(struct json_object *into, const char *key, uint64_t number)
{
	json_object_object_add(into, key, number == RX_NONE ? NULL :
			       json_object_new_uint64(number));
}

static struct json_object *decimal(const char *fmt, double value)
{
	char buf[64];

	snprintf(buf, sizeof(buf), fmt, value);
	return json_object_new_double_s(value, buf);
}

/* A negative value stands for one that is not known. */
static struct json_object *ratio(double value)
{
	return value < 0 ? NULL : decimal("%.6g", value);
}

void json_add_ratio(struct json_object *into, const char *key, double value)
{
	json_object_object_add(into, key, ratio(value));
}

/* Bytes and nanoseconds are whole numbers, as elsewhere. */
static struct json_object *rate(enum rx_col_type type, double value)
{
	if (value < 0)
		return NULL;
	return type == COL_RATE ? decimal("%.2f", value) :
		json_object_new_int64((int64_t)(value + 0.5));
}

static struct json_object *buckets(const uint64_t *bucket)
{
	struct json_object *array;
	int i;

	if (bucket[0] == RX_NONE)
		return NULL;
	array = json_object_new_array();
	for (i = 0; i < RX_BUCKETS && bucket[i] != RX_NONE; i++)
		json_object_array_add(array, json_object_new_uint64(bucket[i]));
	return array;
}

/* Programs that know one cache on a disk find its name, and null if there are several. */
static struct json_object *only_holder(const char *holders)
{
	return *holders && !strchr(holders, ',') ? json_string(holders) : NULL;
}

static struct json_object *all_holders(const char *holders)
{
	struct json_object *array = json_object_new_array();
	char name[RX_NAME_LEN];

	while (holder_next(&holders, name))
		json_object_array_add(array, json_string(name));
	return array;
}

/* Returns the value of a column, where NULL stands for null. */
static struct json_object *value(const struct rx_col *col, const char *object)
{
	const void *field = object + col->off;
	const char *word;
	uint64_t num;

	switch (col->type) {
	case COL_TEXT:
		return *(const char *)field ? json_string(field) : NULL;
	case COL_HOLDERS:
		return only_holder(field);
	case COL_LIST:
		return json_list(field);
	case COL_RATIO:
	case COL_TIMES:
		return ratio(*(const double *)field);
	case COL_BUCKETS:
	case COL_SIZES:
		return buckets(field);
	case COL_RATE:
	case COL_MIB:
	case COL_US:
		return rate(col->type, *(const double *)field);
	default:
		break;
	}
	num = *(const uint64_t *)field;
	if (num == RX_NONE)
		return NULL;
	if (col->type == COL_BOOL)
		return json_object_new_boolean(num != 0);
	word = col_word(col, num);
	return word ? json_string(word) : json_object_new_uint64(num);
}

struct json_object *out_json(const struct rx_view *view, const void *object)
{
	struct json_object *root = json_object_new_object(), *into;
	const struct rx_col *col;

	for (col = view->cols; col->help; col++) {
		if (!col->key || (rx.columns && *rx.columns != '+' &&
				  !col_chosen(view, col, rx.columns)))
			continue;
		into = root;
		if (col->group &&
		    !json_object_object_get_ex(root, col->group, &into)) {
			into = json_object_new_object();
			json_object_object_add(root, col->group, into);
		}
		json_object_object_add(into, col->key, value(col, object));
		if (col->type == COL_HOLDERS)
			json_object_object_add(into, "caches",
					       all_holders((const char *)object + col->off));
		/* put_number() has the reason why the field after it is the minor. */
		if (col->type == COL_DEVNO)
			json_add_number(into, "minor",
					((const uint64_t *)((const char *)object + col->off))[1]);
	}
	return root;
}

struct json_object *out_json_root(void)
{
	struct json_object *root = json_object_new_object();

	json_add_number(root, "rxadm", RX_JSON_VERSION);
	return root;
}

/* Returns the same object with the time of day. */
struct json_object *out_json_now(void)
{
	struct json_object *root = out_json_root();
	char time[64];

	json_add_text(root, "time", time_now(time, sizeof(time)));
	return root;
}

static void add_view(struct json_object *root, const struct rx_view *view,
		     const void *objects, size_t n)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(array,
				      out_json(view, (const char *)objects +
					       i * view->size));
	json_object_object_add(root, view->key, array);
}

/*
 * Adds the disks and the caches. One of the two arrays is left out if it lacks columns
 * of -o that the other one has, as a table is.
 */
void out_json_list(struct json_object *root, const struct rx_list *list,
		   bool disks, bool caches)
{
	bool disks_fit = view_fits(&view_disks), caches_fit = view_fits(&view_caches);

	if (disks && (disks_fit || !caches_fit))
		add_view(root, &view_disks, list->disks, list->n_disks);
	if (caches && (caches_fit || !disks_fit))
		add_view(root, &view_caches, list->caches, list->n_caches);
}

static void add_message(const struct rx_said *said, void *arg)
{
	struct json_object *message = json_object_new_object();

	json_add_text(message, "verb", said->verb);
	json_add_text(message, "object", said->object);
	json_add_text(message, "text", said->text);
	json_object_array_add(arg, message);
}

/*
 * Prints ROOT in one line, unless --pretty asks for more, and frees it. What was said
 * since the last object is added.
 */
void out_json_print(struct json_object *root)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;
	struct json_object *messages = json_object_new_array();

	if (said_take(add_message, messages))
		json_object_object_add(root, "messages", messages);
	else
		json_object_put(messages);
	if (rx.pretty)
		flags |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
	puts(json_object_to_json_string_ext(root, flags));
	out_flush();
	json_object_put(root);
}

/* Prints the rows of a view as a table or, with --json, as an array of its name. */
void out_rows(const struct rx_view *view, const void *rows, size_t n)
{
	struct json_object *root;

	if (!rx.json) {
		out_table(view, rows, n, rx.columns);
		return;
	}
	root = out_json_root();
	add_view(root, view, rows, n);
	out_json_print(root);
}

/* Prints an object for errors that no other object has told. */
void out_json_end(int status)
{
	if (rx.json && status && said_any())
		out_json_print(out_json_root());
}
