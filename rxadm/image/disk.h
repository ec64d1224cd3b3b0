/* SPDX-License-Identifier: GPL-2.0-only */
/* The disk of an image: what a save and a restore ask of it, and how they claim its parts. */
#ifndef RXADM_IMAGEDISK_H
#define RXADM_IMAGEDISK_H

#include "image/format.h"
#include "system/extents.h"

/* All return RX_OK, or an exit code after saying what is wrong. */
int image_disk_get(const char *verb, const char *name, struct rx_disk *disk);
/* Refuses a disk that has any user or, with MOUNTED_OK, any but mounted file systems. */
int image_disk_unused(const char *verb, const struct rx_disk *disk, bool mounted_ok);
/* Refuses a disk that is smaller than that of the image, has larger blocks, or is read-only. */
int image_disk_fits(const char *verb, const char *path, const struct rx_disk *disk,
		    const struct image_header *header);
/*
 * Keeps everybody from using what of DISK is not mounted while all that is mounted here is
 * frozen. Adds the descriptors to FDS, N of them, which the caller closes, also on failure.
 */
int image_disk_claim(const char *verb, const struct rx_disk *disk, int **fds, size_t *n);
/* All three return 0 or an errno. The first gives back the memory, the second keeps it. */
int image_disk_erase(int fd, uint64_t offset, uint64_t length);
int image_disk_zero(int fd, uint64_t offset, uint64_t length);
int image_disk_write(int fd, uint64_t offset, const unsigned char *data, size_t len);
/*
 * Lists the parts of DISK that have memory, in rising order; all other bytes read as zeroes.
 * Parts do not touch, and none has "unwritten". A caller that wants one state of the disk
 * keeps writers away meanwhile. extents_free() frees PARTS.
 */
int image_disk_parts(const char *verb, const struct rx_disk *disk, struct rx_extents *parts);
/* Refuses an image that NEEDS more memory than the disk HAS and the machine has, in bytes. */
int image_memory_check(const char *verb, const char *path, uint64_t needs, uint64_t has);

#endif
