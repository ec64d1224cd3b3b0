#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# up, down and check-tab: /etc/rxtab made real, line by line.

load helper

ID=/dev/disk/by-id

# Two devices with names that stay, and what the modules make of them.
setup() {
	sysroot
	mkdir -p "$RXADM_SYSROOT"/{etc,dev/disk/by-id,dev/disk/by-path,dev/mapper}
	sys_disk sdb 8:16
	sys_disk sdc 8:32
	for name in rxd0 rxd1 rxc0 rxc1; do
		: >"$RXADM_SYSROOT/dev/$name"
	done
	ln -s ../../sdb "$RXADM_SYSROOT$ID/ata-HDD_1"
	ln -s ../../sdc "$RXADM_SYSROOT$ID/ata-HDD_2"
}

# The table, from standard input.
tab() { cat >"$RXADM_SYSROOT/etc/rxtab"; }

# Two lines that need each other, and one that stands alone.
three_lines() {
	tab <<-END
		# in an order that needs sorting
		rxc0  cache  disk=rxd0,origin=$ID/ata-HDD_1,block=16K,mode=around,no-write-allocate,floor=1M,timeout=1
		rxd0  disk   size=1G,queues=2,block=4K
		rxc1  cache  size=2G,origin=$ID/ata-HDD_2,timeout=1
	END
}

DISK0="name=rxd0 size=1073741824 block-size=4096 queues=2 read-only=no major=259 minor=0"
CACHE0="name=rxc0 id=5 disk=rxd0 block-size=16384 mode=write-around write-allocate=no own-disk=no floor=1048576 state=active origin=sdb read-only=no major=259 minor=7"
CACHE1="name=rxc1 id=6 disk=rxd1 block-size=4096 mode=write-through write-allocate=yes own-disk=yes floor=268435456 state=active origin=sdc read-only=no major=259 minor=8"
DISK1="name=rxd1 size=2147483648 block-size=512 queues=1 read-only=no major=259 minor=1"

all_up() {
	cat <<-END
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache cache-get name=rxc1
		< $CACHE1
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
}

# Two of the three are up, and the third can't be.
one_without_origin() {
	three_lines
	rm "$RXADM_SYSROOT$ID/ata-HDD_2"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
	END
}

