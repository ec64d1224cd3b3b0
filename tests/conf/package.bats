#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the packages' scripts say and refuse: rx-package, which they share, and the scripts themselves.

load ../cli/helper
load tree

setup() {
	mkdir -p "$R"/{bin,dev,sys/block/sda,sys/module/rxdsk,sys/module/rxcache,usr/sbin}
	: >"$R/log" >"$R/dev/null"
	in_tree rx-package "$R/usr/lib/udev/rx-package"
	PATH="$R/bin:$PATH"
	printf '#!/bin/sh\necho "rxadm $*" >>%s/log\ncat %s/listed 2>/dev/null\n' "$R" "$R" >"$R/usr/sbin/rxadm"
	chmod 755 "$R/usr/sbin/rxadm"
	stub systemd-detect-virt <<<'[ -e "$R/in$2" ]'
	stub modinfo <<<'cat "$R/installed-$3"'
	for m in rxdsk rxcache; do echo "A$m" | tee "$R/installed-$m" >"$R/sys/module/$m/srcversion"; done
}

there() { mkdir -p "$R/sys/block/rxc0" && printf 'NAME DISK ORIGIN   MOUNTPOINT\nrxc0 rxd0 /dev/sdb /srv\n' >"$R/listed"; }

package() {
	local rc=$1
	shift
	run --separate-stderr -"$rc" sh "$R/usr/lib/udev/rx-package" "$@"
}

@test "removal is refused while there is a cache, with the list and the way to end it" {
	there
	package 1 removal
	is "" "$output"
	has "rxc0 rxd0 /dev/sdb /srv" "$stderr"
	has "systemctl stop 'rxadm@*';" "$stderr"
	# The command that it names is one.
	has 'rxadm down $(rxadm list --noheadings -o NAME)' "$stderr"
}

@test "removal: nothing is there, and the tool is not asked, for that would load the modules" {
	package 0 removal
	is "" "$output$stderr$(cat "$R/log")"
}

@test "removal: in a container or a chroot nothing is refused, without systemd's tool it is" {
	there
	for place in container chroot; do
		: >"$R/in--$place"
		package 0 removal
		is "" "$output$stderr$(called rxadm)"
		rm "$R/in--$place"
	done
	stub systemd-detect-virt <<<'exit 127'
	package 1 removal
}

@test "removal is refused also if the tool is gone or does not fit the modules" {
	there
	mkdir "$R/sys/block/rxd0"
	printf '#!/bin/sh\necho "rxadm: it is so" >&2\nexit 3\n' >"$R/usr/sbin/rxadm"
	package 1 removal
	has $'\n\nrxadm: it is so\nrxc0 rxd0\n\n' "$stderr"
	rm "$R/usr/sbin/rxadm"
	package 1 removal
	has $'\nrxc0 rxd0\n\n' "$stderr"
	rm -r "$R/sys/block"
	package 0 removal
}

@test "an upgrade names the modules that are older than those that are installed" {
	package 0 upgraded
	is "" "$output$stderr"
	echo B >"$R/installed-rxcache"
	package 0 upgraded
	is "rxdsk: disks and caches go on with the modules that are loaded; the new ones come with the next boot (rxcache)" "$output"
	rm "$R/installed-rxdsk"
	package 0 upgraded
	has "(rxcache)" "$output"
	rm -r "$R/sys/module"
	package 0 upgraded
	is "" "$output"
}

# script FILE ARGUMENT…: a script of a Debian package.
script() {
	local file=$1
	shift
	in_tree "debian/$file" "$R/script"
	run --separate-stderr sh "$R/script" "$@"
}

@test "the Debian package's scripts: only a removal asks, and not in a chroot" {
	stub ischroot <<<'[ -e "$R/chroot" ]'
	there
	script rxadm.prerm remove
	is 1 "$status"
	has "rxc0 rxd0" "$stderr"
	script rxadm.prerm upgrade 0.2
	is 0 "$status"
	: >"$R/chroot"
	script rxadm.prerm remove
	is 0 "$status"
	rm "$R/chroot"
	script rxdsk-dkms.prerm remove
	is 1 "$status"
	has "rxc0 rxd0" "$stderr"
	script rxdsk-dkms.prerm upgrade 0.2
	is 0 "$status"
	echo B >"$R/installed-rxcache"
	script rxdsk-dkms.postinst configure 0.1
	is 0 "$status"
	has "come with the next boot" "$output"
	script rxdsk-dkms.postinst configure ""
	is "" "$output"
	rm "$R/usr/lib/udev/rx-package"
	for package in rxadm rxdsk-dkms; do
		script $package.prerm remove
		is "0 " "$status $stderr"
	done
}

