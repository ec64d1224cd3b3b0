#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# stat: one report, or one per interval.

load helper

@test "a report explains itself" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active origin=sdb origin-size=8589934592 stats.reads=100 stats.read-hit=90 stats.read-miss=7 stats.read-join=1 stats.read-bypass-memory=2 stats.writes=5 stats.write-allocate=3 stats.read-errors=4
	END
	rx stat rxc0
	has "rxc0  cache of /dev/sdb (8G) in rxd0, write-through, active" "$output"
	has "hit ratio 90 %; 2 % of the blocks read bypassed it: no memory" "$output"
	has "100 requests, 90.0% of their blocks from memory" "$output"
	has "7 blocks from the origin" "$output"
	has "2 blocks past the cache: 2 no memory, 0 being written, 0 fill full" "$output"
	has "errors      4 reads, 0 writes" "$output"
}

@test "three hit ratios: by blocks, by requests, by bytes; and the blocks of reads and writes" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active slack=8192 stats.reads=20 stats.read-full=6 stats.read-partial=1 stats.read-none=5 stats.read-again=8 stats.read-bytes=1000 stats.read-hit-bytes=900 stats.read-hit=3 stats.read-miss=2 stats.read-join=1 stats.read-bypass-fill=4 stats.write-update=1 stats.write-allocate=2 stats.write-bypass=3
	END
	rx stat rxc0 -j
	is "0.3 0.5 0.9 10 6 8192" "$(json '.caches[0] | "\(.hit_ratio) \(.hit_ratio_requests) \(.hit_ratio_bytes) \(.read_blocks) \(.write_blocks) \(.slack)"')"
	rx stat rxc0 -r -n -o HIT%,HIT-REQ%,HIT-BYTE%,READ-BLOCKS,READ-BYTES,SLACK
	is "30.0 50.0 90.0 8K 1000B 10" "$output"
}

@test "the page says what it comes to" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active origin=sdb slack=4096 stats-age=7500000000000 stats.reads=100 stats.read-full=65 stats.read-partial=9 stats.read-none=26 stats.read-bytes=409600 stats.read-hit-bytes=290816 stats.read-hit=71 stats.read-miss=21 stats.read-bypass-memory=6 stats.read-bypass-write=2 stats.fill=20 stats.fill-drop=1 stats.origin-read-bytes=8192 stats.origin-read-errors=7 recent-5min.read-hit=83 recent-5min.read-miss=17 recent-5min.fill=200 recent-5min.evict=150 recent-1h.read-hit=999 recent-1h.read-miss=1 latency-hit.sum=8400 latency-hit.buckets=0,0,0,0,0,0,4 latency-miss.sum=4000000 latency-miss.buckets=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
	END
	rx stat rxc0
	has "  hit ratio 71 % (last 5 min 83 %, 1 h over 99 %); 8 % of the blocks read bypassed it: 6 % no memory, 2 % being written
  hits saved 260 ms of waiting for the origin: a hit takes 2.1 us, a miss 4.0 ms
  about 150 blocks were evicted in the last 5 min
  counted for 2h 5m
  memory      4K of 1G hold blocks, 16K more for the index, 4K in flight" "$output"
	has "65 served whole by memory, 9 in part, 26 not at all" "$output"
	has "400K, 284K of them from memory" "$output"
	has "20 blocks kept, 1 dropped (raced by a write, frozen meanwhile or no room), 0 lost because the origin failed" "$output"
	has "of the origin: 7 reads, 0 writes" "$output"
	has "  hit         2.1 us on average, median 3.1 us, p99 4.1 us (4 samples)
  miss        4.0 ms on average, median 3.1 ms, p99 4.2 ms (1 sample)" "$output"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=1 stats.read-hit=0 stats.read-miss=1 stats.read-bypass-mode=1000
	END
	rx stat rxc0
	has "hit ratio 0 %; over 99 % of the blocks read bypassed it: bypass mode" "$output"
}

