#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is said before anything is made: by the command line, by check-tab and up, and by --dry-run.

load helper

ID=/dev/disk/by-id

setup() {
	sysroot
	mkdir -p "$RXADM_SYSROOT"/{etc,dev/disk/by-id,dev/mapper,run/udev/data}
	sys_disk sdb 8:16 sdb1 8:17 sdb2 8:18
	: >"$RXADM_SYSROOT/dev/sdb1"
	: >"$RXADM_SYSROOT/dev/sdb2"
	ln -s ../../sdb "$RXADM_SYSROOT$ID/ata-HDD_1"
	ln -s ../../sdb2 "$RXADM_SYSROOT$ID/ata-HDD_1-part2"
	sys_disk sdc 8:32 sdc1 8:33
	ln -s ../../sdc "$RXADM_SYSROOT$ID/ata-HDD_2"
	memory 24 20
	replay </dev/null
}

memory() { # TOTAL AVAILABLE, in GiB
	printf 'MemTotal: %d kB\nMemFree: 1000 kB\nMemAvailable: %d kB\n' $(($1 << 20)) $(($2 << 20)) >"$RXADM_SYSROOT/proc/meminfo"
}

tab() { cat >"$RXADM_SYSROOT/etc/rxtab"; }

# sys_file FILE TEXT: a file of a device below /sys/class/block.
sys_file() {
	mkdir -p "$RXADM_SYSROOT/sys/class/block/$(dirname "$1")"
	echo "$2" >"$RXADM_SYSROOT/sys/class/block/$1"
}

