#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rx-origin, which holds back origins for the udev rules; and the rules, where there is a udev that can check them.

load ../cli/helper
load tree

setup() {
	mkdir -p "$R"/{bin,etc,run/systemd/generator,run/initramfs,proc}
	mkdir "$R/dev"
	: >"$R/log" >"$R/dev/null"
	echo "root=/dev/sda1" >"$R/proc/cmdline"
	in_tree rx-origin "$R/rx-origin"
	stub udevadm </dev/null
	PATH="$R/bin:$PATH"
	cat >"$R/etc/rxtab" <<-END
		# rxc9 cache origin=$R/dev/sdz,size=1G
		#rxc9 cache origin=$R/dev/sdz,size=1G
		rxd0 disk  size=1G
		rxc0 cache origin=$R/dev/disk/by-id/ata-a,size=1G
		rxc1 cache size=1G,origin=$R/dev/sdb1
		rxc2 cache origin=$R/dev/sdc,size=1G,noauto
		rxc3 cache origin=$R/dev/disk/by-path/pci-1-part2,size=1G
	END
	for c in rxc0 rxc1 rxc2 rxc3; do
		: >"$R/run/systemd/generator/rxadm@$c.service"
		[ $c != rxc2 ] || continue
		mkdir "$R/run/systemd/generator/dev-of-$c.device.wants"
		ln -s "../rxadm@$c.service" "$R/run/systemd/generator/dev-of-$c.device.wants/rxadm@$c.service"
	done
}

# origin_says VERB WANT WORD…: what rx-origin prints; "-" for nothing and status 1.
origin_says() {
	local verb=$1 want=$2 rc=0
	shift 2
	[ "$want" != - ] || rc=1
	run -$rc sh "$R/rx-origin" "$verb" "$@"
	is "${want#-}" "$output"
}

# held CACHE NAME…: the device of these names is held for that cache; "-" for none.
held() { origin_says held "$@"; }

origin_comes() {
	mkdir -p "$R/dev/disk/by-id"
	: >"$R/dev/disk/by-id/ata-a"
}

@test "an origin is known by its name or one of its links" {
	held rxc0 sda disk/by-path/pci-0 disk/by-id/ata-a disk/by-diskseq/1
	held rxc1 sdb1 sdb disk/by-id/x-part1
	held rxc3 sdd2 sdd disk/by-path/pci-1-part2
}

@test "so are the partitions of one, and not its neighbours" {
	held rxc0 sda3 sda disk/by-id/ata-a-part3
	held - sdb2 sdb disk/by-id/x-part2
	held - sdb disk/by-id/x
	held - sdd disk/by-path/pci-1
	held - sdd1 sdd disk/by-path/pci-1-part1
	held - sde disk/by-id/ata-ab
}

@test "comments, and what is not mapped at boot" {
	held - sdz
	held - sdc
}

@test "an origin whose unit is not there is not held: nobody would map it" {
	rm "$R/run/systemd/generator/rxadm@rxc0.service"
	held - sda disk/by-id/ata-a
	held rxc1 sdb1
	mkdir "$R/run/systemd/generator.late"
	: >"$R/run/systemd/generator.late/rxadm@rxc0.service"
	held rxc0 sda disk/by-id/ata-a
}

@test "an origin whose unit is masked is not held: nothing would release it" {
	mkdir -p "$R"/{etc,run}/systemd/system
	ln -s /elsewhere "$R/etc/systemd/system/rxadm@rxc0.service"
	held rxc0 sda disk/by-id/ata-a
	ln -sfn "$R/dev/null" "$R/etc/systemd/system/rxadm@rxc0.service"
	held - sda disk/by-id/ata-a
	held rxc1 sdb1
	ln -s "$R/dev/null" "$R/run/systemd/system/rxadm@rxc1.service"
	held - sdb1
}