@test "the page and its JSON say what is compressed, and how much smaller" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active origin=sdb cached=1048576 compress=lz4 compressed=2097152 compressed-memory=524288 compress-tried=600 compress-done=512 compress-ns=4000000 incompressible=65536 stats.reads=10 stats.read-hit=10 stats.read-hit-compressed=8 stats.decompress-ns=16000
	END
	rx stat rxc0
	has "  compress    lz4: 2M of blocks in 512K, 4.0 times smaller; 512K of blocks are plain; 8 hits of them, 2.0 us each
  compressor  512 of 600 blocks tried were worth it; 4.0 ms of processor time; 64K of plain blocks are not worth it" "$output"
}

@test "a change of the size is on the page while it goes on, and if it failed" {
	resize() {
		replay <<-END
			> rxcache cache-get name=rxc0
			< name=rxc0 id=5 $ACTIVE resize.size=4294967296 $1
		END
		rx stat rxc0
	}
	resize "resize.running=yes"
	has "
  resize      to 4G, still running" "$output"
	resize "resize.running=no resize.error=12 resize.message=no_memory"
	has "
  resize      not to 4G: no_memory" "$output"
	resize "resize.running=no"
	[[ $output != *resize* ]]
}

@test "the page tells of sharing, and of shares" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE sharers=2 min-share=268435456 max-share=1073741824
	END
	rx stat rxc0
	has "  shared      2 caches share this memory, each with its own blocks" "$output"
	has "  share       others leave 256M of it, and it takes 1G at most" "$output"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE sharers=1 min-share=0 max-share=1073741824
	END
	rx stat rxc0
	[[ $output != *share* ]]
}

@test "the page names no window that is longer than what it has counted" {
	for age in 300000000000 300000000001; do
		replay <<-END
			> rxcache cache-get name=rxc0
			< name=rxc0 id=1 $CACHE state=active stats-age=$age stats.reads=10 stats.read-full=7 stats.read-none=3 stats.read-hit=7 stats.read-miss=3 recent-10s.read-hit=1 recent-10s.read-miss=1 recent-5min.read-hit=7 recent-5min.read-miss=3 recent-1h.read-hit=7 recent-1h.read-miss=3
		END
		rx stat rxc0
		grep "hit ratio" <<<"$output" >>"$BATS_TEST_TMPDIR/said"
	done
	is "  hit ratio 70 % (last 10 s 50 %)
  hit ratio 70 % (last 10 s 50 %, 5 min 70 %)" "$(cat "$BATS_TEST_TMPDIR/said")"
}

@test "no ratio without reads, no crash without counters" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=starting
	END
	rx stat rxc0
	[[ $output != *%* && $output != *nan* ]]
	rx stat rxc0 -j
	is "null null" "$(json '.caches[0] | "\(.hit_ratio) \(.stats.reads)"')"
}

@test "a disk's report has memory and I/O" {
	sysroot
	sys_disk rxd0 259:0
	echo "10 0 80 3 20 0 160 5 1 0 8 4 0 32 1 0 0" >"$RXADM_SYSROOT/sys/block/rxd0/stat"
	replay <<-END
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=1073741824 used=8192 freeing=4096 no-space=3 slow-writes=9
	END
	rx stat rxd0
	has "rxd0  RAM disk of 1G" "$output"
	has "8K hold data, 4K on the way back" "$output"
	has "reads       10 requests, 40K" "$output"
	has "3 writes found no memory, 9 had to wait" "$output"
}

@test "all objects when none is named" {
	replay <<-END
		$(one_of_each)
	END
	rx stat
	has "RAM disk of 1G" "$output"
	has "cache of /dev/sdb" "$output"
}

@test "intervals: first since creation, then what was added" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=100 stats.read-hit=90 stats.read-miss=10
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=110 stats.read-hit=91 stats.read-miss=19
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=110 stats.read-hit=91 stats.read-miss=19
	END
	rx stat rxc0 --interval 20ms --count 3 -j
	is 3 "${#lines[@]}"
	is "null 100 90 0.9 20000000 10 1 0.1 20000000 0 0 null" \
		"$(json '"\(.interval_ns) \(.caches[0].stats.reads) \(.caches[0].stats.read_hit) \(.caches[0].hit_ratio)"' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals: none is too short, and 0 too" {
	for interval in 0 0s 1us 9ms; do
		rx 1 stat rxc0 --interval $interval
		is "rxadm: stat: the shortest interval is 10ms" "$stderr"
	done
}

