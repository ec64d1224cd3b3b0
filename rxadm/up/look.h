/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_LOOK_H
#define RXADM_UP_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/global.h"
#include "kernel/errtext.h"

struct rx_strv;
struct tab_line;
struct up_state;

bool look_there(enum rx_family family, const char *name, struct rx_err *err);
void look_for_shares(const struct tab_line *line, struct up_state *is);
int look_for_up(const struct tab_line *line, int64_t end, const struct rx_strv *planned,
		struct up_state *is);
int look_for_down(const char *verb, const struct tab_line *line, struct up_state *is);
void look_free(struct up_state *is);

#endif
