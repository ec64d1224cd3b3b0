#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The order of a boot: the units that our generator and those of systemd make for one machine, as systemd itself reads them. Where
# units wait for each other, systemd leaves out a unit, and that may be local-fs.target.

load ../cli/helper

GENERATORS=/usr/lib/systemd/system-generators
CONF=$BATS_TEST_DIRNAME/../../conf

setup() {
	command -v systemd-analyze >/dev/null && [ -x $GENERATORS/systemd-cryptsetup-generator ] || skip "no systemd with its generators"
	sysroot
	mkdir -p "$RXADM_SYSROOT/etc/keys" "$RXADM_SYSROOT/boot" "$RXADM_SYSROOT/var/lib/systemd"
	: >"$RXADM_SYSROOT/etc/keys/x"
	export SYSTEMD_IN_INITRD=0 OUT=$BATS_TEST_TMPDIR/out SYSTEMD_FSTAB=$RXADM_SYSROOT/etc/fstab SYSTEMD_CRYPTTAB=$RXADM_SYSROOT/etc/crypttab
}

# unit NAME: one of another generator, or of the administrator, from standard input. One of a target is wanted by it.
unit() {
	cat >"$OUT/$1"
	for target in $(sed -n 's/^WantedBy=//p' "$OUT/$1"); do
		mkdir -p "$OUT/$target.wants"
		ln -sf "../$1" "$OUT/$target.wants/$1"
	done
}

# As Debian's ifupdown, the common kind of a network that comes after local file systems.
network() {
	unit networking.service <<-END
		[Unit]
		DefaultDependencies=no
		Wants=network.target
		After=local-fs.target network-pre.target
		Before=network.target network-online.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		ExecStart=/bin/true
		[Install]
		WantedBy=multi-user.target
		WantedBy=network-online.target
	END
	unit open-iscsi.service <<-END
		[Unit]
		DefaultDependencies=no
		Wants=network-online.target remote-fs-pre.target
		After=network-online.target
		Before=remote-fs-pre.target
		[Service]
		Type=oneshot
		ExecStart=/bin/true
		[Install]
		WantedBy=sysinit.target
	END
	mkdir -p "$OUT/multi-user.target.wants"
	ln -sf /usr/lib/systemd/system/remote-fs.target "$OUT/multi-user.target.wants/"
}

# made: the lines that have a unit.
made() { (cd "$OUT" && ls -d rxadm@*.service 2>/dev/null | sed 's/rxadm@//; s/.service//' | xargs); }

cycles() {
	SYSTEMD_UNIT_PATH=$OUT:/usr/lib/systemd/system systemd-analyze verify --man=no multi-user.target 2>&1 |
		grep -E 'ordering cycle|deleted to break|circular' || true
}

# machine WANT: a machine's files from standard input, a line each: "t" of rxtab, "f" of fstab, "c" of crypttab, "m" a mount unit of
# another generator: its point, and more of its section [Unit]. WANT are the lines that get a unit. Nothing waits for itself.
machine() {
	local kind line file
	rm -rf "$OUT"
	mkdir "$OUT"
	for file in rxtab fstab crypttab; do : >"$RXADM_SYSROOT/etc/$file"; done
	network
	for file in "$CONF"/rxadm*; do case $file in *.service | *.timer | *.target) sed "s|/usr/[a-z]*/[a-z/-]* |/bin/true |" "$file" >"$OUT/${file##*/}" ;; esac; done
	while read -r kind line; do
		case $kind in
		t) echo "$line" >>"$RXADM_SYSROOT/etc/rxtab" ;;
		f) echo "$line" >>"$RXADM_SYSROOT/etc/fstab" ;;
		c) echo "$line" >>"$RXADM_SYSROOT/etc/crypttab" ;;
		m) unit "$(systemd-escape --path --suffix=mount "${line%% *}")" <<<"[Unit]