@test "intervals: a plain number is seconds" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
	END
	rx stat rxc0 -i 0.05 -c 2 -j
	is "null 50000000" "$(json '.interval_ns' | tr '\n' ' ' | sed 's/ $//')"
	SECONDS=0
	rx stat rxc0 -i 1 -c 2 -j
	[ "$SECONDS" -ge 1 ]
	is 1000000000 "$(jq '.interval_ns' <<<"${lines[1]}")"
}

@test "intervals: a new cache of an old name begins anew" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats.reads=100
		> rxcache cache-get name=rxc0
		< name=rxc0 id=2 state=active stats.reads=7
	END
	rx stat rxc0 --interval 10ms --count 2 -j
	is "100 7" "$(json '.caches[0].stats.reads' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals: a disk attached anew under an old name begins anew" {
	sysroot
	sys_disk rxd0 259:0
	local file=$RXADM_SYSROOT/sys/block/rxd0/stat
	echo "10 0 80 3 20 0 160 5 0 0 8 4 0 32 1 0 0" >"$file"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	echo "15 0 160 3 20 0 160 5 0 0 8 4 0 32 1 0 0" >"$file.new"
	(sleep 0.5 && mv "$file.new" "$file") &
	rx stat rxd0 --interval 1s --count 2 -j
	wait
	is "10 15" "$(json '.disks[0].io.reads' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals: the same disk, whose times wrap at 32 bits" {
	sysroot
	sys_disk rxd0 259:0
	local file=$RXADM_SYSROOT/sys/block/rxd0/stat
	echo "10 0 80 4294967290 20 0 160 5 0 0 8 4 0 32 1 0 0" >"$file"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	(sleep 0.5 && echo "15 0 160 4 20 0 160 5 0 0 8 4 0 32 1 0 0" >"$file") &
	rx stat rxd0 --interval 1s --count 2 -j
	wait
	is "10 4294967290000000 5 10000000" "$(json '.disks[0].io | "\(.reads) \(.read_ns)"' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals: mount points are those of each report" {
	sysroot
	sys_disk rxd0 259:0
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	(sleep 0.5 && sys_mount 259:0 /mnt) &
	rx stat rxd0 --interval 1s --count 2 -j
	wait
	is "[] [\"/mnt\"]" "$(json '.disks[0].mountpoints | tostring' | tr '\n' ' ' | sed 's/ $//')"
}

@test "JSON has the requests of caches as /sys counts them" {
	sysroot
	sys_disk rxc0 259:7
	echo "10 0 80 3 20 0 160 5 1 0 8 4 0 32 1 0 0" >"$RXADM_SYSROOT/sys/block/rxc0/stat"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx stat rxc0 -j
	is "10 40960 3000000 20 1" "$(json '.caches[0].io | "\(.reads) \(.read_bytes) \(.read_ns) \(.writes) \(.in_flight)"')"
}

@test "numbers have a point, and words are ASCII, in every language" {
	command -v localedef >/dev/null && [ -e /usr/lib/locale/C.utf8/LC_NAME ] || skip "no sources of locales"
	# A whole language takes seconds. This is C with a comma and without the upper case of i.
	export LOCPATH=$BATS_TEST_TMPDIR
	printf '%s\n' LC_NUMERIC 'decimal_point ","' 'thousands_sep "."' 'grouping 3;3' 'END LC_NUMERIC' >"$LOCPATH/numeric"
	printf '%s\n' LC_CTYPE 'print <U0020>..<U007E>' 'toupper (<U0069>,<U0069>)' 'tolower (<U0049>,<U0049>)' 'END LC_CTYPE' >>"$LOCPATH/numeric"
	localedef -c -i "$LOCPATH/numeric" -f UTF-8 "$LOCPATH/new" 2>/dev/null || true
	cp -r /usr/lib/locale/C.utf8 "$LOCPATH/xx_XX.UTF-8"
	cp "$LOCPATH"/new/LC_{NUMERIC,CTYPE} "$LOCPATH/xx_XX.UTF-8"
	is "," "$(LC_ALL=xx_XX.UTF-8 locale decimal_point)"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats.reads=4 stats.read-hit=1 stats.read-miss=3
	END
	export LC_ALL=xx_XX.UTF-8
	rx stat rxc0 -j
	is 0.25 "$(json '.caches[0].hit_ratio')"
	rx stat rxc0 -o NAME,HIT% -r -n
	is "rxc0 25.0" "$output"
	rx stat rxc0 -o name,hit% -r -n
	is "rxc0 25.0" "$output"
	there_are rxd0
	rx attach 1gib --dry-run
	is "would attach a disk, size 1G" "$output"
}

@test "intervals: a module that is absent is not loaded by asking again" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		! ENOENT
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxdsk disk-get dump
		< name=rxd0 $DISK
	END
	rx stat --interval 10ms --count 3 -j
	is "rxcache rxcache rxcache" "$(json '.absent | join(" ")' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals as tables" {
	replay <<-END
		$(one_of_each)
		$(one_of_each)
	END
	rx stat -i 10ms -c 2 -o NAME,READS
	has "since the counters began" "$output"
	has "in the last 10ms" "$output"
	is 2 "$(grep -c '^rxc0 ' <<<"$output")"
	is 2 "$(grep -c '^rxd0 ' <<<"$output")"
}

@test "intervals as lines: one for each cache, disks left out" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 state=active stats-age=10000000000 stats.read-hit=2000000 stats.read-miss=7 stats.read-join=1 stats.read-bypass-write=2 stats.fill=6 stats.evict=3 stats.read-bytes=104857600 stats.write-bytes=0 latency-hit.sum=4200 latency-hit.buckets=0,0,0,0,0,2
		< name=rxc1 id=6 state=active
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 state=active stats-age=10010000000 stats.read-hit=2000030 stats.read-miss=15 stats.read-join=3 stats.read-bypass-write=2 stats.fill=8 stats.evict=4 stats.read-bytes=125829120 stats.write-bytes=524288 latency-hit.sum=4200 latency-hit.buckets=0,0,0,0,0,2
		< name=rxc1 id=6 state=active
	END
	rx stat -i 100ms -c 2
	is "NAME    HITS MISSES  HIT% BYPASS  FILL EVICT R-MiB/s W-MiB/s LAT-HIT LAT-MISS
rxc0    2.0M      8 100.0      2     6     3    10.0     0.0   2.1us        -
rxc1       -      -     -      -     -     -       -       -       -        -
rxc0      30     10  75.0      0     2     1   200.0     5.0       -        -
rxc1       -      -     -      -     -     -       -       -       -        -" "$output"
}

@test "intervals as lines: raw, without headings, and tables for disks that are named" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx stat rxc0 -i 10ms -c 1 -r
	is "rxc0 0 0 - 0 - - - - - -" "$output"
	rx stat rxc0 -i 10ms -c 2 -n
	is 2 "${#lines[@]}"
	rx stat rxd0 -i 10ms -c 1
	has "NO-SPACE" "$output"
	rx stat rxd0 rxc0 -i 10ms -c 1
	has "NO-SPACE" "$output"
	has "READ-HIT" "$output"
}

