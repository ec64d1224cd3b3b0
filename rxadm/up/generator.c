// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb __generator NORMAL [EARLY LATE] writes units for the lines of /etc/rxtab; see
 * systemd.generator(7). It runs before anything else, so it only reads and writes files,
 * and touches no module and no device.
 *
 * Nothing here may stop a boot: the units are wanted, never required, and every wait has
 * a time-out.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args/args.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/strv.h"
#include "base/sys.h"
#include "base/unitfile.h"
#include "base/units.h"
#include "table/export.h"
#include "table/image.h"
#include "table/load.h"
#include "table/order.h"
#include "table/table.h"
#include "up/generator.h"

#define UNITS		"/usr/lib/systemd/system"
#define HOLDER		"/usr/lib/udev/rx-origin"
#define UNDO_MS		15000	/* for "rxadm up" to undo what took too long */
#define STOP_MS		30000	/* for "rxadm down", without the save of an image */
#define LONGEST_MS	(UINT64_MAX / 1000000000 * 1000)	/* as nanoseconds a whole number of seconds */

/* Services that provide remote devices stop after the caches of these devices. */
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

/* Tells whether the kernel's command line has rxtab=no or, in the initrd, rd.rxtab=no. */
static bool switched_off(bool initrd)
{
	static const char *const no[] = { "0", "no", "off", "false", "n", "f", NULL };
	const char *const keys[] = { "rxtab=*", initrd ? "rd.rxtab=*" : NULL, NULL };
	char *text = sys_read(sys_path("/proc/cmdline")), *rest = text, *word;
	bool off = false;

	while (rest && (word = strsep(&rest, " \t\n")))
		if (matches_any(word, keys))
			off = matches_any(strchr(word, '=') + 1, no);
	free(text);
	return off;
}

/*
 * Tells whether this kernel was started to save the memory of one that crashed. It has
 * little memory of its own, and takes its file systems from the origins.
 */
static bool in_kdump(void)
{
	return !access(sys_path("/proc/vmcore"), F_OK);
}

/* Stores the path of this program, or its bare name if systemd would split the path. */
static void find_tool(char *path, size_t len)
{
	ssize_t n = readlink("/proc/self/exe", path, len - 1);

	path[n < 0 ? 0 : n] = '\0';
	if (!*path || strpbrk(path, " \t\"'\\%$;"))
		snprintf(path, len, "rxadm");
}

/* Prints a time-out for systemd, at most LONGEST_MS. */
static const char *timeout(uint64_t ms, char *text, size_t len)
{
	return time_print((ms < LONGEST_MS ? ms : LONGEST_MS) * 1000000, text, len);
}

/*
 * Makes the unit that WHAT, NAME and SUFFIX name start when the cache is there, or has
 * failed.
 */
static void put_before(FILE *f, const char *what, const char *name,
		       const char *suffix)
{
	fprintf(f, "Wants=%s%s%s\nBefore=%s%s%s\n", what, name, suffix, what,
		name, suffix);
}

/*
 * Sets the time-out of the unit of the device, because our own unit does not include the
 * wait for the device.
 */
static void write_timeout(const struct gen *gen, const struct tab_line *line,
			  const char *device)
{
	/* fstab's x-systemd.device-timeout= has the number 50 and so wins. */
	char *name = mem_text("%s.d/40-rxadm-timeout.conf", device), text[32];

	unit_write(gen->dir, name, "[Unit]\nJobRunningTimeoutSec=%s\n%s",
		   timeout(tab_timeout_ms(line), text, sizeof(text)),
		   /* The time-out begins when the network is there. */
		   tab_needs_network(line) && !gen->initrd ?
		   "Wants=network-online.target\n"
		   "After=network.target network-online.target\n" : "");
	free(name);
}

/* Makes the unit need the file system of the image, at its start and at its end. */
static void put_place(FILE *f, const struct tab_line *line)
{
	char *dir = image_dir(line->text[TAB_IMAGE]);

	fputs("RequiresMountsFor=", f);
	unit_put(f, dir, true);
	fputc('\n', f);
	free(dir);
}

