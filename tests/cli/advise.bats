#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# advise: what it makes of a cache's figures, and of a recorded load.

load helper

# The shadow of a cache of 2 GiB, of 1000 reads in all: hits at 1/2x, 1x, 2x, 4x, 8x.
shadow() {
	local size=1073741824 hits text="shadow.rate=${RATE:-64} shadow.reads=${READS:-10000} shadow.lost=0"
	for hits; do
		text+=" shadow.point=$size,$hits,as-is"
		size=$((2 * size))
	done
	echo "$text"
}

ABOUT="name=rxc0 id=1 disk=rxd0 block-size=4096 mode=write-through write-allocate=yes own-disk=yes floor=268435456 state=active origin=sdb origin-size=107374182400 size=2147483648 cached=2147000000 metadata=8388608 slack=0"
COUNTED="stats-age=7200000000000 stats.reads=100000 stats.read-hit=71000 stats.read-miss=29000 stats.fill=29000 stats.reclaim=0 stats.read-bypass-memory=0 recent-1h.reads=60000 recent-1h.read-hit=42000 recent-1h.read-miss=18000 recent-1h.read-bypass=0 recent-1h.evict=15000"
# The curve of the manual's example.
KNEE="5000 7000 8300 8400 8450"

# advise CACHE-ATTRIBUTES…: of a machine with 32 GiB, 24 of them available.
advise() {
	mkdir -p "$RXADM_SYSROOT/proc"
	[ -e "$RXADM_SYSROOT/proc/meminfo" ] || memory 32 24
	replay <<-END
		>* rxcache cache-get dump
		< $*
		${OTHER:+< $OTHER}
		${WEIGHED:+>* rxcache cache-weigh name=rxc0 compress=lz4}
		$WEIGHED
		>* rxdsk disk-get dump
		< name=rxd0 size=2147483648 used=2147000000 openers=0 holder=rxc0
	END
	rx advise rxc0
}

memory() { # TOTAL AVAILABLE, in GiB
	printf 'MemTotal: %d kB\nMemFree: 1000 kB\nMemAvailable: %d kB\n' $(($1 << 20)) $(($2 << 20)) >"$RXADM_SYSROOT/proc/meminfo"
}

setup() {
	sysroot
	export LC_ALL=C
}

@test "it helps, and more memory would help more" {
	advise "$ABOUT $COUNTED stats.read-full=71000 latency-hit.sum=8000 latency-hit.buckets=0,0,0,0,0,0,4 latency-miss.sum=4000000 latency-miss.buckets=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1 $(shadow $KNEE)"
	is "rxc0  cache of /dev/sdb (100G) in rxd0, 2G
  It helps: 70 % of the blocks read in the last hour came from memory.
  In the last 2h 0m hits saved 5m of waiting for the origin: a hit takes 2.0us, a miss 4.0ms.

  SIZE       HIT%
    1G 1/2x  50.0 ##############################
    2G now   70.0 #########################################
    4G 2x    83.0 ################################################# <-
    8G 4x    84.0 ##################################################
   16G 8x    84.5 ##################################################

  Give it 4G: the hit ratio would go from 70 % to 83 %, which saves about 36s of waiting in an hour.
  More than that adds little: 16G would add 1.5 points.
  It grows while it is in use, and keeps what it has:
    # rxadm set rxc0 --size 4G" "$output"
}

@test "a backup past the frozen cache leaves the advice as it was" {
	advise "$ABOUT ${COUNTED/read-bypass=0/read-bypass=26000000} stats.read-bypass-frozen=26000000 $(shadow $KNEE)"
	has "  It helps: 70 % of the blocks read while it was not frozen came from memory." "$output"
	has "  Give it 4G: the hit ratio would go from 70 % to 83 %." "$output"
}

