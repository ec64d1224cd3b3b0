/* SPDX-License-Identifier: GPL-2.0-only */
/* The attribute tables, for model.c, points.c and attrtext.c alone. */
#ifndef RXADM_MODEL_H
#define RXADM_MODEL_H

#include "object.h"
#include "protocol.h"

enum attr_type { A_TEXT, A_U8, A_U32, A_U64, A_FLAG, A_NEST, A_BUCKETS,
		 A_POINT };

struct rx_attr {
	uint16_t nr;
	enum attr_type type;
	const char *name;		/* as in the spec */
	int off;			/* in the object, of a nest what its rows'
					 * are counted from; -1: request only */
	size_t len;			/* of a text */
	const char *const *names;	/* of an enum's values, NULL at the end */
	const struct rx_attr *nest;
};

#define TEXT(nr, name, obj, field) \
	{ nr, A_TEXT, name, offsetof(struct obj, field), \
	  sizeof(((struct obj *)0)->field), NULL, NULL }
#define NUM(nr, type, name, obj, field) \
	{ nr, type, name, offsetof(struct obj, field), 0, NULL, NULL }
#define ENUM(nr, type, name, obj, field, names) \
	{ nr, type, name, offsetof(struct obj, field), 0, names, NULL }
#define NEST(nr, name, obj, field, attrs) \
	{ nr, A_NEST, name, offsetof(struct obj, field), 0, NULL, attrs }
#define FLAG(nr, name)	{ nr, A_FLAG, name, -1, 0, NULL, NULL }

const struct rx_attr *model_attrs(enum rx_family family);
const struct rx_attr *attr_by_name(const struct rx_attr *attrs,
				   const char *name, size_t len);
const struct rx_attr *attr_by_nr(const struct rx_attr *attrs, int nr);
uint64_t attr_number(const struct nlattr *nla);
int attr_put_number(struct nl_msg *msg, const struct rx_attr *attr,
		    uint64_t value);

/* points.c APIs: */
extern const struct rx_attr shadow_attrs[];
void points_clear(void *points);
void points_take(const struct nlattr *nla, void *points);
void point_write(FILE *f, const struct nlattr *nla);
int point_put(struct nl_msg *msg, int nr, const char *text);

#endif
