// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts attributes to the text of recordings and back, as in " name=rxd0 size=4096". Names are those of the spec. An attribute in a nest
 * has the nest's name before its own, as in stats.reads. An attribute that the tables do
 * not know is NUMBER=hex:BYTES.
 */
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/mem.h"
#include "kernel/model.h"
#include "kernel/request.h"

#include "attrtext.h"

/* Writes "0,0,5", one number for each bucket. */
static void write_buckets(FILE *f, const struct nlattr *nla)
{
	int n = nla_len(nla) / sizeof(uint64_t), i;
	uint64_t value;

	for (i = 0; i < n; i++) {
		memcpy(&value, (char *)nla_data(nla) + i * sizeof(value),
		       sizeof(value));
		fprintf(f, "%s%llu", i ? "," : "", (unsigned long long)value);
	}
}

/* Writes a text, in quotes if it is empty or could be read as two. */
static void write_text(FILE *f, const char *text, size_t len)
{
	size_t i;

	if (len > 1 && !strpbrk(text, " \"\\\n\t")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (i = 0; i < len && text[i]; i++) {
		if (text[i] == '"' || text[i] == '\\')
			fputc('\\', f);
		fputc(text[i] == '\n' ? ' ' : text[i], f);
	}
	fputc('"', f);
}

static void write_number(FILE *f, const struct rx_attr *attr, uint64_t value)
{
	uint64_t i;

	for (i = 0; attr->names && attr->names[i]; i++) {
		if (value == i) {
			fputs(attr->names[i], f);
			return;
		}
	}
	fprintf(f, "%llu", (unsigned long long)value);
}

/* Writes "4096,1,as-is", the values of a point in the order of their table. */
static void write_point(FILE *f, const struct rx_attr *attrs,
			const struct nlattr *nla)
{
	const struct rx_attr *attr;
	struct nlattr *value;

	for (attr = attrs; attr->name; attr++) {
		if (attr != attrs)
			fputc(',', f);
		value = nla_find(nla_data(nla), nla_len(nla), attr->nr);
		write_number(f, attr, value ? attr_number(value) : RX_NONE);
	}
}

static void write_value(FILE *f, const struct rx_attr *attr,
			const struct nlattr *nla)
{
	if (attr->type == A_FLAG)
		return;
	fputc('=', f);
	if (attr->type == A_BUCKETS || attr->type == A_NUMBERS)
		write_buckets(f, nla);
	else if (attr->type == A_POINT)
		write_point(f, attr->nest, nla);
	else if (attr->type == A_TEXT)
		write_text(f, nla_data(nla), nla_len(nla));
	else
		write_number(f, attr, attr_number(nla));
}

static void write_unknown(FILE *f, const char *prefix, const struct nlattr *nla)
{
	int i;

	/* Padding has no row and no data. */
	if (!nla_len(nla))
		return;
	fprintf(f, " %s%d=hex:", prefix, nla_type(nla));
	for (i = 0; i < nla_len(nla); i++)
		fprintf(f, "%02x", ((uint8_t *)nla_data(nla))[i]);
}

static void write_attrs(FILE *f, const struct rx_attr *attrs,
			const char *prefix, const void *data, size_t len)
{
	const struct rx_attr *attr;
	struct nlattr *nla;
	char inner[32];
	int rest;

	nla_for_each_attr(nla, (struct nlattr *)data, (int)len, rest) {
		attr = attr_by_nr(attrs, nla_type(nla));
		if (!attr) {
			write_unknown(f, prefix, nla);
		} else if (attr->type == A_NEST) {
			snprintf(inner, sizeof(inner), "%s.", attr->name);
			write_attrs(f, attr->nest, inner, nla_data(nla),
				    nla_len(nla));
		} else {
			fprintf(f, " %s%s", prefix, attr->name);
			write_value(f, attr, nla);
		}
	}
}

/* Returns " name=rxd0 size=4096 ...", which the caller frees. */
char *model_to_text(enum rx_family family, const void *attrs, size_t len)
{
	char *text;
	FILE *f = mem_open(&text);

	write_attrs(f, rx_models[family].attrs, "", attrs, len);
	mem_close(f);
	return text;
}

/* Returns "rxdsk disk-new size=4096", which the caller frees. */
char *req_to_text(const struct rx_req *req)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);
	char *text, *attrs = model_to_text(req->family, nlmsg_data(nlh),
					   nlmsg_datalen(nlh));

	text = mem_text("%s %s%s%s", model_family(req->family), req->op->name,
			req->dump ? " dump" : "", attrs);
	free(attrs);
	return text;
}

/*
 * Copies the value that TEXT begins with, without its quotes, into BUF. Returns the text
 * after it.
 */