# held NAME HOLDER [DM-NAME DM-UUID]
held() {
	mkdir -p "$RXADM_SYSROOT/sys/devices/virtual/block/$2/"{slaves,holders}
	ln -sfn "../../devices/virtual/block/$2" "$RXADM_SYSROOT/sys/class/block/$2"
	mkdir -p "$RXADM_SYSROOT/sys/class/block/$1/holders/$2" "$RXADM_SYSROOT/sys/class/block/$2/slaves/$1"
	[ $# = 2 ] || sys_file "$2/dm/name" "$3"
	[ $# = 2 ] || sys_file "$2/dm/uuid" "$4"
}

# absent_caches: the kernel has no cache, however often it is asked.
absent_caches() {
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
}

# says_both STATUS OPTIONS WHAT NEXT: map and check-tab say the same, in their own form.
says_both() {
	local option options=()
	for option in ${2//,/ }; do
		options+=("--${option%%=*}")
		[ "$option" = "${option#*=}" ] || options+=("${option#*=}")
	done
	rx "$1" map "${options[@]}" sdb --dry-run
	has "rxadm: map sdb: $3; $4" "$stderr"
	is "" "$output"
	tab <<<"rxc0 cache origin=$ID/ata-HDD_1,$2"
	rx 1 check-tab
	has "/etc/rxtab:1: $3 ($4)" "$stderr"
}

@test "a value that the kernel refuses, and all of them" {
	says_both 1 size=0B "size '0B' is too small" "say at least 4K, for example 1G"
	says_both 1 size=2E "size '2E' is too big" "the largest disk has 1E"
	says_both 1 size=1G,block=12K "block '12K' is none of a cache" "say 4K, 8K, 16K, 32K or 64K"
	says_both 1 size=32K,block=64K "size '32K' is smaller than a cache block" "say at least 64K"
	for dry in "" --dry-run; do
		rx 1 attach 0B --block 8K --queues 999 --prealloc --zero-detect $dry
		is "rxadm: attach 0B: size '0B' is too small; say at least 4K, for example 1G
rxadm: attach 0B: queues '999' are too many; say 1 to 64
rxadm: attach 0B: block '8K' is none of a disk; say 512 or 4K
rxadm: attach 0B: prealloc and zero-detect exclude each other; a preallocated disk keeps its memory" "$stderr"
		is "" "$output"
		rx 1 map --size 1G sdb --mode foo $dry
		has "invalid mode: 'foo' (use through|around|bypass)" "$stderr"
		rx 1 resize rxd0 1B $dry
		has "resize rxd0 1B: size '1B' is too small" "$stderr"
		rx 1 set rxc0 --size 2E --floor 1M $dry
		has "set rxc0: size '2E' is too big" "$stderr"
		for name in rxd01 rxd1048576; do
			rx 1 attach 1G --name $name $dry
			has "'$name' is no name for it" "$stderr"
		done
	done
}

@test "sizes that this machine has no memory for" {
	says_both 2 size=100T "size '100T' needs an index of 400G, which is half of the memory or more" "say less, or a larger block"
	tab <<-END
		rxd0 disk size=100T,prealloc
		rxd1 disk size=100T
		rxc0 cache size=30G,floor=24G,origin=$ID/ata-HDD_1
		rxc1 cache disk=rxd1,origin=$ID/ata-HDD_2
	END
	rx 1 check-tab
	is "/etc/rxtab:1: size '100T' is more than the memory of this machine, 24G (say less, or leave out prealloc)
/etc/rxtab:2: warning: size '100T' is more than the memory of this machine, 24G (writes fail once that is taken)
/etc/rxtab:3: warning: floor '24G' is all of the memory of this machine, 24G (say less)
/etc/rxtab:3: warning: size '30G' is more than the memory of this machine, 24G (the cache never gets that much)
/etc/rxtab:4: size '100T' needs an index of 400G, which is half of the memory or more (say less, or a larger block)" "$stderr"
	rx 1 up
	has "/etc/rxtab:1: size '100T' is more than the memory of this machine, 24G (say less, or leave out prealloc); nothing was changed" "$stderr"
	rx 2 attach 100T --prealloc --dry-run
	has "rxadm: attach 100T: size '100T' is more than the memory of this machine, 24G; say less, or leave out prealloc" "$stderr"
	rx attach 100T --dry-run
	is "would attach a disk, size 100T" "$output"
	is "rxadm: attach 100T: warning: size '100T' is more than the memory of this machine, 24G; writes fail once that is taken" "$stderr"
	rx attach 100T --dry-run -q
	is "" "$stderr"
	# Half of what is available, not of what there is; a boot has all of it.
	memory 24 2
	rx 2 map --size 500G sdb --dry-run
	has "size '500G' needs an index of 2G, which is half of the memory or more" "$stderr"
	rx map --size 500G sdb --block 64K --dry-run
	tab <<<"rxc0 cache size=500G,origin=$ID/ata-HDD_1"
	rx check-tab
	there_are rxc0 rxd0
	rx set rxc0 --size 500G --dry-run
	rx 2 set rxc0 --size 100T --dry-run
	# All that is wrong with a line, but what is wrong with its disk is said once.
	sys_mount 8:17 /
	tab <<-END
		rxc0 cache size=100T,origin=$ID/ata-HDD_1
		rxd0 disk size=0B
		rxc1 cache disk=rxd0,floor=1M,origin=$ID/ata-HDD_2
	END
	rx 1 check-tab
	is "/etc/rxtab:1: origin '$ID/ata-HDD_1' holds /, which is mounted before the cache can be made (add the option initramfs)
/etc/rxtab:1: size '100T' needs an index of 400G, which is half of the memory or more (say less, or a larger block)
/etc/rxtab:2: size '0B' is too small (say at least 4K, for example 1G)
/etc/rxtab:3: its disk rxd0 has an error in line 2 (that one first)" "$stderr"
	# down needs no memory.
	tab <<<"rxc0 cache size=100T,origin=$ID/ata-HDD_1"
	absent_caches
	rx down
}

@test "shares that the kernel refuses" {
	says_both 1 size=1G,min-share=2G "min-share '2G' is more than the disk has" "say at most 1G"
	says_both 1 size=1G,min-share=90%,max-share=10% "max-share '10%' is smaller than min-share '90%'" "say at least as much"
	says_both 1 size=1G,min-share=600M,max-share=50% "max-share '50%' is smaller than min-share '600M'" "say at least as much"
	says_both 1 size=1G,block=64K,max-share=32K "max-share '32K' is smaller than a cache block" "say for example 50%"
	for dry in "" --dry-run; do
		replay < <(printf 'absent rxdsk\nabsent rxcache\n')
		rx 1 set rxc0 --min-share 50% --max-share 10% $dry
		is "rxadm: set rxc0: max-share '10%' is smaller than min-share '50%'; say at least as much" "$stderr"
		rx 1 set rxc0 --size 1G --min-share 2G $dry
		is "rxadm: set rxc0: min-share '2G' is more than the disk has; say at most 1G" "$stderr"
		sys_disk rxd0 259:0 2>/dev/null || true
		sys_file rxd0/size 2097152
		rx 1 map rxd0 sdb --min-share 600M --max-share 50% $dry
		has "max-share '50%' is smaller than min-share '600M'" "$stderr"
	done
	# A table on a disk with an error is told of the disk alone.
	tab <<-END
		rxd0 disk size=0B
		rxc0 cache disk=rxd0,min-share=2G,origin=$ID/ata-HDD_1
	END
	rx 1 check-tab
	is 2 "$(wc -l <<<"$stderr")"
}

@test "a node that this machine lacks, or that has no memory, by the kernel's word" {
	local says="there is no such NUMA node, or it has no memory for disks" see="see: cat /sys/devices/system/node/has_normal_memory"
	replay <<-END
		>* rxdsk disk-new size=4096 node=7 validate
		! EINVAL $says
		>* rxdsk disk-new size=1073741824 node=7 validate
		! EINVAL $says
	END
	rx attach 1G --numa 0 --dry-run
	rx attach 1G --numa interleave --dry-run
	rx 2 attach 1G --numa 7 --dry-run
	is "rxadm: attach 1G: kernel: $says; $see" "$stderr"
	tab <<<"rxd0 disk size=1G,numa=7"
	rx 1 check-tab
	is "/etc/rxtab:1: numa '7': $says ($see)" "$stderr"
	rx 1 up
	has "/etc/rxtab:1: numa '7': $says ($see); nothing was changed" "$stderr"
	tab <<<"rxd0 disk size=1G,numa=0"
	rx check-tab
	# Whom the kernel does not answer, or whose module is older, it tells when the disk is made.
	tab <<<"rxd0 disk size=1G,numa=7"
	for answer in "EPERM needs CAP_SYS_ADMIN" "EINVAL Unknown attribute type" "EINVAL Unsupported attribute"; do
		replay < <(printf '>* rxdsk disk-new size=4096 node=7 validate\n! %s\n' "$answer")
		rx check-tab
	done
	replay <<<"absent rxdsk"
	rx check-tab
}

@test "/ and /usr are mounted before a cache without initramfs" {
	local line="rxc0 cache size=1G,origin=$ID/ata-HDD_1" where
	for where in / /usr; do
		: >"$RXADM_SYSROOT/proc/self/mountinfo"
		sys_mount 8:17 $where
		sys_mount 8:18 /home
		tab <<<"$line"
		rx 1 check-tab
		is "/etc/rxtab:1: origin '$ID/ata-HDD_1' holds $where, which is mounted before the cache can be made (add the option initramfs)" "$stderr"
		is "" "$output"
		rx 1 check-tab --json
		is "true" "$(json '.notes[0].error')"
		tab <<<"$line,initramfs"
		rx check-tab
		is "/etc/rxtab: good (disks: 0, caches: 1)" "$output$stderr"
		# It is not made now either, as a dry run says too.
		for dry in "" --dry-run; do
			absent_caches
			rx 2 up $dry
			has "rxadm: map $ID/ata-HDD_1: /dev/sdb holds $where, so the initramfs has to make its cache; give it a line with initramfs in /etc/rxtab, see: man rxtab" "$stderr"
			replay </dev/null
			rx 2 map --size 1G sdb $dry
			has "/dev/sdb holds $where" "$stderr"
		done
	done
	# Another partition of the disk holds it.
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1-part2"
	rx check-tab
	has "/dev/sdb2 is mounted on /home now, where the next boot makes the cache first (to have it before, run: umount /home)" "$stderr"
}

@test "/ on a btrfs of several devices, of which its mount names one" {
	local btrfs=$RXADM_SYSROOT/sys/fs/btrfs
	mkdir -p "$btrfs/features" "$btrfs/0f1e-2d/devices/"{sdc1,sdb2} "$btrfs/3c/devices/sdb1"
	: >"$RXADM_SYSROOT/dev/sdc1"
	echo "30 1 0:40 / / rw - btrfs /dev/sdc1 rw" >>"$RXADM_SYSROOT/proc/self/mountinfo"
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1-part2"
	rx 1 check-tab
	is "/etc/rxtab:1: origin '$ID/ata-HDD_1-part2' holds /, which is mounted before the cache can be made (add the option initramfs)" "$stderr"
	is "" "$output"
	rx 2 map --size 1G sdb2 --dry-run
	has "/dev/sdb2 holds /, so the initramfs has to make its cache" "$stderr"
	# Another file system of that kind is not it.
	: >"$RXADM_SYSROOT/dev/sdb1"
	rx map --size 1G sdb1 --dry-run
	is "" "$stderr"
}

@test "a disk and its own partition exclude each other as origins" {
	local exclude="(a cache of the disk or of its partitions)"
	tab <<-END
		rxc0 cache size=1G,origin=$ID/ata-HDD_1
		rxc1 cache size=1G,origin=$ID/ata-HDD_1-part2
		rxc2 cache size=1G,origin=$ID/ata-HDD_2
	END
	rx 1 check-tab
	is "/etc/rxtab:2: origin '$ID/ata-HDD_1-part2' is a partition of /dev/sdb, the origin of rxc0 in line 1 $exclude" "$stderr"
	is "" "$output"
	rx 1 up
	has "/etc/rxtab:2: origin '$ID/ata-HDD_1-part2' is a partition of /dev/sdb" "$stderr"
	tab <<-END
		rxc1 cache size=1G,origin=$ID/ata-HDD_1-part2
		rxc0 cache size=1G,origin=$ID/ata-HDD_1
	END
	rx 1 check-tab
	is "/etc/rxtab:2: origin '$ID/ata-HDD_1' has the partition /dev/sdb2, the origin of rxc1 in line 1 $exclude" "$stderr"
	# Two partitions do not.
	ln -s ../../sdb1 "$RXADM_SYSROOT$ID/ata-HDD_1-part1"
	tab <<-END
		rxc0 cache size=1G,origin=$ID/ata-HDD_1-part1
		rxc1 cache size=1G,origin=$ID/ata-HDD_1-part2
	END
	rx check-tab
	is "" "$stderr"
}

@test "the memory that all lines take together" {
	local disks="which is more than the memory of this machine, 24G (smaller ones, or without prealloc)"
	tab <<-END
		rxd0 disk size=20G,prealloc
		rxd1 disk size=20G,prealloc
		rxd2 disk size=20G
	END
	rx 1 check-tab
	is "/etc/rxtab:2: the preallocated disks up to this line have 40G, $disks" "$stderr"
	is "" "$output"
	rx 1 up
	is "/etc/rxtab:2: the preallocated disks up to this line have 40G, $disks; nothing was changed" "$stderr"
	RXADM_NO_PREFLIGHT=1 rx check-tab
	has "/etc/rxtab:2: warning: the preallocated disks up to this line have 40G" "$stderr"
	# One of them fits.
	replay <<-END
		>* rxdsk disk-get name=rxd1
		! ENODEV no
	END
	rx up rxd1 --dry-run
	tab <<-END
		rxd0 disk size=20G,prealloc
		rxd1 disk size=4G,prealloc
		rxd2 disk size=20G,prealloc,noauto
	END
	rx check-tab
	is "" "$stderr"
	# The kernel takes any floor.
	tab <<-END
		rxc0 cache size=20G,floor=20G,origin=$ID/ata-HDD_1
		rxc1 cache size=20G,floor=20G,origin=$ID/ata-HDD_2
	END
	rx check-tab
	is "/etc/rxtab:2: warning: the preallocated disks and the floors up to this line are 40G, all of the memory of this machine, 24G, or more (smaller ones)" "$stderr"
	# Caches on one disk share its floor, and one that is more than the size is not kept.
	tab <<-END
		rxd0 disk size=20G
		rxc0 cache disk=rxd0,floor=20G,origin=$ID/ata-HDD_1
		rxc1 cache disk=rxd0,floor=20G,origin=$ID/ata-HDD_2
	END
	rx check-tab
	is "" "$stderr"
	cat >>"$RXADM_SYSROOT/etc/rxtab" <<<"rxd1 disk size=4G,prealloc"
	rx check-tab
	has "/etc/rxtab:4: warning: the preallocated disks and the floors up to this line are 24G" "$stderr"
}

@test "the root file system on LVM, and on a cache whose line has lost its initramfs" {
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	held sdb1 dm-0 vg-root LVM-1
	ln -s ../../devices/virtual/block/dm-0 "$RXADM_SYSROOT/sys/dev/block/253:0"
	sys_mount 253:0 /
	rx 1 check-tab
	has "holds /, which is mounted before" "$stderr"
	rm -r "$RXADM_SYSROOT/sys/class/block/sdb1/holders/dm-0" "$RXADM_SYSROOT/sys/class/block/dm-0/slaves/sdb1"
	rx check-tab
	is "" "$stderr"
	held sdb rxc0
	held rxc0 dm-0
	rx 1 check-tab
	has "holds /, which is mounted before" "$stderr"
}

@test "who uses the origin now: all of them" {
	sys_mount 8:17 /srv/data
	printf 'Filename Type Size Used Priority\n/dev/sdb2 partition 1 0 -2\n' >"$RXADM_SYSROOT/proc/swaps"
	held sdb1 md0
	held sdb2 dm-1 vg-a LVM-2
	for dry in "" --dry-run; do
		rx 2 map --size 4G /dev/sdb $dry
		is "rxadm: map /dev/sdb: /dev/sdb is mounted on /srv/data; run: umount /srv/data
rxadm: map /dev/sdb: /dev/sdb is in use as swap: /dev/sdb2; run: swapoff /dev/sdb2
rxadm: map /dev/sdb: /dev/sdb is in use by md0; run: mdadm --stop /dev/md0
rxadm: map /dev/sdb: /dev/sdb is in use by /dev/mapper/vg-a; run: lvchange -an vg/a" "$stderr"
		is "" "$output"
	done
	# A boot makes the cache first, so for the table this is no mistake.
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	rx check-tab
	has "good" "$output"
	is 4 "$(grep -c "warning: /dev/sdb is .* now, where the next boot makes the cache first" <<<"$stderr")"
	has "(to have it before, run: swapoff /dev/sdb2)" "$stderr"
	absent_caches
	rx 2 up --dry-run --json
	is "failed true" "$(json '"\(.lines[0].result) \(.dry_run)"')"
	has "rxadm: map $ID/ata-HDD_1: /dev/sdb is in use by md0" "$stderr"
	# The escape for whoever knows better.
	replay <<-END
		> rxcache join
		> rxdsk disk-new size=4294967296
		< name=rxd4 $DISK
		> rxcache cache-new disk=rxd4 origin=/dev/sdb own-disk=yes
		< name=rxc0 id=5 $STARTING
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
	END
	: >"$RXADM_SYSROOT/dev/rxc0"
	RXADM_NO_PREFLIGHT=1 rx map --size 4G /dev/sdb
	is rxc0 "$output"
}

@test "an origin that has a cache, and a partition of one" {
	held sdb rxc0
	ln -s ../../devices/virtual/block/rxc0 "$RXADM_SYSROOT/sys/dev/block/259:7"
	sys_mount 259:7 /srv
	rx 2 map --size 1G sdb --dry-run
	is "rxadm: map sdb: /dev/sdb is mapped already; use /dev/rxc0, or run: rxadm unmap rxc0" "$stderr"
	rx 2 map --size 1G sdb2 --dry-run
	is "rxadm: map sdb2: /dev/sdb2 is a partition of what rxc0 holds; use a partition of /dev/rxc0" "$stderr"
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	rx check-tab
	is "" "$stderr"
	tab <<<"rxc1 cache size=1G,origin=$ID/ata-HDD_1"
	rx check-tab
	has "warning: /dev/sdb is mapped already now" "$stderr"
}

@test "a partition of a RAM disk, and a device of another driver whose name begins as ours do" {
	sys_disk rxd0 252:0 rxd0p1 252:1
	: >"$RXADM_SYSROOT/dev/rxd0p1"
	held rxd0p1 rxc0
	rx 2 map --size 1G rxd0p1 --dry-run
	is "rxadm: map rxd0p1: /dev/rxd0p1 is mapped already; use /dev/rxc0, or run: rxadm unmap rxc0" "$stderr"
	sys_disk rxdata 250:0
	sys_file rxdata/size 0
	rx 2 map --size 1G rxdata --dry-run
	is "rxadm: map rxdata: /dev/rxdata has no size; insert the medium, or log in to the target" "$stderr"
}

@test "an origin that can have no cache" {
	sys_file sdb/queue/zoned host-managed
	sys_file sdb/integrity/format T10-DIF-TYPE1-CRC
	sys_file sdb/queue/logical_block_size 16384
	sys_file sdb/size 0
	for origin in sdb sdb2; do
		rx 2 map --size 1G $origin --dry-run
		has "/dev/$origin is a zoned device, which can have no cache; choose another" "$stderr"
		has "/dev/$origin has integrity metadata (T10 PI), which a cache would lose; choose another" "$stderr"
		has "/dev/$origin has logical blocks of 16K; say a block of that size or larger" "$stderr"
	done
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	rx 1 check-tab
	is 4 "$(grep -c "^/etc/rxtab:1: /dev/sdb " <<<"$stderr")"
	has "/etc/rxtab:1: /dev/sdb has no size (insert the medium, or log in to the target)" "$stderr"
	echo none | tee "$RXADM_SYSROOT/sys/class/block/sdb/"{queue/zoned,integrity/format} >"$RXADM_SYSROOT/sys/class/block/sdb/size"
	echo 2048 >"$RXADM_SYSROOT/sys/class/block/sdb/size"
	rx map --size 1G sdb --block 16K --dry-run
	is "" "$stderr"
}

@test "a floor is at most the size, which the kernel does not mind" {
	floor_of() { # STATUS WORD…
		local want=$1
		shift
		replay <<-END
			>* rxcache cache-get name=rxc0
			< name=rxc0 id=5 $ACTIVE
			>* rxdsk disk-get name=rxd0
			< name=rxd0 $DISK
		END
		rx "$want" set rxc0 "$@" --dry-run
	}
	floor_of 0 --floor 2G
	is "rxadm: set rxc0: warning: floor '2G' is more than the size; say at most 1G" "$stderr"
	floor_of 0 --floor 1G
	floor_of 0 --size 4G --floor 2G
	floor_of 0 --size 1G --floor 2G
	has "floor '2G' is more than the size" "$stderr"
	floor_of 0 --floor 24G --size 30G
	has "floor '24G' is all of the memory of this machine" "$stderr"
}

@test "a floor that the kernel takes is no error of a table" {
	local line="rxc0 cache size=1G,origin=$ID/ata-HDD_1,floor"
	tab <<<"$line=2G"
	rx check-tab
	is "/etc/rxtab:1: warning: floor '2G' is more than the size (say at most 1G)" "$stderr"
	absent_caches
	rx up --dry-run
	is "[#] rxadm map $ID/ata-HDD_1 --name rxc0 --size 1G --floor 2G" "$output"
	is "/etc/rxtab:1: warning: floor '2G' is more than the size (say at most 1G)" "$stderr"
	tab <<<"rxc0 cache size=24G,origin=$ID/ata-HDD_1,floor=24G"
	rx check-tab
	is "/etc/rxtab:1: warning: floor '24G' is all of the memory of this machine, 24G (say less)" "$stderr"
	absent_caches
	rx up --dry-run
	is "" "$stderr"
	replay </dev/null
	rx map --size 1G sdb --floor 2G --dry-run
	is "rxadm: map sdb: warning: floor '2G' is more than the size; say at most 1G" "$stderr"
	rx map --size 24G sdb --floor 24G --dry-run
	has "floor '24G' is all of the memory of this machine, 24G; say less" "$stderr"
	RXADM_NO_PREFLIGHT=1 rx map --size 24G sdb --floor 25G --dry-run
	is "" "$stderr"
}

@test "without the checks a table is left to the kernel, too" {
	export RXADM_NO_PREFLIGHT=1
	sys_file sdb/queue/zoned host-managed
	sys_mount 8:17 /
	tab <<-END
		rxd0 disk size=0B,queues=999
		rxd1 disk size=100T,prealloc
		rxc0 cache size=1G,origin=$ID/ata-HDD_1
	END
	rx check-tab
	is 5 "$(grep -c "^/etc/rxtab:.: warning: " <<<"$stderr")"
	is 5 "$(wc -l <<<"$stderr")"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxdsk disk-get name=rxd1
		! ENODEV no
		>* rxcache cache-get name=rxc0
		! ENODEV no
	END
	rx up --dry-run
	is 3 "$(grep -c "^\[#\] rxadm " <<<"$output")"
	RXADM_NO_PREFLIGHT=0 rx 1 up --dry-run
	has "/etc/rxtab:1: size '0B' is too small (say at least 4K, for example 1G)" "$stderr"
}

@test "holders of other devices do not make room for an index" {
	held sdb2 dm-1 vg-a LVM-2
	rx 2 map --size 100T sdb1 --dry-run
	has "size '100T' needs an index of 400G" "$stderr"
}

@test "a floor of a disk that up is about to let grow" {
	sys_disk rxd0 259:0
	sys_file rxd0/size 2097152
	tab <<-END
		rxd0 disk size=4G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1,floor=2G
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		>* rxcache cache-get name=rxc0
		! ENODEV no
	END
	rx up --dry-run
	is "" "$stderr"
	has "rxadm resize rxd0 4G" "$output"
}

@test "mounts and swap files that are named like a disk" {
	echo "30 1 0:40 / /nas rw - cifs //nas/sdb rw" >>"$RXADM_SYSROOT/proc/self/mountinfo"
	echo "31 1 0:41 / /fuse rw - fuse.x /srv/sdb1 rw" >>"$RXADM_SYSROOT/proc/self/mountinfo"
	printf 'Filename Type Size Used Priority\n/var/sdb file 1 0 -2\n' >"$RXADM_SYSROOT/proc/swaps"
	rx map --size 1G sdb --dry-run
	is "" "$stderr"
	echo "32 1 0:42 / /btrfs rw - btrfs /dev/sdb2 rw" >>"$RXADM_SYSROOT/proc/self/mountinfo"
	printf '/dev/sdb1\tpartition 1 0 -2\n' >>"$RXADM_SYSROOT/proc/swaps"
	rx 2 map --size 1G sdb --dry-run
	has "/dev/sdb is mounted on /btrfs" "$stderr"
	has "/dev/sdb is in use as swap: /dev/sdb1" "$stderr"
}

@test "a semicolon in a mount point" {
	sys_mount 8:17 '/a;\040b'
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	rx check-tab
	has "/dev/sdb is mounted on /a; b now, where the next boot makes the cache first (to have it before, run: umount '/a; b')" "$stderr"
}

@test "an origin is known by its number" {
	sys_disk sda 8:0
	sys_mount 8:0 /host
	rm "$RXADM_SYSROOT/dev/sda"
	mknod "$RXADM_SYSROOT/dev/sda" b 8 17 || skip "no device nodes here"
	rx map --size 1G sda --dry-run
	is "" "$stderr"
	sys_mount 8:17 /srv
	rx 2 map --size 1G sda --dry-run
	is "rxadm: map sda: /dev/sda is mounted on /srv; run: umount /srv" "$stderr"
}

@test "removable media may have no size yet" {
	sys_file sdb/size 0
	sys_file sdb/removable 0
	rx 2 map --size 1G sdb --dry-run
	has "/dev/sdb has no size" "$stderr"
	sys_file sdb/removable 1
	rx map --size 1G sdb --dry-run
	is "" "$stderr"
}

@test "an origin outside of /dev is not taken for the disk" {
	mkdir "$RXADM_SYSROOT/abc"
	: >"$RXADM_SYSROOT/abc/rxd0"
	there_are rxd0
	rx map rxd0 /abc/rxd0 --dry-run
	is "" "$stderr"
}

@test "a member of a volume group or a RAID that nobody has taken yet" {
	mkdir -p "$RXADM_SYSROOT/boot"
	echo 8:16 >"$RXADM_SYSROOT/sys/class/block/sdb/dev"
	touch -d "1 hour ago" "$RXADM_SYSROOT/boot/initrd.img-$(uname -r)"
	tab <<<"rxc0 cache size=1G,origin=$ID/ata-HDD_1"
	for type in LVM2_member linux_raid_member ext4; do
		printf 'I:1\nE:ID_FS_TYPE=%s\nE:OTHER=_raid_member\n' $type >"$RXADM_SYSROOT/run/udev/data/b8:16"
		rx check-tab
		[ $type = ext4 ] || has "LVM or md may take origin '$ID/ata-HDD_1' before its cache does" "$stderr"
	done
	is "" "$stderr"
}

@test "--dry-run --json prints the requests as one object" {
	rx map --size 1G sdb --block 16K --mode around --read-only --json --dry-run
	is "1 true 2" "$(json '"\(.rxadm) \(.dry_run) \(.requests | length)"')"
	is "rxdsk disk-new 1073741824" "$(json '.requests[0] | "\(.family) \(.request) \(.attributes.size)"')"
	is "rxcache cache-new NEW-DISK /dev/sdb 16384 write-around true true" "$(json '.requests[1] | "\(.family) \(.request) \(.attributes | "\(.disk) \(.origin) \(.block_size) \(.mode) \(.read_only) \(.own_disk)")"')"
	there_are rxd0 rxd1
	rx detach rxd0 rxd1 --json --dry-run
	is "rxd0 rxd1" "$(json '[.requests[].attributes.name] | join(" ")')"
	rx erase rxd0 --pretty --dry-run
	is disk-erase "$(json '.requests[0].request')"
	rx 1 attach 0B --json --dry-run
	is '["messages","rxadm"]' "$(json 'keys | tojson')"
}

@test "up and down --dry-run --json say what would be, not what is" {
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=2G
	END
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
		>* rxdsk disk-get name=rxd1
		< name=rxd1 size=1073741824 block-size=512 queues=1 read-only=no
	END
	rx up --dry-run --json
	is "true would-make would-change" "$(json '"\(.dry_run) \(.lines[0].result) \(.lines[1].result)"')"
	is "rxadm attach 1G --name rxd0" "$(json '.lines[0].steps[0]')"
	rx down --dry-run --json
	is "would-remove absent" "$(json '[.lines[].result] | join(" ")')"
}

@test "map of a tag, as fstab has them" {
	asks_for() { # WORD LINK
		rx map --size 1G "$1" --dry-run
		has "would map $2 to that disk" "$output"
	}
	asks_for UUID=0f1e-2d /dev/disk/by-uuid/0f1e-2d
	asks_for PARTUUID=12-01 /dev/disk/by-partuuid/12-01
	asks_for "LABEL=my data/x" '/dev/disk/by-label/my\x20data\x2fx'
	asks_for PARTLABEL=größe /dev/disk/by-partlabel/größe
	unset RXADM_REPLAY RXADM_SYSROOT
	rx 1 map --size 1G UUID=no-such-thing
	if [ -e /dev/disk ]; then
		is "rxadm: map UUID=no-such-thing: no device has UUID=no-such-thing; see: lsblk -f, blkid" "$stderr"
	else
		is "rxadm: map UUID=no-such-thing: UUID=no-such-thing is a name that udev gives, which does not run here; say the device itself, see: lsblk" "$stderr"
	fi
	# What has the name is a cache by now.
	sysroot 2>/dev/null || true
	mkdir -p "$RXADM_SYSROOT/dev/disk/by-uuid"
	: >"$RXADM_SYSROOT/dev/rxc0"
	ln -s ../../rxc0 "$RXADM_SYSROOT/dev/disk/by-uuid/1"
	replay </dev/null
	rx 1 map --size 1G UUID=1
	is "rxadm: map UUID=1: is /dev/rxc0, a cache already; use that, or see: rxadm list" "$stderr"
}

@test "map with one object that is a disk, and with the disk twice" {
	rx 1 map rxd0
	is "rxadm: map rxd0: the origin is missing; say which device is to be cached: rxadm map rxd0 /dev/ORIGIN, see: lsblk" "$stderr"
	: >"$RXADM_SYSROOT/dev/rxd0"
	rx 1 map rxd0 rxd0
	has "rxd0 is to hold the cache, so it cannot be the origin" "$stderr"
	: >"$RXADM_SYSROOT/dev/rxd0p1"
	rx 1 map rxd0 /dev/rxd0p1
	has "rxd0 is to hold the cache, so it cannot be the origin" "$stderr"
}

@test "a size of nothing gets no hint that is wrong too" {
	for size in 0 0.0; do
		rx 1 attach $size
		is "rxadm: attach: '$size' is no size; say for example 512M or 1G" "$stderr"
	done
	rx 1 attach 12
	is "rxadm: attach: size '12' has no unit; say 12M or 12B" "$stderr"
}

@test "without privileges and modules the next step is to become root" {
	[ "$(id -u)" = 0 ] || skip "root can become somebody else"
	command -v setpriv >/dev/null || skip "no setpriv"
	# The directories of bats are root's own.
	local dir
	dir=$(mktemp -d)
	printf 'absent rxdsk\nabsent rxcache\n' >"$dir/replay"
	cp "$RXADM" "$dir/rxadm"
	chmod -R a+rX "$dir"
	export RXADM_REPLAY=$dir/replay
	unset RXADM_SYSROOT
	as_nobody() { run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$dir/rxadm" "$@"; }
	as_nobody attach 1G
	is 3 "$status"
	is "rxadm: attach: needs root, and rxdsk is not loaded; run as root: modprobe rxdsk, and then this command" "$stderr"
	as_nobody list
	is "rxadm: rxdsk is not loaded; run as root: modprobe rxdsk" "$stderr"
	rm -r "$dir"
}

@test "an image that no boot could restore stops up, and not down" {
	echo "/dev/rxd0 ${BATS_TEST_TMPDIR} ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	tab <<<"rxd0 disk size=1G,image=$BATS_TEST_TMPDIR/a"
	says="/etc/rxtab:1: image '$BATS_TEST_TMPDIR/a' lies on the disk itself, which is mounted on $BATS_TEST_TMPDIR (a path on another file system)"
	rx 1 check-tab
	has "$says" "$stderr"
	for name in "" rxd0; do
		# shellcheck disable=SC2086
		rx 1 up $name
		has "$says; nothing was changed" "$stderr"
	done
	replay <<-END
		> rxdsk disk-get name=rxd0
		! ENODEV no
	END
	rx down
	is "" "$output$stderr"
}

@test "an origin with /boot: map and check-tab say what grub-install needs, and of the EFI system partition that it is none" {
	mkdir -p "$RXADM_SYSROOT"/{etc,boot/grub,dev/disk/by-uuid}
	sys_disk sdx 65:16 sdx1 65:17 sdx2 65:18
	sys_disk rxc7 259:9
	for part in 1 2; do
		: >"$RXADM_SYSROOT/dev/sdx$part"
		echo $part >"$RXADM_SYSROOT/sys/class/block/sdx$part/partition"
	done
	ln -s ../../sdx1 "$RXADM_SYSROOT/dev/disk/by-uuid/1"
	says() { # ORIGIN: of GRUB
		echo "rxc0 cache size=1M,origin=/dev/$1" >"$RXADM_SYSROOT/etc/rxtab"
		replay </dev/null
		run --separate-stderr "$RXADM" check-tab
		grep -E "grub" <<<"$stderr" | sed 's/^[^:]*:1: //' || true
	}
	grub='holds /boot, and grub-install does not see the partition table through a cache (as long as it has one, add to each grub-install: --modules="part_gpt part_msdos", see: man rx-install)'
	echo "UUID=1 /boot ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	is "warning: origin '/dev/sdx1' $grub" "$(says sdx1)"
	is "warning: origin '/dev/sdx' $grub" "$(says sdx)"
	is "" "$(says sdx2)"
	# Its cache is there already, and has the name.
	ln -sfn ../../rxc7 "$RXADM_SYSROOT/dev/disk/by-uuid/1"
	is "" "$(says sdx1)"
	ln -s ../../sdx/sdx1 "$RXADM_SYSROOT/sys/class/block/rxc7/slaves/sdx1"
	is "warning: origin '/dev/sdx1' $grub" "$(says sdx1)"
	# A folder of the root file system.
	echo "/dev/sdx2 / ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	is "warning: origin '/dev/sdx2' $grub" "$(says sdx2)"
	rm -r "$RXADM_SYSROOT/boot/grub"
	is "" "$(says sdx2)"
	mkdir "$RXADM_SYSROOT/boot/grub"
	echo "/dev/sdx2 /boot/efi vfat defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	has "origin '/dev/sdx2' holds the EFI system partition" "$(says sdx2)"
	echo "/dev/sdx2 /boot ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	replay <<<"> nothing"
	run --separate-stderr "$RXADM" map --size 1M /dev/sdx2 --dry-run
	has 'holds /boot, and grub-install does not see the partition table through a cache; as long as it has one, add' "$stderr"
}
