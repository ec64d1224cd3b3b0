# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs fio once and prints the samples. $seconds is the duration of a run.

# busy_ms: prints the busy time of all processors in ms, which includes fio, the kernel's threads and interrupts.
busy_ms() { awk '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8) * 10 }' /proc/stat; }

# fio_run PATH OPTIONS: runs fio. The result is in $RX_TMP/fio.json, and the processors' busy time in $fio_busy.
fio_run() {
	local path=$1 before options
	shift
	options=$*
	before=$(busy_ms)
	# shellcheck disable=SC2086
	fio --name=bench --filename="$path" --direct=1 --group_reporting --eta=never --output-format=json \
		--output="$RX_TMP/fio.json" $options >"$RX_TMP/fio.log" 2>&1 || {
		note "# fio failed on $path: $(head -n 3 "$RX_TMP/fio.log" | tr '\n' ' ')"
		return 1
	}
	fio_busy=$(($(busy_ms) - before))
}

fio_value() { jq -r "[.jobs[0] | .read, .write] | $1" "$RX_TMP/fio.json"; }
fio_ios() { fio_value 'map(.total_ios) | add'; }

# fio_main ROUND DEVICE ROW: prints the throughput.
fio_main() {
	case $3 in
	*-64k* | *-1m*) sample "$1" "$2" "$3" MiB/s "$(fio_value 'map(.bw_bytes) | add / 1048576 * 10 | round / 10')" ;;
	*) sample "$1" "$2" "$3" IOPS "$(fio_value 'map(.iops) | add | round')" ;;
	esac
}

# fio_more ROUND DEVICE ROW: prints the latency of an I/O, and the time of all processors for it. The latter includes the start of
# fio, which adds 1 ms to each I/O of a run with a thousand I/Os.
fio_more() {
	local p ios
	for p in 50.000000 99.000000 99.900000; do
		sample "$1" "$2" "$3 p$(awk "BEGIN { print $p + 0 }")" us \
			"$(fio_value "map(select(.total_ios > 0))[0].clat_ns.percentile[\"$p\"] / 100 | round / 10")"
	done
	ios=$(fio_ios)
	[ "$ios" = 0 ] || sample "$1" "$2" "$3 processors" "ns CPU" $((fio_busy * 1000000 / ios))
}

# fio_row ROUND DEVICE PATH ROW WHAT OPTIONS
fio_row() {
	local round=$1 device=$2 path=$3 row=$4 what=$5
	shift 5
	fio_run "$path" "$@" || return 0
	fio_main "$round" "$device" "$row"
	case $what in *+) fio_more "$round" "$device" "$row" ;; esac
}
