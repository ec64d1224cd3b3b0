// SPDX-License-Identifier: GPL-2.0-only
/* The keys of top, and what each does. */
#include <string.h>

#include "watch/keys.h"
#include "watch/top.h"

const struct rx_sort_key rx_sort_keys[SORTS] = {
	[SORT_NAME] = { "name", 'n', "name" },
	[SORT_IO] = { "io", 'i', "reads and writes per second" },
	[SORT_BYTES] = { "bytes", 'b', "bytes per second" },
	[SORT_HIT] = { "hit", 'h', "hit ratio" },
	[SORT_MEMORY] = { "memory", 'm', "memory used" },
	[SORT_LATENCY] = { "latency", 'l', "time that a read or write took" },
};

static const struct {
	const char *bytes;	/* after the escape */
	int key;
} sequences[] = {
	{ "[A", KEY_UP }, { "OA", KEY_UP },
	{ "[B", KEY_DOWN }, { "OB", KEY_DOWN },
	{ "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN },
	{ "[H", KEY_HOME }, { "OH", KEY_HOME },
	{ "[1~", KEY_HOME }, { "[7~", KEY_HOME },
	{ "[F", KEY_END }, { "OF", KEY_END },
	{ "[4~", KEY_END }, { "[8~", KEY_END },
};

/*
 * Returns the key that BYTE completes, or KEY_NONE. KEYS keeps the beginning of a
 * sequence for the next call.
 */
int keys_next(struct rx_keys *keys, int byte)
{
	size_t i;

	if (!keys->n && byte != 0x1b)
		return byte;
	/* Alt and a key, or Esc and then a key, mean the key. */
	if (keys->n == 1 && byte != '[' && byte != 'O') {
		keys->n = byte == 0x1b;
		return keys->n ? KEY_NONE : byte;
	}
	if (keys->n < sizeof(keys->pending) - 1)
		keys->pending[keys->n++] = byte;
	if (keys->n < 3 || (byte >= 0x20 && byte < 0x40))
		return KEY_NONE;
	keys->pending[keys->n] = '\0';
	keys->n = 0;
	for (i = 0; i < ARRAY_SIZE(sequences); i++)
		if (!strcmp(keys->pending + 1, sequences[i].bytes))
			return sequences[i].key;
	return KEY_NONE;
}

static const uint64_t intervals_ms[] = {
	100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000,
};

static void change_interval(struct rx_top *top, bool longer)
{
	uint64_t ms = top->interval_ns / 1000000;
	size_t i = 0, n = ARRAY_SIZE(intervals_ms);

	while (i < n && intervals_ms[i] < ms + longer)
		i++;
	if (longer ? i < n : i > 0)
		top->interval_ns = intervals_ms[longer ? i : i - 1] * 1000000;
}

static void scroll(struct rx_top *top, int key)
{
	size_t page = top->page ? top->page : 1;

	/* screen_draw() stops at the last page. */
	if (key == KEY_UP || key == 'k')
		top->first -= top->first > 0;
	else if (key == KEY_DOWN || key == 'j')
		top->first++;
	else if (key == KEY_PAGE_UP)
		top->first -= top->first < page ? top->first : page;
	else if (key == KEY_PAGE_DOWN)
		top->first += page;
	else if (key == KEY_HOME)
		top->first = 0;
	else if (key == KEY_END)
		top->first = SIZE_MAX / 2;
}

void keys_obey(struct rx_top *top, int key)
{
	int i;

	if (key == 'q' || key == 'Q') {
		top->quit = true;
		return;
	}
	if (top->help) {
		top->help = false;
		return;
	}
	for (i = 0; i < SORTS; i++)
		if (key == rx_sort_keys[i].key) {
			top->sort = i;
			top->first = 0;
		}
	switch (key) {
	case 'r':
		top->reverse = !top->reverse;
		top->first = 0;
		break;
	case 'd':
	case 'c':
	case 'a':
		top->disks = key != 'c';
		top->caches = key != 'd';
		top->first = 0;
		break;
	case 'p':
	case ' ':
		top->paused = !top->paused;
		break;
	case '+':
	case '-':
		change_interval(top, key == '+');
		break;
	case '?':
		top->help = true;
		break;
	default:
		scroll(top, key);
	}
}
