// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shows with --dry-run what would be done. A verb may do several things, of which a later one
 * may be refused, so they are kept until the end of the program.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/units.h"
#include "kernel/model.h"
#include "kernel/name.h"
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

	snprintf(key, sizeof(key), "%s", name);
	return mem_swap(key, '-', '_');
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
		if (attr && strcmp(attr->name, "validate"))
			json_object_object_add(attrs, key_of(attr->name),
					       value_of(attr, nla));
	}
	json_add_text(root, "family", model_family(req->family));
	json_add_text(root, "request", req->op->name);
	json_object_object_add(root, "attributes", attrs);
	return root;
}

static const struct nlattr *find(const struct rx_req *req, int attr)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);

	return nla_find(nlmsg_data(nlh), nlmsg_datalen(nlh), attr);
}

static const char *text_of(const struct rx_req *req, int attr, const char *without)
{
	const struct nlattr *nla = find(req, attr);

	return nla ? nla_data(nla) : without;
}

/* What requests do, in the order of the sentence: the act, the object, and a new size. */
static const struct act {
	enum rx_family family;
	uint8_t cmd;
	const char *words;
} acts[] = {
	{ RX_DISK, RXDSK_CMD_DISK_NEW, "attach" },
	{ RX_DISK, RXDSK_CMD_DISK_DEL, "detach" },
	{ RX_DISK, RXDSK_CMD_DISK_RESIZE, "change" },
	{ RX_DISK, RXDSK_CMD_DISK_ERASE, "erase all data of" },
	{ RX_DISK, RXDSK_CMD_DISK_SET, "change" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_NEW, "map" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_DEL, "unmap" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_DROP, "drop the cached blocks of" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_SET, "change" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_VERIFY, "verify" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_RESET_STATS, "reset the counters of" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_PIN, "pin blocks of" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_UNPIN, "unpin blocks of" },
	{ RX_CACHE, RXCACHE_CMD_CACHE_BLOCKS, "list the blocks of" },
};

/* What the sentence has said already, or only a program wants to know. */
static const char *const told[] = { "name", "disk", "origin", "own-disk", "validate", NULL };

static bool is_count(const char *name)
{
	return !strcmp(name, "queues") || !strcmp(name, "node") || !strcmp(name, "sample");
}

/* Adds ", limit 1 GiB", ", mode bypass" or ", erase" to the sentence. */
static void add_setting(FILE *f, const struct rx_attr *attr, const struct nlattr *nla)
{
	static const char percent[] = "-percent";
	size_t len = strlen(attr->name), i;
	char size[32];
	uint64_t number, n;
	bool part = len > strlen(percent) && !strcmp(attr->name + len - strlen(percent), percent);

	fputs(", ", f);
	for (i = 0; i < len - (part ? strlen(percent) : 0); i++)
		fputc(attr->name[i] == '-' ? ' ' : attr->name[i], f);
	if (attr->type == A_FLAG)
		return;
	if (attr->type == A_TEXT) {
		fprintf(f, " %s", (const char *)nla_data(nla));
		return;
	}
	number = attr_number(nla);
	for (n = 0; attr->names && attr->names[n] && n < number; n++)
		;
	if (attr->names && attr->names[n])
		fprintf(f, " %s", attr->names[n]);
	else if (part || is_count(attr->name))
		fprintf(f, " %" PRIu64 "%s", number, part ? "%" : "");
	else if (!strcmp(attr->name, "read-ahead") && number <= 1)
		fprintf(f, " %s", number ? "auto" : "off");
	else
		fprintf(f, " %s", size_exact(number, size, sizeof(size)));
}

static void add_object(FILE *f, const struct rx_req *req)
{
	const char *disk, *name;

	if (req->family == RX_DISK) {
		fprintf(f, " %s", text_of(req, RXDSK_A_DISK_NAME, "a disk"));
		return;
	}
	name = text_of(req, RXCACHE_A_CACHE_NAME, NULL);
	if (req->op->cmd != RXCACHE_CMD_CACHE_NEW) {
		fprintf(f, " %s", name);
		return;
	}
	disk = text_of(req, RXCACHE_A_CACHE_DISK, "");
	fprintf(f, " %s to %s", text_of(req, RXCACHE_A_CACHE_ORIGIN, ""),
		name_is(disk, RX_DISK) ? disk : "that disk");
	if (name)
		fprintf(f, " as %s", name);
}

/* Returns "would attach rxd3, size 4 GiB", which the caller frees. */
static char *request_words(const struct rx_req *req)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);
	const struct rx_attr *attr;
	const struct act *act;
	struct nlattr *nla;
	char *text;
	FILE *f = mem_open(&text);
	int rest;

	for (act = acts; act->family != req->family || act->cmd != req->op->cmd; act++)
		;
	fprintf(f, "would %s", act->words);
	add_object(f, req);
	nla_for_each_attr(nla, (struct nlattr *)nlmsg_data(nlh), nlmsg_datalen(nlh), rest) {
		attr = attr_by_nr(rx_models[req->family].attrs, nla_type(nla));
		if (attr && !matches_any(attr->name, told))
			add_setting(f, attr, nla);
	}
	mem_close(f);
	return text;
}

int req_show(const struct rx_req *req, bool asked)
{
	char *text;

	if (!asked && !rx.quiet)
		say_hint(NULL, NULL, "%s is not loaded, so the kernel was not asked",
			 model_family(req->family));
	if (rx.json) {
		if (!requests)
			requests = json_object_new_array();
		json_object_array_add(requests, request_json(req));
		return RX_OK;
	}
	text = request_words(req);
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
	bool good = status == RX_OK || status == RX_PARTIAL;
	struct json_object *root;
	size_t i;

	for (i = 0; good && i < lines.n; i++)
		puts(shown(lines.v[i]));
	strv_free(&lines);
	if (requests && !good)
		json_object_put(requests);
	if ((requests || steps.n) && good) {
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
