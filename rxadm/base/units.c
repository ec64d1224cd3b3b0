// SPDX-License-Identifier: GPL-2.0-only
/* Sizes, times and nodes: what people write and what they read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/rxdsk.h>

#include "base/global.h"
#include "base/quote.h"
#include "base/units.h"

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

/* A kind of quantity, and the words that refuse other texts; %1$s is the text. */
struct kind {
	const struct unit *units;
	bool any_case;		/* "m" is "M" */
	uint64_t bare;		/* the factor of a number without a unit */
	const char *no_number, *no_unit[2], *bad_unit, *too_big;	/* [1]: of a fraction */
};

static const struct kind size = {
	sizes, true, 1,
	"'%s' is no size; say for example 512M or 1G",
	{ "size '%1$s' has no unit; say %1$sM or %1$sB", "size '%1$s' has no unit; say %1$sM or %1$sG" },
	"size '%s' has an unknown unit; say K, M, G, T (1024), KB, MB, GB, TB (1000), B or %%",
	"size '%s' is too big; the largest disk has 1E",
};

/* A unit may always be left out here. Case matters: for systemd, which reads our times too, 1M is a month. */
static const struct kind duration = {
	times, false, 1000000000ULL,
	"'%s' is no time; say for example 500ms, 1s or 2m",
	{ "", "" },
	"'%s' is no time; say for example 500ms, 1s or 2m",
	"time '%s' is too long",
};

#define PERCENT	1000000ULL

static const struct unit percent[] = { { "%", PERCENT }, { NULL, 0 } };

/* A share of the machine's memory or of a disk, as in "25%". */
static const struct kind share = { percent, false, 0, "", { "", "" }, "", "" };

/*
 * Reads DIGITS[.DIGITS]UNIT. A fraction that is no whole number of the smallest unit is
 * cut off. BARE allows a number without a unit. Returns NULL, or the words of the
 * refusal.
 */
static const char *parse(const struct kind *kind, const char *text, bool bare,
			 uint64_t *result)
{
	uint64_t whole = 0, frac = 0, scale = 1, factor = kind->bare, value;
	const struct unit *unit = kind->units;
	const char *p = text;

	if (!isdigit((unsigned char)*p))
		return kind->no_number;
	for (; isdigit((unsigned char)*p); p++) {
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, *p - '0', &whole))
			return kind->too_big;
	}
	if (*p == '.') {
		p++;
		if (!isdigit((unsigned char)*p))
			return kind->no_number;
		for (; isdigit((unsigned char)*p); p++) {
			if (scale < 1000000000ULL) {
				scale *= 10;
				frac = frac * 10 + (*p - '0');
			}
		}
	}
	if (*p) {
		while (unit->name && (kind->any_case ? !same_word(unit->name, p, strlen(p)) :
				      strcmp(unit->name, p)))
			unit++;
		if (!unit->name)
			return kind->bad_unit;
		factor = unit->factor;
	} else if (!bare) {
		/* 0 with a unit is no answer either. */
		return whole || frac ? kind->no_unit[scale > 1] : kind->no_number;
	}
	/* The highest value stands for "not given". */
	if (__builtin_mul_overflow(whole, factor, &value) ||
	    __builtin_add_overflow(value, (uint64_t)
			((unsigned __int128)frac * factor / scale), &value) ||
	    value == RX_NONE)
		return kind->too_big;
	*result = value;
	return NULL;
}

static bool parse_or_say(const struct kind *kind, const char *text, bool bare,
			 uint64_t *result, char *why, size_t len)
{
	const char *refusal = parse(kind, text, bare, result);

	if (refusal)
		snprintf(why, len, refusal, brief(text));
	return !refusal;
}

/*
 * Reads a share of the memory and cuts it to whole pages, because the kernel does not
 * round whole pages up.
 */
static bool share_parse(const char *text, uint64_t *bytes, char *why, size_t len)
{
	uint64_t parts, pages = 0;

	if (!parse(&share, text, false, &parts) && parts <= 100 * PERCENT)
		pages = (unsigned __int128)sysconf(_SC_PHYS_PAGES) * parts /
			(100 * PERCENT);
	*bytes = pages * sysconf(_SC_PAGESIZE);
	if (!pages)
		snprintf(why, len,
			 "size '%s' is no share of the memory; say for example 25%%, at most 100%%",
			 brief(text));
	return pages;
}

bool size_parse(const char *text, bool bare, uint64_t *bytes, char *why,
		size_t len)
{
	if (!bare && strchr(text, '%'))
		return share_parse(text, bytes, why, len);
	return parse_or_say(&size, text, bare, bytes, why, len);
}

