#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What "make install" and "make uninstall" put into a tree and take out of it. What they work on is a copy of this tree with one
# file of each kind.

load ../cli/helper

setup() {
	top=$BATS_TEST_DIRNAME/../..
	src=$BATS_TEST_TMPDIR/src
	mkdir -p "$src"/{rxadm,module/include/rx,conf/initramfs-tools/hooks,conf/initramfs-tools/scripts/local-top,conf/dracut/90rx}
	cp -r "$top"/{Makefile,COPYING,man} "$src"
	cp -r "$top"/conf/{install.sh,install.mk,package.sh,debian,arch,rxdsk.spec,rxadm.bash,rxsim.bash,rxadm.fish,rxsim.fish,rxcachetop.bt,rxadm.schema.json,fio} "$src/conf"
	cp -r "$top"/module/. "$src/module"
	(cd "$top" && cp --parents rxdsk/*.[ch] rxcache/*.[ch] rxcache/*/*.[ch] rx{dsk,cache}/Kbuild "$src")
	printf '#!/bin/sh\n' | tee "$src/rxadm/rxadm" "$src/rxadm/rxsim" "$src/conf/initramfs-tools/hooks/rxtest" \
		"$src/conf/initramfs-tools/scripts/local-top/rxtest" "$src/conf/dracut/90rx/module-setup.sh" >/dev/null
	printf '#!/bin/sh\nexec /usr/sbin/rxadm __generator "$@"\n' >"$src/conf/rxadm-generator"
	echo 'copy_exec "$tool" /usr/sbin/rxadm' >>"$src/conf/initramfs-tools/hooks/rxtest"
	echo 'SUBSYSTEM!="block", GOTO="end"' >"$src/conf/60-rx.rules"
	printf '#!/bin/sh\n' >"$src/conf/rx-origin"
	echo 'tool=/usr/sbin/rxadm' >"$src/conf/rx-initrd"
	echo '[Unit]' | tee "$src/conf/rxadm.target" "$src/conf/rxadm-x@.service" "$src/conf/dracut/90rx/rxadm.target" >/dev/null
	echo '#compdef rxadm' | tee "$src/conf/_rxadm" "$src/conf/_rxsim" >/dev/null
	echo '# sample' >"$src/conf/rxtab"
	root=$BATS_TEST_TMPDIR/root
	mkdir "$root"
}

# The tool is there already, and the modules are no part of this.
in_tree() { make -s --no-print-directory -C "$src" -o rxadm DESTDIR="$root" "$@"; }

# "MODE PATH" of each file below the root.
installed() { (cd "$root" && find . -type f -printf '%m %P\n' | sort -k 2); }

@test "every file has its place and mode" {
	in_tree install-tool
	want=$(sort -k 2 <<-END
		755 usr/local/sbin/rxadm
		755 usr/local/sbin/rxsim
		755 usr/local/share/doc/rxadm/examples/rxcachetop.bt
		644 usr/local/share/rxadm/rxadm.schema.json
		$(cd "$src/conf" && for f in fio/*; do echo "644 usr/local/share/rxdsk/$f"; done)
		644 usr/local/share/bash-completion/completions/rxadm
		644 usr/local/share/bash-completion/completions/rxsim
		644 usr/local/share/zsh/site-functions/_rxadm
		644 usr/local/share/zsh/site-functions/_rxsim
		644 usr/local/share/fish/vendor_completions.d/rxadm.fish
		644 usr/local/share/fish/vendor_completions.d/rxsim.fish
		$(cd "$src" && for f in man/*.[1-8]; do echo "644 usr/local/share/man/man${f##*.}/${f##*/}"; done)
		644 usr/lib/udev/rules.d/60-rx.rules
		644 usr/lib/udev/rx-initrd
		755 usr/lib/udev/rx-origin
		644 usr/lib/systemd/system/rxadm.target
		644 usr/lib/systemd/system/rxadm-x@.service
		755 usr/lib/systemd/system-generators/rxadm-generator
		755 usr/share/initramfs-tools/hooks/rxtest
		755 usr/share/initramfs-tools/scripts/local-top/rxtest
		755 usr/lib/dracut/modules.d/90rx/module-setup.sh
		644 usr/lib/dracut/modules.d/90rx/rxadm.target
		644 etc/rxtab
	END
	)
	is "$want" "$(installed)"
}

