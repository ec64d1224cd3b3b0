# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the tests of shortage share. An OOM kill fails a test by its lines in the kernel's log.

available() { echo $(($(mem_kb MemAvailable) / 1024)); }
free_mib() { echo $(($(mem_kb MemFree) / 1024)); }
# So that no test needs to fill gigabytes first.
small_machine() { [ "$(mem_kb MemTotal)" -lt 4194304 ] || skip "needs a machine with less than 4 GiB of memory"; }

# ballast MIB: takes all memory but so much; on a RAM disk, so that it can't be swapped out.
ballast() {
	d_ballast=$(attach_disk 64G)
	drop_caches
	size=$(($(available) - $1))
	[ $size -gt 0 ] || skip "only $(available) MiB are available"
	dd if=/dev/zero of="/dev/$d_ballast" bs=1M count=$size oflag=direct status=none ||
		fail "no ballast of $size MiB, $1 MiB of memory cannot be left: available $(available) MiB"
}

# group NAME MIB: a memory cgroup.
group() {
	grep -qw memory /sys/fs/cgroup/cgroup.controllers 2>/dev/null || skip "no memory cgroups"
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir "/sys/fs/cgroup/rxt-$1"
	defer "wait_for 10 rmdir /sys/fs/cgroup/rxt-$1"
	echo "$2M" >"/sys/fs/cgroup/rxt-$1/memory.max"
}
event_of() { awk -v e="$2" '$1 == e { print $2 }' "/sys/fs/cgroup/rxt-$1/memory.events"; }

# hog_begin NAME MIB [GROUP [holes]]: in the background, until hog_end.
hog_begin() {
	rm -f "ready.$1"
	begin sh -c 'echo $$ >"$0" && exec hog "$@"' "/sys/fs/cgroup/${3:+rxt-$3/}cgroup.procs" "${2}M" "$RX_TMP/ready.$1" "${4:-}"
	echo "$rx_pid" >"pid.$1"
	defer "kill -KILL $rx_pid"
}
# hog_ready NAME SECONDS: whether it has all of its memory; it may have been killed, too.
hog_ready() {
	wait_for $(($2 * $(checked_kernel && echo 3 || echo 1))) hog_decided "$1" || true
	test -e "ready.$1"
}
hog_decided() { [ -e "ready.$1" ] || ! grep -q "^State:.[^Z]" "/proc/$(cat "pid.$1")/status"; }
# hog_end PID: its own exit status.
hog_end() {
	kill -TERM "$1" 2>/dev/null || true
	wait "$1"
}
