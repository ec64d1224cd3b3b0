#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What "make bench-cost" makes of its samples, and what it makes of a log of executed instructions; nothing is measured here.

load ../cli/helper

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	work=$BATS_TEST_TMPDIR
	printf '%s\n' "# on kernel A" "hit-4k brd=4000 rxcache=5000" "miss-4k dm-linear=10000 rxcache=14000" >"$work/baseline"
}

# costs [OPTION…]: of the samples "ROW DEVICE INSTRUCTIONS" in $samples.
costs() {
	while read -r row device n; do
		printf 'sample\t1\t%s\t%s\tinstructions\t%s\n' "$device" "$row" "$n"
	done <<<"$samples" >"$work/samples"
	run python3 -B tests/bench/cost.py --about "${about:-kernel A}" --baseline "$work/baseline" "$@" "$work/samples"
}

@test "a cost of ours that grew by over 3 % is a failure, and named" {
	samples="hit-4k rxcache 5149"
	costs
	is 0 "$status"
	has "1 figures of ours: none moved by over 3 %" "$output"
	has "1 passed, 0 failed" "$output"
	samples=$'hit-4k rxcache 5151\nmiss-4k rxcache 13000'
	costs
	is 1 "$status"
	has "WORSE: hit-4k, rxcache: 5000 -> 5151, +3.0 %" "$output"
	has "better: miss-4k, rxcache: 14000 -> 13000, -7.1 %" "$output"
	has "1 passed, 1 failed" "$output"
}

@test "a rival's cost is shown and fails nothing" {
	samples=$'hit-4k brd 8000\nhit-4k rxcache 5000'
	costs
	is 0 "$status"
	has "rival: hit-4k, brd: 4000 -> 8000, +100.0 %" "$output"
	has "1 passed, 0 failed" "$output"
}

@test "on another kernel than the baseline's, ours is compared as the rivals came to stand" {
	about="kernel B"
	samples=$'miss-4k dm-linear 12000\nmiss-4k rxcache 17000'
	costs
	is 0 "$status"
	has "the baseline is of kernel A" "$output"
	samples=$'miss-4k dm-linear 10000\nmiss-4k rxcache 17000'
	costs
	is 1 "$status"
}

@test "where all was measured, a figure that only one of the two has is a failure" {
	samples=$'hit-4k rxcache 5000\nhit-1m rxcache 9'
	costs
	is 0 "$status"
	costs --all
	is 1 "$status"
	has "not in the baseline (--keep adds it): hit-1m, rxcache" "$output"
	has "not measured: miss-4k, rxcache" "$output"
	has "1 passed, 2 failed" "$output"
}

@test "without a baseline, as on another kernel, nothing is compared" {
	rm "$work/baseline"
	samples="hit-4k rxcache 5000"
	costs --all
	is 0 "$status"
	has "nothing to compare with" "$output"
}

@test "keep: what was not measured stays, all of it in order" {
	samples=$'hit-4k rxcache 6000\nhit-1m rxcache 9'
	costs --keep
	is 0 "$status"
	is "hit-1m rxcache=9
hit-4k brd=4000 rxcache=6000
miss-4k dm-linear=10000 rxcache=14000" "$(grep -v '^#' "$work/baseline")"
	costs --keep --all
	is "hit-1m rxcache=9
hit-4k rxcache=6000" "$(grep -v '^#' "$work/baseline")"
}

@test "goals: those that are missed are named, and fail nothing" {
	printf 'hit-4k rxcache 1000 brd\nmiss-4k rxcache 3500 dm-linear\n' >"$work/goals"
	samples=$'hit-4k brd 4000\nhit-4k rxcache 5000\nmiss-4k dm-linear 10000\nmiss-4k rxcache 13600'
	costs --goals "$work/goals"
	is 0 "$status"
	has "missed: miss-4k, rxcache: +3600 over dm-linear, wanted +3500" "$output"
	has "goals: 1 held, 1 missed" "$output"
}

@test "what a copy costs is told apart" {
	samples=$'copy-512 copy 300\ncopy-4k copy 1700\nmiss-4k dm-linear 10000\nmiss-4k rxcache 14000'
	costs
	has "miss-4k, rxcache: +4000 over dm-linear; +2400 without a memcpy() of 1600" "$output"
}

# trace ADDRESS…: those blocks are executed. Each is where it is in the log.
trace() { for a in "$@"; do echo "Trace 0: 0x7f$a [0000000000000000/ffffffff$a/18c0c2b0/ff020200] "; done; }
block() {
	printf -- '----------------\nIN: \n'
	cat
	echo
}

@test "a profile: own instructions, and those of callees, between the first and the last system call" {
	printf '%s\n' "ffffffff00001000 T __x64_sys_pread64" "ffffffff00002000 t helper	[rxcache]" >"$work/symbols"
	{
		block <<<"0xffffffff00001000:  90  nop
0xffffffff00001001:  e8 fa 0f 00 00  callq  0xffffffff00002000"
		trace 00001000
		block <<<"0xffffffff00002000:  48 b8 00 00 00 00 00 00  movabsq \$0, %rax
0xffffffff00002008:  00 00
0xffffffff0000200a:  c3  retq"
		trace 00002000
		block <<<"0xffffffff00001006:  c3  retq"
		trace 00001006 00001000 00002000
		echo "Stopped execution of TB chain before 0x7f00002000 [ffffffff00002000] "
		trace 00002000 00001006 00001000
	} >"$work/log"
	run python3 -B tests/bench/executed.py "$work/log" "$work/symbols"
	is 0 "$status"
	has "5 instructions per I/O, 2 I/Os" "$output"
	has "2  40.0 %  [rxcache]" "$output"
	has "3.0  60.0 %        5.0 " "$output"
	has "2.0  40.0 %        2.0    1.00  helper" "$output"
}
