# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The devices that the experiments compare, on equal slow disks. Needs tests/lib.sh.
#   slow                a slow disk as it is
#   rxc-cold, rxc-warm  a cache over an equal disk: empty, and with all blocks that are going to be read
#   rxd, rxd-bio        a RAM disk, in both queue modes; only some experiments use the second

LAB_SIZE=192M			# the used part of each; the cache holds more than twice that, so that no set of it is full

lab_devices="slow rxc-cold rxc-warm rxd"
declare -A lab_path=() lab_disk=()

# lab_device NAME PATH DISK: registers a device. DISK is the disk whose I/O counts for the device.
lab_device() {
	lab_path[$1]=$2
	lab_disk[$1]=$3
}

# lab_written DEVICE: writes the used part once, so that a RAM disk has its memory, and the first request to each place of a sparse
# disk is the same.
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

# Drops the page cache of files and devices only: with 2 or 3 the kernel would also ask our caches for memory.
page_cache_drop() {
	sync
	echo 1 >/proc/sys/vm/drop_caches
}

# lab_ready NAME: empties the page cache, and makes the cache cold or warm as the name says.
lab_ready() {
	page_cache_drop
	case $1 in
	*-cold) rxadm drop "${lab_path[$1]##*/}" ;;
	*-warm) cache_fill "${lab_path[$1]}" $LAB_SIZE ;;
	esac
}

# cache_fill PATH SIZE: reads the first SIZE of a cache past the page cache.
cache_fill() { dd if="$1" of=/dev/null bs=1M count=$(($(bytes_of "$2") / 1048576)) iflag=direct 2>/dev/null; }

disk_reads() { io_of "$1" reads; }

# share PART WHOLE: prints the share in percent, between 0 and 100.
share() { awk -v p="$1" -v w="$2" 'BEGIN { s = w ? 100 * p / w : 0; if (s < 0) s = 0; if (s > 100) s = 100; printf "%.1f\n", s }'; }
