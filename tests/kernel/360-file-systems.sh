# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the tests with file systems and stacked devices share; they source this as "$here/kernel/360-file-systems.sh".
# A stack is torn down and its lowest device looked at without ours: only that says what the device really holds.

# What make_fs and its friends need for FS.
fs_needs() {
	case $1 in
	ext4) unmet module:ext4 program:mkfs.ext4 program:e2fsck program:resize2fs ;;
	xfs) unmet module:xfs program:mkfs.xfs program:xfs_repair program:xfs_growfs ;;
	btrfs) unmet module:btrfs program:mkfs.btrfs program:btrfs ;;
	esac
}

# make_fs FS DEVICE
make_fs() {
	modprobe "$1"
	case $1 in
	ext4) mkfs.ext4 -q -F "$2" ;;
	# Less than 300 MiB is made for tests only.
	xfs) mkfs.xfs -q -f --unsupported "$2" ;;
	btrfs) mkfs.btrfs -q -f "$2" ;;
	esac >mkfs 2>&1 || { cat mkfs && return 1; }
}

# check_fs FS DEVICE: changes nothing; its words are in the file "fsck".
check_fs() {
	case $1 in
	ext4) e2fsck -fn "$2" ;;
	xfs) xfs_repair -n "$2" ;;
	btrfs) btrfs check --readonly --check-data-csum "$2" ;;
	esac >fsck 2>&1 || { cat fsck && return 1; }
}

# grow_fs FS DEVICE: to the device's size, while it is mounted on mnt.
grow_fs() {
	case $1 in
	ext4) resize2fs "$2" ;;
	xfs) xfs_growfs mnt ;;
	btrfs) btrfs filesystem resize max mnt ;;
	esac >/dev/null
}

mount_fs() {
	mkdir -p mnt
	mount -t "$1" "$2" mnt ${3:+-o "$3"}
	defer "umount $RX_TMP/mnt"
}

sums_of() { (cd "$1" && find . -type f | sort | xargs sha256sum); }

# load_fs SECONDS: what stress-ng has for file systems, beside one another, in mnt/load.
load_fs() {
	mkdir -p mnt/load
	stress-ng --quiet --seed "$RX_SEED" --temp-path mnt/load --timeout "$1s" --verify \
		--hdd 1 --hdd-bytes 2M --hdd-opts wr-rnd,rd-rnd,fsync --iomix 1 --iomix-bytes 2M \
		--fallocate 1 --fallocate-bytes 1M --seek 1 --seek-size 2M \
		--dentry 1 --dentries 64 --dir 1 --dir-dirs 64 --rename 1 --link 1 --symlink 1
}

# A tree of files to tell again: the tests themselves, their largest programs left out, and files of odd sizes.
plant_tree() {
	mkdir mnt/tree
	(cd "$here" && tar -cf - lib.sh run kernel/*.sh kernel/*/[0-9]* kernel/helpers/*.[ch]) | tar -C mnt/tree -xf -
	for rx_n in 1 511 512 513 4095 4097 65537 1000003; do
		dd if=/dev/urandom of="mnt/tree/$rx_n" bs="$rx_n" count=1 iflag=fullblock status=none
	done
}

# Copied, cut, overwritten and in part removed, while the load runs.
change_tree() {
	cp -r mnt/tree mnt/copy
	rm -r mnt/tree/kernel
	dd if=/dev/urandom of=mnt/copy/1000003 bs=1000 count=300 seek=100 conv=notrunc,fsync status=none
	truncate -s 3000 mnt/copy/65537
	mv mnt/copy mnt/tree/moved
}

# work_fs FS DEVICE SECONDS: a new file system with a tree that changes under load; what it must hold is in the file "sums".
work_fs() {
	check "mkfs.$1 on $2" make_fs "$1" "$2"
	mount_fs "$1" "$2"
	plant_tree
	load_fs "$3" &
	rx_load=$!
	change_tree
	check "load on $1 on $2" wait "$rx_load"
	rm -rf mnt/load
	sums_of mnt >sums
	drop_caches
	same_sums "$2"
}

same_sums() {
	sums_of mnt >now 2>&1 || true
	cmp -s sums now || fail "files on $1: $(diff sums now | head -n 4)"
}

end_fs() { check "umount" umount mnt; }

# same_files FS DEVICE: the file system is whole, and so are the files on it.
same_files() {
	check "$1 on $2 is whole" check_fs "$1" "$2"
	mount_fs "$1" "$2" ro
	same_sums "$2"
	end_fs
}

# cached ORIGIN [OPTION…]: a cache that is smaller than what the tests write.
cached() { echo "/dev/$(map_cache --size 16M "$@")"; }
uncached() { check "unmap ${1#/dev/}" rxadm unmap "${1#/dev/}" && blockdev --flushbufs "$2"; }

# a_share OF: of the seconds a test may use.
a_share() { echo $(((RX_SECONDS + $1 - 1) / $1)); }

# trim DISK: memory comes back with what a removed file took. xfs frees that in the background, and trims what is free by then.
trim() {
	dd if=/dev/zero of=mnt/fat bs=1M count=24 conv=fsync status=none
	sync
	full=$(disk_used "$1")
	rm mnt/fat
	wait_for 20 trimmed "$1" || fail "trim on $1: $full in use with a file of 24 MiB, $(disk_used "$1") without"
}
trimmed() {
	sync
	fstrim mnt
	[ "$(disk_used "$1")" -le $((full - 20 * 1048576)) ]
}

# disk_and_cache FS SIZE: the same on a RAM disk and, through a cache, on an origin.
disk_and_cache() {
	d=$(attach_disk "$2")
	work_fs "$1" "/dev/$d" "$(a_share 2)"
	trim "$d"
	same_sums "$d after trim"
	end_fs
	same_files "$1" "/dev/$d"
	check "detach" rxadm detach "$d"

	null=$(make_null_blk "$2" discard=1)
	c=$(cached "$null")
	work_fs "$1" "$c" "$(a_share 2)"
	check "trim" fstrim mnt
	drop_caches
	same_sums "$c after trim"
	end_fs
	check "$1 is whole through the cache" check_fs "$1" "$c"
	uncached "$c" "$null"
	same_files "$1" "$null"
}
