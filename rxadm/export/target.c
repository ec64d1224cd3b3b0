// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads the kernel's NVMe target with the program by which the kernel loads modules
 * itself. Other than the families of our own modules, nothing that is asked for loads it.
 */
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/child.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/sys.h"
#include "export/nvmet.h"
#include "export/target.h"
#include "run/dryrun.h"

static bool run_modprobe(char *program, char *module)
{
	char *argv[] = { program, "-q", "--", module, NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;

	free(child_run(argv, null, null, &status));
	if (null >= 0)
		close(null);
	return !status;
}

/* Tells whether MODULE is there, or could be loaded. A dry run says what it would load. */
static bool load(const char *module)
{
	/* A module has underscores for dashes in /sys. */
	char *name = mem_swap(mem_dup(module), '-', '_'), *program, *text;
	bool there;

	there = !access(sys_path("/sys/module/%s", name), F_OK);
	if (!there && rx.dry_run) {
		text = mem_text("modprobe %s", module);
		step_show(text);
		free(text);
		there = true;
	} else if (!there) {
		program = sys_read(sys_path("/proc/sys/kernel/modprobe"));
		there = program && *program == '/' && run_modprobe(program, (char *)module);
		free(program);
	}
	free(name);
	return there;
}

static void say_unseen(const char *verb, const char *object)
{
	if (access(sys_path("/sys/kernel/config"), F_OK))
		say(verb, object, "the NVMe target's exports cannot be seen: /sys is not mounted, or this kernel has no configfs; run: mount -t sysfs sysfs /sys, and modprobe configfs");
	else
		say(verb, object, "configfs is not mounted; run: mount -t configfs none /sys/kernel/config");
}

bool exports_seen(const char *verb, const char *object)
{
	bool seen = !nvmet_hidden();

	if (!seen)
		say_unseen(verb, object);
	return seen;
}

int target_load(const char *verb, const char *object, const char *transport)
{
	const char *modules[] = {
		"nvmet", !strcmp(transport, "tcp") ? "nvmet-tcp" :
			 !strcmp(transport, "rdma") ? "nvmet-rdma" : "nvme-loop",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		if (load(modules[i]))
			continue;
		say(verb, object, "the kernel's module %s is not loaded, and can't be; as root see: modprobe -v %s",
		    modules[i], modules[i]);
		return RX_ABSENT;
	}
	if (rx.dry_run || nvmet_there())
		return RX_OK;
	say_unseen(verb, object);
	return RX_KERNEL;
}
