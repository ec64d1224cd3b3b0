/* SPDX-License-Identifier: GPL-2.0-only */
/* Terminals: what they can do, and colour for what is in trouble. */
#ifndef RXADM_TTY_H
#define RXADM_TTY_H

#include "base/global.h"

bool tty_can_move(int fd);
bool tty_is_ours(int fd);
size_t tty_width(int fd);

/* Put around a text in trouble. They are empty where FD gets no colour. */
const char *trouble_on(int fd);
const char *trouble_off(int fd);
bool trouble_word(const char *state);

#endif
