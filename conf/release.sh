#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
#   conf/release.sh          makes a release of the last commit: an annotated tag vVERSION, and the tarball in packages/dist
#   conf/release.sh --check  only says what is missing
#
# Refuses unless the commit is all that there is here, its version is new and has a date in CHANGELOG.md, all checks of CONTRIBUTING.md
# have passed on this very tree, and two clones make the same tarball. It publishes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tests/vm/checked.sh

# What NIGHTLY=1 .ci/run runs on the way to a release.
PARTS=(lint model check debug cost boot packages all boots torture check-debug arm64)

git=(git -c "safe.directory=*")
missing=()
work=$(mktemp -d "${TMPDIR:-/tmp}/rxrelease.XXXXXX")
trap 'rm -rf "$work"' EXIT

die() { echo "release: $*" >&2; exit 1; }
miss() { missing+=("$1"); }

look_at_version() {
	local date
	! "${git[@]}" rev-parse -q --verify "refs/tags/v$version" >/dev/null || miss "v$version is a tag already; write a new version into module/include/rx/version.h"
	tests/lint one_version >/dev/null 2>&1 || miss "the version is not the same everywhere; run: tests/lint one_version"
	date=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
	if [[ ! $date =~ ^"$version "\((20[0-9]{2}-[0-9]{2}-[0-9]{2})\)$ ]]; then
		miss "the top of CHANGELOG.md is not \"## $version (YYYY-MM-DD)\""
	elif [[ ${BASH_REMATCH[1]} > $(date -u +%F) ]]; then
		miss "the date on top of CHANGELOG.md is yet to come"
	fi
}

look_at_checks() {
	local lacks
	if [ -z "$tree" ]; then
		miss "there are changes that no commit has; commit them or remove them (git status)"
		return
	fi
	lacks=$(checked_lacks "$tree" "${PARTS[@]}" | xargs)
	[ -z "$lacks" ] || miss "these checks have not passed on this commit: $lacks; run: NIGHTLY=1 .ci/run"
}

# tarball_of DIR OUT: prints the checksum of the tarball that DIR makes.
tarball_of() { make -s --no-print-directory -C "$1" dist DIST_OUT="$2" | cut -d ' ' -f 1; }

main() {
	local check='' version tree sum
	case ${1:-} in
	--check) check=1 ;;
	'') ;;
	*) die "say: conf/release.sh [--check]" ;;
	esac
	"${git[@]}" rev-parse -q --verify HEAD >/dev/null 2>&1 || die "a release is made of a commit; run this in a clone"
	version=$(make -s --no-print-directory version)
	tree=$(checked_tree)
	look_at_version
	look_at_checks
	if [ ${#missing[@]} != 0 ]; then
		printf 'release: %s\n' "${missing[@]}" >&2
		exit 1
	fi
	sum=$(tarball_of . "$work/here")
	"${git[@]}" clone -q --no-hardlinks . "$work/clone"
	[ "$sum" = "$(tarball_of "$work/clone" "$work/there")" ] || die "another clone makes another tarball"
	if [ -n "$check" ]; then
		echo "nothing is missing for $version"
		return
	fi
	"${git[@]}" tag -a -m "rxdsk $version" "v$version"
	mkdir -p packages/dist
	mv "$work/here/rxdsk-$version.tar.gz" packages/dist
	echo "$sum  packages/dist/rxdsk-$version.tar.gz"
	echo "publish it, and: git push origin v$version"
}

main "$@"
