// SPDX-License-Identifier: GPL-2.0-only
/* Says which verb is meant by a word that is none. */
#include <stdlib.h>
#include <string.h>

#include "args/args.h"
#include "args/synonyms.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/say.h"
#include "base/units.h"
#include "kernel/name.h"

/* Words that other tools have for what rxadm does to a disk and to a cache. */
static const struct synonym {
	const char *word, *disk, *cache;
} synonyms[] = {
	{ "create", "attach", "map" }, { "add", "attach", "map" },
	{ "new", "attach", "map" }, { "make", "attach", "map" },
	{ "remove", "detach", "unmap" }, { "rm", "detach", "unmap" },
	{ "del", "detach", "unmap" }, { "delete", "detach", "unmap" },
	{ "destroy", "detach", "unmap" }, { "disconnect", "detach", "unmap" },
	{ "show", "list", "list" }, { "ls", "list", "list" },
	{ "status", "list", "list" }, { "info", "stat", "stat" },
	{ "stats", "stat", "stat" }, { "get", "list", "list" },
	{ "grow", "resize", "set" }, { "extend", "resize", "set" },
	{ "shrink", "resize", "set" }, { "size", "resize", "set" },
	{ "change", "set", "set" }, { "modify", "set", "set" },
	{ "tune", "set", "set" }, { "freeze", "set", "set" },
	{ "flush", "erase", "drop" }, { "clear", "erase", "drop" },
	{ "wipe", "erase", "drop" }, { "purge", "erase", "drop" },
	{ "invalidate", "erase", "drop" }, { "zero", "erase", "drop" },
	{ "backup", "save", "save-list" }, { "dump", "save", "save-list" },
	{ "archive", "save", "save-list" }, { "load", "restore", "load-list" },
	{ "warm", "restore", "load-list" }, { "check", "check-tab", "verify" },
	{ "scrub", "verify", "verify" }, { "benchmark", "bench", "bench" },
	{ "test", "bench", "bench" }, { "watch", "top", "top" },
	{ "events", "monitor", "monitor" }, { "log", "monitor", "monitor" },
	{ "start", "up", "up" }, { "stop", "down", "down" },
	{ "share", "export", "export" }, { "unshare", "unexport", "unexport" },
};

/* What the word says, and the verb set has as an option; NULL for another verb. */
static const char *option_of(const struct synonym *s, const char *verb)
{
	if (strcmp(verb, "set"))
		return NULL;
	return !strcmp(s->disk, "resize") ? "--size SIZE" :
	       !strcmp(s->word, "freeze") ? "--frozen yes" : NULL;
}

/*
 * Tells what the words after the verb are about: a disk, which a size may stand for, or a
 * cache, which a path may stand for, the one of its origin.
 */
static bool family_of(const struct synonym *s, int argc, char **argv, enum rx_family *family)
{
	char name[RX_NAME_LEN], why[256];
	bool known = false, makes = !strcmp(s->cache, "map");
	enum rx_family is;
	uint64_t size;
	int i;

	for (i = 0; i < argc && *argv[i] != '-'; i++) {
		if (name_parse(argv[i], &is, name))
			makes |= is == RX_CACHE;
		else if (!i && size_parse(argv[i], false, &size, why, sizeof(why)))
			is = RX_DISK;
		else if ((!i || makes) && strpbrk(argv[i], "/="))
			is = RX_CACHE;
		else
			continue;
		if (!known || is == RX_CACHE)
			*family = is;
		known = true;
	}
	return known;
}

/* Returns the verb with what WORDS name of its kind, or else with what its synopsis has. */
static char *command(const struct synonym *s, const char *name, int argc, char **argv)
{
	const struct rx_verb *verb = verb_find(name);
	const char *option = option_of(s, name);
	const char *more = strchr(verb->objects, ' ');
	bool any = (strstr(verb->objects, "rxd") && strstr(verb->objects, "rxc")) ||
		   !strncmp(verb->objects, "[NAME", 5);
	bool known = false;
	enum rx_family family;
	char object[RX_NAME_LEN], why[256], *text;
	uint64_t size;
	FILE *f = mem_open(&text);
	int i;

	fprintf(f, "rxadm %s", name);
	for (i = 0; i < argc && *argv[i] != '-' && !(known && verb->max <= 2); i++) {
		if (name_parse(argv[i], &family, object)) {
			if (!any && strncmp(verb->objects, object, 3))
				continue;
		} else if (!i && !strcmp(verb->objects, "SIZE") && strlen(argv[i]) < sizeof(object) &&
			   size_parse(argv[i], false, &size, why, sizeof(why))) {
			strcpy(object, argv[i]);
		} else {
			continue;
		}
		fprintf(f, " %s", object);
		known = true;
	}
	if (!known && *verb->objects)
		fprintf(f, " %s", verb->objects);
	else if (known && more && !option)
		fputs(more, f);
	if (option)
		fprintf(f, " %s", option);
	mem_close(f);
	return text;
}

static int say_synonym(const struct synonym *s, int argc, char **argv)
{
	char *disk = command(s, s->disk, argc, argv), *cache = command(s, s->cache, argc, argv);
	enum rx_family family = RX_DISK;
	int ret;

	if (!strcmp(s->disk, s->cache) || family_of(s, argc, argv, &family))
		ret = usage_error("no verb '%s'; say: %s", s->word,
				  family == RX_DISK ? disk : cache);
	else
		ret = usage_error("no verb '%s'; say: %s, or of a cache: %s", s->word, disk, cache);
	free(disk);
	free(cache);
	return ret;
}

/* ARGV begins with the word. */
int no_verb(int argc, char **argv)
{
	const char *names[64], *near;
	const struct rx_verb *verb;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(synonyms); i++)
		if (!strcmp(synonyms[i].word, argv[0]))
			return say_synonym(&synonyms[i], argc - 1, argv + 1);
	for (verb = rx_verbs; verb->name && n < ARRAY_SIZE(names); verb++)
		if (verb->shows != HIDDEN)
			names[n++] = verb->name;
	near = nearest(argv[0], names, n);
	if (near)
		return usage_error("no verb '%s'; did you mean '%s'? (rxadm help)", argv[0], near);
	return usage_error("no verb '%s'; see: rxadm help", argv[0]);
}
