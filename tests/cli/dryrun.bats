#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Guards against: a dry run that approves what the kernel refuses, and one that refuses what its own earlier steps make or free.

load helper

ID=/dev/disk/by-id

setup() {
	sysroot
	mkdir -p "$RXADM_SYSROOT"/{etc,dev/disk/by-id}
	sys_disk sdb 8:16
	sys_disk sdc 8:32
	sys_disk rxc0 259:7
	ln -s ../../sdb "$RXADM_SYSROOT$ID/ata-HDD_1"
	ln -s ../../sdc "$RXADM_SYSROOT$ID/ata-HDD_2"
	: >"$BATS_TEST_TMPDIR/kernel"
	export RXADM_REPLAY=$BATS_TEST_TMPDIR/kernel
}

tab() { cat >"$RXADM_SYSROOT/etc/rxtab"; }

# disk NAME [ATTRIBUTE…], cache NAME [ATTRIBUTE…], none NAME…: what the kernel has, or not, however often it is asked.
disk() { printf '>* rxdsk disk-get name=%s\n< name=%s %s %s\n' "$1" "$1" "$DISK" "${*:2}" >>"$RXADM_REPLAY"; }
cache() { printf '>* rxcache cache-get name=%s\n< name=%s id=5 %s %s\n' "$1" "$1" "$ACTIVE" "${*:2}" >>"$RXADM_REPLAY"; }
none() {
	local name
	for name; do
		case $name in
		rxd*) printf '>* rxdsk disk-get name=%s\n! ENODEV there is no disk of that name\n' "$name" ;;
		*) printf '>* rxcache cache-get name=%s\n! ENODEV no such cache\n' "$name" ;;
		esac
	done >>"$RXADM_REPLAY"
}
anew() { : >"$RXADM_REPLAY"; }

# result LINE: what --json says of it.
result() { json ".lines[] | select(.name == \"$1\").result"; }

two_lines() {
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
	END
}

@test "down: a cache that is mounted, and its disk, stay" {
	two_lines
	sys_mount 259:7 /srv
	cache rxc0 openers=1
	disk rxd0 holder=rxc0
	rx 2 down --dry-run
	is "rxadm: unmap rxc0: mounted on /srv; run: umount /srv
rxadm: down: 0 of 2 done; rxc0: refused, see above; put that right and run: rxadm down rxc0
rxadm: down: 0 of 2 done; rxd0: rxc0 on it is still there; then run: rxadm down rxd0" "$stderr"
	is "[#] rxadm unmap rxc0" "$output"
	rx 2 down --dry-run --json
	is "true failed failed" "$(json '"\(.dry_run) \([.lines[].result] | join(" "))"')"
	rx 2 down rxc0 --dry-run
	has "unmap rxc0: mounted on /srv" "$stderr"
	# Others go.
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
		rxd1 disk size=1G
	END
	disk rxd1
	rx 4 down --dry-run --json
	is "failed failed would-remove" "$(result rxc0) $(result rxd0) $(result rxd1)"
}

@test "down: a disk that is open" {
	tab <<<"rxd0 disk size=1G"
	disk rxd0 openers=1
	rx 2 down --dry-run
	has "rxadm: detach rxd0: still open, but no process in /proc has it open" "$stderr"
	anew
	disk rxd0 holder=rxc7
	rx 2 down --dry-run
	is "rxadm: detach rxd0: in use by rxc7; run: rxadm unmap rxc7" "$stderr"
	# It is gone in a moment, and down waits for that.
	anew
	disk rxd0 state=detaching
	rx down --dry-run
}

