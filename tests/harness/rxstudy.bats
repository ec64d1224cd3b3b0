#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rxstudy, the simulator with what only research and tests ask for: what it prints, as tables and as JSON, and what it refuses.

load ../cli/helper

# "make check" has it beside the rxadm that it tests.
setup_file() {
	RXSTUDY=$(dirname "$(realpath "$RXADM")")/rxstudy
	if [ ! -e "$RXSTUDY" ]; then
		make -s -C "$BATS_TEST_DIRNAME/../sim" >&2
		RXSTUDY=$(realpath "$BATS_TEST_DIRNAME/../sim/rxstudy")
	fi
	export RXSTUDY
}

setup() {
	# A loop over 100 blocks.
	# shellcheck disable=SC2046
	trace loop $(for _ in 1 2 3 4; do seq 0 99; done)
	cd "$BATS_TEST_TMPDIR"
}

# sim [EXPECTED-STATUS] ARGUMENT…: runs rxstudy, with $output and $stderr apart.
sim() { RXADM=$RXSTUDY rx "$@"; }

@test "all that rxsim has, and more policies" {
	sim -m update -p lru,fifo -s 50%,128,1M loop.rxt
	is "loop.rxt: 400 requests, 100 blocks
write       policy     50%     128      1M
update      lru       0.00   75.00   75.00
update      fifo      0.00   75.00   75.00" "$output"
	sim loop.rxt
	is 14 "$(wc -l <<<"$output")"
	sim --help
	has "all: rx, clock, lru, fifo" "$output"
	sim 1
	is "rxstudy: no trace; see: rxstudy --help" "$stderr"
}

@test "the shadow of a cache, and times" {
	sim --json --shadow -m allocate -p rx -s 50 loop.rxt
	is "7 x0.5 25" "$(json '.results[0].cells[0].points | "\(length) \(.[0].what) \(.[0].blocks)"')"
	sim --json --time -p rx
	is '["evict_ns","hit_ns","lookup_ns","policy","store_ns"]' "$(json '.results[0] | keys | tostring')"
}

@test "a mix of traces: shared, in the best parts, in equal parts" {
	# shellcheck disable=SC2046
	trace scan $(seq 400)
	sim --mix -m update -p lru -s 128,512 loop.rxt scan.rxt
	is "loop.rxt: 400 requests, 100 blocks
scan.rxt: 400 requests, 400 blocks
mixed by length
write       policy   size shared   best points  equal memory   part
update      lru       128   0.00  75.00 -75.00   0.00   45.3   87.5  loop.rxt
update      lru       128   0.00   0.00  +0.00   0.00   45.3    0.0  scan.rxt
update      lru       128   0.00  37.50 -37.50   0.00  100.0   87.5  all
update      lru       512  75.00  75.00  +0.00  75.00   17.0   25.0  loop.rxt
update      lru       512   0.00   0.00  +0.00   0.00   38.7    0.0  scan.rxt
update      lru       512  37.50  37.50  +0.00  37.50  100.0   25.0  all" "$output"
	sim --mix --json -m update -p lru,rx -s 10%,128 loop.rxt scan.rxt
	is '1 length 500 ["loop.rxt","scan.rxt"] 4' "$(json '"\(.rxsim) \(.results[0] | "\(.order) \(.distinct) \(.traces | map(.trace) | tostring) \(.cells | length)")"')"
	is '["lru","update","128",128,0,37.5,112,"scan.rxt",400]' \
		"$(json '.results[0].cells[1] | [.policy, .mode, .size, .asked, .shared.hit_percent, .best.hit_percent, .best.blocks, .traces[1].trace, .traces[1].reads] | tostring')"
}

@test "a mix by time" {
	# The first trace is over when the second one begins, so each has all of the memory.
	for i in 1 2; do
		printf '  8,0 1 1 %d.5 7 Q R 0 + 8 [a]\n' "${i}0" "${i}1" >"text$i"
	done
	sim --mix -m update -p fifo -s 1 text1 text2
	has "mixed by time" "$output"
	has "update      fifo        1  50.00  25.00 +25.00   0.00  100.0  100.0  all" "$output"
	sim --mix -m update -p fifo -s 1 text1 loop.rxt
	has "mixed by length" "$output"
}

@test "a mix that can't be run" {
	sim 1 --mix loop.rxt
	is "rxstudy: --mix takes 2 to 16 traces; see: rxstudy --help" "$stderr"
	for with in --shadow --stores --time; do
		sim 1 --mix "$with" loop.rxt loop.rxt
		has "can't be used with" "$stderr"
	done
	sim 2 --mix -s 1 loop.rxt none.rxt
	is "rxstudy: none.rxt: No such file or directory" "$stderr"
	sim 2 --mix -s 1 --json loop.rxt none.rxt
	is '["none.rxt","No such file or directory"]' "$(json '.results[0] | [.trace, .error] | tostring')"
	# Room for one of them, but not for both.
	sim --mix -m update -p fifo -s 1 --memory 1100K loop.rxt loop.rxt
	sim 2 --mix -m update -p fifo -s 1 --memory 1090K loop.rxt loop.rxt
	has "too long for this machine's memory" "$stderr"
}

@test "read-ahead: on each disk, off and auto" {
	# shellcheck disable=SC2046
	trace scan $(seq 2000)
	sim --read-ahead -m update -p rx -s 512 scan.rxt
	is "scan.rxt: 2000 requests, 2000 blocks" "$(head -n1 <<<"$output")"
	is "seek net ssd 4" "$(awk 'NR > 2 { print $4 }' <<<"$output" | xargs)"
	sim --read-ahead --json -m update,allocate -p rx,lru -s 512,50% --disk ssd,7 --think 2.5 scan.rxt
	is '16 ["rx","update","512","ssd",512,2000] 2000 true' \
		"$(json '.results[0].cells | "\(length) \(.[8] | [.policy, .mode, .size, .disk, .asked, .requests] | tostring) \(.[8].off.waits) \(map(.auto.waits < .off.waits / 2 and .issued == .used + .vain) | all)"')"
}

@test "read-ahead that can't be run" {
	for disk in tape 0 -1 1.5 ''; do
		sim 1 --read-ahead --disk "$disk" loop.rxt
		is "rxstudy: no disk '$disk'; see: rxstudy --help" "$stderr"
	done
	for think in 0 -1 x 1us ''; do
		sim 1 --read-ahead --think "$think" loop.rxt
		has "not a number of microseconds: '$think'" "$stderr"
	done
	for with in --shadow --stores --mix; do
		sim 1 --read-ahead "$with" loop.rxt loop.rxt
		has "can't be used with" "$stderr"
	done
}
