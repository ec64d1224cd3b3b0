/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_EXPORT_H
#define RXADM_UP_EXPORT_H

struct tab_job;

void tab_export(struct tab_job *job);
void tab_unexport(struct tab_job *job);

#endif
