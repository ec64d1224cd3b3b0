/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_LOCK_H
#define RXADM_UP_LOCK_H

int tab_lock(const char *verb, const char *name);
void tab_unlock(int lock);

#endif
