// SPDX-License-Identifier: GPL-2.0-only
/* The screen of top always has HEIGHT lines of WIDTH columns. */
#define _GNU_SOURCE
#include <locale.h>
#include <wchar.h>

#include "base/quote.h"
#include "rx_test.h"
#include "verb/args.h"
#include "watch/keys.h"
#include "watch/screen.h"
#include "watch/top.h"

#define ROWS	50
#define LINES	100

static struct rx_rate rows[ROWS];
static struct rx_rates rates = {
	.rows = rows, .n = ROWS, .interval_ns = 1000000000,
	.total = {
		.disks = 49, .caches = 1, .size = 1ULL << 40, .used = 3 << 20,
		.index = 4096, .memory = 1ULL << 34, .free_now = 1ULL << 30,
		.available = 1ULL << 33, .reads = 1234.4,
		.read_bytes = 5 << 20, .writes = 7, .write_bytes = 0,
		.hit = 0.931,
	},
};

static void sample_rows(void)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		rows[i] = (struct rx_rate){
			.family = RX_DISK, .state = "open", .size = 1 << 30,
			.used = 5 << 20, .hit = -1, .hit_all = -1,
			.reads = 1000.0 * i, .read_bytes = 4096000.0 * i,
			.read_ns = 51234, .writes = 0, .write_ns = -1,
		};
		sprintf(rows[i].name, "rxd%zu", i);
	}
	rows[49] = (struct rx_rate){
		.family = RX_CACHE, .name = "rxc0", .state = "mismatch",
		.size = 1 << 30, .used = 1 << 29, .hit = 0.5, .hit_all = 0.25,
		.reads = 12.34, .read_bytes = 1500000, .read_ns = 12345678,
		.writes = 2345678, .write_bytes = 1e12, .write_ns = 2e9,
	};
	strcpy(rows[49].origin, "/dev/mapper/data");
}

static struct rx_top all(void)
{
	return (struct rx_top){
		.disks = true, .caches = true, .interval_ns = 2000000000,
		.time = "12:34:56",
	};
}

/* The lines that the bytes of a screen draw. */
struct screen {
	size_t height;
	char *bytes, *lines[LINES];
	bool reverse[LINES];
};

static size_t broken;		/* screens with other bytes than lines */

static bool skip(char **p, const char *text)
{
	size_t len = strlen(text);

	if (strncmp(*p, text, len))
		return false;
	memset(*p, 0, len);
	*p += len;
	return true;
}

static void draw(struct screen *screen, size_t width, size_t height,
		 struct rx_top *top)
{
	char at[32], *p;
	size_t y;
	bool whole;

	free(screen->bytes);
	screen->bytes = screen_draw(width, height, top, &rates);
	screen->height = height;
	whole = !strchr(screen->bytes, '\n');
	for (p = screen->bytes, y = 0; y < height; y++) {
		sprintf(at, "\033[%zu;1H", y + 1);
		whole &= skip(&p, at);
		screen->reverse[y] = skip(&p, "\033[7m");
		screen->lines[y] = p;
		p += strcspn(p, "\033");
		if (screen->reverse[y])
			whole &= skip(&p, "\033[m");
	}
	whole &= !*p;
	broken += !whole;
}

static size_t columns(const char *line)
{
	wchar_t wide[1024];

	return mbstowcs(wide, line, 1024) == (size_t)-1 ? 9999 :
	       (size_t)wcswidth(wide, 1024);
}

static char *line(struct screen *screen, size_t y)
{
	static char text[4096];
	size_t len;

	strcpy(text, screen->lines[y]);
	len = strlen(text);
	while (len && text[len - 1] == ' ')
		text[--len] = '\0';
	return text;
}

/* Returns how many of the screen's lines have TEXT. */
static size_t having(const struct screen *screen, const char *text)
{
	size_t y, n = 0;

	for (y = 0; y < screen->height; y++)
		n += !!strstr(screen->lines[y], text);
	return n;
}