static void put_image(FILE *f, const struct tab_line *line)
{
	put_place(f, line);
	if (line->num[TAB_SAVE] && line->text[TAB_SAVE])
		fprintf(f, "Wants=rxadm-image@%s.timer\n", line->name);
}

/*
 * systemd's time-out of the device of a disk includes the restore of its image. The timer
 * and its service are files of the package, which learn here what the line says.
 */
static void write_image(const struct gen *gen, const struct tab_line *line)
{
	char *name = mem_text("dev-%s.device.d/40-rxadm-timeout.conf", line->name);
	char *text, more[32];
	FILE *f;

	unit_write(gen->dir, name, "[Unit]\nJobRunningTimeoutSec=%s\n",
		   timeout(tab_timeout_ms(line) + UNDO_MS + tab_image_ms(line), more, sizeof(more)));
	free(name);
	if (!line->text[TAB_SAVE] || !line->num[TAB_SAVE])
		return;
	time_print(line->num[TAB_SAVE], more, sizeof(more));
	name = mem_text("rxadm-image@%s.timer.d/40-rxadm.conf", line->name);
	unit_write(gen->dir, name, "[Timer]\nOnActiveSec=%s\nOnUnitActiveSec=%s\n", more, more);
	free(name);
	name = mem_text("rxadm-image@%s.service.d/40-rxadm.conf", line->name);
	f = mem_open(&text);
	put_place(f, line);
	mem_close(f);
	unit_write(gen->dir, name, "[Unit]\n%s\n[Service]\nTimeoutStartSec=%s\n", text,
		   timeout(tab_image_ms(line), more, sizeof(more)));
	free(text);
	free(name);
}

static void put_origin(FILE *f, const struct gen *gen,
		       const struct tab_line *line)
{
	const char *origin = line->text[TAB_ORIGIN];
	char *device = unit_of_path(origin, "device");
	char *below = unit_of_path(origin, "target");

	if (strlen(device) + strlen(".d") <= NAME_MAX) {
		fprintf(f, "BindsTo=%s\nAfter=%s\n", device, device);
		/* The device of a disk with an image has the time-out of its own line. */
		if (!tab_late_image(&gen->tab, line))
			write_timeout(gen, line, device);
	}
	/*
	 * The service that opened the origin, for example cryptsetup, closes it after us. A
	 * cache of the initramfs is never stopped.
	 */
	if (!line->text[TAB_INITRAMFS] && strlen(below) + strlen("blockdev@") <= UNIT_NAME_MAX)
		fprintf(f, "After=blockdev@%s\n", below);
	if (line->disk)
		fprintf(f, "Requires=rxadm@%s.service\nAfter=rxadm@%s.service\n",
			line->disk->name, line->disk->name);
	/*
	 * That unit loads the list when the list's file system is there, and saves it at
	 * the end.
	 */
	if (line->text[TAB_WARM] && !gen->initrd)
		fprintf(f, "Wants=rxadm-warm@%s.service\n", line->name);
	/*
	 * That unit releases what was held back for the cache, made or not: see
	 * rx-origin.
	 */
	put_before(f, "rxadm-release@", line->name, ".service");
	free(device);
	free(below);
}

/*
 * Tells whether dm-crypt can wait for the cache, because the origin needs no
 * device-mapper itself.
 */
static bool is_plain(const char *origin)
{
	static const char *const stacked[] = { "dm-*", "md*", "lvm-*", NULL };
	const char *name = strrchr(origin, '/') + 1;

	return (name == origin + strlen("/dev/") ||
		!strncmp(origin, "/dev/disk/", strlen("/dev/disk/"))) &&
	       !matches_any(name, stacked);
}

/*
 * File systems that are mounted by UUID do not name the cache. These file systems and the
 * devices below them start after a passive target and stop before it. Devices that
 * crypttab opens by UUID have a passive target too.
 */
