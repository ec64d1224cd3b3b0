// SPDX-License-Identifier: GPL-2.0-only
/* /etc/rxtab: the values that are read, and the line and message of every mistake. */
#include <locale.h>

#include "base/global.h"
#include "base/say.h"
#include "base/strv.h"
#include "rx_test.h"
#include "table/image.h"
#include "table/load.h"
#include "table/table.h"

#define DISK_KEYS "(size, queues, queue-mode, block, numa, prealloc, zero-detect, limit, timeout, noauto, _netdev, initramfs, export, nqn, host, any-host, image, save)"
#define CACHE_KEYS "(size, origin, disk, block, mode, no-write-allocate, floor, min-share, max-share, read-only, read-ahead, compress, warm, timeout, noauto, _netdev, initramfs, export, nqn, host, any-host)"
#define O "origin=/dev/disk/by-id/wwn-1"
#define MOVES " comes to mean the cache once it is mapped (/dev/disk/by-id/... or /dev/disk/by-path/...)\n"
#define NO_DEVICE " is no device (/dev/disk/by-id/..., /dev/disk/by-path/... or /dev/mapper/...)\n"
#define NOT_PLAIN " is no plain path (neither //, /./, /../ nor / at the end)\n"
#define NO_FILE " is no plain path of a file (neither //, /./, /../ nor / at the end)\n"
#define LOST " is not on a disk that a boot leaves as it is (/var/lib/rxdsk/rxd0.img)\n"

