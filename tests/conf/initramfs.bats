#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Hook and boot scripts for initramfs-tools, in a tree of their own and with stubs for the commands that they call.

load ../cli/helper
load tree

setup() {
	mkdir -p "$R"/{bin,etc,run/initramfs,sys/block,sys/class/block,proc,dev/disk/by-id,conf,scripts,dest,usr/share/initramfs-tools}
	for stage in local-top local-block local-premount; do
		in_tree "initramfs-tools/scripts/$stage/rxadm" "$R/scripts/$stage/rxadm"
	done
	for script in rx-origin rx-initrd; do in_tree $script "$R/usr/lib/udev/$script"; done
	echo "root=UUID=u-root ro quiet" >"$R/proc/cmdline"
	: >"$R/dev/kmsg" >"$R/dev/null" >"$R/log"
	cat >"$R/scripts/functions" <<-END
		wait_for_udev() { echo "settle" >>"$R/log"; }
		log_warning_msg() { [ "\$quiet" = y ] || echo "Warning: \$*"; }
		get_fstype() { echo ext4; }
		resolve_device() {
			DEV=\$1
			case \$DEV in
			UUID=*) DEV=\$(readlink "$R/dev/by-uuid") || return 1 ;;
			PARTUUID=*) DEV=$R/dev/sda2 ;;
			esac
			[ -e "\$DEV" ] && echo "\$DEV"
		}
	END
	stub modprobe <<<'[ ! -e "$R/no-modules" ]'
	# An origin that is in $R/coming comes when it is waited for.
	stub udevadm <<-'END'
		[ "$1 ${2-}" != "wait --help" ] || exit 0
		[ "$1" = wait ] || exit 0
		grep -qxF "$3" "$R/coming" 2>/dev/null && : >"$3"
	END
	stub rxadm <<-'END'
		name=$4
		[ ! -e "$R/refused" ] || { echo "rxadm: up: it is so"; exit 2; }
		mkdir -p "$R/sys/block/$name"
		: >"$R/dev/$name"
		origin=$(sed -n "s/^$name cache.*origin=\([^,]*\).*/\1/p" "$R/etc/rxtab")
		[ -z "$origin" ] || : >"$R/sys/class/block/${origin##*/}/holders/$name"
		ln -sf "$R/dev/$name" "$R/dev/by-uuid"
	END
	disk sda 2
	tab "rxc0 cache origin=$R/dev/sda2,size=1G,initramfs"
	export PATH="$R/bin:$PATH" ROOT=UUID=u-root quiet=y
}

# disk NAME PARTITION: in /sys and /dev.
disk() {
	mkdir -p "$R/sys/devices/$1/holders" "$R/sys/devices/$1/$1$2/holders"
	echo "$2" >"$R/sys/devices/$1/$1$2/partition"
	: >"$R/dev/$1" >"$R/dev/$1$2"
	ln -sf "$R/dev/$1$2" "$R/dev/by-uuid"
	ln -s "../../devices/$1" "$R/sys/class/block/$1"
	ln -s "../../devices/$1/$1$2" "$R/sys/class/block/$1$2"
}

tab() { printf '%s\n' "$@" | tee "$R/etc/rxtab" >"$R/etc/rxtab.held"; }

# stage NAME [ARGUMENT]: runs the boot script, which must say nothing and never fail.
stage() {
	run -0 sh "$R/scripts/$1/rxadm" "${@:2}"
	is "" "$output"
}

@test "an origin that is there is mapped, and udev's links are waited for" {
	stage local-top
	is "-q -a rxdsk rxcache" "$(called modprobe)"
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	is "settle" "$(sed '/^rxadm/,$!d' "$R/log" | grep settle)"
	[ ! -e "$R/conf/param.conf" ]
	is "" "$(said)"
}

