/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two families of the kernel: their requests, their events, and attributes
 * to objects and to text. model.c and attrtext.c have the tables.
 */
#ifndef RXADM_PROTOCOL_H
#define RXADM_PROTOCOL_H

#include "global.h"

struct nl_msg;
struct rx_op;

const char *model_family(enum rx_family family);
uint8_t model_family_version(enum rx_family family);
const char *model_mcgrp(enum rx_family family);
uint8_t model_cmd(const struct rx_op *op);
const struct rx_op *model_op(enum rx_family family, const char *name);
const struct rx_op *model_op_by_cmd(enum rx_family family, uint8_t cmd);
const char *model_op_name(const struct rx_op *op);
const char *model_event(const struct rx_op *op);
void model_clear(enum rx_family family, void *object);
void model_parse(enum rx_family family, const void *attrs, size_t len,
		 void *object);
char *model_to_text(enum rx_family family, const void *attrs, size_t len);
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg);

#endif
