// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes and removes exports, step by step. Each step is one change of configfs.
 *
 * Making: the record, then all parts, and the links from the ports last, because these
 * let hosts in: no host sees a part of an export. Removing: the links first, and the
 * record last. A step that is done already is passed over, so whatever was left by a
 * process that was killed is removed in the same way.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "base/wait.h"
#include "export/export.h"
#include "export/nvmet.h"
#include "run/dryrun.h"
#include "system/address.h"

enum op { OP_MKDIR, OP_WRITE, OP_LINK, OP_UNLINK, OP_RMDIR };

/* The change of an export. ERR is that of the first step that failed. */
struct work {
	struct rx_export *export;
	int err;
	char *failed;	/* the step, as it is shown */
	bool taken;	/* another program has made the subsystem meanwhile */
	bool repair;	/* the export is there, and stays if a step fails */
	bool stuck;	/* what was made can't be removed again */
};

static char *show(enum op op, const char *path, const char *value)
{
	static const char *const words[] = {
		[OP_MKDIR] = "mkdir", [OP_LINK] = "ln -s", [OP_UNLINK] = "rm", [OP_RMDIR] = "rmdir",
	};

	if (op == OP_WRITE)
		return mem_text("echo %s >" NVMET "/%s", value, path);
	return mem_text("%s %s%s%s" NVMET "/%s", words[op], value ? NVMET "/" : "",
			value ? value : "", value ? " " : "", path);
}

/* A link of configfs is made of a path that leads to its target at that moment. */
static int change(enum op op, const char *path, const char *value)
{
	const char *full = sys_path(NVMET "/%s", path);
	int ret;

	switch (op) {
	case OP_MKDIR:
		ret = mkdir(full, 0755);
		break;
	case OP_WRITE:
		return nvmet_write(full, value);
	case OP_LINK:
		ret = symlink(sys_path(NVMET "/%s", value), full);
		break;
	case OP_UNLINK:
		ret = unlink(full);
		break;
	default:
		ret = rmdir(full);
	}
	return ret ? errno : 0;
}

/* Does a step, or shows it. Returns false if it failed, or one before it has. */
__attribute__((format(printf, 4, 5)))
static bool step(struct work *work, enum op op, const char *value, const char *fmt, ...)
{
	char *path, *text;
	va_list ap;

	if (work->err)
		return false;
	va_start(ap, fmt);
	path = mem_vtext(fmt, ap);
	va_end(ap);
	text = show(op, path, value);
	if (rx.dry_run)
		step_show(text);
	else
		work->err = change(op, path, value);
	if (work->err)
		work->failed = text;
	else
		free(text);
	free(path);
	return !work->err;
}

static void save(struct work *work, enum rx_stage stage)
{
	if (work->err || rx.dry_run)
		return;
	work->export->stage = stage;
	work->err = export_save(work->export);
	if (work->err)
		work->failed = mem_dup("the record in /run/rxadm");
}

/* Passes over the step that failed. */
static void forgive(struct work *work)
{
	work->err = 0;
	free(work->failed);
	work->failed = NULL;
}

/* A host that another program has made meanwhile serves us too, and is not ours. */
static void make_hosts(struct work *work)
{
	struct rx_strv *own = &work->export->own_hosts;
	size_t i = 0;

	while (i < own->n && !work->err) {
		if (nvmet_has("hosts/%s", own->v[i]) ||
		    step(work, OP_MKDIR, NULL, "hosts/%s", own->v[i])) {
			i++;
		} else if (work->err == EEXIST) {
			forgive(work);
			free(own->v[i]);
			own->v[i] = own->v[--own->n];
		}
	}
}

/* Lets the hosts in that are named. */
static void link_hosts(struct work *work)
{
	const struct rx_export *export = work->export;
	char *host;
	size_t i;

	for (i = 0; i < export->hosts.n; i++) {
		host = mem_text("hosts/%s", export->hosts.v[i]);
		if (!nvmet_has("subsystems/%s/allowed_%s", export->nqn, host))
			step(work, OP_LINK, host, "subsystems/%s/allowed_%s", export->nqn, host);
		free(host);
	}
}

