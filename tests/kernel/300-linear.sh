# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions that the tests of linearizability share; they source this after 200-cache.sh.

region=65536 sectors=192

# phases N: how many linear_over there are, to share the time.
phases() { each=$((RX_SECONDS * 1000 / $1)); }

# control ORIGIN [WORD…]: the same without a cache: what is found later is not the origin's.
control() {
	dev=$1
	shift
	check "linearizable without a cache, $dev $*" linear "$dev" $region $sectors ms=$((each / 2)) seed="$RX_SEED" "$@"
}

# Meanwhile the cache is emptied, and keeps writes or doesn't.
disturb() {
	while [ -e go ]; do
		rxadm set "$c" --mode around
		rxadm drop "$c"
		rxadm set "$c" --mode through
		[ ! -e go ] || sleep 0.2
	done
}

# linear_over ORIGIN EXPRESSION [WORD…] -- MAP-OPTION…: until EXPRESSION, and what goes for all of them, is true.
linear_over() {
	o=$1 demand=".read_hit > 20 and .read_miss > 5 and .write_update > 0 and .invalidate > 0 and $2" words=
	shift 2
	while [ "$1" != -- ]; do
		words="$words $1"
		shift
	done
	shift
	what="over $o$words, $*"
	c=$(map_cache "$@" "$o")
	note "$c $what"
	: >go
	begin disturb
	# shellcheck disable=SC2086
	linear_until "$demand" "/dev/$c" $region $sectors ms=$each seed="$RX_SEED" origin="$o" $words
	rm go
	check "settings under load" wait "$rx_pid"
	forget "/dev/$c" "$o"
	check "cache and origin, $what" compare "/dev/$c" "$o" $region $((sectors * 512))
	read_counters
	counted ".read_errors == 0 and .write_errors == 0"
	rxadm unmap "$c"
}