@test "whatever is in conf/ is installed, or makes packages" {
	cd "$top"
	is "" "$({ conf/install.sh list | cut -d ' ' -f 2; find conf/debian conf/arch -type f; printf 'conf/%s\n' rxtab install.sh install.mk package.sh release.sh rxdsk.spec
		} | grep -vxFf - <(find conf -type f))"
}

@test "the paths of a package, and the tool's path in what runs it" {
	in_tree install-tool PREFIX=/usr ZSHDIR=/usr/share/zsh/vendor-completions
	[ -x "$root/usr/sbin/rxadm" ]
	[ -e "$root/usr/share/zsh/vendor-completions/_rxadm" ]
	[ ! -e "$root/usr/local" ]
	grep -q '^exec /usr/sbin/rxadm ' "$root/usr/lib/systemd/system-generators/rxadm-generator"
	in_tree install-tool
	grep -q '^exec /usr/local/sbin/rxadm ' "$root/usr/lib/systemd/system-generators/rxadm-generator"
	is "tool=/usr/local/sbin/rxadm" "$(cat "$root/usr/lib/udev/rx-initrd")"
	# Where it has one path, whatever it has on the disk.
	grep -q ' /usr/sbin/rxadm$' "$root/usr/share/initramfs-tools/hooks/rxtest"
}

@test "uninstall leaves an empty tree, and a machine's other files" {
	in_tree install-tool
	in_tree install-tool
	in_tree uninstall-tool
	is "" "$(find "$root" -mindepth 1)"
	mkdir -p "$root/usr/local/share/man/man8" "$root/etc"
	touch "$root/usr/local/share/man/man8/other.8" "$root/etc/fstab"
	in_tree install-tool
	in_tree uninstall-tool
	is "644 etc/fstab
644 usr/local/share/man/man8/other.8" "$(installed)"
}

@test "a table that was edited is neither overwritten nor removed" {
	in_tree install-tool
	echo 'rxd0 disk size=1G' >"$root/etc/rxtab"
	in_tree install-tool
	run --separate-stderr in_tree uninstall-tool
	is 0 "$status"
	is "left: $root/etc/rxtab, which was edited" "$output"
	is "644 etc/rxtab" "$(installed)"
	is "rxd0 disk size=1G" "$(cat "$root/etc/rxtab")"
}

@test "what is not built is said" {
	rm "$src/rxadm/rxadm"
	run --separate-stderr in_tree install-tool
	[ "$status" != 0 ]
	has "no rxadm/rxadm; run: make rxadm" "$stderr"
	is "" "$(installed)"
	run --separate-stderr in_tree install-modules
	[ "$status" != 0 ]
	has "the modules are not built; run: make modules" "$stderr"
}

@test "modules that are built for another kernel are refused" {
	mkdir -p "$BATS_TEST_TMPDIR/headers/include/config" "$BATS_TEST_TMPDIR/bin"
	echo 6.12.9-amd64 >"$BATS_TEST_TMPDIR/headers/include/config/kernel.release"
	printf '#!/bin/sh\necho "6.1.0-1-amd64 SMP preempt mod_unload"\n' >"$BATS_TEST_TMPDIR/bin/modinfo"
	chmod +x "$BATS_TEST_TMPDIR/bin/modinfo"
	touch "$src/rxdsk/rxdsk.ko" "$src/rxcache/rxcache.ko"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH run --separate-stderr in_tree install-modules KDIR="$BATS_TEST_TMPDIR/headers"
	[ "$status" != 0 ]
	has "built for 6.1.0-1-amd64, not for 6.12.9-amd64; run: make modules" "$stderr"
	is "" "$(installed)"
}

