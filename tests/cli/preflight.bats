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

@test "warnings are in the JSON of what was done, whichever verb did it" {
	sys_disk rxd0 259:0
	sys_disk rxc0 259:7
	replay <<-END
		>* rxdsk disk-new size=109951162777600
		< name=rxd0 $DISK
		>* rxdsk disk-resize name=rxd0 size=109951162777600
		< name=rxd0 ${DISK/1073741824/109951162777600}
		>* rxcache cache-set name=rxc0 floor=109951162777600
		< name=rxc0 id=5 $ACTIVE
	END
	for line in "attach 100T" "resize rxd0 100T" "set rxc0 --floor 100T"; do
		rx $line --json
		is 1 "$(json '.messages | length')"
		has "warning: " "$(json '.messages[0].text')"
	done
	rx resize rxd0 100T
	is "rxadm: resize rxd0 100T: warning: size 100T is more than the memory of this machine, 24G; writes fail once that is taken" "$stderr"
}

@test "what the kernel refuses: in its words, by the verb, a dry run and check-tab" {
	refuses() { # REQUEST: REPLY: WHAT NEXT, VERB…: of the verb and its dry run
		local request=$1 reply=$2 next=$3 dry
		shift 3
		for dry in "" " validate"; do
			replay < <(printf ">* rxcache join\n>* rxdsk join\n> %s%s\n! %s\n" "$request" "$dry" "$reply")
			rx 2 "$@" ${dry:+--dry-run}
			is "rxadm: $1 $2: kernel: ${reply#* }; $next" "$stderr"
			is "" "$output"
		done
	}
	in_table() { # REPLY NEXT OPTIONS REQUEST
		tab <<<"$3"
		replay < <(printf '>* %s validate\n! %s\n' "$4" "$1")
		rx 1 check-tab
		is "/etc/rxtab:1: kernel: ${1#* } ($2)" "$stderr"
		rx 1 up
		has "/etc/rxtab:1: kernel: ${1#* } ($2); nothing was changed" "$stderr"
		RXADM_NO_PREFLIGHT=1 rx check-tab
		has "/etc/rxtab:1: warning: kernel: ${1#* } ($2)" "$stderr"
	}
	local origin=origin=/dev/sdb node="there is no such NUMA node, or it has no memory for disks"
	refuses "rxdsk disk-new size=0" "EINVAL the size is wrong" "see: rxadm help attach" attach 0B
	refuses "rxdsk disk-new size=4096 queues=999 block-size=8192 prealloc=yes zero-detect=yes" "EINVAL no" "see: rxadm help attach" \
		attach 4K --queues 999 --block 8K --prealloc --zero-detect
	refuses "rxdsk disk-new size=4096 node=7" "EINVAL $node" "see: cat /sys/devices/system/node/has_normal_memory" attach 4K --numa 7
	refuses "rxcache cache-set name=rxc0 min-share-percent=90 max-share=1048576" "EINVAL no" "see: rxadm help set" \
		set rxc0 --min-share 90% --max-share 1M
	in_table "EINVAL no" "see: man rxtab" "rxd0 disk size=0B,queues=65,block=8K,prealloc,zero-detect" \
		"rxdsk disk-new size=0 queues=65 block-size=8192 prealloc=yes zero-detect=yes"
	in_table "EINVAL $node" "see: cat /sys/devices/system/node/has_normal_memory" "rxd0 disk size=1G,numa=7" "rxdsk disk-new size=1073741824 node=7"
	in_table "EINVAL no" "see: man rxtab" "rxc0 cache size=1G,origin=$ID/ata-HDD_1,block=12K,mode=around,no-write-allocate,min-share=5%,compress=lz4" \
		"rxcache cache-new $origin size=1073741824 block-size=12288 mode=write-around write-allocate=no min-share-percent=5 compress=lz4"
	for name in rxd01 rxd1048576; do
		rx 1 attach 1G --name $name
		has "'$name' is no name for it" "$stderr"
	done
	rx 1 map --size 1G sdb --mode foo
	has "invalid mode: 'foo' (use through|around|bypass)" "$stderr"
}

