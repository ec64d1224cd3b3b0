// SPDX-License-Identifier: GPL-2.0-only
/* Names of units; the expected names are those of systemd-escape --path. */
#include "rx_test.h"
#include "base/unitfile.h"

static const struct {
	const char *path, *name;
} paths[] = {
	{ "/dev/sda", "dev-sda.device" },
	{ "/dev/disk/by-id/wwn-0x5", "dev-disk-by\\x2did-wwn\\x2d0x5.device" },
	{ "/dev/mapper/a--b_c:d", "dev-mapper-a\\x2d\\x2db_c:d.device" },
	{ "/dev/a\\x2fb", "dev-a\\x5cx2fb.device" },
	{ "/dev/a%b@c+d~e", "dev-a\\x25b\\x40c\\x2bd\\x7ee.device" },
	{ "/dev/\xc3\xa9", "dev-\\xc3\\xa9.device" },
	{ "/dev/.a.b", "dev-.a.b.device" },
	{ "/.dev/a", "\\x2edev-a.device" },
};

int main(void)
{
	char *name, text[64];
	size_t i;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		name = unit_of_path(paths[i].path, "device");
		check_str(name, paths[i].name, "%s", paths[i].path);
		free(name);
	}
	f = fmemopen(text, sizeof(text), "w");
	unit_put(f, "/dev/50%/%i", false);
	fclose(f);
	check_str(text, "/dev/50%%/%%i", "no specifiers");
	return done();
}