static void make_subsystem(struct work *work)
{
	struct rx_export *export = work->export;
	char serial[NQN_SERIAL_LEN], uuid[NQN_UUID_LEN], *device;
	const char *nqn = export->nqn;

	if (!work->err && !step(work, OP_MKDIR, NULL, "subsystems/%s", nqn))
		work->taken = work->err == EEXIST;
	nqn_serial(nqn, serial);
	nqn_uuid(nqn, uuid);
	step(work, OP_WRITE, serial, "subsystems/%s/attr_serial", nqn);
	step(work, OP_WRITE, export->name[2] == 'd' ? "rxdsk" : "rxcache",
	     "subsystems/%s/attr_model", nqn);
	step(work, OP_WRITE, export->any_host ? "1" : "0", "subsystems/%s/attr_allow_any_host",
	     nqn);
	link_hosts(work);
	step(work, OP_MKDIR, NULL, "subsystems/%s/namespaces/1", nqn);
	device = mem_text("/dev/%s", export->name);
	step(work, OP_WRITE, device, "subsystems/%s/namespaces/1/device_path", nqn);
	step(work, OP_WRITE, uuid, "subsystems/%s/namespaces/1/device_uuid", nqn);
	step(work, OP_WRITE, uuid, "subsystems/%s/namespaces/1/device_nguid", nqn);
	step(work, OP_WRITE, "1", "subsystems/%s/namespaces/1/enable", nqn);
	free(device);
}

static void make_port(struct work *work, struct rx_port *port)
{
	if (!nvmet_has("ports/%u", port->id) &&
	    !step(work, OP_MKDIR, NULL, "ports/%u", port->id) && work->err == EEXIST)
		port->own = false;
	step(work, OP_WRITE, port->transport, "ports/%u/addr_trtype", port->id);
	if (!*port->addr)
		return;
	step(work, OP_WRITE, port->family, "ports/%u/addr_adrfam", port->id);
	step(work, OP_WRITE, port->addr, "ports/%u/addr_traddr", port->id);
	step(work, OP_WRITE, port->service, "ports/%u/addr_trsvcid", port->id);
}

/* Returns the port whose link could not be made, which is the one that has none; or NULL. */
static const struct rx_port *make_ports(struct work *work)
{
	struct rx_export *export = work->export;
	struct rx_port *port, *end = export->ports.at + export->ports.n, is;
	char *subsystem = mem_text("subsystems/%s", export->nqn);
	const struct rx_port *failed = NULL;

	for (port = export->ports.at; port < end; port++) {
		nvmet_port(port->id, &is);
		if (port->own && port_unset(&is))
			make_port(work, port);
	}
	for (port = export->ports.at; port < end && !work->err; port++)
		if (!nvmet_has("ports/%u/%s", port->id, subsystem) &&
		    !step(work, OP_LINK, subsystem, "ports/%u/%s", port->id, subsystem))
			failed = port;
	free(subsystem);
	return failed;
}

/* Says why an export could not be made. PORT is the one that could not be opened, or NULL. */
static void say_failed(const char *verb, const struct work *work, const struct rx_port *port)
{
	const struct rx_export *export = work->export;
	const char *rest = work->repair ? "the rest of the export stays" :
		work->stuck ? "it can't be undone, see above" : "nothing is exported";
	const char *undone = work->repair || work->stuck ? rest : "it is undone";
	char *address = port ? address_text(port) : NULL;

	if (work->err == EINTR && !work->failed)
		say(verb, export->name, "interrupted; %s", undone);
	else if (port && work->err == EADDRNOTAVAIL)
		say(verb, export->name, "this machine has no address %s, %s; see: ip address",
		    port->addr, rest);
	else if (port && work->err == EADDRINUSE)
		say(verb, export->name, "something else listens on %s, %s; choose another --port, or see: ss -tlnp; rxadm list --exports",
		    address, rest);
	else if (work->taken)
		say(verb, export->name, "another program has just made %s; choose another --nqn",
		    export->nqn);
	else
		say(verb, export->name, "kernel: %s, at: %s; %s, see: dmesg",
		    strerror(work->err), work->failed, undone);
	free(address);
}

