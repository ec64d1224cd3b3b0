// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns attributes into objects, and has the names of the two families. The tables come
 * from module/spec: each attribute has one row, which drives parsing, building, --dry-run
 * and recordings.
 */
#include <stdio.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "kernel/derive.h"
#include "kernel/model.h"
#include "kernel/model_gen.h"

const struct rx_model rx_models[RX_FAMILIES] = {
	[RX_DISK] = {
		RXDSK_FAMILY_NAME, RXDSK_MCGRP_MONITOR, RXDSK_FAMILY_VERSION,
		rxdsk_attrs, rxdsk_ops, sizeof(struct rx_disk),
	},
	[RX_CACHE] = {
		RXCACHE_FAMILY_NAME, RXCACHE_MCGRP_MONITOR, RXCACHE_FAMILY_VERSION,
		rxcache_attrs, rxcache_ops, sizeof(struct rx_cache),
	},
};

const char *const rx_warm_names[] = {
	[RX_WARM_WAITING] = "waiting", [RX_WARM_LOADING] = "loading",
	[RX_WARM_LOADED] = "loaded", [RX_WARM_STOPPED] = "stopped", NULL
};

const char *const rx_status_names[] = {
	RX_STATE_NAMES,
	[RX_STATUS_BYPASS] = "bypass",
	[RX_STATUS_MISMATCH] = "mismatch",
	[RX_STATUS_FROZEN] = "frozen",
	NULL
};

const char *model_family(enum rx_family family)
{
	return rx_models[family].name;
}

const struct rx_op *model_op(enum rx_family family, const char *name)
{
	const struct rx_op *op;

	for (op = rx_models[family].ops; op->name; op++)
		if (!strcmp(op->name, name))
			return op;
	return NULL;
}

const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd)
{
	const struct rx_op *op;

	for (op = rx_models[family].ops; op->name; op++)
		if (op->cmd == cmd)
			return op;
	return NULL;
}

const struct rx_attr *attr_by_name(const struct rx_attr *attrs,
				   const char *name, size_t len)
{
	for (; attrs->name; attrs++)
		if (!strncmp(attrs->name, name, len) && !attrs->name[len])
			return attrs;
	return NULL;
}

const struct rx_attr *attr_by_nr(const struct rx_attr *attrs, int nr)
{
	for (; attrs && attrs->name; attrs++)
		if (attrs->nr == nr)
			return attrs;
	return NULL;
}

static void clear(const struct rx_attr *attrs, char *object)
{
	for (; attrs->name; attrs++) {
		if (attrs->off < 0)
			continue;
		if (attrs->type == A_NEST)
			clear(attrs->nest, object + attrs->off);
		else if (attrs->type == A_BUCKETS || attrs->type == A_NUMBERS)
			memset(object + attrs->off, 0xff,
			       RX_BUCKETS * sizeof(uint64_t));
		else if (attrs->type == A_POINT)
			memset(object + attrs->off, 0, sizeof(struct rx_points));
		else if (attrs->type != A_TEXT)
			*(uint64_t *)(object + attrs->off) = RX_NONE;
	}
}

/* Sets every field to "not sent". */
void model_clear(enum rx_family family, void *object)
{
	struct rx_device *device = object;

	memset(object, 0, rx_models[family].size);
	clear(rx_models[family].attrs, object);
	if (family == RX_CACHE) {
		model_derive(object);
		((struct rx_cache *)object)->warm = (struct rx_warm){
			RX_NONE, RX_NONE, RX_NONE, RX_NONE, -1 };
	}
	device->family = family;
	memset(&device->io, 0xff, sizeof(device->io));
}

uint64_t attr_number(const struct nlattr *nla)
{
	switch (nla_len(nla)) {
	case 8:
		return nla_get_u64(nla);
	case 4:
		return nla_get_u32(nla);
	case 1:
		return nla_get_u8(nla);
	default:
		return RX_NONE;
	}
}

/* Buckets beyond RX_BUCKETS are skipped; those that were not sent stay unknown. */
static void take_buckets(const struct nlattr *nla, char *buckets)
{
	size_t len = nla_len(nla);

	if (len > RX_BUCKETS * sizeof(uint64_t))
		len = RX_BUCKETS * sizeof(uint64_t);
	memcpy(buckets, nla_data(nla), len);
}

static void attr_parse(const struct rx_attr *attrs, const void *data, size_t len,
		       void *object);

/* The shadow has a point for each size and setting; those beyond RX_POINTS are skipped. */
static void take_point(const struct rx_attr *attr, const struct nlattr *nla,
		       struct rx_points *points)
{
	struct rx_point *point = &points->at[points->n];

	if (points->n == RX_POINTS)
		return;
	points->n++;
	clear(attr->nest, (char *)point);
	attr_parse(attr->nest, nla_data(nla), nla_len(nla), point);
}

/* Attributes that this version does not know are skipped. */
static void attr_parse(const struct rx_attr *attrs, const void *data, size_t len,
		       void *object)
{
	const struct rx_attr *attr;
	struct nlattr *nla;
	char *field;
	int rest;

	nla_for_each_attr(nla, (struct nlattr *)data, (int)len, rest) {
		attr = attr_by_nr(attrs, nla_type(nla));
		if (!attr || attr->off < 0)
			continue;
		field = (char *)object + attr->off;
		if (attr->type == A_NEST)
			attr_parse(attr->nest, nla_data(nla), nla_len(nla), field);
		else if (attr->type == A_BUCKETS || attr->type == A_NUMBERS)
			take_buckets(nla, field);
		else if (attr->type == A_POINT)
			take_point(attr, nla, (struct rx_points *)field);
		else if (attr->type == A_TEXT)
			snprintf(field, attr->len, "%.*s", nla_len(nla),
				 (char *)nla_data(nla));
		else
			*(uint64_t *)field = attr_number(nla);
	}
}

void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object)
{
	model_clear(family, object);
	attr_parse(rx_models[family].attrs, attrs, len, object);
	if (family == RX_CACHE)
		model_derive(object);
}
