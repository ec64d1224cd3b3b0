// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the lines of /etc/rxtab, "NAME TYPE OPTIONS", one by one. Every mistake
 * becomes a note with the number of its line, and reading goes on, so that one
 * mistake does not hide the others.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "mem.h"
#include "rxtab.h"

#define LINE_MAX_LEN	4095
#define NUMBER_MAX	(1UL << 20)	/* of a disk or cache, in the kernel */

#define DISKS	(1 << RX_DISK)
#define CACHES	(1 << RX_CACHE)
#define BOTH	(DISKS | CACHES)

static const struct {
	struct rx_opt opt;
	int families;
} keys[TAB_KEYS] = {
	[TAB_SIZE] = { { "size", 0, OPT_SIZE, "4G", NULL }, BOTH },
	[TAB_ORIGIN] = { { "origin", 0, OPT_TEXT, "/dev/disk/by-id/...",
			   NULL }, CACHES },
	[TAB_DISK] = { { "disk", 0, OPT_TEXT, "rxd0", NULL }, CACHES },
	[TAB_QUEUES] = { { "queues", 0, OPT_COUNT, "4", NULL }, DISKS },
	[TAB_QUEUE_MODE] = { { "queue-mode", 0, OPT_CHOICE, "mq|bio", NULL },
			     DISKS },
	[TAB_BLOCK] = { { "block", 0, OPT_BYTES, "4K", NULL }, BOTH },
	[TAB_POLICY] = { { "policy", 0, OPT_CHOICE, "rx|clock", NULL },
			 CACHES },
	[TAB_MODE] = { { "mode", 0, OPT_CHOICE, "through|around", NULL },
		       CACHES },
	[TAB_NO_WRITE_ALLOCATE] = { { "no-write-allocate", 0, OPT_FLAG, NULL,
				      NULL }, CACHES },
	[TAB_FLOOR] = { { "floor", 0, OPT_SIZE, "512M", NULL }, CACHES },
	[TAB_READ_ONLY] = { { "read-only", 0, OPT_FLAG, NULL, NULL }, BOTH },
	[TAB_TIMEOUT] = { { "timeout", 0, OPT_SECONDS, "30s", NULL }, BOTH },
	[TAB_NOAUTO] = { { "noauto", 0, OPT_FLAG, NULL, NULL }, BOTH },
	[TAB_NETDEV] = { { "_netdev", 0, OPT_FLAG, NULL, NULL }, BOTH },
	[TAB_INITRAMFS] = { { "initramfs", 0, OPT_FLAG, NULL, NULL }, BOTH },
	[TAB_NOFAIL] = { { "nofail", 0, OPT_FLAG, NULL, NULL }, BOTH },
};

const char *tab_key_name(enum tab_key key)
{
	return keys[key].opt.name;
}

bool tab_key_is_flag(enum tab_key key)
{
	return keys[key].opt.type == OPT_FLAG;
}

/* "rxd" or "rxc" and a number as the kernel writes it. */
static bool tab_name(const char *text, enum rx_family *family)
{
	const char *digits = text + 3;

	if ((strncmp(text, "rxd", 3) && strncmp(text, "rxc", 3)) || !*digits ||
	    digits[strspn(digits, "0123456789")] ||
	    (*digits == '0' && digits[1]) || strlen(digits) > 7 ||
	    strtoul(digits, NULL, 10) >= NUMBER_MAX)
		return false;
	*family = text[2] == 'd' ? RX_DISK : RX_CACHE;
	return true;
}

/* /dev/rxcN or a partition of it, also by the name that udev's rules give it. */
bool tab_origin_is_cache(const char *path)
{
	static const char *const names[] = {
		"/dev/rxc", "/dev/disk/by-id/rx-rxc",
	};
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		len = strlen(names[i]);
		if (!strncmp(path, names[i], len) && path[len] >= '0' &&
		    path[len] <= '9')
			return true;
	}
	return false;
}

/* "invalid x; say y" as "invalid x (say y)". */
static void bad_value(struct rx_tab *tab, struct tab_line *line,
		      const char *why)
{
	const char *next = strstr(why, "; ");

	if (next)
		tab_wrong(tab, line, "%.*s (%s)", (int)(next - why), why, next + 2);
	else
		tab_wrong(tab, line, "%s", why);
}

static void unknown_key(struct rx_tab *tab, struct tab_line *line,
			const char *key)
{
	struct rx_strv names = { 0 };
	const char *near;
	bool known = false;
	char *list;
	size_t i;

	for (i = 0; i < TAB_KEYS; i++) {
		if (keys[i].families & 1 << line->family)
			strv_add(&names, keys[i].opt.name);
		known |= !strcmp(keys[i].opt.name, key);
	}
	near = nearest(key, (const char *const *)names.v, names.n);
	list = strv_join(&names, ", ");
	if (known)
		tab_wrong(tab, line, "option '%s' is not for a %s (%s)", key,
			  line->family == RX_DISK ? "disk" : "cache", list);
	else if (near)
		tab_wrong(tab, line, "unknown option '%s', did you mean '%s'? (%s)",
			  key, near, list);
	else
		tab_wrong(tab, line, "unknown option '%s' (%s)", key, list);
	free(list);
	strv_free(&names);
}

