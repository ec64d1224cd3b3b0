#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For a root file system on a cached disk: sets up the caches of those lines of /etc/rxtab that have the option "initramfs".

rx_tab() { echo "${dracutsysrootdir-}/etc/rxtab"; }

# Those lines, with those of the disks that they name.
rx_lines() {
	local tab
	tab=$(rx_tab)
	[[ -r $tab ]] || return 0
	awk '
		function has(option) { return index("," $3 ",", "," option ",") > 0 }
		function disk_of(options, n, i, part) {
			n = split(options, part, ",")
			for (i = 1; i <= n; i++)
				if (part[i] ~ /^disk=/)
					return substr(part[i], 6)
			return ""
		}
		$1 ~ /^#/ || NF < 3 || has("noauto") { next }
		{ line[++lines] = $0; name[lines] = $1; marked[lines] = has("initramfs") }
		marked[lines] && $2 == "cache" { needed[disk_of($3)] = 1 }
		END { for (i = 1; i <= lines; i++) if (marked[i] || name[i] in needed) print line[i] }
	' "$tab"
}

# called by dracut
check() {
	require_binaries rxadm udevadm || return 1
	[[ $(rx_lines) ]]
}

# called by dracut
depends() {
	echo rootfs-block
}

# called by dracut
installkernel() {
	hostonly='' instmods rxdsk rxcache
}

# called by dracut
install() {
	inst_multiple rxadm udevadm modprobe
	inst_rules 60-rx.rules 63-rx-origin.rules
	inst_multiple -o /usr/lib/udev/rx-origin
	inst_script "$moddir/rx-up.sh" /usr/bin/rx-up
	inst_hook pre-mount 05 "$moddir/rx-pre-mount.sh"
	mkdir -p "$initdir/etc"
	rx_lines >"$initdir/etc/rxtab"
	cp "$initdir/etc/rxtab" "$initdir/etc/rxtab.held"
	if dracut_module_included "systemd"; then
		inst_simple "$moddir/rx-initrd.service" "$systemdsystemunitdir/rx-initrd.service"
		$SYSTEMCTL -q --root "$initdir" add-wants initrd.target rx-initrd.service
	fi
}
