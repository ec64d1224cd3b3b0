/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of disks and caches. */
#ifndef RXADM_NAME_H
#define RXADM_NAME_H

#include "global.h"

bool name_parse(const char *text, enum rx_family *family, char *name);
bool object_any(const char *verb, const char *text, enum rx_family *family,
		char *name);
bool object_is(const char *verb, const char *text, enum rx_family family,
	       char *name);

#endif