static const char *read_value(const char *text, char *buf, size_t len)
{
	bool quoted = *text == '"';
	size_t n = 0;

	if (quoted)
		text++;
	while (*text && (quoted ? *text != '"' : *text != ' ')) {
		if (quoted && *text == '\\' && text[1])
			text++;
		if (n + 1 < len)
			buf[n++] = *text;
		text++;
	}
	buf[n] = '\0';
	return text + (quoted && *text == '"');
}

/*
 * Puts all buckets, with 0 for those that VALUE lacks. Numbers that are no buckets are
 * only as many as VALUE has.
 */
static int put_buckets(struct nl_msg *msg, const struct rx_attr *attr,
		       const char *value)
{
	uint64_t bucket[RX_BUCKETS] = { 0 };
	char *end;
	int i;

	for (i = 0; *value && i < RX_BUCKETS; i++, value = end + (*end == ',')) {
		bucket[i] = strtoull(value, &end, 0);
		if (end == value)
			return -1;
	}
	if (attr->type == A_BUCKETS)
		i = RX_BUCKETS;
	return nla_put(msg, attr->nr, i * (int)sizeof(*bucket), bucket);
}

static int put_number(struct nl_msg *msg, const struct rx_attr *attr,
		      const char *value)
{
	unsigned long long num;
	char *end;
	int i;

	for (i = 0; attr->names && attr->names[i]; i++)
		if (!strcmp(attr->names[i], value))
			return attr_put_number(msg, attr, i);
	num = strtoull(value, &end, 0);
	if (end == value || *end)
		return -1;
	return attr_put_number(msg, attr, num);
}

/* Does the inverse of write_point(). VALUE is cut up. */
static int put_point(struct nl_msg *msg, const struct rx_attr *attr, char *value)
{
	struct nlattr *nest = nla_nest_start(msg, attr->nr);
	const struct rx_attr *inner;
	char *word;

	for (inner = attr->nest; inner->name; inner++) {
		word = strsep(&value, ",");
		if (!word || !nest || put_number(msg, inner, word))
			return -1;
	}
	return nla_nest_end(msg, nest);
}

static int put_value(struct nl_msg *msg, const struct rx_attr *attr, char *value)
{
	switch (attr->type) {
	case A_TEXT:
		return nla_put_string(msg, attr->nr, value);
	case A_FLAG:
		return nla_put_flag(msg, attr->nr);
	case A_BUCKETS:
	case A_NUMBERS:
		return put_buckets(msg, attr, value);
	case A_POINT:
		return put_point(msg, attr, value);
	case A_NEST:
		return -1;
	default:
		return put_number(msg, attr, value);
	}
}

static int put_hex(struct nl_msg *msg, int nr, const char *hex)
{
	uint8_t data[256];
	size_t n = 0;

	for (; hex[0] && hex[1] && n < sizeof(data); hex += 2, n++)
		if (sscanf(hex, "%2hhx", &data[n]) != 1)
			return -1;
	return nla_put(msg, nr, n, data);
}

/* Returns the nest whose attribute TEXT names, as in "stats.reads=1", or NULL. */
static const struct rx_attr *nest_of(const struct rx_attr *attrs,
				     const char *text)
{
	size_t len = strcspn(text, ".= ");
	const struct rx_attr *attr;

	if (text[len] != '.')
		return NULL;
	attr = attr_by_name(attrs, text, len);
	return attr && attr->type == A_NEST ? attr : NULL;
}

/* Adds the attribute that *TEXT begins with, and moves *TEXT behind it. */
static int put_attr(struct nl_msg *msg, const struct rx_attr *attrs,
		    const char **text)
{
	size_t len = strcspn(*text, "= ");
	const struct rx_attr *attr = attr_by_name(attrs, *text, len);
	int nr = atoi(*text);
	char value[4096] = "";

	*text += len;
	if (**text == '=')
		*text = read_value(*text + 1, value, sizeof(value));
	if (attr)
		return put_value(msg, attr, value);
	return nr > 0 && !strncmp(value, "hex:", 4) ?
		put_hex(msg, nr, value + 4) : -1;
}

/* Does the inverse of model_to_text(). Returns 0, or -1 for other text. */
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg)
{
	const struct rx_attr *attrs = rx_models[family].attrs, *group, *open = NULL;
	struct nlattr *nest = NULL;

	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		group = nest_of(attrs, text);
		if (open && open != group)
			nla_nest_end(msg, nest);
		if (group && open != group)
			nest = nla_nest_start(msg, group->nr);
		open = group;
		if (group)
			text += strlen(group->name) + 1;
		if (put_attr(msg, group ? group->nest : attrs, &text))
			return -1;
	}
	if (open)
		nla_nest_end(msg, nest);
	return 0;
}
