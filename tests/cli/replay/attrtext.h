/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_KERNEL_ATTRTEXT_H
#define RXADM_KERNEL_ATTRTEXT_H

#include "base/global.h"

struct nl_msg;
struct rx_req;

char *model_to_text(enum rx_family family, const void *attrs, size_t len);
int model_from_text(enum rx_family family, const char *text,
		    struct nl_msg *msg);
char *req_to_text(const struct rx_req *req);

#endif
