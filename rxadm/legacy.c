// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rewrites historic spellings, with sizes in MiB and cache blocks in KiB, to today's
 * words. Each prints one line of warning; RXADM_NO_LEGACY=1 turns them off.
 */
#include <stdlib.h>
#include <string.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "legacy.h"

/* OLD has N words after it. These are $1 to $3 in NEW. */
static const struct spelling {
	const char *old;
	int n;
	const char *new;
} spellings[] = {
	{ "--attach", 1, "attach $1M" },
	{ "--detach", 1, "detach $1" },
	{ "--list", 0, "list" },
	{ "--short-list", 0, "list --noheadings" },
	{ "--resize", 2, "resize $1 $2M" },
	{ "--rxc-map", 3, "map $1 $2 --block $3K" },
	{ "--rxc-map", 2, "map $1 $2" },
	{ "--rxc-unmap", 1, "unmap $1" },
	{ "--stat-cache", 1, "stat $1" },
	{ "--flush", 1, "erase $1" },
	{ "--archive", 2, "save $1 $2" },
	{ "--restore", 2, "restore $1 $2" },
};

/* Counts the words up to the next option. */
static int count(int argc, char **argv)
{
	int n = 0;

	while (n < argc && argv[n][0] != '-')
		n++;
	return n;
}

/*
 * Stores in V the words of TEXT with WORDS in them, however these look. Returns false if a
 * word that gets a unit is no plain number.
 */
static bool expand(const char *text, char **words, struct rx_strv *v)
{
	char *copy = mem_dup(text), *rest = copy, *part;
	const char *word;
	bool fits = true;

	while ((part = strsep(&rest, " "))) {
		if (*part != '$') {
			strv_add(v, part);
			continue;
		}
		word = words[part[1] - '1'];
		if (part[2] == 'M' || part[2] == 'K')
			fits &= *word && !word[strspn(word, "0123456789")];
		if (!strncmp(word, "/dev/rx", 7))
			word += 5;
		strv_print(v, "%s%s", word, part + 2);
	}
	free(copy);
	return fits;
}

/* V keeps its words, because they become those of the command line. */
static void replace(int *argc, char ***argv, int at, int used, const struct rx_strv *v)
{
	char **new = mem_zero(*argc + v->n + 1, sizeof(*new));

	memcpy(new, *argv, at * sizeof(*new));
	memcpy(new + at, v->v, v->n * sizeof(*new));
	memcpy(new + at + v->n, *argv + at + used, (*argc - at - used) * sizeof(*new));
	*argc += (int)v->n - used;
	*argv = new;
}

/*
 * Returns the spelling of OLD, or NULL. If there are several, the one with N words is
 * preferred.
 */
static const struct spelling *find(const char *old, int n)
{
	const struct spelling *found = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(spellings); i++)
		if (!strcmp(spellings[i].old, old) &&
		    (!found || spellings[i].n == n))
			found = &spellings[i];
	return found;
}

/* Returns RX_OK, or RX_USAGE if it refused a spelling. */
int legacy_rewrite(int *argc, char ***argv)
{
	const char *off = getenv("RXADM_NO_LEGACY");
	const struct spelling *s = NULL;
	const char *text;
	char **words = *argv;
	struct rx_strv v = { 0 };
	int at, n = 0;

	if (off && *off && strcmp(off, "0"))
		return RX_OK;
	for (at = 1; !s && at < *argc && (*argv)[at][0] == '-'; at++) {
		words = *argv + at + 1;
		n = count(*argc - at - 1, words);
		s = find((*argv)[at], n);
	}
	if (!s)
		return RX_OK;
	if (s->n != n)
		return usage_error("%s: an old spelling, with %d words after it; see: rxadm help",
				   s->old, n);
	if (!expand(s->new, words, &v)) {
		strv_free(&v);
		return usage_error("%s: an old spelling, which takes plain numbers; see: rxadm help",
				   s->old);
	}
	text = quoted_all(&v);
	/* Whoever learned it may not know that it destroys. */
	if (!strcmp(s->old, "--flush")) {
		say(s->old, words[0], "would destroy everything on it; if that is meant: rxadm %s", text);
		strv_free(&v);
		return RX_USAGE;
	}
	say_hint(NULL, NULL, "%s is an old spelling; say: rxadm %s", s->old, text);
	replace(argc, argv, at - 1, n + 1, &v);
	return RX_OK;
}
