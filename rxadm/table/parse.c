// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the lines of /etc/rxtab, "NAME TYPE OPTIONS", one by one. Every mistake
 * becomes a note with the number of its line, and reading goes on, so that one
 * mistake does not hide the others.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "base/quote.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/units.h"
#include "base/value.h"
#include "kernel/name.h"
#include "kernel/request.h"
#include "system/address.h"
#include "table/export.h"
#include "table/image.h"
#include "table/parse.h"
#include "table/table.h"

#define LINE_MAX_LEN	4095
#define LINES_MAX	4096	/* disks and caches: checks compare each with all others */
#define ERRORS_MAX	1000	/* printed at boot; a file of these is no table */

#define DISKS	(1 << RX_DISK)
#define CACHES	(1 << RX_CACHE)
#define BOTH	(DISKS | CACHES)

#define KEY(name, type, sample, families) \
	{ { name, 0, type, sample, NULL }, families }

static const struct {
	struct rx_opt opt;
	int families;
} keys[TAB_KEYS] = {
	[TAB_SIZE] = KEY("size", OPT_SIZE, "4G", BOTH),
	[TAB_ORIGIN] = KEY("origin", OPT_TEXT, "/dev/disk/by-id/...", CACHES),
	[TAB_DISK] = KEY("disk", OPT_TEXT, "rxd0", CACHES),
	[TAB_QUEUES] = KEY("queues", OPT_COUNT, "4", DISKS),
	[TAB_QUEUE_MODE] = KEY("queue-mode", OPT_CHOICE, "mq|bio", DISKS),
	[TAB_BLOCK] = KEY("block", OPT_BYTES, "4K", BOTH),
	[TAB_MODE] = KEY("mode", OPT_CHOICE, "through|around", CACHES),
	[TAB_NO_WRITE_ALLOCATE] = KEY("no-write-allocate", OPT_FLAG, NULL, CACHES),
	[TAB_FLOOR] = KEY("floor", OPT_SIZE, "512M", CACHES),
	[TAB_MIN_SHARE] = KEY("min-share", OPT_PART, "25%", CACHES),
	[TAB_MAX_SHARE] = KEY("max-share", OPT_MOST, "50%", CACHES),
	[TAB_NUMA] = KEY("numa", OPT_NODE, "NODE|interleave", DISKS),
	[TAB_PREALLOC] = KEY("prealloc", OPT_FLAG, NULL, DISKS),
	[TAB_ZERO_DETECT] = KEY("zero-detect", OPT_FLAG, NULL, DISKS),
	[TAB_LIMIT] = KEY("limit", OPT_SIZE, "1G", DISKS),
	[TAB_READ_ONLY] = KEY("read-only", OPT_FLAG, NULL, CACHES),
	[TAB_READ_AHEAD] = KEY("read-ahead", OPT_AHEAD, "auto|off|512K", CACHES),
	[TAB_COMPRESS] = KEY("compress", OPT_CHOICE, "off|lz4|zstd|auto", CACHES),
	[TAB_WARM] = KEY("warm", OPT_FLAG, NULL, CACHES),
	[TAB_TIMEOUT] = KEY("timeout", OPT_TIME, "30s", BOTH),
	[TAB_NOAUTO] = KEY("noauto", OPT_FLAG, NULL, BOTH),
	[TAB_NETDEV] = KEY("_netdev", OPT_FLAG, NULL, BOTH),
	[TAB_INITRAMFS] = KEY("initramfs", OPT_FLAG, NULL, BOTH),
	[TAB_EXPORT] = KEY("export", OPT_TEXTS, "tcp:192.0.2.1:4420", BOTH),
	[TAB_NQN] = KEY("nqn", OPT_TEXT, "nqn.2024-01.com.example:store", BOTH),
	[TAB_HOST] = KEY("host", OPT_TEXTS, "HOSTNQN", BOTH),
	[TAB_ANY_HOST] = KEY("any-host", OPT_FLAG, NULL, BOTH),
	[TAB_IMAGE] = KEY("image", OPT_TEXT, "/var/lib/rxdsk/rxd0.img", DISKS),
	[TAB_SAVE] = KEY("save", OPT_TEXT, "stop|15m", DISKS),
};

