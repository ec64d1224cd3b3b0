# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of the tests in tests/kernel and their runner. POSIX sh: busybox in the guest, dash or bash on a real machine.
#
# A test runs under "set -eu" in a shell of its own: a command that fails ends it as failed. RX_TMP is its own empty folder.
# A function that prints a device (attach_disk, make_null_blk, …) also removes it at the test's end, even if called in $(…).

# A line of the kernel's log that matches this regex fails the test that ran. DMESG_OK is a regex of lines that a test provokes.
# How many objects kmemleak suspects is no such line: leaks_list looks at them.
RX_DMESG_BAD='WARNING:|BUG:|BUG |Oops|general protection fault|possible (recursive|circular)|inconsistent lock|suspicious RCU'
RX_DMESG_BAD="$RX_DMESG_BAD|INFO: task|INFO: rcu|INFO: lockdep|rcu:.*(stall|kthread starved)|blocked for more than|soft lockup|hard LOCKUP"
RX_DMESG_BAD="$RX_DMESG_BAD|KASAN|KCSAN|KFENCE|UBSAN|kmemleak: [^0-9]|Call Trace|Kernel panic|refcount_t:|corruption|[Bb]ad page|double free"
RX_DMESG_BAD="$RX_DMESG_BAD|use-after-free|Slab cache still has objects|Objects remaining|ODEBUG|oom-kill|Out of memory|invoked oom-killer"
RX_DMESG_BAD="$RX_DMESG_BAD|scheduling while atomic|sleeping function called|segfault at|nested lock was not taken|held lock freed"

# Writes a line to the kernel's log, for readers of the log.
dmesg_say() { echo "rx-test: $*" >/dev/kmsg 2>/dev/null || true; }

# Skips the log up to its present end: dmesg_judge looks only at later lines.
dmesg_begin() { RX_MARK=$(dmesg | tail -n 1); }

# dmesg_judge LINES: sets rx_bad to the first bad lines since the last call, and moves the mark to the last line that it has read.
# Time stamps make lines unique. If the marked line has left the kernel's ring buffer, all lines in the buffer are newer.
dmesg_judge() {
	dmesg >"${TMPDIR:-/tmp}/rx-dmesg.$$"
	rx_bad=$(rx_mark=$RX_MARK awk 'NR == FNR { if ($0 == ENVIRON["rx_mark"]) judged = FNR; next } FNR > judged' \
		"${TMPDIR:-/tmp}/rx-dmesg.$$" "${TMPDIR:-/tmp}/rx-dmesg.$$" | dmesg_bad "$1")
	RX_MARK=$(tail -n 1 "${TMPDIR:-/tmp}/rx-dmesg.$$")
	rm -f "${TMPDIR:-/tmp}/rx-dmesg.$$"
}

# KCSAN finds data races all over the stock kernel, also below our calls into it (for example in the writeback throttling of a
# request that we end). A report counts if a function of ours made one of the two accesses, itself or through at most two callees.
# Two are enough for the kernel's functions of trees, lists and arrays.
kcsan_ours() {
	awk '/BUG: KCSAN/ { open = 1; ours = 0; report = "" }
		!open { print; next }
		{ report = report $0 "\n"; frame++ }
		/ by (task|interrupt)/ { frame = 0 }
		frame <= 3 && /\[(rxdsk|rxcache|rxt[a-z]+)\]/ { ours = 1 }
		/ ==========/ { open = 0; if (ours) printf "%s", report }
		END { if (open && ours) printf "%s", report }'
}

# Where the detectors have taken the memory, others get none now and then, and the kernel tells that with a trace. On a kernel that
# checks itself such a report counts only if a function of ours is in it. One that has no end counts.
failed_allocations_ours() {
	checked_kernel || { cat && return; }
	awk '!open && /page allocation failure/ { open = 80; ours = 0; report = "" }
		!open { print; next }
		{ report = report $0 "\n"; open-- }
		/\[(rxdsk|rxcache|rxt[a-z]+)\]/ || !open { ours = 1 }
		/Mem-Info:/ || !open { open = 0; if (ours) printf "%s", report }
		END { if (open) printf "%s", report }'
}

