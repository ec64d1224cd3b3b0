#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rx-origin, which holds back origins for the udev rules; and the rules, where there is a udev that can check them.

load helper
load tree

setup() {
	mkdir -p "$R"/{bin,etc,run/systemd/generator,run/initramfs,proc}
	: >"$R/log"
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
	for c in rxc0 rxc1 rxc2 rxc3; do : >"$R/run/systemd/generator/rxadm@$c.service"; done
}

# held CACHE NAME…: the device of these names is held for that cache; "-" for none.
held() {
	local want=$1 rc=0
	shift
	[ "$want" != - ] || rc=1
	run -$rc sh "$R/rx-origin" held "$@"
	is "${want#-}" "$output"
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

@test "an origin is held until it is released" {
	sh "$R/rx-origin" release rxc0
	held - sda disk/by-id/ata-a
	held rxc1 sdb1
	has "--action=add --subsystem-match=block --property-match=RX_HELD=rxc0" "$(called udevadm)"
	has "--action=change --sysname-match=md*" "$(called udevadm)"
	sh "$R/rx-origin" release all
	held - sdb1
	has "RX_HELD=*" "$(called udevadm)"
}

@test "an origin that did not come is told in the status of its cache's unit" {
	stub logger <<<'sed "s/^/said /" >>"$R/log"'
	mkdir -p "$R/sys/block/rxc1" "$R/dev"
	: >"$R/dev/sdb"
	for c in rxc0 rxc1 rxc2; do sh "$R/rx-origin" release $c; done
	is "1 logger --journald" "$(grep -c ^logger "$R/log") $(grep ^logger "$R/log")"
	has "is not there: nothing is cached; see ls -l $R/dev/disk/by-id, and when it is there: systemctl start rxadm@rxc0" "$(cat "$R/log")"
	has "said OBJECT_SYSTEMD_UNIT=rxadm@rxc0.service" "$(cat "$R/log")"
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

@test "what is held back is released after the unit of its cache, by the program that held it" {
	unit="$CONF/rxadm-release@.service"
	program=$(sed -n 's/^ExecStart=\(.*\) release %i$/\1/p' "$unit")
	is "/usr/lib/udev/$(sed -n 's/.*PROGRAM="\(rx-[a-z]*\) held %k \$links".*/\1/p' "$CONF/63-rx-origin.rules")" "$program"
	[ -x "$CONF/${program##*/}" ]
}
