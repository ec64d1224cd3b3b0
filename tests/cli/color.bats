#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is red, and where nothing is: in pipes, in JSON, for NO_COLOR.

load helper

TERMINAL=$BATS_TEST_DIRNAME/terminal.py
RED=$'\e[1;31m' PLAIN=$'\e[m'

setup() {
	export TERM=xterm
	unset NO_COLOR
}

# red: what of $output is red, one piece a line, without what fills a column.
red() { perl -ne 'print "$1\n" while /\e\[1;31m(.*?)\e\[0?m/g' <<<"$output" | tr -d ' '; }

# cache STATE-AND-MODE: one cache, in every answer.
cache() {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE $1
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $1
	END
}

@test "list: states in trouble are red, and no other word" {
	for state in "state=dead dead" "mode=bypass bypass" "verify.running=no verify.mismatches=3 mode=bypass mismatch"; do
		cache "${state% *}"
		rx list --color=always
		is "${state##* }" "$(red)"
		rx list --tree --color=always
		is "${state##* }" "$(red)"
	done
	for state in state=starting state=draining frozen=yes mode=write-around; do
		cache "$state"
		rx list --color=always
		is "" "$(red)"
		[[ $output != *$'\e'* ]]
	done
}

@test "list: numbers of errors are red unless they are 0" {
	cache "stats.read-errors=0 stats.write-errors=7"
	rx list rxc0 --color -o NAME,READS,READ-ERRORS,WRITE-ERRORS,ERRORS
	is "7 7" "$(red | paste -sd' ')"
}

@test "stat: state, mode, errors and blocks that differ" {
	cache "state=dead mode=bypass stats.read-errors=0 stats.write-errors=4 verify.running=no verify.compared=9 verify.skipped=0 verify.mismatches=3"
	rx stat rxc0 --color=always
	is "bypass dead 4 3" "$(red | paste -sd' ')"
	cache ""
	rx stat rxc0 --color=always
	is "" "$(red)"
}

@test "errors have a red prefix, hints have none" {
	rx 1 attach 1024 --color
	is "${RED}rxadm:${PLAIN} attach: size '1024' has no unit; say 1024M or 1024B" "$stderr"
	replay <<-END
		>* rxdsk disk-get dump
		>* rxcache cache-get dump
	END
	rx list --color=always
	is "rxadm: no disks; make one: rxadm attach 1G" "$stderr"
}

@test "pipes, JSON and raw columns have no colour; never is never" {
	cache state=dead
	for words in "" --color=auto --color=never "--color=always --json" "--color=always --raw" "--color=always --pretty"; do
		# shellcheck disable=SC2086
		rx list $words
		[[ $output$stderr != *$'\e'* ]] || { echo "$words: $output" && return 1; }
		has dead "$output"
	done
	rx 1 attach 1024
	[[ $stderr != *$'\e'* ]]
}

@test "a terminal has colour, unless NO_COLOR, TERM or --color=never says no" {
	cache state=dead
	in_terminal red:dead end:0 -- list
	in_terminal red:rxadm: end:1 -- attach 1024
	in_terminal expect:dead end:0 gray: -- list --color=never
	TERM=dumb in_terminal expect:dead end:0 gray: -- list
	NO_COLOR=1 in_terminal expect:dead end:0 gray: -- list
	NO_COLOR=1 in_terminal expect:rxadm: end:1 gray: -- attach 1024
	NO_COLOR='' in_terminal red:dead end:0 -- list
	NO_COLOR=1 in_terminal red:dead end:0 -- list --color=always
}

@test "top: the state on the screen, and on a screen without colour" {
	cache state=dead
	in_terminal red:dead send:q end:0 -- top -i 100ms
	in_terminal expect:dead send:q end:0 gray: -- top -i 100ms --color=never
}

@test "the value stands behind =, and the next word is a verb" {
	cache ""
	rx --color list
	rx --color=never list
	rx 1 --color never list
	has "no verb 'never'" "$stderr"
	rx 1 list --color=blue
	is "rxadm: list: invalid color: 'blue' (use auto|always|never)" "$stderr"
	rx 1 list --color=
	rx 1 list --color --color=auto
	has "given twice" "$stderr"
	is "auto always never" "$("$RXADM" __words list --color = | paste -sd' ')"
	is "auto always never" "$("$RXADM" __words --color= | paste -sd' ')"
	has attach "$("$RXADM" __words --color)"
	has attach "$("$RXADM" __words --color = always)"
}