# dmesg_bad LINES: prints each bad line with the 45 lines after it, which have the stack; at most LINES lines in all.
dmesg_bad() {
	kcsan_ours | failed_allocations_ours | grep -vE "${DMESG_OK:-^\$}" | grep -E -A 45 "$RX_DMESG_BAD" | head -n "$1"
}

# A report of bad memory or bad data switches lockdep off. Lockdep has then not checked the rest of the run, so the run fails.
lockdep_off() {
	[ -r /proc/lockdep_stats ] && grep -q 'debug_locks: *0' /proc/lockdep_stats
}

RX_KMEMLEAK=/sys/kernel/debug/kmemleak

# Forgets the leaks found until now, which are not ours. Kmemleak reports an object after two scans in a row found no pointer to it.
leaks_forget() {
	[ -w $RX_KMEMLEAK ] || return 0
	for rx_cmd in scan scan clear; do echo $rx_cmd >$RX_KMEMLEAK; done
}

# leaks_symbols FILE: saves the addresses of our functions, because kmemleak can't name them after the modules are unloaded.
leaks_symbols() {
	[ ! -w $RX_KMEMLEAK ] || awk '/\t\[rx/ { print $1, $3 $4 }' /proc/kallsyms | sort >"$1"
}

# leaks_list FILE: prints the leaks since leaks_forget, with the symbols in FILE. Kmemleak ignores objects younger than 5 s. What the
# kernel's own start has lost is not ours, and some of it is found late.
leaks_list() {
	[ -w $RX_KMEMLEAK ] || return 0
	sleep 6
	# Kmemleak switches itself off when it gets no memory, and then finds nothing.
	for rx_cmd in scan scan; do
		echo $rx_cmd >$RX_KMEMLEAK || { echo "unreferenced: unknown, kmemleak is off" && return 0; }
	done
	awk 'FILENAME == ARGV[1] { at[NR] = $1; name[NR] = $2; n = NR; next }
		/^unreferenced/ { object = $0; next }
		object != "" { start = /comm "swapper\/[0-9]+", pid 1,/; if (!start) print object; object = "" }
		start { next }
		match($0, / 0x[0-9a-f]+$/) {
			a = substr($0, RSTART + 3)
			for (i = n; i > 0 && at[i] "" > a ""; i--) ;
			if (i > 0) $0 = $0 " " name[i]
		}
		{ print }' "$1" $RX_KMEMLEAK
}

note() { printf '%s\n' "$*"; }

fail() {
	printf 'FAIL: %s\n' "$*" >&2
	exit 1
}

skip() {
	printf '%s\n' "$*" >"$RX_TMP/.skip"
	exit 4
}

# check WHAT CMD…: CMD must succeed.
check() {
	rx_what=$1 rx_rc=0
	shift
	"$@" || rx_rc=$?
	[ "$rx_rc" = 0 ] || fail "$rx_what (exit $rx_rc from: $*)"
}

