// SPDX-License-Identifier: GPL-2.0-only
/* The verbs and their options. */
#include <stddef.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "args/args.h"
#include "export/exported.h"
#include "show/columns.h"
#include "show/out.h"
#include "up/generator.h"
#include "up/up.h"
#include "verb/advise.h"
#include "verb/bench.h"
#include "verb/cache.h"
#include "verb/disk.h"
#include "verb/export.h"
#include "verb/image.h"
#include "verb/list.h"
#include "verb/map.h"
#include "verb/monitor.h"
#include "verb/pin.h"
#include "verb/top.h"
#include "verb/warm.h"
#include "help.h"
#include "verbs.h"
#include "words.h"

/* The number of a choice is sent as it is. */
_Static_assert(RXDSK_QUEUE_MODE_MQ == 0 && RXDSK_QUEUE_MODE_BIO == 1 &&
	       RXCACHE_MODE_WRITE_THROUGH == 0 &&
	       RXCACHE_MODE_WRITE_AROUND == 1 && RXCACHE_MODE_BYPASS == 2 &&
	       RXCACHE_COMPRESS_OFF == 0 && RXCACHE_COMPRESS_LZ4 == 1 &&
	       RXCACHE_COMPRESS_ZSTD == 2 && RXCACHE_COMPRESS_AUTO == 3,
	       "choices stand in the order of the protocol");

#define WAIT_OPT(help)	{ "wait", 'w', OPT_TIME, "SEC", help }
#define MODE_OPT	{ "mode", 0, OPT_CHOICE, "through|around|bypass", \
	"keep written blocks in the cache, drop them, or use no cache" }
#define FLOOR_OPT	{ "floor", 0, OPT_SIZE, "SIZE", \
	"cached blocks that memory pressure never takes back" }
#define AHEAD_OPT \
	{ "read-ahead", 0, OPT_AHEAD, "auto|off|SIZE", \
	  "read blocks before a reader asks for them, up to SIZE ahead, default off" }

#define COMPRESS_OPT \
	{ "compress", 0, OPT_CHOICE, "off|lz4|zstd|auto", \
	  "compress blocks in memory, so that more fit; auto: as long as that pays; default off" }

#define SHARE_OPTS \
	{ "min-share", 0, OPT_PART, "SIZE|N%", \
	  "what caches on the same disk leave to this one" }, \
	{ "max-share", 0, OPT_MOST, "SIZE|N%", \
	  "what this cache has at most of the disk" }
#define END		{ .name = NULL }

static const struct rx_opt attach_opts[] = {
	{ "name", 0, OPT_NAME, "rxdN", "name, default the lowest free number" },
	{ "queues", 0, OPT_COUNT, "N",
	  "hardware queues, 1 to 64, default one for each CPU, at most 16" },
	{ "queue-mode", 0, OPT_CHOICE, "mq|bio",
	  "receive requests in queues, or bios directly; default mq" },
	{ "block", 0, OPT_BYTES, "512|4K", "logical block size, default 512" },
	{ "numa", 0, OPT_NODE, "NODE|interleave",
	  "take memory from this NUMA node, or from all in turn" },
	{ "prealloc", 0, OPT_FLAG, NULL,
	  "take the memory for all of it first, or fail and leave nothing" },
	{ "zero-detect", 0, OPT_FLAG, NULL,
	  "give pages that are written whole with zeroes no memory" },
	{ "limit", 0, OPT_SIZE, "SIZE", "the most memory that its data may take" },
	{ "awaits-image", 0, OPT_FLAG, NULL,
	  "keep systemd from the disk until restore has put an image on it" },
	END
};

static const struct rx_opt detach_opts[] = {
	WAIT_OPT("wait up to SEC seconds for users, default 2"),
	END
};

static const struct rx_opt resize_opts[] = {
	{ "shrink", 0, OPT_FLAG, NULL,
	  "allow a smaller size; the data beyond it is lost" },
	WAIT_OPT("wait up to SEC seconds for users, default 2"),
	END
};

