/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP for the unit tests: check() counts and prints, done() ends main(). */
#ifndef RX_TEST_H
#define RX_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int rx_tests, rx_failed;

#define check(ok, ...) do { \
	int good_ = !!(ok); \
	rx_tests++; \
	rx_failed += !good_; \
	printf("%sok %u ", good_ ? "" : "not ", rx_tests); \
	printf(__VA_ARGS__); \
	printf("%s\n", good_ ? "" : " # " __FILE__); \
} while (0)

#define check_str(got, want, ...) do { \
	const char *got_ = (got), *want_ = (want); \
	int same_ = got_ && !strcmp(got_, want_); \
	check(same_, __VA_ARGS__); \
	if (!same_) \
		printf("# got '%s', want '%s'\n", got_ ? got_ : "NULL", want_); \
} while (0)

static inline int done(void)
{
	printf("1..%u\n", rx_tests);
	printf("%u passed, %u failed\n", rx_tests - rx_failed, rx_failed);
	return rx_failed ? 1 : 0;
}

#endif