/* A step that another program has done meanwhile, or keeps from being done, is no failure. */
__attribute__((format(printf, 3, 4)))
static void undo(struct work *work, enum op op, const char *fmt, ...)
{
	char *path;
	va_list ap;

	va_start(ap, fmt);
	path = mem_vtext(fmt, ap);
	va_end(ap);
	if (!work->err && nvmet_has("%s", path) && !step(work, op, NULL, "%s", path) &&
	    work->err == ENOENT)
		forgive(work);
	free(path);
}

static void remove_links(struct work *work)
{
	struct rx_ports ports = { 0 };
	size_t i;

	nvmet_ports(&ports);
	for (i = 0; i < ports.n; i++)
		undo(work, OP_UNLINK, "ports/%u/subsystems/%s", ports.at[i].id,
		     work->export->nqn);
	ports_free(&ports);
}

static void remove_subsystem(struct work *work)
{
	const char *nqn = work->export->nqn;
	struct rx_strv ids = { 0 }, hosts = { 0 };
	char *enabled;
	size_t i;

	sys_entries(&ids, sys_path(NVMET "/subsystems/%s/namespaces", nqn));
	for (i = 0; i < ids.n; i++) {
		enabled = nvmet_read("subsystems/%s/namespaces/%s/enable", nqn, ids.v[i]);
		if (enabled && *enabled == '1')
			step(work, OP_WRITE, "0", "subsystems/%s/namespaces/%s/enable", nqn,
			     ids.v[i]);
		undo(work, OP_RMDIR, "subsystems/%s/namespaces/%s", nqn, ids.v[i]);
		free(enabled);
	}
	sys_entries(&hosts, sys_path(NVMET "/subsystems/%s/allowed_hosts", nqn));
	for (i = 0; i < hosts.n; i++)
		undo(work, OP_UNLINK, "subsystems/%s/allowed_hosts/%s", nqn, hosts.v[i]);
	undo(work, OP_RMDIR, "subsystems/%s", nqn);
	strv_free(&ids);
	strv_free(&hosts);
}

static bool host_in_use(const struct rx_export *export, const char *host)
{
	struct rx_strv nqns = { 0 };
	bool used = false;
	size_t i;

	sys_entries(&nqns, sys_path(NVMET "/subsystems"));
	for (i = 0; i < nqns.n && !used; i++)
		used = strcmp(nqns.v[i], export->nqn) &&
		       nvmet_has("subsystems/%s/allowed_hosts/%s", nqns.v[i], host);
	strv_free(&nqns);
	return used;
}

/* Tells whether a port is still the one that we made, so far as it was made. */
static bool port_is_ours(const struct rx_port *port)
{
	struct rx_port is;

	nvmet_port(port->id, &is);
	return (!*is.transport || !strcmp(is.transport, port->transport)) &&
	       (!*is.addr || !strcmp(is.addr, port->addr)) &&
	       (!*is.service || !strcmp(is.service, port->service));
}

/* Tells whether other subsystems are on the port. */
static bool port_in_use(const struct rx_export *export, const struct rx_port *port)
{
	struct rx_strv nqns = { 0 };
	size_t others;

	sys_entries(&nqns, sys_path(NVMET "/ports/%u/subsystems", port->id));
	others = nqns.n - strv_has(&nqns, export->nqn);
	strv_free(&nqns);
	return others;
}

/*
 * Removes a port or host that no export of ours needs any more. Others may need it now: a
 * port with a referral in it stays, and so does a host that was let in elsewhere meanwhile.
 */
static void undo_common(struct work *work, const char *path)
{
	undo(work, OP_RMDIR, "%s", path);
	if (work->err == EBUSY || work->err == ENOTEMPTY)
		forgive(work);
}

