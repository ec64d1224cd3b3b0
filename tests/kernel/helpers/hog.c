// SPDX-License-Identifier: GPL-2.0-only
/*
 * hog BYTES [READY-FILE [holes]]
 *
 * A process with a working set: takes BYTES (K, M, G) of anonymous memory, fills them with words that say where they are,
 * makes READY-FILE and then goes through them again and again, one word of each page, until it gets SIGTERM. Exit status 0
 * if all of it was as it was left, in the end each word; 1 if not.
 * With "holes" it takes twice as much and gives every other page back: what is free then lies between its pages.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "number.h"

enum { PAGE = 4096, WORDS = PAGE / 8 };

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

/* An eighth of a page differs from word to word: a swap that compresses gains something, but not everything. */
static uint64_t word(uint64_t page, uint64_t i, uint64_t round)
{
	uint64_t place = page * WORDS + (i < WORDS / 8 ? i : WORDS / 8);

	return (place + 1) * 0x9e3779b97f4a7c15ull ^ (i ? 0 : round);
}

static int wrong(uint64_t page, uint64_t i, uint64_t got)
{
	printf("hog: word %llu of page %llu is %016llx\n", (unsigned long long)i, (unsigned long long)page,
	       (unsigned long long)got);
	return 1;
}

int main(int argc, char **argv)
{
	uint64_t pages, p, i, round = 0, stride = 1, *m;
	struct sigaction act = { .sa_handler = on_term };
	static char line[BUFSIZ];

	if (argc < 2)
		return 2;
	/* It needs no page once its memory is full, also where that was the last of the node that it is bound to. */
	setvbuf(stdout, line, _IOLBF, sizeof(line));
	if (mlockall(MCL_CURRENT)) {
		perror("hog: mlockall");
		return 2;
	}
	pages = number(argv[1]) / PAGE;
	if (argc > 3 && !strcmp(argv[3], "holes"))
		stride = 2;
	sigaction(SIGTERM, &act, NULL);
	m = mmap(NULL, pages * stride * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m == MAP_FAILED) {
		perror("hog");
		return 2;
	}
	if (stride > 1)
		madvise(m, pages * stride * PAGE, MADV_NOHUGEPAGE);
	for (p = 0; p < pages && !stop; p++) {
		for (i = 0; i < WORDS; i++)
			m[p * stride * WORDS + i] = word(p, i, round);
		if (stride > 1)
			m[(p * stride + 1) * WORDS] = 1;
	}
	pages = p;
	for (p = 0; stride > 1 && p < pages; p++)
		madvise(m + (p * stride + 1) * WORDS, PAGE, MADV_DONTNEED);
	if (argc > 2)
		close(open(argv[2], O_WRONLY | O_CREAT, 0644));
	while (!stop) {
		round++;
		/* Half of the pages stay as they are: what is in swap already need not be written again. */
		for (p = 0; p < pages && !stop; p++) {
			if (m[p * stride * WORDS + 1] != word(p, 1, 0))
				return wrong(p, 1, m[p * stride * WORDS + 1]);
			if (p % 2)
				m[p * stride * WORDS] = word(p, 0, round);
		}
		usleep(1000);
	}
	for (p = 0; p < pages; p++)
		for (i = 1; i < WORDS; i++)
			if (m[p * stride * WORDS + i] != word(p, i, 0))
				return wrong(p, i, m[p * stride * WORDS + i]);
	printf("hog: %llu pages, %llu rounds\n", (unsigned long long)pages, (unsigned long long)round);
	return 0;
}
