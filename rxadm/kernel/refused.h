/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds out why a module is not loaded. */
#ifndef RXADM_REFUSED_H
#define RXADM_REFUSED_H

#include <stdbool.h>

bool refused_say(const char *module);
void refused_say_hidden(const char *verb, const char *module);

#endif