/* Adds the line's name and its options that attach and map have too. */
void tab_put_options(const struct tab_line *line, struct rx_strv *words)
{
	enum tab_key key;

	strv_add(words, "--name");
	strv_add(words, line->name);
	for (key = 0; key < TAB_COMMANDS; key++) {
		if (!line->text[key] || key == TAB_ORIGIN || key == TAB_DISK ||
		    (key == TAB_SIZE && line->family == RX_DISK))
			continue;
		strv_print(words, "--%s", keys[key].opt.name);
		if (keys[key].opt.type != OPT_FLAG)
			strv_add(words, line->text[key]);
	}
}

void tab_request(const struct tab_line *line, struct rx_req *req)
{
	struct rx_value value;
	enum tab_key key;

	req_init(req, line->family, line->family == RX_DISK ? (uint8_t)RXDSK_CMD_DISK_NEW :
							      (uint8_t)RXCACHE_CMD_CACHE_NEW);
	if (line->family == RX_CACHE)
		req_text(req, RXCACHE_A_CACHE_ORIGIN, line->real ? line->real :
						      line->text[TAB_ORIGIN]);
	if (line->disk)
		req_num(req, RXCACHE_A_CACHE_SIZE, tab_disk_size(line->disk));
	for (key = 0; key < TAB_COMMANDS; key++) {
		value = (struct rx_value){ &keys[key].opt, line->text[key], line->num[key] };
		if (value.text)
			req_value(req, &value);
	}
}

/*
 * Tells whether PATH is /dev/rxcN or a partition of it, also by the name that udev's
 * rules give it.
 */
bool tab_origin_is_cache(const char *path)
{
	static const char *const names[] = {
		"/dev/rxc[0-9]*", "/dev/disk/by-id/rx-rxc[0-9]*", NULL,
	};

	return matches_any(path, names);
}

static void unknown_key(struct rx_tab *tab, struct tab_line *line,
			const char *key)
{
	struct rx_strv names = { 0 };
	const char *near;
	bool known = false;
	char *list;
	size_t i;

	if (!strcmp(key, "nofail")) {
		tab_wrong(tab, line, "option 'nofail' is for fstab; a boot goes on without a line that fails (leave it out)");
		return;
	}
	for (i = 0; i < TAB_KEYS; i++) {
		if (keys[i].families & 1 << line->family)
			strv_add(&names, keys[i].opt.name);
		known |= !strcmp(keys[i].opt.name, key);
	}
	near = nearest(key, (const char *const *)names.v, names.n);
	list = strv_join(&names, ", ");
	if (known)
		tab_wrong(tab, line, "option '%s' is not for a %s (%s)", key,
			  family_nouns[line->family], list);
	else if (near)
		tab_wrong(tab, line, "unknown option '%s', did you mean '%s'? (%s)",
			  key, near, list);
	else
		tab_wrong(tab, line, "unknown option '%s' (%s)", key, list);
	free(list);
	strv_free(&names);
}

/*
 * Tells whether PATH is a name that comes from data on the device, so that the cache has
 * the name too.
 */
bool tab_origin_moves(const char *path)
{
	static const char *const moving[] = {
		"/dev/disk/by-uuid/*", "/dev/disk/by-label/*",
		"/dev/disk/by-partuuid/*", "/dev/disk/by-partlabel/*",
		"/dev/disk/by-id/lvm-pv-uuid-*",
		"UUID=*", "LABEL=*", "PARTUUID=*", "PARTLABEL=*", NULL,
	};

	return matches_any(path, moving);
}

static const char *origin_wrong(const char *path)
{
	if (tab_origin_moves(path))
		return "comes to mean the cache once it is mapped (/dev/disk/by-id/... or /dev/disk/by-path/...)";
	if (strncmp(path, "/dev/", 5) || !path[5])
		return "is no device (/dev/disk/by-id/..., /dev/disk/by-path/... or /dev/mapper/...)";
	if (strstr(path, "//") || strstr(path, "/./") || strstr(path, "/../") ||
	    path[strlen(path) - 1] == '/')
		return "is no plain path (neither //, /./, /../ nor / at the end)";
	if (tab_origin_is_cache(path))
		return "is a cache itself (the device below it)";
	return NULL;
}