@test "an origin is held until it is released" {
	origin_comes
	sh "$R/rx-origin" release rxc0
	held - sda disk/by-id/ata-a
	held rxc1 sdb1
	match="--subsystem-match=block --property-match=RX_HELD=rxc0"
	is "settle --timeout=10;trigger --action=add $match;trigger --action=change --sysname-match=md* $match;trigger --action=change --sysname-match=loop* $match" \
		"$(called udevadm)"
	sh "$R/rx-origin" release all
	held - sdb1
	has "RX_HELD=*" "$(called udevadm)"
}

@test "an origin whose device can't start its cache is not awaited" {
	stub logger </dev/null
	rm -r "$R/run/systemd/generator/dev-of-rxc0.device.wants"
	sh "$R/rx-origin" release rxc0
	[ -e "$R/run/rxadm/released/rxc0" ] && [ ! -e "$R/run/rxadm/late" ]
	held - sda disk/by-id/ata-a
	has "RX_HELD=rxc0" "$(called udevadm)"
	sh "$R/rx-origin" release rxc1
	[ ! -e "$R/run/rxadm/released/rxc1" ] && [ -e "$R/run/rxadm/late/rxc1" ]
}

@test "a node without a size is no origin that is there" {
	stub logger </dev/null
	origin_comes
	mv "$R/dev/disk/by-id/ata-a" "$R/dev/nbd0"
	ln -s ../../nbd0 "$R/dev/disk/by-id/ata-a"
	mkdir -p "$R/sys/class/block/nbd0"
	echo 0 >"$R/sys/class/block/nbd0/size"
	sh "$R/rx-origin" release rxc0
	is "--journald;" "$(called logger);$(called udevadm)"
	[ -e "$R/run/rxadm/late/rxc0" ] && [ ! -e "$R/run/rxadm/released/rxc0" ]
	echo 2048 >"$R/sys/class/block/nbd0/size"
	sh "$R/rx-origin" release rxc0
	[ ! -e "$R/run/rxadm/late/rxc0" ] && [ -e "$R/run/rxadm/released/rxc0" ]
}

@test "an origin that did not come is told in the status of its cache's unit" {
	stub logger <<<'sed "s/^/said /" >>"$R/log"'
	mkdir -p "$R/sys/block/rxc1" "$R/dev"
	: >"$R/dev/sdb"
	for c in rxc0 rxc1 rxc2; do sh "$R/rx-origin" release $c; done
	is "1 logger --journald" "$(grep -c ^logger "$R/log") $(grep ^logger "$R/log")"
	has "is not there: its cache is made when it comes; if it has another name, see ls -l $R/dev/disk/by-id, mend the table, and run: systemctl daemon-reload && systemctl start rxadm@rxc0" "$(cat "$R/log")"
	has "said OBJECT_SYSTEMD_UNIT=rxadm@rxc0.service" "$(cat "$R/log")"
}

# late WANT PARENT LINK...: what rx-origin says of sda, which comes late; "-" for nothing.
late() { origin_says late "$@"; }

@test "an origin that comes late has no links of its content until its cache has been tried" {
	stub logger </dev/null
	links="disk/by-uuid/1 disk/by-id/ata-a disk/by-label/x mine disk/by-partuuid/2 disk/by-partlabel/y disk/by-id/lvm-pv-uuid-z disk/by-path/pci-0"
	# shellcheck disable=SC2086
	late - sda - $links
	sh "$R/rx-origin" release rxc0
	is "" "$(called udevadm)"
	held rxc0 sda disk/by-id/ata-a
	# shellcheck disable=SC2086
	late "rxc0 disk/by-id/ata-a mine disk/by-path/pci-0" sda - $links
	late "rxc0 disk/by-id/ata-a-part1" sda1 sda disk/by-id/ata-a-part1 disk/by-uuid/3
	late - sdb1 sdb disk/by-uuid/4
	origin_comes
	sh "$R/rx-origin" release rxc0
	has "--action=add --subsystem-match=block --property-match=RX_HELD=rxc0" "$(called udevadm)"
	# shellcheck disable=SC2086
	late - sda - $links
	# No event runs a program for it any more.
	[ ! -e "$R/run/rxadm/late" ]
}