static void test_text(void)
{
	struct screen screen = { 0 };
	struct rx_top top = all();

	top.sort = SORT_HIT;
	draw(&screen, 90, 24, &top);
	check_str(line(&screen, 0), "rxadm top  12:34:56  every 2s  by hit",
		  "title");
	check_str(line(&screen, 1),
		  "memory  3M of 1T in 49 disks, index of 1 cache 4K; 8G of 16G available, 1G free",
		  "memory");
	check_str(line(&screen, 2),
		  "total   1234 reads/s, 5.0 MiB/s; 7 writes/s, 0.0 MiB/s; hit 93.1%",
		  "total");
	check_str(line(&screen, 3), "", "nothing is wrong");
	check_str(line(&screen, 4),
		  "NAME   STATE     SIZE   USED  HIT%  ALL%   R/S RMIB/S   W/S WMIB/S  R-MS  W-MS ORIGIN",
		  "heading");
	check(screen.reverse[4] && !screen.reverse[5], "heading stands out");
	check_str(line(&screen, 5),
		  "rxc0   mismatch    1G   512M  50.0  25.0  12.3   1.43  2.3M 953674  12.3  2000 /dev/mapper",
		  "a cache; the origin is cut to what is left");
	check_str(line(&screen, 6),
		  "rxd0   open        1G     5M     -     -     0      0     0      0  0.05     - -",
		  "a disk");
	check_str(line(&screen, 23),
		  "1-18 of 50  q quit  ? help  sort: n i b h m l, r reverse  d disks  c caches  a all  p paus",
		  "foot");
	draw(&screen, 40, 24, &top);
	check_str(line(&screen, 4), "NAME   STATE      USED  HIT%   R/S   W/S",
		  "columns that do not fit are left out");
	free(screen.bytes);
}

static void test_sizes(void)
{
	static const size_t widths[] = { 1, 2, 5, 19, 20, 21, 33, 47, 60, 79,
					 80, 81, 100, 200, 500 };
	struct screen screen = { 0 };
	struct rx_top top;
	size_t w, h, y, bad = 0;
	int kind;

	for (w = 0; w < ARRAY_SIZE(widths); w++) {
		for (h = 1; h <= 70; h++) {
			for (kind = 0; kind < 4; kind++) {
				top = all();
				top.help = kind & 1;
				top.first = ROWS;
				strcpy(top.message, kind & 2 ? "wrong" : "");
				draw(&screen, widths[w], h, &top);
				for (y = 0; y < h; y++)
					bad += columns(screen.lines[y]) !=
					       widths[w];
				bad += widths[w] >= 20 && h >= 4 && !kind &&
				       having(&screen, "rxc0") != 1;
				bad += widths[w] >= 20 && h >= 4 && kind == 2 &&
				       having(&screen, "wrong") != 1;
			}
		}
	}
	check(!bad, "every line of every size is whole (%zu are not)", bad);
	draw(&screen, 15, 2, &top);
	check_str(line(&screen, 0), "needs 20x3", "too small");
	free(screen.bytes);
}

static void test_names(void)
{
	struct screen screen = { 0 };
	struct rx_top top = all();

	top.disks = false;
	strcpy(rows[49].origin, "/dev/a\033[2Jb\nc\xff" "d\xc2\x9b");
	strcpy(top.message, "x\033[2Jy");
	draw(&screen, 120, 24, &top);
	check(strstr(line(&screen, 5), " /dev/a?[2Jb?c?d?") &&
	      !strchr(screen.lines[5], '\033'), "a name can't move the cursor");
	check_str(line(&screen, 3), "x?[2Jy", "nor can words of the kernel");
	strcpy(rows[49].origin, "/dev/\xc3\xa4\xe6\x97\xa5");
	setlocale(LC_ALL, "C");
	draw(&screen, 120, 24, &top);
	check(strstr(screen.lines[5], "/dev/?????"), "without UTF-8");
	if (setlocale(LC_ALL, "C.UTF-8")) {
		draw(&screen, 120, 24, &top);
		check(strstr(screen.lines[5], rows[49].origin),
		      "with UTF-8");
		check(columns(screen.lines[5]) == 120, "wide characters too");
	}
	free(screen.bytes);
	sample_rows();
}

