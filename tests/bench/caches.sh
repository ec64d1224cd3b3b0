# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The caches that are compared: write-through, CACHE_SIZE of memory each, over equal disks. "bare" is a disk without a cache.
# "page-cache" is one that is used without O_DIRECT, and "dm-linear" is a disk below a device that only passes I/O on. "slow" and "slow-rxcache" are like "bare" and "rxcache", but their
# disks are limited to a number of I/Os and bytes per second.

CACHE_SIZE=96M
HOT_SIZE=48M			# the span that hits are read from

declare -A cache_path=() cache_origin=()
caches=()

# cache_add NAME ORIGIN PATH
cache_add() {
	cache_origin[$1]=$2
	cache_path[$1]=$3
	caches+=("$1")
}

# disks_touch SIZE DISK…: writes to the disks, so that the first request to each place is the same on all of them. On a sparse disk
# the kind and size of that request change the speed of all later writes there, by up to a quarter. Otherwise a cache's disk would
# first be read, and the bare one first be written.
disks_touch() {
	local size=$1 disk
	shift
	# shellcheck disable=SC2086 # options
	for disk; do fio_run "$disk" --rw=randwrite --bs=4k --size="$size" $DEEP || fail "can't write to $disk"; done
}

# make_dm_cache RAM ORIGIN: the RAM disk holds metadata and data. Blocks are of 32 KiB, the minimum, and promotion is not limited.
make_dm_cache() {
	local ram=$1 origin=$2 sectors=$(($(bytes_of $CACHE_SIZE) / 512)) meta data
	modprobe dm-cache-smq || return 1
	meta=$(make_dm bench-meta "0 8192 linear $ram 0")
	dd if=/dev/zero of="$meta" bs=1M count=4 oflag=direct 2>/dev/null
	data=$(make_dm bench-data "0 $sectors linear $ram 8192")
	make_dm bench-cache "0 $(sectors_of "$origin") cache $meta $data $origin 64 1 writethrough smq 2 migration_threshold 2048000"
}

make_bcache() {
	local ram=$1 origin=$2 n
	modprobe bcache || return 1
	# bcache needs more than 512 buckets.
	/rx/add/make-bcache --bucket 64k -C "$ram" >/dev/null
	/rx/add/make-bcache -B "$origin" >/dev/null
	echo "$ram" >/sys/fs/bcache/register
	echo "$origin" >/sys/fs/bcache/register
	wait_for 20 test -b /dev/bcache0
	n=/sys/block/bcache0/bcache
	basename "$(dirname "$(find /sys/fs/bcache -maxdepth 2 -name cache0)")" >$n/attach
	wait_for 20 grep -q clean $n/state || return 1
	echo writethrough >$n/cache_mode
	# Otherwise long or slow requests bypass bcache, and are no hits.
	echo 0 >$n/sequential_cutoff
	echo 0 >$n/cache/congested_read_threshold_us
	echo 0 >$n/cache/congested_write_threshold_us
	defer "echo 1 >$n/stop; for s in /sys/fs/bcache/*/stop; do echo 1 >\$s; done; wait_for 30 modprobe -r bcache"
	echo /dev/bcache0
}

# caches_make: makes the caches over /dev/vda to /dev/vdg; dm-cache and bcache have their memory in /dev/ram1 and /dev/ram2.
caches_make() {
	local path
	disks_touch 384M /dev/vda /dev/vdb /dev/vdc /dev/vdd /dev/vde
	cache_add bare /dev/vda /dev/vda
	path=$(map_cache --size $CACHE_SIZE /dev/vdb) || fail "no cache over vdb"
	cache_add rxcache /dev/vdb "/dev/$path"
	if [ -b /dev/ram2 ]; then
		path=$(make_dm_cache /dev/ram1 /dev/vdc) && cache_add dm-cache /dev/vdc "$path"
		path=$(make_bcache /dev/ram2 /dev/vdd) && cache_add bcache /dev/vdd "$path"
	fi
	cache_add dm-linear /dev/vde "$(make_dm bench-linear "0 $(sectors_of /dev/vde) linear /dev/vde 0")"
	cache_add slow /dev/vdf /dev/vdf
	path=$(map_cache --size 32M /dev/vdg) || fail "no cache over vdg"
	cache_add slow-rxcache /dev/vdg "/dev/$path"
	note "# caches: ${caches[*]}"
}

origin_reads() { io_of "${cache_origin[$1]}" reads; }

# is_compared NAME: whether NAME is a cache that is compared with other caches.
is_compared() { case $1 in bare | dm-linear | slow*) return 1 ;; esac; }

# cache_warm NAME: reads the hot set until none of it comes from the origin. Some caches promote a block only after several reads of
# it, and in the background.
cache_warm() {
	local name=$1 before pass blocks=$(($(bytes_of "$HOT_SIZE") / 4096))
	is_compared "$name" || return 0
	if [ "$name" = page-cache ]; then
		# A bio goes past it.
		dd if="${cache_path[$name]}" of=/dev/null bs=4K count="$blocks" status=none
		return
	fi
	for pass in $(seq 40); do
		before=$(origin_reads "$name")
		bio "dev=${cache_path[$name]} rw=read size=4K span=$HOT_SIZE bios=$blocks ms=60000" >/dev/null
		[ "$(origin_reads "$name")" != "$before" ] || return 0
		sleep 0.2
	done
	note "# $name: not all of the hot set is cached, $(($(origin_reads "$name") - before)) of $blocks blocks were read in pass $pass"
}

caches_warm() {
	local name
	for name in "${caches[@]}"; do cache_warm "$name"; done
}