@test "a cache whose origin has gone is unmapped, and the origin is awaited" {
	stub systemctl </dev/null
	in_tree rx-origin "$R/rx-origin"
	mkdir -p "$R/usr/sbin" "$R"/sys/block/{rxc0/slaves,rxc2/slaves,sda,rxd1}
	printf '#!/bin/sh\necho "rxadm $*" >>%s/log\n' "$R" >"$R/usr/sbin/rxadm"
	chmod 755 "$R/usr/sbin/rxadm"
	for d in sda rxd1; do
		echo 8:0 >"$R/sys/block/$d/dev"
		ln -s "../../$d" "$R/sys/block/rxc0/slaves/$d"
	done
	origin_comes
	sh "$R/rx-origin" release rxc0
	: >"$R/log"
	run -1 sh "$R/rx-origin" lost rxc0
	run -1 sh "$R/rx-origin" lost rxc7
	sh "$R/rx-origin" gone rxc0
	is "" "$(cat "$R/log")"
	held - sda disk/by-id/ata-a
	rm -r "$R/sys/block/sda" "$R/dev/disk/by-id/ata-a"
	run -0 sh "$R/rx-origin" lost rxc0
	sh "$R/rx-origin" gone rxc0
	# The start comes first: the origin may be there again before the unit has stopped.
	is "systemctl --no-block start rxadm@rxc0.service
udevadm trigger --action=change --subsystem-match=block --sysname-match=rxc0 --sysname-match=rxc0p*
rxadm unmap --wait 20 rxc0" "$(cat "$R/log")"
	late "rxc0 disk/by-id/ata-a" sda - disk/by-id/ata-a disk/by-uuid/1
	# A line with noauto is left to its owner.
	: >"$R/log"
	ln -s ../../sda "$R/sys/block/rxc2/slaves/sda"
	sh "$R/rx-origin" gone rxc2
	is "--wait 20 rxc2;" "$(called 'rxadm unmap');$(called systemctl)"
	[ ! -e "$R/run/rxadm/late/rxc2" ]
}

@test "a disk with an image is saved at shutdown when nothing is mounted from it" {
	mkdir -p "$R/usr/sbin"
	stub systemctl <<<'cat "$R/state"'
	stub sleep <<-'END'
		[ "$(grep -c ^sleep "$R/log")" != "$(cat "$R/unmounted-after")" ] || : >"$R/mounted"
	END
	printf '#!/bin/sh\necho "rxadm $*" >>%s/log\ncat %s/mounted\n' "$R" "$R" >"$R/usr/sbin/rxadm"
	chmod 755 "$R/usr/sbin/rxadm"
	echo /work >"$R/mounted"
	# By hand nobody unmounts it meanwhile.
	echo running >"$R/state"
	run --separate-stderr sh "$R/rx-origin" unmounted rxd6
	is "0  systemctl is-system-running" "$status $stderr $(cat "$R/log")"
	echo stopping >"$R/state"
	echo 3 >"$R/unmounted-after"
	run --separate-stderr sh "$R/rx-origin" unmounted rxd6
	is "0  1;1;1" "$status $stderr $(called sleep)"
	has "list --noheadings -o MOUNTPOINT rxd6" "$(called rxadm)"
	echo /work >"$R/mounted"
	echo never >"$R/unmounted-after"
	run --separate-stderr sh "$R/rx-origin" unmounted rxd6
	is "0 /work is still mounted: it is frozen while rxd6 is saved" "$status $stderr"
	is 93 "$(grep -c ^sleep "$R/log")"
}

@test "without a table nothing is held" {
	rm "$R/etc/rxtab"
	held - sda disk/by-id/ata-a
}

