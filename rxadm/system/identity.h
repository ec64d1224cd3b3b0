/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IDENTITY_H
#define RXADM_IDENTITY_H

char *identity_of(const char *kname);

#endif