@test "JSON has all of it" {
	advise "$ABOUT $COUNTED stats.ghost-hit=2900 stats.source-sampled=100 stats.source-buffered=3 $(shadow $KNEE)"
	rx advise rxc0 -j
	is "rxc0 grow 2147483648 0.7 4294967296 0.83 4294967296 0.03 0.1 true false" "$(json '.advice[0] | "\(.cache) \(.verdict) \(.size) \(.hit_ratio) \(.best_size) \(.best_hit_ratio) \(.wanted_size) \(.buffered_ratio) \(.ghost_ratio) \(.full) \(.memory_short)"')"
	is "[0.5,0.7,0.83,0.84,0.845]" "$(json '.advice[0].sizes | map(.hit_ratio) | tostring')"
	is "[1,2,4,8,16]" "$(json '.advice[0].sizes | map(.size / 1073741824) | tostring')"
	is "64 10000 0 5 as-is" "$(json '.advice[0].shadow | "\(.rate) \(.reads) \(.lost) \(.points | length) \(.points[0].what)"')"
	is "rxadm set rxc0 --size 4G" "$(json '.advice[0].commands | join(";")')"
	is "null null false false" "$(json '.advice[0] | "\(.flipped_hit_ratio) \(.no_sequential_hit_ratio) \(.flip_write_allocate) \(.bypass_sequential)"')"
}

@test "what compression would bring is asked before it is switched on" {
	local off="$ABOUT compress=off"
	WEIGHED="< name=rxc0 compress=lz4 compressed=2048000 compressed-memory=960000 compress-tried=400 compress-done=390"
	advise "$off $COUNTED $(shadow 6900 7000 7190 7190 7190)"
	[[ $output != *compress* ]]
	advise "$off $COUNTED $(shadow 5500 7000 7900 8000 8100)"
	has "With --compress lz4 its memory would hold about 2.0 times as many blocks: the hit ratio would be 79 %, as with so much more memory." "$output"
	# It is the other way to what more memory brings.
	has "Give it 4G" "$output"
	has "Instead of more memory: rxadm set rxc0 --compress lz4" "$output"
	[[ $output != *'# rxadm set rxc0 --compress'* ]]
	memory 4 0
	advise "$off $COUNTED $(shadow 5500 7000 7900 8000 8100)"
	has "    # rxadm set rxc0 --compress lz4" "$output"
	rx advise rxc0 -j
	is "0.79 2 true rxadm set rxc0 --compress lz4" "$(json '.advice[0] | "\(.compressed_hit_ratio) \(.compressed_times) \(.compress) \(.commands | join(";"))"')"
	# Nobody who may not, or whose kernel can't, misses the rest.
	WEIGHED="! EPERM needs CAP_SYS_ADMIN"
	advise "$off $COUNTED $(shadow 5500 7000 7900 8000 8100)"
	[[ $output != *compress* ]]
	rx advise rxc0 -j
	is "null null false" "$(json '.advice[0] | "\(.compressed_hit_ratio) \(.compressed_times) \(.compress)"')"
}

@test "the size is right, or half would do" {
	advise "$ABOUT $COUNTED $(shadow 6000 7000 7100 7150 7200)"
	has "Leave its size: twice as much would add 1 point, half would lose 10 points." "$output"
	[[ $output != *'# rxadm'* ]]
	advise "$ABOUT $COUNTED $(shadow 6950 7000 7050 7060 7070)"
	has "Half would do as well: with 1G the hit ratio stays at 70 %, and 1G come back." "$output"
	has "It shrinks while it is in use, and keeps the blocks that are read most:
    # rxadm set rxc0 --size 1G" "$output"
	advise "$ABOUT $COUNTED $(shadow 6910 7000 7050 7060 7070)"
	has "with 1G the hit ratio would be 69 % instead of 70 %" "$output"
	# Memory that it never took can't come back.
	advise "${ABOUT/cached=2147000000/cached=900000000} ${COUNTED/evict=15000/evict=0} $(shadow 7000 7000 7000 7000 7000)"
	has "Leave its size: it is not full, and no block had to be evicted" "$output"
}

@test "a cliff behind a plain is seen" {
	advise "$ABOUT $COUNTED $(shadow 7000 7000 7000 7000 9000)"
	has "Give it 16G" "$output"
}

