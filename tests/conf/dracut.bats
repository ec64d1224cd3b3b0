#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The dracut module: which lines of the table it takes, and what its script does with them.

load ../cli/helper
load tree

setup() {
	mkdir -p "$R"/{bin,etc,run/initramfs,sys/block,proc,dev}
	in_tree dracut/90rx/rx-up.sh "$R/rx-up"
	for script in rx-origin rx-initrd; do in_tree $script "$R/usr/lib/udev/$script"; done
	echo "root=UUID=u" >"$R/proc/cmdline"
	: >"$R/log" >"$R/dev/kmsg" >"$R/dev/null" >"$R/dev/sda2"
	stub modprobe <<<'[ ! -e "$R/no-modules" ]'
	stub udevadm <<<'[ "$1" != wait ] || [ "$2" = --help ]'
	stub rxadm <<<'[ ! -e "$R/refused" ] || { echo "it is so"; exit 2; }; mkdir "$R/sys/block/$4"'
	PATH="$R/bin:$PATH"
	tab "rxc0 cache origin=$R/dev/sda2,size=1G,initramfs"
}

tab() { printf '%s\n' "$@" | tee "$R/etc/rxtab.held" >"$R/etc/rxtab"; }
rx_up() {
	run -0 sh "$R/rx-up" "$@"
	is "" "$output"
}

@test "the lines marked initramfs, and the disks that they name" {
	tab "# rxc9 cache size=1G,initramfs,origin=/dev/x" "rxd0 disk size=1G" "rxd1 disk size=2G" \
		"rxc0 cache origin=/dev/a,disk=rxd1,initramfs" "rxc1 cache origin=/dev/b,size=1G" \
		"rxc2 cache initramfs,noauto,origin=/dev/c,size=1G"
	run -0 bash -c 'dracutsysrootdir=$1; . "$2" && rx_lines' - "$R" "$CONF/dracut/90rx/module-setup.sh"
	is "rxd1 rxc0" "$(awk '{ print $1 }' <<<"$output" | paste -sd ' ')"
}

