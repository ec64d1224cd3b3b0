// SPDX-License-Identifier: GPL-2.0-only
/* The screen of top always has HEIGHT lines of WIDTH columns. */
#define _GNU_SOURCE
#include <locale.h>
#include <wchar.h>

#include "rx_test.h"
#include "watch/sample.h"
#include "watch/screen.h"

#define ROWS	50
#define LINES	100

static struct rx_rate rows[ROWS];
static struct rx_rates rates = {
	.rows = rows, .n = ROWS, .size = 1ULL << 40, .used = 3 << 20,
	.index = 4096, .memory = 1ULL << 34, .available = 1ULL << 33,
};

static void sample_rows(void)
{
	size_t i;

	for (i = 0; i < ROWS; i++) {
		rows[i] = (struct rx_rate){
			.family = RX_DISK, .state = "open", .used = 5 << 20, .hit = -1,
			.reads = 1000.0 * i, .read_bytes = 4096000.0 * i,
			.read_ns = 51234, .writes = 0, .write_ns = -1,
		};
		sprintf(rows[i].name, "rxd%zu", i);
	}
	rows[49] = (struct rx_rate){
		.family = RX_CACHE, .name = "rxc0", .state = "mismatch",
		.used = 1 << 29, .hit = 0.5, .reads = 12.34, .read_bytes = 1500000,
		.read_ns = 12345678, .writes = 2345678, .write_bytes = 1e12, .write_ns = 2e9,
	};
	strcpy(rows[49].origin, "/dev/mapper/data");
}

static struct rx_top new_top(void)
{
	return (struct rx_top){ .interval_ns = 2000000000, .time = "12:34:56" };
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
	struct rx_top top = new_top();

	screen_key(&top, 'h');
	draw(&screen, 90, 24, &top);
	check_str(line(&screen, 0), "rxadm top  12:34:56  every 2s  by HIT%  19 of 50 rows", "title");
	check_str(line(&screen, 1),
		  "memory  3M of 1T in disks, 4K in indexes; 8G of 16G available", "memory");
	check_str(line(&screen, 2), "", "nothing is wrong");
	rates.compressed = 3 << 20;
	rates.compressed_memory = 1 << 20;
	draw(&screen, 90, 24, &top);
	check_str(line(&screen, 2), "compressed  3M of blocks in 1M, 3.0 times smaller", "compression");
	rates.compressed_memory = 0;
	check_str(line(&screen, 3),
		  "NAME   STATE     HIT%    R/S RMIB/S    W/S WMIB/S R-TIME W-TIME   USED ORIGIN",
		  "heading");
	check(screen.reverse[3] && !screen.reverse[4], "heading stands out");
	check_str(line(&screen, 4),
		  "rxc0   mismatch  50.0   12.3   1.43   2.3M 953674   12ms   2.0s   512M /dev/mapper/data",
		  "a cache");
	check_str(line(&screen, 5),
		  "rxd0   open         -      0      0      0      0   51us      -     5M -", "a disk");
	check_str(line(&screen, 23),
		  "q quit  sort by:  n NAME  h HIT%  r R/S  w W/S  t R-TIME  u USED", "help");
	draw(&screen, 80, 24, &top);
	check(strstr(line(&screen, 4), "   512M /dev/mapp") && !strstr(screen.lines[4], "mappe"),
	      "the origin is cut to what is left");
	draw(&screen, 40, 24, &top);
	check_str(line(&screen, 3), "NAME   STATE     HIT%    R/S RMIB/S",
		  "columns that do not fit are left out");
	strcpy(rows[1].name, "rxd1048575");
	draw(&screen, 90, 55, &top);
	check_str(line(&screen, 0), "rxadm top  12:34:56  every 2s  by HIT%", "all rows fit");
	check(having(&screen, "rxd1048575 open         -  ") == 1, "a long name moves its own row only");
	free(screen.bytes);
	sample_rows();
}