@test "no cache is larger than its origin" {
	local small="${ABOUT/origin-size=107374182400/origin-size=8589934592}"
	advise "$small $COUNTED $(shadow 5000 7000 7100 9000 9000)"
	has "    8G all   90.0" "$output"
	[[ $output != *16G* ]]
	has "Give it 8G: the hit ratio would go from 70 % to 90 %." "$output"
	has "All of /dev/sdb fits into 8G, so more is never used." "$output"
	rx advise rxc0 -j
	is "8589934592 8589934592 4" "$(json '.advice[0] | "\(.origin_size) \(.best_size) \(.sizes | length)"')"
	# A size between two points, which is that of the origin.
	small="${ABOUT/origin-size=107374182400/origin-size=5368709120}"
	advise "$small $COUNTED $(shadow 5000 7000 7100 9000 9000)"
	has "    5G all   90.0" "$output"
	[[ $output != *8G* ]]
	has "    # rxadm set rxc0 --size 5G" "$output"
	# A point is less than the disk of that size, and the origin may be of an odd size.
	small="${ABOUT/origin-size=107374182400/origin-size=4300000000}"
	advise "$small $COUNTED $(shadow 5000 7000 9000 9000 9000)"
	has "    4G all   90.0" "$output"
	has "    # rxadm set rxc0 --size 4G" "$output"
	# It has room for all of it already.
	small="${ABOUT/origin-size=107374182400/origin-size=2147483648}"
	advise "$small $COUNTED $(shadow 5000 7000 7000 7000 7000)"
	has "    2G now   70.0" "$output"
	[[ $output != *4G* && $output != *'# rxadm'* ]]
	has "All of /dev/sdb, 2G, fits into it. It never takes more than that." "$output"
	small="${small/cached=2147000000/cached=1073741824} "
	advise "${small/origin-size=2147483648/origin-size=1073741824} ${COUNTED/evict=15000/evict=0} $(shadow 7000 7000 7000 7000 7000)"
	has "All of /dev/sdb, 1G, fits into it." "$output"
	[[ $output != *4G* ]]
}

@test "memory is the limit" {
	memory 16 5
	advise "$ABOUT $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "Give it 4G" "$output"
	has "With 8G it would be 90 %, but memory is the limit: there is room for a cache of 5G here." "$output"
	memory 8 2
	advise "$ABOUT $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "Leave its size" "$output"
	has "but memory is the limit: there is room for a cache of 3G here." "$output"
	memory 16 1
	advise "$ABOUT $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "but memory is the limit: the machine has none to spare." "$output"
	# What another cache is going to take is no room.
	memory 16 5
	OTHER="name=rxc1 id=2 disk=rxd1 state=active size=2147483648 cached=0" advise "$ABOUT $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "there is room for a cache of 3G here." "$output"
	# Nor is more of it for one whose blocks the machine takes back.
	memory 32 24
	advise "${ABOUT/cached=2147000000/cached=900000000} ${COUNTED/reclaim=0/reclaim=400000} $(shadow $KNEE)"
	has "memory is short already" "$output"
	has "The machine took 1.5G back from it when memory was short. It may do so down to --floor, now 256M." "$output"
	[[ $output != *"Give it"* ]]
}

@test "caches on one disk have yet to take what is free there, once" {
	memory 16 5
	local other="disk=rxd1 state=active size=2147483648 cached=536870912 metadata=0 sharers=2"
	OTHER="name=rxc1 id=2 $other
< name=rxc2 id=3 $other" advise "$ABOUT $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "there is room for a cache of 4G here." "$output"
	# Those on the disk of the cache itself are not on another one, and what they have is of its disk.
	OTHER="name=rxc1 id=2 ${other/rxd1/rxd0}" advise "${ABOUT/cached=2147000000/cached=1073741824} sharers=2 $COUNTED $(shadow 3000 7000 8000 9000 9100)"
	has "there is room for a cache of 4.5G here." "$output"
	has "It shares rxd0 with other caches and has 1G of it now. The sizes above are about a cache that has its disk to itself." "$output"
}

