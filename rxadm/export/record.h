/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RXADM_EXPORT_RECORD_H
#define RXADM_EXPORT_RECORD_H

#include <stdbool.h>

#include "base/global.h"
#include "base/strv.h"
#include "export/nvmet.h"

enum rx_stage { EXPORT_MAKING, EXPORT_MADE, EXPORT_REMOVING };

struct rx_export {
	char name[RX_NAME_LEN];		/* of the disk or cache */
	char nqn[NQN_LEN];
	enum rx_stage stage;
	bool any_host;
	struct rx_strv hosts;		/* empty with any_host */
	struct rx_strv own_hosts;	/* those that rxadm made */
	struct rx_ports ports;
};

bool export_trylock(void);
bool export_lock(const char *verb, const char *object);
void export_unlock(void);
void export_names(struct rx_strv *names);
bool export_load(const char *name, struct rx_export *export);
bool export_find(const char *nqn, struct rx_export *export);
int export_save(const struct rx_export *export);
void export_forget(const char *name);
/* Tells whether a record says that rxadm made the host, or the port, if it is not NULL. */
bool export_owns(const char *host, const struct rx_port *port);
bool export_is_ours(const struct rx_export *export);
bool export_whole(const struct rx_export *export);
bool export_repairable(const struct rx_export *export);
bool export_is_left(const struct rx_export *export);
void export_free(struct rx_export *export);

#endif
