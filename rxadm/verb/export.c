// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs export and unexport: a disk or cache becomes a namespace of the kernel's NVMe
 * target. Nothing listens that was not asked for: the default address is this machine's
 * own, and no host gets in that is not named, unless all are let in with --any-host.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args/args.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/wait.h"
#include "export/export.h"
#include "export/exported.h"
#include "export/nvmet.h"
#include "export/plan.h"
#include "export/record.h"
#include "kernel/errtext.h"
#include "kernel/events.h"
#include "kernel/name.h"
#include "kernel/nl.h"
#include "run/preflight.h"
#include "show/json.h"
#include "system/address.h"
#include "system/node.h"
#include "system/users.h"
#include "verb/export.h"

/*
 * Lists the users of the device. The kernel's target claims nothing when it opens it, so
 * nobody but us looks whether others have.
 */
static void list_users(const char *name, struct rx_strv *says)
{
	char *device, *claimed;

	users_list(name, says);
	users_loops(name, says);
	if (says->n)
		return;
	device = mem_text("/dev/%s", name);
	claimed = preflight_claimed(device);
	if (claimed)
		strv_add(says, claimed);
	free(claimed);
	free(device);
}

/* Says why the device can't be exported now, or returns RX_OK. */
static int check_device(const char *verb, enum rx_family family, const char *name)
{
	struct rx_strv says = { 0 };
	struct rx_event there;
	struct rx_err err;
	struct stat st;
	int ret = RX_OK;
	size_t i;

	if (nl_get(family, name, &there.disk, &err))
		return err_report(verb, name, &err);
	if (family == RX_DISK && *there.disk.holder) {
		say(verb, name, "is the memory of %s, which has its data; export the cache instead",
		    there.disk.holder);
		return RX_KERNEL;
	}
	if (there.device.read_only == 1) {
		say(verb, name, "is read-only, and the kernel's target opens a device for writing only; %s%s",
		    family == RX_DISK ? "if it may be written, run: blockdev --setrw /dev/" : "if its origin may be written, map it without --read-only: rxadm unmap ", name);
		return RX_KERNEL;
	}
	if (!stat(sys_path("/dev/%s", name), &st) && !node_is(&st, there.device.major, there.device.minor)) {
		node_say(verb, name, name, family == RX_DISK ? "the disk" : "the cache");
		return RX_KERNEL;
	}
	list_users(name, &says);
	for (i = 0; i < says.n; i++) {
		say(verb, name, "%s", says.v[i]);
		ret = RX_KERNEL;
	}
	strv_free(&says);
	return ret;
}

/* Prints the NQN for people and scripts, or the new rows of the list as JSON. */
static void report_made(const struct rx_export *export)
{
	struct rx_exported_list list = { 0 };

	if (rx.quiet || rx.dry_run)
		return;
	if (!rx.json) {
		puts(export->nqn);
		return;
	}
	exported_add(&list, export->name);
	out_rows(&view_exports, list.at, list.n);
	exported_free(&list);
}

/* Tells whether an export that is asked for is there, but for parts of it. */
static bool is_half(const struct rx_export *want, struct rx_export *is)
{
	char *differs = NULL;
	bool half = export_load(want->name, is) && export_repairable(is) && !export_whole(is) &&
		    !(differs = plan_differs(is, want));

	free(differs);
	return half;
}

static int make(const char *verb, enum rx_family family, struct rx_export *export)
{
	struct rx_export is;
	bool half;
	int ret;

	exports_mend(verb);
	half = is_half(export, &is);
	export_free(&is);
	ret = half ? RX_OK : check_device(verb, family, export->name);
	if (!ret)
		ret = target_load(verb, export->name, export->ports.at->transport);
	if (ret || !export_lock(verb, export->name))
		return ret ? ret : RX_KERNEL;
	/* Another process may have been quicker. */
	half = is_half(export, &is);
	ret = half || rx.dry_run ? RX_OK : check_device(verb, family, export->name);
	if (!ret && !half)
		ret = plan_check(verb, export);
	if (!ret) {
		plan_fit(half ? &is : export);
		ret = export_make(verb, half ? &is : export);
	}
	export_free(&is);
	export_unlock();
	return ret;
}

static int export_read(const struct rx_args *args, const char *name, struct rx_export *export)
{
	struct rx_export_words words = {
		.verb = args->verb->name, .nqn = args_text(args, "nqn"),
		.port = args_text(args, "port"),
		.transport = args_num(args, "transport", TRANSPORT_TCP),
		.service = args_num(args, "port", NVMET_PORT),
		.any_host = args_has(args, "any-host"),
	};
	int ret;

	args_texts(args, "addr", &words.addrs);
	args_texts(args, "host", &words.hosts);
	ret = plan_read(&words, name, export);
	strv_free(&words.addrs);
	strv_free(&words.hosts);
	return ret;
}

int cmd_export(const struct rx_args *args)
{
	const char *verb = args->verb->name;
	struct rx_export export = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	int ret;

	if (!object_any(verb, args->objects[0], &family, name))
		return RX_USAGE;
	ret = export_read(args, name, &export);
	if (!ret && !rx.dry_run)
		signals_take();
	if (!ret)
		ret = make(verb, family, &export);
	if (!ret)
		report_made(&export);
	export_free(&export);
	if (ret == RX_KERNEL && !rx.dry_run && signals_pending())
		signals_die();
	return ret;
}

/* Finds the export of a name or NQN. Says why there is none. */
static int find(const char *verb, const char *object, struct rx_export *export)
{
	struct rx_namespaces all = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	bool foreign;

	if (name_parse(object, &family, name) ? export_load(name, export) :
	    export_find(object, export))
		return RX_OK;
	foreign = nvmet_has("subsystems/%s", object);
	if (name_parse(object, &family, name)) {
		object = name;
		nvmet_namespaces(name, &all);
		foreign = all.n;
		namespaces_free(&all);
	}
	say(verb, object, foreign ?
	    "was exported by another program; end that there, see: rxadm list --exports" :
	    "is not exported; see: rxadm list --exports");
	return RX_KERNEL;
}

static int unexport(const char *verb, const char *object, struct rx_exported_list *list)
{
	struct rx_export export;
	bool foreign;
	int ret;

	if (!exports_seen(verb, object) || !export_lock(verb, object))
		return RX_KERNEL;
	ret = find(verb, object, &export);
	if (!ret) {
		foreign = !export_is_ours(&export) && nvmet_has("subsystems/%s", export.nqn);
		if (!foreign)
			exported_add(list, export.name);
		ret = export_remove(verb, &export);
		if (!ret && foreign) {
			say(verb, object, "%s belongs to another program by now, and stays; only the record of our export is removed",
			    export.nqn);
			ret = RX_KERNEL;
		}
		export_free(&export);
	}
	export_unlock();
	return ret;
}

/* As JSON it lists the exports as they were. */
int cmd_unexport(const struct rx_args *args)
{
	struct rx_exported_list list = { 0 };
	const char *verb = args->verb->name, **objects = args->objects;
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	size_t i;

	for (i = 0; i < args->n_objects; i++)
		if (!name_parse(objects[i], &family, name) && strncmp(objects[i], "nqn.", 4))
			return usage_error("%s: '%s' is no disk, cache or NQN; see: rxadm list --exports",
					   verb, objects[i]);
	for (i = 0; i < args->n_objects; i++)
		tally(&t, unexport(verb, objects[i], &list));
	exports_mend(verb);
	if (rx.json && !rx.quiet && !rx.dry_run && list.n)
		out_rows(&view_exports, list.at, list.n);
	exported_free(&list);
	return tally_exit(&t);
}
