// SPDX-License-Identifier: GPL-2.0-only
/* The verb list shows disks, caches and exports, in tables, as a tree or as JSON. */
#include "args/args.h"
#include "base/global.h"
#include "base/say.h"
#include "export/exported.h"
#include "kernel/list.h"
#include "run/fetch.h"
#include "show/json.h"
#include "show/out.h"
#include "verb/list.h"

int cmd_list(const struct rx_args *args)
{
	bool disks = !args_has(args, "caches"), caches = !args_has(args, "disks");
	struct json_object *root;
	struct rx_objects named = args_objects(args);
	struct rx_list list = { 0 };
	int ret;

	if (args_has(args, "exports"))
		return exported_show(&named);
	if (args_has(args, "tree") && args->n_objects)
		return usage_error("list: --tree shows all disks; leave '%s' out",
				   args->objects[0]);
	if (!fetch_fits(&named, disks, caches))
		return RX_USAGE;
	ret = fetch(&named, disks, caches, &list);
	if (ret && ret != RX_PARTIAL) {
		list_free(&list);
		return ret;
	}
	if (!ret)
		ret = fetch_absent("list", disks ? RX_DISK : RX_CACHE, list.absent);
	if (rx.quiet) {
		/* The exit status tells whether what is named is there. */
	} else if (rx.json) {
		root = out_json_root();
		fetch_json_absent(root, list.absent);
		out_json_list(root, &list, disks, caches);
		out_json_print(root);
	} else if (args_has(args, "tree")) {
		out_tree(&list);
	} else {
		out_list(&list, disks, caches);
	}
	if (!list.n_disks && !list.n_caches && !rx.json && !rx.quiet && !ret)
		say_hint(NULL, NULL, disks ?
		    "no disks; make one: rxadm attach 1G" :
		    "no caches; make one: rxadm map --size 1G /dev/ORIGIN");
	list_free(&list);
	return ret;
}
