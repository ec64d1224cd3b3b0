#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# list: tables, trees and JSON.

load helper

two_of_each() {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd10 size=67108864 block-size=4096 queues=1 read-only=yes used=0 freeing=8192 openers=0 major=259 minor=1
		< name=rxd2 size=1073741824 block-size=512 queues=2 read-only=no used=4096 freeing=0 openers=1 holder=rxc0 major=259 minor=0
		>* rxcache cache-get dump
		< name=rxc0 id=1 disk=rxd2 origin=sdb block-size=4096 mode=write-through write-allocate=yes state=active size=1073741824 cached=536870912 openers=1 major=259 minor=2 stats.reads=7 stats.read-hit=90 stats.read-miss=8 stats.read-join=1 stats.read-bypass-write=1
		< name=rxc1 id=2 disk=rxd3 state=starting origin-major=8 origin-minor=32 stats.read-hit=0 stats.read-miss=0
	END
}

@test "two tables, in the order of numbers" {
	two_of_each
	rx list
	is "NAME  SIZE USED OPEN CACHE MOUNTPOINT
rxd2    1G   4K    1 rxc0  
rxd10  64M   0B    0 -     

NAME DISK ORIGIN   SIZE CACHED HIT% STATE    MOUNTPOINT
rxc0 rxd2 /dev/sdb   1G   512M 90.0 active   
rxc1 rxd3 -           -      -    - starting " "$output"
}

@test "no verb is list" {
	two_of_each
	rx list
	local listed=$output
	rx
	is "$listed" "$output"
	rx -n
	is "$(grep -v NAME <<<"$listed")" "$output"
}

@test "no HIT% without reads: a dash, in JSON null" {
	two_of_each
	rx list -r -n -o NAME,HIT%
	is "rxc0 90.0
rxc1 -" "$output"
	rx list -j
	is "0.9 null" "$(json '[.caches[].hit_ratio | tostring] | join(" ")')"
}

@test "JSON: one cache of a disk is a name, several are an array" {
	replay <<-END
		>* rxcache cache-get dump
		>* rxdsk disk-get dump
		< name=rxd0 $DISK holder=rxc0
		< name=rxd1 $DISK holder=rxc1,rxc12
		< name=rxd2 $DISK
	END
	rx list --disks --json
	is '["rxc0",["rxc0"]] [null,["rxc1","rxc12"]] [null,[]]' "$(json '[.disks[] | [.cache, .caches] | tostring] | join(" ")')"
	rx list --disks --json -o CACHE
	is '{"cache":null,"caches":["rxc1","rxc12"]}' "$(json '.disks[1] | tostring')"
	rx list --disks -n -r -o CACHE
	is "rxc0
rxc1,rxc12
-" "$output"
}

@test "JSON: version, raw numbers, null for what is not known" {
	two_of_each
	rx list --json
	is 1 "$(json .rxadm)"
	is "1073741824 4096 false rxc0" "$(json '.disks[0] | "\(.size) \(.used) \(.read_only) \(.cache)"')"
	is "null null" "$(json '.disks[1] | "\(.cache) \(.no_space)"')"
	is "7 90 1 null" "$(json '.caches[0].stats | "\(.reads) \(.read_hit) \(.read_bypass_write) \(.evict)"')"
	is 1 "$(wc -l <<<"$output")"
	rx list --pretty
	is 1 "$(json .rxadm)"
	[ "$(wc -l <<<"$output")" -gt 20 ]
}

@test "JSON has the same shape when there is nothing" {
	replay <<-END
		> rxdsk disk-get dump
		> rxcache cache-get dump
	END
	rx list --json
	is '{"rxadm":1,"absent":[],"disks":[],"caches":[]}' "$output"
	is "" "$stderr"
}

@test "a person is told how to begin" {
	replay <<-END
		> rxdsk disk-get dump
		> rxcache cache-get dump
	END
	rx list
	is "" "$output"
	is "rxadm: no disks; make one: rxadm attach 1G" "$stderr"
}

@test "disks are listed without the cache module" {
	replay <<-END
		absent rxcache
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
	END
	rx list -n
	has "rxd0" "$output"
	rx list -j
	is "1 0" "$(json '"\(.disks | length) \(.caches | length)"')"
}

