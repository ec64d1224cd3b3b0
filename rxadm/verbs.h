/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of the verbs; the table that names them is in verbs.c. */
#ifndef RXADM_VERBS_H
#define RXADM_VERBS_H

#include "args.h"

struct rx_view;

rx_verb_run cmd_attach, cmd_detach, cmd_resize, cmd_flush;
rx_verb_run cmd_map, cmd_unmap, cmd_set, cmd_verify, cmd_pin, cmd_unpin;
rx_verb_run cmd_save, cmd_restore, cmd_load, cmd_record, cmd_play;
rx_verb_run cmd_bench, cmd_list, cmd_stat, cmd_advise, cmd_top, cmd_metrics, cmd_monitor;
rx_verb_run cmd_export, cmd_unexport;
rx_verb_run cmd_up_down, cmd_check_tab, cmd_tab_image, cmd_generator, cmd_words;
rx_verb_run cmd_help, cmd_version;

/* Where a verb has columns of disks and caches: nowhere, in JSON alone, or in tables too. */
enum rx_shows { SHOWS_NONE, SHOWS_JSON, SHOWS_TABLE };
enum rx_shows verb_shows(const struct rx_verb *verb);
const struct rx_view *const *verb_views(const struct rx_verb *verb, size_t *count);

/* The part of cmd_save() for disks. */
int disk_save(const struct rx_args *args, const char *name);

void help_verb(const struct rx_verb *verb);
void help_json(const struct rx_verb *verb);

#endif