@test "a max share is said, and that a larger disk is no use to a cache that has reached it" {
	local about="${ABOUT/cached=2147000000/cached=1073741824} $COUNTED max-share=1073741824"
	advise "$about $(shadow $KNEE)"
	has "Give it 4G" "$output"
	has "Its max share is 1G of rxd0. It has that now, and gets no more from a larger disk, unless its max share grows too. The sizes above are about a cache without one." "$output"
	advise "$about max-share-percent=50 sharers=2 $(shadow $KNEE)"
	has "Its max share is 1G of rxd0. It has that now, and gets at most 50 % of what is added to the disk, unless its max share grows too." "$output"
	rx advise rxc0 -j
	is true "$(json '.advice[0].at_max_share')"
	advise "${about/cached=1073741824/cached=536870912} $(shadow $KNEE)"
	has "Its max share is 1G of rxd0. The sizes above" "$output"
	advise "$ABOUT $COUNTED max-share=2147483648 max-share-percent=100 $(shadow $KNEE)"
	[[ $output != *"max share"* ]]
}

@test "reads past the cache for lack of memory" {
	advise "$ABOUT ${COUNTED/bypass-memory=0/bypass-memory=6000} $(shadow $KNEE)"
	has "6 % of the blocks read went past it because there was no memory." "$output"
}

@test "the page cache does it better" {
	local buffered="stats.source-sampled=1000 stats.source-buffered=930"
	sys_disk rxc0 259:7
	sys_mount 259:7 "/srv/my\\040files"
	advise "$ABOUT $COUNTED $buffered major=259 minor=7 $(shadow $KNEE)"
	has "Leave the memory to the page cache. It made 93 % of the reads that came here" "$output"
	has "fits into 4G, and 24G are available to the page cache" "$output"
	has "    # umount '/srv/my files'
    # rxadm unmap rxc0
    # mount '/srv/my files'" "$output"
	[[ $output != *"Give it"* ]]
	rx advise -j
	is "page-cache null" "$(json '.advice[0] | "\(.verdict) \(.best_size)"')"
	# Not if what is read again does not fit there, nor for direct reads, nor by a few requests.
	memory 32 1
	advise "$ABOUT $COUNTED $buffered $(shadow 3000 7000 8000 9000 9500)"
	[[ $output != *"page cache"* ]]
	memory 32 24
	advise "$ABOUT $COUNTED stats.source-sampled=1000 stats.source-buffered=100 $(shadow $KNEE)"
	[[ $output != *"page cache"* ]]
	advise "$ABOUT $COUNTED stats.source-sampled=10 stats.source-buffered=10 $(shadow $KNEE)"
	[[ $output != *"page cache"* ]]
}

@test "it does not help" {
	advise "$ABOUT ${COUNTED/recent-1h.read-hit=42000 recent-1h.read-miss=18000/recent-1h.read-hit=600 recent-1h.read-miss=59400} $(RATE=512 shadow 90 100 110 120 300)"
	has "It hardly helps: 1 % of the blocks" "$output"
	has "Give its memory back: hardly anything is read twice, and even 16G, 8 times as much, would serve 3 %." "$output"
	has "    # rxadm unmap rxc0" "$output"
	# While it fills nothing is sure.
	advise "${ABOUT/cached=2147000000/cached=900000000} ${COUNTED/recent-1h.read-hit=42000 recent-1h.read-miss=18000 recent-1h.read-bypass=0 recent-1h.evict=15000/recent-1h.read-hit=600 recent-1h.read-miss=59400 recent-1h.evict=0} $(RATE=512 shadow 90 100 110 120 300)"
	has "Too early to say more: it is not full yet" "$output"
}

