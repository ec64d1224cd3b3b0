/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_HELP_H
#define RXADM_HELP_H

#include "args/args.h"

rx_verb_run cmd_help;
rx_verb_run cmd_version;
/* Says which verb is meant by a word that is none. ARGV begins with the word. */
int no_verb(int argc, char **argv);
void help_verb(const struct rx_verb *verb);
void help_columns(const struct rx_verb *verb);

#endif
