#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For a root file system on a cached disk: sets up the caches of those lines of /etc/rxtab that have the option "initramfs".

. "${dracutsysrootdir-}/usr/lib/udev/rx-initrd"

rx_lines() {
	local tab=${dracutsysrootdir-}/etc/rxtab
	[[ ! -r $tab ]] || table_lines "$tab" initramfs
}

# called by dracut
check() {
	require_binaries "$tool" udevadm || return 1
	[[ $(rx_lines) ]]
}

# called by dracut
depends() {
	echo rootfs-block
}

# called by dracut
installkernel() {
	# shellcheck disable=SC2046
	hostonly='' instmods rxdsk rxcache $(table_codecs <(rx_lines))
}

# called by dracut
install() {
	inst_binary "$tool" /usr/sbin/rxadm
	inst_multiple udevadm modprobe
	inst_rules 60-rx.rules 63-rx-origin.rules
	inst_multiple /usr/lib/udev/rx-initrd /usr/lib/udev/rx-origin
	inst_script "$moddir/rx-up.sh" /usr/bin/rx-up
	inst_hook pre-mount 05 "$moddir/rx-pre-mount.sh"
	inst_hook initqueue/settled 05 "$moddir/rx-settled.sh"
	inst_hook initqueue/timeout 05 "$moddir/rx-timeout.sh"
	mkdir -p "$initdir/etc"
	rx_lines >"$initdir/etc/rxtab"
	cp "$initdir/etc/rxtab" "$initdir/etc/rxtab.held"
	if dracut_module_included "systemd"; then
		inst_simple "$moddir/rx-initrd.service" "$systemdsystemunitdir/rx-initrd.service"
		$SYSTEMCTL -q --root "$initdir" add-wants initrd.target rx-initrd.service
	fi
}