@test "what is set up is left alone in later stages" {
	stage local-top
	stage local-premount
	stage local-block "$ROOT"
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "disks and caches in the order of the table" {
	tab "# a comment" "" "rxd3  disk  size=1G,initramfs" "rxc0 cache disk=rxd3,origin=$R/dev/sda2,initramfs"
	stage local-top
	is "up --tab /etc/rxtab rxd3 --no-export;up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "an origin is waited for as long as its line says" {
	rm "$R/dev/sda2"
	echo "$R/dev/sda2" >"$R/coming"
	tab "rxc0 cache origin=$R/dev/sda2,size=1G,timeout=7s,initramfs"
	stage local-top
	is "wait --timeout=7s /dev/sda2" "$(called udevadm | cut -d ';' -f 1)"
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "an origin that does not come is said, and taken when it comes later" {
	rm "$R/dev/sda2"
	stage local-top
	is "wait --timeout=30s /dev/sda2;wait --help" "$(called udevadm)"
	is "" "$(called rxadm)"
	is "<4>rxadm: rxc0: /dev/sda2 is not there yet" "$(said)"
	stage local-premount
	is "wait --timeout=30s /dev/sda2;wait --help" "$(called udevadm)"
	: >"$R/log" >"$R/dev/sda2"
	stage local-block "$ROOT"
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "an origin is waited for without udevadm wait, too" {
	# The clock goes on while they sleep, a minute for each second of a long wait, and in the third second the origin comes.
	stub udevadm <<<'[ "$1" != wait ] || exit 1'
	stub sleep <<-'END'
		read -r now _ <"$R/proc/uptime"
		read -r comes pace <"$R/comes"
		echo "$((${now%.*} + $1 * pace)).00 0" >"$R/proc/uptime"
		[ "$((${now%.*} + $1))" != "$comes" ] || : >"$R/dev/sda2"
	END
	rm "$R/dev/sda2"
	for line in "13 7s 3" "13 7 3" "13 1m 3" "- 5.5s 5" "- .5m 30" "- 1.5m 90" "- 0.25h 12 60" "- 0.01m 1" "- 500ms 1" "- 2500ms 3" "- 9us 1" "- 9ns 1" "- 08s 8" "- 010 10" "- 02m 2 60" "- 00s 1"; do
		read -r comes time slept pace <<<"$line"
		echo "$comes ${pace:-1}" >"$R/comes"
		echo "10.70 5.30" >"$R/proc/uptime"
		: >"$R/log"
		tab "rxc0 cache origin=$R/dev/sda2,size=1G,timeout=$time,initramfs"
		stage local-top
		is "$slept" "$(grep -c '^sleep 1$' "$R/log")"
		has "settle --timeout=1 --exit-if-exists=/dev/sda2" "$(called udevadm)"
		[ "$comes" != - ] || is "" "$(called rxadm)"
		[ "$comes" = - ] || is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
		rm -rf "$R/dev/sda2" "$R/sys/block/rxc0" "$R/run/initramfs/rxadm"
	done
}

@test "an origin that is made of others is not waited for before cryptroot" {
	tab "rxc0 cache origin=$R/dev/mapper/vg-root,size=1G,initramfs"
	stage local-top
	is "" "$(called udevadm)$(called rxadm)"
	mkdir -p "$R/dev/mapper" "$R/sys/class/block/vg-root/holders"
	: >"$R/dev/mapper/vg-root"
	stage local-premount
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "a cache that is refused is said, released, and not tried again" {
	: >"$R/refused"
	stage local-top
	stage local-premount
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	is "<4>rxadm: up rxc0: rxadm: up: it is so" "$(said)"
	[ -e "$R/run/initramfs/rxadm/released/rxc0" ]
	has "--property-match=RX_HELD=rxc0" "$(called udevadm)"
	quiet=n run -0 sh "$R/scripts/local-premount/rxadm"
	is "" "$output"
}

@test "without quiet there is one line on the console" {
	: >"$R/refused"
	quiet=n run -0 sh "$R/scripts/local-top/rxadm"
	is "Warning: rxc0 is not set up, its origin is used instead (see the kernel's log)" "$output"
}

@test "without modules nothing is tried, it is said once, and origins are released" {
	: >"$R/no-modules"
	stage local-top
	stage local-premount
	is "" "$(called rxadm)"
	is "<4>rxadm: no module rxdsk or rxcache for this kernel: the root file system is not cached" "$(said)"
	[ -e "$R/run/initramfs/rxadm/released/all" ]
}

@test "rxtab=0 on the kernel command line" {
	for word in rxtab=0 rd.rxtab=0 rxtab=f rd.rxtab=no; do
		echo "root=UUID=u-root $word" >"$R/proc/cmdline"
		stage local-top
		is "" "$(called rxadm)$(called modprobe)"
	done
	echo "root=UUID=u-root nortab=0 rxtab=01" >"$R/proc/cmdline"
	stage local-top
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "a kernel that saves the memory of one that crashed makes no cache, and holds back no origin" {
	is rxc0 "$(sh "$R/usr/lib/udev/rx-origin" held sda2 sda)"
	: >"$R/proc/vmcore"
	run -1 sh "$R/usr/lib/udev/rx-origin" held sda2 sda
	stage local-top
	stage local-premount
	stage local-block "$ROOT"
	is "" "$(called rxadm)$(called modprobe)"
	rm "$R/proc/vmcore"
	stage local-top
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
}

@test "a root that is named by its path or partition becomes the cache" {
	ROOT=$R/dev/sda2 stage local-top
	is "ROOT=/dev/rxc0" "$(sed "s#$R##" "$R/conf/param.conf")"
	rm -r "$R/conf/param.conf" "$R/sys/block/rxc0"
	ROOT=PARTUUID=u-part stage local-top
	is "ROOT=/dev/rxc0" "$(sed "s#$R##" "$R/conf/param.conf")"
}

@test "a root on a partition of a cached disk becomes the cache's partition" {
	ln -s ../../sda2 "$R/dev/disk/by-id/ata-x-part2"
	tab "rxc0 cache origin=$R/dev/sda,size=1G,initramfs"
	ROOT=$R/dev/disk/by-id/ata-x-part2 stage local-top
	is "ROOT=/dev/rxc0p2" "$(sed "s#$R##" "$R/conf/param.conf")"
}

@test "a root that is no device is left alone" {
	ROOT=ZFS=pool/root stage local-top
	is "up --tab /etc/rxtab rxc0 --no-export" "$(called rxadm)"
	[ ! -e "$R/conf/param.conf" ]
}

@test "an encrypted root is opened on the cache" {
	mkdir "$R/cryptroot"
	printf '%s\n' "crypt $R/dev/sda2 none luks,discard" "other UUID=u-other none luks" "far $R/dev/sdz none luks" >"$R/cryptroot/crypttab"
	stage local-top
	is "crypt /dev/rxc0 none luks,discard;other UUID=u-other none luks;far /dev/sdz none luks" \
		"$(sed "s#$R##" "$R/cryptroot/crypttab" | paste -sd ';')"
}

@test "once the root is looked for by a name that stays the origin's, nothing is mapped" {
	ROOT=$R/dev/sda2 stage local-block "$R/dev/sda2"
	is "" "$(called rxadm)"
}

@test "what is held back for later is released when the root does not come, and then only" {
	printf 'rxc5 cache origin=/dev/sdb,size=1G\n' >"$R/etc/rxtab.held"
	rm "$R/etc/rxtab"
	stage local-top
	stage local-premount
	stage local-block UUID=u-resume
	is "" "$(called udevadm)"
	stage local-block "$ROOT"
	stage local-block "$ROOT"
	is "trigger --action=add --subsystem-match=block --property-match=RX_HELD=*" "$(called udevadm | cut -d ';' -f 1)"
	is 1 "$(grep -c action=add "$R/log")"
}

@test "what else does not come is waited for a while, and then all is released" {
	printf 'rxc5 cache origin=/dev/sdb,size=1G\n' >"$R/etc/rxtab.held"
	rm "$R/etc/rxtab"
	for n in 1 2 3 4; do stage local-block UUID=u-usr; done
	is "" "$(called udevadm)"
	stage local-block UUID=u-usr
	stage local-block UUID=u-usr
	is 1 "$(grep -c action=add "$R/log")"
}

@test "without a table nothing is done" {
	rm "$R/etc/rxtab" "$R/etc/rxtab.held"
	for s in local-top local-premount local-block; do stage $s "$ROOT"; done
	is "" "$(cat "$R/log")"
}

@test "prerequisites do not run a script" {
	for s in local-top local-premount local-block; do
		run -0 sh "$R/scripts/$s/rxadm" prereqs
		[ -n "$output" ]
	done
	has cryptroot "$(sh "$R/scripts/local-block/rxadm" prereqs)"
	run ! grep -q cryptroot <<<"$(sh "$R/scripts/local-top/rxadm" prereqs)"
	is "" "$(cat "$R/log")"
}

# hook: makes an initramfs in $R/dest. Warnings are left in $stderr.
hook() {
	in_tree initramfs-tools/hooks/rxadm "$R/hook"
	cat >"$R/usr/share/initramfs-tools/hook-functions" <<-END
		manual_add_modules() { echo "modules \$*" >>"$R/log"; }
		copy_exec() { echo "copy_exec \$*" >>"$R/log"; }
	END
	mkdir -p "$R/usr/lib/udev/rules.d" "$R/usr/sbin" "$R/dest/usr/lib/udev"
	cp "$CONF"/6?-rx*.rules "$R/usr/lib/udev/rules.d/"
	if [ ! -e "$R/no-tool" ]; then
		printf '#!/bin/sh\ncat "$3" >%s/checked\n[ ! -e %s/bad ] || { echo "$3:1: is wrong"; exit 1; }\n' "$R" "$R" >"$R/usr/sbin/rxadm"
		chmod 755 "$R/usr/sbin/rxadm"
	fi
	stub modinfo <<<'[ ! -e "$R/no-modules" ]'
	DESTDIR=$R/dest version=6.1 run --separate-stderr -0 sh "$R/hook"
	is "" "$output"
}

boot_table() {
	cat >"$R/etc/rxtab" <<-END
		# rxc9 cache origin=/dev/x,size=1G,initramfs
		rxd0 disk size=1G
		rxd1 disk size=2G
		rxc0 cache origin=/dev/a,disk=rxd1,initramfs
		rxc1 cache origin=/dev/b,size=1G
		rxc2 cache origin=/dev/c,size=1G,noauto
		rxc3 cache size=1G,initramfs,origin=/dev/d
	END
	rm -f "$R/etc/rxtab.held"
}

names() { awk '{ print $1 }' "$1" | paste -sd ' '; }

@test "hook: the lines marked initramfs with their disks, and the other origins as a list" {
	boot_table
	hook
	is "" "$stderr"
	is "rxd1 rxc0 rxc3" "$(names "$R/dest/etc/rxtab")"
	is "rxc0 rxc1 rxc3" "$(names "$R/dest/etc/rxtab.held")"
	is "rxd1 rxc0 rxc3" "$(names "$R/checked")"
	is "rxdsk rxcache" "$(called modules)"
	is "/usr/sbin/rxadm /usr/sbin/rxadm" "$(called copy_exec)"
	is "60-rx.rules 63-rx-origin.rules" "$(ls "$R/dest/usr/lib/udev/rules.d" | paste -sd ' ')"
	[ -x "$R/dest/usr/lib/udev/rx-origin" ]
	[ -e "$R/dest/usr/lib/udev/rx-initrd" ]
}

@test "hook: the modules that compress the blocks of these caches" {
	boot_table
	sed -i 's/initramfs,origin/initramfs,compress=zstd,origin/; s/rxd1,initramfs/rxd1,compress=lz4,initramfs/; s/b,size=1G/&,compress=off/' "$R/etc/rxtab"
	hook
	is "rxdsk rxcache lz4 zstd" "$(called modules)"
	sed -i 's/compress=zstd,//; s/compress=lz4/compress=auto/' "$R/etc/rxtab"
	hook
	is "rxdsk rxcache lz4 zstd;rxdsk rxcache lz4" "$(called modules)"
}

@test "hook: the administrator's rules come first" {
	boot_table
	mkdir -p "$R/etc/udev/rules.d"
	echo "# mine" >"$R/etc/udev/rules.d/60-rx.rules"
	hook
	is "# mine" "$(cat "$R/dest/usr/lib/udev/rules.d/60-rx.rules")"
}

@test "hook: a cache that is not for the initramfs is listed and no more" {
	echo "rxc1 cache origin=/dev/b,size=1G" >"$R/etc/rxtab"
	hook
	[ ! -e "$R/dest/etc/rxtab" ]
	is "rxc1" "$(names "$R/dest/etc/rxtab.held")"
	is "" "$(called modules)$(called copy_exec)$stderr"
	is "63-rx-origin.rules" "$(ls "$R/dest/usr/lib/udev/rules.d")"
}

@test "hook: an empty table, or none, puts nothing in" {
	echo "# nothing" >"$R/etc/rxtab"
	hook
	is "" "$(ls "$R/dest/etc")$(cat "$R/log")"
	rm "$R/etc/rxtab"
	hook
	is "" "$(ls "$R/dest/etc")$(cat "$R/log")"
}

@test "hook: errors in the table are shown, and leave an initramfs without it" {
	boot_table
	: >"$R/bad"
	hook
	has "W: rxadm: errors in $R/etc/rxtab, the root file system will not be cached; run: rxadm check-tab" "$stderr"
	has "is wrong" "$stderr"
	[ ! -e "$R/dest/etc/rxtab" ]
	is "" "$(called modules)"
}

@test "hook: no tool, and no module for this kernel" {
	boot_table
	: >"$R/no-tool"
	hook
	is "W: rxadm: no rxadm: the root file system will not be cached" "$stderr"
	[ ! -e "$R/dest/etc/rxtab" ]
	rm "$R/no-tool"
	: >"$R/no-modules"
	hook
	has "no module rxcache for 6.1" "$stderr"
	[ -e "$R/dest/etc/rxtab" ]
}