@test "up makes what is not there, disks before their caches, each step a command" {
	three_lines
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxdsk disk-new name=rxd0 size=1073741824 queues=2 block-size=4096
		< $DISK0
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
		>* rxcache join
		>* rxcache cache-new name=rxc0 disk=rxd0 origin=$ID/ata-HDD_1 block-size=16384 mode=write-around write-allocate=no floor=1048576
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf $CACHE0
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxcache join
		>* rxdsk disk-new name=rxd1 size=2147483648
		< $DISK1
		>* rxcache cache-new name=rxc1 disk=rxd1 origin=$ID/ata-HDD_2 own-disk=yes
		< name=rxc1 id=6 $STARTING
		@ rxcache cache-new-ntf $CACHE1
	END
	rx up
	is "[#] rxadm attach 1G --name rxd0 --queues 2 --block 4K
[#] rxadm map rxd0 $ID/ata-HDD_1 --name rxc0 --block 16K --mode around --no-write-allocate --floor 1M
[#] rxadm map $ID/ata-HDD_2 --name rxc1 --size 2G" "$output"
	is "" "$stderr"
}

@test "up leaves alone what is there and agrees" {
	three_lines
	replay < <(all_up)
	rx up
	is "" "$output"
	is "" "$stderr"
}

@test "up --dry-run shows the commands and sends none" {
	three_lines
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
		>* rxcache cache-get name=rxc1
		< $CACHE1
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx up --dry-run
	is "[#] rxadm attach 1G --name rxd0 --queues 2 --block 4K
[#] rxadm map rxd0 $ID/ata-HDD_1 --name rxc0 --block 16K --mode around --no-write-allocate --floor 1M" "$output"
}

@test "the commands that up shows are those that do it" {
	three_lines
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxdsk disk-get name=rxd1
		! ENODEV there is no disk of that name
	END
	rx up --dry-run
	sed 's/^\[#\] //' <<<"$output" >"$BATS_TEST_TMPDIR/commands"
	is 3 "$(wc -l <"$BATS_TEST_TMPDIR/commands")"
	unset RXADM_REPLAY
	while read -r rxadm verb rest; do
		is rxadm "$rxadm"
		case $verb in
		# shellcheck disable=SC2086
		attach) rx attach $rest --dry-run ;;
		# shellcheck disable=SC2086
		map) rx 1 map $rest --dry-run && has "No such file" "$stderr" ;;
		esac
	done <"$BATS_TEST_TMPDIR/commands"
}

@test "up NAME brings up the disk of a cache first, and nothing else" {
	three_lines
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx up /dev/rxc0 --dry-run
	is "[#] rxadm attach 1G --name rxd0 --queues 2 --block 4K
[#] rxadm map rxd0 $ID/ata-HDD_1 --name rxc0 --block 16K --mode around --no-write-allocate --floor 1M" "$output"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
	END
	rx up rxd0 -n --dry-run
	is "[#] rxadm attach 1G --name rxd0 --queues 2 --block 4K" "$output"
}

@test "up without names leaves noauto to those who name it, but for a disk that is needed" {
	tab <<-END
		rxd0 disk size=1G,noauto
		rxd1 disk size=1G,noauto
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
		rxc1 cache disk=rxd1,origin=$ID/ata-HDD_2,noauto
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxcache cache-get name=rxc0
		! ENODEV no
		>* rxdsk disk-get name=rxd1
		! ENODEV no
		>* rxcache cache-get name=rxc1
		! ENODEV no
	END
	rx up --dry-run
	is "[#] rxadm attach 1G --name rxd0
[#] rxadm map rxd0 $ID/ata-HDD_1 --name rxc0" "$output"
	rx up rxc1 --dry-run
	is "[#] rxadm attach 1G --name rxd1
[#] rxadm map rxd1 $ID/ata-HDD_2 --name rxc1" "$output"
}

# shared NAME SETTINGS: the state of a cache on rxd0, which another cache shares.
shared() {
	local origin=sdb
	[ "$1" = rxc0 ] || origin=sdc
	echo "name=$1 id=5 disk=rxd0 block-size=4096 mode=write-through write-allocate=yes own-disk=no state=active origin=$origin read-only=no sharers=2 size=1073741824 $2"
}

SHARED_DISK="name=rxd0 size=1073741824 block-size=512 queues=1 read-only=no holder=rxc0,rxc1"

@test "up never resizes the disk of a line's own that other caches share" {
	tab <<-END
		rxc0 cache size=2G,origin=$ID/ata-HDD_1
		rxc1 cache size=1G,origin=$ID/ata-HDD_2
	END
	replay <<-END
		>* rxcache cache-get name=rxc0
		< $(shared rxc0 own-disk=yes)
		>* rxcache cache-get name=rxc1
		< $(shared rxc1 own-disk=yes)
		>* rxdsk disk-get name=rxd0
		< $SHARED_DISK
	END
	rx 2 up
	is "" "$output"
	has "rxc0: shares disk rxd0 with other caches, the table gives it one of its own; change line 1, or run: rxadm down rxc0 && rxadm up rxc0" "$stderr"
	has "rxc1: shares disk rxd0 with other caches, the table gives it one of its own; change line 2, or run: rxadm down rxc1 && rxadm up rxc1" "$stderr"
}

# differs DISK-STATE MESSAGE
disk_differs() {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $1
	END
	rx 2 up rxd0
	is "" "$output"
	has "rxadm: up rxd0: $2" "$stderr"
}

# disk_attaches WORDS: what up says of the line of a disk that is not there.
disk_attaches() {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
	END
	rx up rxd0 --dry-run
	is "[#] rxadm attach $1" "$output"
}

@test "up says how a disk differs that can't be changed, and touches nothing" {
	tab <<<"rxd0 disk size=1000M,block=512,queues=1"
	disk_differs "size=1073741824 block-size=512 queues=1 read-only=no" \
		"is 1G, the table says 1000M, and disks only grow; change line 1, or, if the data on it may be lost: rxadm detach rxd0, then: rxadm up rxd0"
	disk_differs "size=1048576004 block-size=512 queues=1 read-only=no" "is 1048576004B, the table says 1048576000B"
	disk_differs "size=1048576000 block-size=4096 queues=1 read-only=no" "has blocks of 4096 bytes, the table says 512"
	disk_differs "size=1048576000 block-size=512 queues=2 read-only=no" "has 2 queues, the table says 1"
	disk_differs "size=1048576000 block-size=512 read-only=no queue-mode=bio" "has the queue mode bio, the table says mq"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1 prealloc=yes" "is preallocated, the table says nothing of it"
	tab <<<"rxd0 disk size=1000M,prealloc"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1 prealloc=no" "is not preallocated, the table says so"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1" "is not preallocated, the table says so"
	disk_attaches "1000M --name rxd0 --prealloc"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1 prealloc=yes node=1" "is bound to NUMA nodes, the table names none"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1 prealloc=yes zero-detect=yes" "detects zeroes, the table says nothing of it"
	tab <<<"rxd0 disk size=1000M,zero-detect"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1" "does not detect zeroes, the table says so"
	disk_attaches "1000M --name rxd0 --zero-detect"
	tab <<<"rxd0 disk size=1000M,numa=0"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1 node=1" "has its memory elsewhere, the table says numa=0"
	tab <<<"rxd0 disk size=1000M,numa=interleave"
	disk_differs "size=1048576000 block-size=512 read-only=no queues=1" "has its memory elsewhere, the table says numa=interleave"
	tab <<<"rxd0 disk size=1000M,queue-mode=bio"
	disk_differs "size=1048576000 block-size=512 queues=1 read-only=no queue-mode=mq" "has the queue mode mq, the table says bio"
	disk_differs "size=1048576000 block-size=512 queues=1 read-only=no" "has the queue mode mq, the table says bio"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
	END
	rx up rxd0 --dry-run
	is "[#] rxadm attach 1000M --name rxd0 --queue-mode bio" "$output"
}

# The same of rxc1, whose line has a disk of its own.
cache_differs() {
	replay <<-END
		>* rxcache cache-get name=rxc1
		< name=rxc1 id=6 $1
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx 2 up rxc1
	is "" "$output"
	has "rxadm: up rxc1: $2" "$stderr"
}

@test "an origin whose name has a slash, as the kernel says it" {
	mkdir -p "$RXADM_SYSROOT/dev/etherd"
	: >"$RXADM_SYSROOT/dev/etherd/e0.0"
	tab <<<"rxc1 cache size=2G,origin=/dev/etherd/e0.0"
	replay <<-END
		> rxcache cache-get name=rxc1
		< ${CACHE1/origin=sdc/origin=etherd/e0.0}
		> rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx up rxc1
	is "" "$output$stderr"
}

@test "up leaves blocks to the kernel that the table does not name" {
	tab <<<"rxc1 cache size=2G,origin=$ID/ata-HDD_2"
	replay <<-END
		> rxcache cache-get name=rxc1
		< ${CACHE1/block-size=4096/block-size=16384}
		> rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx up rxc1
	is "" "$output$stderr"
}

@test "up says how a cache differs that can't be changed, and touches nothing" {
	good="block-size=4096 mode=write-through write-allocate=yes read-only=no"
	three_lines
	cache_differs "disk=rxd1 own-disk=yes state=active origin=sdb $good" \
		"is over /dev/sdb, the table says $ID/ata-HDD_2; change line 4, or run: rxadm down rxc1 && rxadm up rxc1"
	cache_differs "disk=rxd0 own-disk=no state=active origin=sdc $good" "is on disk rxd0, the table gives it one of its own"
	cache_differs "disk=rxd1 own-disk=yes state=draining origin=sdc $good" "is draining; run: rxadm unmap rxc1, then: rxadm up rxc1"
	cache_differs "disk=rxd1 own-disk=yes state=active origin=sdc block-size=4096 mode=bypass verify.running=no verify.mismatches=1" \
		"is bypassed since its verification found blocks that differ from the origin; find out why, then: rxadm set rxc1 --mode through"
	tab <<<"rxc1 cache size=2G,origin=$ID/ata-HDD_2,block=4K"
	cache_differs "disk=rxd1 own-disk=yes state=active origin=sdc block-size=8192" "has blocks of 8192 bytes, the table says 4096"
	tab <<<"rxc1 cache size=2G,origin=$ID/ata-HDD_2,read-only"
	cache_differs "disk=rxd1 own-disk=yes state=active origin=sdc $good" "can be written, the table says read-only"
	tab <<-END
		rxd0 disk size=1G
		rxc1 cache disk=rxd0,origin=$ID/ata-HDD_2
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 size=1073741824 block-size=512 queues=1 read-only=no
		>* rxcache cache-get name=rxc1
		< name=rxc1 id=6 disk=rxd1 own-disk=yes state=active origin=sdc $good
	END
	rx 4 up
	has "rxadm: up: 1 of 2 done; rxc1: is on disk rxd1, the table says rxd0; change line 2" "$stderr"
}

@test "up waits for a cache that is being made" {
	three_lines
	replay <<-END
		> rxcache cache-get name=rxc1
		< name=rxc1 id=6 $STARTING
		> rxcache join
		@ rxcache cache-new-ntf $CACHE1
		> rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx up rxc1
	is "" "$output$stderr"
}

@test "up gives up on a disk that is still being detached when its time is over" {
	tab <<-END
		rxd0 disk size=1G,timeout=100ms
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< $DISK0 state=detaching
		> rxdsk join
	END
	rx 2 up
	is "" "$output"
	is "rxadm: up rxd0: is still being detached; wait for its end, see: rxadm list" "$stderr"
}

@test "up waits for a disk that is taking its memory" {
	tab <<<"rxd0 disk size=1G,prealloc"
	local full="name=rxd0 size=1073741824 block-size=512 queues=1 read-only=no prealloc=yes"
	replay <<-END
		> rxdsk disk-get name=rxd0
		< $full state=preparing
		> rxdsk join
		@ rxdsk disk-change-ntf $full state=active
		>* rxdsk disk-get name=rxd0
		< $full state=active
	END
	rx up
	is "" "$output$stderr"
}

@test "up does not resize a disk that is growing to the size of its line" {
	tab <<<"rxd0 disk size=1G,prealloc"
	local rest="block-size=512 queues=1 read-only=no prealloc=yes"
	replay <<-END
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=536870912 $rest state=preparing
		> rxdsk join
		@ rxdsk disk-change-ntf name=rxd0 size=1073741824 $rest state=active
		>* rxdsk disk-get name=rxd0
		< name=rxd0 size=1073741824 $rest state=active
	END
	rx up
	is "" "$output$stderr"
}

@test "up gives up on a disk that still takes its memory when its time is over" {
	tab <<<"rxd0 disk size=1G,prealloc,timeout=100ms"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 size=1073741824 block-size=512 queues=1 read-only=no prealloc=yes state=preparing
		> rxdsk join
	END
	rx 2 up
	is "" "$output"
	is "rxadm: up rxd0: is still taking its memory, growing or being zeroed; wait for its end, see: rxadm list -o NAME,SIZE,USED,STATE" "$stderr"
}

@test "some of several: status 4, and for each what to do" {
	one_without_origin
	rx 4 up
	is "" "$output"
	is "rxadm: up: 2 of 3 done; rxc1: origin $ID/ata-HDD_2 missing; fix /etc/rxtab line 4 and run: rxadm up rxc1" "$stderr"
}

@test "a disk that can't be made leaves its cache alone, not the others" {
	three_lines
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV no
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxdsk disk-new name=rxd0 size=1073741824 queues=2 block-size=4096
		! ENOMEM 512M available, 1G asked
		>* rxcache cache-get name=rxc1
		< $CACHE1
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx 4 up
	has "rxadm: attach 1G: kernel: 512M available, 1G asked" "$stderr"
	has "rxadm: up: 1 of 3 done; rxd0: refused, see above; put that right and run: rxadm up rxd0" "$stderr"
	has "rxadm: up: 1 of 3 done; rxc0: its disk rxd0 is not up; then run: rxadm up rxc0" "$stderr"
}

@test "an origin that comes in time is waited for" {
	tab <<<"rxc1 cache size=2G,origin=$ID/ata-NEW,timeout=10"
	replay <<-END
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxcache join
		>* rxdsk disk-new size=2147483648
		< $DISK1
		>* rxcache cache-new name=rxc1 disk=rxd1 origin=$ID/ata-NEW own-disk=yes
		< name=rxc1 id=6 $STARTING
		@ rxcache cache-new-ntf $CACHE1
	END
	(
		until [ -e "$BATS_TEST_TMPDIR/started" ]; do :; done
		ln -s ../../sdc "$RXADM_SYSROOT$ID/ata-NEW"
	) 3>&- &
	: >"$BATS_TEST_TMPDIR/started"
	rx up
	wait "$!"
	is "[#] rxadm map $ID/ata-NEW --name rxc1 --size 2G" "$output"
}

@test "a signal ends the waiting for an origin; nothing is said to be missing" {
	tab <<-END
		rxc0 cache size=1G,origin=$ID/ata-NEW,timeout=60
		rxc1 cache size=1G,origin=$ID/ata-HDD_1
	END
	replay <<-END
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	"$RXADM" up 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	until find "/proc/$pid/fd" -lname '*inotify*' | grep -q .; do
		kill -0 "$pid"
	done
	kill "$pid"
	rc=0
	wait "$pid" || rc=$?
	is 143 "$rc"
	is "rxadm: up: interrupted; 0 of 2 done" "$(cat "$BATS_TEST_TMPDIR/err")"
}

@test "up is done when udev has given a cache and its partitions their names, however long that takes" {
	mkdir -p "$RXADM_SYSROOT/run/udev/data" "$RXADM_SYSROOT"/sys/class/block/{rxc0/rxc0p1,rxc0p1}
	: >"$RXADM_SYSROOT/run/udev/control"
	echo 259:7 >"$RXADM_SYSROOT/sys/class/block/rxc0/dev"
	echo 259:9 >"$RXADM_SYSROOT/sys/class/block/rxc0p1/dev"
	three_lines
	sed -i '2s/timeout=1/timeout=60/' "$RXADM_SYSROOT/etc/rxtab"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
		>* rxcache join
		>* rxcache cache-new name=rxc0 disk=rxd0 origin=$ID/ata-HDD_1 block-size=16384 mode=write-around write-allocate=no floor=1048576
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf $CACHE0
	END
	(
		sleep 5.5
		: >"$RXADM_SYSROOT/run/udev/data/b259:7"
		sleep 0.3
		: >"$BATS_TEST_TMPDIR/done"
		: >"$RXADM_SYSROOT/run/udev/data/b259:9"
	) 3>&- &
	rx up rxc0
	[ -e "$BATS_TEST_TMPDIR/done" ]
	wait
}

@test "map leaves the names of disks that the table has given away" {
	tab <<-END
		rxd0 disk size=1G
		rxd2 disk size=1G
	END
	replay <<-END
		> rxcache join
		> rxdsk disk-new name=rxd1 size=1073741824
		! EEXIST a disk of that name exists
		> rxdsk disk-new name=rxd3 size=1073741824
		< name=rxd3 $DISK
		> rxcache cache-new name=rxc0 disk=rxd3 origin=$ID/ata-HDD_1 own-disk=yes
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf $CACHE0
	END
	rx map "$ID/ata-HDD_1" --name rxc0 --size 1G
}

@test "down: in reverse, what is absent is no error" {
	three_lines
	replay <<-END
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache join
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache cache-del name=rxc0
		@ rxcache cache-del-ntf $CACHE0
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxdsk join
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
	END
	rx down
	is "[#] rxadm unmap rxc0
[#] rxadm detach rxd0" "$output"
	is "" "$stderr"
}

@test "down with no module is done at once" {
	three_lines
	replay <<-END
		absent rxdsk
		absent rxcache
	END
	rx down
	is "" "$output$stderr"
}

@test "down stops at users, and leaves the disk below them" {
	three_lines
	sys_disk rxc0 259:7
	sys_mount 259:7 /srv
	replay <<-END
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache join
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxcache cache-del name=rxc0
		! EBUSY in use
	END
	rx 4 down
	has "rxadm: unmap rxc0: mounted on /srv; run: umount /srv" "$stderr"
	has "rxadm: down: 1 of 3 done; rxd0: rxc0 on it is still there; then run: rxadm down rxd0" "$stderr"
}

@test "down NAME: only that; and what the initramfs made stays unless it is named" {
	tab <<-END
		rxd0 disk size=1G,initramfs
		rxd1 disk size=1G,noauto
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< $DISK0
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx down --dry-run
	is "[#] rxadm detach rxd1" "$output"
	rx down rxd0 --dry-run
	is "[#] rxadm detach rxd0" "$output"
}

@test "an error anywhere: nothing is changed" {
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=1G,polcy=clock
	END
	replay </dev/null
	for verb in up down; do
		rx 1 $verb
		is "" "$output"
		is "/etc/rxtab:2: unknown option 'polcy' (size, queues, queue-mode, block, numa, prealloc, zero-detect, limit, timeout, noauto, _netdev, initramfs, export, nqn, host, any-host, image, save); nothing was changed" "$stderr"
	done
}

@test "a line by its name needs only itself to be right; to go it needs its name alone" {
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=1
		rxc0 cache disk=rxd1,origin=$ID/ata-HDD_1
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
	END
	rx up rxd0 --dry-run
	is "[#] rxadm attach 1G --name rxd0" "$output"
	has "/etc/rxtab:2: size '1' has no unit (say 1M or 1B)" "$stderr"
	replay </dev/null
	rx 1 up rxd1
	has "/etc/rxtab:2: size '1' has no unit (say 1M or 1B); nothing was changed" "$stderr"
	rx 1 up rxc0
	has "/etc/rxtab:3: its disk rxd1 has an error in line 2 (that one first); nothing was changed" "$stderr"
	replay <<-END
		>* rxdsk disk-get name=rxd1
		< $DISK1
	END
	rx down rxd1 --dry-run
	is "[#] rxadm detach rxd1" "$output"
}

@test "names without a line" {
	three_lines
	replay </dev/null
	rx 1 up rxd7
	is "rxadm: up rxd7: has no line in /etc/rxtab; add one, see: man rxtab" "$stderr"
	replay <<-END
		> rxcache cache-get name=rxc7
		! ENODEV no
	END
	rx 1 down rxc7
	is "rxadm: down rxc7: is not there, and has no line in /etc/rxtab; see: rxadm list" "$stderr"
	replay </dev/null
	echo "rxd8 dsik size=1G" >>"$RXADM_SYSROOT/etc/rxtab"
	rx 1 up rxd8
	is "/etc/rxtab:5: unknown type 'dsik', did you mean 'disk'? (disk, cache)
rxadm: up rxd8: has no line in /etc/rxtab; add one, see: man rxtab" "$stderr"
	three_lines
	rx 1 up sda
	is "rxadm: up: 'sda' is no disk or cache; say rxd0 or rxc0" "$stderr"
}

@test "down NAME: also what has no line any more, caches before disks, and without a table" {
	gone() {
		replay <<-END
			>* rxdsk disk-get name=rxd0
			< $DISK0
			>* rxcache cache-get name=rxc0
			< $CACHE0
		END
		rx down rxd0 /dev/rxc0 rxd0 --dry-run
		is "[#] rxadm unmap rxc0
[#] rxadm detach rxd0" "$output"
	}
	gone
	is "" "$stderr"
	tab <<<"rxc0 cahce disk=rxd0,origin=$ID/ata-HDD_1"
	gone
	has "/etc/rxtab:1: unknown type 'cahce'" "$stderr"
	tab <<<"rxd0 disk size=1"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< $CACHE0
		>* rxdsk disk-get name=rxd0
		< $DISK0
	END
	rx down rxd0 rxc0 --dry-run
	is "[#] rxadm unmap rxc0
[#] rxadm detach rxd0" "$output"
	rm "$RXADM_SYSROOT/etc/rxtab"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< $CACHE0
	END
	rx down rxc0 --dry-run --json
	is null "$(json '.lines[0].line')"
}

@test "no table, and none that can be read" {
	replay </dev/null
	for verb in up down check-tab; do
		rx 1 $verb
		is "rxadm: $verb: /etc/rxtab: No such file or directory; see: man rxtab" "$stderr"
	done
	rx 1 check-tab --tab "$BATS_TEST_TMPDIR"
	has "Is a directory" "$stderr"
	rx 1 check-tab --tab /dev/zero
	has "File too large" "$stderr"
}

@test "the modules are absent" {
	tab <<<"rxd0 disk size=1G"
	replay <<<"absent rxdsk"
	rx 3 up
	is "rxadm: rxdsk is not loaded; run: modprobe rxdsk" "$stderr"
	replay <<<"absent rxdsk"
	rx 3 up --dry-run
	is "[#] rxadm attach 1G --name rxd0" "$output"
}

@test "--tab, --quiet and --json" {
	tab <<<"nonsense"
	echo "rxd0 disk size=1G" >"$BATS_TEST_TMPDIR/other"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxdsk disk-new name=rxd0 size=1073741824
		< $DISK0
	END
	rx up --tab "$BATS_TEST_TMPDIR/other" --quiet
	is "" "$output"
	rx up --tab "$BATS_TEST_TMPDIR/other" --json --dry-run
	is true "$(json .dry_run)"
	rx up --tab "$BATS_TEST_TMPDIR/other" --json
	is false "$(json .dry_run)"
	is "1 rxd0 1 made rxadm attach 1G --name rxd0 null" "$(json '"\(.rxadm) \(.lines[0] | "\(.name) \(.line) \(.result) \(.steps[0]) \(.error)")"')"
}

@test "the commands that are named are of the same table" {
	echo "rxc0 cache origin=$ID/ata-HDD_3,size=1G,timeout=1ms" >"$BATS_TEST_TMPDIR/a b"
	cd "$BATS_TEST_TMPDIR"
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV no
		>* rxcache cache-new origin=$ID/ata-HDD_3 size=1073741824 validate
	END
	rx 2 up --tab "a b"
	is "rxadm: up rxc0: origin $ID/ata-HDD_3 missing; fix a b line 1 and run: rxadm up rxc0 --tab 'a b'" "$stderr"
	printf '%s\n' "rxd0 disk size=1G" "rxc0 cache origin=$ID/ata-HDD_1,disk=rxd0" >"a b"
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV no
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxdsk disk-new name=rxd0 size=1073741824
		! ENOMEM no
	END
	rx 2 up --tab "a b"
	has "rxd0: refused, see above; put that right and run: rxadm up rxd0 --tab 'a b'" "$stderr"
	has "its disk rxd0 is not up; then run: rxadm up rxc0 --tab 'a b'" "$stderr"
	# All others come from the same function.
	is "" "$(grep -nE '"[^"]*rxadm (up|down) ' "$BATS_TEST_DIRNAME"/../../rxadm/up/*.c)"
}

@test "--json of what failed stays JSON" {
	one_without_origin
	rx 4 up -j
	is "rxd0:unchanged:null rxc0:unchanged:null rxc1:failed:origin $ID/ata-HDD_2 missing" \
		"$(json '[.lines[] | "\(.name):\(.result):\(.error)"] | join(" ")')"
}

@test "words that a shell would take apart are quoted" {
	tab <<<'rxc0 cache size=1G,origin=/dev/mapper/a\x2db'
	: >"$RXADM_SYSROOT/dev/mapper/a\\x2db"
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV no
	END
	rx up --dry-run
	is "[#] rxadm map '/dev/mapper/a\\x2db' --name rxc0 --size 1G" "$output"
}

@test "completion knows the names in the table" {
	three_lines
	rx __words up
	is "--tab --no-export rxc0 rxd0 rxc1" "$(head -n 5 <<<"$output" | xargs)"
	rx __words down
	is "--tab --no-save rxc0 rxd0 rxc1" "$(head -n 5 <<<"$output" | xargs)"
	echo "rxd7 disk size=1G" >"$BATS_TEST_TMPDIR/other"
	for how in "--tab $BATS_TEST_TMPDIR/other" "--tab=$BATS_TEST_TMPDIR/other" "--tab = $BATS_TEST_TMPDIR/other"; do
		rx __words up $how
		is "rxd7" "$(grep -o '^rx.*' <<<"$output")"
	done
	rm "$RXADM_SYSROOT/etc/rxtab"
	rx __words up
	has "--tab" "$output"
	is "" "$stderr"
}

@test "the sample table: nothing as it comes, good when its lines are taken" {
	sample=$BATS_TEST_DIRNAME/../../conf/rxtab
	rx check-tab --tab "$sample"
	is "$sample: good (disks: 0, caches: 0)" "$output"
	sed 's/^#rx/rx/' "$sample" >"$BATS_TEST_TMPDIR/sample"
	rx check-tab --tab "$BATS_TEST_TMPDIR/sample"
	is "$BATS_TEST_TMPDIR/sample: good (disks: 2, caches: 2); the kernel was not asked about values, which needs root and the modules" "$output"
	[[ $stderr != *"another device"* ]]
}

@test "every option of the table is in its manual, and no other" {
	man=$BATS_TEST_DIRNAME/../../man/rxtab.5
	for type in disk cache; do
		tab <<<"$([ $type = disk ] && echo rxd0 || echo rxc0) $type oops"
		rx 1 check-tab
		is "$(sed 's/.*(//; s/)$//; s/, /\n/g' <<<"$stderr" | sort)" \
			"$(sed -n "/^\.Ss Options of a $type/,/^\.S[hs]/p; /^\.Ss Options of both/,/^\.Sh/p" "$man" | sed -n 's/^\.It Cm \([a-z_-]*\).*/\1/p' | sort)"
	done
}

@test "check-tab: good" {
	three_lines
	rx check-tab
	is "/etc/rxtab: good (disks: 1, caches: 2); the kernel was not asked about values, which needs root and the modules" "$output"
	is "" "$stderr"
	rx check-tab -q
	is "" "$output"
}

@test "check-tab: every error with its line, status 1" {
	tab <<-END
		rxd0 disk size=1
		rxc0 cahce size=1G
		rxc1 cache size=1G,origin=/dev/disk/by-uuid/1234-ABCD
	END
	rx 1 check-tab
	is "" "$output"
	is "/etc/rxtab:1: size '1' has no unit (say 1M or 1B)
/etc/rxtab:2: unknown type 'cahce', did you mean 'cache'? (disk, cache)
/etc/rxtab:3: origin '/dev/disk/by-uuid/1234-ABCD' comes to mean the cache once it is mapped (/dev/disk/by-id/... or /dev/disk/by-path/...)" "$stderr"
	rx 1 check-tab -j
	is "1 3 2 true" "$(json '"\(.rxadm) \(.notes | length) \(.notes[1] | "\(.line) \(.error)")"')"
}

@test "check-tab: characters that look like a blank, or like nothing, are named; those of a path are not refused" {
	local file="$BATS_TEST_TMPDIR/my tab" line said
	while IFS='|' read -r line said; do
		printf '# comment\n%b\n' "$line" >"$file"
		rx 1 check-tab --tab "$file"
		is "$file:2: $said '$file')" "$stderr"
		# It also says how to mend that.
		bash -c "${said#*: } '$file'"
		[ "$(grep -c '[^ -~]' "$file")" = 0 ]
	done <<-'END'
		rxd1\xc2\xa0disk size=16M|no-break space (U+00A0) in 'rxd1\xc2\xa0disk' (a plain blank: LC_ALL=C sed -i '2s/\xc2\xa0/ /g'
		rxd1 disk\xc2\xa0size=16M|no-break space (U+00A0) in 'disk\xc2\xa0size=16M' (a plain blank: LC_ALL=C sed -i '2s/\xc2\xa0/ /g'
		rxd1 disk size=16M\xe2\x80\x8b|zero width space (U+200B) in 'size=16M\xe2\x80\x8b' (a plain blank: LC_ALL=C sed -i '2s/\xe2\x80\x8b/ /g'
		rxd1 disk size=16M,\xe3\x80\x80queues=1|character that is no plain blank (U+3000) in '\xe3\x80\x80queues=1' (a plain blank: LC_ALL=C sed -i '2s/\xe3\x80\x80/ /g'
	END
	printf '\xef\xbb\xbf# a comment\nrxd1 disk size=16M\n' >"$file"
	rx 1 check-tab --tab "$file"
	is "$file:1: byte order mark (U+FEFF) in '\xef\xbb\xbf#' (none: LC_ALL=C sed -i '1s/\xef\xbb\xbf//g' '$file')" "$stderr"
	LC_ALL=C sed -i '1s/\xef\xbb\xbf//g' "$file"
	rx check-tab --tab "$file"
	printf 'rxd1 disk size=16M # a\xc2\xa0comment\n#\xc2\xa0too\n' >"$file"
	rx check-tab --tab "$file"
	printf 'rxd1 disk size=16M,image=%s/a\xc2\xa0b.img\n' "$BATS_TEST_TMPDIR" >"$file"
	rx check-tab --tab "$file"
}

@test "check-tab: names that do not stay, and a better one" {
	for name in sdb sdb1 vda nvme0n1 dm-0 mmcblk0p1; do
		: >"$RXADM_SYSROOT/dev/$name"
		tab <<<"rxc0 cache size=1G,origin=/dev/$name"
		rx check-tab
		has "/etc/rxtab:1: warning: origin '/dev/$name' can be another device after the next boot (" "$stderr"
		[ $name = sdb ] || has "(a name in /dev/disk/by-id or /dev/disk/by-path)" "$stderr"
	done
	tab <<<"rxc0 cache size=1G,origin=/dev/sdb"
	ln -s ../../sdb "$RXADM_SYSROOT$ID/a-wwn"
	mv "$RXADM_SYSROOT$ID/a-wwn" "$RXADM_SYSROOT$ID/wwn-0x5"
	rx check-tab
	has "($ID/ata-HDD_1)" "$stderr"
	rm "$RXADM_SYSROOT$ID/ata-HDD_1"
	rx check-tab
	has "($ID/wwn-0x5)" "$stderr"
	rm "$RXADM_SYSROOT$ID/wwn-0x5"
	ln -s ../../sdb "$RXADM_SYSROOT/dev/disk/by-path/pci-0000:00"
	rx check-tab
	has "(/dev/disk/by-path/pci-0000:00)" "$stderr"
	ln -s ../dm-0 "$RXADM_SYSROOT/dev/mapper/vg-data"
	tab <<<"rxc0 cache size=1G,origin=/dev/dm-0"
	rx check-tab
	has "(/dev/mapper/vg-data)" "$stderr"
	for name in md0 nbd0 drbd0 mapper/vg-data; do
		: >>"$RXADM_SYSROOT/dev/$name"
		tab <<<"rxc0 cache size=1G,origin=/dev/$name"
		rx check-tab
		is "" "$stderr"
	done
}

@test "LVM on a cache without the two lines of lvm.conf is said by check-tab and map" {
	local twice='has a physical volume of LVM, whose commands find it once more below the cache and refuse the group'
	local mend='in lvm.conf, section devices: external_device_info_source = "udev" and fw_raid_component_detection = 1, see LVM in rxcache(4)'
	mkdir -p "$RXADM_SYSROOT"/{etc/lvm,run/udev/data}
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	echo 8:16 >"$RXADM_SYSROOT/sys/block/sdb/dev"
	echo "E:ID_FS_TYPE=ext4" >"$RXADM_SYSROOT/run/udev/data/b8:16"
	rx check-tab
	is "" "$stderr"
	echo "E:ID_FS_TYPE=LVM2_member" >"$RXADM_SYSROOT/run/udev/data/b8:16"
	printf '%s\n' '# external_device_info_source = "udev"' 'devices { fw_raid_component_detection = 0 }' >"$RXADM_SYSROOT/etc/lvm/lvm.conf"
	rx check-tab
	is "/etc/rxtab:1: warning: origin '$ID/ata-HDD_1' $twice ($mend)" "$stderr"
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd0 origin=/dev/sdb
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
	END
	rx map rxd0 /dev/sdb
	is "rxadm: map rxd0 /dev/sdb: warning: /dev/sdb $twice; $mend" "$stderr"
	replay </dev/null
	# Mapped: the rules hide it on the origin, and the cache shows it. A partition may have it.
	echo "E:ID_FS_TYPE=rxcache_raid_member" >"$RXADM_SYSROOT/run/udev/data/b8:16"
	sys_disk rxc0 259:7 rxc0p1 259:8
	mkdir "$RXADM_SYSROOT/sys/block/sdb/holders/rxc0"
	echo 259:8 >"$RXADM_SYSROOT/sys/block/rxc0/rxc0p1/dev"
	echo "E:ID_FS_TYPE=LVM2_member" >"$RXADM_SYSROOT/run/udev/data/b259:8"
	rx check-tab
	has "$twice" "$stderr"
	printf 'devices {\n external_device_info_source="udev"\n\tfw_raid_component_detection = 1\n}\n' >"$RXADM_SYSROOT/etc/lvm/lvmlocal.conf"
	rx check-tab
	is "" "$stderr"
	rm -r "$RXADM_SYSROOT/etc/lvm"
	rx check-tab
	is "" "$stderr"
}

@test "check-tab: who mounts or opens an origin, or a partition of it, by its path" {
	sys_disk sdd 8:48 sdd1 8:49
	ln -s ../../sdd "$RXADM_SYSROOT$ID/ata-HDD_4"
	ln -s ../../sdd1 "$RXADM_SYSROOT$ID/ata-HDD_4-part1"
	: >"$RXADM_SYSROOT/dev/sdd1"
	tab <<-END
		rxc0 cache size=1G,origin=$ID/ata-HDD_1
		rxc1 cache size=1G,origin=$ID/ata-HDD_4
		rxd0 disk size=1G
	END
	cat >"$RXADM_SYSROOT/etc/fstab" <<-END
		# /dev/sdb /no ext4 defaults 0 0
		UUID=1 /yes ext4 defaults 0 0
		/dev/sdb / ext4 defaults 0 0
		/dev/sdc /other ext4 defaults 0 0
		$ID/ata-HDD_4-part1 /srv ext4 defaults 0 2
		/dev/rxd0 /scratch ext4 x-systemd.makefs 0 0
	END
	printf '# a /dev/sdb\nb UUID=1 none luks\nc\t/dev/sdb none luks\n' >"$RXADM_SYSROOT/etc/crypttab"
	rx check-tab
	is "/etc/rxtab:1: warning: /etc/crypttab has /dev/sdb for c: that can't be opened while rxc0 is on it, and may end a boot in emergency mode; take UUID= there (see: lsblk -f)
/etc/rxtab:2: warning: /etc/fstab has $ID/ata-HDD_4-part1 for /srv: that can't be opened while rxc1 is on it, and may end a boot in emergency mode; take UUID= there (see: lsblk -f)" "$stderr"
	is "/etc/rxtab: good (disks: 1, caches: 2); the kernel was not asked about values, which needs root and the modules" "$output"
}

@test "check-tab: an origin that is not there now, which up does not mind until it is needed" {
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_3"
	rx check-tab
	is "/etc/rxtab:1: warning: origin '$ID/ata-HDD_3' is not there now (see: lsblk, ls /dev/disk/by-id)" "$stderr"
	replay <<-END
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx 2 up --dry-run
	is "rxadm: up rxc0: origin $ID/ata-HDD_3 missing; fix /etc/rxtab line 1 and run: rxadm up rxc0" "$stderr"
}

@test "check-tab: an initramfs that is older than the table, where that matters" {
	older() {
		mkdir -p "$RXADM_SYSROOT/boot"
		rm -f "$RXADM_SYSROOT/boot/"*
		touch -d "${2:-1 hour ago}" "$RXADM_SYSROOT/boot/$1"
		rx check-tab
	}
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1,initramfs"
	rx check-tab
	is "" "$stderr"
	older "initrd.img-$(uname -r)" "1 minute"
	is "" "$stderr"
	# No tool of those that are known has made it.
	for image in "initrd.img-$(uname -r)" "initramfs-$(uname -r).img"; do
		older "$image"
		is "/etc/rxtab:1: warning: the initramfs is older than the table; if this line is new, make it anew" "$stderr"
	done
	mkdir -p "$RXADM_SYSROOT/usr/"{bin,sbin}
	: >"$RXADM_SYSROOT/usr/bin/dracut"
	chmod 755 "$RXADM_SYSROOT/usr/bin/dracut"
	older "initrd.img-$(uname -r)"
	has "run: dracut -f" "$stderr"
	cp "$RXADM_SYSROOT/usr/bin/dracut" "$RXADM_SYSROOT/usr/sbin/update-initramfs"
	older "initrd.img-$(uname -r)"
	is "/etc/rxtab:1: warning: the initramfs is older than the table; if this line is new, run: update-initramfs -u" "$stderr"
	older "initramfs-$(uname -r).img"
	has "run: dracut -f" "$stderr"
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	rx check-tab
	is "" "$stderr"
	# On sdb's cache there is a file system, then a logical volume.
	mkdir -p "$RXADM_SYSROOT/sys/class/block/"{sdb/holders/rxc0,rxc0/holders/dm-3,dm-3/dm}
	echo CRYPT-LUKS2-1 >"$RXADM_SYSROOT/sys/class/block/dm-3/dm/uuid"
	rx check-tab
	is "" "$stderr"
	echo LVM-1 >"$RXADM_SYSROOT/sys/class/block/dm-3/dm/uuid"
	rx check-tab
	is "/etc/rxtab:1: warning: LVM or md may take origin '$ID/ata-HDD_1' before its cache does, for the initramfs is older than the table; if this line is new, run: dracut -f" "$stderr"
	cp "$RXADM_SYSROOT/etc/rxtab" "$BATS_TEST_TMPDIR/other"
	rx check-tab --tab "$BATS_TEST_TMPDIR/other"
	is "" "$stderr"
}

@test "check-tab: two names of one device, and names of a cache" {
	ln -s ../../sdb "$RXADM_SYSROOT$ID/wwn-0x5"
	tab <<-END
		rxc0 cache size=1G,origin=$ID/ata-HDD_1
		rxc1 cache size=1G,origin=$ID/wwn-0x5
	END
	rx 1 check-tab
	is "/etc/rxtab:2: origin '$ID/wwn-0x5' is /dev/sdb, as that of rxc0 in line 1 (one cache for a device)" "$stderr"
	ln -s ../../rxc0 "$RXADM_SYSROOT$ID/wwn-0x6"
	tab <<<"rxc1 cache size=1G,origin=$ID/wwn-0x6"
	replay </dev/null
	rx 1 up
	is "/etc/rxtab:1: origin '$ID/wwn-0x6' is /dev/rxc0, a cache itself (the device below it); nothing was changed" "$stderr"
}

@test "check-tab: an origin that is the memory of a cache" {
	for name in rxd0 rxd0p1 rxd1; do
		: >"$RXADM_SYSROOT/dev/$name"
		tab <<-END
			rxd0 disk size=1G
			rxd1 disk size=1G
			rxc0 cache disk=rxd1,origin=/dev/$name
			rxc1 cache disk=rxd0,origin=$ID/ata-HDD_1
		END
		of=rxc1 line=4
		[ $name != rxd1 ] || of=rxc0 line=3
		rx 1 check-tab
		is "/etc/rxtab:3: origin '/dev/$name' is on ${name%p1}, the memory of $of in line $line (a disk that holds no cache)" "$stderr"
	done
	# One that is not there yet.
	rm "$RXADM_SYSROOT/dev/rxd0"
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=/dev/rxd0
	END
	rx 1 check-tab
	: >"$RXADM_SYSROOT/dev/rxd11"
	tab <<-END
		rxd1 disk size=1G
		rxd11 disk size=1G
		rxc0 cache disk=rxd1,origin=/dev/rxd11
	END
	rx check-tab
}