/* Notes are "LINE message", or "LINE? message" for a warning. */
static const struct {
	const char *text, *notes;
} tables[] = {
	/* Lines without a mistake. */
	{ "", "" },
	{ "\n\n \t\n# rxd0 disk\n   # indented\n", "" },
	{ "rxd0 disk size=1G\n", "" },
	{ "  rxd0\t\tdisk \t size=1G,queues=4,block=4K  \n", "" },
	{ "rxd0 disk size=1G # and why\n", "" },
	{ "rxd1048575 disk size=4096B,block=512,noauto,_netdev,timeout=90\n", "" },
	{ "rxc0 cache " O ",size=1G\n", "" },
	{ "rxd0 disk size=1G,export=tcp:192.0.2.1:4420,export=tcp:[2001:db8::1],nqn=nqn.2024-01.com.example:a,host=nqn.2024-01.com.example:h,host=nqn.2024-01.com.example:i\n", "" },
	{ "rxc0 cache size=1G," O ",export=loop,any-host\n", "" },
	{ "rxd0 disk size=1G,export=tcp\n", "1 export lets no host in (host=HOSTNQN, or any-host for all)\n" },
	{ "rxc0 cache size=1.5G," O ",block=64K,mode=around,no-write-allocate,floor=1M,read-only,timeout=2m,_netdev,initramfs\n", "" },
	{ "rxc0 cache disk=rxd0," O "\nrxd0 disk size=1G\n", "" },
	{ "rxc0 cache size=1G,origin=/dev/mapper/a\\x2db+c:d@e\n", "" },

	/* The file and its bytes. */
	{ "rxd0 disk size=1G", "1? the file does not end in a newline; is it complete?\n" },
	{ "\n# end", "2? the file does not end in a newline; is it complete?\n" },
	{ "# dos\r\n\r\nrxd0 disk size=1G\r\n",
	  "3 the line ends in CR LF (LF alone: sed -i 's/\\r$//' tab)\n" },
	{ "rxd0 disk\x01 size=1G\n",
	  "1 control character 0x01 (printable characters, blanks and tabs)\n" },
	{ "rxd0 disk size=1G\x7f\n",
	  "1 control character 0x7f (printable characters, blanks and tabs)\n" },
	{ "rxd0 disk size=1G\rrxd1 disk size=1G\n",
	  "1 control character 0x0d (printable characters, blanks and tabs)\n" },

	/* Fields. */
	{ "rxd0\n", "1 1 of three fields (NAME TYPE OPTIONS)\n" },
	{ "\nrxd0 disk\n", "2 2 of three fields (NAME TYPE OPTIONS)\n" },
	{ "rxd0 disk # size=1G\n", "1 2 of three fields (NAME TYPE OPTIONS)\n" },
	{ "rxd0 disk size=1G, queues=4\n",
	  "1 'queues=4' follows the options (NAME TYPE OPTIONS, no blanks between options)\n"
	  "1 empty option (one comma between options, none at the end)\n" },
	{ "rxd0 disk size=1G 0 0\n",
	  "1 '0' follows the options (NAME TYPE OPTIONS, no blanks between options)\n" },
	{ "rxd0 dsik size=1G\n", "1 unknown type 'dsik', did you mean 'disk'? (disk, cache)\n" },
	{ "rxd0 ext4 size=1G\n", "1 unknown type 'ext4' (disk, cache)\n" },
	{ "disk rxd0 size=1G\n", "1 unknown type 'rxd0' (disk, cache)\n" },

	/* Names. */
	{ "rxc0 disk size=1G\n", "1 'rxc0' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxd0 cache size=1G," O "\n", "1 'rxd0' is no name of a cache (rxc0, rxc1 ...)\n" },
	{ "rxd disk size=1G\n", "1 'rxd' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rx disk size=1G\n", "1 'rx' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxd01 disk size=1G\n", "1 'rxd01' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxd1048576 disk size=1G\n", "1 'rxd1048576' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxd99999999999999999999 disk size=1G\n",
	  "1 'rxd99999999999999999999' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "/dev/rxd0 disk size=1G\n", "1 '/dev/rxd0' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxd0 disk size=1G\nrxd0 disk size=2G\n",
	  "2 rxd0 is in line 1 already (one line for each)\n" },

	/* Options. */
	{ "rxd0 disk size=1G,polcy=clock\n", "1 unknown option 'polcy' " DISK_KEYS "\n" },
	{ "rxc0 cache size=1G," O ",polcy=clock\n",
  "1 unknown option 'polcy' " CACHE_KEYS "\n" },
	{ "rxd0 disk size=1G,floor=1M\n", "1 option 'floor' is not for a disk " DISK_KEYS "\n" },
	{ "rxc0 cache size=1G," O ",queues=2\n", "1 option 'queues' is not for a cache " CACHE_KEYS "\n" },
	{ "rxd0 disk size=1G,,queues=2\n",
	  "1 empty option (one comma between options, none at the end)\n" },
	{ "rxd0 disk size=1G,\n",
	  "1 empty option (one comma between options, none at the end)\n" },
	{ "rxd0 disk size=1G,=2\n",
	  "1 empty option (one comma between options, none at the end)\n" },
	{ "rxd0 disk size\n", "1 option 'size' needs a value (size=4G)\n" },
	{ "rxd0 disk size=\n", "1 option 'size' needs a value (size=4G)\n" },
	{ "rxd0 disk size=1G,prealloc=yes\n", "1 option 'prealloc' takes no value (prealloc)\n" },
	{ "rxd0 disk size=1G,read-only\n", "1 option 'read-only' is not for a disk " DISK_KEYS "\n" },
	{ "rxd0 disk size=1G,size=1G\n", "1 option 'size' is given twice (once)\n" },
	{ "rxd0 disk size=1G,noauto,noauto\n", "1 option 'noauto' is given twice (once)\n" },
	{ "rxd0 disk queues=2\n", "1 size is missing (size=1G)\n" },
	{ "rxc0 cache size=1G\n", "1 origin is missing (origin=/dev/disk/by-id/...)\n" },
	{ "rxc0 cache " O "\n",
	  "1 size and disk are missing, one is needed (size=4G for a disk of its own, disk=rxd0 for that of another line)\n" },
	{ "rxc0 cache size=1G,disk=rxd0," O "\n",
	  "1 size and disk exclude each other (size=1G for a disk of its own, disk=rxd0 for that of another line)\n" },
	{ "rxd0 disk size=1G,initramfs,noauto\n",
	  "1 initramfs and noauto exclude each other (initramfs is before everything, noauto is not at boot)\n" },

	/* Values. */
	{ "rxd0 disk size=1024\n", "1 size '1024' has no unit (say 1024M or 1024B)\n" },
	{ "rxd0 disk size=1X\n", "1 size '1X' has an unknown unit (say K, M, G, T (1024), KB, MB, GB, TB (1000), B or %)\n" },
	{ "rxd0 disk size=-1G\n", "1 '-1G' is no size (say for example 512M or 1G)\n" },
	{ "rxd0 disk size=99E\n", "1 size '99E' is too big (the largest disk has 1E)\n" },
	{ "rxd0 disk size=1G,queues=0\n", "1 '0' is too small (say 1 or more)\n" },
	{ "rxd0 disk size=1G,queue-mode=bio\nrxd1 disk size=1G,queue-mode=mq,queues=2\n", "" },
	{ "rxd0 disk size=1G,queue-mode=rq\n", "1 invalid queue-mode: 'rq' (use mq|bio)\n" },
	{ "rxd0 disk size=1G,queue-mode\n", "1 option 'queue-mode' needs a value (queue-mode=mq|bio)\n" },
	{ "rxc0 cache size=1G," O ",mode=bypass\n", "1 invalid mode: 'bypass' (use through|around)\n" },
	{ "rxc0 cache size=1G," O ",floor=1\n", "1 size '1' has no unit (say 1M or 1B)\n" },
	{ "rxc0 cache size=1G," O ",timeout=soon\n", "1 'soon' is no time (say for example 500ms, 1s or 2m)\n" },
	{ "rxc0 cache size=1G," O ",timeout=1M\n", "1 '1M' is no time (say for example 500ms, 1s or 2m)\n" },
	{ "rxc0 cache size=1G," O ",timeout=0\n", "1 timeout '0' is too small (for example 30s)\n" },

	/* Origins. */
	{ "rxc0 cache size=1G,origin=sdb\n", "1 origin 'sdb'" NO_DEVICE },
	{ "rxc0 cache size=1G,origin=/dev/\n", "1 origin '/dev/'" NO_DEVICE },
	{ "rxc0 cache size=1G,origin=/srv/image\n", "1 origin '/srv/image'" NO_DEVICE },
	{ "rxc0 cache size=1G,origin=/dev/../etc\n", "1 origin '/dev/../etc'" NOT_PLAIN },
	{ "rxc0 cache size=1G,origin=/dev//sdb\n", "1 origin '/dev//sdb'" NOT_PLAIN },
	{ "rxc0 cache size=1G,origin=/dev/sdb/\n", "1 origin '/dev/sdb/'" NOT_PLAIN },
	{ "rxc0 cache size=1G,origin=UUID=a-b\n", "1 origin 'UUID=a-b'" MOVES },
	{ "rxc0 cache size=1G,origin=PARTLABEL=a\n", "1 origin 'PARTLABEL=a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-uuid/a\n", "1 origin '/dev/disk/by-uuid/a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-id/lvm-pv-uuid-a\n", "1 origin '/dev/disk/by-id/lvm-pv-uuid-a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-label/a\n", "1 origin '/dev/disk/by-label/a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-label/\xff\n", "1 origin '/dev/disk/by-label/\xff'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-partuuid/a\n", "1 origin '/dev/disk/by-partuuid/a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-partlabel/a\n", "1 origin '/dev/disk/by-partlabel/a'" MOVES },
	{ "rxc0 cache size=1G,origin=/dev/rxc1\n", "1 origin '/dev/rxc1' is a cache itself (the device below it)\n" },
	{ "rxc0 cache size=1G,origin=/dev/disk/by-id/rx-rxc1-part1\n", "1 origin '/dev/disk/by-id/rx-rxc1-part1' is a cache itself (the device below it)\n" },
	{ "rxc0 cache size=1G,origin=/dev/rxc1p2\n", "1 origin '/dev/rxc1p2' is a cache itself (the device below it)\n" },
	{ "rxc0 cache size=1G," O "\nrxc1 cache size=1G," O "\n",
	  "2 origin '/dev/disk/by-id/wwn-1' has a cache already, rxc0 in line 1 (one cache for a device)\n" },

	/* Disks of caches. */
	{ "rxc0 cache disk=sda," O "\n", "1 disk 'sda' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxc0 cache disk=rxc1," O "\n", "1 disk 'rxc1' is no name of a disk (rxd0, rxd1 ...)\n" },
	{ "rxc0 cache disk=rxd0," O "\n", "1 no line has the disk 'rxd0' (size=4G makes one of its own)\n" },
	{ "rxd1 disk size=1G\nrxd2 disk size=1G\nrxc0 cache disk=rxd0," O "\n",
	  "3 no line has the disk 'rxd0' (rxd1, rxd2)\n" },
	{ "rxc0 cache disk=rxd0," O "\nrxd0 disk size=1G\nrxc1 cache disk=rxd0,origin=/dev/mapper/a\n",
	  "" },
	{ "rxc0 cache disk=rxd0," O "\nrxd0 disk size=1G\nrxc1 cache disk=rxd0,block=8K,origin=/dev/mapper/a\n",
	  "3 its block is not that of rxc0, which shares disk rxd0, see line 1 (the same in both lines, or in none)\n" },
	{ "rxc0 cache disk=rxd0,floor=8M,block=8K," O "\nrxd0 disk size=1G\nrxc1 cache disk=rxd0,block=8192B,floor=9M,origin=/dev/mapper/a\n",
	  "3 its floor is not that of rxc0, which shares disk rxd0, see line 1 (the same in both lines, or in none)\n" },
	{ "rxd0 disk size=1G\nrxc0 cache disk=rxd0,block=8K," O "\nrxc1 cache disk=rxd0,block=8K,origin=/dev/mapper/a\nrxc2 cache disk=rxd0,block=8K,origin=/dev/mapper/b\n", "" },
	{ "rxd0 disk size=1G\nrxc0 cache disk=rxd0,min-share=60%," O "\nrxc1 cache disk=rxd0,min-share=40%,max-share=50%,origin=/dev/mapper/a\n", "" },
	{ "rxc0 cache disk=rxd0,min-share=60%," O "\nrxd0 disk size=1G\nrxc1 cache disk=rxd0,min-share=412M,origin=/dev/mapper/a\n",
	  "3 the min shares of the caches on disk rxd0 are over 100 % of it (smaller ones)\n" },
	{ "rxc0 cache size=1G,min-share=1G,max-share=100%," O "\n", "" },
	{ "rxc0 cache size=1G,max-share=0%," O "\n",
	  "1 max-share '0%' leaves it no memory (say for example 50%, or 100% for no bound)\n" },
	{ "rxc0 cache size=1G,max-share=0B," O "\n",
	  "1 max-share '0B' leaves it no memory (say for example 50%, or 100% for no bound)\n" },
	/* What the kernel refuses is no error of the table. */
	{ "rxd0 disk size=0B,queues=65,block=8K,prealloc,zero-detect\nrxc0 cache size=1G,block=12K,floor=2G,min-share=90%,max-share=10%," O "\n", "" },
	{ "rxc0 cache disk=rxd0,min-share=40%,max-share=40%," O "\nrxd0 disk size=1G\n", "" },
	{ "rxc0 cache size=1G,min-share=7.5%," O "\n",
	  "1 '7.5%' is no share of a disk (say for example 25%, at most 100%, or 2G)\n" },
	{ "rxc0 cache disk=rxd0," O "\nrxd0 disk size=1\n",
	  "1 its disk rxd0 has an error in line 2 (that one first)\n"
	  "2 size '1' has no unit (say 1M or 1B)\n" },
	{ "rxd0 disk size=1G,numa=0\nrxc0 cache disk=rxd0," O "\n",
	  "2 its disk rxd0 is bound to NUMA nodes, see line 1 (one without numa)\n" },
	{ "rxd0 disk size=1G,numa=3\nrxd1 disk size=1G,numa=interleave\n", "" },
	{ "rxd0 disk size=1G,numa=all\n",
	  "1 invalid numa: 'all' (the number of a node, or interleave)\n" },
	{ "rxd0 disk size=1G,prealloc\nrxc0 cache disk=rxd0," O "\n",
	  "2 its disk rxd0 is preallocated, see line 1 (one without prealloc)\n" },
	{ "rxd0 disk size=1G,zero-detect\nrxc0 cache disk=rxd0," O "\n",
	  "2 its disk rxd0 drops pages of zeroes, see line 1 (one without zero-detect)\n" },
	{ "rxd0 disk size=1G,limit=512M\nrxc0 cache disk=rxd0," O "\n",
	  "2 its disk rxd0 has a memory limit, see line 1 (one without limit; a smaller size does the same)\n" },
	{ "rxd0 disk size=1G\nrxc0 cache disk=rxd0,initramfs," O "\n",
	  "2 its disk rxd0 is not set up in the initramfs (initramfs in line 1 too)\n" },

	/* Images. */
	{ "rxd0 disk size=1G,image=/var/lib/rxdsk/rxd0.img\nrxd1 disk size=1G,image=/a,save=stop\nrxd2 disk size=1G,save=15m,image=/srv/a\\b\"%\n", "" },
	{ "rxd0 disk size=1G,image=/a,save=60,prealloc,noauto,_netdev\nrxd1 disk size=1G,image=/b,export=tcp,any-host\n", "" },
	{ "rxd0 disk size=1G,image\n", "1 option 'image' needs a value (image=/var/lib/rxdsk/rxd0.img)\n" },
	{ "rxd0 disk size=1G,image=rxd0.img\n", "1 image 'rxd0.img' is no absolute path (/var/lib/rxdsk/rxd0.img)\n" },
	{ "rxd0 disk size=1G,image=/\n", "1 image '/'" NO_FILE },
	{ "rxd0 disk size=1G,image=/srv/\n", "1 image '/srv/'" NO_FILE },
	{ "rxd0 disk size=1G,image=/srv//a\n", "1 image '/srv//a'" NO_FILE },
	{ "rxd0 disk size=1G,image=/srv/../a\n", "1 image '/srv/../a'" NO_FILE },
	{ "rxd0 disk size=1G,image=/srv/..\n", "1 image '/srv/..'" NO_FILE },
	{ "rxd0 disk size=1G,image=/dev/rxd0\n", "1 image '/dev/rxd0'" LOST },
	{ "rxd0 disk size=1G,image=/run/a\n", "1 image '/run/a'" LOST },
	{ "rxd0 disk size=1G,image=/running/a\n", "" },
	{ "rxd0 disk size=1G,save=stop\n", "1 save makes no sense without image (image=/var/lib/rxdsk/rxd0.img)\n" },
	{ "rxd0 disk size=1G,image=/a,save=never\n", "1 save 'never' is neither stop nor a time (stop, 15m, 1h)\n" },
	{ "rxd0 disk size=1G,image=/a,save=59s\n", "1 save '59s' is too often (at least 1m)\n" },
	{ "rxd0 disk size=1G,image=/a,save=0\n", "1 save '0' is too often (at least 1m)\n" },
	{ "rxd0 disk size=1G,image=/a,initramfs\n",
	  "1 image and initramfs exclude each other (the file system of the image is not there in the initramfs)\n" },
	{ "rxd0 disk size=1G,image=/a,save=5m,export=tcp,any-host\n",
	  "1 save=5m and export exclude each other (save=stop: hosts may write meanwhile, and can't be frozen)\n" },
	{ "rxd0 disk size=1G,image=/a\nrxd1 disk size=1G,image=/b\nrxd2 disk size=1G,image=/a\n",
	  "3 image '/a' is that of rxd0 in line 1 already (one for each)\n" },
	{ "rxd0 disk size=1G,image=/a,image=/b\n", "1 option 'image' is given twice (once)\n" },
	{ "rxc0 cache size=1G," O ",image=/a\n", "1 option 'image' is not for a cache " CACHE_KEYS "\n" },
	{ "rxd0 disk size=1G,image=/a\nrxc0 cache disk=rxd0," O "\n",
	  "2 its disk rxd0 has an image, see line 1 (one without image; a cache has none, see: warm)\n" },

	/* All lines are checked. */
	{ "rxd0 disk size=1\nrxd1 disk size=1G\nrxd2 dsk size=1G\n",
	  "1 size '1' has no unit (say 1M or 1B)\n"
	  "3 unknown type 'dsk', did you mean 'disk'? (disk, cache)\n" },
};

