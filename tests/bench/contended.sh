# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Counts instead of times, for the guest of "make bench-smp": the rows, and the kernel's counters during a row.

# Each job has a slice of SMP_SLICE of the device, and makes one I/O of 4 KiB for each block of it. So no block has two writers. Jobs
# that read one common block make the same number of I/Os.
SMP_JOBS=8 SMP_SLICE=4M

# All 32 requests are submitted at once; the block layer allocates up to 32 tags in advance.
WHOLE="--ioengine=io_uring --iodepth=32 --iodepth_batch_submit=32 --iodepth_batch_complete_min=32"

# NAME WHAT OPTIONS
#   none    no device: fio's own contention, which is a part of every other row
#   ram     RAM disks that already have their memory
#   first   RAM disks without memory yet
#   hit     caches that hold all blocks read
#   miss    caches and the bare disk: blocks that were never read before
#   write   caches that hold all blocks written, and the bare disk
smp_rows() {
	local slices="--bs=4k --size=$SMP_SLICE --offset_increment=$SMP_SLICE"
	local block="--bs=4k --size=4k --io_size=$SMP_SLICE --norandommap"
	cat <<-ROWS
		fio none --rw=randread --ioengine=null $slices
		ram-read ram --rw=randread $slices $PSYNC
		ram-read-x32 ram --rw=randread $slices $DEEP
		ram-read-x32-whole ram --rw=randread $slices $WHOLE
		ram-write ram --rw=randwrite $slices $PSYNC
		ram-write-x32 ram --rw=randwrite $slices $DEEP
		ram-write-x32-whole ram --rw=randwrite $slices $WHOLE
		ram-first-write first --rw=randwrite $slices $PSYNC
		ram-first-write-x32 first --rw=randwrite $slices $DEEP
		hit hit --rw=randread $slices $PSYNC
		hit-x32 hit --rw=randread $slices $DEEP
		hit-1block hit --rw=randread $block $PSYNC
		hit-1block-x32 hit --rw=randread $block $DEEP
		miss miss --rw=randread $slices $PSYNC
		miss-x32 miss --rw=randread $slices $DEEP
		write write --rw=randwrite $slices $PSYNC
		write-x32 write --rw=randwrite $slices $DEEP
	ROWS
}

SMP_TRACING=/sys/kernel/tracing
smp_waits=()
declare -A smp_filter=()

# hist_make EVENT KEY[ if FILTER]: makes the kernel count an event by one of its fields, without recording it.
hist_make() {
	echo "hist:keys=$2" >>"$SMP_TRACING/events/$1/trigger" || return 1
	defer "echo '!hist:keys=$2' >>$SMP_TRACING/events/$1/trigger"
}

# probe_make NAME FUNCTION [FIELD]: makes an event of this name for calls of the function.
probe_make() {
	echo "p:rxsmp/$1 ${*:2}" >>$SMP_TRACING/kprobe_events 2>/dev/null || return 1
	defer "echo '-:rxsmp/$1' >>$SMP_TRACING/kprobe_events"
}

# wait_make EVENT [FILTER]: counts an event that means a wait for a lock, by stack.
wait_make() {
	hist_make "$1" "common_stacktrace:size=16384${2:+ if $2}" || fail "this kernel counts no stacks"
	smp_waits+=("$SMP_TRACING/events/$1")
	smp_filter[$SMP_TRACING/events/$1]=${2:+ if $2}
}

# A task sleeps for I/O in io_schedule(), and the return address on top of its stack names the caller. A contended spin lock calls one
# of two functions, depending on the kind of machine. All other locks have an event when they are contended. Spin locks have it, too
# (flag 1 alone), but not for the first waiter, so these events are left out.
contended_begin() {
	probe_make sleep io_schedule 'caller=$stack0:x64' || fail "this kernel has no probes"
	hist_make rxsmp/sleep caller.sym
	hist_make io_uring/io_uring_queue_async_work opcode
	probe_make native native_queued_spin_lock_slowpath || fail "this kernel's spin locks are of another kind"
	wait_make rxsmp/native
	! probe_make pv __pv_queued_spin_lock_slowpath || wait_make rxsmp/pv
	wait_make lock/contention_begin 'flags != 1'
}

tag_sleeps() {
	awk 'match($0, /blk_mq_get_tag .*hitcount: */) { n += substr($0, RSTART + RLENGTH) } END { print n + 0 }' \
		$SMP_TRACING/events/rxsmp/sleep/hist
}

handed_over() {
	awk '/hitcount:/ { n += $NF } END { print n + 0 }' $SMP_TRACING/events/io_uring/io_uring_queue_async_work/hist
}

# locks_stacks FILE…: reads histograms of stacks. Prints each function that had to wait for a lock, how often, and its module if that
# is ours, or "-". The frames above that function, of the lock and of the tracer, are skipped.
locks_stacks() {
	awk '
		/stacktrace:/ { name = "" }
		name == "" && /^ +[a-zA-Z_]/ && !/slowpath|_raw_| (__)?(kprobe|mutex|down|rt_mutex|rwsem|percpu_rwsem|traceiter|trace_|event_)/ {
			module = match($0, /\[rx(dsk|cache)\]/) ? substr($0, RSTART + 1, RLENGTH - 2) : "-"
			name = $1
			sub(/\+0x.*/, "", name)
		}
		/hitcount:/ && /^}/ { n[(name == "" ? "?" : name) "\t" module] += $NF; name = "?" }
		END { for (key in n) { split(key, part, "\t"); printf "%s\t%d\t%s\n", part[1], n[key], part[2] } }' "$@"
}

locks_begin() {
	local event
	for event in "${smp_waits[@]}"; do echo "hist:keys=common_stacktrace:clear${smp_filter[$event]}" >>"$event/trigger"; done
}

# locks_end: prints the contention since locks_begin.
locks_end() {
	cat "${smp_waits[@]/%//hist}" >waits
	locks_stacks waits
}

# contended_row ROUND ROW DEVICE PATH OPTIONS: runs fio and prints the counts, for smp.py.
contended_row() {
	local round=$1 row=$2 device=$3 path=$4 tags handed ok=1 line
	shift 4
	tags=$(tag_sleeps) handed=$(handed_over)
	locks_begin
	fio_run "$path" "$@" --numjobs=$SMP_JOBS --cpus_allowed="0-$((cpus - 1))" --cpus_allowed_policy=split || ok=
	locks_end >locks
	[ -n "$ok" ] || return 0
	printf 'count\t%s\t%s\t%s\t%s\t%s\n' "$round" "$row" "$device" ios "$(fio_ios)" \
		"$round" "$row" "$device" tags $(($(tag_sleeps) - tags)) \
		"$round" "$row" "$device" handed $(($(handed_over) - handed))
	while IFS= read -r line; do
		printf 'lock\t%s\t%s\t%s\t%s\n' "$round" "$row" "$device" "$line"
	done <locks
}
