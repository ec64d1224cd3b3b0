/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two families of the kernel: their requests and events, and the conversion of
 * attributes to objects and to text. model_gen.c has the tables.
 */
#ifndef RXADM_PROTOCOL_H
#define RXADM_PROTOCOL_H

#include "global.h"

struct nl_msg;
struct rx_attr;

/* A request of a family, or an event that it sends. */
struct rx_op {
	uint8_t cmd;
	const char *name;
	const char *event;	/* name of a notification */
};

struct rx_model {
	const char *name, *mcgrp;
	uint8_t version;
	const struct rx_attr *attrs;
	const struct rx_op *ops;
	size_t size;		/* of an object */
};
extern const struct rx_model rx_models[RX_FAMILIES];

const char *model_family(enum rx_family family);
const struct rx_op *model_op(enum rx_family family, const char *name);
const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd);
void model_clear(enum rx_family family, void *object);
void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object);
char *model_to_text(enum rx_family family, const void *attrs, size_t len);
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg);

#endif
