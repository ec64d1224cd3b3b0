// SPDX-License-Identifier: GPL-2.0-only
/* Which counters a load looks at, on stacks of devices in a tree below RXADM_SYSROOT. */
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/global.h"
#include "base/sys.h"
#include "kernel/object.h"
#include "rx_test.h"
#include "warm/busy.h"

static const char *root;

static const char *below(const char *fmt, ...)
{
	static char path[4][512];
	static unsigned int next;
	char *p = path[next++ % 4];
	va_list ap;
	int n = snprintf(p, 512, "%s/sys", root);

	va_start(ap, fmt);
	vsnprintf(p + n, 512 - n, fmt, ap);
	va_end(ap);
	return p;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Sets the counters of the disk or partition at PATH below devices. */
static void count(const char *path, unsigned int sectors, unsigned int in_flight)
{
	char text[128];

	snprintf(text, sizeof(text), " %u 0 %u 7 9 0 %u 7 %u 5 6\n", sectors, sectors / 2, sectors - sectors / 2, in_flight);
	put(below("/devices/%s/stat", path), text);
}

static void device(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	mkdir(below("/devices/%s", path), 0755);
	if (name == path)
		mkdir(below("/devices/%s/slaves", path), 0755);
	else
		put(below("/devices/%s/partition", path), "3\n");
	if (symlink(below("/devices/%s", path), below("/class/block/%s", name)))
		abort();
	count(path, 1000, 0);
}

static void slave(const char *of, const char *name)
{
	if (symlink(below("/class/block/%s", name), below("/devices/%s/slaves/%s", of, name)))
		abort();
}

static void find(struct warm_disks *disks, const char *origin)
{
	struct rx_cache cache = { 0 };

	snprintf(cache.name, sizeof(cache.name), "rxc0");
	snprintf(cache.origin, sizeof(cache.origin), "%s", origin);
	warm_disks_find(disks, &cache);
}

/* The disks that count for an origin: WANT has their names, in any order. */
static void counts_for(const char *origin, const char *want)
{
	struct warm_disks disks;
	char got[256] = "";
	unsigned int words = 1;
	const char *p;
	size_t i;

	for (p = want; *p; p++)
		words += *p == ' ';
	find(&disks, origin);
	for (i = 1; i < disks.n; i++) {
		strcat(strcat(got, " "), disks.at[i].name);
		check(strstr(want, disks.at[i].name), "%s: %s counts", origin, disks.at[i].name);
	}
	check(disks.n == words + 1, "%s:%s are all", origin, got);
	warm_disks_free(&disks);
}

static void test_stacks(void)
{
	static const char *const devices[] = {
		"rxc0", "sda", "sda/sda3", "sda/sda4", "sdb", "md0", "md0/md0p1", "dm-0", "dm-1", "dm-2", "dm-3", "dm-4"
	};
	size_t i;

	for (i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		device(devices[i]);
	counts_for("sdb", "sdb");
	counts_for("sda3", "sda");
	/* A thin volume: its pool has data and metadata on one partition. */
	slave("dm-0", "dm-1");
	slave("dm-1", "dm-2");
	slave("dm-1", "dm-3");
	slave("dm-2", "sda3");
	slave("dm-3", "sda3");
	counts_for("dm-0", "sda");
	/* A volume on two partitions of a disk. */
	slave("dm-4", "sda3");
	slave("dm-4", "sda4");
	counts_for("dm-4", "sda");
	/* A partition of an array. */
	slave("md0", "sda4");
	slave("md0", "sdb");
	counts_for("md0p1", "sda sdb");
	/* A loop, which must end. */
	slave("sdb", "md0");
	counts_for("md0", "sda");
	unlink(below("/devices/sdb/slaves/md0"));
}

static void test_sums(void)
{
	struct warm_done done = { 0 };
	struct warm_disks disks;
	struct rx_cache now = { .stats = { .origin_read_bytes = 51200, .origin_write_bytes = 512 } };

	find(&disks, "md0p1");
	warm_disks_busy(&disks, &now, &done);
	done = (struct warm_done){ 0 };
	now.stats.origin_read_bytes += 1024;
	check(!warm_disks_busy(&disks, &now, &done) && !done.disks && !done.cache, "nothing is done yet");
	count("sda", 1100, 0);
	count("rxc0", 1300, 2);
	check(warm_disks_busy(&disks, &now, &done), "an I/O is under way");
	check(done.disks == 100 && done.cache == 300 && done.origin == 2, "what was done since counts");
	now.stats.origin_read_bytes = now.stats.origin_write_bytes = 0;
	warm_disks_busy(&disks, &now, &done);
	now.stats.origin_read_bytes = 512;
	warm_disks_busy(&disks, &now, &done);
	check(done.origin == 3, "also when the cache's counters begin anew");
	/* A disk that goes away, and one that comes back. */
	unlink(below("/devices/sda/stat"));
	count("sdb", 1050, 0);
	count("rxc0", 1300, 0);
	check(!warm_disks_busy(&disks, &now, &done) && done.disks == 150, "a disk that is gone does nothing");
	count("sda", 10, 0);
	warm_disks_busy(&disks, &now, &done);
	check(done.disks == 150, "nor one that begins anew");
	count("sda", 30, 0);
	warm_disks_busy(&disks, &now, &done);
	check(done.disks == 170, "but then it does");
	warm_disks_free(&disks);
}

int main(void)
{
	char dir[] = "/tmp/rx-busy-XXXXXX", remove[64];
	int failed;

	root = mkdtemp(dir);
	if (!root)
		abort();
	setenv("RXADM_SYSROOT", root, 1);
	mkdir(below(""), 0755);
	mkdir(below("/devices"), 0755);
	mkdir(below("/class"), 0755);
	mkdir(below("/class/block"), 0755);
	if (symlink("class/block", below("/block")))
		abort();
	test_stacks();
	test_sums();
	snprintf(remove, sizeof(remove), "rm -r %s", root);
	check(!system(remove), "nothing is left");
	failed = done();
	return failed;
}