static void press(struct rx_top *top, const char *bytes)
{
	struct rx_keys keys = { .n = 0 };

	for (; *bytes; bytes++)
		keys_obey(top, keys_next(&keys, (unsigned char)*bytes));
}

static void test_scroll(void)
{
	struct screen screen = { 0 };
	struct rx_top top = all();

	draw(&screen, 80, 24, &top);
	check(top.page == 18, "a page is what fits");
	press(&top, "\033[B\033OBj");
	check(top.first == 3, "down");
	press(&top, "k\033[A\033[A\033[A\033[A");
	check(top.first == 0, "up, to the first");
	press(&top, "\033[6~");
	draw(&screen, 80, 24, &top);
	check(top.first == 18 && having(&screen, "rxd18 ") == 1 &&
	      having(&screen, "rxd17 ") == 0, "page down");
	press(&top, "\033[6~\033[6~\033[6~");
	draw(&screen, 80, 24, &top);
	check(top.first == 32 && having(&screen, "rxc0 ") == 1,
	      "not beyond the last page");
	press(&top, "\033[5~");
	check(top.first == 14, "page up");
	press(&top, "\033[H");
	check(top.first == 0, "home");
	press(&top, "\033[4~");
	draw(&screen, 80, 24, &top);
	check(top.first == 32, "end");
	press(&top, "c");
	draw(&screen, 80, 24, &top);
	check(top.first == 0 && having(&screen, "rxc0 ") == 1,
	      "what is left is shown from its begin");
	free(screen.bytes);
}

static void test_keys(void)
{
	struct rx_keys keys = { .n = 0 };
	struct rx_top top = all();
	const struct rx_opt *opt;
	struct rx_value value;
	char why[256];
	const char *p;
	int i, got = 0;

	for (opt = verb_find("top")->opts; strcmp(opt->name, "sort"); opt++)
		;
	for (i = 0; i < SORTS; i++) {
		keys_obey(&top, rx_sort_keys[i].key);
		check((int)top.sort == i, "sort by %s", rx_sort_keys[i].name);
		value = (struct rx_value){ .opt = opt, .text = rx_sort_keys[i].name };
		check(value_parse(&value, why, sizeof(why)) && (int)value.num == i,
		      "--sort %s", value.text);
	}
	press(&top, "r");
	check(top.reverse, "reverse");
	press(&top, "p");
	check(top.paused, "pause");
	press(&top, " ");
	check(!top.paused, "and on");
	press(&top, "d");
	check(top.disks && !top.caches, "disks only");
	press(&top, "c");
	check(!top.disks && top.caches, "caches only");
	press(&top, "a");
	check(top.disks && top.caches, "all");
	press(&top, "+");
	check(top.interval_ns == 5000000000, "a longer interval");
	press(&top, "++++++++");
	check(top.interval_ns == 60000000000, "the longest");
	press(&top, "-");
	check(top.interval_ns == 30000000000, "a shorter one");
	press(&top, "-------------");
	check(top.interval_ns == 100000000, "the shortest");
	press(&top, "?r");
	check(!top.help && top.reverse, "any key ends help, and no more");
	press(&top, "\033[1;5Bx\033[200~\033[[A\033\033[999999999999z\033[M");
	check(!top.quit && top.first == 0, "unknown sequences do nothing");
	for (p = "\033[6"; *p; p++)
		got += keys_next(&keys, *p);
	check(!got && keys_next(&keys, '~') == KEY_PAGE_DOWN,
	      "a sequence may come in pieces");
	press(&top, "\033q");
	check(top.quit, "Esc is no trap");
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	sample_rows();
	test_text();
	test_sizes();
	test_names();
	test_scroll();
	test_keys();
	check(!broken, "each line is drawn once, and nothing else (%zu screens)",
	      broken);
	return done();
}