@test "the tool is taken from where it was installed, for dracut has a PATH of its own" {
	sed 's|/usr/sbin/rxadm|/usr/local/sbin/rxadm|' "$CONF/rx-initrd" >"$R/usr/lib/udev/rx-initrd"
	cat >"$R/functions" <<-'END'
		require_binaries() { for f; do case $f in */*) [ -x "$dracutsysrootdir$f" ] ;; *) type -P "$f" >/dev/null ;; esac || return 1; done; }
		for f in inst_binary inst_multiple inst_rules inst_script inst_hook; do eval "$f() { echo $f \$*; }"; done
		dracut_module_included() { false; }
		dracutsysrootdir=$R moddir=$CONF/dracut/90rx initdir=$R/made
		. "$moddir/module-setup.sh"
		check && install
	END
	export R CONF
	run -1 bash "$R/functions"
	mkdir -p "$R/usr/local/sbin"
	ln -s /bin/true "$R/usr/local/sbin/rxadm"
	run -0 bash "$R/functions"
	has "inst_binary /usr/local/sbin/rxadm /usr/sbin/rxadm" "$output"
	[[ $output != *" rxadm"* ]]
}

@test "the module is not for those who have no such line" {
	run -0 bash -c 'require_binaries() { :; }; dracutsysrootdir=$1; . "$2"; check' - "$R" "$CONF/dracut/90rx/module-setup.sh"
	tab "rxc1 cache origin=/dev/b,size=1G"
	run -1 bash -c 'require_binaries() { :; }; dracutsysrootdir=$1; . "$2"; check' - "$R" "$CONF/dracut/90rx/module-setup.sh"
}

@test "a cache is set up once, and the links are waited for" {
	rx_up --wait
	rx_up
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	is "2 settle --timeout=10" "$(called udevadm | tr ';' '\n' | grep -v trigger | uniq -c | xargs)"
	is "" "$(said)"
}

@test "an origin is waited for as long as its line says, once" {
	rm "$R/dev/sda2"
	tab "rxc0 cache timeout=5s,origin=$R/dev/sda2,size=1G" "rxc1 cache origin=$R/dev/vg/root,size=1G"
	rx_up --wait
	rx_up
	is "wait --timeout=5s /dev/sda2" "$(called udevadm | tr ';' '\n' | grep 'wait --timeout')"
	is "" "$(called rxadm)"
	has "<4>rxadm: rxc0: /dev/sda2 is not there yet" "$(said)"
}

@test "a refusal is said, and final" {
	: >"$R/refused"
	rx_up --wait
	rx_up
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	is "<4>rxadm: up rxc0: it is so" "$(said)"
}

@test "a root file system by path is left on its disk, by UUID not" {
	mkdir -p "$R"/sys/class/block "$R"/sys/devices/sda/sda2 "$R"/dev/disk/by-id
	for d in sda sda/sda2; do ln -s "../../devices/$d" "$R/sys/class/block/"; done
	echo 2 >"$R/sys/devices/sda/sda2/partition"
	: >"$R/dev/sda"
	ln -s ../../sda2 "$R/dev/disk/by-id/x-part2"
	for origin in sda2 sda disk/by-id/x-part2; do
		for root in sda2 disk/by-id/x-part2; do
			tab "rxc0 cache origin=$R/dev/$origin,size=1G"
			echo "ro root=$R/dev/$root" >"$R/proc/cmdline"
			: >"$R/dev/kmsg"
			rx_up --wait
			has "rxc0 is not set up: the root file system is /dev/$origin by that name" "$(said)"
			rm -r "$R/run/initramfs/rxadm/failed"
		done
	done
	is "" "$(called rxadm)"
	echo "ro root=/dev/sdb1" >"$R/proc/cmdline"
	rx_up --wait
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "origins are given up when the root file system does not come, once" {
	tab "rxc0 cache origin=$R/dev/sdz,size=1G"
	rx_up --wait
	is "" "$(called udevadm | tr ';' '\n' | grep trigger)"
	rx_up --give-up
	rx_up --give-up
	is 1 "$(grep -c 'action=add.*RX_HELD=\*' "$R/log")"
	has "origins are left to LVM and md" "$(said)"
}

@test "two at once do not make one cache twice" {
	mkdir -p "$R/run/initramfs/rxadm"
	ln -s 4711 "$R/run/initramfs/rxadm/busy"
	rx_up
	is "" "$(called rxadm)"
	rm "$R/run/initramfs/rxadm/busy"
	stub rmdir <<<'exit 127'
	rx_up
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	[ ! -L "$R/run/initramfs/rxadm/busy" ]
}

@test "one that is killed leaves the rest to the next" {
	stub rxadm <<<'[ -e "$R/killed" ] || { : >"$R/killed"; kill -TERM "$(readlink "$R/run/initramfs/rxadm/busy")"; }'
	run -143 sh "$R/rx-up"
	rx_up
	is 2 "$(grep -c ^rxadm "$R/log")"
}

@test "every hook that the module installs is there" {
	for hook in $(sed -n 's,.*"$moddir/\(.*\)".*,\1,p' "$CONF/dracut/90rx/module-setup.sh" | cut -d '"' -f 1); do
		[ -e "$CONF/dracut/90rx/$hook" ]
	done
	is "pre-mount initqueue/settled initqueue/timeout" "$(awk '$1 == "inst_hook" { print $2 }' "$CONF/dracut/90rx/module-setup.sh" | xargs)"
}

@test "no modules, and rxtab=0" {
	: >"$R/no-modules"
	rx_up --wait
	rx_up
	is "<4>rxadm: no module rxdsk or rxcache for this kernel: the root file system is not cached" "$(said)"
	: >"$R/log"
	echo "rd.rxtab=0 root=UUID=u" >"$R/proc/cmdline"
	rx_up --wait
	is "" "$(cat "$R/log")"
}

@test "nothing in a kernel that saves the memory of one that crashed" {
	: >"$R/proc/vmcore"
	rx_up --wait
	rx_up --give-up
	is "" "$(cat "$R/log")$(said)"
	has "ConditionPathExists=!/proc/vmcore" "$(cat "$CONF/dracut/90rx/rx-initrd.service")"
}