@test "check-tab: of the kernel's answers, those that are about the line" {
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
	END
	answer() { # REPLY [STATUS [THERE]]
		replay < <(printf '%s\n' '>* rxdsk disk-new size=1073741824 validate' '>* rxcache cache-new origin=/dev/sdb size=1073741824 validate' \
			"! $1" '>* rxcache cache-get name=rxc0' "${3:-! ENODEV no such cache}")
		rx "${2:-0}" check-tab
	}
	local good="/etc/rxtab: good (disks: 1, caches: 1)"
	for reply in "EBUSY origin is mapped already" "ENOENT origin not found" "EAGAIN later"; do
		answer "$reply"
		is "$good" "$output$stderr"
	done
	answer "ENOMEM no memory for the index"
	is "/etc/rxtab:2: warning: kernel: no memory for the index now (ask for less or free memory, see: rxadm list)" "$stderr"
	answer "EOPNOTSUPP this kernel has no such compressor"
	has "/etc/rxtab:2: warning: kernel: this kernel has no such compressor now (say another --compress, or off" "$stderr"
	answer "ENOMEM no memory for the index" 0 "< name=rxc0 id=5 $ACTIVE"
	is "$good" "$output$stderr"
	answer "ENOSPC disk is smaller than a cache block" 1
	is "/etc/rxtab:2: kernel: disk is smaller than a cache block (say a larger size, or a smaller block)" "$stderr"
	answer "ENOTBLK origin is not a block device"
	is "/etc/rxtab:2: warning: kernel: origin is not a block device now (see: lsblk)" "$stderr"
	answer "ENOTDIR origin not found"
	is "$good" "$output$stderr"
	# A disk with an error is told once, wherever its line is.
	tab <<-END
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
		rxd0 disk size=2E
	END
	replay < <(printf '%s\n' '>* rxdsk disk-new size=2305843009213693952 validate' '! EINVAL the size must be 4 KiB to 1 EiB')
	rx 1 check-tab
	is "/etc/rxtab:2: kernel: the size must be 4 KiB to 1 EiB (see: man rxtab)" "$stderr"
	tab <<-END
		rxd0 disk size=1G
		rxc0 cache disk=rxd0,origin=$ID/ata-HDD_1
	END
	# Whom it does not answer, or whose module is older, it tells when the cache is made.
	for reply in "EPERM needs CAP_SYS_ADMIN" "EINVAL Unknown attribute type" "EINVAL Unsupported attribute"; do
		answer "$reply"
		is "$good; the kernel was not asked about values, which needs root and the modules" "$output$stderr"
	done
	answer "EPERM needs CAP_SYS_ADMIN"
	rx check-tab --json
	is false "$(json .asked)"
	replay <<<"absent rxcache"
	rx check-tab
	has "$good; the kernel was not asked" "$output"
	# Of an up of some lines the others do not matter.
	tab <<-END
		rxd0 disk size=1G
		rxd1 disk size=1G,block=8K
	END
	replay < <(printf '%s\n' '>* rxdsk disk-get name=rxd0' '! ENODEV no' '>* rxdsk disk-new size=1073741824 block-size=8192 validate' '! EINVAL no')
	rx up rxd0 --dry-run
	rx 1 up rxd1
	has "/etc/rxtab:2: kernel: no (see: man rxtab); nothing was changed" "$stderr"
}

@test "sizes that this machine has no memory for" {
	tab <<-END
		rxd0 disk size=100T,prealloc
		rxd1 disk size=100T
		rxc0 cache size=30G,floor=24G,origin=$ID/ata-HDD_1
		rxc1 cache disk=rxd1,origin=$ID/ata-HDD_2
	END
	rx 1 check-tab
	is "/etc/rxtab:1: the preallocated disks up to this line have 100T, which is more than the memory of this machine, 24G (smaller ones, or without prealloc)
/etc/rxtab:2: warning: size 100T is more than the memory of this machine, 24G (writes fail once that is taken)
/etc/rxtab:3: warning: floor 24G is all of the memory of this machine, 24G (say less)
/etc/rxtab:3: warning: size 30G is more than the memory of this machine, 24G (the cache never gets that much)
/etc/rxtab:3: warning: the preallocated disks and the floors up to this line are 24G, all of the memory of this machine, 24G, or more (smaller ones)" "$stderr"
	rx 1 up
	has "/etc/rxtab:1: the preallocated disks up to this line have 100T" "$stderr"
	rx attach 100T --prealloc --dry-run
	is "" "$stderr"
	rx attach 100T --dry-run
	is "would attach a disk, size 100T" "$output"
	is "rxadm: attach 100T: warning: size 100T is more than the memory of this machine, 24G; writes fail once that is taken" "$stderr"
	rx attach 100T --dry-run -q
	is "" "$stderr"
	rx map --size 30G --floor 24G sdb --dry-run
	is "rxadm: map sdb: warning: floor 24G is all of the memory of this machine, 24G; say less
rxadm: map sdb: warning: size 30G is more than the memory of this machine, 24G; the cache never gets that much" "$stderr"
	RXADM_NO_PREFLIGHT=1 rx map --size 24G sdb --floor 25G --dry-run
	is "" "$stderr"
	# All that is wrong with a line.
	sys_mount 8:17 /
	tab <<-END
		rxc0 cache size=100T,origin=$ID/ata-HDD_1
		rxd0 disk size=0
		rxc1 cache disk=rxd0,floor=1M,origin=$ID/ata-HDD_2
	END
	rx 1 check-tab
	is "/etc/rxtab:1: origin '$ID/ata-HDD_1' holds /, which is mounted before the cache can be made (add the option initramfs)
/etc/rxtab:2: '0' is no size (say for example 512M or 1G)
/etc/rxtab:3: its disk rxd0 has an error in line 2 (that one first)" "$stderr"
	# down needs no memory.
	tab <<<"rxc0 cache size=100T,origin=$ID/ata-HDD_1"
	absent_caches
	rx down
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
	held rxdata md0
	rx 2 map --size 1G rxdata --dry-run
	has "/dev/rxdata is in use by md0" "$stderr"
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
	rx 1 attach 0 --json --dry-run
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