/* Returns what is wrong with a value that could be read, or NULL if nothing is. */
static const char *value_wrong(struct tab_line *line, enum tab_key key)
{
	uint64_t num = line->num[key];
	struct rx_port port;
	char why[256];

	switch (key) {
	case TAB_ORIGIN:
		return origin_wrong(line->text[key]);
	case TAB_DISK:
		return name_is_new(line->text[key], RX_DISK) ? NULL :
			"is no name of a disk (rxd0, rxd1 ...)";
	case TAB_TIMEOUT:
		return num >= 1000000 ? NULL : "is too small (for example 30s)";
	case TAB_EXPORT:
		return tab_export_parse(line->text[key], &port) ? NULL :
			"is not TRANSPORT:ADDR:PORT (tcp:192.0.2.1:4420, tcp:[2001:db8::1], rdma:..., loop)";
	case TAB_NQN:
	case TAB_HOST:
		return nqn_check(line->text[key], why, sizeof(why)) ? NULL :
			"is no NQN (nqn.2014-08.org.nvmexpress:uuid:..., nqn.2024-01.com.example:store)";
	case TAB_IMAGE:
		return tab_image_wrong(line->text[key]);
	case TAB_SAVE:
		return tab_save_wrong(line->text[key], &line->num[key]);
	default:
		return NULL;
	}
}

static void parse_value(struct rx_tab *tab, struct tab_line *line,
			enum tab_key key, const char *text)
{
	struct rx_value value = { .opt = &keys[key].opt, .text = text,
				  .num = keys[key].opt.type == OPT_FLAG ? 1 : RX_NONE };
	char why[256];
	const char *wrong;

	line->text[key] = text;
	line->num[key] = RX_NONE;
	if (key == TAB_EXPORT || key == TAB_HOST)
		strv_add(key == TAB_HOST ? &line->hosts : &line->exports, text);
	if (!value_parse(&value, why, sizeof(why))) {
		tab_say(tab, line, true, why);
		return;
	}
	line->num[key] = value.num;
	wrong = value_wrong(line, key);
	if (wrong)
		tab_wrong(tab, line, "%s '%s' %s", value.opt->name, text, wrong);
}

/* Reads "key" or "key=value". */
static void parse_option(struct rx_tab *tab, struct tab_line *line, char *word)
{
	char *text = strchr(word, '=');
	enum tab_key key;
	bool flag;

	if (text)
		*text++ = '\0';
	for (key = 0; key < TAB_KEYS; key++)
		if (keys[key].families & 1 << line->family &&
		    !strcmp(keys[key].opt.name, word))
			break;
	flag = key < TAB_KEYS && keys[key].opt.type == OPT_FLAG;
	if (!*word)
		tab_wrong(tab, line, "empty option (one comma between options, none at the end)");
	else if (key == TAB_KEYS)
		unknown_key(tab, line, word);
	else if (flag && text)
		tab_wrong(tab, line, "option '%s' takes no value (%s)", word, word);
	else if (!flag && (!text || !*text))
		tab_wrong(tab, line, "option '%s' needs a value (%s=%s)", word, word,
			  keys[key].opt.arg);
	else if (line->text[key] && keys[key].opt.type != OPT_TEXTS)
		tab_wrong(tab, line, "option '%s' is given twice (once)", word);
	else
		parse_value(tab, line, key, flag ? "" : text);
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
}