static void test_sizes(void)
{
	static const size_t widths[] = { 1, 2, 5, 19, 20, 21, 33, 47, 60, 79,
					 80, 81, 100, 200, 500 };
	struct screen screen = { 0 };
	struct rx_top top = new_top();
	size_t w, h, y, bad = 0;
	int wrong;

	screen_key(&top, 'w');
	for (w = 0; w < ARRAY_SIZE(widths); w++) {
		for (h = 1; h <= 70; h++) {
			for (wrong = 0; wrong < 2; wrong++) {
				strcpy(top.message, wrong ? "wrong" : "");
				draw(&screen, widths[w], h, &top);
				for (y = 0; y < h; y++)
					bad += columns(screen.lines[y]) != widths[w];
				bad += widths[w] >= 20 && h >= 6 && having(&screen, "rxc0") != 1;
				bad += widths[w] >= 20 && h >= 6 &&
				       having(&screen, "wrong") != (size_t)wrong;
			}
		}
	}
	check(!bad, "every line of every size is whole (%zu are not)", bad);
	free(screen.bytes);
}

static void test_names(void)
{
	struct screen screen = { 0 };
	struct rx_top top = new_top();
	struct rx_rate *cache = &rows[0];

	screen_key(&top, 'h');
	draw(&screen, 120, 24, &top);
	check_str(cache->name, "rxc0", "sorted");
	strcpy(cache->origin, "/dev/a\033[2Jb\nc\xff" "d\xc2\x9b");
	strcpy(top.message, "x\033[2Jy");
	draw(&screen, 120, 24, &top);
	check(strstr(line(&screen, 4), " /dev/a?[2Jb?c?d?") &&
	      !strchr(screen.lines[4], '\033'), "a name can't move the cursor");
	check_str(line(&screen, 2), "x?[2Jy", "nor can words of the kernel");
	strcpy(cache->origin, "/dev/\xc3\xa4\xe6\x97\xa5");
	setlocale(LC_ALL, "C");
	draw(&screen, 120, 24, &top);
	check(strstr(screen.lines[4], "/dev/?????"), "without UTF-8");
	if (setlocale(LC_ALL, "C.UTF-8")) {
		draw(&screen, 120, 24, &top);
		check(strstr(screen.lines[4], cache->origin), "with UTF-8");
		check(columns(screen.lines[4]) == 120, "wide characters too");
	}
	free(screen.bytes);
	sample_rows();
}

static void order_is(int key, const char *want, const char *what)
{
	struct screen screen = { 0 };
	struct rx_top top = new_top();
	char got[256] = "";
	size_t i;

	screen_key(&top, key);
	draw(&screen, 80, 24, &top);
	for (i = 0; i < rates.n; i++)
		sprintf(got + strlen(got), "%s%s", i ? " " : "", rows[i].name);
	check_str(got, want, "%s", what);
	free(screen.bytes);
}

static void test_order(void)
{
	const struct rx_rate four[] = {
		{ RX_DISK, .name = "rxd2", .used = 5, .reads = 7, .writes = 1, .hit = -1,
		  .read_ns = 5 },
		{ RX_DISK, .name = "rxd10", .used = 9, .reads = 2, .writes = 0, .hit = -1,
		  .read_ns = -1 },
		{ RX_CACHE, .name = "rxc1", .used = RX_NONE, .reads = -1, .writes = -1, .hit = 0.2,
		  .read_ns = 20 },
		{ RX_CACHE, .name = "rxc0", .used = 7, .reads = 2, .writes = 3, .hit = 0.9,
		  .read_ns = 0 },
	};

	memcpy(rows, four, sizeof(four));
	rates.n = ARRAY_SIZE(four);
	order_is('n', "rxd2 rxd10 rxc0 rxc1", "by number, disks first");
	order_is('r', "rxd2 rxd10 rxc0 rxc1", "by reads");
	order_is('w', "rxc0 rxd2 rxd10 rxc1", "by writes");
	order_is('h', "rxc0 rxc1 rxd2 rxd10", "by hit ratio");
	order_is('u', "rxd10 rxc0 rxd2 rxc1", "by memory; what has none stays last");
	order_is('t', "rxc1 rxd2 rxc0 rxd10", "by the time of reads");
	order_is('x', "rxd2 rxd10 rxc0 rxc1", "no column");
	order_is(0, "rxd2 rxd10 rxc0 rxc1", "no key");
	rates.n = ROWS;
	sample_rows();
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	sample_rows();
	test_text();
	test_sizes();
	test_names();
	test_order();
	check(!broken, "each line is drawn once, and nothing else (%zu screens)",
	      broken);
	return done();
}
