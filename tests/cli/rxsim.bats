#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rxsim: what it prints, as tables and as JSON, and what it refuses. Its figures are the matter of unit/cache/test_sim.

load helper

setup() {
	RXSIM=${RXADM%/*}/rxsim
	PAGE=${MAN%/*}/rxsim.8
	# A loop over 100 blocks.
	# shellcheck disable=SC2046
	trace loop $(for _ in 1 2 3 4; do seq 0 99; done)
	cd "$BATS_TEST_TMPDIR"
}

# sim [EXPECTED-STATUS] ARGUMENT…: runs rxsim, with $output and $stderr apart.
sim() { RXADM=$RXSIM rx "$@"; }

@test "tables: a row for each mode and policy, a column for each size" {
	sim -m update -p clock -s 50%,128,1M loop.rxt
	is "loop.rxt: 400 requests, 100 blocks
write       policy     50%     128      1M
update      clock     0.00   75.00   75.00" "$output"
	sim loop.rxt
	is 8 "$(wc -l <<<"$output")"
	sim --stores -m update -p clock -s 128 loop.rxt
	has "  75.00 0.33" "$output"
}

@test "JSON: traces, cells, and what was asked for" {
	cp loop.rxt 'a"b.rxt'
	sim --json -m allocate,update -p rx -s 10%,4M 'a"b.rxt' loop.rxt
	is '1 ["a\"b.rxt","loop.rxt"] 400 100 100 4' "$(json '"\(.rxsim) \(.results | map(.trace) | tostring) \(.results[1] | "\(.requests) \(.distinct) \(.span) \(.cells | length)")"')"
	# A cache that has room for all is not simulated larger than need be.
	is '[["allocate","10%",10],["allocate","4M",1024],["update","10%",10],["update","4M",1024]]' \
		"$(json '.results[0].cells | map([.mode, .size, .asked]) | tostring')"
	is "400 300 75 0 true" "$(json '.results[0].cells[1] | "\(.reads) \(.hits) \(.hit_percent) \(.evicted) \(.blocks <= 400)"')"
}

@test "a trace that can't be read" {
	sim 2 none.rxt
	is "rxsim: none.rxt: No such file or directory" "$stderr"
	is "" "$output"
	# In JSON the reason is part of it, after what could be read.
	sim 2 --json -s 1 loop.rxt none.rxt loop.rxt
	is "" "$stderr"
	is '[["loop.rxt",null],["none.rxt","No such file or directory"]]' "$(json '.results | map([.trace, .error]) | tostring')"
	sim 2 --memory 64K loop.rxt
	has "too long for this machine's memory after 0 requests" "$stderr"
	sim --memory 4M -s 1 loop.rxt
}

@test "output that can't be written" {
	for line in loop.rxt "-j loop.rxt" --help; do
		run --separate-stderr -5 bash -c '"$0" $1 >/dev/full' "$RXSIM" "$line"
		is "rxsim: can't write the output: No space left on device" "$stderr"
		run --separate-stderr -5 bash -c '"$0" $1 >&-' "$RXSIM" "$line"
		is "rxsim: can't write the output: Bad file descriptor" "$stderr"
	done
	run --separate-stderr -2 bash -c '"$0" none.rxt >&-' "$RXSIM"
	is "rxsim: none.rxt: No such file or directory" "$stderr"
}

@test "a name of any bytes: JSON stays JSON, and nothing reaches the terminal raw" {
	cp loop.rxt $'a\xff\n\e.rxt'
	sim -j -s 50% -p rx -m update $'a\xff\n\e.rxt'
	is '"a?\n\u001b.rxt"' "$(jq -c '.results[0].trace' <<<"$output")"
	cp loop.rxt $'\e[2J.rxt'
	sim -s 50% $'\e[2J.rxt'
	is '\x1b[2J.rxt: 400 requests, 100 blocks' "$(head -n 1 <<<"$output")"
	sim 2 $'\e[2J'
	is 'rxsim: \x1b[2J: No such file or directory' "$stderr"
	sim 1 -p $'\e[2J' loop.rxt
	is "rxsim: no policy '\x1b[2J'; see: rxsim --help" "$stderr"
	# What stands in "size" begins as a number.
	sim 1 -j -s $'\n50%' loop.rxt
	is "rxsim: not a size: '\x0a50%'; see: rxsim --help" "$stderr"
	rx advise --trace $'\e[2J.rxt'
	is '\x1b[2J.rxt: 400 requests; they touch 100 blocks of 4K (400K), and read 400' "$(head -n 1 <<<"$output")"
	sysroot
	: >"$RXADM_SYSROOT/dev/"$'\e[2J'
	replay </dev/null
	rx map rxd0 $'/dev/\e[2J' --dry-run
	is 'would map /dev/\x1b[2J to rxd0' "$output"
}

@test "wrong words" {
	sim 1
	has "no trace" "$stderr"
	for size in 0 -1 x 1P 1Kx 10%% '' 1e19T; do
		sim 1 --size "$size" loop.rxt
		is "rxsim: not a size: '$size'; see: rxsim --help" "$stderr"
	done
	sim 1 --memory 10% loop.rxt
	has "not a size: '10%'" "$stderr"
	# The last two are only in the source, in tests/sim.
	for policy in arc lru fifo; do
		sim 1 --policy $policy loop.rxt
		has "no policy '$policy'" "$stderr"
	done
	for option in --mix --read-ahead --shadow --time; do
		sim 1 $option loop.rxt
	done
	sim 1 --mode around loop.rxt
	has "no mode 'around'" "$stderr"
	sim 1 --frob loop.rxt
}

@test "manual: every option, letter and policy of the help, and no other" {
	sim --help
	is "$(grep -oE -- '^  (-., |    )--[a-z-]+' <<<"$output" | tr -dc 'a-z\n' | sort)" \
		"$(sed -n 's/^\.It Fl \(\([a-z]\) , Fl \)\{0,1\}-\([a-z-]*\).*/\2\3/p' "$PAGE" | tr -d - | sort)"
	for policy in $(sed -n 's/.*--policy.*all: //p' <<<"$output" | tr -d ,); do
		grep -qE "^\.Cm $policy( [.,])?$" "$PAGE"
	done
}