Before=local-fs.target
$(tr ' ' '\n' <<<"${line#"${line%% *}"}")
[Mount]
What=/dev/disk/by-partuuid/1
Where=${line%% *}
[Install]
WantedBy=local-fs.target" ;;
		esac
	done
	for file in fstab cryptsetup; do
		$GENERATORS/systemd-$file-generator "$OUT" "$OUT" "$OUT" 2>/dev/null
	done
	rx 0 __generator "$OUT"
	is "$1" "$(made)"
	is "" "$(cycles)"
}

# refused WANT SAID: the same for one with a line that gets no unit, of which check-tab says why.
refused() {
	local said=$2
	machine "$1"
	run --separate-stderr "$RXADM" check-tab
	is 1 "$status"
	has "$said" "$stderr"
}

@test "what has no fault: caches, disks and images of all kinds" {
	machine "rxc0 rxc1 rxc2 rxd0" <<-END
		t rxd0 disk size=1G
		t rxc0 cache disk=rxd0,origin=/dev/disk/by-id/a
		t rxc1 cache size=1G,origin=/dev/disk/by-path/ip-1-iscsi,_netdev
		t rxc2 cache size=1G,origin=/dev/md0
		f UUID=1 /srv ext4 defaults 0 2
		f /dev/rxc1 /net ext4 _netdev 0 2
		f /dev/rxd0p1 /part ext4 defaults 0 2
		c y UUID=5 none luks
	END
	machine "rxc0 rxc1" <<-END
		t rxc0 cache size=1G,origin=/dev/sdb
		t rxc1 cache size=1G,origin=/dev/mapper/x
		f /dev/rxc0 /srv ext4 defaults 0 2
		f /dev/rxc1 /data ext4 defaults 0 2
		f /dev/sda1 /boot ext4 defaults 0 2
		c x /dev/sdc /etc/keys/x luks
		c y UUID=6 /boot/y luks
	END
	machine "rxc0 rxd0 rxd1" <<-END
		t rxd0 disk size=1G,image=/srv/images/a,save=5m
		t rxd1 disk size=1G,image=/tmp/b
		t rxc0 cache size=1G,origin=/dev/sdb
		f /dev/rxc0 /srv ext4 defaults 0 2
		f /dev/rxd0 /work ext4 defaults 0 0
		f UUID=7 /more ext4 defaults 0 0
	END
}

@test "images below a mount that another generator makes" {
	machine rxd0 <<-END
		t rxd0 disk size=1G,image=/var/lib/rxdsk/a
		f /dev/rxd0 /work ext4 nofail 0 0
		m /var
	END
	machine rxd0 <<-END
		t rxd0 disk size=1G,image=/var/lib/rxdsk/a,save=5m
		f /dev/rxd0 /work ext4 defaults 0 0
		m /var After=zfs-import.target
		m /var/lib RequiresMountsFor=/var
	END
	machine "rxc0 rxd0" <<-END
		t rxd0 disk size=1G,image=/srv/a,export=tcp:192.0.2.1,any-host
		t rxc0 cache size=1G,origin=/dev/rxd0,warm
		m /srv Requires=systemd-cryptsetup@h.service After=systemd-cryptsetup@h.service
		c h UUID=8 none luks
	END
}

@test "images on a network, whatever their line says" {
	machine rxd0 <<-END
		t rxd0 disk size=1G,image=/srv/a
		f host:/x /srv nfs defaults 0 0
		f /dev/rxd0 /work ext4 nofail 0 0
	END
	refused "" "/etc/fstab has /dev/rxd0 for '/work', which waits before the network is there" <<-END
		t rxd0 disk size=1G,image=/srv/a
		f host:/x /srv nfs defaults 0 0
		f /dev/rxd0 /work ext4 defaults 0 0
	END
	machine "rxd0" <<-END
		t rxd0 disk size=1G,image=/srv/a
		f UUID=5 /srv ext4 nofail,x-systemd.requires=networking.service 0 0
	END
}

