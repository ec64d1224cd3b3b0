/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of disks and caches. */
#ifndef RXADM_NAME_H
#define RXADM_NAME_H

#include "base/global.h"

/* "disk" and "rxd", "cache" and "rxc". */
extern const char *const family_nouns[RX_FAMILIES];
extern const char *const family_prefixes[RX_FAMILIES];

/* The words of a command line that name disks and caches; N is 0 for all of them. */
struct rx_objects {
	const char *verb;	/* for messages */
	const char *const *v;
	size_t n;
};

/* Tells whether one of the objects is the disk or cache NAME. */
bool objects_have(const struct rx_objects *objects, const char *name);
bool name_parse(const char *text, enum rx_family *family, char *name);
bool name_is(const char *text, enum rx_family family);
bool name_whole(const char *device, enum rx_family *family, char *name);
bool name_is_new(const char *text, enum rx_family family);
bool object_any(const char *verb, const char *text, enum rx_family *family,
		char *name);
bool object_is(const char *verb, const char *text, enum rx_family family,
	       char *name);

#endif