# expect WHAT WANT GOT
expect() {
	[ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"
}

# between WHAT LOW HIGH GOT
between() {
	{ [ "$4" -ge "$2" ] && [ "$4" -le "$3" ]; } || fail "$1: wanted $2 to $3, got '$4'"
}

# refused WHAT CODE TEXT CMD…: CMD must exit with CODE and say TEXT (a regex) on stderr.
refused() {
	rx_what=$1 rx_code=$2 rx_text=$3 rx_rc=0
	shift 3
	"$@" >"$RX_TMP/.out" 2>"$RX_TMP/.err" || rx_rc=$?
	[ "$rx_rc" = "$rx_code" ] || fail "$rx_what: exit $rx_rc instead of $rx_code from: $* ($(cat "$RX_TMP/.err"))"
	grep -qE -e "$rx_text" "$RX_TMP/.err" || fail "$rx_what: no '$rx_text' in: $(cat "$RX_TMP/.err")"
}

# unchecked CMD…: rxadm finds nothing wrong by itself, so the kernel has to.
unchecked() { RXADM_NO_PREFLIGHT=1 "$@"; }

# must_fail WHAT CMD…: CMD must fail, with any status.
must_fail() {
	rx_what=$1
	shift
	if "$@" >"$RX_TMP/.out" 2>&1; then
		fail "$rx_what: succeeded: $*"
	fi
}

# defer CMD-LINE: runs CMD-LINE at the test's end; the last deferred line runs first. Works in a subshell, too.
defer() { printf '%s\n' "$*" >>"$RX_TMP/.defer"; }

deferred_run() {
	[ -e "$RX_TMP/.defer" ] || return 0
	tac "$RX_TMP/.defer" >"$RX_TMP/.defer.now"
	rm -f "$RX_TMP/.defer"
	while IFS= read -r rx_line; do
		eval "$rx_line" >/dev/null 2>&1 || true
	done <"$RX_TMP/.defer.now"
}

# rounds FULL LIGHT: prints the first number, or the second in an everyday run (tests/run -e).
rounds() { if [ -n "${RX_LIGHT:-}" ]; then echo "$2"; else echo "$1"; fi; }

# once_in COUNT CMD…: tries CMD until it succeeds; status 1 if none of COUNT tries does. For what takes longer than a limit each time
# if there is a fault, and now and then if the host is busy.
once_in() {
	rx_tries=$1
	shift
	while ! "$@"; do
		rx_tries=$((rx_tries - 1))
		[ $rx_tries -gt 0 ] || return 1
	done
}

# wait_for SECONDS CMD…: polls until CMD succeeds; status 1 if it does not within SECONDS, by the machine's clock. For conditions that
# send no event.
wait_for() {
	rx_end=$(($(clock_ms) + $1 * 1000))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ "$(clock_ms)" -lt "$rx_end" ] || return 1
		sleep 0.05
	done
}

# The size of a page of the kernel: 4 KiB, on arm64 also 16 KiB or 64 KiB.
page_bytes() { awk '$1 == "KernelPageSize:" { print $2 * 1024; exit }' /proc/self/smaps; }

uptime_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }

# The time in which this machine could run, in milliseconds. A virtual machine has a clock of its host (vm/clock), which stands still
# while the host's processors do other work; it is half a second old at most. A machine without it has its own time.
clock_ms() {
	if [ -s /run/rx-clock ]; then awk '{ printf "%d\n", $1 * 1000 }' /run/rx-clock; else uptime_ms; fi
}

# The processor time that this machine took, in milliseconds: on the host, or without its clock in this machine.
cpu_ms() {
	if [ -s /run/rx-clock ]; then
		awk '{ printf "%d\n", $2 * 1000 }' /run/rx-clock
	else
		awk '$1 == "cpu" { printf "%d\n", ($2 + $3 + $4 + $7 + $8) * 10; exit }' /proc/stat
	fi
}

# clock_wait SECONDS: returns after that time of the machine's clock.
clock_wait() {
	rx_until=$(($(clock_ms) + $1 * 1000))
	while [ "$(clock_ms)" -lt "$rx_until" ]; do sleep 1; done
}

# Whether the kernel has detectors (6.12-debug, 6.12-kcsan). Such a kernel is several times slower, and needs more memory per object.
checked_kernel() { [ -e $RX_KMEMLEAK ] || [ -e /sys/kernel/debug/kcsan ]; }

have_module() { modinfo "$1" >/dev/null 2>&1 || [ -d "/sys/module/$(echo "$1" | tr - _)" ]; }
have_program() { command -v "$1" >/dev/null 2>&1; }
kernel_at_least() { [ "$(printf '%s\n%s\n' "$1" "$(uname -r | cut -d- -f1)" | sort -V | head -n 1)" = "$1" ]; }