static char *notes_of(const struct rx_tab *tab)
{
	char *text = NULL;
	size_t i, size;
	FILE *f = open_memstream(&text, &size);

	for (i = 0; i < tab->n_notes; i++)
		fprintf(f, "%u%s %s\n", tab->notes[i].nr,
			tab->notes[i].error ? "" : "?", tab->notes[i].text);
	fclose(f);
	return text;
}

/* Parses a copy of exactly this size, so that ASan sees an access beyond its end. */
static void parse(struct rx_tab *tab, const char *text, size_t len)
{
	char *copy = malloc(len ? len : 1);

	memcpy(copy, text, len);
	tab_parse(tab, "tab", copy, len);
	free(copy);
}

static void test_mistakes(void)
{
	struct rx_tab tab;
	char *notes;
	size_t i, j, errors;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		parse(&tab, tables[i].text, strlen(tables[i].text));
		notes = notes_of(&tab);
		check_str(notes, tables[i].notes, "table %zu", i);
		for (j = errors = 0; j < tab.n_notes; j++)
			errors += tab.notes[j].error;
		check(errors == tab.n_errors, "table %zu: %zu errors", i,
		      errors);
		free(notes);
		tab_free(&tab);
	}
}

static void test_values(void)
{
	static const char text[] =
		"rxc7 cache disk=rxd3," O ",block=16K,mode=around,floor=1M,read-only\n"
		"# a comment\n"
		"rxd3 disk size=1.5G,timeout=2m,noauto,image=/a,save=15m\n";
	struct tab_line *cache, *disk;
	struct rx_strv disks;
	struct rx_tab tab;

	parse(&tab, text, strlen(text));
	cache = tab_find(&tab, "rxc7");
	disk = tab_find(&tab, "rxd3");
	check(tab.n_lines == 2 && cache && disk && !tab_find(&tab, "rxd0"),
	      "lines are found by their names");
	check(cache->nr == 1 && disk->nr == 3, "comments are counted as lines");
	check(cache->family == RX_CACHE && disk->family == RX_DISK, "types");
	check(cache->disk == disk && !disk->disk, "disk= leads to the line");
	check_str(cache->text[TAB_ORIGIN], "/dev/disk/by-id/wwn-1", "text");
	check(disk->num[TAB_SIZE] == 3ULL << 29 &&
	      cache->num[TAB_BLOCK] == 16384 &&
	      cache->num[TAB_FLOOR] == 1 << 20, "numbers");
	check(cache->text[TAB_READ_ONLY] && !cache->text[TAB_NOAUTO] &&
	      disk->text[TAB_NOAUTO], "flags");
	check(tab_timeout_ms(disk) == 120000 && tab_timeout_ms(cache) == 30000,
	      "the time-out, and its default");
	check(disk->num[TAB_SAVE] == 900000000000ULL, "the interval");
	check(tab_image_ms(disk) == 150000 && !tab_image_ms(cache),
	      "time for an image: 30 s, and a minute for each GiB that was begun");
	disks = tab_disks(&tab);
	check(disks.n == 1 && !strcmp(disks.v[0], "rxd3"), "names of disks");
	strv_free(&disks);
	tab_free(&tab);
}

