/* SPDX-License-Identifier: GPL-2.0-only */
/* What the verbs do; the table that names them is in verbs.c. */
#ifndef RXADM_VERBS_H
#define RXADM_VERBS_H

struct rx_args;
struct rx_verb;

int cmd_attach(const struct rx_verb *verb, const struct rx_args *args);
int cmd_detach(const struct rx_verb *verb, const struct rx_args *args);
int cmd_resize(const struct rx_verb *verb, const struct rx_args *args);
int cmd_map(const struct rx_verb *verb, const struct rx_args *args);
int cmd_unmap(const struct rx_verb *verb, const struct rx_args *args);
int cmd_set(const struct rx_verb *verb, const struct rx_args *args);
int cmd_flush(const struct rx_verb *verb, const struct rx_args *args);
int cmd_verify(const struct rx_verb *verb, const struct rx_args *args);
int cmd_list(const struct rx_verb *verb, const struct rx_args *args);
int cmd_stat(const struct rx_verb *verb, const struct rx_args *args);
int cmd_advise(const struct rx_verb *verb, const struct rx_args *args);
int cmd_top(const struct rx_verb *verb, const struct rx_args *args);
int cmd_monitor(const struct rx_verb *verb, const struct rx_args *args);
int cmd_up_down(const struct rx_verb *verb, const struct rx_args *args);
int cmd_check_tab(const struct rx_verb *verb, const struct rx_args *args);
int cmd_generator(const struct rx_verb *verb, const struct rx_args *args);
int cmd_words(const struct rx_verb *verb, const struct rx_args *args);
int cmd_help(const struct rx_verb *verb, const struct rx_args *args);
int cmd_version(const struct rx_verb *verb, const struct rx_args *args);
void help_verb(const struct rx_verb *verb);

#endif