@test "down: what an earlier step frees is free" {
	two_lines
	cache rxc0
	disk rxd0 used=4096 holder=rxc0
	rx down --dry-run
	is "[#] rxadm unmap rxc0
[#] rxadm detach rxd0" "$output$stderr"
	# The origin is a RAM disk, or a partition of one.
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=1G
		rxc0 cache disk=rxd0,origin=/dev/rxd1
	END
	for origin in rxd1 rxd1p2; do
		anew
		cache rxc0 origin=$origin
		disk rxd0 holder=rxc0
		disk rxd1 openers=1
		rx down --dry-run
		is 3 "$(wc -l <<<"$output")"
	done
	disk rxd11 openers=1
	rx 2 detach rxd11 --dry-run
}

@test "down: a cache that is starting, and one that another process unmaps, go in the end" {
	two_lines
	for state in starting draining; do
		anew
		cache rxc0 state=$state openers=1
		disk rxd0 holder=rxc0
		rx down --dry-run
		is "" "$stderr"
	done
}

@test "up: a disk that an earlier step makes is there, as memory and as origin" {
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=4G
		rxc0 cache disk=rxd0,origin=/dev/rxd1
		rxc1 cache disk=rxd0,origin=$ID/ata-HDD_1
		rxc2 cache size=1G,origin=$ID/ata-HDD_2
	END
	none rxd0 rxd1 rxd2 rxc0 rxc1 rxc2
	rx up --dry-run
	is "" "$stderr"
	is 5 "$(wc -l <<<"$output")"
	rx up --dry-run --json
	is "would-make 5" "$(json '[.lines[].result] | "\(unique[]) \(length)"')"
}

@test "up: a disk that is in use, holds data, or can't be the memory of a cache" {
	two_lines
	none rxc0
	sys_disk rxd0 259:0
	sys_mount 259:0 /mnt
	disk rxd0 openers=1
	rx 4 up --dry-run
	has "rxadm: map rxd0 $ID/ata-HDD_1: rxd0 is mounted on /mnt; run: umount /mnt" "$stderr"
	anew
	none rxc0
	disk rxd0 used=4096
	rx 4 up --dry-run --json
	is "unchanged failed" "$(result rxd0) $(result rxc0)"
	has "the disk holds data that the cache would overwrite" "$stderr"
	anew
	none rxc0
	disk rxd0 state=clearing
	rx 4 up --dry-run
	has "kernel: memory of the last erase or shrink is still being freed" "$stderr"
}

@test "up: what is to be changed is checked too" {
	tab <<<"rxc0 cache size=2G,origin=$ID/ata-HDD_1"
	change() { # STATUS ATTRIBUTE…
		anew
		cache rxc0 own-disk=yes "${@:2}"
		disk rxd0 holder=rxc0
		rx "$1" up --dry-run
	}
	change 0
	is "[#] rxadm set rxc0 --size 2G" "$output"
	change 2 resize.running=yes resize.size=3221225472
	is "rxadm: set rxc0: kernel: is being resized already; see: rxadm stat" "$stderr"
	tab <<<"rxc0 cache size=512M,origin=$ID/ata-HDD_1"
	change 2 pinned=536870912
	has "rxadm: set rxc0: kernel: more than half of that size is pinned" "$stderr"
	rx 2 up --dry-run --json
	is failed "$(result rxc0)"
}

@test "up: a cache that has lost its origin is made anew, although it is there and holds the device" {
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	mkdir -p "$RXADM_SYSROOT/sys/class/block/sdb/holders/rxc0"
	cache rxc0 own-disk=yes state=dead
	disk rxd0 holder=rxc0
	rx up --dry-run
	is "[#] rxadm unmap rxc0
[#] rxadm map $ID/ata-HDD_1 --name rxc0 --size 1G" "$output"
	anew
	cache rxc0 own-disk=yes state=dead openers=1
	disk rxd0 holder=rxc0
	rx 2 up --dry-run
	is "[#] rxadm unmap rxc0" "$output"
}

@test "the same object twice: the second time it is gone" {
	disk rxd0
	rx 4 detach rxd0 rxd0 --dry-run
	is "rxadm: detach rxd0: kernel: there is no disk of that name; see: rxadm list" "$stderr"
	is "rxdsk disk-del name=rxd0" "$output"
	cache rxc0
	rx 4 unmap rxc0 rxc0 --dry-run --json
	has "rxadm: unmap rxc0: kernel: no such cache; see: rxadm list" "$stderr"
	is 1 "$(json '.requests | length')"
}

@test "unmap: a cache over another one, which it has open" {
	cache rxc0 openers=1
	cache rxc1 origin=rxc0
	rx unmap rxc1 rxc0 --dry-run
	is "rxcache cache-del name=rxc1
rxcache cache-del name=rxc0" "$output$stderr"
	rx 2 unmap rxc0 --dry-run
}

@test "resize: the kernel rounds up a size to whole pages of 4K" {
	disk rxd0 size=1000001536
	rx resize rxd0 1000001000B --dry-run
	is "" "$stderr"
	rx 2 resize rxd0 999997440B --dry-run
	has "disks only grow" "$stderr"
}

@test "verify: one that runs, and none to be stopped" {
	cache rxc0 verify.running=yes verify.sample=1
	rx 2 verify rxc0 --dry-run
	is "rxadm: verify rxc0: kernel: is being verified already" "$stderr"
	rx verify rxc0 --stop --dry-run
	for verify in "" "verify.running=no verify.sample=1"; do
		anew
		cache rxc0 $verify
		rx verify rxc0 --dry-run
		rx 2 verify rxc0 --stop --dry-run
		is "rxadm: verify rxc0: kernel: is not being verified" "$stderr"
	done
}

@test "a cache that is starting or ending takes no request" {
	for state in starting draining failed; do
		anew
		cache rxc0 state=$state
		why="is being unmapped; see: rxadm list"
		[ $state != starting ] || why="is still starting; try again once it is active, see: rxadm list"
		for words in "set rxc0 --mode around" "drop rxc0" "verify rxc0" "pin rxc0 0+4K" "unpin rxc0 --all"; do
			# shellcheck disable=SC2086
			rx 2 $words --dry-run
			is "rxadm: ${words%% *} rxc0: kernel: $why" "$stderr"
			is "" "$output"
		done
	done
	anew
	cache rxc0 state=dead
	rx drop rxc0 --dry-run
	# pin opens the cache first, which would wait for the origin.
	anew
	cache rxc0 state=starting
	rx 2 pin rxc0 0+4K
	is "rxadm: pin rxc0: kernel: is still starting; try again once it is active, see: rxadm list" "$stderr"
}

@test "a disk that takes memory, is zeroed or freed" {
	anew
	disk rxd0 state=filling prealloc=yes
	rx 2 resize rxd0 2G --dry-run
	has "kernel: the disk is still taking memory, growing or being zeroed" "$stderr"
	rx 2 erase rxd0 --dry-run
	rx detach rxd0 --dry-run
	anew
	disk rxd0 state=clearing
	rx 2 erase rxd0 --dry-run
	has "kernel: memory of the last erase or shrink is still being freed" "$stderr"
	rx 2 resize rxd0 4K --shrink --dry-run
	rx resize rxd0 2G --dry-run
	anew
	disk rxd0 state=detaching
	rx 2 resize rxd0 2G --dry-run
	has "kernel: the disk is being detached" "$stderr"
}

@test "pin: beyond the origin, and more than half of the disk" {
	local limit="pin-limit=536870912"
	cache rxc0 $limit pinned=0
	rx 2 pin rxc0 8G+1M --dry-run
	has "rxadm: pin rxc0: kernel: range is empty or goes beyond the end of the origin" "$stderr"
	rx 2 unpin rxc0 8G+1M --dry-run
	rx pin rxc0 0+512M --dry-run
	rx 2 pin rxc0 0+513M --dry-run
	has "rxadm: pin rxc0: 0+513M: 0B of 513M pinned: no more than half of the disk can be, by all caches on it together, here 512M" "$stderr"
	# Ranges that meet count once.
	rx pin rxc0 0+256M 128M+384M 0+512M --dry-run
	rx 4 pin rxc0 0+256M 1G+257M --dry-run
	is "rxcache cache-pin name=rxc0 offset=0 length=268435456" "$output"
	# What is pinned already may be the same, but not what other caches have.
	anew
	cache rxc0 $limit pinned=268435456
	rx pin rxc0 0+512M --dry-run
	anew
	cache rxc0 $limit pinned=0 sharers=2
	cache rxc1 $limit pinned=268435456 sharers=2
	disk rxd0 holder=rxc0,rxc1
	rx pin rxc0 0+256M --dry-run
	rx 2 pin rxc0 0+257M --dry-run
	has "257M pinned: no more than half" "$stderr"
}

@test "set --size: while it changes, and below what is pinned or promised" {
	cache rxc0 resize.running=yes resize.size=2147483648
	disk rxd0 holder=rxc0
	rx 2 set rxc0 --size 4G --dry-run
	is "rxadm: set rxc0: kernel: is being resized already; see: rxadm stat" "$stderr"
	rx set rxc0 --mode around --dry-run
	anew
	cache rxc0 pinned=134217728 min-share=268435456
	cache rxc1 pinned=134217728 min-share=107374182 min-share-percent=10
	disk rxd0 holder=rxc0,rxc1
	rx set rxc0 --size 512M --dry-run
	rx 2 set rxc0 --size 511M --dry-run
	has "rxadm: set rxc0: kernel: more than half of that size is pinned; choose a larger one, or see: rxadm help unpin" "$stderr"
	anew
	cache rxc0 min-share=268435456
	cache rxc1 min-share=107374182 min-share-percent=10
	disk rxd0 holder=rxc0,rxc1
	rx set rxc0 --size 285M --dry-run
	rx 2 set rxc0 --size 284M --dry-run
	has "rxadm: set rxc0: kernel: the min shares of its caches are more than that size" "$stderr"
}

@test "min shares of all caches on a disk" {
	local over="kernel: the min shares of the caches on the disk would be over 100 % of it; choose a smaller --min-share, or first lower others; see: rxadm list -o NAME,DISK,MIN-SHARE"
	cache rxc0 min-share=429496729 min-share-percent=40 max-share=1073741824 max-share-percent=100
	cache rxc1 min-share=536870912 max-share=1073741824 max-share-percent=100
	disk rxd0 holder=rxc0,rxc1
	rx map rxd0 "$ID/ata-HDD_2" --min-share 10% --dry-run
	rx 2 map rxd0 "$ID/ata-HDD_2" --min-share 11% --dry-run
	is "rxadm: map rxd0 $ID/ata-HDD_2: $over" "$stderr"
	rx set rxc0 --min-share 50% --dry-run
	rx 2 set rxc0 --min-share 51% --dry-run
	is "rxadm: set rxc0: $over" "$stderr"
	rx 2 set rxc1 --min-share 700M --dry-run
	rx set rxc1 --max-share 100% --dry-run
	# One that ends keeps nothing.
	anew
	cache rxc0 min-share=0
	cache rxc1 min-share=536870912 state=draining
	disk rxd0 holder=rxc0,rxc1
	rx set rxc0 --min-share 100% --dry-run
}

@test "up: shares are lowered before others are raised" {
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1,min-share=60%
		rxc1 cache disk=rxd0,origin=$ID/ata-HDD_2,min-share=20%
	END
	cache rxc0 min-share=429496729 min-share-percent=40
	cache rxc1 min-share=644245094 min-share-percent=60 origin=sdc
	disk rxd0 holder=rxc0,rxc1
	rx up --dry-run
	is "[#] rxadm set rxc1 --min-share 20%
[#] rxadm set rxc0 --min-share 60%" "$output$stderr"
	# rxc2 has the rest, and no line.
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1,min-share=60%
	END
	anew
	cache rxc0 min-share=429496729 min-share-percent=40
	cache rxc2 min-share=644245094 min-share-percent=60 origin=sdc
	disk rxd0 holder=rxc0,rxc2
	rx 4 up --dry-run
	has "set rxc0: kernel: the min shares of the caches on the disk would be over 100 % of it" "$stderr"
}
