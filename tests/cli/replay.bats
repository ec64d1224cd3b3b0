#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The recordings are strict, or the other tests would prove nothing.

load helper

@test "another request than the one expected" {
	replay <<-END
		> rxdsk disk-new size=4096
		< name=rxd0 $DISK
	END
	rx 99 attach 1G
	is "replay: unexpected: rxdsk disk-new size=1073741824" "$stderr"
	is "" "$output"
}

@test "a request that never came" {
	replay <<-END
		> rxdsk disk-get dump
		> rxcache cache-get dump
		> rxcache join
	END
	rx 99 list
	has "replay: never came: rxcache join" "$stderr"
}

@test "requests in another order" {
	replay <<-END
		> rxcache cache-new disk=rxd0 origin=/dev/sdb
		< name=rxc0 id=5 $STARTING
		> rxcache join
		@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE
	END
	rx 99 map rxd0 /dev/sdb
}

@test "a recording that can't be read" {
	export RXADM_REPLAY=$BATS_TEST_TMPDIR/none
	rx 99 list
	replay <<<"? what"
	rx 99 list
	replay <<<"absent rxfoo"
	rx 99 list
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 frob=1
	END
	rx 99 list
}

@test "attributes that this version does not know are skipped" {
	replay <<-END
		> rxdsk disk-get name=rxd0
		< 77=hex:0102030405 name=rxd0 78=hex: size=4096 79=hex:00
	END
	rx list rxd0 -n -r -o NAME,SIZE
	is "rxd0 4K" "$output"
}