@test "what was read for the first time says nothing of sizes" {
	local few="${COUNTED/recent-1h.read-hit=42000 recent-1h.read-miss=18000/recent-1h.read-hit=7800 recent-1h.read-miss=52200}"
	advise "$ABOUT $few $(shadow 1300 1300 1300 1400 1400)"
	has "It helps: 13 % of the blocks" "$output"
	has "Too early to say more: 86 % of the reads were first reads of their blocks" "$output"
	[[ $output != *'# rxadm'* && $output != *'Half would do'* ]]
	rx advise rxc0 -j
	is "few 0.86 null" "$(json '.advice[0] | "\(.verdict) \(.first_ratio) \(.best_size)"')"
	# What the largest has had to drop it may have missed because of that.
	advise "$ABOUT $few $(RATE=512 shadow 1300 1300 1300 1400 1400)"
	has "Half would do as well" "$output"
	[[ $output != *limit* ]]
	advise "$ABOUT $few $(shadow 1300 1300 3000 3000 3000)"
	has "Give it 4G" "$output"
}

@test "settings: write-allocate, sequential reads, mode around" {
	advise "$ABOUT $COUNTED $(shadow 6000 7000 7100 7150 7200) shadow.point=2147483648,7500,write-allocate-flipped shadow.point=2147483648,7300,sequential-bypass"
	has "Without write-allocate the hit ratio would be 75 %" "$output"
	has "    # rxadm set rxc0 --write-allocate no" "$output"
	has "If long sequential reads went past it the hit ratio would be 73 %. A backup of the device is better read from /dev/sdb" "$output"
	advise "${ABOUT/allocate=yes/allocate=no} $COUNTED $(shadow 6000 7000 7100 7150 7200) shadow.point=2147483648,7500,write-allocate-flipped shadow.point=2147483648,7300,sequential-bypass"
	has "    # rxadm set rxc0 --write-allocate yes" "$output"
	# A point or less is nothing.
	advise "$ABOUT $COUNTED $(shadow 6000 7000 7100 7150 7200) shadow.point=2147483648,7090,write-allocate-flipped shadow.point=2147483648,6000,sequential-bypass"
	[[ $output != *allocate* && $output != *sequential* ]]
	advise "${ABOUT/through/around} $COUNTED $(shadow 6000 7000 7100 7150 7200)"
	has "rxadm set rxc0 --mode through" "$output"
}

@test "samples that were lost" {
	local shadow
	shadow=$(shadow $KNEE)
	advise "$ABOUT $COUNTED ${shadow/lost=0/lost=10000}"
	has "33 % of the samples were lost" "$output"
	advise "$ABOUT $COUNTED ${shadow/lost=0/lost=4000}"
	[[ $output != *lost* ]]
}

@test "ghosts" {
	advise "$ABOUT $COUNTED stats.ghost-hit=8700 stats.write-allocate=0 $(shadow $KNEE)"
	has "30 % of the blocks put into it had been dropped shortly before." "$output"
}

@test "nothing to judge by" {
	READS=900 advise "$ABOUT $COUNTED $(READS=900 shadow 500 600 700 700 700)"
	has "It helps: 70 % of the blocks" "$output"
	has "Too early to say more: it has seen only 900 sampled reads (one block in 64 is looked at), and 2000 are needed. Come back later." "$output"
	advise "$ABOUT ${COUNTED/1h.reads=60000/1h.reads=0} $(shadow $KNEE)"
	has "It is idle: nothing was read in the last hour" "$output"
	advise "$ABOUT stats-age=7200000000000 stats.reads=40 shadow.rate=64 shadow.reads=3"
	has "Hardly anything was read through it in 2h 0m. What is to be cached has to be read from /dev/rxc0" "$output"
	advise "$ABOUT $COUNTED"
	has "The effect of other sizes is not known" "$output"
	advise "${ABOUT/write-through/bypass} $COUNTED $(shadow $KNEE)"
	has "It is in bypass mode" "$output"
	has "    # rxadm set rxc0 --mode through" "$output"
	advise "${ABOUT/write-through/bypass} $COUNTED verify.running=no verify.mismatches=3 $(shadow $KNEE)"
	has "It is bypassed because verify found that it differs" "$output"
	advise "${ABOUT/state=active/state=draining} $COUNTED"
	has "It is draining, and there is nothing to judge." "$output"
	rx advise -j
	is "not-active [] null null" "$(json '.advice[0] | "\(.verdict) \(.sizes) \(.best_size) \(.best_hit_ratio)"')"
}