@test "modules go, of every kernel, and what they lay beside stays" {
	for k in 6.1.0-1-amd64 6.12.9-amd64; do
		mkdir -p "$root/lib/modules/$k/updates"/{rxdsk,rxcache}
		touch "$root/lib/modules/$k/updates"/{rxdsk/rxdsk.ko,rxcache/rxcache.ko.xz}
	done
	mkdir "$root/lib/modules/6.12.9-amd64/updates/dkms"
	touch "$root/lib/modules/6.12.9-amd64/updates/dkms/rxdsk.ko"
	in_tree uninstall-modules
	is "644 lib/modules/6.12.9-amd64/updates/dkms/rxdsk.ko" "$(installed)"
	[ ! -e "$root/lib/modules/6.1.0-1-amd64" ]
}

@test "the source for DKMS: all that is compiled, nothing that was" {
	touch "$src/rxdsk"/{disk.o,rxdsk.ko,rxdsk.mod.c} "$src/module/compat/rx_have.h"
	in_tree install-dkms-source
	version=$(make -s --no-print-directory -C "$src" version)
	cd "$root/usr/src/rxdsk-$version"
	is "" "$(find . -name '*.o' -o -name '*.ko' -o -name '*.mod.c' -o -name rx_have.h -o -name '*.yaml')"
	for d in rxdsk rxcache; do
		for o in $(sed -n "s/^$d-y [:+]= //p" "$d/Kbuild"); do [ -e "$d/${o%.o}.c" ]; done
	done
	[ -x module/compat/probe.sh ]
	is "$(cd "$src/module/compat/probe" && ls)" "$(ls module/compat/probe)"
	# As dkms reads it.
	parallel_jobs=3 kernel_source_dir=/headers
	declare -a MAKE BUILT_MODULE_NAME
	. ./dkms.conf
	is "rxdsk $version" "$PACKAGE_NAME $PACKAGE_VERSION"
	is "'make' -j3 modules KDIR=/headers" "${MAKE[0]}"
	is "rxdsk rxcache" "${BUILT_MODULE_NAME[*]}"
	for k in 6.1.0-56-amd64 6.12.117+deb12-amd64 7.3.1 10.0.0-1; do [[ $k =~ $BUILD_EXCLUSIVE_KERNEL ]]; done
	for k in 5.10.0-30-amd64 6.0.12 4.19.0-6.1; do [[ ! $k =~ $BUILD_EXCLUSIVE_KERNEL ]]; done
	for a in x86_64 aarch64; do [[ $a =~ $BUILD_EXCLUSIVE_ARCH ]]; done
	for a in i386 i686 armv7l armv8l mips64 ppc64le riscv64 s390x x86 x86_64_v2; do [[ ! $a =~ $BUILD_EXCLUSIVE_ARCH ]]; done
}

@test "a clone or an unpacked tarball in the place of the source for DKMS is not removed" {
	version=$(make -s --no-print-directory -C "$src" version)
	dir=$root/usr/src/rxdsk-$version
	in_tree install-dkms-source
	: >"$dir/of-the-last-time.c"
	in_tree install-dkms-source
	[ ! -e "$dir/of-the-last-time.c" ]
	rm -r "$dir"
	cp -r "$src" "$dir"
	for from in "$src" "$dir"; do
		run --separate-stderr make -s --no-print-directory -C "$from" -o rxadm DESTDIR="$root" install-dkms-source
		[ "$status" != 0 ]
		has "rxdsk-$version has something else, and DKMS needs that name; move it away first" "$stderr"
		[ -e "$dir/conf/install.sh" ]
	done
	rm -r "$dir"
	ln -s "$src" "$dir"
	run --separate-stderr in_tree install-dkms-source
	[ "$status" != 0 ] && [ -L "$dir" ] && [ -e "$src/conf/install.sh" ]
}