@test "disks are listed, and it is an error, if the cache module does not fit" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
		! EOPNOTSUPP
	END
	for o in -rnoNAME --tree; do
		rx 3 list $o
		has "rxd0" "$output"
		is "rxadm: list: the module that is loaded is older than this rxadm; load the one that came with it" "$stderr"
	done
	rx 3 list -j -o NAME
	is '{"absent":[],"disks":[{"name":"rxd0"}]}' "$(json 'del(.rxadm, .messages) | tojson')"
	rx 3 list --caches
	is "" "$output"
}

@test "--disks and --caches" {
	two_of_each
	rx list --disks -n -r -o NAME
	is "rxd2
rxd10" "$output"
	rx list --caches -j
	is "rxadm absent caches" "$(json 'keys_unsorted | join(" ")')"
	rx 1 list --disks --caches
}

@test "named objects" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 $ACTIVE
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx list rxc0 /dev/rxd0 -j
	is "rxd0 rxc0" "$(json '"\(.disks[0].name) \(.caches[0].name)"')"
	replay </dev/null
	rx 1 list sda
}

@test "--tree shows caches below their disks" {
	two_of_each
	rx list --tree
	is "NAME   SIZE USED HIT% STATE  ORIGIN   MOUNTPOINT
rxd2     1G   4K                      
\`-rxc0   1G 512M 90.0 active /dev/sdb 
rxd10   64M   0B                      " "$(sed 's/└─/`-/' <<<"$output")"
}

@test "-b prints bytes, -r one space, -o columns, +COL more" {
	two_of_each
	rx list --disks -b -r -o name,size,maj:min,ro
	is "NAME SIZE RO MAJ:MIN
rxd2 1073741824 no 259:0
rxd10 67108864 yes 259:1" "$output"
	rx list --disks -n -o +QUEUES
	has "rxd2    1G   4K      2    1 rxc0" "$output"
}

@test "-o shows only the table that has the columns" {
	two_of_each
	rx list -n -r -o NAME,MODE
	is "rxc0 write-through
rxc1 -" "$output"
}

@test "-o and names are refused where they would show something else, or nothing" {
	replay </dev/null
	rx 1 list --tree -o NAME
	is "rxadm: list: --tree and --output exclude each other" "$stderr"
	rx 1 list --tree --json
	rx 1 list --tree --pretty
	rx 1 list --tree rxd0
	is "rxadm: list: --tree shows all disks; leave 'rxd0' out" "$stderr"
	rx 1 list --disks rxc0
	is "rxadm: list rxc0: is a cache, not a disk" "$stderr"
	rx 1 list --caches rxc0 rxd0
	is "rxadm: list rxd0: is a disk, not a cache" "$stderr"
	rx 1 list --disks -o HIT%
	is "rxadm: no column 'HIT%' of disks; see: rxadm list -o help" "$stderr"
	for columns in "" + , NAME, +SIZE,; do
		rx 1 list -o "$columns"
		is "rxadm: option --output: a column is missing in '$columns'; say for example NAME,SIZE" "$stderr"
	done
	rx 1 list rxc0 -o QUEUES
	is "rxadm: no column 'QUEUES' of caches; see: rxadm list -o help" "$stderr"
	rx 1 stat rxd0 -o HIT%
	two_of_each
	rx list --disks -n -r -o STATE
	is "-
-" "$output"
}

@test "JSON has no array whose objects would be empty" {
	two_of_each
	rx list -j -o MODE
	is '{"rxadm":1,"absent":[],"caches":[{"mode":"write-through"},{"mode":null}]}' "$output"
	rx list -j -o QUEUES,MODE
	is "2 2" "$(json '"\(.disks | length) \(.caches | length)"')"
}

@test "-o chooses the keys of JSON too" {
	two_of_each
	rx list -j -o NAME,READ-HIT
	is '{"rxadm":1,"absent":[],"caches":[{"name":"rxc0","stats":{"read_hit":90}},{"name":"rxc1","stats":{"read_hit":0}}]}' "$output"
}

# The columns of a kind in the help of a verb.
columns_of() {
	"$RXADM" "$1" -o help | sed -n "/^Columns of $2/,/^\$/s/^  [* ] \([^ ]*\) .*/\1/p"
}

