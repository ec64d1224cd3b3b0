// SPDX-License-Identifier: GPL-2.0-only
/* rxsim: the options. rxadm advise --trace uses them, and reads the JSON. */
#define _GNU_SOURCE
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "mix.h"
#include "report.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static const char help[] =
"rxsim [OPTION...] TRACE...\n"
"Replays recorded block I/O through rxcache's own index and replacement policies,\n"
"and prints the share of the blocks read that the cache would have held, in percent.\n"
"A TRACE named NAME.rxt is RXT, any other the output of blkparse; NAME.xz is unpacked\n"
"with xz, and - is standard input.\n"
"\n"
"  -s, --size SIZE[,SIZE]      of the cache: 64M, 4096 (blocks of 4 KiB), or 10% (of the\n"
"                              distinct blocks of the trace); default 1%,5%,10%,20%,40%\n"
"  -p, --policy NAME[,NAME]    default all:";
static const char more_help[] = "\n"
"  -m, --mode NAME[,NAME]      what a write does: allocate, update (as with\n"
"                              --no-write-allocate), invalidate; default all\n"
"      --mix                   the traces at the same time, through caches that share\n"
"                              one memory, have the best fixed parts of it, or have equal\n"
"                              parts\n"
"      --read-ahead            each cache without and with read-ahead: reads that wait, how\n"
"                              long, bytes from the origin, blocks read ahead in vain\n"
"      --disk NAME[,NAME]      the origin, for --read-ahead: seek, net, ssd, or a number N:\n"
"                              read-ahead arrives N requests later; default seek,net,ssd,4\n"
"      --think US              microseconds that the reader takes for a request, for\n"
"                              --read-ahead; default 10\n"
"      --memory SIZE           refuse a trace that takes more memory\n"
"      --stores                also the share of the hits that changed the policy's state\n"
"      --shadow                what the cache's shadow estimates, and the error\n"
"      --time                  times of look-ups and evictions; needs no TRACE\n"
"  -j, --json                  one JSON object\n"
"  -h, --help                  this text\n"
"\n"
"Exit: 0 done, 1 usage, 2 a trace can't be read or memory is short.\n";

static struct sim_ask ask = { .memory = UINT64_MAX, .think = 10000 };

static void usage(const char *what, const char *arg)
{
	fprintf(stderr, "rxsim: %s '%s'; see: rxsim --help\n", what, arg);
	exit(1);
}

static struct sim_size parse_size(const char *text)
{
	static const char units[] = "KMGT";
	struct sim_size size = { .percent = 0 };
	char *end;
	double number = strtod(text, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;
	bool good = end > text && number > 0 && (!*end || !end[1]);

	if (unit)
		number *= 1ULL << 10 * (unit - units + 1);
	else if (*end == '%')
		size.percent = number;
	else if (!*end)
		number *= TRACE_BLOCK;
	else
		good = false;
	if (!good || number > 0x1p63 || size.percent > 1e6)
		usage("not a size:", text);
	size.bytes = number;
	snprintf(size.text, sizeof(size.text), "%s", text);
	return size;
}

static void add_size(const char *text)
{
	if (ask.nr_sizes == ARRAY_SIZE(ask.sizes))
		usage("too many sizes at", text);
	ask.sizes[ask.nr_sizes++] = parse_size(text);
}

static void add_policy(const char *name)
{
	unsigned int i;

	for (i = 0; sim_policies[i]; i++)
		if (!strcmp(sim_policies[i]->name, name))
			break;
	if (!sim_policies[i] || ask.nr_policies == ARRAY_SIZE(ask.policies))
		usage("no policy", name);
	ask.policies[ask.nr_policies++] = sim_policies[i];
}

static void add_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < SIM_MODES; i++)
		if (!strcmp(sim_mode_names[i], name))
			break;
	if (i == SIM_MODES)
		usage("no mode", name);
	ask.modes[i] = true;
}

static void add_disk(const char *name)
{
	struct disk_model model;

	if (!disk_parse(&model, name, 1))
		usage("no disk", name);
	if (ask.nr_disks == ARRAY_SIZE(ask.disks))
		usage("too many disks at", name);
	ask.disks[ask.nr_disks++] = strdup(name);
}

static uint64_t parse_think(const char *text)
{
	char *end;
	double us = strtod(text, &end);

	/* A disk that counts requests needs them to take time. */
	if (end == text || *end || !(us >= 0.001 && us <= 1e9))
		usage("not a number of microseconds:", text);
	return us * 1000;
}

static void each(const char *list, void (*add)(const char *word))
{
	char *copy = strdup(list), *word, *rest = copy;

	while ((word = strsep(&rest, ",")))
		add(word);
	free(copy);
}

