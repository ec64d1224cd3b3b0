/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_ADVISE_JSON_H
#define RXADM_ADVISE_JSON_H

struct json_object;
struct rx_advice;

struct json_object *advice_json(const struct rx_advice *a);

#endif
