/* SPDX-License-Identifier: GPL-2.0-only */
/* Historic spellings. */
#ifndef RXADM_LEGACY_H
#define RXADM_LEGACY_H

int legacy_rewrite(int *argc, char ***argv);

#endif
