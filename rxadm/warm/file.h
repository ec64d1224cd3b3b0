/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of lists of blocks. */
#ifndef RXADM_WARMFILE_H
#define RXADM_WARMFILE_H

#include "warm/blocklist.h"

#define WARM_DIR	"/var/lib/rxdsk"

char *warm_file(const char *identity);
int warm_make_dir(void);
int warm_read(const char *path, uint64_t most, struct warm_list *list, const char **wrong);

#endif
