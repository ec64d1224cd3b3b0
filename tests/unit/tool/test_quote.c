// SPDX-License-Identifier: GPL-2.0-only
/* Texts from outside: a shell gets them back as they were, and people see all of them. */
#include "base/quote.h"
#include "rx_test.h"
#include "base/strv.h"

/* Texts that mean something to a shell, move a cursor, or are not seen. */
static const char *const texts[] = {
	"/mnt/plain-1.2_x", "/mnt/my disk", "/mnt/it's", "/mnt/'", "/mnt/$HOME", "/mnt/a;touch b",
	"/mnt/`id`", "/mnt/\"q\"", "/mnt/a\\b", "/mnt/*", "~", "#", "=ls", "a&b", "a|b", "(a)", "",
	"/mnt/a\nb", "/mnt/\tx", "\033[2J", "it's \001\\1", "\\", "$'a'", "\u00a0", "\u200b'\\",
	"\ufeff7", "\u202e", "\xc2\x9b" "2J", "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "d\u00e4ta",
	"\U0001f600", "\U000e0041", "a!b", "{a,b}", "<x>", "%s%n",
};

/* Returns what a shell makes of the words, each in brackets. */
static char *shell(const char *words)
{
	static char out[8192];
	char command[8192];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 exec bash -c 'printf \"[%%s]\" \"$@\"' x %s", words);
	fflush(stdout);
	setenv("RX_WORDS", command, 1);
	f = popen("exec bash -c \"$RX_WORDS\"", "r");
	n = fread(out, 1, sizeof(out) - 1, f);
	out[n] = '\0';
	pclose(f);
	return out;
}

static void test_shell(void)
{
	struct rx_strv all = { 0 };
	char want[8192] = "";
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		strv_add(&all, texts[i]);
		snprintf(want + strlen(want), sizeof(want) - strlen(want), "[%s]", texts[i]);
	}
	check_str(shell(quoted_all(&all)), want, "a shell gets each text as it was");
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char *seen = visible(quoted(texts[i]));

		check_str(seen, quoted(texts[i]), "all of text %zu is seen in a command", i);
		free(seen);
	}
	strv_free(&all);
}

static void test_forms(void)
{
	check_str(quoted("/mnt/a-b_c.d"), "/mnt/a-b_c.d", "plain names stay plain");
	check_str(quoted("/mnt/my disk"), "'/mnt/my disk'", "others are quoted");
	check_str(quoted("it's"), "'it'\\''s'", "quotes too");
	check_str(quoted("a\nb'"), "$'a\\012b\\''", "what is not seen is written as numbers");
}

static void test_visible(void)
{
	static const char *const pairs[][2] = {
		{ "plain \u00e4 \U0001f600 'x' \\", "plain \u00e4 \U0001f600 'x' \\" },
		{ "a\033[2Jb\n", "a\\x1b[2Jb\\x0a" }, { "\x7f", "\\x7f" },
		{ "\xc2\x9b", "\\xc2\\x9b" }, { "rxd1\u00a0disk", "rxd1\\xc2\\xa0disk" },
		{ "\ufeffrxd1", "\\xef\\xbb\\xbfrxd1" }, { "\u202eabc", "\\xe2\\x80\\xaeabc" },
		{ "\xff", "\\xff" }, { "\xc3", "\\xc3" }, { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xe0\x80\x80", "\\xe0\\x80\\x80" }, { "", "" },
	};
	char *seen;
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		seen = visible(pairs[i][0]);
		check_str(seen, pairs[i][1], "visible %zu", i);
		free(seen);
	}
}

int main(void)
{
	test_forms();
	test_shell();
	test_visible();
	return done();
}
