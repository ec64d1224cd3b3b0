// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows with --dry-run the requests that are not sent. A verb may make several, of which a
 * later one may be refused, so they are kept until the end of the program.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/global.h"
#include "base/strv.h"
#include "kernel/attrtext.h"
#include "kernel/model.h"
#include "kernel/request.h"
#include "run/dryrun.h"
#include "show/json.h"

static struct json_object *requests;	/* for JSON */
static struct json_object *also;	/* what else is in the object */
static const char *also_key;
static struct rx_strv lines, steps;

/* Returns NAME of the spec as a key of JSON, in one buffer. */
static const char *key_of(const char *name)
{
	static char key[64];
	char *p;

	snprintf(key, sizeof(key), "%s", name);
	for (p = key; *p; p++)
		if (*p == '-')
			*p = '_';
	return key;
}

/* The values of an enum "no", "yes" are a boolean. */
static struct json_object *value_of(const struct rx_attr *attr, const struct nlattr *nla)
{
	uint64_t number, i;

	if (attr->type == A_FLAG)
		return json_object_new_boolean(true);
	if (attr->type == A_TEXT)
		return json_string(nla_data(nla));
	number = attr_number(nla);
	if (attr->names && !strcmp(attr->names[0], "no"))
		return json_object_new_boolean(number);
	for (i = 0; attr->names && attr->names[i]; i++)
		if (i == number)
			return json_string(attr->names[i]);
	return json_object_new_uint64(number);
}

static struct json_object *request_json(const struct rx_req *req)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);
	struct json_object *root = json_object_new_object();
	struct json_object *attrs = json_object_new_object();
	const struct rx_attr *attr;
	struct nlattr *nla;
	int rest;

	nla_for_each_attr(nla, (struct nlattr *)nlmsg_data(nlh), nlmsg_datalen(nlh), rest) {
		attr = attr_by_nr(rx_models[req->family].attrs, nla_type(nla));
		if (attr)
			json_object_object_add(attrs, key_of(attr->name),
					       value_of(attr, nla));
	}
	json_add_text(root, "family", model_family(req->family));
	json_add_text(root, "request", req->op->name);
	json_object_object_add(root, "attributes", attrs);
	return root;
}

int req_show(const struct rx_req *req)
{
	char *text;

	if (rx.json) {
		if (!requests)
			requests = json_object_new_array();
		json_object_array_add(requests, request_json(req));
		return RX_OK;
	}
	text = req_to_text(req);
	strv_add(&lines, text);
	free(text);
	return RX_OK;
}

/* A verb that would do its work without a request shows an empty array of them. */
int req_show_none(void)
{
	if (rx.json && !requests)
		requests = json_object_new_array();
	return RX_OK;
}

/* Adds what was found out to the JSON of a verb that shows requests, once. Owns VALUE. */
void req_show_also(const char *key, struct json_object *value)
{
	also_key = key;
	also = value;
}

/* Does the same for a change that is no request. */
void step_show(const char *text)
{
	strv_add(rx.json ? &steps : &lines, text);
}

/* Prints what req_show() and step_show() have kept, unless the verb has failed as a whole. */
void req_show_end(int status)
{
	bool shown = status == RX_OK || status == RX_PARTIAL;
	struct json_object *root;
	size_t i;

	for (i = 0; shown && i < lines.n; i++)
		puts(lines.v[i]);
	strv_free(&lines);
	if (requests && !shown)
		json_object_put(requests);
	if ((requests || steps.n) && shown) {
		root = out_json_root();
		json_object_object_add(root, "dry_run", json_object_new_boolean(true));
		if (requests)
			json_object_object_add(root, "requests", requests);
		if (steps.n)
			json_object_object_add(root, "steps", json_list(&steps));
		if (also)
			json_object_object_add(root, also_key, json_object_get(also));
		out_json_print(root);
	}
	json_object_put(also);
	requests = NULL;
	also = NULL;
	strv_free(&steps);
}
