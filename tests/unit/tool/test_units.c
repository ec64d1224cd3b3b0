// SPDX-License-Identifier: GPL-2.0-only
/* Parsing and printing of sizes and times, in the forms that people use. */
#include <unistd.h>

#include "base/global.h"
#include "base/say.h"
#include "base/units.h"
#include "rx_test.h"

static const struct {
	const char *text;
	bool bare;
	uint64_t bytes;		/* RX_NONE: refused */
} sizes[] = {
	{ "1B", false, 1 }, { "4096B", false, 4096 },
	{ "1K", false, 1024 }, { "1KB", false, 1000 }, { "1KiB", false, 1024 },
	{ "1k", false, 1024 }, { "1kb", false, 1000 },
	{ "512M", false, 512ULL << 20 }, { "500MB", false, 500000000 },
	{ "1G", false, 1ULL << 30 }, { "1GiB", false, 1ULL << 30 },
	{ "1.5G", false, 3ULL << 29 }, { "0.5K", false, 512 },
	{ "1.0000000001G", false, 1ULL << 30 },
	{ "2T", false, 2ULL << 40 }, { "16P", false, 16ULL << 50 },
	{ "1E", false, 1ULL << 60 }, { "15E", false, 15ULL << 60 },
	{ "0M", false, 0 }, { "4096", true, 4096 }, { "4K", true, 4096 },
	{ "1024", false, RX_NONE }, { "", false, RX_NONE },
	{ "", true, RX_NONE }, { "G", false, RX_NONE },
	{ "-1G", false, RX_NONE }, { "+1G", false, RX_NONE },
	{ " 1G", false, RX_NONE }, { "1G ", false, RX_NONE },
	{ "1 G", false, RX_NONE }, { "1.G", false, RX_NONE },
	{ ".5G", false, RX_NONE }, { "1,5G", false, RX_NONE },
	{ "0x10M", false, RX_NONE }, { "1e3M", false, RX_NONE },
	{ "1Z", false, RX_NONE }, { "1GBB", false, RX_NONE },
	{ "16E", false, RX_NONE }, { "99999999999999999999B", false, RX_NONE },
	{ "18446744073709551615B", false, RX_NONE },
	{ "18446744073709551614B", false, UINT64_MAX - 1 },
	{ "15.99999999999E", false, UINT64_MAX - (1ULL << 60) + 1 +
	  (uint64_t)((unsigned __int128)999999999 * (1ULL << 60) / 1000000000) },
	{ "1023.9P", false, (uint64_t)((unsigned __int128)10239 * (1ULL << 50) / 10) },
};

static const struct {
	uint64_t bytes;
	const char *text;
} printed[] = {
	{ 0, "0B" }, { 1, "1B" }, { 1023, "1023B" }, { 1024, "1K" },
	{ 1536, "1.5K" }, { 4096, "4K" }, { 1024 * 1024 - 1, "1M" },
	{ 1ULL << 30, "1G" }, { 3ULL << 30 | 100ULL << 20, "3.1G" },
	{ (1ULL << 30) - 1, "1G" }, { 1000000000, "953.7M" },
	{ 1ULL << 60, "1E" }, { UINT64_MAX, "16E" }, { 10ULL << 40, "10T" },
};

static const struct {
	const char *text;
	uint64_t ns;
} times[] = {
	{ "1s", 1000000000 }, { "500ms", 500000000 },
	{ "2m", 120000000000 }, { "1h", 3600000000000 },
	{ "0.5s", 500000000 }, { "10us", 10000 },
	{ "7ns", 7 }, { "3", 3000000000 },
	{ "0", 0 }, { "1.5", 1500000000 }, { "s", RX_NONE },
	{ "1d", RX_NONE }, { "", RX_NONE },
	{ "-1s", RX_NONE }, { "99999999999h", RX_NONE },
};

static void span_is(double ns, const char *want)
{
	char buf[32];

	check_str(span_print(ns, buf, sizeof(buf)), want, "%.0f ns", ns);
}

static void test_spans(void)
{
	span_is(0, "0ns");
	span_is(850, "850ns");
	span_is(999.6, "1.0us");
	span_is(2140, "2.1us");
	span_is(9960, "10us");
	span_is(14e6, "14ms");
	span_is(3.5e9, "3.5s");
	span_is(61e9, "61s");
	span_is(125e9, "2m");
	span_is(3599e9, "1h 0m");
	span_is(7500e9, "2h 5m");
	span_is(1e15, "277h 47m");
}

int main(void)
{
	char why[256], buf[64];
	uint64_t value;
	size_t i;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		why[0] = '\0';
		ok = size_parse(sizes[i].text, sizes[i].bare, &value, why,
				sizeof(why));
		if (sizes[i].bytes == RX_NONE)
			check(!ok && *why, "size '%s' is refused", sizes[i].text);
		else
			check(ok && value == sizes[i].bytes,
			      "size '%s' is %llu", sizes[i].text,
			      (unsigned long long)sizes[i].bytes);
	}
	check(size_parse("100%", false, &value, why, sizeof(why)) &&
	      value == (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
	      "100%% is all memory");
	check(size_parse("12.5%", false, &value, why, sizeof(why)) &&
	      value == sysconf(_SC_PHYS_PAGES) / 8 * (uint64_t)sysconf(_SC_PAGESIZE),
	      "12.5%% is an eighth");
	check(!size_parse("100.1%", false, &value, why, sizeof(why)) &&
	      !size_parse("0%", false, &value, why, sizeof(why)) &&
	      !size_parse("1.%", false, &value, why, sizeof(why)) &&
	      !size_parse("5%", true, &value, why, sizeof(why)),
	      "other shares are refused, and shares of what is no memory");
	check(part_parse("25%", &value, why, sizeof(why)) && value == 25 &&
	      part_parse("0%", &value, why, sizeof(why)) && !value &&
	      part_parse("100%", &value, why, sizeof(why)) && value == 100 &&
	      part_parse("2G", &value, why, sizeof(why)) && value == 1ULL << 31,
	      "a part of a disk is a percentage or a size");
	check(!part_parse("101%", &value, why, sizeof(why)) &&
	      !part_parse("7.5%", &value, why, sizeof(why)) &&
	      !part_parse("%", &value, why, sizeof(why)) &&
	      !part_parse("25", &value, why, sizeof(why)), "and nothing else");
	size_parse("1024", false, &value, why, sizeof(why));
	check_str(why, "size '1024' has no unit; say 1024M or 1024B",
		  "a bare size is refused with both readings");
	for (i = 0; i < ARRAY_SIZE(printed); i++)
		check_str(size_print(printed[i].bytes, buf, sizeof(buf)),
			  printed[i].text, "%llu bytes print as %s",
			  (unsigned long long)printed[i].bytes,
			  printed[i].text);
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		ok = time_parse(times[i].text, &value, why, sizeof(why));
		if (times[i].ns == RX_NONE)
			check(!ok, "time '%s' is refused", times[i].text);
		else
			check(ok && value == times[i].ns, "time '%s'",
			      times[i].text);
	}
	check_str(time_print(90000000000, buf, sizeof(buf)), "90s", "90 s");
	check_str(time_print(500000000, buf, sizeof(buf)), "500ms", "500 ms");
	check_str(time_print(120000000000, buf, sizeof(buf)), "2m", "2 m");
	check(strlen(time_now(buf, sizeof(buf))) == 27 && buf[26] == 'Z',
	      "time stamps have microseconds and a zone");
	test_spans();
	return done();
}
