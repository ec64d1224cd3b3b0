# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The block devices that are compared, each as it comes from its module, over tests/lib.sh. $devices names those wanted; of
# these, made is what there is.

# Modules that are not in the kernel's own folder.
rival_modules=/rx/add

declare -A device_path=()
made=()

# device_make NAME SIZE: prints its path, or nothing where this kernel or this tree has no such device.
device_make() {
	local name=$1 size=$2 disk
	case $name in
	memory) echo memory ;;
	brd)
		# The others are for caches that need one below them.
		modprobe brd rd_nr="${brd_disks:-1}" rd_size=$(($(bytes_of "$size") / 1024)) || return 0
		defer "modprobe -r brd"
		echo /dev/ram0
		;;
	rapiddisk)
		[ -e "$rival_modules/rapiddisk.ko" ] || return 0
		insmod "$rival_modules/rapiddisk.ko"
		defer "rmmod rapiddisk"
		rapiddisk_attach 0 "$size"
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
		# Twice the blocks: no set of the index is ever full.
		disk=$(attach_disk "$size") || return 1
		disk=$(map_cache --size $(($(bytes_of "$size") * 2 / 1048576))M "/dev/$disk") && echo "/dev/$disk"
		;;
	*) fail "no device '$name'" ;;
	esac
}

# rapiddisk_attach N SIZE: prints its path.
rapiddisk_attach() {
	echo "rapiddisk attach $1 $(bytes_of "$2")" >/sys/kernel/rapiddisk/mgmt
	defer "echo rapiddisk detach $1 >/sys/kernel/rapiddisk/mgmt"
	echo "/dev/rd$1"
}

# devices_make SIZE: those of $devices, each written once from end to end, and the cache read.
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
