# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Reads the first 4 MiB with read() and buffers of 1 byte to 16 KiB, without and with the kernel's read-ahead.

buffers_title="The buffer of read(), and read-ahead"

buffers_says() {
	cat <<-'END'
		With a buffer of a few bytes the time goes into system calls, one for each buffer. Neither a cache nor a RAM
		disk makes them fewer.

		Read-ahead asks the disk once for some thirty pages, whatever the buffer. Without it the program waits for a
		slow disk at every page, and there a warm cache helps most.
	END
}

buffers_rows() {
	local size ahead
	for size in 1 16 64 256 512 1k 4k 16k; do
		for ahead in 0 128; do echo "$size-ahead-$ahead $size $ahead"; done
	done
}

BUFFERS_READ=4M

buffers_begin() { :; }

buffers_row() {
	local round=$1 row=$2 size=$3 ahead=$4 name path set old before times
	for name in $lab_devices; do
		lab_ready "$name"
		path=${lab_path[$name]}
		set=/sys/block/${path##*/}/queue/read_ahead_kb
		old=$(cat "$set")
		before=$(disk_reads "${lab_disk[$name]}")
		echo "$ahead" >"$set"
		times=$(timedio read "$path" $BUFFERS_READ "${size^^}")
		read -ra times <<<"$times"
		echo "$old" >"$set"
		sample "$round" "$name" "$row" ms "${times[0]}"
		sample "$round" "$name" "$row user" ms "${times[1]}"
		sample "$round" "$name" "$row system" ms "${times[2]}"
		sample "$round" "$name" "$row reads" "I/Os" $(($(disk_reads "${lab_disk[$name]}") - before))
	done
	printf 'against\t%s\tslow\n' "$row"
}