@test "in the initramfs it goes by the list, needs no unit, and marks what is of the initramfs alone" {
	rm -r "$R/run/systemd"
	printf 'rxc5 cache origin=%s/dev/sdf,size=1G' "$R" >"$R/etc/rxtab.held"
	held rxc5 sdf
	held - sda disk/by-id/ata-a
	sh "$R/rx-origin" release rxc5
	held - sdf
	[ -e "$R/run/initramfs/rxadm/released/rxc5" ]
	[ ! -e "$R/run/rxadm" ]
	run ! grep settle "$R/log"
}

@test "what an event that is under way holds back is released, too" {
	origin_comes
	stub udevadm <<-'END'
		if [ "$1" = settle ]; then
			[ ! -e "$R/run/rxadm/released/rxc0" ] || : >"$R/settled"
			exit 1
		fi
		[ -e "$R/settled" ] || echo "too early" >>"$R/log"
	END
	sh "$R/rx-origin" release rxc0
	has "trigger --action=add" "$(called udevadm)"
	run ! grep "too early" "$R/log"
}

@test "in the initramfs rxtab=0 holds back nothing" {
	cp "$R/etc/rxtab" "$R/etc/rxtab.held"
	held rxc1 sdb1
	for word in rxtab=0 rxtab=false rd.rxtab=off "rxtab=1 rxtab=0"; do
		echo "root=/dev/sda1 $word quiet" >"$R/proc/cmdline"
		held - sdb1
	done
	echo "root=/dev/sda1 rxtab=0 rd.rxtab=yes quiet" >"$R/proc/cmdline"
	held rxc1 sdb1
}

