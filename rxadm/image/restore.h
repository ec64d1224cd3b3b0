/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IMAGE_RESTORE_H
#define RXADM_IMAGE_RESTORE_H

struct image_job;

/* NAME: the disk, unless one is to be made. */
int image_restore(struct image_job *job, const char *name);

#endif
