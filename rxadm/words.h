/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_VERB_WORDS_H
#define RXADM_VERB_WORDS_H

#include "args/args.h"

rx_verb_run cmd_words;

#endif
