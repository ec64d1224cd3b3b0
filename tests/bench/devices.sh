# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The block devices that are compared, each with its module's defaults. Needs tests/lib.sh. $devices names the wanted devices, and
# $made those of them that exist.

declare -A device_path=()
made=()

# device_make NAME SIZE: makes a device and prints its path, or nothing if this kernel or this tree has no such device.
device_make() {
	local name=$1 size=$2 disk
	case $name in
	memory) echo memory ;;
	brd)
		# The other RAM disks are the memory of dm-cache and bcache.
		modprobe brd rd_nr="${brd_disks:-1}" rd_size=$(($(bytes_of "$size") / 1024)) || return 0
		defer "modprobe -r brd"
		echo /dev/ram0
		;;
	null_mq) make_null_blk "$size" memory_backed=0 ;;
	null_mem) make_null_blk "$size" discard=1 ${null_queues:+"$null_queues"} ;;
	zram)
		modprobe zram num_devices=1 || return 0
		defer "modprobe -r zram"
		bytes_of "$size" >/sys/block/zram0/disksize
		echo /dev/zram0
		;;
	rxdsk) disk=$(attach_disk "$size") && echo "/dev/$disk" ;;
	rxdsk_bio)
		rxadm help attach | grep -q -e --queue-mode || return 0
		disk=$(attach_disk "$size" --queue-mode bio) && echo "/dev/$disk"
		;;
	rxdsk_prealloc) disk=$(attach_disk "$size" --prealloc) && echo "/dev/$disk" ;;
	rxcache)
		# The cache has twice the blocks, so that no set of the index is ever full.
		disk=$(attach_disk "$size") || return 1
		disk=$(map_cache --size $(($(bytes_of "$size") * 2 / 1048576))M "/dev/$disk") && echo "/dev/$disk"
		;;
	*) fail "no device '$name'" ;;
	esac
}

# devices_make SIZE: makes the $devices. Each is written once from end to end, and the cache is then read.
devices_make() {
	local name path
	for name in $devices; do
		path=$(device_make "$name" "$1") || fail "can't make $name"
		if [ -z "$path" ]; then
			note "# no $name here"
			continue
		fi
		device_path[$name]=$path
		made+=("$name")
		device_fill "$name" "$1"
	done
}

device_fill() {
	local path=${device_path[$1]} bios=$(($(bytes_of "$2") / 1048576))
	[ "$1" != memory ] || return 0
	bio "dev=$path rw=write size=1M bios=$bios ms=600000" >/dev/null
	[ "$1" != rxcache ] || bio "dev=$path rw=read size=1M bios=$bios ms=600000" >/dev/null
}
