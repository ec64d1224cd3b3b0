/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects, lists and values as JSON. */
#ifndef RXADM_JSON_H
#define RXADM_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct rx_list;
struct rx_strv;
struct rx_view;

struct json_object *json_string(const char *s);
struct json_object *json_list(const struct rx_strv *v);
void json_add_text(struct json_object *into, const char *key, const char *text);
void json_add_ratio(struct json_object *into, const char *key, double value);
void json_add_number(struct json_object *into, const char *key, uint64_t number);
struct json_object *out_json(const struct rx_view *view, const void *object);
struct json_object *out_json_root(void);
struct json_object *out_json_now(void);
void out_json_list(struct json_object *root, const struct rx_list *list,
		   bool disks, bool caches);
void out_json_print(struct json_object *root);
void out_rows(const struct rx_view *view, const void *rows, size_t n);
void out_json_end(int status);

#endif
