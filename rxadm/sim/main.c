// SPDX-License-Identifier: GPL-2.0-only
/* rxsim. rxadm advise --trace has the simulator inside. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

const struct rxc_policy *const sim_policies[] = {
	&rxc_policy_rx, &rxc_policy_clock, NULL
};

static const char help[] =
"rxsim [OPTION...] TRACE...\n"
"Replays recorded block I/O through rxcache's own index and replacement policies,\n"
"and prints the share of the blocks read that the cache would have held, in percent.\n"
"A TRACE named NAME.rxt is RXT, any other the output of blkparse; NAME.xz is unpacked\n"
"with xz, and - is standard input.\n"
"\n";

static const struct option options[] = {
	ASK_OPTIONS,
	{ .name = NULL }
};

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, ASK_LETTERS, options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(help, stdout);
			ask_put_help();
			exit(report_end(0));
		}
		ask_option(c, optarg);
	}
	ask_defaults();
}

int main(int argc, char **argv)
{
	bool good = true;
	int i;

	setlocale(LC_ALL, "");
	/* Sizes, tables and JSON have a point, not a comma. */
	setlocale(LC_NUMERIC, "C");
	parse(argc, argv);
	if (optind == argc) {
		fputs("rxsim: no trace; see: rxsim --help\n", stderr);
		return 1;
	}
	if (ask.json)
		puts("{\"rxsim\":1,\"results\":[");
	for (i = optind; i < argc && good; i++)
		good = report_trace(&ask, argv[i], i + 1 < argc);
	if (ask.json)
		puts("]}");
	return report_end(good ? 0 : 2);
}
