#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What udev is told of an origin when a cache of it begins or ends.

load helper

setup() {
	sysroot
	sys_disk sdb 8:16 sdb1 8:17 sdb2 8:18
	sys_disk rxc0 259:7
	sys=$RXADM_SYSROOT/sys/class/block
	for part in 1 2; do
		echo $part >"$sys/sdb/sdb$part/partition"
		echo "8:$((16 + part))" >"$sys/sdb/sdb$part/dev"
	done
	echo 8:16 >"$sys/sdb/dev"
	for d in sdb sdb/sdb1 sdb/sdb2; do : >"$sys/$d/uevent"; done
}

# events: of whom udev was told, and what.
events() {
	(cd "$sys" && for d in sdb sdb/sdb1 sdb/sdb2; do echo "${d##*/}:$(cat $d/uevent)"; done) | paste -sd ' '
}

mapped() {
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd0 origin=/dev/sdb
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
	END
}

unmapped() {
	replay <<-END
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-del name=rxc0
		<
		@ rxcache cache-del-ntf name=rxc0 id=5 $ACTIVE
	END
}

@test "a cache that has begun is an event of the origin and of its partitions" {
	mapped
	rx map rxd0 sdb
	is "sdb:change sdb1:change sdb2:change" "$(events)"
}

@test "if the origin is a partition, a cache that has begun is also an event of the cache" {
	: >"$sys/rxc0/uevent"
	echo 259:7 >"$sys/rxc0/dev"
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd0 origin=/dev/sdb1
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf name=rxc0 id=5 ${ACTIVE/origin=sdb /origin=sdb1 }
	END
	rx map rxd0 sdb1
	is "sdb: sdb1:change sdb2:" "$(events)"
	is "change" "$(cat "$sys/rxc0/uevent")"
	: >"$sys/rxc0/uevent"
	mapped
	rx map rxd0 sdb
	is "" "$(cat "$sys/rxc0/uevent")"
}

@test "a cache that came to nothing is none" {
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd0 origin=/dev/sdb
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-del-ntf name=rxc0 id=5 $CACHE state=failed error=5 message="origin can not be opened"
	END
	rx 2 map rxd0 sdb
	is "sdb: sdb1: sdb2:" "$(events)"
}

@test "so is the end of a cache" {
	unmapped
	rx unmap rxc0
	is "sdb:change sdb1:change sdb2:change" "$(events)"
}

@test "a cache that stays is none" {
	replay <<-END
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		>* rxcache cache-del name=rxc0
		! EBUSY in use
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx 2 unmap rxc0 --wait 0
	is "sdb: sdb1: sdb2:" "$(events)"
}

# new_table: a partition was made through the cache.
new_table() {
	mkdir "$sys/rxc0/rxc0p1"
	echo 1 >"$sys/rxc0/rxc0p1/partition"
}

@test "an origin that is gone takes no event and no message" {
	new_table
	rm -r "$RXADM_SYSROOT/sys/devices/virtual/block/sdb" "$RXADM_SYSROOT/dev/sdb"
	unmapped
	rx unmap rxc0
	is "" "$stderr"
}

@test "partitions that have changed and can't be read anew are said, those that have not are left alone" {
	ln -sf sdb "$RXADM_SYSROOT/dev/sdb"
	new_table
	unmapped
	rx unmap rxc0
	has "unmap sdb: its partitions have changed and could not be read anew" "$stderr"
	has "run: partprobe /dev/sdb" "$stderr"
	is "sdb:change sdb1:change sdb2:change" "$(events)"

	mkdir "$sys/rxc0/rxc0p2"
	echo 2 >"$sys/rxc0/rxc0p2/partition"
	unmapped
	rx unmap rxc0
	is "" "$stderr"
}

@test "a name with a slash is one with a ! in /sys" {
	sys_disk 'cciss!c0d0' 104:0
	echo 104:0 >"$sys/cciss!c0d0/dev"
	: >"$sys/cciss!c0d0/uevent"
	unmapped
	sed -i 's|origin=sdb |origin=cciss/c0d0 |' "$RXADM_REPLAY"
	rx unmap rxc0
	is "change" "$(cat "$sys/cciss!c0d0/uevent")"
}

# udev_runs: and knows the origin and its partitions.
udev_runs() {
	data=$RXADM_SYSROOT/run/udev/data
	mkdir -p "$data"
	: >"$RXADM_SYSROOT/run/udev/control"
	for n in 16 17 18; do echo old >"$data/b8:$n"; done
}

@test "success is said when udev has worked on it" {
	udev_runs
	unmapped
	(
		for n in {1..100}; do ! grep -q change "$sys/sdb/sdb2/uevent" || break; sleep 0.05; done
		for n in 16 18 17; do
			sleep 0.3
			echo new >"$data/.new" && mv "$data/.new" "$data/b8:$n"
		done
	) 3>&- &
	SECONDS=0
	rx unmap rxc0
	is "new new new" "$(cat "$data"/b8:1[678] | paste -sd ' ')"
	[ "$SECONDS" -lt 5 ]
}

@test "a udev that does not answer is waited for once, one that does not run is not" {
	udev_runs
	unmapped
	SECONDS=0
	rx unmap rxc0
	[ "$SECONDS" -ge 4 ] && [ "$SECONDS" -lt 9 ]
	rm "$RXADM_SYSROOT/run/udev/control"
	unmapped
	SECONDS=0
	rx unmap rxc0
	[ "$SECONDS" -lt 3 ]
}
