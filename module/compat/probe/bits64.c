// SPDX-License-Identifier: GPL-2.0-only
/* Must compile, or the kernel is refused: the code relies on 64 bits, see compat.h. */
#include <linux/types.h>

#ifndef CONFIG_64BIT
#error "rxdsk and rxcache need a 64-bit kernel"
#endif

u64 rx_probe(void);
u64 rx_probe(void)
{
	return BITS_PER_LONG;
}
