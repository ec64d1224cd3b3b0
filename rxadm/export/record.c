// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps a record of each export in /run, which is empty after a boot as configfs is. The
 * record is written before the first step, so whatever is there of an export when rxadm is
 * killed is known to be ours. It names the subsystem, and the ports and hosts that rxadm
 * made. Neither their names nor their attributes could tell: a user chooses the NQN, and
 * attributes are written only after a folder was made.
 *
 * Ours may have been removed, and another program may have made one of the same name. Then
 * its content is not that of the record, and it is not touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "export/nvmet.h"
#include "export/record.h"
#include "kernel/name.h"
#include "system/address.h"

#define PREFIX		"export-"
#define LOCK_MS		30000
#define LOCK_LOOK_MS	50

static const char *const stage_names[] = {
	[EXPORT_MAKING] = "making", [EXPORT_MADE] = "made", [EXPORT_REMOVING] = "removing",
};

static int lock_fd = -1;

static int try_lock(void)
{
	return sys_try_lock(sys_path(SYS_RUN "/exports.lock"), &lock_fd);
}

/* Does not wait, and says nothing. A dry run changes nothing, and takes no lock. */
bool export_trylock(void)
{
	if (rx.dry_run || !try_lock())
		return true;
	export_unlock();
	return false;
}

/*
 * Waits until no other rxadm changes exports, which may hang in the kernel for as long as
 * the device does. Signals end the wait. No event tells of a lock, and a wait in flock()
 * would keep a signal that is blocked.
 */
bool export_lock(const char *verb, const char *object)
{
	int64_t start = now_ms();
	enum rx_wait end = WAIT_TIMEOUT;
	int err;

	if (rx.dry_run)
		return true;
	while ((err = try_lock()) == EWOULDBLOCK && end != WAIT_SIGNAL &&
	       now_ms() - start < LOCK_MS)
		end = wait_fd(-1, LOCK_LOOK_MS);
	if (!err)
		return true;
	export_unlock();
	if (end == WAIT_SIGNAL)
		say(verb, object, "interrupted; another rxadm is changing exports, see: fuser -v "
		    SYS_RUN "/exports.lock");
	else if (err == EWOULDBLOCK)
		say(verb, object, "another rxadm is changing exports, and does not end; see: fuser -v "
		    SYS_RUN "/exports.lock");
	else if (err == EACCES || err == EPERM)
		say(verb, NULL, "needs CAP_SYS_ADMIN; run it as root");
	else
		say(verb, object, SYS_RUN "/exports.lock: %s", strerror(err));
	return false;
}

void export_unlock(void)
{
	if (lock_fd >= 0)
		close(lock_fd);
	lock_fd = -1;
}

/* Adds the names of the disks and caches that have a record. */
void export_names(struct rx_strv *names)
{
	struct rx_strv files = { 0 };
	enum rx_family family;
	char name[RX_NAME_LEN];
	size_t i;

	sys_entries(&files, sys_path(SYS_RUN));
	strv_sort(&files);
	for (i = 0; i < files.n && !sys_absent(); i++)
		if (!strncmp(files.v[i], PREFIX, strlen(PREFIX)) &&
		    name_parse(files.v[i] + strlen(PREFIX), &family, name))
			strv_add(names, name);
	strv_free(&files);
}

static void parse_port(const char *text, struct rx_export *export)
{
	struct rx_port port = { 0 };
	char own[8];

	if (sscanf(text, "%u %7s %7s %7s %255s %7s", &port.id, own, port.transport,
		   port.family, port.addr, port.service) < 3)
		return;
	port.own = !strcmp(own, "own");
	ports_add(&export->ports, &port);
}

static void parse_line(const char *line, struct rx_export *export)
{
	const char *value = strchr(line, ' ');
	size_t len = value ? (size_t)(value - line) : 0, i;

	if (!value++)
		return;
	if (!strncmp(line, "nqn", len))
		snprintf(export->nqn, sizeof(export->nqn), "%s", value);
	else if (!strncmp(line, "host", len))
		strv_add(&export->hosts, value);
	else if (!strncmp(line, "own-host", len))
		strv_add(&export->own_hosts, value);
	else if (!strncmp(line, "any-host", len))
		export->any_host = !strcmp(value, "yes");
	else if (!strncmp(line, "port", len))
		parse_port(value, export);
	for (i = 0; !strncmp(line, "stage", len) && i < ARRAY_SIZE(stage_names); i++)
		if (!strcmp(value, stage_names[i]))
			export->stage = i;
}

/* Returns false if NAME has no record. export_free() frees what is in it. */
bool export_load(const char *name, struct rx_export *export)
{
	char *text = sys_absent() ? NULL : sys_read(sys_path(SYS_RUN "/" PREFIX "%s", name));
	char *rest = text, *line;

	*export = (struct rx_export){ .stage = EXPORT_MAKING };
	if (!text)
		return false;
	snprintf(export->name, sizeof(export->name), "%s", name);
	while ((line = strsep(&rest, "\n")))
		parse_line(line, export);
	free(text);
	return true;
}

