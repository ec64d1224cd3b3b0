/* SPDX-License-Identifier: GPL-2.0-only */
/* What a command line asks for, as an export. */
#ifndef RXADM_EXPORTPLAN_H
#define RXADM_EXPORTPLAN_H

#include "export/record.h"

/* The options of a command line or of a line of the table, as they were written. */
struct rx_export_words {
	const char *verb;	/* for messages */
	const char *nqn, *port;	/* NULL: not given */
	int transport;
	uint64_t service;	/* number of the port */
	struct rx_strv addrs, hosts;
	bool any_host;
};

/* Reads the options. Returns RX_OK, or RX_USAGE after it has said what is wrong. */
int plan_read(const struct rx_export_words *words, const char *name, struct rx_export *export);
/* Says how the export that is there differs from the options, or returns NULL. */
char *plan_differs(const struct rx_export *is, const struct rx_export *want);
/* Both with the lock held. */
/* Says why the device can't be exported by that name: a record would be lost, or it is taken. */
int plan_check(const char *verb, const struct rx_export *export);
/* Chooses ports, and the hosts to make; for an export that was made, those that are missing. */
void plan_fit(struct rx_export *export);

#endif
