/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of the system. RXADM_SYSROOT is put before their paths, for tests; a
 * recording without such a tree has no system at all. RXADM_RECORD names a file to which
 * requests, replies and events are appended as text, and RXADM_REPLAY one from which the
 * replies are taken instead of the kernel's.
 */
#ifndef RXADM_SYS_H
#define RXADM_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SYS_RUN	"/run/rxadm"	/* what holds until the next boot */

struct rx_strv;

/*
 * Returns a variable that only tests set, or NULL. Packages are built without these: root
 * runs rxadm, and they lead it to other files than those of the system.
 */
#ifdef RXADM_TEST_HOOKS
const char *sys_test_env(const char *name);
#else
static inline const char *sys_test_env(const char *name)
{
	(void)name;
	return NULL;
}
#endif

static inline const char *sys_root(void) { return sys_test_env("RXADM_SYSROOT"); }
int sys_make_run(void);

const char *sys_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *sys_read(const char *path);
/* Does the same with a file that is open, or NULL, and closes it. */
char *sys_read_file(FILE *f);
void sys_entries(struct rx_strv *v, const char *path);
/* Returns 0 or an errno. Goes on after a signal. */
int sys_write_all(int fd, const void *data, size_t len);
ssize_t sys_read_at(int fd, void *data, size_t len, uint64_t at);
int sys_read_all(int fd, void *data, size_t len, uint64_t at);
/*
 * Replaces the file PATH by one of the mode MODE, whatever the umask is. If the power fails
 * at any moment, the old file or the new one is there: NEW is written beside it and synced,
 * is renamed over it, and then the directory is synced. A NEW that a killed process left
 * goes. Returns 0 or an errno, EWOULDBLOCK if another process writes it for seconds.
 */
int sys_replace(const char *path, const char *new, mode_t mode, const void *data, size_t len);
/* Does so with a text in SYS_RUN. */
int sys_note(const char *path, mode_t mode, const char *text);
bool sys_no_room(int err);	/* a file system, a quota or a limit is full */
bool sys_unwritten(int err);	/* that, or the device failed: output is lost, as on a full standard output */
int sys_try_lock(const char *path, int *fd);
bool sys_replayed(void);
bool sys_absent(void);
bool sys_has_module(const char *name);
bool sys_module_runs(const char *name);
void io_priority_lower(void);

#endif