@test "every column that -o can show has a key" {
	cd "$BATS_TEST_TMPDIR"
	two_of_each
	for kind in disks caches; do
		columns=$(columns_of list $kind)
		[ "$(wc -l <<<"$columns")" -gt 20 ]
		for column in $columns; do
			rx list --$kind -j -o "$column"
			echo "$output"
		done >each
		lacks=$(jq -s "map(.$kind[0] | [paths] | length > 0) | index(false) // empty" each)
		[ -z "$lacks" ] || { echo "$kind: no key for column $lacks of these, from 0: $columns" && return 1; }
	done
	rx list -j -o MAJ:MIN
	is '[{"major":259,"minor":0},{"major":259,"minor":1}]' "$(json '.disks | tojson')"
	rx list --caches -j -o STATE,HIT%-5MIN,BYPASS,ERRORS,LAT-MISS
	is '{"recent_5min":{"hit_ratio":null},"state":"active","bypass":1,"latency_miss":{"mean_ns":null},"errors":null}' "$(json '.caches[0] | tojson')"
}

@test "JSON: the state is that of the table, so a cache in trouble is not active" {
	state() {
		replay <<-END
			>* rxcache cache-get name=rxc0
			< name=rxc0 $ACTIVE $1
		END
		rx list rxc0 -n -r -o STATE
		local shown=$output
		rx list rxc0 --json
		is "$2 $2" "$shown $(json '.caches[0].state')"
	}
	state "" active
	state "mode=bypass" bypass
	state "mode=bypass verify.mismatches=3" mismatch
	state "frozen=yes" frozen
	state "state=dead" dead
}

@test "mount points, of partitions and swap too" {
	sysroot
	sys_disk rxd2 259:0 rxd2p1 259:4
	sys_disk rxc0 259:2
	sys_mount 259:4 '/mnt/a\040b'
	sys_mount 259:4 /again
	sys_mount 259:2 /srv
	printf 'Filename Type Size Used Priority\n/dev/rxd10 partition 65532 0 -2\n' >"$RXADM_SYSROOT/proc/swaps"
	two_of_each
	rx list -j
	is '["/mnt/a b","/again"] ["[SWAP]"] ["/srv"]' "$(json '"\(.disks[0].mountpoints) \(.disks[1].mountpoints) \(.caches[0].mountpoints)"')"
	rx list -n -r -o NAME,MOUNTPOINT
	is 'rxd2 /mnt/a\x20b,/again
rxd10 [SWAP]

rxc0 /srv
rxc1 -' "$(sed '/^rxd10/a\\' <<<"$output")"
}

@test "an origin is shown as people know it" {
	sysroot
	sys_disk dm-5 253:5
	mkdir "$RXADM_SYSROOT/sys/block/dm-5/dm"
	echo vg-slow >"$RXADM_SYSROOT/sys/block/dm-5/dm/name"
	sys_disk sdc 8:32
	replay <<-END
		> rxdsk disk-get dump
		> rxcache cache-get dump
		< name=rxc0 origin=dm-5
		< name=rxc1 origin=cciss!c0d0
		< name=rxc2 origin-major=8 origin-minor=32
	END
	rx list --json
	is "/dev/mapper/vg-slow /dev/cciss/c0d0 /dev/sdc" "$(json '[.caches[].origin] | join(" ")')"
}

@test "I/O figures come from /sys" {
	sysroot
	sys_disk rxd0 259:0
	echo "10 0 80 3 20 0 160 5 1 0 8 4 0 32 1 0 0" >"$RXADM_SYSROOT/sys/block/rxd0/stat"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx list rxd0 -j
	is '{"reads":10,"read_bytes":40960,"read_ns":3000000,"writes":20,"write_bytes":81920,"write_ns":5000000,"discards":4,"discard_bytes":16384,"in_flight":1}' "$(json '.disks[0].io | tojson')"
}

@test "a list that changes while it is read is read again" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		< name=rxd0 $DISK
		~
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
	END
	rx list -n -r -o NAME
	is "rxd0" "$output"
}

@test "a list that fails half way is not shown" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		! EMSGSIZE
	END
	rx 2 list
	is "" "$output"
}

@test "1,000 disks" {
	{
		echo "> rxdsk disk-get dump"
		seq -f "< name=rxd%.0f $DISK" 0 999
		echo "> rxcache cache-get dump"
	} >"$BATS_TEST_TMPDIR/thousand"
	replay <"$BATS_TEST_TMPDIR/thousand"
	rx list -n
	is 1000 "$(wc -l <<<"$output")"
	has "rxd999 " "${lines[999]}"
}

@test "a root of the tests that is too long for a path is none" {
	sysroot
	replay </dev/null
	for n in 4000 4090 4095 4096 4097 9000; do
		run env RXADM_SYSROOT="/$(head -c $n /dev/zero | tr '\0' x)" "$RXADM" check-tab
		[ "$status" -lt 126 ]
	done
}