static void put_order(FILE *f, const struct gen *gen,
		      const struct tab_line *line)
{
	const char *image = tab_late_image(&gen->tab, line);

	fputs("After=systemd-udevd.service\n", f);
	if (tab_needs_network(line) && !gen->initrd)
		fputs("After=" NETWORK "\n", f);
	put_before(f, "blockdev@dev-", line->name, ".target");
	if (!line->text[TAB_NETDEV] && line->family == RX_CACHE && !image &&
	    is_plain(line->text[TAB_ORIGIN]))
		put_before(f, "cryptsetup-pre.target", "", "");
	if (gen->initrd) {
		fputs("Before=initrd-root-device.target sysroot.mount systemd-fsck-root.service\n",
		      f);
		return;
	}
	if (image && image_before_target(image))
		fprintf(f, "Before=%s-fs.target\n", line->text[TAB_NETDEV] ? "remote" : "local");
	else if (!image)
		put_before(f, line->text[TAB_NETDEV] ? "remote-fs-pre.target" :
			   "local-fs-pre.target", "", "");
	fputs("Before=rxadm.target\n", f);
	if (!line->text[TAB_INITRAMFS])
		fputs("PartOf=rxadm.target\nConflicts=umount.target\nBefore=umount.target\n",
		      f);
}

/*
 * At shutdown LVM and other layers stay on a device, so a cache that stays then is no
 * failure. By then rxadm-warm@.service has saved the cache's list, and the file system of
 * the lists may be gone.
 */
static void put_stop(FILE *f, const struct gen *gen,
		     const struct tab_line *line)
{
	/* systemd stops the unit when the origin goes. */
	if (line->family == RX_CACHE)
		fprintf(f, "ExecStop=-" HOLDER " gone %s\n", line->name);
	/* No target orders file systems that are mounted by UUID after such a disk. */
	if (line->text[TAB_IMAGE])
		fprintf(f, "ExecStop=-" HOLDER " unmounted %s\n", line->name);
	fprintf(f, "ExecStop=/bin/sh -c '%s down%s %s || { s=$$?; "
		"[ \"$$(systemctl is-system-running)\" = stopping ] && "
		"echo \"it stays until the machine is off%s\" || exit $$s; }'\n",
		gen->tool, line->text[TAB_WARM] ? " --no-save" : "", line->name,
		line->family == RX_CACHE ? "; its origin has all that it holds" :
		line->text[TAB_IMAGE] ? "; whether its image was saved is said above" : "");
}

static void write_unit(struct gen *gen, const struct tab_line *line,
		       const char *name)
{
	char *text, start[32], stop[32];
	FILE *f = mem_open(&text);

	fputs("[Unit]\nDescription=", f);
	if (line->family == RX_CACHE) {
		fputs("Cache of ", f);
		unit_put(f, line->text[TAB_ORIGIN], false);
		fputs(", ", f);
	} else {
		fputs("RAM disk ", f);
	}
	fprintf(f, "%s\nDocumentation=man:rxtab(5) man:rxadm(8)\n"
		"SourcePath=" RXTAB_PATH "\nDefaultDependencies=no\n"
		"IgnoreOnIsolate=yes\n", line->name);
	if (line->family == RX_CACHE)
		put_origin(f, gen, line);
	put_order(f, gen, line);
	if (line->text[TAB_IMAGE])
		put_image(f, line);
	if (line->text[TAB_EXPORT] && !gen->initrd)
		fprintf(f, "Wants=rxadm-export@%s.service\n", line->name);
	fprintf(f, "\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
		"TimeoutStartSec=%s\nTimeoutStopSec=%s\nExecStart=%s up %s%s\n",
		timeout(tab_timeout_ms(line) + UNDO_MS + tab_image_ms(line), start, sizeof(start)),
		timeout(STOP_MS + tab_image_ms(line), stop, sizeof(stop)),
		gen->tool, line->name, line->text[TAB_EXPORT] ? " --no-export" : "");
	if (!line->text[TAB_INITRAMFS])
		put_stop(f, gen, line);
	mem_close(f);
	unit_write(gen->dir, name, "%s", text);
	free(text);
}

/*
 * An export has a unit of its own, because it may have to wait for the network. Nothing
 * waits for this unit, and when it fails the disk or cache is there all the same.
 */
