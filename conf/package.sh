#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
#   conf/package.sh deb|rpm|arch   builds packages from a copy of this tree; they get into packages/deb, packages/rpm or
#                               packages/arch, or into DEB_OUT, RPM_OUT or ARCH_OUT
#   conf/package.sh dist           makes a tarball of the last commit, in packages/dist or DIST_OUT: the same bytes from every clone
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
		find "${PARTS[@]}" -type f ! -name '*.o' ! -name '*.d' ! -name '*.ko' ! -name '*.mod*' ! -name '.*' ! -name rx_have.h ! -name hooks.stamp ! -path rxadm/rxadm ! -path rxadm/rxsim ! -path 'rxadm/sim/build/*'
	fi | while IFS= read -r f; do [ ! -f "$f" ] || printf '%s\n' "$f"; done |
		tar -c --owner=0 --group=0 --mode=u+w,go-w -T - | tar -x -C "$1"
}

# deliver TO FILE…
deliver() {
	local to=$1 file
	shift
	mkdir -p "$to"
	# Packages of the last time, which may have another version. The folder may have other files, such as the tarball.
	for file in "$to"/rx{adm,dsk}[-_]*; do
		case $file in
		*.deb | *.changes | *.buildinfo | *.rpm | *.pkg.tar | *.pkg.tar.*) rm -f "$file" ;;
		esac
	done
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

make_arch() {
	local tree=$work/rxdsk-$version args=()
	command -v makepkg >/dev/null || die "makepkg is missing; run: pacman -S base-devel, or apt install makepkg libarchive-tools fakeroot"
	[ "$(id -u)" != 0 ] || die "makepkg refuses to work as root; run: make arch as another user"
	# Elsewhere there is no pacman to ask for packages, and makepkg wants one.
	command -v pacman >/dev/null || args+=(--nodeps PACMAN=true)
	mkdir "$tree" "$work/arch"
	stage "$tree"
	sed "s/@VERSION@/$version/" "$tree/conf/arch/PKGBUILD" >"$work/arch/PKGBUILD"
	tar -c -z -f "$work/arch/rxdsk-$version.tar.gz" -C "$work" "rxdsk-$version"
	(cd "$work/arch" && PKGDEST=$work/arch/out BUILDDIR=$work/arch makepkg "${args[@]}") >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2 && die "the build failed"; }
	deliver "${ARCH_OUT:-packages/arch}" "$work"/arch/out/*.pkg.tar*
}

# The time in the tarball is that of the commit. git's own settings of this machine do not count.
make_dist() {
	local out=${DIST_OUT:-packages/dist} git=(git -c "safe.directory=*" -c tar.umask=0022 -c core.autocrlf=false) file
	"${git[@]}" rev-parse -q --verify HEAD >/dev/null 2>&1 || die "a tarball is made of a commit; run make dist in a clone"
	"${git[@]}" diff --quiet HEAD || echo "package: changes that are not committed are not in the tarball" >&2
	version=$("${git[@]}" show HEAD:module/include/rx/version.h | sed -n 's/^#define RX_VERSION[[:space:]]*"\(.*\)"$/\1/p')
	file=$out/rxdsk-$version.tar.gz
	mkdir -p "$out"
	"${git[@]}" archive --format=tar --prefix="rxdsk-$version/" HEAD | gzip -9 -n >"$work/tarball"
	mv "$work/tarball" "$file"
	sha256sum "$file"
}

case ${1:-} in
deb | rpm | arch | dist) "make_$1" ;;
*) die "say: conf/package.sh deb|rpm|arch|dist" ;;
esac
