/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_HELPJSON_H
#define RXADM_VERB_HELPJSON_H

struct rx_verb;

void help_json(const struct rx_verb *verb);

#endif
