#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
#   conf/package.sh deb|rpm     builds packages from a copy of this tree; they get into packages/deb or packages/rpm, or into
#                               DEB_OUT or RPM_OUT
#
# Needs no root, installs nothing and changes nothing else here: the copy is below TMPDIR and goes at the end. What is missing
# for the build is said.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PARTS=(Makefile COPYING README.md module rxdsk rxcache rxadm conf man)
version=$(make -s --no-print-directory version)
work=$(mktemp -d "${TMPDIR:-/tmp}/rxpackage.XXXXXX")
trap 'rm -rf "$work"' EXIT

die() { echo "package: $*" >&2; exit 1; }

# A clone has also what is not to be packaged; a tarball has nothing else.
stage() {
	if git -c safe.directory='*' rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git -c safe.directory='*' ls-files -co --exclude-standard -- "${PARTS[@]}"
	else
		find "${PARTS[@]}" -type f ! -name '*.o' ! -name '*.d' ! -name '*.ko' ! -name '*.mod*' ! -name '.*' ! -name rx_have.h ! -path rxadm/rxadm ! -path rxadm/rxsim ! -path 'rxadm/sim/build/*'
	fi | while IFS= read -r f; do [ ! -f "$f" ] || printf '%s\n' "$f"; done |
		tar -c --owner=0 --group=0 --mode=u+w,go-w -T - | tar -x -C "$1"
}

# deliver TO FILE…
deliver() {
	local to=$1
	shift
	mkdir -p "$to"
	# Those of the last time, which may have another version.
	rm -f "$to"/rxadm[-_]* "$to"/rxdsk[-_]*
	mv "$@" "$to"
	ls -1 "$to"/rx*
}

make_deb() {
	local tree=$work/rxdsk-$version missing
	command -v dpkg-checkbuilddeps >/dev/null || die "needs Debian's tools; run: apt install build-essential debhelper dh-dkms"
	missing=$(dpkg-checkbuilddeps conf/debian/control 2>&1) ||
		die "packages are missing; run: apt install$(sed 's/.*: *[Uu]nmet build dependencies://; s/([^)]*)//g; s/| *[^ ]*//g; s/debhelper-compat/debhelper/; s/:[a-z]*//g; s/  */ /g' <<<"$missing")"
	mkdir "$tree"
	stage "$tree"
	cp -a "$tree/conf/debian" "$tree/debian"
	(cd "$tree" && DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-noautodbgsym}" dpkg-buildpackage -b -uc -us) >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2 && die "the build failed"; }
	deliver "${DEB_OUT:-packages/deb}" "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo
}

make_rpm() {
	local tree=$work/rxdsk-$version args=()
	command -v rpmbuild >/dev/null || die "rpmbuild is missing; run: apt install rpm, or dnf install rpm-build"
	# Where dpkg rules, rpm knows of no package, and the build requirements are looked for by the compiler.
	! command -v dpkg >/dev/null || args+=(--nodeps)
	mkdir "$tree"
	stage "$tree"
	sed -i "s/@VERSION@/$version/" "$tree/conf/rxdsk.spec"
	tar -c -z -f "$work/rxdsk-$version.tar.gz" -C "$work" "rxdsk-$version"
	rpmbuild -ta "${args[@]}" --define "_topdir $work/rpm" "$work/rxdsk-$version.tar.gz" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2 && die "the build failed"; }
	deliver "${RPM_OUT:-packages/rpm}" "$work"/rpm/RPMS/*/*.rpm "$work"/rpm/SRPMS/*.rpm
}

case ${1:-} in
deb | rpm) "make_$1" ;;
*) die "say: conf/package.sh deb|rpm" ;;
esac