static const struct rx_opt map_opts[] = {
	{ "size", 's', OPT_SIZE, "SIZE",
	  "attach a disk of this size for the cache; unmap detaches it" },
	{ "max", 0, OPT_SIZE, "SIZE",
	  "the same, but elastic: all of it is given back when memory is short" },
	{ "name", 0, OPT_NAME, "rxcN", "name, default the lowest free number" },
	{ "block", 0, OPT_BYTES, "4K|8K|16K|32K|64K",
	  "cache block, default 4K, or the page size if that is larger" },
	MODE_OPT,
	{ "no-write-allocate", 0, OPT_FLAG, NULL,
	  "keep a written block only if it was cached before" },
	{ "erase", 0, OPT_FLAG, NULL, "accept a disk that holds data; the data is lost" },
	FLOOR_OPT,
	SHARE_OPTS,
	AHEAD_OPT,
	COMPRESS_OPT,
	{ "read-only", 0, OPT_FLAG, NULL, "refuse writes" },
	{ "warm", 0, OPT_FLAG, NULL,
	  "load what the cache held when it was last saved, in the background" },
	WAIT_OPT("give up waiting for the end after SEC seconds"),
	END
};

static const struct rx_opt unmap_opts[] = {
	{ "save", 0, OPT_FLAG, NULL,
	  "save the list of the cached blocks first, for map --warm" },
	WAIT_OPT("wait up to SEC seconds for users and for the end"),
	END
};

static const struct rx_opt set_opts[] = {
	{ "size", 's', OPT_SIZE, "SIZE",
	  "make the cache and its disk larger or smaller while they are in use" },
	MODE_OPT,
	{ "write-allocate", 0, OPT_CHOICE, "no|yes",
	  "whether a block that is written whole enters the cache" },
	FLOOR_OPT,
	SHARE_OPTS,
	AHEAD_OPT,
	COMPRESS_OPT,
	{ "grow", 0, OPT_FLAG, NULL, "take over the size of an origin that has grown" },
	{ "frozen", 0, OPT_CHOICE, "no|yes",
	  "keep what is cached and let nothing else in" },
	{ "limit", 0, OPT_SIZE, "SIZE",
	  "of a disk: the most memory that its data may take, 0B for no limit" },
	WAIT_OPT("with --size: give up waiting for the end after SEC seconds"),
	END
};

static const struct rx_opt save_opts[] = {
	{ "zstd", 0, OPT_LEVEL, "LEVEL",
	  "compress the image well, 1 (fast) to 19 (small), default 3" },
	{ "freeze", 0, OPT_FLAG, NULL,
	  "freeze the mounted file systems of the disk while it is read" },
	END
};

static const struct rx_opt restore_opts[] = {
	{ "attach", 0, OPT_FLAG, NULL, "attach a disk for it, of the size of the image" },
	{ "name", 0, OPT_NAME, "rxdN", "name of that disk, default the lowest free number" },
	END
};

static const struct rx_opt drop_opts[] = {
	WAIT_OPT("give up waiting for the end after SEC seconds"),
	END
};

static const struct rx_opt verify_opts[] = {
	{ "sample", 0, OPT_TEXT, "1/N",
	  "compare one block in N, chosen at random, default all" },
	{ "stop", 0, OPT_FLAG, NULL, "end the verification that is running" },
	WAIT_OPT("give up waiting for the end after SEC seconds"),
	END
};

static const struct rx_opt bench_opts[] = {
	{ "jobs", 0, OPT_TEXT, "JOB[,JOB]",
	  "files of /usr/share/rxdsk/fio, default all that read" },
	{ "time", 0, OPT_TIME, "TIME", "how long each job runs, default 2s" },
	{ "size", 's', OPT_SIZE, "SIZE",
	  "use so much of the device, default 256M or half of the cache" },
	{ "write-ok", 0, OPT_FLAG, NULL, "measure writes too; they destroy the data" },
	END
};

static const struct rx_opt unpin_opts[] = {
	{ "all", 0, OPT_FLAG, NULL, "unpin everything" },
	END
};

static const struct rx_opt export_opts[] = {
	{ "nqn", 0, OPT_TEXT, "NQN",
	  "name by which hosts connect, default one of the machine ID and the device" },
	{ "transport", 0, OPT_CHOICE, "tcp|rdma|loop", "default tcp" },
	{ "addr", 0, OPT_TEXTS, "ADDR[:PORT]",
	  "listen on this address, or on several; default 127.0.0.1" },
	{ "port", 0, OPT_COUNT, "PORT", "port of addresses that name none, default 4420" },
	{ "host", 0, OPT_TEXTS, "HOSTNQN", "let this host in; may be given several times" },
	{ "any-host", 0, OPT_FLAG, NULL, "let every host in that reaches the address" },
	END
};

static const struct rx_opt list_opts[] = {
	{ "disks", 0, OPT_FLAG, NULL, "disks only" },
	{ "caches", 0, OPT_FLAG, NULL, "caches only" },
	{ "exports", 0, OPT_FLAG, NULL, "where disks and caches are exported, and to whom" },
	{ "tree", 0, OPT_FLAG, NULL, "caches below their disks" },
	END
};

