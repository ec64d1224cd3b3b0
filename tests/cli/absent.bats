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
	is "rxadm: rxdsk is not loaded, and there are no modules of this kernel, 6.1.0-9-amd64, in /lib/modules; after an update of the kernel reboot, in a chroot run outside of it: modprobe rxdsk" "$stderr"
}

live() { mkdir -p "$RXADM_SYSROOT/sys/module/$1" && echo live >"$RXADM_SYSROOT/sys/module/$1/initstate"; }

HIDDEN="is loaded, but cannot be reached from this network namespace (of a container, or a unit with PrivateNetwork=yes)"

# Whoever takes them for absent says that there are no disks, and that down is done.
@test "modules that are loaded, seen from another network namespace, are not absent for any verb" {
	live rxdsk
	live rxcache
	for verb in "attach 1G" list "list -j" stat "stat -j" "detach rxd0" advise "list --tree" "erase rxd0"; do
		rx 3 $verb
		has "$HIDDEN; run it in the first one of the host, outside the container" "$stderr"
		[[ $output != *'"disks":[]'* ]]
	done
	rx 3 unmap rxc0
	has "rxadm: rxcache $HIDDEN" "$stderr"
	mkdir -p "$RXADM_SYSROOT/etc"
	echo "rxd0 disk size=1G" >"$RXADM_SYSROOT/etc/rxtab"
	run --separate-stderr "$RXADM" down
	[ "$status" != 0 ]
	has "$HIDDEN" "$stderr"
	run --separate-stderr "$RXADM" metrics
	is 3 "$status"
	is "" "$output"
}

@test "with the host's processes in sight, the way to its namespace is said" {
	live rxdsk
	mkdir -p "$RXADM_SYSROOT"/proc/{1,self}/ns
	ln -s 'net:[4026531840]' "$RXADM_SYSROOT/proc/1/ns/net"
	ln -s 'net:[4026532999]' "$RXADM_SYSROOT/proc/self/ns/net"
	rx 3 list
	is "rxadm: rxdsk $HIDDEN; run: nsenter -t 1 -n rxadm list ..." "$stderr"
}

@test "/proc tells of a module where /sys is not mounted; one that comes or goes is absent" {
	printf 'rxdsk2 1 0 - Live 0x0\nrxdsk 118784 0 - Live 0x0000000000000000 (OE)\n' >"$RXADM_SYSROOT/proc/modules"
	rx 3 list
	has "rxdsk $HIDDEN" "$stderr"
	sed -i 's/ Live 0x00/ Unloading 0x00/' "$RXADM_SYSROOT/proc/modules"
	rx 3 list
	is "$PLAIN" "$stderr"
	live rxdsk
	echo coming >"$RXADM_SYSROOT/sys/module/rxdsk/initstate"
	rx 3 list
	is "$PLAIN" "$stderr"
}

@test "a container, a kernel that loads no more, and a tree without modules of this kernel" {
	: >"$RXADM_SYSROOT/.dockerenv"
	rx 3 list
	is "rxadm: rxdsk is not loaded, and a container can't load it; run on the host: modprobe rxdsk" "$stderr"
	rm "$RXADM_SYSROOT/.dockerenv"
	echo "         0     100000      65536" >"$RXADM_SYSROOT/proc/self/uid_map"
	rx 3 list
	has "a container can't load it" "$stderr"
	echo "         0          0 4294967295" >"$RXADM_SYSROOT/proc/self/uid_map"
	rx 3 list
	is "$PLAIN" "$stderr"
	echo 1 >"$RXADM_SYSROOT/proc/sys/kernel/modules_disabled"
	rx 3 list
	has "this kernel loads no more modules before a reboot" "$stderr"
}

@test "EPERM of root has another way out" {
	[ "$EUID" = 0 ] || skip "not root"
	replay <<-END
		> rxdsk disk-new size=1073741824
		! EPERM CAP_SYS_ADMIN is needed
	END
	rx 2 attach 1G
	is "rxadm: attach: needs CAP_SYS_ADMIN; root has not got it in a container, or in a unit that drops it: run it on the host" "$stderr"
}
