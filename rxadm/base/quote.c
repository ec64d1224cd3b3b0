// SPDX-License-Identifier: GPL-2.0-only
/*
 * Quotes texts from outside for the shell, and makes characters visible that would move
 * the cursor or could not be seen. Anybody who may mount or name a device chooses such a
 * text, and root pastes the command that it stands in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/strv.h"

/* Control characters, spaces other than the plain one, marks of no width or direction. */
static const struct { uint32_t first, last; } unseen[] = {
	{ 0x0, 0x1f }, { 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
	{ 0x115f, 0x1160 }, { 0x1680, 0x1680 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },
	{ 0x2000, 0x200f }, { 0x2028, 0x202f }, { 0x205f, 0x206f }, { 0x3000, 0x3000 },
	{ 0x3164, 0x3164 }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
	{ 0xe0000, 0xe007f },
};

/* Returns the length of the UTF-8 at P, and stores its character; 0: it is none. */
static size_t decode(const unsigned char *p, uint32_t *c)
{
	size_t len = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2, i;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if ((*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
		return 0;
	*c = len == 1 ? *p : *p & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	return *c < least[len] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff) ? 0 : len;
}

size_t char_at(const char *text, uint32_t *c, bool *seen)
{
	size_t len = decode((const unsigned char *)text, c), i;

	*seen = len;
	if (!len) {
		*c = 0;
		return 1;
	}
	for (i = 0; i < ARRAY_SIZE(unseen); i++)
		if (*c >= unseen[i].first && *c <= unseen[i].last)
			*seen = false;
	return len;
}

char *visible(const char *text)
{
	char *result;
	FILE *f = mem_open(&result);
	uint32_t c;
	size_t len;
	bool seen;

	for (; *text; text += len) {
		len = char_at(text, &c, &seen);
		if (seen)
			fwrite(text, 1, len, f);
		for (c = 0; !seen && c < len; c++)
			fprintf(f, "\\x%02x", (unsigned char)text[c]);
	}
	mem_close(f);
	return result;
}

/* Tells whether people see each character of TEXT as what it is. */
static bool all_seen(const char *text)
{
	bool seen = true;
	uint32_t c;

	while (*text && seen)
		text += char_at(text, &c, &seen);
	return seen;
}

/* Puts $'text', in which the shell replaces the octal numbers of bytes. */
static void put_escaped(FILE *f, const char *text)
{
	uint32_t c;
	size_t len;
	bool seen;

	fputs("$'", f);
	for (; *text; text += len) {
		len = char_at(text, &c, &seen);
		if (*text == '\'' || *text == '\\')
			fputc('\\', f);
		if (seen)
			fwrite(text, 1, len, f);
		for (c = 0; !seen && c < len; c++)
			fprintf(f, "\\%03o", (unsigned char)text[c]);
	}
	fputc('\'', f);
}

static void put_word(FILE *f, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@,%=";

	if (*text && *text != '=' && !text[strspn(text, plain)]) {
		fputs(text, f);
	} else if (!all_seen(text)) {
		put_escaped(f, text);
	} else {
		fputc('\'', f);
		for (; *text; text++)
			fputs(*text == '\'' ? "'\\''" : (char[]){ *text, '\0' }, f);
		fputc('\'', f);
	}
}

/* Keeps TEXT for some calls. */
static const char *kept(char *text)
{
	static char *texts[16];
	static unsigned int next;
	char **at = &texts[next++ % ARRAY_SIZE(texts)];

	free(*at);
	return *at = text;
}

const char *quoted(const char *text)
{
	char *word;
	FILE *f = mem_open(&word);

	put_word(f, text);
	mem_close(f);
	return kept(word);
}

const char *quoted_all(const struct rx_strv *texts)
{
	char *words;
	FILE *f = mem_open(&words);
	size_t i;

	for (i = 0; i < texts->n; i++) {
		fputs(i ? " " : "", f);
		put_word(f, texts->v[i]);
	}
	mem_close(f);
	return kept(words);
}

const char *brief(const char *text)
{
	return kept(mem_text("%.60s%s", text, strlen(text) > 60 ? "..." : ""));
}

const char *shown(const char *text)
{
	return kept(visible(text));
}

char *text_utf8(const char *s)
{
	char *copy = mem_dup(s), *p;
	size_t len;
	uint32_t c;
	bool seen;

	for (p = copy; *p; p += len) {
		len = char_at(p, &c, &seen);
		if (!c)
			*p = '?';
	}
	return copy;
}
