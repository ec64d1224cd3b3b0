// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds out why a module is not loaded. The kernel loads a module when its netlink family
 * is asked for. If there is no module, or its signature is refused, at best the kernel's
 * log says so. We see only that the family does not exist.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/global.h"
#include "base/say.h"
#include "base/sys.h"
#include "kernel/refused.h"

/* scripts/sign-file ends a module with this text. */
#define SIGNED_END	"~Module signature appended~\n"

/*
 * Tells whether the kernel wants signatures. Secure Boot locks most kernels down, and
 * sig_enforce alone suffices too.
 */
static bool wants_signatures(void)
{
	char *lockdown = sys_read(sys_path("/sys/kernel/security/lockdown"));
	char *enforce = sys_read(sys_path("/sys/module/module/parameters/sig_enforce"));
	bool wants = (lockdown && strchr(lockdown, '[') &&
		      !strstr(lockdown, "[none]")) ||
		     (enforce && *enforce == 'Y');

	free(lockdown);
	free(enforce);
	return wants;
}

/*
 * Returns the path of MODULE in modules.dep of DIR, whose lines are "PATH: PATH…",
 * or NULL. KNOWN is false if there is no such file, as in a container.
 */
static char *module_path(const char *module, const char *dir, bool *known)
{
	char *text = sys_read(sys_path("%s/modules.dep", dir));
	char *line, *next, *file, *path = NULL;
	size_t n = strlen(module);

	*known = text;
	for (next = text; !path && (line = strsep(&next, "\n")); ) {
		line[strcspn(line, ":")] = '\0';
		file = basename(line);
		if (!strncmp(file, module, n) && !strncmp(file + n, ".ko", 3))
			path = strdup(line);
	}
	free(text);
	return path;
}

/* The signature of a compressed file is not visible; it counts as signed. */
static bool has_signature(const char *dir, const char *path)
{
	const char *suffix = strrchr(path, '.');
	char end[sizeof(SIGNED_END)] = "";
	bool is;
	FILE *f;

	if (!suffix || strcmp(suffix, ".ko"))
		return true;
	f = fopen(*path == '/' ? sys_path("%s", path) :
		  sys_path("%s/%s", dir, path), "re");
	if (!f)
		return true;
	is = !fseek(f, -(long)strlen(SIGNED_END), SEEK_END) &&
	     fread(end, strlen(SIGNED_END), 1, f) == 1 &&
	     !strcmp(end, SIGNED_END);
	fclose(f);
	return is;
}

/*
 * Tells whether this is a container, which has no modules of its own. Root of another user
 * namespace may load none either.
 */
static bool in_container(void)
{
	static const char *const signs[] = {
		"/run/systemd/container", "/run/.containerenv", "/.dockerenv",
	};
	char *map = sys_read(sys_path("/proc/self/uid_map"));
	unsigned long inside, outside, n;
	bool is = map && sscanf(map, "%lu %lu %lu", &inside, &outside, &n) == 3 &&
		  (inside || outside || n != UINT32_MAX);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signs); i++)
		is |= !access(sys_path("%s", signs[i]), F_OK);
	free(map);
	return is;
}

static bool loads_none(void)
{
	char *text = sys_read(sys_path("/proc/sys/kernel/modules_disabled"));
	bool none = text && *text == '1';

	free(text);
	return none;
}

/* Says that MODULE is loaded, and where it can be reached. */
void refused_say_hidden(const char *verb, const char *module)
{
	char ours[64] = "", first[64] = "";
	bool known = readlink(sys_path("/proc/self/ns/net"), ours, sizeof(ours) - 1) > 0 &&
		     readlink(sys_path("/proc/1/ns/net"), first, sizeof(first) - 1) > 0 &&
		     strcmp(ours, first);

	say(NULL, NULL, "%s is loaded, but cannot be reached from this network namespace (of a container, or a unit with PrivateNetwork=yes); %s%s%s",
	    module, known ? "run: nsenter -t 1 -n rxadm " :
	    "run it in the first one of the host, outside the container", known && verb ? verb : "",
	    known && verb ? " ..." : "");
}

/* Says why MODULE is not loaded. Returns false if no reason was found. */
bool refused_say(const char *module)
{
	char *release, *path, dir[256];
	bool known, said = true;

	/* A recording is not of this machine. */
	if (sys_absent())
		return false;
	release = sys_read(sys_path("/proc/sys/kernel/osrelease"));
	snprintf(dir, sizeof(dir), "/lib/modules/%s", release ? release : "");
	path = module_path(module, dir, &known);
	if (loads_none())
		say(NULL, NULL, "%s is not loaded, and this kernel loads no more modules before a reboot (sysctl kernel.modules_disabled); load it earlier at boot: echo %s >/etc/modules-load.d/%s.conf",
		    module, module, module);
	else if (in_container())
		say(NULL, NULL, "%s is not loaded, and a container can't load it; run on the host: modprobe %s",
		    module, module);
	else if (!known && release)
		say(NULL, NULL, "%s is not loaded, and there are no modules of this kernel, %s, in /lib/modules; after an update of the kernel reboot, in a chroot run outside of it: modprobe %s",
		    module, release, module);
	else if (!path && known)
		say(NULL, NULL, "%s is not installed for this kernel, %s; install its headers and rxdsk-dkms, or run: dkms autoinstall",
		    module, release);
	else if (path && wants_signatures())
		say(NULL, NULL, has_signature(dir, path) ?
		    "%s is not loaded, and this kernel (Secure Boot) loads only modules signed with a key that it knows; run: modprobe %s; if that is rejected, enroll your key: mokutil --import /var/lib/dkms/mok.pub, and reboot (SECURE BOOT in rx-install(7))" :
		    "%s is not loaded: this kernel (Secure Boot) loads only modules that are signed, and %s.ko is not; install rxdsk-dkms, or run: make dkms, which sign it, and enroll your key (SECURE BOOT in rx-install(7))",
		    module, module);
	else
		said = false;
	free(path);
	free(release);
	return said;
}
