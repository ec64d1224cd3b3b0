// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which a boot makes the lines. If two units wait for each other, systemd
 * leaves one of them out, which may be local-fs.target. So a line that would wait for what
 * waits for it gets no unit. These checks read only the table, fstab and crypttab, because
 * the generator runs before there are devices.
 */
#include <fcntl.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "system/dev.h"
#include "table/image.h"
#include "table/order.h"
#include "table/table.h"

#define LAYERS	16	/* most lines of crypttab above each other */

/*
 * Tells whether the path is one of a device that the line makes, or of a partition of it,
 * in a form that all boots know.
 */
static bool names_line(const char *path, const struct tab_line *line)
{
	static const char by_id[] = "/dev/disk/by-id/rx-";
	size_t len = strlen(line->name);

	if (!strncmp(path, by_id, strlen(by_id)) &&
	    !strncmp(path + strlen(by_id), line->name, len)) {
		path += strlen(by_id) + len;
		return !*path || !strncmp(path, "-part", strlen("-part"));
	}
	return !strncmp(path, "/dev/", 5) && dev_is_of(path + 5, line->name);
}

/* Returns the line of the disk that the origin of LINE is, or NULL. */
static struct tab_line *origin_line(const struct rx_tab *tab, const struct tab_line *line)
{
	struct tab_line *other, *end = tab->lines + tab->n_lines;

	for (other = tab->lines; line->text[TAB_ORIGIN] && other < end; other++)
		if (other != line && other->family == RX_DISK && !other->bad &&
		    names_line(line->text[TAB_ORIGIN], other))
			return other;
	return NULL;
}

/*
 * Returns the image that has to be read before the line is made, or NULL. Any local mount
 * may be the one of the image, so no target that comes before all of them may wait for the
 * line.
 */
const char *tab_late_image(const struct rx_tab *tab, const struct tab_line *line)
{
	const struct tab_line *disk = line->family == RX_DISK ? line : origin_line(tab, line);

	return disk ? disk->text[TAB_IMAGE] : NULL;
}

/*
 * Tells whether the unit of the line waits for the network. What the initramfs makes is
 * there before that.
 */
bool tab_needs_network(const struct tab_line *line)
{
	return line->text[TAB_NETDEV] && !line->text[TAB_INITRAMFS];
}

/* Returns the options of USE from NAME on, or NULL if there is no option of that name. */
static const char *option_of(const struct tab_use *use, const char *name)
{
	const struct mntent entry = { .mnt_opts = use->options };

	return hasmntopt(&entry, name);
}

static bool has_option(const struct tab_use *use, const char *name)
{
	return option_of(use, name);
}

/*
 * Tells whether the boot waits for the device with its local file systems. systemd orders
 * every swap area that it activates before swap.target.
 */
static bool is_awaited(const struct tab_use *use)
{
	return !has_option(use, "noauto") && (use->swap ||
	       !(has_option(use, "_netdev") || has_option(use, "nofail") ||
		 has_option(use, "x-systemd.automount")));
}

/* A copy without the CR of another system's editor, which systemd takes for a blank. */
static char *field(const char *text)
{
	return mem_text("%.*s", (int)strcspn(text, "\r"), text);
}

/*
 * The fields of a line of crypttab are NAME DEVICE KEY OPTIONS, of which the last two may be
 * missing.
 */
static void load(struct tab_uses *uses, const char *file, bool crypttab)
{
	FILE *f = setmntent(sys_path("%s", file), "re");
	struct mntent *entry;
	bool swap;

	while (f && (entry = getmntent(f))) {
		swap = !crypttab && !strcmp(entry->mnt_type, MNTTYPE_SWAP);
		uses->v = mem_grow(uses->v, uses->n, sizeof(*uses->v));
		uses->v[uses->n++] = (struct tab_use){
			.file = file, .options = field(entry->mnt_opts), .swap = swap,
			.device = field(crypttab ? entry->mnt_dir : entry->mnt_fsname),
			.what = mem_dup(crypttab ? entry->mnt_fsname : swap ? "swap" : entry->mnt_dir),
			.key = crypttab ? field(entry->mnt_type) : NULL,
		};
	}
	if (f)
		endmntent(f);
}

/* Reads fstab and crypttab. */
void tab_uses_load(struct tab_uses *uses)
{
	*uses = (struct tab_uses){ 0 };
	load(uses, "/etc/fstab", false);
	load(uses, "/etc/crypttab", true);
}

