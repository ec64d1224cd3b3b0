// SPDX-License-Identifier: GPL-2.0-only
/* Options, objects, names and hints. */
#include "base/global.h"
#include "base/nearest.h"
#include "kernel/name.h"
#include "rx_test.h"
#include "args/args.h"

static struct rx_args args;

/* Words are separated by spaces; '' is an empty one. */
static int parse(const char *verb, const char *line)
{
	static char text[512];
	static char *argv[32];
	int argc = 0;
	char *word, *rest = text;

	snprintf(text, sizeof(text), "%s", line);
	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = strcmp(word, "''") ? word : "";
	free(args.objects);
	memset(&args, 0, sizeof(args));
	memset(&rx, 0, sizeof(rx));
	args.verb = verb_find(verb);
	return args_parse(argc, argv, -1, &args);
}

static const struct {
	const char *verb, *line;
	int ret;
} lines[] = {
	{ "attach", "1G", RX_OK }, { "attach", "", RX_USAGE },
	{ "attach", "1G 2G", RX_USAGE }, { "attach", "--block 4K 1G", RX_OK },
	{ "attach", "1G --block 512", RX_OK },
	{ "attach", "1G --block", RX_USAGE },
	{ "attach", "1G --queues 0", RX_USAGE },
	{ "attach", "1G --queues 2x", RX_USAGE },
	{ "attach", "1G --queues -2", RX_USAGE },
	{ "attach", "1G --queues 99999999999999999999", RX_USAGE },
	{ "attach", "1G --prealloc=1", RX_USAGE },
	{ "attach", "1G --prealloc --prealloc", RX_USAGE },
	{ "attach", "1G --pre", RX_USAGE }, { "attach", "1G --read-only", RX_USAGE }, { "attach", "1G -x", RX_USAGE },
	{ "attach", "1G --name=rxd7", RX_OK }, { "attach", "-- 1G", RX_OK },
	{ "attach", "-- 1G -j", RX_USAGE }, { "attach", "-h", RX_OK },
	{ "map", "--size 1G sda --erase", RX_USAGE },
	{ "map", "--size 1024 sda", RX_USAGE },
	{ "map", "sda --mode through", RX_OK },
	{ "map", "sda --mode th", RX_USAGE },
	{ "map", "sda --mode |", RX_USAGE },
	{ "map", "sda --mode ''", RX_USAGE },
	{ "map", "sda -s1G -w 5", RX_OK }, { "map", "sda -w -5", RX_USAGE },
	{ "map", "a b c", RX_USAGE },
	{ "list", "--disks --caches", RX_USAGE }, { "list", "-jb", RX_OK },
	{ "list", "-bjoNAME", RX_OK }, { "list", "-o", RX_USAGE },
	{ "stat", "--count 3", RX_USAGE },
	{ "stat", "--count 3 --interval 1s", RX_OK },
	{ "stat", "--interval 1", RX_OK }, { "stat", "--interval 1x", RX_USAGE },
};

static const struct {
	const char *text, *name;	/* NULL: no disk or cache */
} names[] = {
	{ "rxd0", "rxd0" }, { "/dev/rxd12", "rxd12" }, { "rxc3", "rxc3" },
	{ "rxd", NULL }, { "rxd0p1", NULL }, { "rxd-1", NULL },
	{ "/tmp/rxd0", NULL }, { "sda", NULL }, { "", NULL },
	{ "/dev/disk/by-label/rxd0", NULL }, { "/dev/", NULL },
	{ "rxd99999999", NULL }, { "rxe0", NULL }, { "rxd0 ", NULL },
};

/* What the kernel calls a device, and the disk or cache that it is or is a part of. */
static const struct {
	const char *text, *name;
} devices[] = {
	{ "rxd0", "rxd0" }, { "rxc12p3", "rxc12" }, { "rxd01p10", "rxd01" }, { "rxd0p", NULL },
	{ "rxd0p1p2", NULL }, { "rxd0 p1", NULL }, { "rxcopy", NULL }, { "rxvg/sp1", NULL },
	{ "sdb1", NULL }, { "", NULL }, { "/dev/rxd0p1", NULL },
};

int main(void)
{
	static const char *const verbs[] = { "attach", "detach", "map" };
	enum rx_family family;
	char name[RX_NAME_LEN];
	size_t i;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(lines); i++)
		check(parse(lines[i].verb, lines[i].line) == lines[i].ret,
		      "%s %s: %s", lines[i].verb, lines[i].line,
		      lines[i].ret ? "refused" : "good");
	parse("attach", "--json 1G --block=4K --queues 3 -q");
	check(rx.json && rx.quiet && !rx.bytes, "globals stand anywhere");
	check(args_num(&args, "block", 0) == 4096 &&
	      args_num(&args, "queues", 0) == 3 &&
	      args_num(&args, "name", 7) == 7, "values");
	check(args.n_objects == 1 && !strcmp(args.objects[0], "1G"),
	      "objects keep their order between options");
	parse("list", "-p");
	check(rx.json && rx.pretty, "pretty means json");
	free(args.objects);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		ok = name_parse(names[i].text, &family, name);
		check(names[i].name ? ok && !strcmp(name, names[i].name) : !ok,
		      "name '%s'", names[i].text);
	}
	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		ok = name_whole(devices[i].text, &family, name);
		check(devices[i].name ? ok && !strcmp(name, devices[i].name) : !ok,
		      "device '%s'", devices[i].text);
	}
	check(name_is("rxc7", RX_CACHE) && !name_is("rxc7", RX_DISK) &&
	      !name_is("rxc7p1", RX_CACHE) && !name_is("rxcopy", RX_CACHE) && !name_is(NULL, RX_CACHE),
	      "a cache is no disk, no partition, and nothing that begins like one");
	check_str(nearest("atach", verbs, ARRAY_SIZE(verbs)), "attach", "a letter missing");
	check_str(nearest("detahc", verbs, ARRAY_SIZE(verbs)), "detach", "two letters swapped");
	check_str(nearest("mpa", verbs, ARRAY_SIZE(verbs)) ? "some" : "none", "none",
		  "no guess for short words that differ much");
	check(!nearest("frobnicate", verbs, ARRAY_SIZE(verbs)), "no guess for another word");
	check(!nearest("a-word-that-is-longer-than-any-option-of-any-verb",
		       verbs, ARRAY_SIZE(verbs)), "nor for a very long one");
	return done();
}
