# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# What the tests of linearizability share; they source it after 200-cache.sh.

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
		rxadm flush "$c"
		rxadm set "$c" --mode through
		[ ! -e go ] || sleep 0.2
	done
}

# linear_over ORIGIN [WORD…] -- MAP-OPTION…: leaves the counters in the file "counts".
linear_over() {
	o=$1 words=
	shift
	while [ "$1" != -- ]; do
		words="$words $1"
		shift
	done
	shift
	what="over $o$words, $*"
	c=$(map_cache "$@" "$o")
	: >go
	begin disturb
	# shellcheck disable=SC2086
	check "linearizable $what" linear "/dev/$c" $region $sectors ms=$each seed="$RX_SEED" origin="$o" $words
	rm go
	check "settings under load" wait "$rx_pid"
	forget "/dev/$c" "$o"
	check "cache and origin, $what" compare "/dev/$c" "$o" $region $((sectors * 512))
	rxadm stat "$c" --json | jq '.caches[0].stats' >counts
	expect_counts "read_hit > 20" "read_miss > 5" "write_update > 0" "invalidate > 0" \
		"read_errors == 0" "write_errors == 0"
	rxadm unmap "$c"
}

# expect_counts "COUNTER > NUMBER"…: of the last linear_over; else it has tested nothing.
expect_counts() {
	for rx_e in "$@"; do
		jq -e ".$rx_e" counts >/dev/null || fail "not so: $rx_e, $what: $(jq -c . counts)"
	done
}