@test "the commands resize it in use, and name what to change in the table" {
	ABOUT=${ABOUT/own-disk=yes/own-disk=no}
	advise "$ABOUT $COUNTED $(shadow $KNEE)"
	has "    # rxadm set rxc0 --size 4G" "$output"
	[[ $output != *unmap* && $output != *editor* ]]
	mkdir -p "$RXADM_SYSROOT/etc"
	echo "rxc0 cache origin=/dev/disk/by-id/x,size=2G" >"$RXADM_SYSROOT/etc/rxtab"
	advise "$ABOUT $COUNTED $(shadow $KNEE)"
	has "    # rxadm set rxc0 --size 4G
    # editor /etc/rxtab  # size=4G for rxc0" "$output"
	printf 'rxd0 disk size=2G\nrxc0 cache origin=/dev/disk/by-id/x,disk=rxd0\n' >"$RXADM_SYSROOT/etc/rxtab"
	advise "$ABOUT $COUNTED $(shadow $KNEE)"
	has "    # rxadm set rxc0 --size 4G
    # editor /etc/rxtab  # size=4G for rxd0" "$output"
}

@test "all caches, some, none; a picture in UTF-8" {
	OTHER="name=rxc1 id=2 disk=rxd1 state=active size=2147483648 cached=0 stats.reads=0" advise "$ABOUT $COUNTED $(shadow $KNEE)"
	rx advise
	has "rxc0  cache" "$output"
	has "rxc1  cache" "$output"
	rx 4 advise rxc0 rxc7
	is "rxadm: advise rxc7: no such cache; see: rxadm list" "$stderr"
	has "rxc0  cache" "$output"
	rx 2 advise rxc7
	LC_ALL=C.UTF-8 rx advise rxc0 -n
	has "    1G 1/2x  50.0 █████████████████████████████▌
" "$output"
	[[ $output != *HIT%* ]]
	rx advise rxc0 -b
	has "4294967296 2x    83.0" "$output"
	replay <<-END
		> rxcache cache-get dump
		> rxdsk disk-get dump
	END
	rx advise
	has "no caches" "$stderr"
	replay <<<"absent rxcache"
	rx 3 advise rxc0
}

@test "trace: a loop needs all of it" {
	# shellcheck disable=SC2046
	trace loop $(for _ in 1 2 3 4 5 6 7 8 9 10; do seq 0 999; done)
	rx advise --trace "$BATS_TEST_TMPDIR/loop.rxt"
	has "10000 requests; they touch 1000 blocks of 4K (3.9M), and read 10000" "$output"
	has "3.9M 100%    75.7 ####" "$output"
	has "4.9M 125%    90.0 ####" "$output"
	has "Give it 5M: 90 % of the blocks read would come from memory." "$output"
	has "    # rxadm map --size 5M ORIGIN" "$output"
	xz -k "$BATS_TEST_TMPDIR/loop.rxt"
	rx advise --trace "$BATS_TEST_TMPDIR/loop.rxt.xz" -j
	is "10000 1000 10000 true 8 5242880 0.9" "$(json '.trace | "\(.requests) \(.distinct_blocks) \(.read_blocks) \(.write_allocate) \(.sizes | length) \(.best_size) \(.best_hit_ratio)"')"
	rx advise --trace "$BATS_TEST_TMPDIR/loop.rxt" --size 1M --no-write-allocate -j
	is "false [512,1024,2048,4096,8192] 0.4036 0.9" "$(json '.trace | "\(.write_allocate) \(.sizes | map(.size / 1024) | tostring) \(.sizes[2].hit_ratio) \(.sizes[4].hit_ratio)"')"
	is "rxadm map --size 8M --no-write-allocate ORIGIN" "$(json .trace.command)"
	rx advise --trace "$BATS_TEST_TMPDIR/loop.rxt" --size 1M --size 2M --ratio 2.4 -j
	is "2.01399 [1024,2048] 0.4" "$(json '.trace | "\(.compressed_times) \(.sizes | map(.size / 1024) | tostring) \(.sizes[0].hit_ratio * 10 | floor / 10)"')"
	is "rxadm map --size 2M --compress lz4 ORIGIN" "$(json .trace.command)"
	rx advise --trace "$BATS_TEST_TMPDIR/loop.rxt" --ratio 2.4
	has "Compressed, 2.01 times as many blocks fit." "$output"
	for ratio in 0.9 8.1 -2 x 2x nan; do
		rx 1 advise --trace "$BATS_TEST_TMPDIR/loop.rxt" --ratio="$ratio"
		has "say how many times the data shrink, 1 to 8" "$stderr$output"
	done
	# shellcheck disable=SC2046
	trace once $(seq 0 999)
	rx advise --trace "$BATS_TEST_TMPDIR/once.rxt" --size 2M --size 1M
	has "    1M 26%      0.0
    2M 51%      0.0
" "$output"
	has "None of these sizes helps" "$output"
}

