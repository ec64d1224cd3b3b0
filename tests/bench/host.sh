# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the benches (run, native, lab, price) and vm/replay share on the host's side, over vm/lib.sh: their help, a folder that goes
# with them, a machine that ends with them.

RX_BENCH=$RX_TREE/tests/bench
tmp='' machine_pid=''

# usage: the comment at the script's head.
usage() { sed -n '3,/^set -e/{/^#/s/^# \{0,1\}//p}' "$0"; }

# counts WHO OPTION VALUE…: each value is a number from 1, or the script ends.
counts() {
	local who=$1
	shift
	while [ $# -gt 0 ]; do
		[[ $2 =~ ^[1-9][0-9]*$ ]] || die "$who: $1 is a number from 1"
		shift 2
	done
}

# stock_kernel WHO KERNEL: or the script ends.
stock_kernel() {
	kernel_suite "$2" >/dev/null
	! kernel_built "$2" || die "$1: $2 checks itself, or is no machine: its figures say nothing"
}

finish() {
	local rc=$?
	# Whoever ends a whole group of processes may do it twice.
	trap - EXIT
	trap '' INT TERM HUP
	if [ -n "$machine_pid" ]; then
		kill -TERM "$machine_pid" 2>/dev/null || true
		wait "$machine_pid" 2>/dev/null || true
	fi
	[ -z "$tmp" ] || rm -rf "$tmp"
	exit "$rc"
}

# From here on there is a folder $tmp.
work_begin() {
	trap finish EXIT
	trap 'exit 130' INT TERM HUP
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/rxbench.XXXXXX")
}

# machine_wait PID: for its end, which comes with the script's own at the latest.
machine_wait() {
	local rc=0
	machine_pid=$1
	wait "$machine_pid" || rc=$?
	machine_pid=''
	return "$rc"
}

# vm_bench HIDE ARGUMENT…: tests/vm/run with these arguments. All that the guest prints is in $tmp/log, and on the terminal are
# the lines that HIDE does not match.
vm_bench() {
	local hide=$1 rc=0
	shift
	: >"$tmp/log.raw"
	"$RX_VM/run" "$@" >"$tmp/log.raw" 2>&1 </dev/null &
	machine_pid=$!
	tail -n +1 -f --pid="$machine_pid" "$tmp/log.raw" | grep --line-buffered -vE "$hide" &
	machine_wait "$machine_pid" || rc=$?
	tr -d '\r' <"$tmp/log.raw" >"$tmp/log"
	return "$rc"
}

# vm_about KERNEL: what the figures of such a machine come from.
vm_about() {
	"$RX_BENCH/about" "$(kernel_release "$1"), QEMU, $(cat "$RX_CACHE/kvm-$(cat /proc/sys/kernel/random/boot_id)"), 2 CPUs"
}
