# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads a file of 128 MiB twice, through the page cache or past it. Measures which cache served the reads, and which holds the file.

twice_title="One file read twice: who served it?"

twice_says() {
	cat <<-'END'
		The page cache serves buffered reads as long as it has the file, and a cache below sees only the first of them.
		A high hit ratio above and a low one below are therefore the same good news.

		With O_DIRECT, or when the page cache was dropped, the cache serves the second read. Without a cache that read
		is as slow as the first.
	END
}

TWICE_SIZE=128M

twice_rows() {
	echo "buffered first again dropped"
	echo "direct first again"
}

declare -A twice_dev=() twice_disk=()

twice_begin() {
	local name cache disk
	cache=$(map_cache --size 256M /dev/vde) || fail "no cache over vde"
	disk=$(attach_disk 160M)
	twice_dev=([slow]=/dev/vdd [rxc]=/dev/$cache [rxd]=/dev/$disk)
	twice_disk=([slow]=/dev/vdd [rxc]=/dev/vde [rxd]=/dev/$disk)
	for name in slow rxc rxd; do
		mkfs.ext4 -q -F -b 4096 -O ^has_journal -E lazy_itable_init=0 "${twice_dev[$name]}"
		mkdir -p "$RX_TMP/$name"
		mount -o noatime "${twice_dev[$name]}" "$RX_TMP/$name"
		defer "umount $RX_TMP/$name"
		dd if=/dev/zero of="$RX_TMP/$name/file" bs=1M count=$((${TWICE_SIZE%M})) oflag=direct 2>/dev/null
	done
}

# twice_seen NAME: prints the bytes read until now from the device, and from the disk below it.
twice_seen() {
	echo $(($(io_of "${twice_dev[$1]}" read_sectors) * 512)) $(($(io_of "${twice_disk[$1]}" read_sectors) * 512))
}

# twice_read ROUND NAME WHAT [direct]
twice_read() {
	local name=$2 what=$3 bytes from to ms device disk
	bytes=$(bytes_of $TWICE_SIZE)
	read -ra from <<<"$(twice_seen "$name")"
	# shellcheck disable=SC2086
	ms=$(timedio read "$RX_TMP/$name/file" $TWICE_SIZE 1M ${4:-})
	read -ra to <<<"$(twice_seen "$name")"
	device=$((to[0] - from[0])) disk=$((to[1] - from[1]))
	sample "$1" "$name" "$what" MiB/s "$(awk -v n=$((bytes / 1048576)) '{ printf "%.1f", n * 1000 / $1 }' <<<"$ms")"
	sample "$1" page-cache "$what-$name" % "$(share $((bytes - device)) "$bytes")"
	case $name in
	rxc)
		sample "$1" rxcache "$what-$name" % "$(share $((device - disk)) "$bytes")"
		sample "$1" disk "$what-$name" % "$(share "$disk" "$bytes")"
		sample "$1" page-cache "$what-$name hit ratio" % "$(share $((bytes - device)) "$bytes")"
		[ $((device * 50)) -lt "$bytes" ] ||
			sample "$1" rxcache "$what-$name hit ratio" % "$(share $((device - disk)) "$device")"
		sample "$1" page-cache "$what-$name holds" MiB "$(page_cache_mib)"
		sample "$1" rxcache "$what-$name holds" MiB $(($(list_of "${twice_dev[rxc]##*/}" cached) / 1048576))
		;;
	*) sample "$1" disk "$what-$name" % "$(share "$device" "$bytes")" ;;
	esac
}

# Prints the growth of the page cache since twice_cached was set, in MiB.
page_cache_mib() { echo $((($(mem_kb Cached) - twice_cached) / 1024)); }

twice_row() {
	local round=$1 row=$2 name step direct=''
	shift 2
	case $row in direct) direct=direct ;; esac
	for name in slow rxc rxd; do
		page_cache_drop
		[ "$name" != rxc ] || rxadm drop "${twice_dev[rxc]##*/}"
		twice_cached=$(mem_kb Cached)
		for step in "$@"; do
			[ "$step" != dropped ] || page_cache_drop
			twice_read "$round" "$name" "$row-$step" $direct
		done
	done
	for step in "$@"; do printf 'against\t%s\tslow\n' "$row-$step"; done
}
