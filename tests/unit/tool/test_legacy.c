// SPDX-License-Identifier: GPL-2.0-only
/* The historic spellings of commands, and their replacements. */
#include "base/global.h"
#include "legacy.h"
#include "rx_test.h"

static const struct {
	const char *old;
	const char *new;	/* NULL: refused; equal: left alone */
} lines[] = {
	{ "--attach 1024", "attach 1024M" },
	{ "--detach rxd0", "detach rxd0" },
	{ "--detach /dev/rxd0", "detach rxd0" },
	{ "--list", "list" },
	{ "--list --json", "list --json" },
	{ "--json --list", "--json list" },
	{ "--short-list", "list --noheadings" },
	{ "--resize rxd2 128", "resize rxd2 128M" },
	{ "--rxc-map rxd0 /dev/sda3 4", "map rxd0 /dev/sda3 --block 4K" },
	{ "--rxc-map rxd0 /dev/sda3", "map rxd0 /dev/sda3" },
	{ "--rxc-unmap rxc0", "unmap rxc0" },
	{ "--stat-cache rxc0", "stat rxc0" },
	{ "--stat-cache rxc0 --json", "stat rxc0 --json" },
	{ "--attach", NULL }, { "--attach 1G", NULL }, { "--attach 1 2", NULL },
	{ "--resize rxd0", NULL }, { "--resize rxd0 1G", NULL },
	{ "--rxc-map rxd0", NULL }, { "--flush rxd0", NULL },
	{ "--archive rxd0 f", "save rxd0 f" }, { "--restore f rxd0", "restore f rxd0" },
	{ "--archive rxd0", NULL }, { "--restore f", NULL },
	{ "list", "list" }, { "attach 1G", "attach 1G" },
	{ "help --attach", "help --attach" }, { "--json", "--json" },
	{ "--attached 5", "--attached 5" }, { "", "" },
};

/* Returns the replacement of LINE, in a static buffer, or NULL if LINE is refused. */
static const char *rewrite(const char *line)
{
	static char text[256], out[256];
	char *argv[16] = { "rxadm" }, **now = argv;
	char *word, *rest = text;
	int argc = 1, i;

	snprintf(text, sizeof(text), "%s", line);
	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = word;
	if (legacy_rewrite(&argc, &now))
		return NULL;
	out[0] = '\0';
	for (i = 1; i < argc; i++)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s",
			 i > 1 ? " " : "", now[i]);
	return out;
}

int main(void)
{
	const char *got;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		got = rewrite(lines[i].old);
		if (lines[i].new)
			check_str(got, lines[i].new, "'%s' becomes '%s'",
				  lines[i].old, lines[i].new);
		else
			check(!got, "'%s' is refused", lines[i].old);
	}
	setenv("RXADM_NO_LEGACY", "1", 1);
	check_str(rewrite("--list"), "--list", "RXADM_NO_LEGACY turns it off");
	return done();
}

/* The new words are never freed, because the program uses them until it ends. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
