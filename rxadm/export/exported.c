// SPDX-License-Identifier: GPL-2.0-only
/* Lists the exports of disks and caches, those of other programs too. */
#include <stdlib.h>
#include <string.h>

#include "base/global.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "export/exported.h"
#include "export/nvmet.h"
#include "export/record.h"
#include "kernel/name.h"
#include "show/json.h"
#include "show/out.h"

static const char *const states[] = {
	[EXPORTED_COMPLETE] = "complete", [EXPORTED_HALF] = "half",
	[EXPORTED_FOREIGN] = "foreign", NULL
};

#define EXPORT(name, key, type, field, names, help) \
	COL(rx_exported, name, key, NULL, type, field, names, COL_DEFAULT, help)

static const struct rx_col cols[] = {
	EXPORT("NAME", "name", COL_TEXT, name, NULL, "disk or cache that is exported"),
	EXPORT("NQN", "nqn", COL_TEXT, nqn, NULL, "name of the subsystem, by which hosts connect"),
	EXPORT("TRANSPORT", "transport", COL_TEXT, transport, NULL, "tcp, rdma or loop"),
	EXPORT("ADDR", "address", COL_TEXT, addr, NULL, "address that the target listens on"),
	EXPORT("PORT", "port", COL_COUNT, port, NULL, "number of the port at that address"),
	EXPORT("HOSTS", "hosts", COL_LIST, hosts, NULL, "NQNs of the hosts that may connect, or any"),
	EXPORT("STATE", "state", COL_ENUM, state, states,
	    "complete, half (a part is missing), or foreign (made by another program)"),
	{ .help = NULL }
};

const struct rx_view view_exports = { "exports", cols, sizeof(struct rx_exported), "list" };

static struct rx_exported *row_new(struct rx_exported_list *list)
{
	list->at = mem_grow(list->at, list->n, sizeof(*list->at));
	list->at[list->n] = (struct rx_exported){ .port = RX_NONE };
	return &list->at[list->n++];
}

static void add_hosts(struct rx_exported *row)
{
	char *any = nvmet_read("subsystems/%s/attr_allow_any_host", row->nqn);

	if (any && *any == '1')
		strv_add(&row->hosts, "any");
	else
		sys_entries(&row->hosts, sys_path(NVMET "/subsystems/%s/allowed_hosts", row->nqn));
	strv_sort(&row->hosts);
	free(any);
}

/* Adds a row for each port that has the subsystem, or one row if none has. */
static void add_rows(struct rx_exported_list *list, const char *name, const char *nqn, int state)
{
	struct rx_exported *row = NULL;
	struct rx_ports ports = { 0 };
	size_t i;

	nvmet_ports(&ports);
	for (i = 0; i < ports.n || !row; i++) {
		if (i < ports.n && !nvmet_has("ports/%u/subsystems/%s", ports.at[i].id, nqn))
			continue;
		row = row_new(list);
		snprintf(row->name, sizeof(row->name), "%s", name);
		snprintf(row->nqn, sizeof(row->nqn), "%s", nqn);
		row->state = state;
		add_hosts(row);
		if (i >= ports.n)
			break;
		memcpy(row->transport, ports.at[i].transport, sizeof(row->transport));
		memcpy(row->addr, ports.at[i].addr, sizeof(row->addr));
		if (*ports.at[i].service)
			row->port = strtoull(ports.at[i].service, NULL, 10);
	}
	ports_free(&ports);
}

static void add_foreign(struct rx_exported_list *list, const char *name)
{
	struct rx_namespaces all = { 0 };
	struct rx_export export;
	enum rx_family family;
	char device[RX_NAME_LEN];
	size_t i;

	nvmet_namespaces(name, &all);
	for (i = 0; i < all.n; i++) {
		if ((!export_find(all.at[i].nqn, &export) || !export_is_ours(&export)) &&
		    (name || name_whole(all.at[i].device, &family, device)))
			add_rows(list, all.at[i].device, all.at[i].nqn, EXPORTED_FOREIGN);
		export_free(&export);
	}
	namespaces_free(&all);
}

/* Says which exports NAME has, those of other programs too. */
void export_users(const char *name, struct rx_strv *says)
{
	struct rx_namespaces all = { 0 };
	struct rx_export export;
	size_t i;

	nvmet_namespaces(name, &all);
	for (i = 0; i < all.n; i++) {
		if (!export_find(all.at[i].nqn, &export) || !export_is_ours(&export))
			strv_print(says, "exported as %s by another program; end that there, or run: echo 0 >%s/enable",
				   all.at[i].nqn, quoted(all.at[i].path));
		else
			strv_print(says, "exported as %s; run: rxadm unexport %s", export.nqn,
				   export.name);
		export_free(&export);
	}
	namespaces_free(&all);
}

/* Adds the exports of NAME, or all if it is NULL. */
void exported_add(struct rx_exported_list *list, const char *name)
{
	struct rx_strv names = { 0 };
	struct rx_export export;
	size_t i;

	if (name)
		strv_add(&names, name);
	else
		export_names(&names);
	for (i = 0; i < names.n; i++) {
		if (export_load(names.v[i], &export) && export_is_ours(&export))
			add_rows(list, export.name, export.nqn, export_whole(&export) ?
				 EXPORTED_COMPLETE : EXPORTED_HALF);
		export_free(&export);
	}
	add_foreign(list, name);
	strv_free(&names);
}

void exported_free(struct rx_exported_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		strv_free(&list->at[i].hosts);
	free(list->at);
	*list = (struct rx_exported_list){ 0 };
}

/* The verb list with --exports. It asks neither module, so neither need be loaded. */
int exported_show(const struct rx_objects *objects)
{
	const struct rx_view *const views[] = { &view_exports };
	struct rx_exported_list list = { 0 };
	struct rx_tally t = { 0 };
	char name[RX_NAME_LEN];
	enum rx_family family;
	size_t i, before;

	for (i = 0; i < objects->n; i++)
		if (!object_any(objects->verb, objects->v[i], &family, name))
			return RX_USAGE;
	if (!out_columns_valid(views, ARRAY_SIZE(views)))
		return RX_USAGE;
	if (!exports_seen(objects->verb, NULL))
		return RX_KERNEL;
	if (!objects->n)
		exported_add(&list, NULL);
	for (i = 0; i < objects->n; i++) {
		name_parse(objects->v[i], &family, name);
		before = list.n;
		exported_add(&list, name);
		if (list.n == before)
			say(objects->verb, name, "is not exported; see: rxadm list --exports");
		tally(&t, list.n == before ? RX_KERNEL : RX_OK);
	}
	if (!rx.quiet)
		out_rows(&view_exports, list.at, list.n);
	if (!list.n && !objects->n && !rx.json && !rx.quiet)
		say_hint(NULL, NULL, "no exports; make one: rxadm export rxd0 --host HOSTNQN");
	exported_free(&list);
	return tally_exit(&t);
}