void tab_uses_free(struct tab_uses *uses)
{
	size_t i;

	for (i = 0; i < uses->n; i++) {
		free(uses->v[i].device);
		free(uses->v[i].what);
		free(uses->v[i].key);
		free(uses->v[i].options);
	}
	free(uses->v);
}

/* Returns the name of a device of device-mapper by its path, or NULL. */
static const char *mapper_name(const char *path)
{
	static const char *const places[] = { "/dev/mapper/", "/dev/disk/by-id/dm-name-" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		if (!strncmp(path, places[i], strlen(places[i])))
			return path + strlen(places[i]);
	return NULL;
}

/* Tells whether the device PATH is of LINE, or is opened by crypttab over one that is. */
static bool leads_to(const struct tab_uses *uses, const char *path, const struct tab_line *line,
		     int layers)
{
	const char *name = mapper_name(path), *device;
	bool is = names_line(path, line);
	char *link;
	size_t i;

	for (i = 0; name && layers && i < uses->n && !is; i++) {
		if (!uses->v[i].key || strcmp(uses->v[i].what, name))
			continue;
		link = dev_tag_link(uses->v[i].device);
		device = link ? link : uses->v[i].device;
		is = leads_to(uses, device, line, layers - 1);
		free(link);
	}
	return is;
}

/* Refuses lines that need the network and that USE waits for without it. */
static void check_network(struct rx_tab *tab, const struct tab_uses *uses,
			  const struct tab_use *use)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	char *link = dev_tag_link(use->device);
	const char *path = link ? link : use->device, *origin;

	for (line = tab->lines; line < end && is_awaited(use); line++) {
		origin = line->text[TAB_ORIGIN];
		/* The unit of the origin's device waits for the network, too. */
		if (line->bad || !tab_needs_network(line) ||
		    !(leads_to(uses, path, line, LAYERS) || (origin && !strcmp(origin, path))))
			continue;
		tab_wrong(tab, line,
			  "%s has %s for '%s', which waits before the network is there, and %s is made after that (%s)",
			  use->file, use->device, use->what, line->name,
			  use->swap ? "noauto there" : "_netdev or nofail there");
	}
	free(link);
}

/* Tells whether PATH is in the mount of the root directory, as it is now. */
static bool is_in_root_mount(const char *path)
{
	struct statx root, file;

	return !statx(AT_FDCWD, sys_path("/"), 0, STATX_MNT_ID, &root) &&
	       !statx(AT_FDCWD, sys_path("%s", path), 0, STATX_MNT_ID, &file) &&
	       root.stx_mnt_id == file.stx_mnt_id;
}

/*
 * Returns what is read of a file, if it is there only after local file systems were
 * mounted, or NULL. fstab is not the only one to mount them: systemd finds partitions by
 * their types, and ZFS has its own list. But at boot the generator sees the root file
 * system alone.
 */
static const char *late_file(const char *path)
{
	static const char *const kernel[] = { "/dev/*", "/proc/*", "/run/*", "/sys/*", NULL };
	static const char *const root[] = { "/etc/*", "/usr/*", NULL };
	static const char *const random[] = { "/dev/*random", "/dev/hw*rng", NULL };

	/* systemd reads its saved seed before these. */
	if (matches_any(path, random))
		path = "/var/lib/systemd";
	if (*path != '/' || matches_any(path, kernel))
		return NULL;
	return !image_on_root(path) || (!matches_any(path, root) && !is_in_root_mount(path)) ?
		path : NULL;
}

/*
 * Returns what opening an encrypted device waits for, if that comes after all caches, or
 * NULL. A file "PATH:DEVICE" is read by a mount of its own, which waits for nothing.
 */
static char *crypt_waits(const struct tab_use *crypt)
{
	const char *header = option_of(crypt, "header"), *late;
	char *paths[] = {
		mem_dup(crypt->key), mem_dup(header ? strchrnul(header, '/') : ""),
		mem_dup(crypt->device),
	}, *found = has_option(crypt, "_netdev") ? mem_dup("the network") : NULL;
	size_t i;

	paths[1][strcspn(paths[1], ",")] = '\0';
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		late = found || strchr(paths[i], ':') ? NULL : late_file(paths[i]);
		if (late)
			found = mem_text("the file system of '%s'", late);
		free(paths[i]);
	}
	return found;
}

