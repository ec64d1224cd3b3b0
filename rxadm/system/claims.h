/* SPDX-License-Identifier: GPL-2.0-only */
/* Users of a device inside the kernel that leave no link in its holders/. */
#ifndef RXADM_CLAIMS_H
#define RXADM_CLAIMS_H

struct rx_strv;

/* Add "in use by the SCSI target as NAME; run: ..." and the like. Partitions count too. */
void claims_tell(const char *name, struct rx_strv *says);
/* The same for users of which only traces are seen: for a device that is in use by somebody. */
void claims_guess(const char *name, struct rx_strv *says);

#endif
