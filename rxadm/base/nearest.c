// SPDX-License-Identifier: GPL-2.0-only
/* Finds the word that a misspelt one may have meant. */
#include <string.h>

#include "base/nearest.h"

static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j, diag, up;
	size_t row[32];

	if (la > 31 || lb > 31)
		return 99;
	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		diag = row[0];
		row[0] = i;
		for (j = 1; j <= lb; j++) {
			up = row[j];
			row[j] = diag + (a[i - 1] != b[j - 1]);
			if (up + 1 < row[j])
				row[j] = up + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			diag = up;
		}
	}
	return row[lb];
}

const char *nearest(const char *word, const char *const *choices, size_t n)
{
	size_t best = strlen(word) < 4 ? 2 : 3, d;
	const char *found = NULL;

	for (; n; n--, choices++) {
		d = distance(word, *choices);
		if (d < best) {
			best = d;
			found = *choices;
		}
	}
	return found;
}
