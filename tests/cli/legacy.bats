#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The historic spellings work, with one line of warning.

load helper

# dry OLD-WORDS… -- REQUEST NEW-SPELLING
dry() {
	local old=()
	while [ "$1" != -- ]; do old+=("$1") && shift; done
	rx "${old[@]}" --dry-run
	is "$2" "$output"
	is "rxadm: ${old[0]} is an old spelling; say: rxadm $3" "$stderr"
}

@test "requests" {
	there_are rxd0 rxc0
	dry --attach 1024 -- "would attach a disk, size 1G" "attach 1024M"
	dry --detach rxd0 -- "would detach rxd0" "detach rxd0"
	dry --resize rxd0 2048 -- "would change rxd0, size 2G" "resize rxd0 2048M"
	dry --rxc-map rxd0 /dev/sda3 4 -- "would map /dev/sda3 to rxd0, block size 4K" "map rxd0 /dev/sda3 --block 4K"
	dry --rxc-unmap rxc0 -- "would unmap rxc0" "unmap rxc0"
}

@test "images" {
	sysroot
	truncate -s 1G "$RXADM_SYSROOT/dev/rxd0"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 id=3 $DISK
		>* rxdsk disk-extents name=rxd0
		< id=3
	END
	rx --archive rxd0 "$BATS_TEST_TMPDIR/image"
	has "rxd0: 0B of 1G saved in " "$output"
	is "rxadm: --archive is an old spelling; say: rxadm save rxd0 $BATS_TEST_TMPDIR/image" "$stderr"
	rx --restore "$BATS_TEST_TMPDIR/image" rxd0
	has "rxd0: 0B of 1G restored" "$output"
	is "rxadm: --restore is an old spelling; say: rxadm restore $BATS_TEST_TMPDIR/image rxd0" "$stderr"
}

@test "lists and counters" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx --list
	has "NAME" "$output"
	has "say: rxadm list" "$stderr"
	rx --short-list
	[[ $output != *NAME* ]]
	has "rxd0" "$output"
	rx --stat-cache rxc0
	has "cache of /dev/sdb" "$output"
	is 1 "$(wc -l <<<"$stderr")"
}

@test "what destroys is refused with the new words" {
	replay </dev/null
	rx 1 --flush rxd0
	is "rxadm: --flush rxd0: would destroy everything on it; if that is meant: rxadm erase rxd0" "$stderr"
	rx 1 --flush "a; reboot"
	is "rxadm: --flush a; reboot: would destroy everything on it; if that is meant: rxadm erase 'a; reboot'" "$stderr"
}

@test "old spellings with wrong words" {
	replay </dev/null
	rx 1 --attach
	rx 1 --attach 1G
	has "takes plain numbers" "$stderr"
	rx 1 --resize rxd0
}

@test "they can be turned off" {
	export RXADM_NO_LEGACY=1
	rx 1 --attach 1024
	has "no option '--attach'" "$stderr"
}

@test "a word with blanks in it stays one, and no option comes out of it" {
	sysroot
	there_are rxd0
	rx 1 --restore "x --dry-run" rxd0
	is "rxadm: --restore is an old spelling; say: rxadm restore 'x --dry-run' rxd0
rxadm: restore x --dry-run: No such file or directory" "$stderr"
	rx 1 --detach "rxd0 --json"
	has "'rxd0 --json' is no" "$stderr"
}
