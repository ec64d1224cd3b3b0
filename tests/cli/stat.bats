#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# stat: one report, or one per interval.

load helper

@test "a report explains itself" {
	replay <<-END
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active origin=sdb origin-size=8589934592 stats.reads=100 stats.read-hit=90 stats.read-miss=7 stats.read-join=1 stats.read-bypass-memory=2 stats.writes=5 stats.write-allocate=3 stats.read-errors=4
	END
	rx stat rxc0
	has "rxc0  cache of /dev/sdb (8G) in rxd0, write-through, active" "$output"
	has "100 requests, 90.0% of their blocks from memory" "$output"
	has "7 blocks from the origin" "$output"
	has "2 blocks past the cache: 2 no memory, 0 being written, 0 fill raced" "$output"
	has "errors      4 reads, 0 writes" "$output"
}

@test "no ratio without reads, no crash without counters" {
	replay <<-END
		>* rxcache map-get name=rxc0
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
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache map-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	rx stat
	has "RAM disk of 1G" "$output"
	has "cache of /dev/sdb" "$output"
}

@test "intervals: first since creation, then what was added" {
	replay <<-END
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=100 stats.read-hit=90 stats.read-miss=10
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=110 stats.read-hit=91 stats.read-miss=19
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 $CACHE state=active stats.reads=110 stats.read-hit=91 stats.read-miss=19
	END
	rx stat rxc0 --interval 20ms --count 3 -j
	is 3 "${#lines[@]}"
	is "null 100 90 0.9 20000000 10 1 0.1 20000000 0 0 null" \
		"$(json '"\(.interval_ns) \(.caches[0].stats.reads) \(.caches[0].stats.read_hit) \(.caches[0].hit_ratio)"' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals: a new mapping of an old name begins anew" {
	replay <<-END
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 state=active stats.reads=100
		> rxcache map-get name=rxc0
		< name=rxc0 id=2 state=active stats.reads=7
	END
	rx stat rxc0 --interval 10ms --count 2 -j
	is "100 7" "$(json '.caches[0].stats.reads' | tr '\n' ' ' | sed 's/ $//')"
}

@test "intervals as tables" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache map-get dump
		< name=rxc0 id=5 $ACTIVE
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache map-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	rx stat -i 10ms -c 2
	has "since creation" "$output"
	has "in the last 10ms" "$output"
	is 2 "$(grep -c '^rxc0 ' <<<"$output")"
}

@test "a named object that goes ends the reports with its error" {
	replay <<-END
		> rxcache map-get name=rxc0
		< name=rxc0 id=1 state=active
		> rxcache map-get name=rxc0
		! ENODEV no such cache
	END
	rx 2 stat rxc0 --interval 10ms
	has "no such cache" "$stderr"
}

@test "Ctrl-C ends the reports well" {
	replay <<-END
		>* rxcache map-get name=rxc0
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
		>* rxcache map-get name=rxc0
		< name=rxc0 id=1 state=active
	END
	SECONDS=0
	run --separate-stderr bash -c '"$0" stat rxc0 -i 50ms -j | head -n 2; exit ${PIPESTATUS[0]}' "$RXADM"
	is 0 "$status"
	[ "$SECONDS" -lt 5 ]
}

@test "wrong words" {
	replay </dev/null
	rx 1 stat --interval 1
	has "time '1' has no unit; say 1s or 1ms" "$stderr"
	rx 1 stat --interval 1us
	rx 1 stat --count 2
	rx 1 stat rxx0
}