static void test_long_and_nul(void)
{
	static const char nul[] = "rxd0 disk size=1G\0,x\nrxd1 disk size=1G\n";
	char *text = malloc(5000), *notes;
	struct rx_tab tab;

	parse(&tab, nul, sizeof(nul) - 1);
	notes = notes_of(&tab);
	check_str(notes, "1 control character 0x00 (printable characters, blanks and tabs)\n",
		  "a zero byte");
	check(tab.n_lines == 1 && !strcmp(tab.lines[0].name, "rxd1"),
	      "the line after it is read");
	free(notes);
	tab_free(&tab);

	memset(text, ' ', 5000);
	memcpy(text, "rxd0 disk size=1G", 17);
	text[4095] = '\n';
	parse(&tab, text, 4096);
	check(!tab.n_notes && tab.n_lines == 1, "4095 characters fit");
	tab_free(&tab);
	text[4095] = ' ';
	text[4096] = '\n';
	parse(&tab, text, 4097);
	notes = notes_of(&tab);
	check_str(notes, "1 the line is too long: 4096 characters (4095)\n",
		  "4096 do not");
	free(notes);
	tab_free(&tab);
	free(text);
}

/* The parser ends with any input, without a report of ASan or UBSan. */
static void test_garbage(void)
{
	static const char alphabet[] =
		"rxdc01 \t\n\r#,=diskcacheorigin/dev/size1GUUID\\\x01\xff";
	unsigned int seed = 1, i, j, len, good = 0, bad = 0;
	struct rx_tab tab;
	char text[200];

	for (i = 0; i < 20000; i++) {
		len = rand_r(&seed) % sizeof(text);
		for (j = 0; j < len; j++)
			text[j] = alphabet[rand_r(&seed) % sizeof(alphabet)];
		parse(&tab, text, len);
		good += !tab.n_errors;
		bad += tab.n_errors > 0;
		tab_free(&tab);
	}
	check(good && bad, "of 20000 tables of garbage %u have errors", bad);
}

int main(void)
{
	/* Bytes that are no character in the locale are allowed in names. */
	setlocale(LC_ALL, "C.UTF-8");
	test_mistakes();
	test_values();
	test_long_and_nul();
	test_garbage();
	return done();
}
