// SPDX-License-Identifier: GPL-2.0-only
/* Values of options, on a command line and in the table. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/global.h"
#include "base/quote.h"
#include "base/units.h"
#include "base/value.h"

/*
 * Returns the place of TEXT among the CHOICES "a|b", from 0, or RX_NONE if TEXT is none
 * of them.
 */
static uint64_t choice(const char *choices, const char *text)
{
	size_t len;
	uint64_t n;

	for (n = 0; *choices; n++, choices += len + (choices[len] == '|')) {
		len = strcspn(choices, "|");
		if (strlen(text) == len && !strncmp(choices, text, len))
			return n;
	}
	return RX_NONE;
}

bool value_parse(struct rx_value *value, char *why, size_t len)
{
	const struct rx_opt *opt = value->opt;
	bool number;
	char *end;

	switch (opt->type) {
	case OPT_SIZE:
	case OPT_SIZES:
	case OPT_BYTES:
		return size_parse(value->text, opt->type == OPT_BYTES,
				  &value->num, why, len);
	case OPT_PART:
	case OPT_MOST:
		if (!part_parse(value->text, &value->num, why, len))
			return false;
		if (value->num || opt->type == OPT_PART)
			return true;
		snprintf(why, len, "%s '%s' leaves it no memory; say for example 50%%, or 100%% for no bound",
			 opt->name, brief(value->text));
		return false;
	case OPT_AHEAD:
		return ahead_parse(value->text, &value->num, why, len);
	case OPT_NODE:
		if (numa_parse(value->text, &value->num))
			return true;
		snprintf(why, len, "invalid %s: '%s' (the number of a node, or interleave)", opt->name,
			 brief(value->text));
		return false;
	case OPT_TIME:
		return time_parse(value->text, &value->num, why, len);
	case OPT_COUNT:
		value->num = strtoull(value->text, &end, 10);
		number = isdigit((unsigned char)*value->text) && !*end;
		if (number && value->num && value->num < UINT32_MAX)
			return true;
		snprintf(why, len, "'%s' is %s", brief(value->text), !number ? "no number; say 1 or more" :
			 value->num ? "too large; say at most 4294967294" : "too small; say 1 or more");
		return false;
	case OPT_LEVEL:
		value->num = strtoull(value->text, &end, 10);
		if (isdigit((unsigned char)*value->text) && !*end &&
		    value->num && value->num <= OPT_LEVEL_MAX)
			return true;
		snprintf(why, len, "'%s' is no level; say 1 to %d", brief(value->text), OPT_LEVEL_MAX);
		return false;
	case OPT_WHEN:
	case OPT_CHOICE:
		value->num = choice(opt->arg, value->text);
		if (value->num != RX_NONE)
			return true;
		snprintf(why, len, "invalid %s: '%s' (use %s)", opt->name,
			 brief(value->text), opt->arg);
		return false;
	default:
		return true;
	}
}
