// SPDX-License-Identifier: GPL-2.0-only
/* rxstudy: rxsim, and what only research and tests ask for. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "mix.h"
#include "pages.h"

static const char help[] =
"rxstudy [OPTION...] TRACE...\n"
"Replays recorded block I/O as rxsim does, with more policies, and in more ways:\n"
"\n"
"      --mix                   the traces at the same time, through caches that share\n"
"                              one memory, have the best fixed parts of it, or have equal\n"
"                              parts\n"
"      --read-ahead            each cache without and with read-ahead: reads that wait, how\n"
"                              long, bytes from the origin, blocks read ahead in vain\n"
"      --disk NAME[,NAME]      the origin, for --read-ahead: seek, net, ssd, or a number N:\n"
"                              read-ahead arrives N requests later; default seek,net,ssd,4\n"
"      --think US              microseconds that the reader takes for a request, for\n"
"                              --read-ahead; default 10\n"
"      --shadow                what the cache's shadow estimates, and the error\n"
"      --time                  times of look-ups and evictions; needs no TRACE\n"
"\n"
"Its other options are those of rxsim:\n"
"\n";

static bool shadow, times, mix, ahead;

static void add_disk(const char *name)
{
	struct disk_model model;

	if (!disk_parse(&model, name, 1))
		ask_usage("no disk", name);
	if (ahead_ask.nr_disks == sizeof(ahead_ask.disks) / sizeof(ahead_ask.disks[0]))
		ask_usage("too many disks at", name);
	ahead_ask.disks[ahead_ask.nr_disks++] = strdup(name);
}

static uint64_t parse_think(const char *text)
{
	char *end;
	double us = strtod(text, &end);

	/* A disk that counts requests needs them to take time. */
	if (end == text || *end || !(us >= 0.001 && us <= 1e9))
		ask_usage("not a number of microseconds:", text);
	return us * 1000;
}

enum { OPT_TIME = ASK_OWN, OPT_SHADOW, OPT_MIX, OPT_AHEAD, OPT_DISK, OPT_THINK };

static const struct option options[] = {
	ASK_OPTIONS,
	{ "mix", no_argument, NULL, OPT_MIX },
	{ "read-ahead", no_argument, NULL, OPT_AHEAD },
	{ "disk", required_argument, NULL, OPT_DISK },
	{ "think", required_argument, NULL, OPT_THINK },
	{ "shadow", no_argument, NULL, OPT_SHADOW },
	{ "time", no_argument, NULL, OPT_TIME },
	{ .name = NULL }
};

static void parse(int argc, char **argv)
{
	unsigned int i;
	int c;

	while ((c = getopt_long(argc, argv, ASK_LETTERS, options, NULL)) >= 0) {
		switch (c) {
		case OPT_AHEAD: ahead = true; break;
		case OPT_DISK: ask_each(optarg, add_disk); break;
		case OPT_THINK: ahead_ask.think = parse_think(optarg); break;
		case OPT_MIX: mix = true; break;
		case OPT_TIME: times = true; break;
		case OPT_SHADOW: shadow = true; break;
		case 'h':
			fputs(help, stdout);
			ask_put_help();
			exit(report_end(0));
		default: ask_option(c, optarg);
		}
	}
	for (i = 0; !ahead_ask.nr_disks && disk_names[i]; i++)
		ahead_ask.disks[i] = disk_names[i];
	ahead_ask.nr_disks = ahead_ask.nr_disks ?: i;
	ask_defaults();
	if (ahead || shadow)
		ask.page = ahead ? report_ahead : report_shadows;
}

static void check_mix(int traces)
{
	if (!mix)
		return;
	if (traces < 2 || traces > MIX_MAX) {
		fprintf(stderr, "rxstudy: --mix takes 2 to %d traces; see: rxstudy --help\n",
			MIX_MAX);
		exit(1);
	}
	if (ask.stores || shadow || times) {
		fputs("rxstudy: --mix can't be used with --stores, --shadow or --time\n",
		      stderr);
		exit(1);
	}
}

static void check_ahead(void)
{
	if (!ahead || !(ask.stores || shadow || mix))
		return;
	fputs("rxstudy: --read-ahead can't be used with --stores, --shadow or --mix\n", stderr);
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
	if (optind == argc && !times) {
		fputs("rxstudy: no trace; see: rxstudy --help\n", stderr);
		return 1;
	}
	check_mix(argc - optind);
	check_ahead();
	if (ask.json)
		puts("{\"rxsim\":1,\"results\":[");
	if (times)
		good = report_times(&ask, optind < argc);
	if (mix)
		good = report_mix(&ask, argv + optind, argc - optind);
	for (i = optind; i < argc && good && !mix; i++)
		good = report_trace(&ask, argv[i], i + 1 < argc);
	if (ask.json)
		puts("]}");
	return report_end(good ? 0 : 2);
}
