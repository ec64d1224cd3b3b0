// SPDX-License-Identifier: GPL-2.0-only
/* Names of disks and caches, as users write them. */
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/say.h"
#include "kernel/name.h"

const char *const family_nouns[] = { "disk", "cache" };
const char *const family_prefixes[] = { "rxd", "rxc" };

/*
 * Reads rxd0, /dev/rxd0 or a link to it, and stores the bare name in NAME. Returns false
 * for other text.
 */
bool name_parse(const char *text, enum rx_family *family, char *name)
{
	char *real = *text == '/' ? realpath(text, NULL) : NULL;
	const char *p = real ? real : text;
	bool ok;

	/* A link that is not there, or a file in /dev/shm, names nothing, whatever its last word. */
	if (!strncmp(p, "/dev/", 5))
		p += 5;
	ok = strlen(p) > 3 && strlen(p) < 11 &&
	     (!strncmp(p, "rxd", 3) || !strncmp(p, "rxc", 3)) &&
	     !p[3 + strspn(p + 3, "0123456789")];
	if (ok) {
		*family = p[2] == 'd' ? RX_DISK : RX_CACHE;
		snprintf(name, RX_NAME_LEN, "%s", p);
	}
	free(real);
	return ok;
}

/* Tells whether TEXT, which may be NULL, names an object of FAMILY, and no partition of one. */
bool name_is(const char *text, enum rx_family family)
{
	char name[RX_NAME_LEN];
	enum rx_family is;

	return text && name_parse(text, &is, name) && is == family;
}

/*
 * Reads the kernel's name of a disk or cache, or of a partition of one, and stores the name
 * of the whole device in NAME.
 */
bool name_whole(const char *device, enum rx_family *family, char *name)
{
	const char *part = strchr(device, 'p');
	char whole[RX_NAME_LEN];

	if (part && (!part[1] || part[1 + strspn(part + 1, "0123456789")]))
		return false;
	snprintf(whole, sizeof(whole), "%.*s", (int)strcspn(device, "p"), device);
	return *device != '/' && name_parse(whole, family, name);
}

/*
 * Tells whether TEXT is a name that the kernel gives to a new object: a prefix and a
 * number as it writes them.
 */
bool name_is_new(const char *text, enum rx_family family)
{
	static const unsigned long most[] = { RXDSK_NUMBER_MAX, RXCACHE_NUMBER_MAX };
	const char *prefix = family_prefixes[family];
	unsigned long number;
	char same[RX_NAME_LEN];

	if (strncmp(text, prefix, strlen(prefix)))
		return false;
	number = strtoul(text + strlen(prefix), NULL, 10);
	snprintf(same, sizeof(same), "%s%lu", prefix, number);
	return number <= most[family] && !strcmp(text, same);
}

/* Reads the name of a disk or a cache, or prints a usage error. */
bool object_any(const char *verb, const char *text, enum rx_family *family,
		char *name)
{
	if (name_parse(text, family, name))
		return true;
	usage_error("%s: '%s' is no disk or cache; say rxd0 or rxc0", verb,
		    text);
	return false;
}

/* What the verb of one family is called in the other one. */
static const struct {
	const char *verb, *other, *tail;
} others[] = {
	{ "detach", "unmap", "" }, { "unmap", "detach", "" },
	{ "erase", "drop", "" }, { "drop", "erase", "" },
	{ "save", "save-list", "" }, { "save-list", "save", " FILE" },
	{ "resize", "set", " --size SIZE" },
};

/*
 * Reads the name of an object of the right kind, or prints a usage error that says what
 * it is.
 */
bool object_is(const char *verb, const char *text, enum rx_family family,
	       char *name)
{
	const char *noun = family_nouns[family];
	enum rx_family is;
	size_t i = 0;

	while (i < ARRAY_SIZE(others) && strcmp(others[i].verb, verb))
		i++;
	if (!name_parse(text, &is, name))
		usage_error("%s: '%s' is no %s; say for example %s0", verb,
			    text, noun, family_prefixes[family]);
	else if (is == family)
		return true;
	else if (i < ARRAY_SIZE(others))
		usage_error("%s %s: is a %s, not a %s; say: rxadm %s %s%s", verb, name,
			    family_nouns[is], noun, others[i].other, name, others[i].tail);
	else
		usage_error("%s %s: is a %s, not a %s", verb, name,
			    family_nouns[is], noun);
	return false;
}

bool objects_have(const struct rx_objects *objects, const char *name)
{
	enum rx_family family;
	char object[RX_NAME_LEN];
	size_t i;

	for (i = 0; i < objects->n; i++)
		if (name_parse(objects->v[i], &family, object) && !strcmp(object, name))
			return true;
	return false;
}
