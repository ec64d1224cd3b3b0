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
	uint64_t crc = warm_crc(identity, strlen(identity));
	char *name = mem_text("%.*s", READABLE, identity), *path, *p;

	for (p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._",
			    *p))
			*p = '-';
	path = mem_text(WARM_DIR "/%s-%08x.warm", name, (unsigned int)(crc ^ crc >> 32));
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

/* Tells whether PATH is there, but as no regular file. To open a device may have effects. */
bool warm_is_special(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && !S_ISREG(st.st_mode);
}

/* Checks the length of the file, which must be the one that its head tells. */
static int check_length(int fd, uint64_t most, off_t *len, const char **wrong)
{
	char head[WARM_HEAD];
	struct stat st;

	if (fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	*len = st.st_size;
	*wrong = "is cut short";
	if (pread(fd, head, WARM_HEAD, 0) == WARM_HEAD)
		*wrong = warm_check_head(head, st.st_size);
	if (!*wrong && (uint64_t)st.st_size > most)
		*wrong = "is longer than a list of the whole origin";
	return *wrong ? EBADMSG : 0;
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
	off_t len = 0;

	memset(list, 0, sizeof(*list));
	if (fd < 0)
		return errno;
	err = check_length(fd, most, &len, wrong);
	if (!err) {
		data = malloc(len);
		err = data ? sys_read_all(fd, data, len, 0) : ENOMEM;
	}
	close(fd);
	if (!err) {
		*wrong = warm_decode(list, data, len);
		err = *wrong ? EBADMSG : 0;
	}
	free(data);
	return err;
}
