// SPDX-License-Identifier: GPL-2.0-only
/* Sizes and times: what people write and what they read. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "global.h"
#include "units.h"

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit sizes[] = {
	{ "B", 1 },
	{ "K", 1ULL << 10 }, { "KiB", 1ULL << 10 }, { "KB", 1000ULL },
	{ "M", 1ULL << 20 }, { "MiB", 1ULL << 20 }, { "MB", 1000000ULL },
	{ "G", 1ULL << 30 }, { "GiB", 1ULL << 30 }, { "GB", 1000000000ULL },
	{ "T", 1ULL << 40 }, { "TiB", 1ULL << 40 }, { "TB", 1000000000000ULL },
	{ "P", 1ULL << 50 }, { "PiB", 1ULL << 50 },
	{ "PB", 1000000000000000ULL },
	{ "E", 1ULL << 60 }, { "EiB", 1ULL << 60 },
	{ "EB", 1000000000000000000ULL },
	{ NULL, 0 }
};

static const struct unit times[] = {
	{ "ns", 1 }, { "us", 1000ULL }, { "ms", 1000000ULL },
	{ "s", 1000000000ULL }, { "m", 60000000000ULL },
	{ "h", 3600000000000ULL },
	{ NULL, 0 }
};

enum parsed { GOOD, NO_NUMBER, NO_UNIT, BAD_UNIT, TOO_BIG };

/*
 * DIGITS[.DIGITS]UNIT. A fraction that is no whole number of the smallest unit
 * is cut off. FACTOR is for a number without a unit; 0 refuses one. COMPARE says
 * whether "m" is "M".
 */
static enum parsed parse(const char *text, const struct unit *units,
			 int (*compare)(const char *, const char *),
			 uint64_t factor, uint64_t *result)
{
	uint64_t whole = 0, frac = 0, scale = 1, value;
	const char *p = text;

	if (!isdigit((unsigned char)*p))
		return NO_NUMBER;
	for (; isdigit((unsigned char)*p); p++) {
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, *p - '0', &whole))
			return TOO_BIG;
	}
	if (*p == '.') {
		p++;
		if (!isdigit((unsigned char)*p))
			return NO_NUMBER;
		for (; isdigit((unsigned char)*p); p++) {
			if (scale < 1000000000ULL) {
				scale *= 10;
				frac = frac * 10 + (*p - '0');
			}
		}
	}
	if (*p) {
		for (; units->name; units++)
			if (!compare(units->name, p))
				break;
		if (!units->name)
			return BAD_UNIT;
		factor = units->factor;
	} else if (!factor) {
		return NO_UNIT;
	}
	if (__builtin_mul_overflow(whole, factor, &value) ||
	    __builtin_add_overflow(value, (uint64_t)
			((unsigned __int128)frac * factor / scale), &value))
		return TOO_BIG;
	/* The highest value stands for "not given". */
	if (value == RX_NONE)
		return TOO_BIG;
	*result = value;
	return GOOD;
}

bool size_parse(const char *text, bool bare, uint64_t *bytes, char *why,
		size_t len)
{
	switch (parse(text, sizes, strcasecmp, bare, bytes)) {
	case GOOD:
		return true;
	case NO_UNIT:
		snprintf(why, len, "size '%s' has no unit; say %sM or %sB",
			 text, text, text);
		return false;
	case BAD_UNIT:
		snprintf(why, len,
			 "size '%s' has an unknown unit; say K, M, G, T (1024), KB, MB, GB, TB (1000) or B",
			 text);
		return false;
	case TOO_BIG:
		snprintf(why, len, "size '%s' is too big; the largest disk has 1E",
			 text);
		return false;
	default:
		snprintf(why, len, "'%s' is no size; say for example 512M or 1G",
			 text);
		return false;
	}
}

bool time_parse(const char *text, bool bare, uint64_t *ns, char *why,
		size_t len)
{
	/* For systemd, which reads our times too, 1M is a month. */
	switch (parse(text, times, strcmp, bare ? 1000000000ULL : 0, ns)) {
	case GOOD:
		return true;
	case NO_UNIT:
		snprintf(why, len, "time '%s' has no unit; say %ss or %sms",
			 text, text, text);
		return false;
	case TOO_BIG:
		snprintf(why, len, "time '%s' is too long", text);
		return false;
	default:
		snprintf(why, len, "'%s' is no time; say for example 500ms, 1s or 2m",
			 text);
		return false;
	}
}

/* At most one digit after the point, as lsblk does: 512B, 4K, 1.5M, 1G. */
char *size_print(uint64_t bytes, char *buf, size_t len)
{
	static const char letters[] = "BKMGTPE";
	uint64_t unit = 1, whole, tenth;
	int i = 0;

	while (i < 6 && bytes / unit >= 1024) {
		unit <<= 10;
		i++;
	}
	whole = bytes / unit;
	tenth = ((bytes % unit) * (unsigned __int128)10 + unit / 2) / unit;
	if (tenth == 10) {
		whole++;
		tenth = 0;
	}
	if (whole == 1024 && i < 6) {
		whole = 1;
		i++;
	}
	if (tenth)
		snprintf(buf, len, "%llu.%llu%c", (unsigned long long)whole,
			 (unsigned long long)tenth, letters[i]);
	else
		snprintf(buf, len, "%llu%c", (unsigned long long)whole,
			 letters[i]);
	return buf;
}

/* The largest unit in which the time is a whole number. */
char *time_print(uint64_t ns, char *buf, size_t len)
{
	static const char *const names[] = { "h", "m", "s", "ms", "us", "ns" };
	static const uint64_t factors[] = {
		3600000000000ULL, 60000000000ULL, 1000000000ULL, 1000000ULL,
		1000ULL, 1ULL,
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(factors) - 1 &&
	       (ns < factors[i] || ns % factors[i]))
		i++;
	snprintf(buf, len, "%llu%s", (unsigned long long)(ns / factors[i]),
		 names[i]);
	return buf;
}

/* A time for people, to two or three digits: 850ns, 2.1us, 14ms, 3.5s, 2h 5m. */
char *span_print(double ns, char *buf, size_t len)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	unsigned long long minutes;
	int i = 0;

	/* What would be printed as 1000 is 1.0 of the next. */
	while (i < 3 && ns >= 999.5) {
		ns /= 1000;
		i++;
	}
	minutes = (ns + 30) / 60;
	if (i < 3 || ns < 99.5)
		snprintf(buf, len, "%.*f%s", i && ns < 9.95 ? 1 : 0, ns,
			 names[i]);
	else if (minutes < 60)
		snprintf(buf, len, "%llum", minutes);
	else
		snprintf(buf, len, "%lluh %llum", minutes / 60, minutes % 60);
	return buf;
}

/* UTC with microseconds, RFC 3339. */
char *time_now(char *buf, size_t len)
{
	struct timespec ts;
	struct tm tm;
	char date[32];

	clock_gettime(CLOCK_REALTIME, &ts);
	gmtime_r(&ts.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf, len, "%s.%06ldZ", date, ts.tv_nsec / 1000);
	return buf;
}
