/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes, times and nodes: what people write and what they read. */
#ifndef RXADM_UNITS_H
#define RXADM_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/rxcache.h>

bool size_parse(const char *text, bool bare, uint64_t *bytes, char *why,
		size_t len);
/* How far to read ahead: "off", "auto", or a size of at least 4K. */
enum { AHEAD_OFF, AHEAD_AUTO, AHEAD_MIN = RXCACHE_AHEAD_MIN };
bool ahead_parse(const char *text, uint64_t *num, char *why, size_t len);
bool part_parse(const char *text, uint64_t *num, char *why, size_t len);
bool part_is_percent(const char *text);
uint64_t part_bytes(const char *text, uint64_t num, uint64_t whole);
uint64_t size_whole(uint64_t bytes);
char *size_print(uint64_t bytes, char *buf, size_t len);
char *size_exact(uint64_t bytes, char *buf, size_t len);
bool time_parse(const char *text, uint64_t *ns, char *why, size_t len);
char *time_print(uint64_t ns, char *buf, size_t len);
char *span_print(double ns, char *buf, size_t len);
char *time_now(char *buf, size_t len);

bool numa_parse(const char *text, uint64_t *node);

#endif
