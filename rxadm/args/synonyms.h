/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_SYNONYMS_H
#define RXADM_VERB_SYNONYMS_H

int no_verb(int argc, char **argv);

#endif