# unmet LIST…: for requires(): prints the first of "module:x program:x disk disk2 page:4K" that this machine lacks. page:4K is for
# tests that count blocks of 4 KiB one by one.
unmet() {
	for rx_need in "$@"; do
		case $rx_need in
		module:*) have_module "${rx_need#*:}" || { echo "no module ${rx_need#*:}" && return; } ;;
		program:*) have_program "${rx_need#*:}" || { echo "no program ${rx_need#*:}" && return; } ;;
		page:4K) [ "$(page_bytes)" = 4096 ] || { echo "pages are of $(($(page_bytes) >> 10)) KiB, it counts blocks of 4 KiB" && return; } ;;
		disk) test_disk 0 >/dev/null || { echo "no spare disk (RX_TEST_DISKS)" && return; } ;;
		disk2) test_disk 1 >/dev/null || { echo "no second spare disk (RX_TEST_DISKS)" && return; } ;;
		*) echo "requires: unknown need '$rx_need'" && return ;;
		esac
	done
}

# test_disk N: prints a real disk (in the guest: a virtio disk) that a test may overwrite.
test_disk() {
	if [ -n "${RX_GUEST:-}" ]; then
		if [ -b /dev/vda ]; then set -- "$1" /dev/vda /dev/vdb; else set -- "$1" /dev/ubda /dev/ubdb; fi
	else
		# shellcheck disable=SC2086
		set -- "$1" ${RX_TEST_DISKS:-}
	fi
	shift $(($1 + 1)) 2>/dev/null || return 1
	[ -b "${1:-}" ] || return 1
	echo "$1"
}

# --- rxdsk and rxcache -------------------------------------------------------

# attach_disk SIZE [OPTION…]: prints the new disk's name. RX_ATTACH: options for all disks of a test.
attach_disk() {
	# shellcheck disable=SC2086
	rx_name=$(rxadm attach "$@" ${RX_ATTACH:-}) || return 1
	defer "rxadm detach $rx_name"
	echo "$rx_name"
}

# map_cache DISK ORIGIN [OPTION…] or map_cache --size S ORIGIN …: prints the new cache's name.
map_cache() {
	# shellcheck disable=SC2086 # options for all caches of a run, for example RX_MAP="--read-ahead auto"
	rx_name=$(rxadm map ${RX_MAP:-} "$@") || return 1
	defer "rxadm unmap $rx_name"
	echo "$rx_name"
}

# stat_of rxc0 read_hit: one counter.
stat_of() {
	rxadm stat "$1" --json | jq -e --arg n "$1" --arg k "$2" \
		'[.disks[]?, .caches[]?][] | select(.name == $n) | .stats[$k] // .[$k]'
}

# list_of rxd0 used: one field of the list.
list_of() {
	rxadm list --json | jq -r --arg n "$1" --arg k "$2" '[.disks[]?, .caches[]?][] | select(.name == $n) | .[$k]'
}

disk_used() { list_of "$1" used; }
state_is() { [ "$(list_of "$1" state)" = "$2" ]; }

devices_of_ours() {
	for rx_d in /sys/block/rxc[0-9]* /sys/block/rxd[0-9]*; do
		[ ! -d "$rx_d" ] || echo "${rx_d##*/}"
	done
}

# --- other devices -----------------------------------------------------------

configfs_mount() {
	modprobe configfs
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
}

# make_null_blk SIZE [key=value…]: a memory-backed null_blk, prints its /dev path. Keys as in configfs (blocksize=4096 …).
make_null_blk() {
	configfs_mount
	[ -d /sys/module/null_blk ] || modprobe null_blk nr_devices=0
	rx_n=0
	while ! mkdir "/sys/kernel/config/nullb/rxt$rx_n" 2>/dev/null; do
		rx_n=$((rx_n + 1))
		[ $rx_n -lt 100 ] || return 1
	done
	rx_d=/sys/kernel/config/nullb/rxt$rx_n
	defer "echo 0 >$rx_d/power; rmdir $rx_d"
	echo "$(($(bytes_of "$1") / 1048576))" >"$rx_d/size"
	echo 1 >"$rx_d/memory_backed"
	shift
	for rx_kv in "$@"; do
		echo "${rx_kv#*=}" >"$rx_d/${rx_kv%%=*}" || fail "null_blk: can't set $rx_kv"
	done
	echo 1 >"$rx_d/power"
	if [ -b "/dev/rxt$rx_n" ]; then
		echo "/dev/rxt$rx_n"
	else
		echo "/dev/nullb$(cat "$rx_d/index")"
	fi
}

