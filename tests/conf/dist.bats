#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The tarball of a version, which is made of the last commit.

load ../cli/helper

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

# Makes release in the clone, with records of its own.
release() { run --separate-stderr make -s --no-print-directory -C "$clone" release RX_CACHE="$BATS_TEST_TMPDIR/cache" "$@"; }

# commit MESSAGE: all that is in the clone.
commit() { git -C "$clone" -c user.name=a -c user.email=a@a -c commit.gpgsign=false commit -q -a -m "$1"; }

# passed NAME…: records that these checks have passed on the clone's commit.
passed() {
	local file name
	file=$BATS_TEST_TMPDIR/cache/checked/$(git -C "$clone" rev-parse 'HEAD^{tree}')
	mkdir -p "${file%/*}"
	for name; do echo "# $name: 10 s, 20 of a processor, exit 0, 3 passed, 0 failed, 1 skipped" >>"$file"; done
}

checks() { sed -n 's/^PARTS=(\(.*\))$/\1/p' "$clone/conf/release.sh"; }

release_setup() {
	clone=$BATS_TEST_TMPDIR/a
	clone "$clone"
	version=$(make -s --no-print-directory -C "$clone" version)
	sed -i "0,/^## /s/^## .*/## $version (2026-01-02)/" "$clone/CHANGELOG.md"
	git -C "$clone" tag | xargs -r git -C "$clone" tag -d >/dev/null
	git -C "$clone" diff --quiet HEAD || commit "a date"
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a
}

@test "release: refused until all checks have passed on this very tree" {
	release_setup
	for part in $(checks); do grep -qE "^\s*part(_queue)? $part " "$clone/.ci/run"; done
	release
	[ "$status" != 0 ]
	has "these checks have not passed on this commit: $(checks); run: NIGHTLY=1 .ci/run" "$stderr"
	# shellcheck disable=SC2046
	passed $(checks)
	echo "# boots: 10 s, 20 of a processor, exit 1, 3 passed, 1 failed" >>"$BATS_TEST_TMPDIR"/cache/checked/*
	release
	[ "$status" != 0 ]
	has "not passed on this commit: boots;" "$stderr"
	passed boots
	echo >>"$clone/Makefile"
	release
	[ "$status" != 0 ]
	has "there are changes that no commit has" "$stderr"
	commit "more"
	release
	[ "$status" != 0 ]
	has "not passed on this commit: lint " "$stderr"
	[ -z "$(git -C "$clone" tag)" ]
	[ ! -e "$clone/packages" ]
}

@test "release: tagged and packed; no version is released twice, or without a date" {
	release_setup
	# shellcheck disable=SC2046
	passed $(checks)
	release CHECK=1
	is "nothing is missing for $version" "$output"
	[ -z "$(git -C "$clone" tag)" ]
	release
	is "" "$stderr"
	is "v$version" "$(git -C "$clone" describe --exact-match)"
	(cd "$clone" && sha256sum -c <<<"${lines[0]}")
	release
	[ "$status" != 0 ]
	has "v$version is a tag already" "$stderr"
	git -C "$clone" tag -d "v$version"
	sed -i "s/^## $version .*/## $version (not released)/" "$clone/CHANGELOG.md"
	commit "no date"
	# shellcheck disable=SC2046
	passed $(checks)
	release
	[ "$status" != 0 ]
	has "the top of CHANGELOG.md is not \"## $version (YYYY-MM-DD)\"" "$stderr"
}

@test "release: .ci/run records what passed, unless the tree has changed meanwhile" {
	release_setup
	export RX_CACHE=$BATS_TEST_TMPDIR/cache
	. "$clone/tests/vm/checked.sh"
	tree=$(checked_tree)
	is "$(git -C "$clone" rev-parse 'HEAD^{tree}')" "$tree"
	line="# lint: 1 s, 2 of a processor, exit 0, 3 passed, 0 failed"
	checked_add "$tree" "$line"
	is "check" "$(checked_lacks "$tree" lint check)"
	echo >>"$clone/Makefile"
	is "" "$(checked_tree)"
	checked_add "$tree" "${line/lint/check}"
	is "check" "$(checked_lacks "$tree" lint check)"
}