static void put_help(void)
{
	unsigned int i;

	fputs(help, stdout);
	for (i = 0; sim_policies[i]; i++)
		printf("%s %s", i ? "," : "", sim_policies[i]->name);
	fputs(more_help, stdout);
}

static uint64_t parse_memory(const char *text)
{
	struct sim_size size = parse_size(text);

	if (size.percent > 0)
		usage("not a size:", text);
	return size.bytes;
}

enum {
	OPT_STORES = 256, OPT_TIME, OPT_SHADOW, OPT_MEMORY, OPT_MIX, OPT_AHEAD, OPT_DISK,
	OPT_THINK,
};

static const struct option options[] = {
	{ "size", required_argument, NULL, 's' },
	{ "policy", required_argument, NULL, 'p' },
	{ "mode", required_argument, NULL, 'm' },
	{ "mix", no_argument, NULL, OPT_MIX },
	{ "read-ahead", no_argument, NULL, OPT_AHEAD },
	{ "disk", required_argument, NULL, OPT_DISK },
	{ "think", required_argument, NULL, OPT_THINK },
	{ "memory", required_argument, NULL, OPT_MEMORY },
	{ "stores", no_argument, NULL, OPT_STORES },
	{ "time", no_argument, NULL, OPT_TIME },
	{ "shadow", no_argument, NULL, OPT_SHADOW },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ .name = NULL }
};

static void parse(int argc, char **argv)
{
	const struct rxc_policy *const *policy;
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, "s:p:m:jh", options, NULL)) >= 0) {
		switch (c) {
		case 's': each(optarg, add_size); break;
		case 'p': each(optarg, add_policy); break;
		case 'm': each(optarg, add_mode); break;
		case 'j': ask.json = true; break;
		case OPT_MEMORY: ask.memory = parse_memory(optarg); break;
		case OPT_AHEAD: ask.ahead = true; break;
		case OPT_DISK: each(optarg, add_disk); break;
		case OPT_THINK: ask.think = parse_think(optarg); break;
		case OPT_MIX: ask.mix = true; break;
		case OPT_STORES: ask.stores = true; break;
		case OPT_TIME: ask.times = true; break;
		case OPT_SHADOW: ask.shadow = true; break;
		case 'h': put_help(); exit(0);
		default: fputs("Try 'rxsim --help'\n", stderr); exit(1);
		}
	}
	if (!ask.nr_sizes)
		each("1%,5%,10%,20%,40%", add_size);
	for (i = 0; !ask.nr_disks && disk_names[i]; i++)
		ask.disks[i] = disk_names[i];
	ask.nr_disks = ask.nr_disks ?: i;
	if (!ask.nr_policies)
		for (policy = sim_policies; *policy; policy++)
			ask.policies[ask.nr_policies++] = *policy;
	if (!ask.modes[SIM_ALLOCATE] && !ask.modes[SIM_UPDATE] &&
	    !ask.modes[SIM_INVALIDATE])
		each("allocate,update,invalidate", add_mode);
}

static void check_mix(int traces)
{
	if (!ask.mix)
		return;
	if (traces < 2 || traces > MIX_MAX) {
		fprintf(stderr, "rxsim: --mix takes 2 to %d traces; see: rxsim --help\n",
			MIX_MAX);
		exit(1);
	}
	if (ask.stores || ask.shadow || ask.times) {
		fputs("rxsim: --mix can't be used with --stores, --shadow or --time\n",
		      stderr);
		exit(1);
	}
}

static void check_ahead(void)
{
	if (!ask.ahead || !(ask.stores || ask.shadow || ask.mix))
		return;
	fputs("rxsim: --read-ahead can't be used with --stores, --shadow or --mix\n", stderr);
	exit(1);
}

int main(int argc, char **argv)
{
	bool good = true;
	int i;

	setlocale(LC_ALL, "");
	/* Sizes, tables and JSON have a point, not a comma. */
	setlocale(LC_NUMERIC, "C");
	parse(argc, argv);
	if (optind == argc && !ask.times) {
		fputs("rxsim: no trace; see: rxsim --help\n", stderr);
		return 1;
	}
	check_mix(argc - optind);
	check_ahead();
	if (ask.json)
		puts("{\"rxsim\":1,\"results\":[");
	if (ask.times)
		good = report_times(&ask, optind < argc);
	if (ask.mix)
		good = report_mix(&ask, argv + optind, argc - optind);
	for (i = optind; i < argc && good && !ask.mix; i++)
		good = report_trace(&ask, argv[i], i + 1 < argc);
	if (ask.json)
		puts("]}");
	return good ? 0 : 2;
}
