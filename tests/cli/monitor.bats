#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# monitor: one line per event.

load helper

events() {
	replay <<-END
		> rxdsk join
		> rxcache join
		@ rxdsk disk-new-ntf name=rxd0 $DISK
		@ rxdsk disk-change-ntf name=rxd0 $DISK holder=rxc0
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
		@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=dead origin=sdb
		@ rxcache cache-del-ntf name=rxc0 id=5 $CACHE state=draining origin=sdb
		@ rxcache cache-del-ntf name=rxc1 id=6 $CACHE state=failed origin=sdb error=16 message="origin is in use"
		@ rxdsk disk-del-ntf name=rxd0 $DISK
		@ interrupt
	END
}

@test "lines for people" {
	events
	rx monitor
	is "disk-new     rxd0   1G, 0B used
disk-change  rxd0   1G, 0B used, memory of rxc0
cache-new    rxc0   /dev/sdb in rxd0, active, write-through
cache-change rxc0   /dev/sdb in rxd0, dead, write-through
cache-del    rxc0   /dev/sdb in rxd0
cache-del    rxc1   /dev/sdb in rxd0, failed: origin is in use
disk-del     rxd0   1G, 0B used" "$output"
}

@test "JSON: one object per line, of the shape of list" {
	events
	rx monitor --json
	is 7 "${#lines[@]}"
	is "disk-new disk-change cache-new cache-change cache-del cache-del disk-del" "$(json .event | tr '\n' ' ' | sed 's/ $//')"
	is "dead /dev/sdb 5" "$(jq -r '"\(.cache.state) \(.cache.origin) \(.cache.id)"' <<<"${lines[3]}")"
	is "null null" "$(jq -r '"\(.disk.io.reads) \(.disk.io.in_flight)"' <<<"${lines[0]}")"
	is "16 origin is in use" "$(jq -r '"\(.cache.error) \(.cache.message)"' <<<"${lines[5]}")"
	[[ $(jq -r .time <<<"${lines[0]}") =~ ^20[0-9-]+T[0-9:]+\.[0-9]{6}Z$ ]]
}

@test "what has happened to a cache, in words and in JSON" {
	changes() {
		replay <<-END
			> rxcache join
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=set
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=set frozen=yes
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=set frozen=no
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=drop
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=dead origin=sdb cause=dead
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb verify.mismatches=1 cause=mismatch
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb verify.mismatches=0 cause=verified
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb stats.read-errors=3 stats.write-errors=1 stats.origin-read-errors=4 cause=errors
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb stats.reclaim=512 cause=reclaim
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=reset
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb pinned=4194304 cause=pin
			@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=active origin=sdb cause=99
			@ interrupt
		END
	}
	changes
	rx monitor cache
	is "cache-change rxc0   /dev/sdb in rxd0, active, write-through
cache-change rxc0   /dev/sdb in rxd0, active, write-through, frozen
cache-change rxc0   /dev/sdb in rxd0, active, write-through
cache-change rxc0   /dev/sdb in rxd0, active, write-through: dropped its blocks
cache-change rxc0   /dev/sdb in rxd0, dead, write-through: the origin is gone
cache-change rxc0   /dev/sdb in rxd0, active, write-through, 1 blocks differ from the origin: bypassed from now on
cache-change rxc0   /dev/sdb in rxd0, active, write-through: verified
cache-change rxc0   /dev/sdb in rxd0, active, write-through: errors, so far 3 reads and 1 writes failed, at the origin 4 and 0
cache-change rxc0   /dev/sdb in rxd0, active, write-through: gave memory back, so far 2M, 4K cached
cache-change rxc0   /dev/sdb in rxd0, active, write-through: counters begin anew
cache-change rxc0   /dev/sdb in rxd0, active, write-through: 4M pinned
cache-change rxc0   /dev/sdb in rxd0, active, write-through" "$output"
	changes
	rx monitor cache --json
	is "set set set drop dead mismatch verified errors reclaim reset pin 99" "$(json .cache.cause | tr '\n' ' ' | sed 's/ $//')"
}

@test "one kind of objects" {
	replay <<-END
		> rxcache join
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
		@ interrupt
	END
	rx monitor cache
	has "cache-new" "$output"
	replay <<-END
		> rxdsk join
		@ rxdsk disk-new-ntf name=rxd0 $DISK
		@ interrupt
	END
	rx monitor disk
	has "disk-new" "$output"
	replay </dev/null
	rx 1 monitor disks
	has "invalid object: 'disks' (use disk|cache)" "$stderr"
}

@test "a time stamp before each line" {
	events
	rx monitor -t
	[[ ${lines[0]} =~ ^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\ disk-new ]]
}

@test "lost events: it says so and shows the state" {
	replay <<-END
		> rxdsk join
		> rxcache join
		@ overrun
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
		@ interrupt
	END
	rx monitor --json
	is "overrun dump" "$(json .event | tr '\n' ' ' | sed 's/ $//')"
	is "rxd0 rxc0" "$(jq -r '"\(.disks[0].name) \(.caches[0].name)"' <<<"${lines[1]}")"
}

@test "one module is enough" {
	replay <<-END
		absent rxcache
		> rxdsk join
		@ rxdsk disk-new-ntf name=rxd0 $DISK
		@ interrupt
	END
	rx monitor
	has "disk-new" "$output"
}

@test "each line is out at once" {
	replay <<-END
		> rxdsk join
		> rxcache join
		@ rxdsk disk-new-ntf name=rxd0 $DISK
	END
	"$RXADM" monitor >"$BATS_TEST_TMPDIR/out" &
	pid=$!
	sleep 0.5
	is 1 "$(wc -l <"$BATS_TEST_TMPDIR/out")"
	kill -TERM $pid
	wait $pid
}