/* Such a name comes from data on the device, so the cache has it as well. */
bool tab_origin_moves(const char *path)
{
	static const char *const moving[] = {
		"/dev/disk/by-uuid/", "/dev/disk/by-label/",
		"/dev/disk/by-partuuid/", "/dev/disk/by-partlabel/",
		"/dev/disk/by-id/lvm-pv-uuid-",
		"UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moving); i++)
		if (!strncmp(path, moving[i], strlen(moving[i])))
			return true;
	return false;
}

static void check_origin(struct rx_tab *tab, struct tab_line *line)
{
	const char *path = line->text[TAB_ORIGIN];

	if (tab_origin_moves(path))
		tab_wrong(tab, line,
		    "origin '%s' comes to mean the cache once it is mapped (/dev/disk/by-id/... or /dev/disk/by-path/...)",
		    path);
	else if (strncmp(path, "/dev/", 5) || !path[5])
		tab_wrong(tab, line,
		    "origin '%s' is no device (/dev/disk/by-id/..., /dev/disk/by-path/... or /dev/mapper/...)",
		    path);
	else if (strstr(path, "//") || strstr(path, "/./") ||
		 strstr(path, "/../") || path[strlen(path) - 1] == '/')
		tab_wrong(tab, line,
		    "origin '%s' is no plain path (neither //, /./, /../ nor / at the end)",
		    path);
	else if (tab_origin_is_cache(path))
		tab_wrong(tab, line,
		    "origin '%s' is a cache itself (the device below it)",
		    path);
}

static void check_value(struct rx_tab *tab, struct tab_line *line,
			enum tab_key key)
{
	uint64_t num = line->num[key];
	enum rx_family family;

	switch (key) {
	case TAB_ORIGIN:
		check_origin(tab, line);
		break;
	case TAB_DISK:
		if (!tab_name(line->text[key], &family) || family != RX_DISK)
			tab_wrong(tab, line, "disk '%s' is no name of a disk (rxd0, rxd1 ...)",
			    line->text[key]);
		break;
	case TAB_SIZE:
	case TAB_TIMEOUT:
		if (num < (key == TAB_SIZE ? 1 : 1000000))
			tab_wrong(tab, line, "%s '%s' is too small (for example %s)",
			    keys[key].opt.name, line->text[key],
			    keys[key].opt.arg);
		break;
	case TAB_QUEUES:
		if (num > 64)
			tab_wrong(tab, line, "queues '%s' are too many (1 to 64)",
			    line->text[key]);
		break;
	case TAB_BLOCK:
		if (line->family == RX_DISK && num != 512 && num != 4096)
			tab_wrong(tab, line, "block '%s' is none of a disk (512, 4K)",
			    line->text[key]);
		if (line->family == RX_CACHE &&
		    (num < 4096 || num > 65536 || num & (num - 1)))
			tab_wrong(tab, line,
			    "block '%s' is none of a cache (4K, 8K, 16K, 32K, 64K)",
			    line->text[key]);
		break;
	default:
		break;
	}
}

/* "key" or "key=value". */
static void parse_option(struct rx_tab *tab, struct tab_line *line, char *word)
{
	struct rx_value value = { .num = RX_NONE };
	char *text = strchr(word, '='), why[256];
	enum tab_key key;

	if (text)
		*text++ = '\0';
	if (!*word) {
		tab_wrong(tab, line, "empty option (one comma between options, none at the end)");
		return;
	}
	for (key = 0; key < TAB_KEYS; key++)
		if (keys[key].families & 1 << line->family &&
		    !strcmp(keys[key].opt.name, word))
			break;
	if (key == TAB_KEYS) {
		unknown_key(tab, line, word);
		return;
	}
	if (tab_key_is_flag(key) && text) {
		tab_wrong(tab, line, "option '%s' takes no value (%s)", word, word);
		return;
	}
	if (!tab_key_is_flag(key) && (!text || !*text)) {
		tab_wrong(tab, line, "option '%s' needs a value (%s=%s)", word, word,
		    keys[key].opt.arg);
		return;
	}
	if (line->text[key]) {
		tab_wrong(tab, line, "option '%s' is given twice (once)", word);
		return;
	}
	value.opt = &keys[key].opt;
	value.text = line->text[key] = text ? text : "";
	if (!value_parse(&value, why, sizeof(why))) {
		bad_value(tab, line, why);
		return;
	}
	line->num[key] = value.num;
	check_value(tab, line, key);
}

static void check_options(struct rx_tab *tab, struct tab_line *line)
{
	bool size = line->text[TAB_SIZE], disk = line->text[TAB_DISK];

	if (line->family == RX_DISK && !size)
		tab_wrong(tab, line, "size is missing (size=1G)");
	if (line->family == RX_CACHE && !line->text[TAB_ORIGIN])
		tab_wrong(tab, line, "origin is missing (origin=/dev/disk/by-id/...)");
	if (line->family == RX_CACHE && !size && !disk)
		tab_wrong(tab, line,
		    "size and disk are missing, one is needed (size=4G for a disk of its own, disk=rxd0 for that of another line)");
	if (size && disk)
		tab_wrong(tab, line,
		    "size and disk exclude each other (size=%s for a disk of its own, disk=%s for that of another line)",
		    line->text[TAB_SIZE], line->text[TAB_DISK]);
	if (line->text[TAB_INITRAMFS] && line->text[TAB_NOAUTO])
		tab_wrong(tab, line,
		    "initramfs and noauto exclude each other (initramfs is before everything, noauto is not at boot)");
	if (line->text[TAB_QUEUES] && line->text[TAB_QUEUE_MODE] &&
	    !strcmp(line->text[TAB_QUEUE_MODE], "bio"))
		tab_wrong(tab, line,
		    "queues and queue-mode=bio exclude each other (such a disk has no queues)");
}

static bool parse_type(struct rx_tab *tab, struct tab_line *line,
		       const char *name, const char *type)
{
	static const char *const types[] = { "disk", "cache" };
	const char *near = nearest(type, types, ARRAY_SIZE(types)), *kind;
	enum rx_family family;

	if (strcmp(type, "disk") && strcmp(type, "cache")) {
		if (near)
			tab_wrong(tab, line, "unknown type '%s', did you mean '%s'? (disk, cache)",
			      type, near);
		else
			tab_wrong(tab, line, "unknown type '%s' (disk, cache)",
			      type);
		return false;
	}
	line->family = *type == 'd' ? RX_DISK : RX_CACHE;
	kind = line->family == RX_DISK ? "rxd" : "rxc";
	if (!tab_name(name, &family) || family != line->family) {
		tab_wrong(tab, line, "'%s' is no name of a %s (%s0, %s1 ...)", name,
		      type, kind, kind);
		return false;
	}
	snprintf(line->name, sizeof(line->name), "%.16s", name);
	return true;
}

/* TEXT is one line, without its end, that is neither empty nor a comment. */
static void parse_line(struct rx_tab *tab, struct tab_line *line, char *text)
{
	char *field[4] = { NULL }, *word;
	size_t n = 0;

	while (n < ARRAY_SIZE(field) && (word = strsep(&text, " \t"))) {
		if (*word == '#')
			break;
		if (*word)
			field[n++] = word;
	}
	if (n < 3) {
		tab_wrong(tab, line, "%zu of three fields (NAME TYPE OPTIONS)", n);
		return;
	}
	if (!parse_type(tab, line, field[0], field[1]))
		return;
	if (n > 3)
		tab_wrong(tab, line,
		      "'%s' follows the options (NAME TYPE OPTIONS, no blanks between options)",
		      field[3]);
	while ((word = strsep(&field[2], ",")))
		parse_option(tab, line, word);
	if (!line->bad)
		check_options(tab, line);
}

/* Checks the characters of a line. Returns false if it can't be parsed. */
static bool check_bytes(struct rx_tab *tab, struct tab_line *line, char *text,
			size_t len)
{
	size_t i;

	if (text[len - 1] == '\r') {
		tab_wrong(tab, line, "the line ends in CR LF (LF alone: sed -i 's/\\r$//' %s)",
		      tab->path);
		text[--len] = '\0';
	}
	if (len > LINE_MAX_LEN) {
		tab_wrong(tab, line, "the line is too long: %zu characters (%d)",
		      len, LINE_MAX_LEN);
		return false;
	}
	for (i = 0; i < len; i++) {
		if (((unsigned char)text[i] >= 0x20 && text[i] != 0x7f) ||
		    text[i] == '\t')
			continue;
		tab_wrong(tab, line, "control character 0x%02x (printable characters, blanks and tabs)",
		      (unsigned char)text[i]);
		return false;
	}
	return true;
}

static void add_line(struct rx_tab *tab, unsigned int nr, char *text,
		     const char *end)
{
	struct tab_line line = { .nr = nr };

	text += strspn(text, " \t");
	if (text == end || *text == '#' || (*text == '\r' && text + 1 == end) ||
	    !check_bytes(tab, &line, text, end - text))
		return;
	parse_line(tab, &line, text);
	if (!*line.name)
		return;
	tab->lines = mem_grow(tab->lines, tab->n_lines, sizeof(*tab->lines));
	tab->lines[tab->n_lines++] = line;
}

/* Fills TAB, which keeps PATH; tab_free() ends it. */
void tab_parse(struct rx_tab *tab, const char *path, const char *text,
	       size_t len)
{
	char *p, *end, *last;
	unsigned int nr = 0;

	*tab = (struct rx_tab){ .path = path, .text = mem_zero(len + 1, 1) };
	memcpy(tab->text, text, len);
	last = tab->text + len;
	for (p = tab->text; p < last; p = end + 1) {
		end = memchr(p, '\n', last - p);
		nr++;
		if (!end) {
			end = last;
			tab_note(tab, NULL, nr, false,
				 "the file does not end in a newline; is it complete?");
		}
		*end = '\0';
		add_line(tab, nr, p, end);
	}
	tab_check_lines(tab);
}
