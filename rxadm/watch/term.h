/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WATCH_TERM_H
#define RXADM_WATCH_TERM_H

#include <stdbool.h>
#include <stddef.h>

bool term_usable(void);
bool term_open(void);
void term_close(void);
void term_stop(void);
void term_size(size_t *width, size_t *height);
int term_read(char *buf, size_t len);
bool term_write(const char *text);

#endif