@test "a named object that goes ends the reports with its error" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx 2 stat rxc0 --interval 10ms
	has "no such cache" "$stderr"
}

@test "Ctrl-C ends the reports well" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
	END
	run --separate-stderr timeout -s TERM 0.5 "$RXADM" stat rxc0 --interval 100ms -j --output NAME
	is 124 "$status"
	run --separate-stderr timeout --preserve-status -s INT 0.5 "$RXADM" stat rxc0 --interval 100ms -j
	is 0 "$status"
	[ "${#lines[@]}" -ge 2 ]
	json . >/dev/null
}

@test "a stream stops when nobody reads it" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
	END
	SECONDS=0
	run --separate-stderr bash -c '"$0" stat rxc0 -i 50ms -j | head -n 2; exit ${PIPESTATUS[0]}' "$RXADM"
	is 0 "$status"
	[ "$SECONDS" -lt 5 ]
}

@test "what happened lately" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats-age=60000000000 recent-10s.read-hit=1 recent-10s.read-miss=3 recent-5min.read-hit=30 recent-5min.read-miss=5 recent-5min.read-bypass=5 recent-5min.evict=2 recent-1h.read-hit=0
	END
	rx stat rxc0 -j
	is "60000000000 0.25 0.75 null 2 null" "$(json '.caches[0] | "\(.stats_age_ns) \(.recent_10s.hit_ratio) \(.recent_5min.hit_ratio) \(.recent_1h.hit_ratio) \(.recent_5min.evict) \(.recent_1h.evict)"')"
	rx stat rxc0 -r -n -o HIT%-10S,HIT%-5MIN,HIT%-1H
	is "25.0 75.0 -" "$output"
}

