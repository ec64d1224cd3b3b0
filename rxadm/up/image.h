/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_UP_IMAGE_H
#define RXADM_UP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct tab_job;
struct rx_disk;

bool tab_image_begin(struct tab_job *job);
const char *tab_image_size(const struct tab_job *job, char *buf, size_t len);
void tab_image_made(struct tab_job *job);
bool tab_image_first(struct tab_job *job, const struct rx_disk *disk);
void tab_image_kept(struct tab_job *job, const struct rx_disk *disk);
bool tab_image_save(struct tab_job *job, bool down);

#endif
