/* SPDX-License-Identifier: GPL-2.0-only */
/* Bios of users. */
#ifndef _RXC_BIO_H
#define _RXC_BIO_H

struct bio;

void rxc_submit_bio(struct bio *bio);

#endif
