#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# EBUSY: who uses the device, and how long the tool waits for them.

load helper

setup() {
	sysroot
	sys_disk rxd0 259:0 rxd0p1 259:1
}

# detach of rxd0 that the kernel refuses; what is said is left in $stderr.
refused() {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		>* rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx 2 detach rxd0 "$@"
	stderr=${stderr#rxadm: detach rxd0: }
}

@test "a partition that is mounted, with a space in its name" {
	sys_mount 259:1 '/mnt/with\040space'
	refused
	is "mounted on /mnt/with space; run: umount '/mnt/with space'" "$stderr"
}

@test "two mounts" {
	sys_mount 259:0 /a
	sys_mount 8:1 /other
	sys_mount 259:0 /b
	refused
	is "mounted on /a and /b; run: umount /a /b" "$stderr"
}

@test "mount points of disks with a similar name are not its own" {
	sys_disk rxd01 259:9
	sys_mount 259:9 /not-ours
	refused --wait 0
	[[ $stderr != *not-ours* ]]
}

@test "a file system with a number of its own is known by its source" {
	sys_mount 0:44 /btrfs /dev/rxd0
	refused
	is "mounted on /btrfs; run: umount /btrfs" "$stderr"
}

@test "swap" {
	printf 'Filename Type Size Used Priority\n/dev/rxd0p1 partition 65532 0 -2\n' >"$RXADM_SYSROOT/proc/swaps"
	refused
	is "in use as swap: /dev/rxd0p1; run: swapoff /dev/rxd0p1" "$stderr"
}

@test "device-mapper" {
	sys_disk dm-0 253:0
	mkdir "$RXADM_SYSROOT/sys/block/dm-0/dm"
	echo vg-data >"$RXADM_SYSROOT/sys/block/dm-0/dm/name"
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/holders/dm-0"
	refused
	has "in use by /dev/mapper/vg-data; run: dmsetup remove vg-data" "$stderr"
}

# A shell with a umount and an nsenter of its own runs what is suggested: it must get just the mount point.
@test "what is suggested can be run, whatever the mount point is called" {
	local where escaped said
	for where in "/mnt/it's" '/mnt/$HOME' '/mnt/`touch pasted`' '/mnt/a;touch pasted' '/mnt/"q"' '/mnt/a\b' $'/mnt/a\nb' $'/mnt/\033[2J' $'/mnt/no\u00a0break' '/mnt/*'; do
		: >"$RXADM_SYSROOT/proc/self/mountinfo"
		escaped=${where//\\/\\134} escaped=${escaped// /\\040} escaped=${escaped//$'\n'/\\012}
		sys_mount 259:0 "$escaped"
		refused
		[[ $stderr != *[[:cntrl:]]* ]]
		said=$(cd "$BATS_TEST_TMPDIR" && umount() { printf '%s.' "$@"; } && eval "${stderr#*; run: }")
		is "$where." "$said"
		[ ! -e "$BATS_TEST_TMPDIR/pasted" ]
		# The same for the mount of another process.
		: >"$RXADM_SYSROOT/proc/self/mountinfo"
		mkdir -p "$RXADM_SYSROOT/proc/55"
		echo "30 1 259:0 / $escaped rw - ext4 /dev/rxd0 rw" >"$RXADM_SYSROOT/proc/55/mountinfo"
		printf 'a\033b' >"$RXADM_SYSROOT/proc/55/comm"
		refused --wait 0
		has 'for a\x1bb (pid 55)' "$stderr"
		said=$(nsenter() { printf '%s.' "$@"; } && eval "nsenter ${stderr##*run: nsenter }")
		is "-t.55.-m.umount.$where." "$said"
		rm -r "$RXADM_SYSROOT/proc/55"
	done
}

# dm NAME UUID [ON]: a device-mapper device, on rxd0 or the device ON.
dm() {
	local n
	n=dm-$(find "$RXADM_SYSROOT/sys/block" -name 'dm-*' | wc -l)
	sys_disk "$n" "253:${n#dm-}"
	mkdir "$RXADM_SYSROOT/sys/block/$n/dm"
	echo "$1" >"$RXADM_SYSROOT/sys/block/$n/dm/name"
	echo "$2" >"$RXADM_SYSROOT/sys/block/$n/dm/uuid"
	mkdir "$RXADM_SYSROOT/sys/block/${3:-rxd0}/holders/$n"
	DM=$n
}

LVM=LVM-Wm2bXnq4X5Jx6q4vS9PqyFzPzkkZQ0yZq0vG5X4wUoYf0uQ4K6c8M3bN9aS7dF1g

@test "LUKS, LVM, multipath and others end by their own programs" {
	while IFS='|' read -r name uuid command; do
		dm "$name" "$uuid"
		refused
		is "in use by /dev/mapper/$name; run: $command" "$stderr"
		rm -r "$RXADM_SYSROOT/sys/block/rxd0/holders/$DM"
	done <<-END
		sec|CRYPT-LUKS2-0123456789abcdef0123456789abcdef-sec|cryptsetup close sec
		my sec|CRYPT-PLAIN-my sec|cryptsetup close 'my sec'
		root|CRYPT-VERITY-0123456789abcdef-root|veritysetup close root
		sums|CRYPT-INTEGRITY--sums|integritysetup close sums
		vgx-lv|$LVM|lvchange -an vgx/lv
		my--vg-my--lv|$LVM|lvchange -an my-vg/my-lv
		a---b|$LVM|lvchange -an a-/b
		vgx-pool_tdata|$LVM-tdata|vgchange -an vgx
		my--vg-pool-tpool|$LVM-tpool|vgchange -an my-vg
		mpatha|mpath-3600140500000|multipath -f mpatha
		slow;disk||dmsetup remove 'slow;disk'
	END
}

@test "of devices on devices the uppermost are named, each once" {
	dm vgx-lv "$LVM"
	local lv=$DM
	dm sec CRYPT-LUKS2-0-sec "$lv"
	refused
	is "in use by /dev/mapper/sec; run: cryptsetup close sec" "$stderr"
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/rxd0p1/holders/$lv"
	dm vgx-lv2 "$LVM"
	refused
	is "in use by /dev/mapper/sec; run: cryptsetup close sec
rxadm: detach rxd0: in use by /dev/mapper/vgx-lv2; run: lvchange -an vgx/lv2" "$stderr"
}

@test "bcache and DRBD" {
	sys_disk bcache0 252:0
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/holders/bcache0"
	refused
	is "in use by bcache0; run: echo 1 >/sys/block/bcache0/bcache/stop" "$stderr"
	rm -r "$RXADM_SYSROOT/sys/block/rxd0/holders/bcache0"
	sys_disk drbd1 147:1
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/holders/drbd1"
	refused
	is "in use by drbd1; see its resource: drbdsetup status, and run: drbdadm down RESOURCE" "$stderr"
}

@test "device-mapper that is mounted: first the mount" {
	sys_disk dm-0 253:0
	mkdir "$RXADM_SYSROOT/sys/block/dm-0/slaves/rxd0p1"
	sys_mount 253:0 /srv
	refused
	is "mounted on /srv; run: umount /srv" "$stderr"
}

@test "md, on a partition" {
	sys_disk md127 9:127
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/rxd0p1/holders/md127"
	refused
	is "in use by md127; run: mdadm --stop /dev/md127" "$stderr"
}

@test "a loop device" {
	sys_disk loop3 7:3
	mkdir "$RXADM_SYSROOT/sys/block/loop3/loop"
	echo /dev/rxd0 >"$RXADM_SYSROOT/sys/block/loop3/loop/backing_file"
	refused
	is "in use by /dev/loop3; run: losetup -d /dev/loop3" "$stderr"
}

@test "processes, by name and number" {
	mkdir -p "$RXADM_SYSROOT"/proc/{17,18,19}/fd
	ln -s /dev/rxd0 "$RXADM_SYSROOT/proc/17/fd/4"
	ln -s /dev/rxd0p1 "$RXADM_SYSROOT/proc/18/fd/0"
	ln -s /dev/rxd1 "$RXADM_SYSROOT/proc/19/fd/0"
	echo fio >"$RXADM_SYSROOT/proc/17/comm"
	echo dd >"$RXADM_SYSROOT/proc/18/comm"
	refused --wait 0
	is "open in fio (pid 17) and dd (pid 18); let them finish or stop them" "$(sed 's/dd (pid 18) and fio (pid 17)/fio (pid 17) and dd (pid 18)/' <<<"$stderr")"
}

@test "a mount that only another process sees" {
	mkdir -p "$RXADM_SYSROOT/proc/55"
	echo '30 1 259:0 / /private rw - ext4 /dev/rxd0 rw' >"$RXADM_SYSROOT/proc/55/mountinfo"
	echo daemon >"$RXADM_SYSROOT/proc/55/comm"
	refused --wait 0
	is "mounted on /private for daemon (pid 55) only; run: nsenter -t 55 -m umount /private" "$stderr"
}

@test "nobody to be found" {
	refused --wait 0
	is "still open, but no process in /proc has it open, and no user in the kernel is known (kernel: the disk is open); try again with --wait 30; as root, and in a container on the host, see: fuser -v, lsblk" "$stderr"
}

@test "a disk that takes memory has no user to look for" {
	replay <<-END
		>* rxdsk disk-resize name=rxd0 size=2147483648
		! EBUSY the disk is still taking memory, growing or being zeroed
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing prealloc=yes
		>* rxdsk join
		>* rxdsk disk-erase name=rxd0
		! EBUSY the disk is still taking memory, growing or being zeroed
	END
	rx 2 resize rxd0 2G --wait 0
	is "rxadm: resize rxd0 2G: kernel: the disk is still taking memory, growing or being zeroed; see: rxadm list -o NAME,STATE,OPEN, or who uses it: fuser -v, lsblk" "$stderr"
	rx 2 erase rxd0 --wait 0
	is "rxadm: erase rxd0: kernel: the disk is still taking memory, growing or being zeroed; see: rxadm list -o NAME,STATE,OPEN, or who uses it: fuser -v, lsblk" "$stderr"
}

@test "a mount hinders no growth: what does is waited for, and said" {
	sys_mount 259:0 /data
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		! EBUSY the disk is still taking memory, growing or being zeroed
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing openers=1
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 size=2147483648 state=active
	END
	rx resize rxd0 2G
	is "" "$output$stderr"
	replay <<-END
		>* rxdsk disk-resize name=rxd0 size=2147483648
		! EBUSY the disk is still taking memory, growing or being zeroed
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing openers=1
	END
	rx 2 resize rxd0 2G --wait 0
	is "rxadm: resize rxd0 2G: kernel: the disk is still taking memory, growing or being zeroed; see: rxadm list -o NAME,STATE,OPEN, or who uses it: fuser -v, lsblk" "$stderr"
}

@test "udev's short open is waited for" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
	END
	rx detach rxd0
	is "" "$stderr"
}

@test "a mount is not waited for" {
	sys_mount 259:0 /mnt
	SECONDS=0
	refused
	[ "$SECONDS" -lt 2 ]
}

@test "unless --wait says so" {
	sys_mount 259:0 /mnt
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
	END
	rx detach rxd0 --wait 5
}

@test "the wait is bounded" {
	SECONDS=0
	refused
	[ "$SECONDS" -ge 1 ] && [ "$SECONDS" -le 5 ]
	refused --wait 0.1
	[ "$SECONDS" -le 6 ]
}

@test "resize and erase name the user too" {
	sys_mount 259:0 /mnt
	replay <<-END
		>* rxdsk join
		>* rxdsk disk-resize name=rxd0 size=4096 shrink
		! EBUSY the disk is open
		>* rxdsk disk-erase name=rxd0
		! EBUSY the disk is open
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx 2 resize rxd0 4K --shrink
	is "rxadm: resize rxd0 4K: mounted on /mnt; run: umount /mnt" "$stderr"
	rx 2 erase rxd0
	is "rxadm: erase rxd0: mounted on /mnt; run: umount /mnt" "$stderr"
}

@test "map names the disk that is in use, for there are two devices" {
	sys_mount 259:0 /mnt
	replay <<-END
		> rxcache join
		>* rxcache cache-new disk=rxd0 origin=/dev/sdb
		! EBUSY the disk is open
		> rxcache cache-get dump
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx 2 map rxd0 /dev/sdb
	is "rxadm: map rxd0 /dev/sdb: rxd0 is mounted on /mnt; run: umount /mnt" "$stderr"
}

@test "a disk that is the memory of caches is refused once, whoever of them has a link" {
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/holders/"{rxc0,rxc7}
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0,rxc7
	END
	for verb in "save rxd0 $BATS_TEST_TMPDIR/image" "export rxd0 --any-host --nqn nqn.2024-01.com.example:store"; do
		rx 2 $verb
		is 1 "$(wc -l <<<"$stderr")"
		has "rxc0,rxc7" "$stderr"
	done
}

# file PATH CONTENT: a file of the system.
file() { mkdir -p "$(dirname "$RXADM_SYSROOT$1")" && printf '%s\n' "$2" >"$RXADM_SYSROOT$1"; }

@test "users in the kernel that leave no link: the SCSI target, zram, USB gadgets, block2mtd, RNBD" {
	local core=/sys/kernel/config/target/core
	try() { # FILE CONTENT SAID
		file "$1" "$2"
		refused --wait 0
		is "$3" "$stderr"
		rm "$RXADM_SYSROOT$1"
	}
	try $core/iblock_0/store/udev_path /dev/rxd0 "in use by the SCSI target (iSCSI) as store; run: targetcli /backstores/block delete store"
	try "$core/fileio_1/my store/udev_path" /dev/rxd0p1 "in use by the SCSI target (iSCSI) as my store; run: targetcli /backstores/fileio delete 'my store'"
	try /sys/block/zram1/backing_dev /dev/rxd0 "in use by zram1, as its backing device; run: swapoff /dev/zram1; zramctl --reset /dev/zram1"
	try /sys/kernel/config/usb_gadget/g1/functions/mass_storage.0/lun.0/file /dev/rxd0 "in use by a USB gadget; run: echo >/sys/kernel/config/usb_gadget/g1/functions/mass_storage.0/lun.0/file"
	try /sys/class/mtd/mtd0/name "block2mtd: /dev/rxd0" "in use by block2mtd as mtd0; run: modprobe -r block2mtd"
	mkdir -p "$RXADM_SYSROOT/sys/class/rnbd-server/ctl/devices/rxd0"
	ln -s ../../../../block/rxd0 "$RXADM_SYSROOT/sys/class/rnbd-server/ctl/devices/rxd0/block_dev"
	refused --wait 0
	is "in use by the RNBD server; end its sessions: /sys/class/rnbd-server/ctl/devices" "$stderr"
	rm -r "$RXADM_SYSROOT/sys/class/rnbd-server"
	# Those of other devices are not its own.
	file $core/iblock_0/store/udev_path /dev/rxd01
	file /sys/block/zram1/backing_dev none
	file /sys/class/mtd/mtd0/name rxd0
	refused --wait 0
	has "no user in the kernel is known" "$stderr"
}

@test "the journal or the log of another file system" {
	mkdir -p "$RXADM_SYSROOT/proc/fs/jbd2/rxd0p1"
	refused --wait 0
	is "in use as the journal of another file system; see: findmnt -t ext4" "$stderr"
	sys_disk sdb 8:16
	sys_mount 8:16 '/srv/my\040data'
	file /sys/fs/ext4/sdb/journal_task 77
	file /proc/77/comm jbd2/rxd0p1
	refused --wait 0
	is "in use as the journal of the file system on /srv/my data; run: umount '/srv/my data'" "$stderr"
	# A journal of its own is named by the device and an inode.
	rm -r "$RXADM_SYSROOT/proc/fs/jbd2/rxd0p1"
	mkdir "$RXADM_SYSROOT/proc/fs/jbd2/rxd0-8"
	refused --wait 0
	has "no user in the kernel is known" "$stderr"
	for how in "8:16 xfs /dev/sdb logdev=/dev/rxd0,noquota" "8:16 xfs /dev/sdb attr2,rtdev=/dev/rxd0p1" "0:51 bcachefs /dev/sdb:/dev/rxd0 rw"; do
		read -r number type source options <<<"$how"
		echo "31 1 $number / /data rw - $type $source rw,$options" >"$RXADM_SYSROOT/proc/self/mountinfo"
		refused --wait 0
		is "mounted on /data; run: umount /data" "$stderr"
	done
}

@test "bcache's caching device, ZFS, and a file system that was unmounted lazily" {
	mkdir -p "$RXADM_SYSROOT/sys/block/rxd0/rxd0p1/bcache/set"
	refused --wait 0
	is "in use by bcache, as rxd0p1; run: echo 1 >/sys/class/block/rxd0p1/bcache/set/stop" "$stderr"
	rm -r "$RXADM_SYSROOT/sys/block/rxd0/rxd0p1/bcache"
	file /sys/block/rxd0/dev 259:0
	file /run/udev/data/b259:0 "S:disk
E:ID_FS_LABEL=tank
E:ID_FS_TYPE=zfs_member"
	refused --wait 0
	has "no user in the kernel is known" "$stderr"
	mkdir -p "$RXADM_SYSROOT/sys/module/zfs"
	refused --wait 0
	is "in use, and has the label of the ZFS pool tank; see: zpool status, and run: zpool export tank" "$stderr"
	rm -r "$RXADM_SYSROOT/sys/module/zfs"
	mkdir -p "$RXADM_SYSROOT/sys/fs/xfs/rxd0"
	refused --wait 0
	has "in use by its file system (xfs), which was unmounted lazily (umount -l)" "$stderr"
}