# lists: what is in the folder of the lists.
lists() { (cd "$R/var/lib/rxdsk" && find . -mindepth 1 | sed 's,^\./,,' | LC_ALL=C sort | paste -sd ' '); }

@test "a purge removes the lists that the tool has saved, and no image or other file of the administrator" {
	mkdir -p "$R/var/lib/rxdsk/old"
	rm "$R/usr/sbin/rxadm"
	# The tool that is tested is in PATH, too.
	PATH=$R/bin:/usr/bin:/bin
	# All kinds of identities that there are.
	kinds=$(sed -n '/sources\[\] = {/,/};/s/[^"]*"\([^"]*\)"[^"]*/\1\n/gp' "$BATS_TEST_DIRNAME/../../rxadm/system/dev.c" | sed '/^$/d')
	has "device/wwid" "$kinds"
	for kind in $kinds name; do
		: >"$R/var/lib/rxdsk/${kind//\//-}-a.B_1-partition-2-01234abc.warm"
	done
	: >"$R/var/lib/rxdsk/wwid-t10.ATA-01234abc.warm.new"
	own="boot-20261128.warm old old/wwid-a-01234abc.warm rxd6.img rxd6.img.old serial-copy.warm wwid-a-01234abc.warm.bak"
	for f in $own; do [ "$f" = old ] || : >"$R/var/lib/rxdsk/$f"; done
	script rxadm.postrm remove
	has "wwid-t10.ATA-01234abc.warm.new" "$(lists)"
	script rxadm.postrm purge
	is "0 rxadm: $R/var/lib/rxdsk stays, for it has files of yours" "$status $stderr"
	is "$own" "$(lists)"
	rm -r "$R"/var/lib/rxdsk/*
	script rxadm.postrm purge
	is "0 " "$status $stderr"
	[ ! -e "$R/var/lib/rxdsk" ]
	script rxadm.postrm purge
	is "0 " "$status $stderr"
}

@test "a purge long after the removal leaves the lists to a tool that was installed meanwhile" {
	mkdir -p "$R/var/lib/rxdsk" "$R/usr/local/sbin"
	: >"$R/var/lib/rxdsk/wwid-a-01234abc.warm"
	printf '#!/bin/sh\n' | tee "$R/bin/rxadm" >"$R/usr/local/sbin/rxadm"
	chmod 755 "$R/bin/rxadm" "$R/usr/local/sbin/rxadm"
	script rxadm.postrm purge
	rm "$R/bin/rxadm"
	script rxadm.postrm purge
	is "0 wwid-a-01234abc.warm" "$status $(lists)"
}

@test "no package and no uninstall removes the folder of images" {
	run grep -rn "var/lib/rxdsk" "$CONF"/{rxdsk.spec,arch,install.sh,install.mk,package.sh} "$CONF"/debian/{rules,*.prerm,*.postinst}
	is "" "$output"
}

# section NAME: a scriptlet of the RPM, with the macros that it uses.
section() {
	remake=$(sed -n 's/^%global remake_initramfs //p' "$CONF/rxdsk.spec")
	awk -v want="$1" '/^%/ && !/^%\{/ { on = $0 == want; next } on && !/^#/' "$CONF/rxdsk.spec" >"$R/scriptlet.in"
	remake=$remake awk '{ i = index($0, "%{remake_initramfs}"); if (i) $0 = ENVIRON["remake"]; gsub(/%\{_prefix\}/, "/usr"); print }' \
		"$R/scriptlet.in" | sed -E "s#(^|[[:blank:]])/(etc|run|usr)/#\1$R/\2/#g" >"$R/scriptlet"
	[ -s "$R/scriptlet" ]
}

@test "the RPM's scripts: the last removal asks, and dracut makes an initramfs anew that has a part of the table" {
	there
	section "%preun -n rxadm"
	run --separate-stderr sh "$R/scriptlet" 0
	is 1 "$status"
	has "rxc0 rxd0" "$stderr"
	run -0 sh "$R/scriptlet" 1
	section "%preun dkms"
	stub dkms </dev/null
	run --separate-stderr sh "$R/scriptlet" 0
	is "1 " "$status $(called dkms)"
	has "rxc0 rxd0" "$stderr"
	run -0 sh "$R/scriptlet" 1
	has "remove -m rxdsk" "$(called dkms)"
	stub dracut </dev/null
	mkdir -p "$R/etc"
	echo "rxc0 cache origin=/dev/sda2,size=1G" >"$R/etc/rxtab"
	section "%transfiletriggerin -n rxadm -- %{_prefix}/lib/udev/rx-initrd /usr/src/rxdsk-"
	run -0 sh "$R/scriptlet"
	is "" "$(called dracut)"
	echo "rxc0 cache origin=/dev/sda2,initramfs,size=1G" >"$R/etc/rxtab"
	run -0 sh "$R/scriptlet"
	is "-f --regenerate-all" "$(called dracut)"
	: >"$R/log"
	mv "$R/etc/rxtab" "$R/etc/rxtab.rpmsave"
	section "%postun -n rxadm"
	run -0 sh "$R/scriptlet" 1
	is "" "$(called dracut)"
	run -0 sh "$R/scriptlet" 0
	is "-f --regenerate-all" "$(called dracut)"
	echo B >"$R/installed-rxdsk"
	section "%post dkms"
	stub dkms </dev/null
	sed -i 's/%{version}/1/' "$R/scriptlet"
	run -0 sh "$R/scriptlet" 2
	has "come with the next boot (rxdsk)" "$output"
	rm "$R/usr/lib/udev/rx-package"
	for package in "-n rxadm" dkms; do
		section "%preun $package"
		run --separate-stderr sh "$R/scriptlet" 0
		is "0 " "$status $stderr"
	done
}

@test "no package has what only tests need, and neither has what make install installs" {
	for file in debian/rules rxdsk.spec arch/PKGBUILD; do
		is 1 "$(grep -c "WARN=.* HOOKS=no" "$CONF/$file")"
	done
	has "install-tool: export HOOKS := no" "$(cat "$CONF/install.mk")"
	# Of the files that read such a variable none has its name then.
	cd "$CONF/../rxadm"
	for file in $(grep -lE 'sys_test_env|sys_root' ./*.c); do
		cc -std=gnu11 -D_GNU_SOURCE= -O2 -I../module/include/uapi $(pkg-config --cflags libnl-genl-3.0 json-c) -c -o "$R/object.o" "$file"
		run ! grep -aE 'RXADM_(RECORD|REPLAY|SYSROOT)' "$R/object.o"
	done
}

@test "GRUB is installed with the modules for partition tables where /boot lies on a cache" {
	mkdir -p "$R/usr/lib/grub/x86_64-efi" "$R/boot"
	stub findmnt <<<'cat "$R/source"'
	stub debconf-show <<<'printf "%s\n" "* grub-pc/install_devices: /dev/disk/by-id/a, /dev/sdb" "  grub-pc/timeout: 5"'
	stub grub-install <<<'[ ! -e "$R/fails" ]'
	stub ischroot <<<'[ -e "$R/chroot" ]'
	echo /dev/sda1 >"$R/source"
	package 0 grub
	is "" "$(called grub-install)$output$stderr"
	echo "$R/dev/rxc0p2" >"$R/source"
	: >"$R/chroot"
	script rxadm.postinst triggered /usr/lib/grub
	is "0 " "$status $(called grub-install)"
	rm "$R/chroot"
	script rxadm.postinst triggered /usr/lib/grub
	bios='--target=i386-pc --modules=part_gpt part_msdos'
	is "$bios /dev/disk/by-id/a;$bios /dev/sdb" "$(called grub-install)"
	mkdir -p "$R/sys/firmware/efi"
	: >"$R/log"
	package 0 grub
	is "$bios /dev/disk/by-id/a;$bios /dev/sdb;--target=x86_64-efi --no-nvram --modules=part_gpt part_msdos" "$(called grub-install)"
	mkdir "$R/usr/lib/grub/x86_64-efi-signed"
	: >"$R/log" >"$R/fails"
	package 0 grub
	is "$bios /dev/disk/by-id/a;$bios /dev/sdb" "$(called grub-install)"
	has 'GRUB may not find /boot at the next start; run: grub-install --modules="part_gpt part_msdos" /dev/sdb' "$stderr"
	has "interest-noawait /usr/lib/grub" "$(cat "$CONF/debian/rxadm.triggers")"
}
