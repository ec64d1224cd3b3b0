#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# check-tab --strict, and options of fstab in a table.

load helper

setup() {
	sysroot
	cd "$BATS_TEST_TMPDIR"
}

@test "--strict: a warning ends with status 1, and is printed also with --quiet" {
	echo "rxc0 cache origin=/dev/sdq,size=1G" >warned
	rx check-tab --tab warned
	has "warned: good" "$output"
	warnings=$stderr
	has "warned:1: warning: origin '/dev/sdq' is not there now" "$warnings"
	rx 1 check-tab --tab warned --strict
	is "" "$output"
	is "$warnings" "$stderr"
	rx 1 check-tab --tab warned --strict --quiet
	is "$warnings" "$stderr"
	rx 1 check-tab --tab warned --strict --json
	is "false 2" "$(json '"\(.notes[0].error) \(.notes | length)"')"
	echo "rxd0 disk size=1M" >good
	replay </dev/null
	rx check-tab --tab good --strict
	is "good: good (disks: 1, caches: 0)" "$output"
}

@test "nofail is for fstab: it is refused, because it would promise what holds for every line" {
	printf 'rxd0 disk size=1M,nofail\nrxc0 cache origin=/dev/sdq,size=1G,nofail\n' >table
	rx 1 check-tab --tab table
	has "table:1: option 'nofail' is for fstab; a boot goes on without a line that fails (leave it out)" "$stderr"
	has "table:2: option 'nofail' is for fstab" "$stderr"
	rx 1 up --tab table
	has "option 'nofail' is for fstab" "$stderr"
}