/* The last export that uses a port or host that rxadm made removes it. */
static void remove_common(struct work *work)
{
	struct rx_export *export = work->export;
	const struct rx_port *port;
	char *path;
	size_t i;

	/* undo_common() must not forgive what failed before. */
	if (work->err)
		return;
	for (i = 0; i < export->ports.n; i++) {
		port = &export->ports.at[i];
		path = mem_text("ports/%u", port->id);
		if (port->own && port_is_ours(port) && !port_in_use(export, port))
			undo_common(work, path);
		free(path);
	}
	for (i = 0; i < export->own_hosts.n; i++) {
		path = mem_text("hosts/%s", export->own_hosts.v[i]);
		if (!host_in_use(export, export->own_hosts.v[i]))
			undo_common(work, path);
		free(path);
	}
}

/* OURS: the subsystem of that name is. */
static int remove_all(const char *verb, struct rx_export *export, bool ours)
{
	struct work work = { .export = export };

	/*
	 * If this fails, the removal goes on: the record that is there was written before any
	 * part was made, and names all of them. If rxadm is then killed, the next run finds
	 * what is left, because parts of it are missing.
	 */
	save(&work, EXPORT_REMOVING);
	forgive(&work);
	if (ours) {
		remove_links(&work);
		remove_subsystem(&work);
	}
	remove_common(&work);
	if (work.err) {
		say(verb, export->name, "kernel: %s, at: %s; see: rxadm list --exports",
		    strerror(work.err), work.failed);
		free(work.failed);
		return RX_KERNEL;
	}
	if (!rx.dry_run)
		export_forget(export->name);
	return RX_OK;
}

int export_remove(const char *verb, struct rx_export *export)
{
	return remove_all(verb, export, export_is_ours(export));
}

/*
 * Makes what the export says, or what is missing of one that was made. What a failure leaves of
 * a new one is removed.
 */
int export_make(const char *verb, struct rx_export *export)
{
	struct work work = { .export = export, .repair = export->stage == EXPORT_MADE };
	const struct rx_port *failed = NULL;
	bool begun;

	save(&work, export->stage);
	begun = !work.err;
	make_hosts(&work);
	if (work.repair)
		link_hosts(&work);
	else
		make_subsystem(&work);
	if (!work.err && signals_pending())
		work.err = EINTR;
	if (!work.err)
		failed = make_ports(&work);
	/* What another program has made meanwhile is not ours. */
	save(&work, EXPORT_MADE);
	if (!work.err)
		return RX_OK;
	/* Without a record nothing was made, and what is there by that name is not ours. */
	if (!work.repair)
		work.stuck = begun &&
			     remove_all(verb, export, !work.taken && export_is_ours(export));
	say_failed(verb, &work, failed);
	free(work.failed);
	return RX_KERNEL;
}

/* Tells whether NAME has a record of an export that is not there, or not all of it. */
static bool is_left(const char *name, struct rx_export *export)
{
	if (!export_load(name, export))
		return false;
	if (export_is_left(export))
		return true;
	export_free(export);
	return false;
}

void exports_mend(const char *verb)
{
	struct rx_strv names = { 0 };
	struct rx_export export;
	bool locked = false, made;
	size_t i;

	/* An export that cannot be seen is not gone. */
	if (!nvmet_hidden())
		export_names(&names);
	for (i = 0; i < names.n; i++) {
		if (!is_left(names.v[i], &export))
			continue;
		export_free(&export);
		/* It may be the work of a process that goes on, or hangs: that is its lock. */
		if (!locked && !export_trylock())
			break;
		locked = true;
		if (!is_left(names.v[i], &export))
			continue;
		made = export.stage == EXPORT_MADE;
		if (!export_remove(verb, &export) && !rx.dry_run)
			say_hint(verb, export.name, made ?
				 "its export as %s is gone from the target, and its record is removed" :
				 "an export as %s had been begun, but not ended; it is removed",
				 export.nqn);
		export_free(&export);
	}
	if (locked)
		export_unlock();
	strv_free(&names);
}