@test "trace: what blkparse prints, on standard input too" {
	local n text=''
	for n in 1 2 3 4; do
		text+="  8,0    3   11   0.00950775$n  697  Q   R 223488 + 8 [cat]"$'\n'
	done
	run --separate-stderr "$RXADM" advise --trace - <<<"$text"
	is 0 "$status"
	has "4 requests; they touch 1 blocks" "$output"
	has "75 % of the blocks read would come from memory" "$output"
	run --separate-stderr "$RXADM" advise --trace - <<<"${text//  R /  W }"
	has "Nothing is read" "$output"
}

@test "trace: what is wrong with it" {
	rx 1 advise --trace "$BATS_TEST_TMPDIR/none.rxt"
	is "rxadm: advise $BATS_TEST_TMPDIR/none.rxt: No such file or directory" "$stderr"
	printf 1234567890 >"$BATS_TEST_TMPDIR/short.rxt"
	rx 5 advise --trace "$BATS_TEST_TMPDIR/short.rxt"
	has "damaged: it ends within a request" "$stderr"
	printf '\0\0\0\0\0\0\200\0' >"$BATS_TEST_TMPDIR/other.rxt"
	rx 5 advise --trace "$BATS_TEST_TMPDIR/other.rxt"
	has "no RXT: bit 55 of request 1 is set" "$stderr"
	echo words >"$BATS_TEST_TMPDIR/words"
	rx 5 advise --trace "$BATS_TEST_TMPDIR/words"
	has "no requests: neither RXT (NAME.rxt, NAME.rxt.xz) nor what blkparse prints" "$stderr"
	cp "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/words.xz"
	rx 5 advise --trace "$BATS_TEST_TMPDIR/words.xz"
	has "xz could not unpack it" "$stderr"
	# Root may run it, so PATH does not choose the program.
	mkdir "$BATS_TEST_TMPDIR/other"
	printf '#!/bin/sh\n: >"%s/ran"\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/other/xz"
	chmod 755 "$BATS_TEST_TMPDIR/other/xz"
	run --separate-stderr env "PATH=$BATS_TEST_TMPDIR/other" "$RXADM" advise --trace "$BATS_TEST_TMPDIR/words.xz"
	is 5 "$status"
	has "xz could not unpack it" "$stderr"
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
	is "" "$output"
	# A machine whose memory the requests would fill.
	trace long $(seq 0 70000)
	printf 'MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable: 4000 kB\n' >"$RXADM_SYSROOT/proc/meminfo"
	rx 5 advise --trace "$BATS_TEST_TMPDIR/long.rxt"
	has "too long for this machine's memory after 65536 requests; take a part of it" "$stderr"
}

@test "wrong words" {
	replay </dev/null
	rx 1 advise rxd0
	rx 1 advise sdb
	rx 1 advise --size 1G
	has "advise: --size needs --trace too" "$stderr"
	rx 1 advise rxc0 --trace x.rxt
	has "leave one of them out" "$stderr"
	rx 1 advise --trace x.rxt --size 1K
	has "a cache has at least 4K" "$stderr"
	rx 1 advise --trace x.rxt --trace y.rxt
	rx 1 advise --trace x.rxt --size 100
}
