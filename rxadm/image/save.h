/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IMAGE_SAVE_H
#define RXADM_IMAGE_SAVE_H

struct image_job;

/* Both return an exit code. With --dry-run they check everything and change nothing. */
int image_save(struct image_job *job, const char *name);

#endif
