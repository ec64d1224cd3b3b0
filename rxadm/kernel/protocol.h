/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two families of the kernel: their requests and events, and the conversion of
 * attributes to objects and to text. model_gen.c has the tables.
 */
#ifndef RXADM_PROTOCOL_H
#define RXADM_PROTOCOL_H

#include "base/global.h"

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

#endif
