/* SPDX-License-Identifier: GPL-2.0-only */
/* CRC32C, the checksum of iSCSI and ext4 (RFC 3720). */
#ifndef RXADM_CHECKSUM_H
#define RXADM_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of what had CRC, which is 0 for nothing, followed by DATA. */
uint32_t crc32c(uint32_t crc, const void *data, size_t len);
/* Returns the checksum of two texts, of which the second has LEN bytes, from those of each. */
uint32_t crc32c_join(uint32_t first, uint32_t second, uint64_t len);

/* For tests: the ways to compute it, of which this machine may have only the first. */
typedef uint32_t crc32c_way(uint32_t crc, const unsigned char *p, size_t len);
crc32c_way *crc32c_table_way(void), *crc32c_cpu_way(void);

#endif
