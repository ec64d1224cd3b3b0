/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of the protocol. model_gen.c has them, and only model.c, request.c,
 * run/dryrun.c and the recordings of tests read them.
 */
#ifndef RXADM_MODEL_H
#define RXADM_MODEL_H

#include "kernel/object.h"
#include "kernel/protocol.h"

struct nlattr;

enum attr_type { A_TEXT, A_U8, A_U32, A_U64, A_FLAG, A_NEST, A_BUCKETS, A_NUMBERS,
		 A_POINT };

struct rx_attr {
	uint16_t nr;
	enum attr_type type;
	const char *name;		/* as in the spec */
	int off;			/* of its field in the object, of a nest of its
					 * struct; -1: request only */
	size_t len;			/* of a text */
	const char *const *names;	/* of an enum's values, NULL at the end */
	const struct rx_attr *nest;
};

extern const struct rx_attr rxdsk_attrs[], rxcache_attrs[];
extern const struct rx_op rxdsk_ops[], rxcache_ops[];

const struct rx_attr *attr_by_name(const struct rx_attr *attrs,
				   const char *name, size_t len);
const struct rx_attr *attr_by_nr(const struct rx_attr *attrs, int nr);
uint64_t attr_number(const struct nlattr *nla);
extern const struct rx_model rx_models[RX_FAMILIES];
const char *model_family(enum rx_family family);
const struct rx_op *model_op(enum rx_family family, const char *name);
const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd);
void model_clear(enum rx_family family, void *object);
void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object);

#endif
