#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The harness of the kernel tests itself: a machine that is lost hides no test, and a busy host uses up no limit.

setup() {
	here=$BATS_TEST_DIRNAME/../vm
	cd "$BATS_TEST_TMPDIR"
	mkdir vm
	ln -s "$(realpath "$here")"/{lib.sh,parts.sh,series} vm/
}

teardown() {
	[ -z "${pids:-}" ] || kill $pids 2>/dev/null || true
}

# The Nth machine of the stub prints the lines of vm/boot-N and ends with the status in the first one.
stub_machine() {
	cat >vm/run <<-'E'
		#!/bin/sh
		n=$(($(cat count 2>/dev/null || echo 0) + 1))
		echo $n >count
		while [ "$1" != -- ]; do shift; done
		echo "$*" >asked-$n
		[ -e vm/boot-$n ] || exit 1
		sed 1d vm/boot-$n
		exit "$(head -n 1 vm/boot-$n)"
	E
	chmod +x vm/run
}

series() { run vm/series --kernel 7.2-uml -- "$@"; }

@test "a test that takes the machine with it has failed, and the others run in another one" {
	stub_machine
	printf '%s\n' 139 'ok 1 100-a # 0.1s' '# the machine panics' >vm/boot-1
	printf '%s\n' 0 'ok 1 102-c # 0.1s' '1 passed, 0 failed' >vm/boot-2
	series 100-a 101-b 102-c
	[ "$status" = 1 ]
	[[ $output = *'not ok - 101-b: the machine was lost (exit 139)'* ]]
	[ "${lines[-1]}" = '2 passed, 1 failed' ]
	[[ $(cat asked-2) = *' 102-c' ]]
	[[ $(cat asked-2) != *100-a* ]]
}

@test "tests that never ran are named, and have failed" {
	stub_machine
	series 100-a 101-b 102-c 103-d 104-e 105-f
	[ "$status" = 1 ]
	[[ $output = *'not ok - 103-d: the machine was lost'* ]]
	[[ $output = *'not ok - 104-e was never run'* ]]
	[ "${lines[-1]}" = '0 passed, 6 failed' ]
}

@test "a machine that ends well before its last test has not run it" {
	stub_machine
	printf '%s\n' 0 'ok 1 100-a # 0.1s' '1 passed, 0 failed' >vm/boot-1
	printf '%s\n' 0 'ok 1 101-b # 0.1s' '1 passed, 0 failed' >vm/boot-2
	series 100-a 101-b
	[ "$status" = 0 ]
	[ "${lines[-1]}" = '2 passed, 0 failed' ]
}

# clock_of PID SECONDS: lets the clock count for a process until so many seconds have passed since its first line. The clock itself
# may be late, so that nothing is said of the time before. Sets $wall, and $seconds, which were counted in it.
clock_of() {
	mkfifo fifo-"$1"
	exec {fd}<>fifo-"$1"
	"$here/clock" "$1" fifo-"$1" 0 2>/dev/null &
	pids+=" $!"
	read -r -t 60 first cpu <&"$fd"
	start=$EPOCHREALTIME wall=0
	while [ "${wall%.*}" -lt "$2" ]; do
		read -r -t 60 seconds cpu <&"$fd"
		wall=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	done
	seconds=$(awk -v a="$first" -v b="$seconds" 'BEGIN { print b - a }')
	kill "$!"
	exec {fd}>&-
}

@test "time in which a machine has to wait for a processor is not counted" {
	command -v taskset >/dev/null || skip "no taskset"
	for i in 1 2 3 4 5 6; do
		taskset -c 0 sh -c 'while :; do :; done' 3>&- &
		pids+=" $!"
	done
	clock_of "$!" 2
	awk -v s="$seconds" -v w="$wall" 'BEGIN { exit !(s > 0 && s < w * 0.75) }' || { echo "$seconds of $wall"; false; }
	sleep 300 3>&- &
	pids+=" $!"
	clock_of "$!" 1
	awk -v s="$seconds" -v w="$wall" 'BEGIN { exit !(s >= w / 2) }' || { echo "$seconds of $wall"; false; }
}

@test "a machine is ended after its time" {
	sh -c 'while :; do :; done' 3>&- &
	machine=$!
	pids=$machine
	mkfifo fifo
	exec {fd}<>fifo
	run "$here/clock" "$machine" fifo 1
	[[ $output = *'its time is up'* ]]
	rc=0
	wait "$machine" || rc=$?
	[ "$rc" = 137 ]
}
