/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exports: what rxadm has configured in the kernel's NVMe target. exportrec.c keeps a
 * record of each, export.c makes and removes them, and nvmet.c reads what is there.
 */
#ifndef RXADM_EXPORT_H
#define RXADM_EXPORT_H

#include "global.h"
#include "nvmet.h"
#include "strv.h"

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

/* exportrec.c APIs: */
bool export_trylock(void);
bool export_lock(const char *verb, const char *object);
void export_unlock(void);
void export_names(struct rx_strv *names);
bool export_load(const char *name, struct rx_export *export);
bool export_find(const char *nqn, struct rx_export *export);
int export_save(const struct rx_export *export);
void export_forget(const char *name);
bool export_owns_port(const struct rx_port *port);
bool export_owns_host(const char *host);
bool export_is_ours(const struct rx_export *export);
bool export_whole(const struct rx_export *export);
bool export_repairable(const struct rx_export *export);
bool export_is_left(const struct rx_export *export);
void export_free(struct rx_export *export);

/* export.c APIs; the lock is held: */
int export_make(const char *verb, struct rx_export *export);
/* Makes what is missing of an export that was made. What is there serves hosts meanwhile. */
int export_repair(const char *verb, struct rx_export *export);
int export_remove(const char *verb, struct rx_export *export);
/* Removes what is left of exports that were not made or removed to the end, unless another process has the lock. */
void exports_mend(const char *verb);
/* Tells whether exports can be seen, and says so if not. */
bool exports_seen(const char *verb, const char *object);

/* target.c APIs: */
int target_load(const char *verb, const char *object, const char *transport);

#endif