#define TAB_OPT { "tab", 0, OPT_TEXT, "FILE", "the table, default /etc/rxtab" }

static const struct rx_opt tab_opts[] = {
	TAB_OPT,
	{ "strict", 0, OPT_FLAG, NULL, "warnings are errors" },
	END
};

static const struct rx_opt up_opts[] = {
	TAB_OPT,
	{ "no-export", 0, OPT_FLAG, NULL, "make disks and caches, but no exports" },
	END
};

static const struct rx_opt down_opts[] = {
	TAB_OPT,
	{ "no-save", 0, OPT_FLAG, NULL,
	  "save neither the lists of caches whose lines say warm nor images of disks" },
	END
};

static const struct rx_opt stat_opts[] = {
	{ "interval", 'i', OPT_TIME, "TIME",
	  "report repeatedly what each interval added" },
	{ "count", 'c', OPT_COUNT, "N", "stop after N reports" },
	{ "reset", 0, OPT_FLAG, NULL,
	  "reset the counters of the named caches" },
	END
};

static const struct rx_opt metrics_opts[] = {
	{ "file", 0, OPT_TEXT, "FILE",
	  "write to this file, which always is whole" },
	{ "format", 0, OPT_CHOICE, "openmetrics|prometheus",
	  "default openmetrics; the other is for node_exporter" },
	END
};

static const struct rx_opt advise_opts[] = {
	{ "trace", 0, OPT_TEXT, "FILE",
	  "advise for a recorded load: RXT or the output of blkparse, also in xz" },
	{ "size", 's', OPT_SIZES, "SIZE",
	  "look at caches of 1/2 to 8 times this size, or of several that are given" },
	{ "no-write-allocate", 0, OPT_FLAG, NULL,
	  "keep a written block only if it was cached before" },
	{ "ratio", 0, OPT_TEXT, "N",
	  "simulate compressed blocks, which shrink N times, 1 to 8" },
	END
};

static const struct rx_opt top_opts[] = {
	{ "interval", 'i', OPT_TIME, "TIME",
	  "time between samples, default 1s" },
	END
};

static const struct rx_opt monitor_opts[] = {
	{ "timestamp", 't', OPT_FLAG, NULL, "begin each line with the time" },
	END
};

