// SPDX-License-Identifier: GPL-2.0-only
/*
 * __generator NORMAL [EARLY LATE]: writes units for the lines of /etc/rxtab, see
 * systemd.generator(7). It runs before anything else, so it only reads and writes
 * files and touches no module and no device.
 *
 * Nothing here may stop a boot: the units are wanted, never required, and every
 * wait has a time-out.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "rxtab.h"
#include "say.h"
#include "sys.h"
#include "unit.h"
#include "units.h"
#include "verbs.h"

#define UNITS		"/usr/lib/systemd/system"
#define UNDO_MS		15000	/* for "rxadm up" to undo what took too long */

/* Services that provide remote devices stop after the caches of these. */
#define NETWORK		"network.target network-online.target iscsid.service " \
	"open-iscsi.service iscsi.service nvmf-autoconnect.service " \
	"rbdmap.service"

struct gen {
	const char *dir;
	char tool[PATH_MAX];
	bool initrd;
	struct rx_tab tab;
};

static bool in_initrd(void)
{
	const char *env = getenv("SYSTEMD_IN_INITRD");

	if (env)
		return !strcmp(env, "1");
	return !access(sys_path("/etc/initrd-release"), F_OK);
}

/* rxtab=no on the kernel's command line, or in the initrd rd.rxtab=no. */
static bool switched_off(bool initrd)
{
	static const char *const no[] = { "0", "no", "off", "false", "n", "f" };
	char *text = sys_read(sys_path("/proc/cmdline")), *rest = text, *word;
	const char *value;
	bool off = false;
	size_t i;

	while (rest && (word = strsep(&rest, " \t\n"))) {
		if (!strncmp(word, "rxtab=", 6))
			value = word + 6;
		else if (initrd && !strncmp(word, "rd.rxtab=", 9))
			value = word + 9;
		else
			continue;
		off = false;
		for (i = 0; i < ARRAY_SIZE(no); i++)
			off |= !strcmp(value, no[i]);
	}
	free(text);
	return off;
}

/* The path of this program, or its bare name if systemd would split the path. */
static void find_tool(char *path, size_t len)
{
	ssize_t n = readlink("/proc/self/exe", path, len - 1);

	path[n < 0 ? 0 : n] = '\0';
	if (!*path || strpbrk(path, " \t\"'\\%$;"))
		snprintf(path, len, "rxadm");
}

static const char *seconds(const struct tab_line *line, uint64_t more_ms,
			   char *text, size_t len)
{
	return time_print((tab_timeout_ms(line) + more_ms) * 1000000, text,
			  len);
}

/* The unit of the device needs the time-out: the wait for it is not part of ours. */
static void write_timeout(const struct gen *gen, const struct tab_line *line,
			  const char *device)
{
	/* fstab's x-systemd.device-timeout= has the number 50 and so wins. */
	FILE *f = unit_create(gen->dir, "%s.d/40-rxadm-timeout.conf", device);
	char text[32];

	if (f)
		fprintf(f, "[Unit]\nJobRunningTimeoutSec=%s\n%s",
			seconds(line, 0, text, sizeof(text)),
			/* It begins when the network is there. */
			line->text[TAB_NETDEV] && !gen->initrd ?
			"Wants=network-online.target\n"
			"After=network.target network-online.target\n" : "");
	unit_close(f);
}

static void put_origin(FILE *f, const struct gen *gen,
		       const struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN];
	char *device = unit_of_path(origin, "device");
	char *below = unit_of_path(origin, "target");

	if (strlen(device) + strlen(".d") <= NAME_MAX) {
		fprintf(f, "BindsTo=%s\nAfter=%s\n", device, device);
		write_timeout(gen, line, device);
	}
	/* cryptsetup and the like, which opened the origin, close it after us. */
	if (strlen(below) + strlen("blockdev@") <= UNIT_NAME_MAX)
		fprintf(f, "After=blockdev@%s\n", below);
	if (line->disk)
		fprintf(f, "Requires=rxadm@%s.service\nAfter=rxadm@%s.service\n",
			line->disk->name, line->disk->name);
	/* Releases what was held back for the cache, made or not: see rx-origin. */
	fprintf(f, "Wants=rxadm-release@%s.service\nBefore=rxadm-release@%s.service\n",
		line->name, line->name);
	free(device);
	free(below);
}

/* dm-crypt can wait for the cache if the origin needs no device-mapper itself. */
static bool is_plain(const char *origin)
{
	static const char *const stacked[] = { "dm-", "md", "lvm-" };
	const char *name = strrchr(origin, '/') + 1;
	size_t i;

	if (name != origin + strlen("/dev/") &&
	    strncmp(origin, "/dev/disk/", strlen("/dev/disk/")))
		return false;
	for (i = 0; i < ARRAY_SIZE(stacked); i++)
		if (!strncmp(name, stacked[i], strlen(stacked[i])))
			return false;
	return true;
}

/*
 * File systems that are mounted by UUID do not name the cache. They start after
 * the passive target and stop before it, and so do the devices below them. Devices
 * that crypttab opens by UUID have such a target too.
 */
static void put_order(FILE *f, const struct gen *gen,
		      const struct tab_line *line)
{
	const char *pre = line->text[TAB_NETDEV] ? "remote-fs-pre.target" :
		"local-fs-pre.target";
	bool stays = line->text[TAB_INITRAMFS];

	fputs("After=systemd-udevd.service\n", f);
	if (line->text[TAB_NETDEV] && !gen->initrd)
		fputs("After=" NETWORK "\n", f);
	fprintf(f, "Wants=blockdev@dev-%s.target\nBefore=blockdev@dev-%s.target\n",
		line->name, line->name);
	if (!line->text[TAB_NETDEV] && line->family == RX_CACHE &&
	    is_plain(line->text[TAB_ORIGIN]))
		fputs("Wants=cryptsetup-pre.target\nBefore=cryptsetup-pre.target\n",
		      f);
	if (gen->initrd) {
		fputs("Before=initrd-root-device.target sysroot.mount systemd-fsck-root.service\n",
		      f);
		return;
	}
	fprintf(f, "Wants=%s\nBefore=%s\nBefore=rxadm.target\n", pre, pre);
	if (!stays)
		fputs("PartOf=rxadm.target\nConflicts=umount.target\nBefore=umount.target\n",
		      f);
}

