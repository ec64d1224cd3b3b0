#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The tarball of a version, which is made of the last commit.

load helper

setup() {
	TREE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	git -C "$TREE" -c safe.directory='*' rev-parse -q --verify HEAD >/dev/null 2>&1 || skip "no clone"
}

# clone TO: a clone of the last commit, with another user's settings.
clone() {
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
	git clone -q --no-hardlinks "$TREE" "$1"
}

@test "tarball: the same bytes from every clone, and all of the commit" {
	clone "$BATS_TEST_TMPDIR/a"
	run -0 --separate-stderr make -s --no-print-directory -C "$BATS_TEST_TMPDIR/a" dist
	is "" "$stderr"
	sum=${output%% *} file=$BATS_TEST_TMPDIR/a/${output##* }
	(umask 077 && clone "$BATS_TEST_TMPDIR/b")
	git -C "$BATS_TEST_TMPDIR/b" config tar.umask 0002
	git -C "$BATS_TEST_TMPDIR/b" config core.autocrlf true
	run -0 --separate-stderr env TZ=Asia/Tokyo make -s --no-print-directory -C "$BATS_TEST_TMPDIR/b" dist DIST_OUT="$BATS_TEST_TMPDIR/out"
	is "$sum  $BATS_TEST_TMPDIR/out/${file##*/}" "$output"
	name=rxdsk-$(make -s --no-print-directory -C "$BATS_TEST_TMPDIR/a" version)
	is "$name.tar.gz" "${file##*/}"
	is "$(git -C "$BATS_TEST_TMPDIR/a" ls-tree -r --name-only HEAD)" "$(tar -tf "$file" | sed -n "s,^$name/\(.*[^/]\)\$,\1,p" | LC_ALL=C sort)"
	tar -xf "$file" -C "$BATS_TEST_TMPDIR"
	is "$name" "rxdsk-$(make -s --no-print-directory -C "$BATS_TEST_TMPDIR/$name" version)"
}

@test "tarball: what is not committed is said, and a tree without a commit is refused" {
	clone "$BATS_TEST_TMPDIR/a"
	echo >>"$BATS_TEST_TMPDIR/a/Makefile"
	run -0 --separate-stderr make -s --no-print-directory -C "$BATS_TEST_TMPDIR/a" dist
	has "changes that are not committed are not in the tarball" "$stderr"
	rm -rf "$BATS_TEST_TMPDIR/a/.git" "$BATS_TEST_TMPDIR/a/packages"
	run --separate-stderr make -s --no-print-directory -C "$BATS_TEST_TMPDIR/a" dist
	[ "$status" != 0 ]
	has "a tarball is made of a commit; run make dist in a clone" "$stderr"
	[ ! -e "$BATS_TEST_TMPDIR/a/packages" ]
}
