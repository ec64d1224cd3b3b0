# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The first measurements that people make: sequential and random reads and writes, small ones at a depth of 32, and large ones.

workloads_title="Reads and writes, small and large"

workloads_says() {
	cat <<-'END'
		A warm cache answers small reads nearly as fast as a RAM disk, and large ones at more than half its speed. Small
		reads at random are more than ten times as fast as on the slow disk. A cold cache is as slow as the disk.

		Writes take the time of the slow disk, whatever the cache holds, because each of them goes there. So do small
		writes in order, many of which reach the disk as one.
	END
}

workloads_rows() {
	local rw
	for rw in read randread write randwrite; do
		echo "$rw-4k-x32 --rw=$rw --bs=4k $DEEP"
		echo "$rw-1m --rw=$rw --bs=1M $PSYNC"
	done
}

workloads_begin() { :; }

# lab_span NAME: prints fio's options. On a cold cache each block is used only once, on the others fio runs for the whole time.
lab_span() {
	case $1 in
	*-cold) echo "--runtime=$seconds" ;;
	*) echo "--time_based --runtime=$seconds --norandommap" ;;
	esac
}

workloads_row() {
	local round=$1 row=$2 name before
	shift 2
	for name in $lab_devices rxd-bio; do
		lab_ready "$name"
		before=$(disk_reads "${lab_disk[$name]}")
		# shellcheck disable=SC2046
		fio_run "${lab_path[$name]}" "$@" --size="$LAB_SIZE" $(lab_span "$name") || continue
		fio_main "$round" "$name" "$row"
		case $name-$row in
		*-warm-*read*)
			[ "$(disk_reads "${lab_disk[$name]}")" = "$before" ] || note "# $row on $name: not all were hits"
			;;
		esac
	done
	printf 'against\t%s\tslow\n' "$row"
}
