# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the tests of faults share; they source this after 200-cache.sh.

region=65536 sectors=128 faults=/sys/kernel/debug

# fault_kernel NAME…: for requires(): why this kernel can't inject these.
fault_kernel() {
	for rx_f in "$@"; do
		[ -d "$faults/$rx_f" ] || { echo "no $rx_f in this kernel" && return; }
	done
}

# text_of MODULE: where its code begins, and the first symbol of any module behind it.
text_of() {
	awk '$4 != "" { print $1, tolower($2), $4 }' /proc/kallsyms | sort | awk -v m="[$1]" '
		$3 == m && $2 == "t" { if (!first) first = $1; end = ""; inside = 1; next }
		inside && end == "" { end = $1 }
		END { if (first) print "0x" first, "0x" (end == "" ? "ffffffffffffffff" : end) }'
}

# function_of SYMBOL: where a function of the kernel itself begins, and what comes behind it.
function_of() {
	awk 'tolower($2) == "t" { print $1, $3 }' /proc/kallsyms | sort | awk -v s="$1" '
		begin && $1 != begin { print "0x" begin, "0x" $1; exit }
		$2 == s { begin = $1 }'
}

# inject NAME PERCENT [KEY=VALUE…]: from now on; without a dump of each.
inject() {
	rx_f=$faults/$1
	defer "echo 0 >$rx_f/probability"
	echo 0 >"$rx_f/probability"
	rx_p=$2
	shift 2
	for rx_kv in interval=1 space=0 times=1000000 verbose=0 task-filter=N "$@"; do
		echo "${rx_kv#*=}" >"$rx_f/${rx_kv%%=*}" || fail "$rx_f: can't set $rx_kv"
	done
	echo "$rx_p" >"$rx_f/probability"
}

# inject_memory MODULE PERCENT [KEY=VALUE…]: of all that is allocated below the module's functions, in any context, so
# many fail. The words are for failslab alone.
inject_memory() {
	# shellcheck disable=SC2046
	set -- $(text_of "$1") "$@"
	[ "${1#0x}" != "$1" ] && [ "${2#0x}" != "$2" ] || fail "no addresses of $1"
	rx_range="stacktrace-depth=32 require-start=$1 require-end=$2 ignore-gfp-wait=N"
	shift 3
	# The kernel itself complains loudly of a set of bios that it has no slab for, and loses the slab's name.
	# shellcheck disable=SC2046,SC2183
	rx_range="$rx_range $(printf 'reject-start=%s reject-end=%s' $(function_of bioset_init))"
	# shellcheck disable=SC2086
	inject fail_page_alloc "$1" $rx_range ignore-gfp-highmem=N min-order=0
	rx_p=$1
	shift
	# shellcheck disable=SC2086
	inject failslab "$rx_p" $rx_range cache-filter=N "$@"
}

# injected NAME: how often it has made something fail.
injected() { echo $((1000000 - $(cat "$faults/$1/times"))); }

inject_end() {
	for rx_f in "$@"; do
		echo 0 >"$faults/$rx_f/probability"
	done
}

# under CMD…: CMD over and over in the background, until "over".
under() {
	: >go
	begin repeated "$@"
}
repeated() { while [ -e go ]; do "$@" || exit 1; done; }
over() {
	rm -f go
	check "what went on meanwhile" wait "$rx_pid"
}

# linear_with EXPRESSION WORD…: of the cache $c; with errors if a word says so.
linear_with() {
	rx_e=$1
	shift
	linear_until "$rx_e" "/dev/$c" $region $sectors seed="$RX_SEED" "$@"
}

# settled WHAT: all faults have ended: the cache is what the origin $o is, and goes on working.
settled() {
	forget "/dev/$c"
	[ ! -b "$o" ] || forget "$o"
	check "cache and origin, $1" compare "/dev/$c" "$o"
	check "a write after $1" pattern write "/dev/$c" $region 64K "$RX_SEED"
	check "cache and origin again, $1" compare "/dev/$c" "$o"
	read_counters
	note "$(jq -c . counts)"
}

# given_back: the cache and all of its memory.
given_back() {
	check "unmap" timeout 30 rxadm unmap "$c"
	expect "memory held by $d" 0 "$(disk_used "$d")"
}
