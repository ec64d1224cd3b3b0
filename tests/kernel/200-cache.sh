# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the tests of the cache share; they source this as "$here/kernel/200-cache.sh".

# make_origin NAME SIZE [WORD…]: an origin that does what the test says (helpers/origin.c), prints its path.
make_origin() {
	modprobe nbd max_part=0
	rx_o=$RX_TMP/$1
	mkdir "$rx_o"
	shift
	defer "origin $rx_o stop"
	origin start "$rx_o" "$@"
}

# ctl NAME COMMAND…: tells it. What is held when a test ends must not be in the way of its end.
ctl() {
	rx_o=$RX_TMP/$1
	shift
	[ "$1" != hold ] || defer "origin $rx_o pass; origin $rx_o release"
	origin "$rx_o" "$@"
}

# block_sizes SIZE…: those that this machine can have, for a block is no smaller than a page.
block_sizes() {
	rx_least=$(page_bytes)
	for rx_b in "$@"; do [ "$rx_b" -lt "$rx_least" ] || echo "$rx_b"; done
}

# counts_of CACHE COUNTER…: several counters at once, with spaces between.
counts_of() {
	rx_c=$1
	shift
	rxadm stat "$rx_c" --json | jq -r --arg names "$*" \
		'.caches[0].stats as $s | [$names | split(" ")[] | $s[.]] | map(tostring) | join(" ")'
}

# blocks_read CACHE: the sum that must hold: how many blocks reads have touched.
blocks_read() {
	rxadm stat "$1" --json | jq '.caches[0].stats | .read_hit + .read_miss + .read_join + .read_bypass_memory
		+ .read_bypass_write + .read_bypass_fill + .read_bypass_mode + .read_bypass_frozen'
}

# blocks_written CACHE: likewise.
blocks_written() {
	rxadm stat "$1" --json | jq '.caches[0].stats | .write_update + .write_allocate + .write_bypass'
}

# The counters of $c, into the file "counts".
read_counters() { rxadm stat "$c" --json | jq '.caches[0].stats' >counts; }

# counted EXPRESSION: of jq, what has to hold of "counts"; else the test has tested nothing.
counted() { jq -e "$1" counts >/dev/null || fail "not so: $1: $(jq -c . counts)"; }

# counts_until EXPRESSION CMD…: again and again, until the counters of $c say that it has met all that it should: a slow machine does
# little in one. At least eight times, and a minute, before that is given up.
counts_until() {
	rx_demand=$1 rx_left=8 rx_until=$(($(uptime_ms) + 60000))
	shift
	while :; do
		"$@"
		read_counters
		rx_left=$((rx_left - 1))
		! jq -e "$rx_demand" counts >/dev/null || return 0
		[ $rx_left -gt 0 ] || [ "$(uptime_ms)" -lt "$rx_until" ] || counted "$rx_demand"
	done
}

# linear_until EXPRESSION ARGUMENT…: the same with histories of $c that are linearizable.
linear_until() {
	rx_expression=$1
	shift
	counts_until "$rx_expression" check "linearizable" linear "$@"
}

# read_at DEVICE OFFSET LENGTH: one direct read.
read_at() { readers "$1" "$2" "$3" 1 1 >/dev/null; }

# begin CMD…: in the background; "wait $rx_pid" then says how it ended.
begin() {
	"$@" &
	rx_pid=$!
}

# No page cache of a block device may answer for the device.
forget() {
	for rx_d in "$@"; do blockdev --flushbufs "$rx_d"; done
}

# in_flight DEVICE N: whether so many requests of it, or more, are under way.
in_flight() { [ "$(awk '{ print $1 + $2 }' "/sys/dev/block/$(lsblk -dno MAJ:MIN "$1" | tr -d ' ')/inflight")" -ge "$2" ]; }

# What holds no block is kept for the next ones, and shown so by the disk.
nothing_in_flight() { [ "$(list_of "$c" slack)" = "$(list_of "$(list_of "$c" disk)" freeing)" ]; }

# caches_of DISK: those that share it, with commas.
caches_of() { rxadm list "$1" --json | jq -r '.disks[0].caches | join(",")'; }

# balance CACHE: blocks that came, less those that went and those that it holds, in bytes of the origin; must be 0.
balance() {
	rxadm stat "$1" --json | jq '.caches[0] | (.stats | .fill + .write_allocate - .evict - .reclaim - .invalidate) * (.block // 4096)
		- (.cached - (.compressed_memory // 0) + (.compressed // 0))'
}

# real_data BYTES: what programs and texts of this machine look like. No constants, and nothing that was compressed before.
real_data() {
	find /bin /sbin /lib /usr/bin /usr/lib /usr/share /rx -xdev -type f ! -name '*.gz' ! -name '*.xz' ! -name '*.ko*' 2>/dev/null |
		sort | head -n 3000 | xargs cat 2>/dev/null | head -c "$1"
}