@test "the rules, as udev reads them" {
	udevadm=$(PATH=${PATH#*:} command -v udevadm) && "$udevadm" verify --help >/dev/null 2>&1 || skip "no udevadm that verifies rules"
	run "$udevadm" verify --resolve-names=never "$CONF"/60-rx.rules "$CONF"/63-rx-origin.rules
	is 0 "$status"
}

# priority FILE NAME=VALUE...: the priority that a file of rules gives to the links of a device with these properties, by a small
# part of udev's language: ==, != and GOTO. Programs are not run, and what they find is given as ENV.
priority() {
	python3 - "$@" <<-'END'
		import re, sys, fnmatch
		have = dict(a.split("=", 1) for a in sys.argv[2:])
		text = open(sys.argv[1]).read().replace("\\\n", "")
		value, to = "", None
		for line in text.splitlines():
		    keys = re.findall(r'([A-Z]+(?:\{[^}]*\})?)(==|!=|\+=|=)"((?:[^"\\]|\\.)*)"', "" if line.startswith("#") else line)
		    if to:
		        to = None if ("LABEL", "=", to) in keys else to
		        continue
		    def fits(key, pattern):
		        return any(fnmatch.fnmatchcase(have.get(key, ""), p) for p in pattern.split("|"))
		    if any(k in ("PROGRAM",) or (op == "==" and not fits(k, v)) or (op == "!=" and fits(k, v)) for k, op, v in keys):
		        continue
		    for k, op, v in keys:
		        if k == "OPTIONS" and v.startswith("link_priority="):
		            value = v.split("=")[1]
		        to = v if k == "GOTO" else to
		print(value)
	END
}

@test "names: a mapped origin yields to its cache, and a cache takes none from another device" {
	of() { priority "$CONF/$1" SUBSYSTEM=block "${@:2}"; }
	for part in "KERNEL=rxc0 ENV{DEVTYPE}=disk" "KERNEL=rxc0p1 ENV{DEVTYPE}=partition" "KERNEL=rxd0 ENV{DEVTYPE}=disk"; do
		for action in add change; do
			is "" "$(of 60-rx.rules $part ACTION=$action)"
			is "" "$(of 63-rx-origin.rules $part ACTION=$action)"
		done
	done
	for part in "KERNEL=sda ENV{DEVTYPE}=disk" "KERNEL=sda1 ENV{DEVTYPE}=partition" "KERNEL=md0 ENV{DEVTYPE}=disk" "KERNEL=rxd1 ENV{DEVTYPE}=disk"; do
		is -100 "$(of 63-rx-origin.rules $part ACTION=change ENV{RX_CACHE}=rxc0)"
		is "" "$(of 63-rx-origin.rules $part ACTION=change)"
		is "" "$(of 63-rx-origin.rules $part ACTION=remove ENV{RX_CACHE}=rxc0)"
	done
	# It counts after that of md, and no other rule of ours sets one.
	is "63-md-raid-arrays.rules 63-rx-origin.rules 64-btrfs.rules" "$(printf '%s\n' 64-btrfs.rules 63-rx-origin.rules 63-md-raid-arrays.rules | LC_ALL=C sort | xargs)"
	is 1 "$(cat "$CONF"/*.rules | grep -v '^#' | grep -c link_priority)"
}

@test "what is held back is released after the unit of its cache, by the program that held it" {
	unit="$CONF/rxadm-release@.service"
	program=$(sed -n 's/^ExecStart=\(.*\) release %i$/\1/p' "$unit")
	is "/usr/lib/udev/$(sed -n 's/.*PROGRAM="\(rx-[a-z]*\) held %k \$links".*/\1/p' "$CONF/63-rx-origin.rules")" "$program"
	[ -x "$CONF/${program##*/}" ]
	has "StartLimitIntervalSec=0" "$(sed -n '/^\[Unit\]/,/^\[Service\]/p' "$unit")"
}

@test "a disk that waits for its image is kept from systemd, and its links are not made" {
	rule() { grep -n "$1" "$CONF/60-rx.rules" | cut -d: -f1; }
	# The tool makes this file.
	grep -q '"restore"' "$BATS_TEST_DIRNAME/../../rxadm/image/mark.c"
	grep -q 'sys_path(SYS_RUN "/%s-%s", what, name)' "$BATS_TEST_DIRNAME/../../rxadm/image/mark.c"
	grep -q '#define SYS_RUN	"/run/rxadm"' "$BATS_TEST_DIRNAME/../../rxadm/base/sys.h"
	for of in 'disk", TEST=="/run/rxadm/restore-%k"' 'partition", TEST=="/run/rxadm/restore-$parent"'; do
		line=$(rule "$of.*ENV{SYSTEMD_READY}=\"0\", GOTO=\"rx_end\"")
		[ -n "$line" ]
		[ "$line" -lt "$(rule 'by-id/rx-%k')" ]
	done
}

# The conditions of a rule of the pool, as udev reads them: only a whole disk that a cache holds.
@test "a desktop does not offer the memory of a cache" {
	line=$(grep 'UDISKS_IGNORE' "$CONF/60-rx.rules")
	has 'KERNEL=="rxd*", ENV{DEVTYPE}=="disk"' "$line"
	program=$(sed -n 's|.*PROGRAM="/bin/sh -c .\(.*\)."|\1|p' <<<"${line%%, ENV\{UDISKS*}")
	mkdir -p "$BATS_TEST_TMPDIR/sys/block/rxd0/holders"
	try() { sh -c "${program//%p//block/rxd0}" ; }
	program=${program//\/sys/$BATS_TEST_TMPDIR/sys}
	run try
	[ "$status" != 0 ]
	mkdir "$BATS_TEST_TMPDIR/sys/block/rxd0/holders/dm-0"
	run try
	[ "$status" != 0 ]
	mkdir "$BATS_TEST_TMPDIR/sys/block/rxd0/holders/rxc3"
	run try
	is "0 rxc3" "$status $output"
	[ "$(grep -n UDISKS_IGNORE "$CONF/60-rx.rules" | cut -d: -f1)" -lt "$(grep -n 'GOTO="rx_end"$' "$CONF/60-rx.rules" | sed -n '4p' | cut -d: -f1)" ]
}
