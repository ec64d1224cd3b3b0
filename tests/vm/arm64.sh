# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# arm64 guests on an amd64 host. Kernel modules, rxadm and the tests' helpers are cross-compiled. The guest's programs come from
# bookworm's arm64 packages, which are unpacked and never installed. They are also the sysroot of the compiler.
#
# guest-tools-arm64/packages  the list of packages
# guest-tools-arm64/files/    the unpacked packages

ARM64_PACKAGES="$TOOL_PACKAGES
bash busybox-static coreutils dash diffutils dmsetup e2fsprogs fdisk findutils fio jq kmod mount procps strace util-linux util-linux-extra
libacl1 libattr1 libblkid1 libc6 libcap-ng0 libcap2 libcom-err2 libcrypt1 libdevmapper1.02.1 libext2fs2 libfdisk1 libgcc-s1
libgcrypt20 libglib2.0-0 libgmp10 libgpg-error0 libjq1 libjson-c5 libkmod2 liblz4-1 liblzma5 libmount1 libncursesw6 libnl-3-200
libnl-genl-3-200 libnuma1 libonig5 libpcre2-8-0 libproc2-0 libreadline8 libselinux1 libsmartcols1 libss2 libssl3 libsystemd0
libtinfo6 libudev1 libuuid1 libzstd1 zlib1g
libc6-dev libcrypt-dev libjson-c-dev libnl-3-dev libnl-genl-3-dev libsmartcols-dev libzstd-dev linux-libc-dev uuid-dev"

arm64_root() { printf '%s/guest-tools-arm64/files' "$RX_CACHE"; }

arm64_fetch() { packages_unpack guest-tools-arm64 "$ARM64_PACKAGES" bookworm-arm64; }

# Prints the path of a compiler for the guest's programs.
arm64_gcc() {
	local gcc
	for gcc in "${ARM64_PREFIX}gcc-12" "${ARM64_PREFIX}gcc"; do
		command -v "$gcc" && return 0
	done
	die "there is no ${ARM64_PREFIX}gcc"
}

# Sets the environment in which make and pkg-config build for arm64. RX_CC is the compiler with its sysroot, for direct calls.
arm64_compile() {
	local root gcc
	root=$(arm64_root)
	gcc=$(arm64_gcc)
	RX_CC=("$gcc" "--sysroot=$root")
	export CC="${RX_CC[*]}" AR="${ARM64_PREFIX}ar" PKG_CONFIG_SYSROOT_DIR=$root
	export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig
}

arm64_lib() {
	local dir
	for dir in lib usr/lib lib/aarch64-linux-gnu usr/lib/aarch64-linux-gnu; do
		[ ! -e "$1/$dir/$2" ] || { echo "$1/$dir/$2" && return 0; }
	done
	return 1
}

# arm64_libs FILE: prints the libraries that FILE needs, as ldd would, one path a line. If the packages lack one, the script ends.
arm64_libs() {
	local root name path queue=("$1")
	local -A seen=()
	root=$(arm64_root)
	while [ ${#queue[@]} -gt 0 ]; do
		while read -r name; do
			[ -z "${seen[$name]:-}" ] || continue
			seen[$name]=1
			path=$(arm64_lib "$root" "$name") || die "$1 needs $name, which is not among the packages for arm64"
			echo "$path"
			queue+=("$path")
		done < <(readelf -d "${queue[0]}" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
		queue=("${queue[@]:1}")
	done
	[ -n "${seen[ld-linux-aarch64.so.1]:-}" ] || arm64_lib "$root" ld-linux-aarch64.so.1
}

# One qemu argument per line. KVM is never used. The architected algorithm of pointer authentication, and vectors longer than
# 16 bytes, are off because they would take most of the emulator's time.
arm64_machine() {
	printf '%s\n' -machine virt,gic-version=3 -accel tcg,thread=multi -cpu max,pauth-impdef=on,sve=off,sme=off,lpa2=off
}
