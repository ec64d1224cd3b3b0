/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_WARM_PLAY_H
#define RXADM_WARM_PLAY_H

struct rx_cache;

int warm_play(const char *verb, const struct rx_cache *cache, const char *path);

#endif