@test "latencies, and the time that the cache saved" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats.read-full=1000 latency-hit.sum=4000 latency-hit.buckets=0,0,0,0,0,4 latency-miss.sum=3000000 latency-miss.buckets=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1 latency-write.sum=0 latency-write.buckets=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats.read-full=1010 latency-hit.sum=9000 latency-hit.buckets=0,0,0,0,0,5 latency-miss.sum=3000000 latency-miss.buckets=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1 latency-write.sum=0 latency-write.buckets=0
	END
	rx stat rxc0 -j -i 10ms -c 2
	is "4 1000 1536 3000000 2999000000 null null 32" "$(jq -r '.caches[0] | "\(.latency_hit.count) \(.latency_hit.mean_ns) \(.latency_hit.p50_ns) \(.latency_miss.mean_ns) \(.saved_ns) \(.latency_write.mean_ns) \(.latency_origin.buckets) \(.latency_hit.buckets | length)"' <<<"${lines[0]}")"
	is "1 5000 0 null null" "$(jq -r '.caches[0] | "\(.latency_hit.count) \(.latency_hit.mean_ns) \(.latency_miss.count) \(.latency_miss.mean_ns) \(.saved_ns)"' <<<"${lines[1]}")"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats.read-full=1000 latency-hit.sum=4000 latency-hit.buckets=0,0,0,0,0,4 latency-miss.sum=3000000 latency-miss.buckets=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
	END
	rx stat rxc0 -r -n -o LAT-HIT,LAT-MISS,LAT-WRITE,SAVED
	is "1.0us 3.0ms - 3.0s" "$output"
}

@test "reset: of the caches that are named" {
	replay <<-END
		> rxcache cache-reset-stats name=rxc0
		< name=rxc0 id=1 state=active stats.reads=0
		> rxcache cache-reset-stats name=rxc1
		! ENODEV no such cache
	END
	rx 4 stat --reset rxc0 rxc1
	is "" "$output"
	has "stat rxc1: kernel: no such cache" "$stderr"
	replay <<-END
		> rxcache cache-reset-stats name=rxc0
		< name=rxc0 id=1 state=active stats.reads=0
	END
	rx stat --reset rxc0 --json
	is "rxc0 0" "$(json '.caches[0] | "\(.name) \(.stats.reads)"')"
	there_are rxc0
	rx stat --reset rxc0 --dry-run
	is "would reset the counters of rxc0" "$output"
	rx 1 stat --reset
	rx 1 stat --reset rxd0
	rx 1 stat --reset rxc0 --interval 1s
}

@test "intervals: counters that were reset in between begin anew" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats-age=9000 stats.reads=100
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active stats-age=70 stats.reads=107
	END
	rx stat rxc0 --interval 10ms --count 2 -j
	is "100 107" "$(json '.caches[0].stats.reads' | tr '\n' ' ' | sed 's/ $//')"
}

@test "wrong words" {
	replay </dev/null
	rx 1 stat --interval 1x
	has "'1x' is no time; say for example 500ms, 1s or 2m" "$stderr"
	rx 1 stat --interval 1us
	rx 1 stat --count 2
	rx 1 stat rxx0
}

@test "the name of an origin can't move the cursor" {
	sysroot
	sys_disk dm-0 253:0
	mkdir "$RXADM_SYSROOT/sys/block/dm-0/dm"
	printf 'a\033[2Jb\302\233' >"$RXADM_SYSROOT/sys/block/dm-0/dm/name"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 ${ACTIVE/origin=sdb/origin=dm-0}
		>* rxcache cache-get dump
		< name=rxc0 id=5 ${ACTIVE/origin=sdb/origin=dm-0}
		>* rxdsk disk-get dump
	END
	for verb in stat advise list; do
		rx $verb rxc0
		has '/dev/mapper/a\x1b[2Jb' "$output"
		[[ $output != *$'\033'* && $output != *$'\302\233'* ]]
	done
}
