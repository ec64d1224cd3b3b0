// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why a module that is installed is not loaded. The kernel loads it when its
 * netlink family is asked for, and where it refuses a signature that goes into
 * its log alone: to us the family is just not there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rxadm.h"

/* What scripts/sign-file puts at the end of a module. */
#define SIGNED_END	"~Module signature appended~\n"

/* Locked down, which Secure Boot does on most kernels, or told to by itself. */
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
 * The path of MODULE below the running kernel's directory, which goes to DIR;
 * NULL if it is not installed. Lines of modules.dep are "PATH: PATH…".
 */
static char *module_path(const char *module, char *dir, size_t len)
{
	char *release = sys_read(sys_path("/proc/sys/kernel/osrelease"));
	char *text, *line, *next, *file, *path = NULL;
	size_t n = strlen(module);

	snprintf(dir, len, "/lib/modules/%s", release ? release : "");
	free(release);
	text = sys_read(sys_path("%s/modules.dep", dir));
	for (next = text; !path && (line = strsep(&next, "\n")); ) {
		line[strcspn(line, ":")] = '\0';
		file = strrchr(line, '/');
		file = file ? file + 1 : line;
		if (!strncmp(file, module, n) && !strncmp(file + n, ".ko", 3))
			path = strdup(line);
	}
	free(text);
	return path;
}

/* A compressed file does not show it, and counts as signed. */
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

/* Says so if the kernel refuses MODULE for its signature; else false. */
bool refused_say(const char *module)
{
	char dir[256], *path;

	if (!wants_signatures())
		return false;
	path = module_path(module, dir, sizeof(dir));
	if (!path)
		return false;
	if (has_signature(dir, path))
		say(NULL, NULL, "%s is not loaded, and this kernel (Secure Boot) loads only modules signed with a key that it knows; run: modprobe %s; if that is rejected, enroll your key: mokutil --import /var/lib/dkms/mok.pub, and reboot (SECURE BOOT in rxdsk(4))",
		    module, module);
	else
		say(NULL, NULL, "%s is not loaded: this kernel (Secure Boot) loads only modules that are signed, and %s.ko is not; install rxdsk-dkms, or run: make dkms, which sign it, and enroll your key (SECURE BOOT in rxdsk(4))",
		    module, module);
	free(path);
	return true;
}