@test "new packages replace packages, and no other file of that folder" {
	eval "$(sed -n '/^deliver() {/,/^}/p' "$src/conf/package.sh")"
	mkdir "$root"/{new,out}
	old="rxadm_0.1_amd64.deb rxdsk_0.1_amd64.changes rxdsk_0.1_amd64.buildinfo rxdsk-dkms-0.1-1.noarch.rpm rxadm-0.1-1-x86_64.pkg.tar.zst"
	own="rxadm-notes.txt rxdsk-0.1.tar.gz rxdsk_save"
	(cd "$root/out" && touch $old $own)
	: >"$root/new/rxadm_0.2_amd64.deb"
	deliver "$root/out" "$root"/new/*
	is "rxadm-notes.txt rxadm_0.2_amd64.deb rxdsk-0.1.tar.gz rxdsk_save" "$(cd "$root/out" && LC_ALL=C ls | xargs)"
}

@test "packages are for processors that README names as tested" {
	is "amd64 arm64" "$(sed -n '/^Package: rxadm/,/^$/s/^Architecture: //p' "$src/conf/debian/control")"
	is "aarch64 x86_64" "$(sed -n 's/^ExclusiveArch:[[:space:]]*//p' "$src/conf/rxdsk.spec")"
	is "x86_64 aarch64" "$(sed -n 's/^arch=(\(.*\))$/\1/p' "$src/conf/arch/PKGBUILD")"
	kernel_source_dir=/headers
	. "$src/module/dkms.conf"
	is "^(x86_64|aarch64)$" "$BUILD_EXCLUSIVE_ARCH"
	is "any arm64 x86-64" "$(sed -n '/^## Machines/,/^## /s/^| \([a-z0-9-]*\)[ ,].*/\1/p' "$BATS_TEST_DIRNAME/../../README.md" | grep -vx machine | sort -u | xargs)"
}

@test "one version everywhere" {
	version=$(make -s --no-print-directory -C "$src" version)
	[[ $version =~ ^[0-9]+(\.[0-9]+)+$ ]]
	rx version
	has "rxadm $version (" "$output"
	is "rxdsk ($version)" "$(sed -n '1s/^\(rxdsk ([^)]*)\).*/\1/p' "$src/conf/debian/changelog")"
	grep -q '^Version:.*@VERSION@$' "$src/conf/rxdsk.spec"
	grep -qx 'pkgver=@VERSION@' "$src/conf/arch/PKGBUILD"
	grep -q '^PACKAGE_VERSION="#MODULE_VERSION#"$' "$src/module/dkms.conf"
}

@test "make deb says which packages are missing, and builds nothing" {
	command -v dpkg-checkbuilddeps >/dev/null || skip "no dpkg-checkbuilddeps"
	sed -i 's/^Build-Depends:.*/&\n no-such-a (>= 2) | no-such-b,\n no-such-c,/' "$src/conf/debian/control"
	cp "$top/README.md" "$src"
	run --separate-stderr make -s --no-print-directory -C "$src" deb
	[ "$status" != 0 ]
	has "packages are missing; run: apt install" "$stderr"
	has " no-such-a no-such-c" "$stderr"
	[[ $stderr != *"|"* && $stderr != *"("* ]]
	[ ! -e "$src/packages" ]
}

@test "headers that come after their kernel: its initramfs is made anew where the table wants something in it" {
	hook=$src/conf/debian/rxdsk-dkms.header-postinst
	mkdir -p "$root/boot" "$root/etc" "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho "$*"\n' >"$BATS_TEST_TMPDIR/bin/update-initramfs"
	chmod +x "$BATS_TEST_TMPDIR/bin/update-initramfs"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	export DPKG_ROOT=$root
	is "" "$("$hook" 6.12.9)"
	touch "$root/boot/initrd.img-6.12.9"
	is "" "$("$hook" 6.12.9)"
	for line in "#rxc0 cache origin=/dev/vdb,size=1G,initramfs" "rxd0 disk size=1G" "rxc0 cache origin=/dev/initramfs,size=1G" \
		"rxd0 disk size=1G # no initramfs"; do
		echo "$line" >"$root/etc/rxtab"
		is "" "$("$hook" 6.12.9)"
	done
	for line in "rxc0 cache origin=/dev/vdb,size=1G,initramfs" "rxc0 cache initramfs,origin=/dev/vdb,size=1G" \
		"rxc0	cache	size=1G,initramfs,origin=/dev/vdb"; do
		printf '%s\n' "# all" "$line" >"$root/etc/rxtab"
		is "-u -k 6.12.9" "$("$hook" 6.12.9)"
	done
	is "" "$("$hook" 6.1.0)"
}