static void write_export(struct gen *gen, const struct tab_line *line)
{
	char *unit = mem_text("rxadm-export@%s.service", line->name), start[32];

	unit_write(gen->dir, unit,
		   "[Unit]\nDescription=NVMe-oF export of %s\n"
		   "Documentation=man:rxtab(5) man:rxadm(8)\nSourcePath=" RXTAB_PATH "\n"
		   "BindsTo=rxadm@%s.service\nAfter=rxadm@%s.service\n%s"
		   "\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
		   "TimeoutStartSec=%s\nTimeoutStopSec=30s\nExecStart=%s up %s\n"
		   "ExecStop=-%s unexport %s\n", line->name, line->name, line->name,
		   tab_export_is_remote(line) ?
		   "Wants=network-online.target\nAfter=network.target network-online.target\n" : "",
		   timeout(tab_timeout_ms(line) + UNDO_MS, start, sizeof(start)), gen->tool, line->name,
		   gen->tool, line->name);
	free(unit);
}

/*
 * Has an origin that comes late, is plugged in, or comes back start the unit. It is wanted
 * and not required, because systemd would stop the device with the unit.
 */
static void add_device(struct gen *gen, const char *origin, const char *link)
{
	char *device = unit_of_path(origin, "device");

	if (strlen(device) + strlen(".wants") <= NAME_MAX)
		unit_wants(gen->dir, device, link);
	free(device);
}

static void add_line(struct gen *gen, const struct tab_line *line)
{
	char link[64];

	if (line->bad || (gen->initrd && !line->text[TAB_INITRAMFS]))
		return;
	snprintf(link, sizeof(link), "../rxadm@%s.service", line->name);
	write_unit(gen, line, link + strlen("../"));
	if (line->text[TAB_EXPORT] && !gen->initrd)
		write_export(gen, line);
	if (line->text[TAB_IMAGE])
		write_image(gen, line);
	if (line->text[TAB_NOAUTO])
		return;
	if (gen->initrd) {
		unit_wants(gen->dir, "initrd-root-device.target", link);
		return;
	}
	unit_wants(gen->dir, line->text[TAB_NETDEV] ? "remote-fs.target" :
		   "local-fs.target", link);
	if (line->family == RX_CACHE)
		add_device(gen, line->text[TAB_ORIGIN], link);
	unit_wants(gen->dir, "rxadm.target", link);
	unit_wants(gen->dir, "multi-user.target", UNITS "/rxadm.target");
}

static void add_lines(struct gen *gen)
{
	const struct rx_tab *tab = &gen->tab;
	bool caches = false;
	size_t i;

	tab_print_notes(tab, false, "");
	for (i = 0; i < tab->n_lines; i++) {
		add_line(gen, &tab->lines[i]);
		caches |= !tab->lines[i].bad && tab->lines[i].family == RX_CACHE;
	}
	/*
	 * Swap is found by UUID too, and nothing else orders swap after caches. The order
	 * is for all swap units, because any of their devices may have a cache.
	 */
	if (caches && !gen->initrd)
		unit_write(gen->dir, "swap.d/40-rxadm.conf",
			   "[Unit]\nAfter=local-fs-pre.target\n");
}

/* Adds a unit that shows whether the table has mistakes. */
static void add_check(struct gen *gen)
{
	unit_write(gen->dir, "rxadm-check-tab.service",
		   "[Unit]\nDescription=Check of " RXTAB_PATH "\n"
		   "Documentation=man:rxtab(5)\nSourcePath=" RXTAB_PATH "\n\n"
		   "[Service]\nType=oneshot\nExecStart=%s check-tab\n", gen->tool);
	unit_wants(gen->dir, "multi-user.target", "../rxadm-check-tab.service");
}

int cmd_generator(const struct rx_args *args)
{
	struct gen gen = { .initrd = in_initrd() };
	int err;

	if (args->n_objects != 1 && args->n_objects != 3)
		return usage_error("__generator: say: rxadm __generator NORMAL [EARLY LATE]");
	gen.dir = args->objects[0];
	if (in_kdump() || switched_off(gen.initrd))
		return RX_OK;
	find_tool(gen.tool, sizeof(gen.tool));
	umask(022);
	err = tab_load(&gen.tab, RXTAB_PATH);
	/* The units of a line with such an error would wait for each other. */
	tab_check_own_places(&gen.tab);
	tab_check_order(&gen.tab);
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
