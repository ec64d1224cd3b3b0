# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Rows of bios from kernel context (tests/kernel/modules/rxtbio.h), in rounds over all devices. Their
# samples are collected in the file "samples".

# sample ROUND DEVICE ROW UNIT VALUE: prints a line for figures.py.
sample() { printf 'sample\t%s\t%s\t%s\t%s\t%s\n' "$@"; }

# NAME WORDS: x32 is a plugged batch of 32 bios, 64m is the span. 1 MiB fits into the processor's cache, 64 MiB does not.
bios_rows() {
	cat <<-'ROWS'
		4k-randread-1m rw=randread size=4K span=1M
		4k-randread-64m rw=randread size=4K span=64M
		4k-randread-1m-x32 rw=randread size=4K span=1M depth=32
		4k-randread-64m-x32 rw=randread size=4K span=64M depth=32
		4k-randwrite-1m rw=randwrite size=4K span=1M
		4k-randwrite-64m rw=randwrite size=4K span=64M
		4k-randwrite-1m-x32 rw=randwrite size=4K span=1M depth=32
		4k-randwrite-64m-x32 rw=randwrite size=4K span=64M depth=32
		4k-randread-64m-2cpus rw=randread size=4K span=64M jobs=2
		4k-randwrite-64m-2cpus rw=randwrite size=4K span=64M jobs=2
		4k-read-64m rw=read size=4K span=64M
		4k-write-64m rw=write size=4K span=64M
		512-randread-1m rw=randread size=512 span=1M
		1m-read-1m rw=read size=1M span=1M
		1m-read-64m rw=randread size=1M span=64M
		1m-read-64m-x32 rw=randread size=1M span=64M depth=32
		1m-write-1m rw=write size=1M span=1M
		1m-write-64m rw=randwrite size=1M span=64M
		1m-write-64m-x32 rw=randwrite size=1M span=64M depth=32
		1m-first-write rw=write size=1M span=64M bios=64
		4k-first-write rw=write size=4K span=64M bios=16384
	ROWS
}

# bio WORDS: makes one run and prints the module's answer. Status 1: the run was refused or failed, and the answer has the reason.
bio() {
	local answer
	exec 9<>/sys/kernel/debug/rxtbio
	printf '%s\n' "$1" >&9 2>/dev/null || true
	answer=$(cat <&9)
	exec 9>&-
	printf '%s\n' "$answer"
	[[ $answer != error:* ]]
}

# row_wanted ROW: whether one of $patterns matches: a part of the row's name, or a shell pattern. With $exact only the name matches.
row_wanted() {
	local p
	[ -n "${patterns:-}" ] || return 0
	for p in $patterns; do
		if [ -n "${exact:-}" ]; then
			[ "$1" != "$p" ] || return 0
			continue
		fi
		# shellcheck disable=SC2053
		[[ $1 = *$p* || $1 = $p ]] && return 0
	done
	return 1
}

# row_fits ROW DEVICE: whether the row makes sense on a device. A cache's first write only measures its origin, null_mq and memory
# have no first write, and zram has blocks of 4 KiB.
row_fits() {
	case $1:$2 in
	*-2cpus:*) [ "$(nproc)" -ge 2 ] ;;
	*first-write:rxcache | *first-write:null_mq | *first-write:memory | 512-*:zram) return 1 ;;
	esac
}

# Prints the cache's misses, 0 for other devices. All bios of a cache's row must be hits.
misses() { if [ "$1" = rxcache ]; then stat_of "${device_path[$1]##*/}" read_miss; else echo 0; fi; }

# cache_fill NAME WORDS: reads the row's span until all reads are hits. An earlier row of writes may have dropped blocks, if no memory
# was free at once.
cache_fill() {
	local before pass span=${2#*span=}
	span=${span%% *}
	[ "$1" = rxcache ] || return 0
	for pass in $(seq 40); do
		before=$(misses "$1")
		bio "dev=${device_path[$1]} rw=read size=1M span=$span bios=$(($(bytes_of "$span") / 1048576)) ms=600000" >/dev/null
		[ "$before" != "$(misses "$1")" ] || return 0
		sleep 0.05
	done
	fail "$1: $span is not all cached after $pass readings"
}

bios_one() {
	local round=$1 row=$2 words=$3 name=$4 answer before
	cache_fill "$name" "$words"
	before=$(misses "$name")
	case $row in *first-write) blkdiscard "${device_path[$name]}" || return 0 ;; esac
	answer=$(bio "dev=${device_path[$name]} ms=$ms $words") || fail "$row on $name: $answer"
	[ "$before" = "$(misses "$name")" ] || fail "$row on $name: not all were hits"
	# shellcheck disable=SC2086
	set -- $answer
	sample "$round" "$name" "$row" ns "${4#p50=}" >>samples
	printf '# %s %s %s: %s\n' "$round" "$row" "$name" "$answer"
}

# In each round every row runs on every device, so that other work of the machine affects all devices alike.
bios_rounds() {
	local round row words name
	for round in $(seq "$rounds"); do
		while read -r row words <&8; do
			row_wanted "$row" || continue
			for name in "${made[@]}"; do
				! row_fits "$row" "$name" || bios_one "$round" "$row" "$words" "$name"
			done
		done 8< <(bios_rows)
	done
}
