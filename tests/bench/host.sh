# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the host's side of the benches and vm/replay: their help, a temporary folder that is removed at the end, and a machine
# that ends with the script. Needs vm/lib.sh.

RX_BENCH=$RX_TREE/tests/bench
tmp='' machine_pid=''

# usage: prints the comment at the script's head.
usage() { sed -n '3,/^set -e/{/^#/s/^# \{0,1\}//p}' "$0"; }

# counts WHO OPTION VALUE…: ends the script if a value is not a number from 1.
counts() {
	local who=$1
	shift
	while [ $# -gt 0 ]; do
		[[ $2 =~ ^[1-9][0-9]*$ ]] || die "$who: $1 is a number from 1"
		shift 2
	done
}

# trace_put WHO FILE FOLDER: copies a trace, NAME.rxt or NAME.rxt.xz, to FOLDER as NAME.rxt, or ends the script.
trace_put() {
	case $2 in
	*.rxt.xz) xz -dc -- "$2" >"$3/$(basename "$2" .xz)" || die "$1: $2: can't unpack it" ;;
	*.rxt) cp -- "$2" "$3/" || exit 1 ;;
	*) die "$1: $2: not a .rxt or .rxt.xz" ;;
	esac
}

# stock_kernel WHO KERNEL: ends the script if the kernel is not a stock kernel.
stock_kernel() {
	kernel_suite "$2" >/dev/null
	! kernel_built "$2" || die "$1: $2 checks itself, or is no machine: its figures say nothing"
}

finish() {
	local rc=$?
	# A signal to the whole process group may come twice.
	trap - EXIT
	trap '' INT TERM HUP
	if [ -n "$machine_pid" ]; then
		kill -TERM "$machine_pid" 2>/dev/null || true
		wait "$machine_pid" 2>/dev/null || true
	fi
	[ -z "$tmp" ] || rm -rf "$tmp"
	exit "$rc"
}

# Makes the folder $tmp, which is removed at the end.
work_begin() {
	trap finish EXIT
	trap 'exit 130' INT TERM HUP
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/rxbench.XXXXXX")
}

# machine_wait PID: waits for the end of the machine. If the script ends first, it kills the machine.
machine_wait() {
	local rc=0
	machine_pid=$1
	wait "$machine_pid" || rc=$?
	machine_pid=''
	return "$rc"
}

# vm_bench HIDE ARGUMENT…: starts tests/vm/run with these arguments. The guest's output is in $tmp/log, and the terminal shows the
# lines that do not match HIDE.
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

# vm_about KERNEL: prints a line that says on what the figures of such a machine were measured.
vm_about() {
	"$RX_BENCH/about" "$(kernel_release "$1"), QEMU, $(cat "$RX_CACHE/kvm-$(cat /proc/sys/kernel/random/boot_id)"), 2 CPUs"
}
