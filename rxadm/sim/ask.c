// SPDX-License-Identifier: GPL-2.0-only
/* The options that rxsim and the tests' simulator have in common. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "report.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

struct sim_ask ask = { .memory = UINT64_MAX, .page = report_sizes };

void ask_usage(const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s '%s'; see: %s --help\n", program_invocation_short_name,
		what, shown(arg), program_invocation_short_name);
	exit(1);
}

static struct sim_size parse_size(const char *text)
{
	static const char units[] = "KMGT";
	struct sim_size size = { .percent = 0 };
	char *end;
	double number = strtod(text, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;
	bool good = strspn(text, ".0123456789") && number > 0 && (!*end || !end[1]);

	if (unit)
		number *= 1ULL << 10 * (unit - units + 1);
	else if (*end == '%')
		size.percent = number;
	else if (!*end)
		number *= TRACE_BLOCK;
	else
		good = false;
	if (!good || number > 0x1p63 || size.percent > 1e6)
		ask_usage("not a size:", text);
	size.bytes = number;
	snprintf(size.text, sizeof(size.text), "%s", text);
	return size;
}

static void add_size(const char *text)
{
	if (ask.nr_sizes == ARRAY_SIZE(ask.sizes))
		ask_usage("too many sizes at", text);
	ask.sizes[ask.nr_sizes++] = parse_size(text);
}

static void add_policy(const char *name)
{
	unsigned int i;

	for (i = 0; sim_policies[i]; i++)
		if (!strcmp(sim_policies[i]->name, name))
			break;
	if (!sim_policies[i] || ask.nr_policies == ARRAY_SIZE(ask.policies))
		ask_usage("no policy", name);
	ask.policies[ask.nr_policies++] = sim_policies[i];
}

static void add_mode(const char *name)
{
	unsigned int i;

	for (i = 0; i < SIM_MODES; i++)
		if (!strcmp(sim_mode_names[i], name))
			break;
	if (i == SIM_MODES)
		ask_usage("no mode", name);
	ask.modes[i] = true;
}

static uint64_t parse_memory(const char *text)
{
	struct sim_size size = parse_size(text);

	if (size.percent > 0)
		ask_usage("not a size:", text);
	return size.bytes;
}

void ask_each(const char *list, void (*add)(const char *word))
{
	char *copy = strdup(list), *word, *rest = copy;

	while ((word = strsep(&rest, ",")))
		add(word);
	free(copy);
}

void ask_option(int c, const char *arg)
{
	switch (c) {
	case 's': ask_each(arg, add_size); break;
	case 'p': ask_each(arg, add_policy); break;
	case 'm': ask_each(arg, add_mode); break;
	case 'j': ask.json = true; break;
	case ASK_MEMORY: ask.memory = parse_memory(arg); break;
	case ASK_STORES: ask.stores = true; break;
	default:
		fprintf(stderr, "Try '%s --help'\n", program_invocation_short_name);
		exit(1);
	}
}

void ask_defaults(void)
{
	const struct rxc_policy *const *policy;

	if (!ask.nr_sizes)
		ask_each("1%,5%,10%,20%,40%", add_size);
	if (!ask.nr_policies)
		for (policy = sim_policies; *policy; policy++)
			ask.policies[ask.nr_policies++] = *policy;
	if (!ask.modes[SIM_ALLOCATE] && !ask.modes[SIM_UPDATE] &&
	    !ask.modes[SIM_INVALIDATE])
		ask_each("allocate,update,invalidate", add_mode);
}

void ask_put_help(void)
{
	unsigned int i;

	fputs("  -s, --size SIZE[,SIZE]      of the cache: 64M, 4096 (blocks of 4 KiB), or 10% (of the\n"
	      "                              distinct blocks of the trace); default 1%,5%,10%,20%,40%\n"
	      "  -p, --policy NAME[,NAME]    default all:", stdout);
	for (i = 0; sim_policies[i]; i++)
		printf("%s %s", i ? "," : "", sim_policies[i]->name);
	fputs("\n"
	      "  -m, --mode NAME[,NAME]      what a write does: allocate, update (as with\n"
	      "                              --no-write-allocate), invalidate; default all\n"
	      "      --memory SIZE           refuse a trace that takes more memory\n"
	      "      --stores                also the share of the hits that changed the policy's state\n"
	      "  -j, --json                  one JSON object\n"
	      "  -h, --help                  this text\n"
	      "\n"
	      "Exit: 0 done, 1 usage, 2 a trace can't be read or memory is short, 5 lost output.\n", stdout);
}
