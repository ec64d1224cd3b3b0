// SPDX-License-Identifier: GPL-2.0-only
/* Keeps lists of blocks in files, one for each origin. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sys.h"
#include "warm/blocklist.h"
#include "warm/file.h"

#define READABLE	80	/* of an identity, in the name of the file */

/* Returns the path of the list of an origin, without RXADM_SYSROOT. The caller frees it. */
char *warm_file(const char *identity)
{
	char *name = mem_text("%.*s", READABLE, identity), *path, *p;
	uint32_t hash = 0x811c9dc5;	/* FNV-1a */
	const char *byte;

	for (byte = identity; *byte; byte++)
		hash = (hash ^ (unsigned char)*byte) * 0x01000193;
	for (p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._",
			    *p))
			*p = '-';
	path = mem_text(WARM_DIR "/%s-%08x.warm", name, hash);
	free(name);
	return path;
}

/*
 * Makes the directory of the lists, but not those above it: these are missing when their
 * file system is not mounted. Returns 0 or an errno.
 */
int warm_make_dir(void)
{
	return mkdir(sys_path(WARM_DIR), 0700) && errno != EEXIST ? errno : 0;
}

/*
 * Reads a file of MOST bytes at most. Returns 0 or an errno. After EBADMSG, *WRONG says
 * what is wrong with the file.
 */
int warm_read(const char *path, uint64_t most, struct warm_list *list, const char **wrong)
{
	/* No FIFO keeps us waiting for a writer. */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), err;
	char *data = NULL;
	struct stat st;

	memset(list, 0, sizeof(*list));
	*wrong = NULL;
	if (fd < 0)
		return errno;
	err = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
	if (!err && (uint64_t)st.st_size > most)
		*wrong = "is longer than a list of the whole origin";
	if (!err && !*wrong) {
		data = malloc(st.st_size + 1);
		err = data ? sys_read_all(fd, data, st.st_size, 0) : ENOMEM;
	}
	close(fd);
	if (!err && !*wrong)
		*wrong = warm_decode(list, data, st.st_size, most);
	free(data);
	return *wrong ? EBADMSG : err;
}
