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

/*
 * Tells what the words after the verb are about: a disk, which a size may stand for, or a
 * cache, which a path may stand for, the one of its origin.
 */
static bool family_of(int argc, char **argv, enum rx_family *family)
{
	char name[RX_NAME_LEN], why[256];
	uint64_t size;
	int i;

	for (i = 0; i < argc && *argv[i] != '-'; i++)
		if (name_parse(argv[i], family, name) && *family == RX_CACHE)
			return true;
	if (!argc || *argv[0] == '-')
		return false;
	if (name_parse(argv[0], family, name))
		return true;
	*family = size_parse(argv[0], false, &size, why, sizeof(why)) ? RX_DISK : RX_CACHE;
	return *family == RX_DISK || strpbrk(argv[0], "/=");
}

/* Returns the verb with the objects that WORDS name, or else with what its synopsis has. */
static char *command(const char *name, int argc, char **argv)
{
	const struct rx_verb *verb = verb_find(name);
	const char *more = strchr(verb->objects, ' ');
	enum rx_family family;
	char object[RX_NAME_LEN], *text;
	FILE *f;
	int i;

	if (!argc || !name_parse(argv[0], &family, object) ||
	    (strncmp(verb->objects, "rx", 2) && strncmp(verb->objects, "[rxdN|", 6)))
		return mem_text("rxadm %s%s%s", name, *verb->objects ? " " : "", verb->objects);
	f = mem_open(&text);
	fprintf(f, "rxadm %s %s%s", name, object, more ? more : "");
	for (i = 1; verb->max > 2 && i < argc && name_parse(argv[i], &family, object); i++)
		fprintf(f, " %s", object);
	mem_close(f);
	return text;
}

static int say_synonym(const struct synonym *s, int argc, char **argv)
{
	char *disk = command(s->disk, argc, argv), *cache = command(s->cache, argc, argv);
	enum rx_family family = RX_DISK;
	int ret;

	if (!strcmp(s->disk, s->cache) || family_of(argc, argv, &family))
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
		if (!verb->hidden)
			names[n++] = verb->name;
	near = nearest(argv[0], names, n);
	if (near)
		return usage_error("no verb '%s'; did you mean '%s'? (rxadm help)", argv[0], near);
	return usage_error("no verb '%s'; see: rxadm help", argv[0]);
}
