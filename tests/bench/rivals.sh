# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Rivals that are not in Debian's kernels: bcache's tool, and RapidDisk from Debian's rapiddisk-dkms, if it builds. They are
# unpacked into the cache like the guest's other tools (vm/tools.sh), and never installed.

RIVAL_PACKAGES="bcache-tools rapiddisk-dkms"

# rapiddisk_build KERNEL: prints the folder with its modules, or nothing if it does not build for that kernel.
rapiddisk_build() {
	local k=$1 dir src
	dir=$RX_CACHE/rivals/rapiddisk-$(kernel_release "$k")
	if [ ! -e "$dir/done" ]; then
		rm -rf "$dir"
		mkdir -p "$dir"
		src=$(compgen -G "$RX_CACHE/rivals/files/usr/src/rapiddisk-dkms-*")
		cp -r "$src/." "$dir/"
		if kernel_native "$k"; then
			make -C "$(kernel_dir "$k")/headers/usr/src/linux-headers-$(kernel_release "$k")" M="$dir" modules >"$dir/log" 2>&1 || true
		fi
		strip --strip-debug "$dir"/*.ko 2>/dev/null || true
		touch "$dir/done"
	fi
	[ ! -e "$dir/rapiddisk-cache.ko" ] || echo "$dir"
}

# rival_files KERNEL: prints the rivals' files for the guest, one a line.
rival_files() {
	local dir
	packages_unpack rivals "$RIVAL_PACKAGES"
	echo "$RX_CACHE/rivals/files/usr/sbin/make-bcache"
	dir=$(rapiddisk_build "$1")
	if [ -n "$dir" ]; then
		ls "$dir"/*.ko
	else
		say "RapidDisk does not build for $1: left out"
	fi
}
