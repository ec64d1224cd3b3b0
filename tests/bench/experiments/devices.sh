# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The devices that the experiments compare, over tests/lib.sh, on equal slow disks:
#   slow                a slow disk as it is
#   rxc-cold, rxc-warm  a cache over its twin: with nothing in it, and with all in it that is going to be read
#   rxd, rxd-bio        a RAM disk, in both queue modes; the second for who asks for it

LAB_SIZE=192M			# what they are used up to; the cache holds more than twice as much, so that no set of it is full

lab_devices="slow rxc-cold rxc-warm rxd"
declare -A lab_path=() lab_disk=()

# lab_device NAME PATH DISK: the disk is where the I/O goes that is seen as the device's.
lab_device() {
	lab_path[$1]=$2
	lab_disk[$1]=$3
}

# Written once from end to end: a RAM disk has its memory then, and of a sparse disk's places all have begun alike.
lab_written() { dd if=/dev/zero of="$1" bs=1M count=$((${LAB_SIZE%M})) oflag=direct 2>/dev/null; }

lab_devices_make() {
	local cache disk mode
	lab_written /dev/vda
	lab_written /dev/vdb
	cache=$(map_cache --size 512M /dev/vdb) || fail "no cache over vdb"
	lab_device slow /dev/vda /dev/vda
	lab_device rxc-cold "/dev/$cache" /dev/vdb
	lab_device rxc-warm "/dev/$cache" /dev/vdb
	for mode in mq bio; do
		disk=$(attach_disk $LAB_SIZE --queue-mode $mode) || fail "no RAM disk"
		lab_written "/dev/$disk"
		lab_device "$([ $mode = mq ] && echo rxd || echo rxd-bio)" "/dev/$disk" "/dev/$disk"
	done
}

# Of files and of devices, and nothing else: 2 and 3 ask the caches, too, for memory.
page_cache_drop() {
	sync
	echo 1 >/proc/sys/vm/drop_caches
}

# lab_ready NAME: as cold or as warm as its name says, and nothing in the page cache.
lab_ready() {
	page_cache_drop
	case $1 in
	*-cold) rxadm flush "${lab_path[$1]##*/}" ;;
	*-warm) cache_fill "${lab_path[$1]}" $LAB_SIZE ;;
	esac
}

# cache_fill PATH SIZE
cache_fill() { dd if="$1" of=/dev/null bs=1M count=$(($(bytes_of "$2") / 1048576)) iflag=direct 2>/dev/null; }

disk_reads() { io_of "$1" reads; }

# share PART WHOLE: in percent, between 0 and 100.
share() { awk -v p="$1" -v w="$2" 'BEGIN { s = w ? 100 * p / w : 0; if (s < 0) s = 0; if (s > 100) s = 100; printf "%.1f\n", s }'; }