# null_blk_off DEVICE: the device goes away, as if unplugged. Old kernels name it by a number and not as configfs does.
null_blk_off() {
	rx_d=/sys/kernel/config/nullb/${1##*/}
	[ -d "$rx_d" ] || rx_d=$(grep -lx "${1##*/nullb}" /sys/kernel/config/nullb/*/index) || return 1
	echo 0 >"${rx_d%/index}/power"
}

# make_dm NAME TABLE: a device-mapper device, prints /dev/mapper/rxt-NAME; dm_table changes it under I/O later.
make_dm() {
	dmsetup create "rxt-$1" --table "$2" || return 1
	defer "dmsetup remove --retry rxt-$1"
	echo "/dev/mapper/rxt-$1"
}

dm_table() {
	dmsetup suspend --nolockfs --noflush "rxt-$1"
	dmsetup reload "rxt-$1" --table "$2"
	dmsetup resume "rxt-$1"
}

sectors_of() { blockdev --getsz "$1"; }

# make_delay DEV READ_MS [WRITE_MS]
make_delay() {
	modprobe dm-delay
	make_dm "delay-${1##*/}" "0 $(sectors_of "$1") delay $1 0 $2 $1 0 ${3:-$2}"
}

# make_linear DEV: a linear device over DEV, which dm_fail can break and dm_heal can mend.
make_linear() { make_dm "lin-${1##*/}" "0 $(sectors_of "$1") linear $1 0"; }
dm_fail() { dm_table "lin-${1##*/}" "0 $(sectors_of "$1") error"; }
dm_heal() { dm_table "lin-${1##*/}" "0 $(sectors_of "$1") linear $1 0"; }

# dm_fail_writes DEV: writes get EIO, reads still work.
dm_fail_writes() {
	modprobe dm-flakey
	dm_table "lin-${1##*/}" "0 $(sectors_of "$1") flakey $1 0 0 3600 1 error_writes"
}

# make_loop SIZE [LOSETUP-OPTION…]: a loop device over a sparse file in memory, prints its path.
make_loop() {
	modprobe loop
	rx_f=$(mktemp "$RX_TMP/loop.XXXXXX")
	truncate -s "$(bytes_of "$1")" "$rx_f"
	shift
	rx_l=$(losetup -f --show "$@" "$rx_f") || return 1
	defer "losetup -d $rx_l; rm -f $rx_f"
	echo "$rx_l"
}

# make_scsi_debug key=value…: prints /dev/sdX.
make_scsi_debug() {
	modprobe -r scsi_debug 2>/dev/null || true
	modprobe sd_mod
	modprobe scsi_debug "$@" || return 1
	defer "wait_for 10 modprobe -r scsi_debug"
	wait_for 10 scsi_debug_disk || return 1
	scsi_debug_disk
}

scsi_debug_disk() {
	for rx_d in /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/sd*; do
		[ -b "/dev/${rx_d##*/}" ] && echo "/dev/${rx_d##*/}" && return 0
	done
	return 1
}

# --- numbers -----------------------------------------------------------------

# bytes_of 4K|16M|1G|2T|512
bytes_of() {
	case $1 in
	*K) echo $((${1%K} << 10)) ;;
	*M) echo $((${1%M} << 20)) ;;
	*G) echo $((${1%G} << 30)) ;;
	*T) echo $((${1%T} << 40)) ;;
	*) echo "$1" ;;
	esac
}

