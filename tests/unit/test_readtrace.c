// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the kernel's tracing: what is a read of the cache, and lines that come in parts. */
#include <fcntl.h>
#include <unistd.h>

#include "warm/readtrace.h"
#include "rx_test.h"

static char taken[256];

static void take(void *arg, uint64_t first, uint64_t blocks)
{
	size_t len = strlen(taken);

	(void)arg;
	snprintf(taken + len, sizeof(taken) - len, "%llu+%llu ", (unsigned long long)first,
		 (unsigned long long)blocks);
}

static void test_lines(void)
{
	static const char *const others[] = {
		"", "CPU:1 [LOST 12 EVENTS]", "rxcache_hit: 259,8 block 5 + 1",
		"rxcache_hit: 258,7 block 5 + 1", "rxcache_hit: 259,7 block", "hit: 259,7 block 5 + 1",
		"rxcache_hit: 259,7 block 5",
	};
	struct read_trace t = { .major = 259, .minor = 7 };
	uint64_t first, blocks;
	size_t i;

	check(readtrace_parse(&t, "rxcache_hit: 259,7 block 18446744073709551614 + 1", &first,
			      &blocks) && first == UINT64_MAX - 1 && blocks == 1, "a hit");
	check(readtrace_parse(&t, "rxcache_bypass: 259,7 block 12 + 3 reason=frozen", &first,
			      &blocks) && first == 12 && blocks == 3, "a read past the cache");
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		check(!readtrace_parse(&t, others[i], &first, &blocks), "no read: '%s'", others[i]);
}

/* Writes TEXT in pieces of LEN bytes, each of which is taken before the next one comes. */
static void in_pieces(const char *text, size_t len, const char *want)
{
	struct read_trace t = { .major = 1, .minor = 2 };
	size_t all = strlen(text), at, n;
	int ends[2];

	if (pipe2(ends, O_NONBLOCK))
		abort();
	t.pipe = ends[0];
	*taken = '\0';
	for (at = 0; at < all; at += n) {
		n = all - at < len ? all - at : len;
		if (write(ends[1], text + at, n) != (ssize_t)n)
			abort();
		readtrace_take(&t, take, NULL);
	}
	check(!readtrace_take(&t, take, NULL), "nothing more is there");
	check_str(taken, want, "in pieces of %zu bytes", len);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	static const char text[] = "rxcache_miss: 1,2 block 10 + 4\nCPU:0 [LOST 3 EVENTS]\n"
				   "rxcache_hit: 1,2 block 3 + 1\nrxcache_hit: 1,3 block 9 + 1\n"
				   "rxcache_join: 1,2 block 7 + 2\nrxcache_miss: 1,2 blo";
	char *endless = malloc(20001);
	size_t i;

	test_lines();
	for (i = 1; i < sizeof(text); i += 7)
		in_pieces(text, i, "10+4 3+1 7+2 ");
	memset(endless, 'x', 20000);
	strcpy(endless + 20000 - 32, "\nrxcache_miss: 1,2 block 10 + 4\n");
	in_pieces(endless, 1000, "10+4 ");
	free(endless);
	return done();
}
