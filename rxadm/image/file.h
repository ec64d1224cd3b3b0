/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of images: a new one that gets its name once it is whole, and one to read. */
#ifndef RXADM_IMAGEFILE_H
#define RXADM_IMAGEFILE_H

#include <stdbool.h>

#include "image/mark.h"

/* FILE "-" is standard input or output. */
bool image_is_stream(const char *path);

/* Opens the directory of PATH, or a copy of standard output. Returns -1 with errno. */
int image_file_dir(const char *path);

struct image_file {
	const char *path;
	char *temporary;	/* NULL for standard output */
	char was[IMAGE_ID_LEN];	/* what was at PATH at first */
	int fd, dir;
};

/* All return RX_OK, or an exit code after saying what is wrong with OBJECT's file. */
int image_file_check(const char *verb, const char *object, const char *path);
int image_file_new(const char *verb, const char *object, const char *path,
		   struct image_file *file);
/* Gives the file its name. The power may fail at any moment. */
int image_file_finish(const char *verb, const char *object, struct image_file *file);
/* Removes the file, unless it has its name. */
void image_file_drop(struct image_file *file);
/* What becomes of a file that is not whole, in words. */
const char *image_file_then(const struct image_file *file);
/* Says that the file could not be written. Always returns RX_KERNEL. */
int image_file_failed(const char *verb, const char *object, const struct image_file *file,
		      int err);

/*
 * Opens an image, to be read from any place and twice: what comes from a pipe goes into a
 * file without a name first. Returns RX_OK and sets *FD, or an exit code.
 */
int image_file_open(const char *verb, const char *path, int *fd);

#endif
