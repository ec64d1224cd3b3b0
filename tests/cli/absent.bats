#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Why a module is not loaded: not there, or refused for its signature.

load helper

setup() {
	sysroot
	modules=$RXADM_SYSROOT/lib/modules/6.1.0-9-amd64
	mkdir -p "$RXADM_SYSROOT"/sys/{kernel/security,module/module/parameters} "$RXADM_SYSROOT/proc/sys/kernel" \
		"$modules/updates/dkms"
	echo 6.1.0-9-amd64 >"$RXADM_SYSROOT/proc/sys/kernel/osrelease"
	printf '%s\n' 'kernel/drivers/block/brd.ko:' 'updates/dkms/rxcache.ko: updates/dkms/rxdsk.ko' 'updates/dkms/rxdsk.ko:' \
		>"$modules/modules.dep"
	printf 'ELF code' | tee "$modules/updates/dkms/rxcache.ko" >"$modules/updates/dkms/rxdsk.ko"
	lockdown none
	enforce N
	replay <<-END
		absent rxdsk
		absent rxcache
	END
}

lockdown() { sed "s/$1/[$1]/" <<<"none integrity confidentiality" >"$RXADM_SYSROOT/sys/kernel/security/lockdown"; }
enforce() { echo "$1" >"$RXADM_SYSROOT/sys/module/module/parameters/sig_enforce"; }
sign() { printf '%s~Module signature appended~\n' "PKCS" >>"$modules/updates/dkms/$1"; }

PLAIN="rxadm: rxdsk is not loaded; run: modprobe rxdsk"
UNSIGNED="loads only modules that are signed, and rxdsk.ko is not;"
UNKNOWN="enroll your key: mokutil --import /var/lib/dkms/mok.pub, and reboot"

@test "a kernel that takes any module" {
	rx 3 attach 1G
	is "$PLAIN" "$stderr"
}

@test "a kernel without these files, as in a container" {
	rm -r "$RXADM_SYSROOT/sys/kernel" "$RXADM_SYSROOT/sys/module"
	rx 3 attach 1G
	is "$PLAIN" "$stderr"
}

@test "an unsigned module, the kernel locked down" {
	for how in integrity confidentiality; do
		lockdown $how
		for verb in "attach 1G" list stat "detach rxd0"; do
			rx 3 $verb
			has "$UNSIGNED" "$stderr"
		done
	done
	rx 3 unmap rxc0
	has "rxcache.ko is not;" "$stderr"
}

@test "an unsigned module, signatures enforced without lockdown" {
	enforce Y
	rx 3 attach 1G
	has "$UNSIGNED" "$stderr"
}

@test "a module signed with a key that the kernel may not know" {
	lockdown integrity
	sign rxdsk.ko
	rx 3 attach 1G
	has "$UNKNOWN" "$stderr"
	has "run: modprobe rxdsk;" "$stderr"
}

@test "a compressed module" {
	lockdown integrity
	sed -i 's/rxdsk\.ko/rxdsk.ko.xz/' "$modules/modules.dep"
	mv "$modules/updates/dkms/rxdsk.ko"{,.xz}
	rx 3 attach 1G
	has "$UNKNOWN" "$stderr"
}

@test "a module that is not installed for this kernel" {
	lockdown integrity
	sed -i '/dkms\/rxdsk/d' "$modules/modules.dep"
	echo 'updates/other/rxdsk2.ko:' >>"$modules/modules.dep"
	rx 3 attach 1G
	is "rxadm: rxdsk is not installed for this kernel, 6.1.0-9-amd64; install its headers and rxdsk-dkms, or run: dkms autoinstall" "$stderr"
	rm "$modules/modules.dep"
	rx 3 attach 1G
	is "$PLAIN" "$stderr"
}