/* Returns the same for the device PATH and those below it that crypttab opens. */
static char *mapper_waits(const struct tab_uses *uses, const char *path, int layers)
{
	const char *name = mapper_name(path);
	const struct tab_use *crypt;
	char *found = NULL;
	size_t i;

	for (i = 0; name && layers && i < uses->n && !found; i++) {
		crypt = &uses->v[i];
		/* systemd opens none with a keyscript. One with noauto is opened for its cache. */
		if (!crypt->key || strcmp(crypt->what, name) || has_option(crypt, "keyscript"))
			continue;
		found = crypt_waits(crypt);
		if (!found)
			found = mapper_waits(uses, crypt->device, layers - 1);
	}
	return found;
}

/* Refuses origins that are opened after caches have to be there. */
static void check_crypttab(struct rx_tab *tab, const struct tab_uses *uses)
{
	struct tab_line *line, *end = tab->lines + tab->n_lines;
	char *what;

	for (line = tab->lines; line < end; line++) {
		if (line->bad || !line->text[TAB_ORIGIN] || line->text[TAB_NETDEV] ||
		    line->text[TAB_INITRAMFS])
			continue;
		what = mapper_waits(uses, line->text[TAB_ORIGIN], LAYERS);
		if (what)
			tab_wrong(tab, line,
				  "origin '%s' is opened by /etc/crypttab after %s is there, and file systems wait for %s (_netdev here, and in /etc/fstab for what is on it)",
				  line->text[TAB_ORIGIN], what, line->name);
		free(what);
	}
}

/*
 * Tells whether FROM can't be made before LINE: directly, or by other lines. All lines can
 * be between both, but no more, so STEPS ends a circle that LINE is not in.
 */
static bool needs(const struct rx_tab *tab, const struct tab_uses *uses,
		  const struct tab_line *from, const struct tab_line *line, size_t steps)
{
	const struct tab_line *other, *end = tab->lines + tab->n_lines;
	struct rx_strv devices = { 0 };
	bool found = false;
	size_t i;

	if (!steps)
		return false;
	if (from->text[TAB_IMAGE])
		image_devices(from->text[TAB_IMAGE], &devices);
	if (from->text[TAB_ORIGIN])
		strv_add(&devices, from->text[TAB_ORIGIN]);
	for (other = tab->lines; other < end && !found; other++) {
		for (i = 0; i < devices.n && !leads_to(uses, devices.v[i], other, LAYERS); i++)
			;
		if (i < devices.n || other == from->disk)
			found = other == line || needs(tab, uses, other, line, steps - 1);
	}
	strv_free(&devices);
	return found;
}

static void check_circles(struct rx_tab *tab, const struct tab_uses *uses)
{
	struct tab_line *line;

	for (line = tab->lines; line < tab->lines + tab->n_lines; line++)
		if (!line->bad && line->text[TAB_IMAGE] &&
		    needs(tab, uses, line, line, tab->n_lines))
			tab_wrong(tab, line,
				  "image '%s' lies in a file system that is made of %s itself, by /etc/fstab and this table (a path on another file system)",
				  line->text[TAB_IMAGE], line->name);
}

/* Refuses a cache without the option _netdev on a disk that has it. */
static void check_below(struct rx_tab *tab)
{
	const struct tab_line *below;
	struct tab_line *line;

	for (line = tab->lines; line < tab->lines + tab->n_lines; line++) {
		below = line->disk ? line->disk : origin_line(tab, line);
		if (!line->bad && below && tab_needs_network(below) && !tab_needs_network(line))
			tab_wrong(tab, line, "its %s %s is made after the network, see line %u (_netdev here too)",
				  line->disk ? "disk" : "origin", below->name, below->nr);
	}
}

/* Refuses lines that a boot can't make without waiting for what waits for them. */
void tab_check_order(struct rx_tab *tab)
{
	struct tab_uses uses;
	struct tab_line *line;
	size_t i;

	tab_uses_load(&uses);
	for (line = tab->lines; line < tab->lines + tab->n_lines; line++)
		if (line->text[TAB_IMAGE] && image_is_remote(line->text[TAB_IMAGE]))
			line->text[TAB_NETDEV] = "";
	check_circles(tab, &uses);
	check_below(tab);
	/* The root file system is there before all units. */
	for (i = 0; i < uses.n; i++)
		if (strcmp(uses.v[i].what, "/"))
			check_network(tab, &uses, &uses.v[i]);
	check_crypttab(tab, &uses);
	tab_uses_free(&uses);
}
