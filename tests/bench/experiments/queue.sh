# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The settings of a disk's queue, and ways to submit requests. blktrace measures the time of a request: Q2C from submission to end,
# D2C from its dispatch to the disk to its end. A setting is changed at the disk below a cache, because the cache has no queue. Only
# requests that reach that disk have a D2C.

queue_title="The queue's settings, and engines"

queue_says() {
	cat <<-'END'
		On a slow disk that is busy no setting changes the throughput, because nearly all of a request's time is the
		disk's own. With a shorter queue requests only wait in the program instead.

		The engines are alike there too. A request that memory serves has ended when its submission ends, so depth gains
		nothing, and threads gain what more processors do.
	END
}

queue_rows() {
	local deep="--rw=randread --bs=4k --size=6M" engine jobs
	echo "read-1m-sectors-256 max_sectors_kb 256 --rw=read --bs=1M --size=$LAB_SIZE $PSYNC"
	echo "read-1m-sectors-1024 max_sectors_kb 1024 --rw=read --bs=1M --size=$LAB_SIZE $PSYNC"
	echo "x64-requests-16 nr_requests 16 --rw=randread --bs=4k --size=$LAB_SIZE --ioengine=libaio --iodepth=64"
	echo "x64-requests-128 nr_requests 128 --rw=randread --bs=4k --size=$LAB_SIZE --ioengine=libaio --iodepth=64"
	echo "mixed-x32-none scheduler none --rw=randrw --bs=4k --size=$LAB_SIZE --ioengine=libaio --iodepth=32"
	echo "mixed-x32-mq-deadline scheduler mq-deadline --rw=randrw --bs=4k --size=$LAB_SIZE --ioengine=libaio --iodepth=32"
	for engine in psync libaio io_uring; do echo "x1-$engine scheduler none $deep --ioengine=$engine"; done
	# 32 threads, each with its own part, or one process for all of it.
	jobs="--numjobs=32 --offset_increment=6M --thread"
	echo "x32-psync scheduler none $deep --ioengine=psync $jobs"
	for engine in libaio io_uring; do echo "x32-$engine scheduler none ${deep/6M/$LAB_SIZE} --ioengine=$engine --iodepth=32"; done
}

queue_begin() {
	modprobe mq-deadline
	PATH=$PATH:/rx/add
}

# queue_set DISK SETTING VALUE: changes a setting; queue_reset restores it.
queue_set() {
	local file=/sys/block/${1##*/}/queue/$2 old
	[ -e "$file" ] || return 1
	old=$(sed 's/.*\[\(.*\)\].*/\1/' "$file")
	[ "$3" != "$old" ] || return 0
	echo "$3" >"$file" || return 1
	[ -n "${queue_old[${1##*/} $2]:-}" ] || queue_old[${1##*/} $2]=$old
}

declare -A queue_old=()
queue_reset() {
	local key
	for key in "${!queue_old[@]}"; do echo "${queue_old[$key]}" >"/sys/block/${key% *}/queue/${key#* }"; done
	queue_old=()
}

# trace_begin DISK…: starts blktrace, which writes files named after the disks.
trace_begin() {
	local disk list=()
	for disk in "$@"; do list+=(-d "$disk"); done
	LD_LIBRARY_PATH=/rx/add blktrace "${list[@]}" -D "$RX_TMP/trace" >"$RX_TMP/trace.log" 2>&1 &
	trace_pid=$!
	for disk in "$@"; do wait_for 20 test -e "/sys/kernel/debug/block/${disk##*/}/trace0" || fail "no trace of $disk"; done
}

trace_end() {
	kill -TERM "$trace_pid"
	wait "$trace_pid" || true
}

# trace_mean DISK Q2C|D2C: prints the mean of all requests in microseconds, or nothing if there were none. btt does not handle
# requests that are split on their way; here such a request ends when its last part ends.
trace_mean() {
	blkparse -q -D "$RX_TMP/trace" -i "${1##*/}" -f '%a %T.%9t %S %n\n' 2>/dev/null | awk -v want="$2" '
		$1 == "Q" { at[NR] = $2; left[NR] = $4; for (s = $3; s < $3 + $4; s += 8) of[s] = NR }
		$1 == "D" { given[$3] = $2 }
		$1 == "C" && $3 in given { sum["D2C"] += $2 - given[$3]; n["D2C"]++; delete given[$3] }
		$1 == "C" { for (s = $3; s < $3 + $4; s += 8) if (s in of) {
			left[of[s]] -= 8
			if (left[of[s]] <= 0) { sum["Q2C"] += $2 - at[of[s]]; n["Q2C"]++ }
			delete of[s] } }
		END { if (n[want]) printf "%.1f\n", sum[want] / n[want] * 1000000 }'
}

# The throughput is measured without a trace, because tracing takes time. A second, short run is traced.
queue_row() {
	local round=$1 row=$2 setting=$3 value=$4 name path disk few=2000 mean
	shift 4
	# One second of a slow disk.
	case " $* " in *numjobs=32*) few=62 ;; *bs=1M*) few=150 ;; esac
	for name in $lab_devices; do
		path=${lab_path[$name]} disk=${lab_disk[$name]}
		queue_set "$disk" "$setting" "$value" || continue
		lab_ready "$name"
		# shellcheck disable=SC2046
		if fio_run "$path" "$@" $(lab_span "$name"); then
			fio_main "$round" "$name" "$row"
			lab_ready "$name"
			rm -rf "$RX_TMP/trace"
			mkdir "$RX_TMP/trace"
			# shellcheck disable=SC2046
			trace_begin $(printf '%s\n' "$path" "$disk" | sort -u)
			fio_run "$path" "$@" --number_ios=$few || true
			trace_end
			mean=$(trace_mean "$path" Q2C)
			[ -z "$mean" ] || sample "$round" "$name" "$row Q2C" us "$mean"
			mean=$(trace_mean "$disk" D2C)
			[ -z "$mean" ] || sample "$round" "$name" "$row D2C" us "$mean"
		fi
		queue_reset
	done
	printf 'against\t%s\tslow\n' "$row"
}