bool export_find(const char *nqn, struct rx_export *export)
{
	struct rx_strv names = { 0 };
	bool found = false;
	size_t i;

	*export = (struct rx_export){ .stage = EXPORT_MAKING };
	export_names(&names);
	for (i = 0; i < names.n && !found; i++) {
		found = export_load(names.v[i], export) && !strcmp(export->nqn, nqn);
		if (!found)
			export_free(export);
	}
	strv_free(&names);
	return found;
}

/* Returns 0 or an errno. Everybody may list exports. */
int export_save(const struct rx_export *export)
{
	const struct rx_port *port;
	char *text;
	FILE *f = mem_open(&text);
	size_t i;
	int err;

	fprintf(f, "stage %s\nnqn %s\nany-host %s\n", stage_names[export->stage], export->nqn,
		export->any_host ? "yes" : "no");
	for (i = 0; i < export->hosts.n; i++)
		fprintf(f, "host %s\n", export->hosts.v[i]);
	for (i = 0; i < export->own_hosts.n; i++)
		fprintf(f, "own-host %s\n", export->own_hosts.v[i]);
	for (port = export->ports.at; port < export->ports.at + export->ports.n; port++)
		fprintf(f, "port %u %s %s %s %s %s\n", port->id, port->own ? "own" : "shared",
			port->transport, port->family, port->addr, port->service);
	mem_close(f);
	err = sys_note(sys_path(SYS_RUN "/" PREFIX "%s", export->name), 0644, text);
	free(text);
	return err;
}

void export_forget(const char *name)
{
	unlink(sys_path(SYS_RUN "/" PREFIX "%s", name));
}

bool export_owns(const char *host, const struct rx_port *port)
{
	struct rx_strv names = { 0 };
	struct rx_export export;
	const struct rx_port *p;
	bool own = false;
	size_t i;

	export_names(&names);
	for (i = 0; i < names.n && !own; i++) {
		if (!export_load(names.v[i], &export))
			continue;
		own = host && strv_has(&export.own_hosts, host);
		for (p = export.ports.at; port && p < export.ports.at + export.ports.n; p++)
			own |= p->own && p->id == port->id && port_same(p, port);
		export_free(&export);
	}
	strv_free(&names);
	return own;
}

/* Tells whether a subsystem has no namespace and no host, and is on no port. */
static bool is_bare(const char *nqn)
{
	struct rx_strv parts = { 0 }, ports = { 0 };
	bool bare;
	size_t i;

	sys_entries(&parts, sys_path(NVMET "/subsystems/%s/namespaces", nqn));
	sys_entries(&parts, sys_path(NVMET "/subsystems/%s/allowed_hosts", nqn));
	sys_entries(&ports, sys_path(NVMET "/ports"));
	bare = !parts.n;
	for (i = 0; i < ports.n; i++)
		bare &= !nvmet_has("ports/%s/subsystems/%s", ports.v[i], nqn);
	strv_free(&ports);
	strv_free(&parts);
	return bare;
}

/*
 * Tells whether the subsystem of that name is ours, which its serial number tells. It is
 * the first attribute that is written: without it, ours has nothing in it yet.
 */
bool export_is_ours(const struct rx_export *export)
{
	char serial[NQN_SERIAL_LEN], *is;
	bool same;

	nqn_serial(export->nqn, serial);
	is = nvmet_read("subsystems/%s/attr_serial", export->nqn);
	same = is && !strncmp(is, serial, strlen(serial));
	free(is);
	return same || (export->stage != EXPORT_MADE && is_bare(export->nqn));
}

/* Tells whether an export was made and serves the device, so that only hosts or ports are missing. */
bool export_repairable(const struct rx_export *export)
{
	char *enabled = nvmet_read("subsystems/%s/namespaces/1/enable", export->nqn);
	bool is = export->stage == EXPORT_MADE && export_is_ours(export) && enabled && *enabled == '1';

	free(enabled);
	return is;
}

/* Tells whether all parts of an export are there, so that its hosts can connect. */
bool export_whole(const struct rx_export *export)
{
	bool whole = export_repairable(export);
	size_t i;

	for (i = 0; i < export->hosts.n; i++)
		whole &= nvmet_has("subsystems/%s/allowed_hosts/%s", export->nqn,
				   export->hosts.v[i]);
	for (i = 0; i < export->ports.n; i++)
		whole &= nvmet_has("ports/%u/subsystems/%s", export->ports.at[i].id, export->nqn);
	return whole;
}

/* Tells whether the record is of an export that is not there, or was not made or removed to its end. */
bool export_is_left(const struct rx_export *export)
{
	return export->stage != EXPORT_MADE || !nvmet_has("subsystems/%s", export->nqn);
}

void export_free(struct rx_export *export)
{
	strv_free(&export->hosts);
	strv_free(&export->own_hosts);
	ports_free(&export->ports);
}
