// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes as text, " name=rxd0 size=4096": what --dry-run prints and what
 * recordings hold. Names are those of the spec, those in a nest have its name
 * before them, as stats.reads, and an attribute that the tables do not know is NUMBER=hex:BYTES.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include "model.h"
#include "request.h"

static void write_text(FILE *f, const char *text, size_t len)
{
	size_t i;

	fputc('"', f);
	for (i = 0; i < len && text[i]; i++) {
		if (text[i] == '"' || text[i] == '\\')
			fputc('\\', f);
		fputc(text[i] == '\n' ? ' ' : text[i], f);
	}
	fputc('"', f);
}

/* "0,0,5" and so on. */
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

static void write_attrs(FILE *f, const struct rx_attr *attrs,
			const char *prefix, const void *data, size_t len)
{
	const struct rx_attr *attr;
	struct nlattr *nla;
	char inner[32];
	uint64_t value;
	int rest, i;

	nla_for_each_attr(nla, (struct nlattr *)data, (int)len, rest) {
		attr = attr_by_nr(attrs, nla_type(nla));
		if (!attr) {
			/* Padding is of no interest and has no row. */
			if (!nla_len(nla))
				continue;
			fprintf(f, " %s%d=hex:", prefix, nla_type(nla));
			for (i = 0; i < nla_len(nla); i++)
				fprintf(f, "%02x",
					((uint8_t *)nla_data(nla))[i]);
			continue;
		}
		if (attr->type == A_NEST) {
			snprintf(inner, sizeof(inner), "%s.", attr->name);
			write_attrs(f, attr->nest, inner, nla_data(nla),
				    nla_len(nla));
			continue;
		}
		fprintf(f, " %s%s", prefix, attr->name);
		if (attr->type == A_FLAG)
			continue;
		fputc('=', f);
		if (attr->type == A_BUCKETS) {
			write_buckets(f, nla);
			continue;
		}
		if (attr->type == A_POINT) {
			point_write(f, nla);
			continue;
		}
		if (attr->type == A_TEXT) {
			const char *text = nla_data(nla);

			if (nla_len(nla) > 1 &&
			    !strpbrk(text, " \"\\\n\t"))
				fputs(text, f);
			else
				write_text(f, text, nla_len(nla));
			continue;
		}
		value = attr_number(nla);
		for (i = 0; attr->names && attr->names[i]; i++)
			if (value == (uint64_t)i)
				break;
		if (attr->names && attr->names[i])
			fputs(attr->names[i], f);
		else
			fprintf(f, "%llu", (unsigned long long)value);
	}
}

/* " name=rxd0 size=4096 ..."; to be freed. */
char *model_to_text(enum rx_family family, const void *attrs, size_t len)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
	write_attrs(f, model_attrs(family), "", attrs, len);
	if (fclose(f))
		abort();
	return text;
}

int req_show(const struct rx_req *req)
{
	struct nlmsghdr *nlh = nlmsg_hdr(req->attrs);
	char *text = model_to_text(req->family, nlmsg_data(nlh),
				   nlmsg_datalen(nlh));

	printf("%s %s%s\n", model_family(req->family), model_op_name(req->op), text);
	free(text);
	return RX_OK;
}

/* Takes one value off TEXT, quotes and all, into BUF. */
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

/* Those that are not said are 0. */
static int put_buckets(struct nl_msg *msg, int nr, const char *value)
{
	uint64_t bucket[RX_BUCKETS] = { 0 };
	char *end;
	int i;

	for (i = 0; *value && i < RX_BUCKETS; i++, value = end + (*end == ',')) {
		bucket[i] = strtoull(value, &end, 0);
		if (end == value)
			return -1;
	}
	return nla_put(msg, nr, sizeof(bucket), bucket);
}

static int put_text(struct nl_msg *msg, const struct rx_attr *attr,
		    const char *value)
{
	unsigned long long num;
	char *end;
	int i;

	switch (attr->type) {
	case A_TEXT:
		return nla_put_string(msg, attr->nr, value);
	case A_FLAG:
		return nla_put_flag(msg, attr->nr);
	case A_BUCKETS:
		return put_buckets(msg, attr->nr, value);
	case A_POINT:
		return point_put(msg, attr->nr, value);
	case A_NEST:
		return -1;
	default:
		for (i = 0; attr->names && attr->names[i]; i++)
			if (!strcmp(attr->names[i], value))
				return attr_put_number(msg, attr, i);
		num = strtoull(value, &end, 0);
		if (end == value || *end)
			return -1;
		return attr_put_number(msg, attr, num);
	}
}

static int put_hex(struct nl_msg *msg, int nr, const char *hex)
{
	uint8_t data[256];
	unsigned int byte;
	int n = 0;

	for (; hex[0] && hex[1] && n < (int)sizeof(data); hex += 2) {
		if (sscanf(hex, "%2x", &byte) != 1)
			return -1;
		data[n++] = byte;
	}
	return nla_put(msg, nr, n, data);
}

/* The nest that TEXT, "stats.reads=1", names an attribute of; else NULL. */
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

/* The inverse of model_to_text; -1 for text that is none of its output. */
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg)
{
	const struct rx_attr *attrs, *attr, *group, *open = NULL;
	struct nlattr *nest = NULL;
	char value[4096];
	size_t len;
	int err;

	for (;;) {
		text += strspn(text, " \t");
		if (!*text)
			break;
		attrs = model_attrs(family);
		group = nest_of(attrs, text);
		if (open && open != group)
			nla_nest_end(msg, nest);
		if (group) {
			text += strlen(group->name) + 1;
			attrs = group->nest;
			if (open != group)
				nest = nla_nest_start(msg, group->nr);
		}
		open = group;
		len = strcspn(text, "= ");
		attr = attr_by_name(attrs, text, len);
		err = attr ? 0 : atoi(text);
		text += len;
		value[0] = '\0';
		if (*text == '=')
			text = read_value(text + 1, value, sizeof(value));
		if (attr)
			err = put_text(msg, attr, value);
		else if (err > 0 && !strncmp(value, "hex:", 4))
			err = put_hex(msg, err, value + 4);
		else
			err = -1;
		if (err)
			return -1;
	}
	if (open)
		nla_nest_end(msg, nest);
	return 0;
}