static bool parse_type(struct rx_tab *tab, struct tab_line *line,
		       const char *name, const char *type)
{
	const char *near = nearest(type, family_nouns, RX_FAMILIES), *prefix;

	while (line->family < RX_FAMILIES &&
	       strcmp(type, family_nouns[line->family]))
		line->family++;
	if (line->family == RX_FAMILIES) {
		if (near)
			tab_wrong(tab, line, "unknown type '%s', did you mean '%s'? (disk, cache)",
				  type, near);
		else
			tab_wrong(tab, line, "unknown type '%s' (disk, cache)", type);
		return false;
	}
	prefix = family_prefixes[line->family];
	if (!name_is_new(name, line->family)) {
		tab_wrong(tab, line, "'%s' is no name of a %s (%s0, %s1 ...)", name,
			  type, prefix, prefix);
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

	word = strtok(text, " \t");
	for (; word && *word != '#' && n < ARRAY_SIZE(field); n++) {
		field[n] = word;
		word = strtok(NULL, " \t");
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

static const char *unseen_name(uint32_t c)
{
	return c == 0xfeff ? "byte order mark" : c == 0xa0 ? "no-break space" :
	       c == 0x200b ? "zero width space" : "character that is no plain blank";
}

/*
 * Refuses characters that people take for a blank, or do not see: the line would be about
 * something else than it seems to be. The path of an image may have them, and bytes that
 * are no UTF-8 may be anywhere.
 */
static bool check_seen(struct rx_tab *tab, struct tab_line *line, const char *text)
{
	const char *p, *word = text;
	char bytes[8] = "";
	uint32_t c;
	size_t n;
	bool seen;

	for (p = text; *p && !(*p == '#' && p == word); p += n) {
		n = char_at(p, &c, &seen);
		if (strchr(" \t,", *p))
			word = p + 1;
		if (seen || !c || *p == '\t' || !strncmp(word, "image=", 6))
			continue;
		memcpy(bytes, p, n);
		tab_wrong(tab, line, "%s (U+%04X) in '%.*s' (%s: LC_ALL=C sed -i '%us/%s/%s/g' %s)",
			  unseen_name(c), c, (int)strcspn(word, " \t,"), word,
			  c == 0xfeff ? "none" : "a plain blank", line->nr, shown(bytes),
			  c == 0xfeff ? "" : " ", quoted(tab->path));
		return false;
	}
	return true;
}

/* Checks the characters of a line. Returns false if it can't be parsed. */
static bool check_bytes(struct rx_tab *tab, struct tab_line *line, char *text,
			size_t len)
{
	unsigned char c;
	size_t i;

	if (text[len - 1] == '\r') {
		tab_wrong(tab, line, "the line ends in CR LF (LF alone: sed -i 's/\\r$//' %s)",
		      quoted(tab->path));
		text[--len] = '\0';
	}
	if (len > LINE_MAX_LEN) {
		tab_wrong(tab, line, "the line is too long: %zu characters (%d)",
		      len, LINE_MAX_LEN);
		return false;
	}
	for (i = 0; i < len; i++) {
		c = text[i];
		if (c != '\t' && (c < 0x20 || c == 0x7f)) {
			tab_wrong(tab, line, "control character 0x%02x (printable characters, blanks and tabs)",
				  c);
			return false;
		}
	}
	return check_seen(tab, line, text);
}

static void add_line(struct rx_tab *tab, struct tab_line *line, char *text,
		     const char *end)
{
	text += strspn(text, " \t");
	if (text == end || *text == '#' || (*text == '\r' && text + 1 == end) ||
	    !check_bytes(tab, line, text, end - text))
		return;
	parse_line(tab, line, text);
	if (!*line->name)
		return;
	tab->lines = mem_grow(tab->lines, tab->n_lines, sizeof(*tab->lines));
	tab->lines[tab->n_lines++] = *line;
}

void tab_parse_lines(struct rx_tab *tab, const char *path, const char *text, size_t len)
{
	struct tab_line line;
	char *p, *end, *last;
	unsigned int nr = 0;

	*tab = (struct rx_tab){ .path = path, .text = mem_zero(len + 1, 1) };
	memcpy(tab->text, text, len);
	last = tab->text + len;
	for (p = tab->text; p < last; p = end + 1) {
		line = (struct tab_line){ .nr = ++nr, .tab = path };
		if (tab->n_lines == LINES_MAX || tab->n_errors >= ERRORS_MAX) {
			tab_wrong(tab, &line, "the table is not read from here on (%d disks and caches, and fewer than %d errors)",
				  LINES_MAX, ERRORS_MAX);
			break;
		}
		end = memchr(p, '\n', last - p);
		if (!end) {
			end = last;
			tab_warn(tab, &line, "the file does not end in a newline; is it complete?");
		}
		*end = '\0';
		add_line(tab, &line, p, end);
	}
}
