# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Buffered writes to devices with soft blocks of 512 to 4096 bytes. The soft block size is the largest power of two, up to a page,
# that divides the device's size. All devices are parts of one slow disk, and differ only in their last sectors. A cache has the
# size of its origin, and a RAM disk always a multiple of 4096.

blocks_title="Buffered writes and the kernel's soft block size"

blocks_says() {
	cat <<-'END'
		If a request covers only a part of a soft block, the kernel reads that block first. This halves the speed of
		small random writes to a slow disk, unless a cache holds the block.

		Large requests need soft blocks of 4096. An origin that ends with an odd sector has soft blocks of 512: every
		page is then written as eight blocks, and a cache gets each by itself.
	END
}

BLOCKS_SPAN=64M BLOCKS_WRITES=1000

blocks_rows() {
	local on size
	for on in slow cold warm rxd; do
		for size in 512 1k 2k 4k 16k 64k; do echo "$on-$size $on $size"; done
	done
}

declare -A blocks_path=()

blocks_begin() {
	local soft at=0 sectors part name
	for soft in 512 1024 2048 4096; do
		# 64 MiB and a few sectors more, so that this is the largest block that divides the size.
		sectors=$((131072 + soft % 4096 / 512))
		for part in slow origin; do
			name=$(make_dm "lab-$part-$soft" "0 $sectors linear /dev/vdc $at")
			at=$((at + 147456))
			blocks_path[$part-$soft]=$name
		done
		name=$(map_cache --size 128M "${blocks_path[origin-$soft]}") || fail "no cache with blocks of $soft"
		blocks_path[cold-$soft]=/dev/$name
		blocks_path[warm-$soft]=/dev/$name
	done
	name=$(attach_disk 64M)
	blocks_path[rxd-4096]=/dev/$name
}

# blocks_ready ON PATH: makes the device cold or warm. The kernel sets the soft block size when the first opener opens the device, so
# it must be closed here.
blocks_ready() {
	page_cache_drop
	case $1 in
	cold) rxadm drop "${2##*/}" ;;
	warm) cache_fill "$2" $BLOCKS_SPAN ;;
	esac
}

blocks_row() {
	local round=$1 row=$2 on=$3 size=$4 soft path disk=/dev/vdc reads written ms
	for soft in 512 1024 2048 4096; do
		path=${blocks_path[$on-$soft]:-}
		[ -n "$path" ] || continue
		[ "$on" != rxd ] || disk=$path
		blocks_ready "$on" "$path"
		[ "$(blockdev --getbsz "$path")" = "$soft" ] || fail "$path has blocks of $(blockdev --getbsz "$path"), not $soft"
		reads=$(disk_reads "$disk") written=$(io_of "$disk" writes)
		ms=$(timedio write "$path" $BLOCKS_SPAN "${size^^}" $BLOCKS_WRITES "$round")
		sample "$round" "$soft" "$row" IOPS "$(awk -v n=$BLOCKS_WRITES '{ print int(n * 1000 / $1 + 0.5) }' <<<"$ms")"
		sample "$round" "$soft" "$row reads" "for 100" $((($(disk_reads "$disk") - reads) * 100 / BLOCKS_WRITES))
		sample "$round" "$soft" "$row writes" "for 100" $((($(io_of "$disk" writes) - written) * 100 / BLOCKS_WRITES))
	done
	printf 'against\t%s\t4096\n' "$row"
}
