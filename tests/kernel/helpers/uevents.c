// SPDX-License-Identifier: GPL-2.0-only
/*
 * uevents READY-FILE
 *
 * Prints "ACTION NAME" for each event that the kernel sends to udev of a block device,
 * until SIGTERM; makes READY-FILE once it listens.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	char buf[8192];
	ssize_t len;

	if (argc != 2 || fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    open(argv[1], O_CREAT | O_WRONLY | O_CLOEXEC, 0600) < 0) {
		perror("uevents");
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((len = recv(fd, buf, sizeof(buf) - 1, 0)) > 0) {
		char *path;

		/* ACTION@PATH, and then variables. */
		buf[len] = '\0';
		path = strchr(buf, '@');
		if (!path || !strstr(path, "/block/"))
			continue;
		*path = '\0';
		printf("%s %s\n", buf, strrchr(path + 1, '/') + 1);
	}
	return 0;
}