bool part_is_percent(const char *text)
{
	return strchr(text, '%');
}

/* Returns the bytes of a part that part_parse() has read, of WHOLE. */
uint64_t part_bytes(const char *text, uint64_t num, uint64_t whole)
{
	return part_is_percent(text) ? (unsigned __int128)whole * num / 100 : num;
}

/*
 * Reads a part of a disk: a number of whole percents, as in "25%", or a size. TEXT says
 * which of the two NUM is.
 */
bool part_parse(const char *text, uint64_t *num, char *why, size_t len)
{
	uint64_t parts;

	if (!part_is_percent(text))
		return size_parse(text, false, num, why, len);
	if (!parse(&share, text, false, &parts) && parts <= 100 * PERCENT &&
	    !(parts % PERCENT)) {
		*num = parts / PERCENT;
		return true;
	}
	snprintf(why, len,
		 "'%s' is no share of a disk; say for example 25%%, at most 100%%, or 2G",
		 brief(text));
	return false;
}

bool ahead_parse(const char *text, uint64_t *num, char *why, size_t len)
{
	static const char *const words[] = { [AHEAD_OFF] = "off", [AHEAD_AUTO] = "auto" };

	for (*num = 0; *num <= AHEAD_AUTO; ++*num)
		if (!strcmp(text, words[*num]))
			return true;
	if (size_parse(text, false, num, why, len) && *num >= AHEAD_MIN)
		return true;
	snprintf(why, len, "'%s' is no distance to read ahead; say auto, off, or for example 512K (at least 4K)",
		 brief(text));
	return false;
}

/* A number without a unit is seconds, as iostat, vmstat and top take it. */
bool time_parse(const char *text, uint64_t *ns, char *why, size_t len)
{
	return parse_or_say(&duration, text, true, ns, why, len);
}

/* Returns what the kernel makes of the size of a disk: it rounds up to whole pages of 4K. */
uint64_t size_whole(uint64_t bytes)
{
	return bytes > RXDSK_SIZE_MAX ? bytes :
	       (bytes + RXDSK_BLOCK_MAX - 1) / RXDSK_BLOCK_MAX * RXDSK_BLOCK_MAX;
}

/* Prints at most one digit after the point, as lsblk does: 512B, 4K, 1.5M, 1G. */
char *size_print(uint64_t bytes, char *buf, size_t len)
{
	const char *letter = "BKMGTPE";
	unsigned __int128 tenths = (unsigned __int128)bytes * 10;
	uint64_t unit = 1;

	/* A value that would be printed as 1024 becomes 1 of the next unit. */
	while (tenths >= 10240 && letter[1]) {
		unit <<= 10;
		tenths = ((unsigned __int128)bytes * 10 + unit / 2) / unit;
		letter++;
	}
	snprintf(buf, len, "%.*f%c", tenths % 10 ? 1 : 0, (double)tenths / 10,
		 *letter);
	return buf;
}

/* Prints a size in the largest unit in which it is a whole number, as options take it. */
char *size_exact(uint64_t bytes, char *buf, size_t len)
{
	static const char letters[] = "BKMGTPE";
	int i = 0;

	while (i < 6 && bytes && !(bytes % 1024)) {
		bytes /= 1024;
		i++;
	}
	snprintf(buf, len, "%llu%c", (unsigned long long)bytes, letters[i]);
	return buf;
}

/* Prints a time in the largest unit in which it is a whole number. */
char *time_print(uint64_t ns, char *buf, size_t len)
{
	const struct unit *unit = &times[ARRAY_SIZE(times) - 2];

	while (unit > times && (ns < unit->factor || ns % unit->factor))
		unit--;
	snprintf(buf, len, "%llu%s", (unsigned long long)(ns / unit->factor),
		 unit->name);
	return buf;
}

/* Prints a time for people, to two or three digits: 850ns, 2.1us, 14ms, 3.5s, 2h 5m. */
char *span_print(double ns, char *buf, size_t len)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	unsigned long long minutes;
	int i = 0;

	/* A value that would be printed as 1000 becomes 1.0 of the next unit. */
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

/* Prints the time of day in UTC with microseconds, as in RFC 3339. */
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

/* Reads NODE|interleave. *NODE is RX_NONE for interleave. Returns false for other text. */
bool numa_parse(const char *text, uint64_t *node)
{
	size_t len = strlen(text);

	*node = RX_NONE;
	if (!strcmp(text, "interleave"))
		return true;
	if (!len || len > 4 || text[strspn(text, "0123456789")])
		return false;
	*node = strtoul(text, NULL, 10);
	return true;
}
