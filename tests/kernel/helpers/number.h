/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as the helpers take them. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>
#include <stdlib.h>

/* With K, M, G or T behind it so many powers of 1024; what else is behind it is left alone. */
static uint64_t number(const char *s)
{
	char *end;
	uint64_t n = strtoull(s, &end, 0);

	switch (*end) {
	case 'T': n <<= 10; /* fall through */
	case 'G': n <<= 10; /* fall through */
	case 'M': n <<= 10; /* fall through */
	case 'K': n <<= 10;
	}
	return n;
}

#endif
