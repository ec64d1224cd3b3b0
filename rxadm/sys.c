// SPDX-License-Identifier: GPL-2.0-only
/* Files of the system. */
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "global.h"
#include "mem.h"
#include "strv.h"
#include "sys.h"

/* One of a few buffers in turn, so that two results can be used at once. */
const char *sys_path(const char *fmt, ...)
{
	static char bufs[4][PATH_MAX];
	static unsigned int next;
	char *buf = bufs[next++ % ARRAY_SIZE(bufs)];
	const char *root = getenv("RXADM_SYSROOT");
	va_list ap;
	int n;

	n = snprintf(buf, PATH_MAX, "%s", root ? root : "");
	va_start(ap, fmt);
	vsnprintf(buf + n, PATH_MAX - n, fmt, ap);
	va_end(ap);
	return buf;
}

/* The file up to a zero byte, without the newline at its end; NULL if there is none. */
char *sys_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	ssize_t len;

	if (!f)
		return NULL;
	len = getdelim(&text, &size, '\0', f);
	fclose(f);
	if (len < 0) {
		free(text);
		return mem_dup("");
	}
	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	return text;
}

/* Adds what is in a directory, which may be absent, but for hidden files. */
void sys_entries(struct rx_strv *v, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *de;

	while (dir && (de = readdir(dir)))
		if (*de->d_name != '.')
			strv_add(v, de->d_name);
	if (dir)
		closedir(dir);
}

/* A recording is replayed, in which no node of a device is real. */
bool sys_replayed(void)
{
	return getenv("RXADM_REPLAY");
}

/* It has no tree of the system beside it either. */
bool sys_absent(void)
{
	return sys_replayed() && !getenv("RXADM_SYSROOT");
}

/* Asking the kernel for the family of a module that is absent would load it. */
bool sys_has_module(const char *name)
{
	return sys_replayed() ||
	       !access(sys_path("/sys/module/%s", name), F_OK);
}