@test "disks whose images lie on each other" {
	refused rxd2 "image '/b/a' lies in a file system that is made of rxd0 itself" <<-END
		t rxd0 disk size=1G,image=/b/a
		t rxd1 disk size=1G,image=/a/b
		t rxd2 disk size=1G,image=/c
		f /dev/rxd0 /a ext4 nofail 0 0
		f ID=rx-rxd1-part1 /b ext4 nofail 0 0
	END
	refused rxc0 "image '/m/a' lies in a file system that is made of rxd0 itself" <<-END
		t rxd0 disk size=1G,image=/m/a
		t rxc0 cache size=1G,origin=/dev/rxd0
		f /dev/rxc0 /m ext4 defaults 0 0
	END
	machine "rxc0 rxd0 rxd1" <<-END
		t rxd0 disk size=1G,image=/b/a
		t rxd1 disk size=1G,image=/a/b
		t rxc0 cache size=1G,origin=/dev/sdb
		f /dev/rxd0 /a ext4 defaults 0 0
		f /dev/rxc0 /b ext4 defaults 0 0
	END
}

@test "a cache that comes with the network, and local file systems that wait for it" {
	for f in "/dev/rxc0 /srv ext4 defaults" "/dev/rxc0p1 /srv ext4 noatime" "/dev/disk/by-id/rx-rxc0 /srv ext4 defaults" \
		"ID=rx-rxc0-part1 /srv ext4 defaults" "/dev/sdb /srv ext4 defaults"; do
		refused "" "/etc/fstab has ${f%% *} for '/srv', which waits before the network is there, and rxc0 is made after that (_netdev or nofail there)" <<-END
			t rxc0 cache size=1G,origin=/dev/sdb,_netdev
			f $f 0 0
		END
	done
	for f in "/dev/rxc0 /srv ext4 _netdev" "/dev/rxc0 /srv ext4 noatime,nofail" "/dev/rxc0 /srv ext4 noauto" "/dev/rxc01 /srv ext4 nofail"; do
		machine rxc0 <<-END
			t rxc0 cache size=1G,origin=/dev/sdb,_netdev
			f $f 0 0
		END
	done
	# In a container systemd's generator leaves swap out.
	refused "" "/etc/fstab has /dev/rxc0 for 'swap'" <<-END
		t rxc0 cache size=1G,origin=/dev/sdb,_netdev
		f /dev/rxc0 none swap sw,nofail 0 0
	END
	# Lines that end in CR are as good as others.
	refused rxd1 "/etc/crypttab has /dev/rxc0 for 'y'" <<-END
		t rxc0 cache size=1G,origin=/dev/sdb,_netdev
		t rxd1 disk size=1G
		c y /dev/rxc0$(printf '\r')
	END
	refused rxd1 "/etc/crypttab has /dev/rxc0 for 'y'" <<-END
		t rxc0 cache size=1G,origin=/dev/sdb,_netdev
		t rxd1 disk size=1G
		c y /dev/rxc0 none luks
	END
	refused "" "/etc/fstab has /dev/mapper/y for '/srv'" <<-END
		t rxc0 cache size=1G,origin=/dev/sdb,_netdev
		c y /dev/rxc0 none luks,nofail
		f /dev/mapper/y /srv ext4 defaults 0 0
	END
	machine rxc0 <<-END
		t rxc0 cache size=1G,origin=/dev/sdb,_netdev
		c y /dev/rxc0 none luks,_netdev
		c z /dev/rxc0p1 none luks,nofail
		c w /dev/rxc0p2 none luks,noauto
	END
}

