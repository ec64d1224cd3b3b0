/* SPDX-License-Identifier: GPL-2.0-only */
/* What a boot knows of the disks whose lines in the table have an image. */
#ifndef RXADM_IMAGE_MARK_H
#define RXADM_IMAGE_MARK_H

#include <stdbool.h>

#define IMAGE_ID_LEN	72

/*
 * What tells an image from others, whatever its name and its times are; "-" if there is none.
 * Return 0 or an errno.
 */
int image_id(char *id, int fd);
int image_id_at(char *id, const char *path);

bool image_mark_is(const char *name, const char *path);
int image_mark_absent(const char *name, const char *path);
int image_mark_saved(const char *name, int fd, const char *path);
void image_mark_failed(const char *verb, const char *name, int err);
char *image_mark_take(const char *name);
int image_mark_return(const char *name, const char *text, int fd, const char *path);
bool image_awaited(const char *name);
int image_await(const char *name);
void image_arrived(const char *name);
void image_forget(const char *name);

#endif
