/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_ADVISE_PAGE_H
#define RXADM_ADVISE_PAGE_H

struct rx_advice;

void advice_page(const struct rx_advice *a);

#endif