@test "a cache without the network on a disk with it" {
	refused rxd0 "its disk rxd0 is made after the network, see line 1 (_netdev here too)" <<-END
		t rxd0 disk size=1G,_netdev
		t rxc0 cache disk=rxd0,origin=/dev/sdb
	END
	refused rxd0 "its origin rxd0 is made after the network, see line 1 (_netdev here too)" <<-END
		t rxd0 disk size=1G,image=/srv/a
		t rxc0 cache size=1G,origin=/dev/disk/by-id/rx-rxd0
		f host:/x /srv nfs defaults 0 0
	END
	machine "rxc0 rxc1 rxd0 rxd1" <<-END
		t rxd0 disk size=1G,_netdev
		t rxc0 cache disk=rxd0,origin=/dev/sdb,_netdev
		t rxd1 disk size=1G
		t rxc1 cache disk=rxd1,origin=/dev/sdc,_netdev
	END
}

@test "a cache over an encrypted device whose key, header or image lies on another file system" {
	: >"$RXADM_SYSROOT/boot/x"
	for c in "x /dev/sdb /boot/x luks" "x /dev/sdb none luks,discard,header=/boot/x" "x /boot/x none luks" "x /dev/sdb /boot/x luks,nofail" "x /dev/sdb /boot/x luks,noauto"; do
		refused "" "origin '/dev/mapper/x' is opened by /etc/crypttab after the file system of '/boot/x' is there, and file systems wait for rxc0 (_netdev here, and in /etc/fstab for what is on it)" <<-END
			t rxc0 cache size=1G,origin=/dev/mapper/x
			f UUID=1 /boot ext4 defaults 0 2
			f UUID=2 /srv ext4 defaults 0 2
			c $c
		END
	done
	# The key is in a file system that has no line: it is not there when the generator runs at boot.
	refused "" "after the file system of '/efi/key' is there" <<-END
		t rxc0 cache size=1G,origin=/dev/disk/by-id/dm-name-x
		m /efi
		c x /dev/sdb /efi/key luks
	END
	refused "" "after the file system of '/boot/x' is there" <<-END
		t rxc0 cache size=1G,origin=/dev/mapper/y
		f UUID=1 /boot ext4 defaults 0 2
		c x /dev/sdb /boot/x luks
		c y /dev/mapper/x none luks
	END
	refused "" "after the file system of '/var/lib/systemd' is there" <<-END
		t rxc0 cache size=1G,origin=/dev/mapper/x
		f UUID=1 /var ext4 defaults 0 2
		c x /dev/sdb /dev/urandom plain
	END
	refused "" "after the network is there" <<-END
		t rxc0 cache size=1G,origin=/dev/mapper/x
		c x /dev/sdb /etc/keys/x luks,_netdev
	END
	for c in "#x /dev/sdb /boot/x luks" "x /dev/sdb /boot/x:UUID=5 luks" "x /dev/sdb /dev/urandom swap" \
		"x /dev/sdb /etc/keys/x luks" "x /dev/sdb none" "x /dev/sdb - luks,header=/etc/keys/x" "xx /dev/sdb /boot/x luks"; do
		machine rxc0 <<-END
			t rxc0 cache size=1G,origin=/dev/mapper/x
			f UUID=1 /boot ext4 defaults 0 2
			c $c
		END
	done
	machine "rxc0" <<-END
		t rxc0 cache size=1G,origin=/dev/mapper/x,_netdev
		f UUID=1 /boot ext4 defaults 0 2
		f UUID=2 /srv ext4 _netdev 0 2
		c x /dev/sdb /boot/x luks
	END
}

@test "a cache that the initramfs has made waits for nothing" {
	machine "rxc0" <<-END
		t rxc0 cache size=1G,origin=/dev/mapper/x,initramfs
		f /dev/rxc0 / ext4 defaults 0 1
		f UUID=1 /boot ext4 defaults 0 2
		c x /dev/sdb /boot/x luks
	END
	machine "rxc0" <<-END
		t rxc0 cache size=1G,origin=/dev/disk/by-path/ip-1-iscsi,initramfs,_netdev
		f /dev/rxc0 / ext4 defaults 0 1
		f /dev/rxc0p2 /srv ext4 defaults 0 1
	END
}
