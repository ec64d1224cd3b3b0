// SPDX-License-Identifier: GPL-2.0-only
/* Output as tables and as JSON, from one set of columns. */
#include <json-c/json.h>
#include <linux/rxcache.h>
#include <unistd.h>

#include "base/global.h"
#include "base/strv.h"
#include "kernel/derive.h"
#include "kernel/list.h"
#include "kernel/model.h"
#include "kernel/protocol.h"
#include "rx_test.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/out.h"

static char text[65536];

static struct {
	FILE *file;
	int saved;
} catch;

static void catch_begin(void)
{
	fflush(stdout);
	catch.file = tmpfile();
	catch.saved = dup(STDOUT_FILENO);
	dup2(fileno(catch.file), STDOUT_FILENO);
}

static void catch_end(void)
{
	size_t n;

	fflush(stdout);
	dup2(catch.saved, STDOUT_FILENO);
	close(catch.saved);
	rewind(catch.file);
	n = fread(text, 1, sizeof(text) - 1, catch.file);
	text[n] = '\0';
	fclose(catch.file);
}

static struct rx_list sample(void)
{
	struct rx_list list = { 0 };
	struct rx_disk disk;
	struct rx_cache cache;

	model_clear(RX_DISK, &disk);
	strcpy(disk.name, "rxd0");
	disk.size = 1ULL << 30;
	disk.used = 4096;
	disk.open = 1;
	strv_add(&disk.mounts, "/mnt/a b");
	strv_add(&disk.mounts, "/srv\xff\x1b[31m");
	list_add(&list, RX_DISK, &disk);
	model_clear(RX_CACHE, &cache);
	strcpy(cache.name, "rxc0");
	strcpy(cache.disk, "rxd0");
	strcpy(cache.origin_path, "/dev/sda3");
	cache.size = 1ULL << 62;
	cache.state = 9;
	cache.stats.read_hit = 2;
	cache.stats.read_miss = 1;
	model_derive(&cache);
	list_add(&list, RX_CACHE, &cache);
	return list;
}

static struct json_object *at(struct json_object *root, const char *view,
			      const char *key)
{
	struct json_object *array, *value = NULL;

	if (!json_object_object_get_ex(root, view, &array))
		return NULL;
	json_object_object_get_ex(json_object_array_get_idx(array, 0), key,
				  &value);
	return value;
}

static void test_json(const struct rx_list *list)
{
	struct json_object *root, *v;

	catch_begin();
	root = out_json_root();
	out_json_list(root, list, true, true);
	out_json_print(root);
	catch_end();
	check(strchr(text, '\n') == text + strlen(text) - 1, "one line");
	check(!strchr(text, '\x1b') && !strchr(text, '\xff'),
	      "no raw control characters, no broken UTF-8");
	root = json_tokener_parse(text);
	check(root, "JSON is valid");
	check(json_object_get_uint64(at(root, "disks", "size")) == 1ULL << 30,
	      "sizes are raw numbers");
	check(json_object_get_uint64(at(root, "caches", "size")) == 1ULL << 62,
	      "large numbers are exact");
	check(strstr(text, "\"queues\":null"), "unknown is null");
	check(strstr(text, "\"cache\":null"), "no holder is null");
	check(strstr(text, "\"read_only\":null"), "unknown yes-or-no is null");
	check(strstr(text, "\"hit_ratio\":0.666667"), "hit ratio");
	check(strstr(text, "\"state\":9"), "unknown state stays a number");
	v = at(root, "disks", "mountpoints");
	check(json_object_array_length(v) == 2, "mount points are a list");
	check_str(json_object_get_string(json_object_array_get_idx(v, 0)),
		  "/mnt/a b", "with their spaces");
	check(!at(root, "caches", "bypass") && !at(root, "caches", "MAJ:MIN"),
	      "no column that is only for people");
	v = at(root, "caches", "stats");
	check(json_object_object_get_ex(v, "read_bypass_memory", NULL) &&
	      json_object_object_get_ex(v, "origin_writes", NULL),
	      "counters have the names of the protocol");
	check(json_object_object_length(v) == RXCACHE_A_STATS_MAX -
	      RXCACHE_A_STATS_PAD, "every counter of the protocol is there");
	json_object_put(root);
	rx.columns = "NAME,HIT%";
	root = out_json(&view_caches, &list->caches[0]);
	check(json_object_object_length(root) == 2, "-o chooses keys");
	json_object_put(root);
	rx.columns = NULL;
}

static void table(const struct rx_list *list, const char *columns)
{
	rx.columns = columns;
	catch_begin();
	out_list(list, true, true);
	catch_end();
	rx.columns = NULL;
}

int main(void)
{
	struct rx_list list = sample();

	test_json(&list);
	rx.raw = rx.noheadings = true;
	table(&list, "NAME,SIZE,USED,OPEN,QUEUES");
	check_str(text, "rxd0 1G 4K - 1\n", "raw, only the view that fits");
	rx.bytes = true;
	table(&list, "NAME,SIZE,HIT%,STATE");
	check_str(text, "rxc0 4611686018427387904 66.7 9\n", "bytes");
	table(&list, "name,maj:min,mountpoint");
	check(strstr(text, "rxd0 - /mnt/a\\x20b,/srv"), "names in lower case");
	rx.raw = rx.noheadings = rx.bytes = false;
	table(&list, NULL);
	check(strstr(text, "NAME SIZE USED OPEN CACHE MOUNTPOINT\n"),
	      "default columns of disks");
	check(strstr(text, "NAME DISK ORIGIN    SIZE CACHED HIT% STATE MOUNTPOINT\n"),
	      "default columns of caches");
	check(!strchr(text, '\x1b'), "no control characters in tables");
	table(&list, "+RO");
	check(strstr(text, "RO") && strstr(text, "USED"), "+COL adds");
	catch_begin();
	out_tree(&list);
	catch_end();
	check(strstr(text, "rxc0") > strstr(text, "rxd0"), "tree");
	list_free(&list);
	return done();
}
