// SPDX-License-Identifier: GPL-2.0-only
/* Reads the file of a table, and checks its lines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/sys.h"
#include "table/check.h"
#include "table/load.h"
#include "table/parse.h"
#include "table/table.h"

#define FILE_MAX	(1 << 20)

void tab_parse(struct rx_tab *tab, const char *path, const char *text, size_t len)
{
	tab_parse_lines(tab, path, text, len);
	tab_check_lines(tab);
}

int tab_load(struct rx_tab *tab, const char *path)
{
	FILE *f = fopen(strcmp(path, RXTAB_PATH) ? path : sys_path("%s", path), "re");
	char *text;
	size_t len;
	int err;

	if (!f)
		return errno;
	text = mem_zero(FILE_MAX + 1, 1);
	len = fread(text, 1, FILE_MAX + 1, f);
	err = ferror(f) ? errno : len > FILE_MAX ? EFBIG : 0;
	fclose(f);
	if (!err)
		tab_parse(tab, path, text, len);
	free(text);
	return err;
}

struct rx_strv tab_reserved(void)
{
	struct rx_strv names = { 0 };
	struct rx_tab tab;

	if (tab_load(&tab, RXTAB_PATH))
		return names;
	names = tab_disks(&tab);
	tab_free(&tab);
	return names;
}

void tab_put_names(const char *path)
{
	struct rx_tab tab;
	size_t i;

	if (tab_load(&tab, path ? path : RXTAB_PATH))
		return;
	for (i = 0; i < tab.n_lines; i++)
		puts(tab.lines[i].name);
	tab_free(&tab);
}
