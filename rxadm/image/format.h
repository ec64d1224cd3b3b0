/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_IMAGE_FORMAT_H
#define RXADM_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

struct image_header;
struct image_head;

void image_put_header(unsigned char *to, const struct image_header *header);
const char *image_get_header(const unsigned char *from, struct image_header *header);
void image_put_head(unsigned char *to, const struct image_head *head);
const char *image_get_head(const unsigned char *from, struct image_head *head);
/* Replaces what a text of a header can't have; the kernel takes any bytes for a host's name. */
void image_clean(char *text);
bool image_is_zero(const unsigned char *data, size_t len);

#endif
