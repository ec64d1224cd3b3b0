// SPDX-License-Identifier: GPL-2.0-only
/* Conversion of attributes to structs and to text, and back. */
#include <netlink/attr.h>
#include <netlink/msg.h>

#include <linux/rxcache.h>
#include <linux/rxdsk.h>

#include "kernel/model.h"
#include "kernel/request.h"
#include "attrtext.h"
#include "rx_test.h"

static struct nl_msg *encode(enum rx_family family, const char *text)
{
	struct nl_msg *msg = nlmsg_alloc_size(16384);

	if (model_from_text(family, text, msg)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static void round_trip(enum rx_family family, const char *text)
{
	struct nl_msg *msg = encode(family, text);
	char *back = msg ? model_to_text(family, nlmsg_data(nlmsg_hdr(msg)),
					 nlmsg_datalen(nlmsg_hdr(msg))) : NULL;

	check_str(back, text, "round trip of%s", text);
	free(back);
	if (msg)
		nlmsg_free(msg);
}

static void decode(enum rx_family family, const char *text, void *object)
{
	struct nl_msg *msg = encode(family, text);

	check(msg, "understood:%s", text);
	if (!msg)
		exit(1);
	model_parse(family, nlmsg_data(nlmsg_hdr(msg)),
		    nlmsg_datalen(nlmsg_hdr(msg)), object);
	nlmsg_free(msg);
}

static double ratio(uint64_t hit, uint64_t miss, uint64_t join, uint64_t bypass)
{
	struct rx_cache cache;
	char text[256];

	snprintf(text, sizeof(text),
		 "stats.read-hit=%llu stats.read-miss=%llu stats.read-join=%llu stats.read-bypass-write=%llu",
		 (unsigned long long)hit, (unsigned long long)miss,
		 (unsigned long long)join, (unsigned long long)bypass);
	decode(RX_CACHE, text, &cache);
	return cache.hit_ratio;
}

static void test_disk(void)
{
	struct rx_disk disk;

	decode(RX_DISK, "name=rxd3 size=1099511627776 read-only=yes 200=hex:0102 holder=rxc0",
	       &disk);
	check_str(disk.name, "rxd3", "name");
	check_str(disk.holder, "rxc0", "what follows an unknown attribute");
	check(disk.size == 1ULL << 40 && disk.read_only == 1, "numbers");
	check(disk.used == RX_NONE && disk.major == RX_NONE,
	      "what was not sent is not 0");
	decode(RX_DISK, "name=a-name-that-is-far-longer-than-any-name-can-be",
	       &disk);
	check(strlen(disk.name) == RX_NAME_LEN - 1, "a long name is cut");
	/* Older and newer modules may send other widths. */
	decode(RX_DISK, "3=hex:00100000 4=hex:01", &disk);
	check(disk.size == 4096 && disk.block == 1, "other widths are read");
	decode(RX_DISK, "3=hex:001000", &disk);
	check(disk.size == RX_NONE, "an odd width is not known");
}

static void test_cache(void)
{
	struct rx_cache cache;

	decode(RX_CACHE, "name=rxc0 state=dead mode=write-around stats.reads=5 stats.evict=2 error=16 message=\"in use \\\"here\\\"\"",
	       &cache);
	check(cache.state == RX_STATE_DEAD && cache.mode == 1, "enums");
	check(cache.stats.reads == 5 && cache.stats.evict == 2, "counters");
	check(cache.stats.writes == RX_NONE, "a counter that was not sent");
	check_str(cache.message, "in use \"here\"", "a text with quotes");
	decode(RX_CACHE, "state=77", &cache);
	check(cache.state == 77, "an enum of a newer kernel");
	check(ratio(90, 10, 0, 0) == 0.9, "hit ratio");
	check(ratio(50, 25, 15, 10) == 0.5, "joins and bypasses count as reads");
	check(ratio(0, 5, 0, 0) == 0, "no hit at all");
	check(ratio(0, 0, 0, 0) < 0, "no ratio without reads");
	check(ratio(UINT64_MAX / 4, UINT64_MAX / 4, 0, 0) == 0.5, "large");
}

/* The model has to have all attributes and requests of the protocol. */
static void test_complete(void)
{
	const struct rx_attr *nest;
	int nr;

	for (nr = RXDSK_A_DISK_PAD + 1; nr <= RXDSK_A_DISK_MAX; nr++)
		check(attr_by_nr(rx_models[RX_DISK].attrs, nr),
		      "disk attribute %d is known", nr);
	for (nr = RXCACHE_A_CACHE_PAD + 1; nr <= RXCACHE_A_CACHE_MAX; nr++)
		check(attr_by_nr(rx_models[RX_CACHE].attrs, nr),
		      "map attribute %d is known", nr);
	nest = attr_by_nr(rx_models[RX_CACHE].attrs, RXCACHE_A_CACHE_STATS)->nest;
	for (nr = RXCACHE_A_STATS_PAD + 1; nr <= RXCACHE_A_STATS_MAX; nr++)
		check(attr_by_nr(nest, nr), "counter %d is known", nr);
	nest = attr_by_nr(rx_models[RX_CACHE].attrs, RXCACHE_A_CACHE_RECENT_1H)->nest;
	for (nr = RXCACHE_A_RECENT_PAD + 1; nr <= RXCACHE_A_RECENT_MAX; nr++)
		check(attr_by_nr(nest, nr), "recent sum %d is known", nr);
	nest = attr_by_nr(rx_models[RX_CACHE].attrs, RXCACHE_A_CACHE_LATENCY_HIT)->nest;
	for (nr = RXCACHE_A_LATENCY_PAD + 1; nr <= RXCACHE_A_LATENCY_MAX; nr++)
		check(attr_by_nr(nest, nr), "latency attribute %d is known", nr);
	nest = attr_by_nr(rx_models[RX_CACHE].attrs, RXCACHE_A_CACHE_SHADOW)->nest;
	for (nr = RXCACHE_A_SHADOW_PAD + 1; nr <= RXCACHE_A_SHADOW_MAX; nr++)
		check(attr_by_nr(nest, nr), "shadow attribute %d is known", nr);
	for (nr = 1; nr <= RXDSK_CMD_MAX; nr++)
		check(model_op_by_cmd(RX_DISK, nr), "disk op %d is known", nr);
	for (nr = 1; nr <= RXCACHE_CMD_MAX; nr++)
		check(model_op_by_cmd(RX_CACHE, nr), "map op %d is known", nr);
}

static void test_shadow(void)
{
	const struct rx_points *points;
	char text[2048] = "shadow.reads=7";
	struct rx_cache cache;
	size_t n = 0, i;

	decode(RX_CACHE, text, &cache);
	points = &cache.shadow.points;
	check(cache.shadow.reads == 7 && cache.shadow.rate == RX_NONE &&
	      !points->n, "a shadow without estimates");
	decode(RX_CACHE, "shadow.point=4096,1,as-is shadow.point=8192,2,sequential-bypass",
	       &cache);
	check(points->n == 2 && points->at[0].size == 4096 &&
	      points->at[0].hits == 1 && points->at[0].what == RX_AS_IS &&
	      points->at[1].what == RX_NO_SEQUENTIAL, "each has its place");
	for (i = 0; i < RX_POINTS + 2; i++)
		n += snprintf(text + n, sizeof(text) - n,
			      " shadow.point=%zu,1,as-is", i + 1);
	decode(RX_CACHE, text, &cache);
	check(points->n == RX_POINTS &&
	      points->at[RX_POINTS - 1].size == RX_POINTS,
	      "of too many some are left out");
	check(!encode(RX_CACHE, "shadow.point=4096"), "half a point is none");
}

int main(void)
{
	struct rx_req req;
	char *text;

	round_trip(RX_DISK, " name=rxd0 size=4096 block-size=512 queues=1");
	round_trip(RX_DISK, " name=rxd0 shrink size=18446744073709551614");
	round_trip(RX_CACHE, " disk=rxd0 origin=/dev/sdb erase own-disk=yes");
	round_trip(RX_CACHE, " origin=\"/dev/disk/by-id/a b\\\"c\\\\\" mode=write-around");
	round_trip(RX_CACHE, " name=rxc0 stats.reads=1 stats.write-errors=7");
	round_trip(RX_CACHE, " message=\"\"");
	round_trip(RX_CACHE, " verify.running=yes recent-10s.reads=5 recent-1h.reads=7");
	round_trip(RX_CACHE, " latency-miss.sum=9 latency-miss.buckets=0,18446744073709551615,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3");
	round_trip(RX_CACHE, " shadow.rate=8 shadow.reads=100 shadow.lost=2 shadow.point=4096,50,as-is shadow.point=8192,60,write-allocate-flipped shadow.point=8192,61,7 cause=set");
	round_trip(RX_DISK, " 99=hex:00ff10");
	check(!encode(RX_DISK, "sizes=1"), "unknown name is refused");
	check(!encode(RX_DISK, "size=lots"), "bad number is refused");
	check(!encode(RX_DISK, "stats.reads=1"), "disks have no counters");
	test_disk();
	test_cache();
	test_shadow();
	test_complete();

	req_init(&req, RX_CACHE, RXCACHE_CMD_CACHE_NEW);
	req_text(&req, RXCACHE_A_CACHE_DISK, "rxd0");
	req_text(&req, RXCACHE_A_CACHE_NAME, NULL);
	req_num(&req, RXCACHE_A_CACHE_FLOOR, RX_NONE);
	req_num(&req, RXCACHE_A_CACHE_BLOCK_SIZE, 8192);
	req_flag(&req, RXCACHE_A_CACHE_ERASE);
	text = model_to_text(RX_CACHE, nlmsg_data(nlmsg_hdr(req.attrs)),
			     nlmsg_datalen(nlmsg_hdr(req.attrs)));
	check_str(text, " disk=rxd0 block-size=8192 erase",
		  "what is not given is not sent");
	free(text);
	req_free(&req);
	return done();
}