/*
 * At shutdown LVM and the like stay on a device, so a cache that stays then is no
 * failure.
 */
static void put_stop(FILE *f, const struct gen *gen,
		     const struct tab_line *line)
{
	fprintf(f, "ExecStop=/bin/sh -c '%s down %s || { s=$$?; "
		"[ \"$$(systemctl is-system-running)\" = stopping ] && "
		"echo \"it stays until the machine is off%s\" || exit $$s; }'\n",
		gen->tool, line->name, line->family == RX_CACHE ?
		"; its origin has all that it holds" : "");
}

static void write_unit(struct gen *gen, const struct tab_line *line)
{
	FILE *f = unit_create(gen->dir, "rxadm@%s.service", line->name);
	char text[32];

	if (!f)
		return;
	fputs("[Unit]\n", f);
	if (line->family == RX_DISK) {
		fprintf(f, "Description=RAM disk %s\n", line->name);
	} else {
		fputs("Description=Cache of ", f);
		unit_put(f, line->text[TAB_ORIGIN]);
		fprintf(f, ", %s\n", line->name);
	}
	fputs("Documentation=man:rxtab(5) man:rxadm(8)\n"
	      "SourcePath=" RXTAB_PATH "\n"
	      "DefaultDependencies=no\n"
	      "IgnoreOnIsolate=yes\n", f);
	if (line->family == RX_CACHE)
		put_origin(f, gen, line);
	put_order(f, gen, line);
	fprintf(f, "\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
		"TimeoutStartSec=%s\nTimeoutStopSec=30s\n"
		"ExecStart=%s up %s\n",
		seconds(line, UNDO_MS, text, sizeof(text)), gen->tool,
		line->name);
	if (!line->text[TAB_INITRAMFS])
		put_stop(f, gen, line);
	unit_close(f);
}

static void add_line(struct gen *gen, const struct tab_line *line)
{
	char to[64];

	if (gen->initrd && !line->text[TAB_INITRAMFS])
		return;
	write_unit(gen, line);
	if (line->text[TAB_NOAUTO])
		return;
	snprintf(to, sizeof(to), "../rxadm@%s.service", line->name);
	if (gen->initrd) {
		unit_wants(gen->dir, "initrd-root-device.target", to);
		return;
	}
	unit_wants(gen->dir, line->text[TAB_NETDEV] ? "remote-fs.target" :
		   "local-fs.target", to);
	unit_wants(gen->dir, "rxadm.target", to);
	unit_wants(gen->dir, "multi-user.target", UNITS "/rxadm.target");
}

/*
 * Swap is found by UUID too, and nothing else orders it after caches. The order is
 * for all swap units, because any of their devices may have a cache.
 */
static void add_swap(struct gen *gen)
{
	FILE *f = unit_create(gen->dir, "swap.d/40-rxadm.conf");

	if (f)
		fputs("[Unit]\nAfter=local-fs-pre.target\n", f);
	unit_close(f);
}

/* A unit shows whether the table has mistakes. */
static void add_check(struct gen *gen)
{
	FILE *f = unit_create(gen->dir, "rxadm-check-tab.service");

	if (!f)
		return;
	fprintf(f, "[Unit]\nDescription=Check of " RXTAB_PATH "\n"
		"Documentation=man:rxtab(5)\nSourcePath=" RXTAB_PATH "\n\n"
		"[Service]\nType=oneshot\nExecStart=%s check-tab\n", gen->tool);
	unit_close(f);
	unit_wants(gen->dir, "multi-user.target", "../rxadm-check-tab.service");
}

static void add_lines(struct gen *gen)
{
	const struct rx_tab *tab = &gen->tab;
	bool caches = false;
	size_t i;

	for (i = 0; i < tab->n_notes; i++)
		if (tab->notes[i].error)
			fprintf(stderr, "%s:%u: %s\n", tab->path,
				tab->notes[i].nr, tab->notes[i].text);
	for (i = 0; i < tab->n_lines; i++) {
		if (tab->lines[i].bad)
			continue;
		add_line(gen, &tab->lines[i]);
		caches |= tab->lines[i].family == RX_CACHE;
	}
	if (caches && !gen->initrd)
		add_swap(gen);
}

int cmd_generator(const struct rx_verb *verb, const struct rx_args *args)
{
	struct gen gen = { .initrd = in_initrd() };
	int err;

	(void)verb;
	if (args->n_objects != 1 && args->n_objects != 3)
		return usage_error("__generator: say: rxadm __generator NORMAL [EARLY LATE]");
	gen.dir = args->objects[0];
	if (switched_off(gen.initrd))
		return RX_OK;
	find_tool(gen.tool, sizeof(gen.tool));
	umask(022);
	err = tab_load(&gen.tab, RXTAB_PATH);
	if (!err)
		add_lines(&gen);
	else if (err == ENOENT)
		return RX_OK;
	else
		say("__generator", NULL, "%s: %s", RXTAB_PATH, strerror(err));
	if ((err || gen.tab.n_errors) && !gen.initrd)
		add_check(&gen);
	tab_free(&gen.tab);
	return unit_failed() ? RX_KERNEL : RX_OK;
}
