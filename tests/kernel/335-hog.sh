# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# A program that takes the memory of a full cache, with and without huge pages, with lru_gen on and off, and what it has to wait for
# that. The tests source this as "$here/kernel/335-hog.sh", after 200-cache.sh and 335-memory.sh.

lru_gen=/sys/kernel/mm/lru_gen/enabled
cached() { echo $(($(list_of "$c" cached) >> 20)); }
swapped_out() { awk '$1 == "pswpout" { print int($2 / 256) }' /proc/vmstat; }

# hog_takes NAME MIB: how long that takes, in ms.
hog_takes() {
	begun=$(uptime_ms)
	hog_begin "$1" "$2"
	hog_ready "$1" 120 || fail "$1: no memory: $(grep -E 'MemFree|MemAvail|SwapFree' /proc/meminfo | tr '\n' ' '), $(cached) MiB cached"
	took=$(($(uptime_ms) - begun))
}

# hits_begin NAME: a reader of blocks that are read often, until hits_end; both return when it has read some.
hits_begin() {
	hits_before=$(counts_of "$c" read_hit)
	fio --name="$1" --thread --filename="/dev/$c" --rw=randread --bs=4k --direct=1 --size=16M --time_based --runtime=900 \
		${rate:+--rate_iops=$rate} --output-format=json --output="$1.json" &
	reader=$!
	wait_for 60 hits_more 1 || fail "the reader does not begin"
}
hits_more() { [ "$(counts_of "$c" read_hit)" -gt $((hits_before + $1)) ]; }
hits_end() {
	wait_for 60 hits_more "$many" || fail "hits are slow"
	kill $reader
	wait $reader || true
}
# What the reader has had of a processor, in ms. fio may wait for its next turn in a loop.
reader_ms() { awk '{ print ($14 + $15) * 10 }' "/proc/$reader/stat"; }
# fio says first that it was ended.
latency() { sed -n '/^{/,$p' "$1.json" | jq ".jobs[0].read.clat_ns | $2 / 1000 | floor"; }
p99() { latency "$1" '.percentile["99.000000"]'; }

# Reads what the cache has room for, twice: what was read once is the first to go.
fill_cache() { fio --name=fill --filename="/dev/$c" --rw=read --bs=1M --direct=1 --size="${size}M" --loops=2 --output=fill.log; }
regrown() { fill_cache && [ "$(cached)" -ge $((full * 9 / 10)) ]; }

# round WHAT
round() {
	drop_caches
	c=$(map_cache --size "${size}M" --floor "$((size / 8))M" "$null")
	fill_cache
	hits_begin rest
	hits_end
	full=$(cached)
	[ "$full" -ge $((size * 9 / 10)) ] || fail "$1: only $full of $size MiB were cached, available $(available) MiB"
	want=$(($(available) + more)) out=$(swapped_out)
	hits_begin hog
	had=$(reader_ms)
	hog_takes "$1" $want
	# The only processor.
	[ -z "$rate" ] || took=$((took - ($(reader_ms) - had)))
	given=$((full - $(cached)))
	out=$(($(swapped_out) - out))
	hits_end
	note "$1: program of $want MiB, $more more than available: $took ms, alone $alone ms; $given MiB given, $out MiB swapped;" \
		"reclaimed $(counts_of "$c" reclaim) blocks; hits at rest p99 $(p99 rest) us, longest $(latency rest .max) us, meanwhile p99 $(p99 hog) us, longest $(latency hog .max) us"
	check "$1: the program's memory" hog_end "$rx_pid"
	wait_for 60 regrown || fail "$1: the cache does not grow again: $(cached) of $full MiB, available $(available) MiB"
	if [ -n "$rate" ]; then
		between "$1: p99 of hits meanwhile, us" 1 $((8 * $(p99 rest))) "$(p99 hog)"
		[ "$(p99 hog)" -le $((2 * $(p99 rest))) ] || slow="$slow; $1"
		between "$1: longest hit meanwhile, us" 1 100000 "$(latency hog .max)"
	fi
	expect "$1: errors" "0 0" "$(counts_of "$c" read_errors write_errors)"
	check "unmap" rxadm unmap "$c"
	[ "$out" -le 4 ] || fail "$1: $out MiB were swapped although the cache had $((full - given)) MiB"
	# Besides what the program wants the cache gives three quarters of min_free, but not what a processor then keeps for itself.
	# With page blocks of 32 MiB (arm64, pages of 16 KiB) that is 207 of 2048 MiB.
	top=$((more * most / 100)) floor=$((more + $(cat /sys/module/rxdsk/parameters/min_free) * 3 / 4 + 32))
	[ $floor -le $top ] || top=$floor
	between "$1: MiB given" $((more * 3 / 4)) $top $given
	# The detectors take more time beside a reader than alone.
	checked_kernel || [ $took -le $((alone * slowest / 100 + noise)) ] || fail "$1: the program waited $took ms for its memory, and $alone ms without a cache"
}

# lru_rounds WHAT GIVEN TIME: in percent how much may be given of what the program wants, and how long that may take, of the time alone.
lru_rounds() {
	most=$2 slowest=$3
	# Without a cache there is room for it.
	drop_caches
	hog_takes alone $(($(available) - size + more))
	alone=$took
	hog_end "$rx_pid" || fail "no program"
	if [ -e $lru_gen ]; then
		defer "echo $(cat $lru_gen) >$lru_gen"
		for on in y n; do
			echo $on >$lru_gen
			round "lru_gen $on$1"
		done
	else
		round "no lru_gen$1"
	fi
}

# hog_rounds RATE MANY NOISE: the hits per second of the reader beside it (empty: as fast as it can), how many it has to have at the
# end, and by how many ms times differ by chance.
hog_rounds() {
	rate=$1 many=$2 noise=$3 slow=''
	small_machine
	total=$(($(mem_kb MemTotal) / 1024))
	size=$((total * 45 / 100)) more=$((total / 4))
	null=$(make_null_blk 4G memory_backed=0)
	swap=$(test_disk 0)
	mkswap "$swap" >/dev/null
	swapon "$swap"
	defer "swapoff $swap"
	thp=/sys/kernel/mm/transparent_hugepage/enabled
	if [ -e $thp ]; then
		defer "echo $(sed 's/.*\[\(.*\)\].*/\1/' $thp) >$thp"
		echo never >$thp
	fi
	lru_rounds "" 125 130
	# What a cache gives back is small pages, which take longer to map than the huge ones that the program has alone. Movable pages
	# get into the cache's blocks of pages, so the kernel boosts its watermarks, and asks for that memory as well.
	[ ! -e $thp ] || { echo always >$thp && lru_rounds ", huge pages" 140 200; }
	# Chance may do that to one round: as a rule p99 is 10 us at rest and 12 us meanwhile.
	case $slow in '; '*'; '*) fail "p99 of hits meanwhile is over twice that at rest in several rounds: ${slow#; }" ;; esac
}