# io_of DEV FIELD: a column of the block layer's counters (Documentation/block/stat.rst).
io_of() {
	rx_s=/sys/block/$(basename "$(readlink -f "$1" 2>/dev/null || echo "$1")")/stat
	case $2 in
	reads) awk '{ print $1 }' "$rx_s" ;;
	read_sectors) awk '{ print $3 }' "$rx_s" ;;
	writes) awk '{ print $5 }' "$rx_s" ;;
	write_sectors) awk '{ print $7 }' "$rx_s" ;;
	discards) awk '{ print $12 }' "$rx_s" ;;
	discard_sectors) awk '{ print $14 }' "$rx_s" ;;
	flushes) awk '{ print $16 }' "$rx_s" ;;
	*) fail "io_of: no field '$2'" ;;
	esac
}

limit_of() { cat "/sys/block/${1##*/}/queue/$2"; }
mem_kb() { awk -v k="$1:" '$1 == k { print $2 }' /proc/meminfo; }
# MemAvailable without free CMA memory, which a disk never takes.
usable_kb() { awk '$1 == "MemAvailable:" { n += $2 } $1 == "CmaFree:" { n -= $2 } END { print n }' /proc/meminfo; }
# Free pages in the processors' own lists: up to tens of MiB, which MemFree and MemAvailable leave out.
pcp_kb() {
	awk '$1 == "KernelPageSize:" { page = $2 } $1 == "count:" { n += $2 } END { print n * page }' /proc/self/smaps /proc/zoneinfo
}
# Drops the page cache, dentries and inodes, so that the next reads come from the device.
drop_caches() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
}
free_now_kb() { echo $(($(mem_kb MemFree) + $(pcp_kb))); }
# Free memory once files are dropped. Memory that our caches could give back does not count.
free_kb() {
	drop_caches
	free_now_kb
}
# Sets $free to free_kb; succeeds if that has changed by less than 400 KiB. The last freed pages come back after some grace
# periods, and no event reports that.
free_settled() {
	rx_last=${free:-0}
	sleep 0.3
	free=$(free_kb)
	[ $((free - rx_last)) -lt 400 ] && [ $((rx_last - free)) -lt 400 ]
}
sum_of() { sha256sum "$1" | cut -d' ' -f1; }

# --- leftovers ---------------------------------------------------------------

leftovers_list() {
	devices_of_ours
	for rx_d in /sys/kernel/config/nullb/rxt*; do
		[ ! -d "$rx_d" ] || echo "null_blk ${rx_d##*/}"
	done
	if have_program dmsetup && [ -d /sys/module/dm_mod ]; then
		dmsetup ls 2>/dev/null | awk '/^rxt-/ { print "dm " $1 }'
	fi
}

# Removes the devices and mounts that a killed test left, so that the next test starts without them.
leftovers_clean() {
	rx_round=0
	while [ $rx_round -lt 3 ] && [ -n "$(leftovers_list)" ]; do
		rx_round=$((rx_round + 1))
		awk '$1 ~ /^\/dev\/(rx[cd]|mapper\/rxt-|nullb|rxt)/ || $2 ~ /\/rx-test\./ { print $2 }' /proc/mounts | tac |
			while read -r rx_m; do umount "$rx_m" || umount -l "$rx_m"; done
		awk '$1 ~ /^\/dev\/rx[cd]/ { print $1 }' /proc/swaps | while read -r rx_m; do swapoff "$rx_m"; done
		for rx_d in $(devices_of_ours); do
			case $rx_d in
			rxc*) rxadm unmap "$rx_d" ;;
			rxd*) rxadm detach "$rx_d" ;;
			esac
		done
		for rx_d in $(leftovers_list | awk '$1 == "dm" { print $2 }'); do
			dmsetup remove --force "$rx_d"
		done
		for rx_d in /sys/kernel/config/nullb/rxt*; do
			[ ! -d "$rx_d" ] || { echo 0 >"$rx_d/power" && rmdir "$rx_d"; }
		done
	done
}
