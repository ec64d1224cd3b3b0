# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions for the tests of memory that only some users can have. An OOM kill fails a test by its lines in the kernel's log.

min_free=/sys/module/rxdsk/parameters/min_free

# set_floor MIB
set_floor() {
	defer "echo $(cat $min_free) >$min_free"
	echo "$1" >$min_free
}

cpu_lists=/proc/sys/vm/percpu_pagelist_high_fraction
# From Linux 6.7 on a processor's own list grows to an eighth of a node's memory. A process that is bound to the node can't
# have these pages from another processor, and is killed beside them. Here they stay at a few hundred.
short_cpu_lists() {
	defer "echo $(cat $cpu_lists) >$cpu_lists"
	echo 1000000 >$cpu_lists
	empty_cpu_lists
}
# Gives what is above that back now; the kernel would do so within seconds.
empty_cpu_lists() { cat /proc/sys/vm/stat_refresh >/dev/null; }

# zone_mib MOVABLE CMA [NODE]: MiB free in zones for movable pages only (1) or in the others (0), with CMA areas (1) or without.
# Pages on the processors' own lists ("count:") are free, too: from Linux 6.7 on one refill takes up to 8 MiB there.
zone_mib() {
	awk -v want="$1" -v cma="$2" -v node="${3:-}" -v page="$(page_bytes)" '
		$1 == "Node" { mine = ($4 == "Movable") == want && (node == "" || $2 == node ",") }
		mine && $1 == "nr_free_pages" { n += $2 }
		mine && $1 == "count:" { n += $2 }
		mine && !cma && $1 == "nr_free_cma" { n -= $2 }
		END { printf "%d\n", n * page / 1048576 }' /proc/zoneinfo
}
# MiB free that the kernel itself can use, and so a disk: in all, or on node $1.
# shellcheck disable=SC2120
kernel_free() { zone_mib 0 0 "${1:-}"; }
movable_free() { zone_mib 1 1; }
# What the kernel has reserved for the drivers' contiguous buffers; 0 without them.
cma_mib() { awk '$1 == "CmaTotal:" { n = $2 } END { print int(n / 1024) }' /proc/meminfo; }
# mark_mib min|low|high [NODE]: MiB of the zones' watermarks.
mark_mib() {
	awk -v mark="$1" -v node="${2:-}" -v page="$(page_bytes)" '$1 == "Node" { mine = node == "" || $2 == node "," }
		mine && $1 == mark { n += $2 } END { printf "%d\n", n * page / 1048576 }' /proc/zoneinfo
}
# As much, and again twice of it or the floor, is left alone.
# shellcheck disable=SC2120
high_mib() { mark_mib high "$@"; }

# Somebody who needs a little memory ten times a second, for a new process each time. Writes the longest time between two
# of these into "pause".
beat_begin() {
	: >beating
	echo 0 >pause
	(
		last=$(uptime_ms)
		while [ -e beating ]; do
			sleep 0.1
			now=$(uptime_ms)
			[ $((now - last)) -le "$(cat pause)" ] || echo $((now - last)) >pause
			last=$now
		done
	) &
	beat=$!
	defer "rm -f $RX_TMP/beating"
}
# Whether it went on all the time.
beat_end() {
	rm -f beating
	wait $beat
	note "the longest pause of a process that forks: $(cat pause) ms"
	between "ms that a process stood still" 1 $((20000 * ${RX_SLOW:-1})) "$(cat pause)"
}

# fill_up MIB: $d until it refuses, directly, by several at once and through the page cache, with the floor at MIB; each
# time the kernel has as much left.
fill_up() {
	# Whoever asks takes some memory for himself, and with detectors KASAN remembers what they did.
	least=$(($1 - 8 * $(checked_kernel && echo 4 || echo 1)))
	before=$(kernel_free)
	start=$(uptime_ms)
	refused "fill" 1 "No space" dd if=/dev/zero of="/dev/$d" bs=1M oflag=direct
	took=$(($(disk_used "$d") >> 20))
	note "the disk took $took of $before MiB in $(($(uptime_ms) - start)) ms, $(kernel_free) are free"
	between "MiB left to the kernel" $least 1000000 "$(kernel_free)"
	between "MiB that the disk took" $((before - $1 - 3 * $(high_mib) - 120)) $((before + 16)) "$took"
	must_fail "many at once" fio --name=many --filename="/dev/$d" --direct=1 --ioengine=io_uring --iodepth=16 --rw=randwrite \
		--bs=64k --offset=32g --size=1g --numjobs=2 --minimal
	between "MiB left by many" $least 1000000 "$(kernel_free)"
	refused "through the page cache" 1 "No space left|Input/output error" dd if=/dev/zero of="/dev/$d" bs=1M seek=49152 \
		count=128 conv=fsync
	drop_caches
	between "MiB left by the page cache" $least 1000000 "$(kernel_free)"
}

nobody_killed() { expect "nobody was killed" 0 "$(dmesg | grep -c 'Killed process')"; }