const struct rx_verb rx_verbs[] = {
	{ "attach", "SIZE", 1, 1, "make a RAM disk and print its name",
	  attach_opts, NULL, "awaits-image name", cmd_attach, SHOWS_JSON },
	{ "detach", "rxdN...", 1, 1 << 20,
	  "remove disks and give their memory back",
	  detach_opts, NULL, NULL, cmd_detach, SHOWS_JSON },
	{ "resize", "rxdN SIZE", 2, 2, "change the size of a disk",
	  resize_opts, NULL, NULL, cmd_resize, SHOWS_JSON },
	{ "erase", "rxdN", 1, 1, "destroy all data of a disk, and free its memory",
	  detach_opts, NULL, NULL, cmd_erase, SHOWS_JSON },
	{ "map", "[rxdN] ORIGIN", 1, 2,
	  "cache a slow device and print the name of the cache",
	  map_opts, "size erase,max erase,max size,max floor", NULL, cmd_map, SHOWS_JSON },
	{ "unmap", "rxcN...", 1, 1 << 20, "remove caches",
	  unmap_opts, NULL, NULL, cmd_unmap, SHOWS_JSON },
	{ "set", "rxcN|rxdN", 1, 1, "change a cache or a disk that is in use",
	  set_opts, NULL, "wait size", cmd_set, SHOWS_JSON },
	{ "save", "rxdN FILE", 1, 2, "save an image of a disk",
	  save_opts, NULL, NULL, cmd_save, SHOWS_JSON },
	{ "restore", "FILE [rxdN]", 1, 2,
	  "restore a disk from its image",
	  restore_opts, NULL, "name attach", cmd_restore, SHOWS_JSON },
	{ "save-list", "rxcN...", 1, 1 << 20,
	  "save the list of the blocks that a cache holds",
	  NULL, NULL, NULL, cmd_save_list, SHOWS_JSON },
	{ "load-list", "rxcN...", 1, 1 << 20,
	  "read the blocks of the saved list into the cache",
	  NULL, NULL, NULL, cmd_load_list, SHOWS_JSON },
	{ "drop", "rxcN", 1, 1, "drop the cached blocks; always safe",
	  drop_opts, NULL, NULL, cmd_drop, SHOWS_JSON },
	{ "verify", "rxcN...", 1, 1 << 20,
	  "compare a cache with its origin while both are in use",
	  verify_opts, "stop sample,stop wait", NULL, cmd_verify, SHOWS_JSON },
	{ "bench", "rxdN|rxcN", 1, 1,
	  "measure a disk or a cache with fio, beside its limit",
	  bench_opts, NULL, NULL, cmd_bench, SHOWS_TABLE },
	{ "pin", "rxcN FILE|RANGE...", 2, 1 << 20,
	  "load files or ranges (1G+64M) and keep them cached",
	  NULL, NULL, NULL, cmd_pin, SHOWS_JSON },
	{ "unpin", "rxcN [FILE|RANGE...]", 1, 1 << 20,
	  "let the cache evict what was pinned",
	  unpin_opts, NULL, NULL, cmd_unpin, SHOWS_JSON },
	{ "export", "rxdN|rxcN", 1, 1, "let other machines use a disk or cache by NVMe-oF",
	  export_opts, "host any-host", NULL, cmd_export, SHOWS_NONE },
	{ "unexport", "rxdN|rxcN|NQN...", 1, 1 << 20, "end exports; hosts lose the device",
	  NULL, NULL, NULL, cmd_unexport, SHOWS_NONE },
	{ "list", "[rxdN|rxcN...]", 0, 1 << 20, "show disks and caches",
	  list_opts, "disks caches,tree disks,tree caches,tree output,tree json,tree pretty,exports disks,exports caches,exports tree",
	  NULL, cmd_list, SHOWS_TABLE },
	{ "stat", "[rxdN|rxcN...]", 0, 1 << 20, "show counters",
	  stat_opts, "reset interval", "count interval", cmd_stat, SHOWS_TABLE },
	{ "advise", "[rxcN...]", 0, 1 << 20,
	  "say whether a cache helps and how large it should be",
	  advise_opts, NULL,
	  "size trace,no-write-allocate trace,ratio trace", cmd_advise, SHOWS_NONE },
	{ "top", "[rxdN|rxcN...]", 0, 1 << 20,
	  "watch rates, hit ratios and latencies on a live screen",
	  top_opts, NULL, NULL, cmd_top, SHOWS_NONE },
	{ "metrics", "", 0, 0, "print counters and sizes as OpenMetrics",
	  metrics_opts, NULL, NULL, cmd_metrics, SHOWS_NONE },
	{ "monitor", "[disk|cache]", 0, 1, "print events until Ctrl-C",
	  monitor_opts, NULL, NULL, cmd_monitor, SHOWS_JSON },
	{ "up", "[NAME...]", 0, 1 << 20,
	  "make what /etc/rxtab says, all or the lines named",
	  up_opts, NULL, NULL, cmd_up_down, SHOWS_NONE },
	{ "down", "[NAME...]", 0, 1 << 20,
	  "remove what /etc/rxtab says, or what is named",
	  down_opts, NULL, NULL, cmd_up_down, SHOWS_NONE },
	{ "check-tab", "", 0, 0, "say what is wrong in /etc/rxtab",
	  tab_opts, NULL, NULL, cmd_check_tab, SHOWS_NONE },
	{ "help", "[VERB]", 0, 1, "explain a verb", NULL, NULL, NULL,
	  cmd_help, SHOWS_NONE },
	{ "version", "", 0, 0, "print the version", NULL, NULL, NULL,
	  cmd_version, SHOWS_NONE },
	{ "__generator", "NORMAL [EARLY LATE]", 1, 3,
	  "units for systemd, from /etc/rxtab", NULL, NULL, NULL, cmd_generator, HIDDEN },
	{ "__image", "rxdN", 1, 1, "save a disk as its line in /etc/rxtab says", NULL,
	  NULL, NULL, cmd_tab_image, HIDDEN },
	{ "__words", "[WORD...]", 0, 1 << 20, "words for completion", NULL,
	  NULL, NULL, cmd_words, HIDDEN },
	{ .name = NULL }
};

/* Returns the views of the tables of VERB. COUNT is 0 for a verb that prints no table. */
const struct rx_view *const *verb_views(const struct rx_verb *verb, size_t *count)
{
	static const struct rx_view *const jobs[] = { &view_jobs };
	static const struct rx_view *const lists[] = { &view_disks, &view_caches, &view_exports };

	*count = 1;
	if (verb->run == cmd_bench)
		return jobs;
	*count = ARRAY_SIZE(lists);
	if (verb->run == cmd_list)
		return lists;
	*count = verb->run == cmd_stat ? ARRAY_SIZE(views_list) : 0;
	return views_list;
}
