// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads the kernel's NVMe target with the program by which the kernel loads modules itself,
 * because nothing that is asked for loads it, and reads its configuration. Where the target is
 * not loaded or configfs is not mounted, there is none.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/global.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "export/nvmet.h"
#include "run/dryrun.h"
#include "system/address.h"
#include "system/dev.h"

static bool nvmet_there(void)
{
	return !sys_absent() && !access(sys_path(NVMET "/subsystems"), F_OK);
}

/*
 * Tells whether the target may have exports that cannot be seen, because configfs or /sys
 * is not mounted here. Then it is not known that an export is gone.
 */
bool nvmet_hidden(void)
{
	return !sys_absent() && !nvmet_there() &&
	       (!access(sys_path("/sys/module/nvmet"), F_OK) ||
		(!sys_replayed() && access(sys_path("/sys/module"), F_OK)));
}

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

/* Writes an attribute, whose path is full. Returns 0 or an errno. */
int nvmet_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	if (fd < 0)
		return errno;
	err = write(fd, value, strlen(value)) < 0 ? errno : 0;
	close(fd);
	return err;
}

static void put(char *to, size_t len, char *text)
{
	snprintf(to, len, "%.*s", (int)len - 1, text ? text : "");
	free(text);
}

static void read_port(const char *name, struct rx_port *port)
{
	char decimal[16];

	/* The kernel reads "0x1" and "01" as numbers, too. Such a port is not shared. */
	*port = (struct rx_port){ .id = strtoul(name, NULL, 0) };
	snprintf(decimal, sizeof(decimal), "%u", port->id);
	if (strcmp(name, decimal))
		return;
	put(port->transport, sizeof(port->transport), nvmet_read("ports/%s/addr_trtype", name));
	put(port->family, sizeof(port->family), nvmet_read("ports/%s/addr_adrfam", name));
	put(port->addr, sizeof(port->addr), nvmet_read("ports/%s/addr_traddr", name));
	put(port->service, sizeof(port->service), nvmet_read("ports/%s/addr_trsvcid", name));
	address_canonical(port);
}

/* Reads the port of that number. Where there is none, it has no address. */
void nvmet_port(unsigned int id, struct rx_port *port)
{
	char name[16];

	snprintf(name, sizeof(name), "%u", id);
	read_port(name, port);
}

void ports_add(struct rx_ports *ports, const struct rx_port *port)
{
	ports->at = mem_grow(ports->at, ports->n, sizeof(*ports->at));
	ports->at[ports->n++] = *port;
}

void ports_free(struct rx_ports *ports)
{
	free(ports->at);
	*ports = (struct rx_ports){ 0 };
}

void nvmet_ports(struct rx_ports *ports)
{
	struct rx_strv names = { 0 };
	struct rx_port port;
	size_t i;

	sys_entries(&names, sys_path(NVMET "/ports"));
	strv_sort(&names);
	for (i = 0; i < names.n; i++) {
		read_port(names.v[i], &port);
		ports_add(ports, &port);
	}
	strv_free(&names);
}

/* Tells whether a part of a port's address is not set yet. */
bool port_unset(const struct rx_port *port)
{
	return !*port->transport ||
	       (strcmp(port->transport, "loop") && (!*port->addr || !*port->service));
}

static void add_namespace(const char *nqn, const char *id, const char *device,
			  struct rx_namespaces *all)
{
	char *path = nvmet_read("subsystems/%s/namespaces/%s/device_path", nqn, id);
	char *enabled = nvmet_read("subsystems/%s/namespaces/%s/enable", nqn, id);
	struct rx_namespace ns = { .path = NULL };
	char real[PATH_MAX], *name;

	if (path && enabled && *enabled == '1' && !strncmp(path, "/dev/", 5)) {
		name = dev_kernel_name(dev_real(path, real, sizeof(real)) ? path : real);
		put(ns.device, sizeof(ns.device), name);
		if (!device || dev_is_of(ns.device, device)) {
			snprintf(ns.nqn, sizeof(ns.nqn), "%s", nqn);
			ns.path = mem_text(NVMET "/subsystems/%s/namespaces/%s", nqn, id);
			all->at = mem_grow(all->at, all->n, sizeof(*all->at));
			all->at[all->n++] = ns;
		}
	}
	free(path);
	free(enabled);
}

void nvmet_namespaces(const char *device, struct rx_namespaces *all)
{
	struct rx_strv nqns = { 0 }, ids = { 0 };
	size_t i, j;

	if (!nvmet_there())
		return;
	sys_entries(&nqns, sys_path(NVMET "/subsystems"));
	strv_sort(&nqns);
	for (i = 0; i < nqns.n; i++) {
		sys_entries(&ids, sys_path(NVMET "/subsystems/%s/namespaces", nqns.v[i]));
		strv_sort(&ids);
		for (j = 0; j < ids.n; j++)
			add_namespace(nqns.v[i], ids.v[j], device, all);
		strv_free(&ids);
	}
	strv_free(&nqns);
}

void namespaces_free(struct rx_namespaces *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		free(all->at[i].path);
	free(all->at);
	*all = (struct rx_namespaces){ 0 };
}

/*
 * The target looks at the size by itself only when an initiator asks for it. A failure
 * leaves it at that.
 */
void nvmet_resized(const char *device)
{
	struct rx_namespaces all = { 0 };
	size_t i;

	nvmet_namespaces(device, &all);
	for (i = 0; i < all.n; i++)
		nvmet_write(sys_path("%s/revalidate_size", all.at[i].path), "1");
	namespaces_free(&all);
}
