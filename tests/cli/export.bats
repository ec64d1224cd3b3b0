#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# export, unexport and list --exports, on a configfs of plain files: what is asked, shown and refused. The kernel tests 160 to 164
# have the target itself.

load helper

HOST=nqn.2014-08.org.nvmexpress:uuid:11111111-1111-4111-8111-111111111111
NQN=nqn.2024-01.com.example:store
T=/sys/kernel/config/nvmet

setup() {
	sysroot
	root=$RXADM_SYSROOT
	mkdir -p "$root"/{etc,run/rxadm} "$root$T"/{subsystems,ports,hosts} "$root"/sys/module/{nvmet,nvmet_tcp,nvmet_rdma,nvme_loop}
	echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
	for name in rxd0 rxd1 rxc0; do : >"$root/dev/$name"; done
	there_are rxd0 rxd1 rxc0
}

# subsystem NQN DEVICE [ENABLED [SERIAL]]: as the kernel shows it.
subsystem() {
	local dir=$root$T/subsystems/$1
	mkdir -p "$dir"/{allowed_hosts,namespaces/1}
	echo "$2" >"$dir/namespaces/1/device_path"
	echo "${3:-1}" >"$dir/namespaces/1/enable"
	echo 0 >"$dir/attr_allow_any_host"
	echo "${4:-00000000000000000000}" >"$dir/attr_serial"
}

# port ID TRANSPORT FAMILY ADDR SERVICE [NQN]
port() {
	local dir=$root$T/ports/$1
	mkdir -p "$dir/subsystems"
	echo "$2" >"$dir/addr_trtype"
	echo "$3" >"$dir/addr_adrfam"
	echo "$4" >"$dir/addr_traddr"
	echo "$5" >"$dir/addr_trsvcid"
	[ -z "${6:-}" ] || ln -s "$root$T/subsystems/$6" "$dir/subsystems/$6"
}

# ours: rxd0 is exported by rxadm. SERIAL is that of its NQN.
SERIAL=b0eb46709ee25c44ba9e
ours() {
	subsystem $NQN /dev/rxd0 1 $SERIAL
	mkdir "$root$T/hosts/$HOST"
	ln -s "$root$T/hosts/$HOST" "$root$T/subsystems/$NQN/allowed_hosts/$HOST"
	port 1 tcp ipv4 192.0.2.1 4420 $NQN
	record made <<<"host $HOST
own-host $HOST
port 1 own tcp ipv4 192.0.2.1 4420"
}
record() {
	{ printf 'stage %s\nnqn %s\nany-host no\n' "$1" $NQN && cat; } >"$root/run/rxadm/export-rxd0"
}

# steps: what a dry run shows, without what all paths have in common.
steps() { sed "s|$T/||g; s|subsystems/$NQN|SUBSYS|g; s|$HOST|HOST|g" <<<"$output"; }

@test "somebody must be let in, and no host twice" {
	rx 1 export rxd0
	is "rxadm: export: who may connect? say --host HOSTNQN (on the host, in /etc/nvme/hostnqn), or --any-host" "$stderr"
	rx 1 export rxd0 --any-host --host $HOST
	is "rxadm: export: --host and --any-host exclude each other" "$stderr"
	rx 1 export rxd0 --host $HOST --host $HOST
	is "rxadm: export: host '$HOST' is given twice" "$stderr"
	rx 1 export rxd0 --host web1
	is "rxadm: export: host NQN 'web1' does not begin with nqn.YEAR-MONTH. and a domain; say for example nqn.2024-01.com.example:store" "$stderr"
}

@test "what has a wrong form is refused" {
	rx 1 export
	has "the object is missing" "$stderr"
	rx 1 export sdb --any-host
	is "rxadm: export: 'sdb' is no disk or cache; say rxd0 or rxc0" "$stderr"
	rx 1 export rxd0 --any-host --nqn store
	has "NQN 'store' does not begin with nqn.YEAR-MONTH. and a domain" "$stderr"
	rx 1 export rxd0 --any-host --transport fc
	has "invalid transport: 'fc' (use tcp|rdma|loop)" "$stderr"
	rx 1 export rxd0 --any-host --addr storage
	is "rxadm: export: 'storage' is no address in numbers; say for example 192.0.2.1 or 2001:db8::1" "$stderr"
	rx 1 export rxd0 --any-host --addr 192.0.2.1:99999
	is "rxadm: export: '192.0.2.1:99999' has no port from 1 to 65535 at its end" "$stderr"
	rx 1 export rxd0 --any-host --addr "[::1"
	has "'[::1' is no address; say for example" "$stderr"
	rx 1 export rxd0 --any-host --port 65536
	is "rxadm: export: port 65536 is too large; at most 65535" "$stderr"
	rx 1 export rxd0 --any-host --addr ::1 --addr "[0::1]:4420"
	is "rxadm: export: address '[0::1]:4420' is given twice" "$stderr"
	rx 1 export rxd0 --any-host --transport loop --addr 127.0.0.1
	is "rxadm: export: the transport loop stays within this machine; leave --addr and --port out" "$stderr"
	rx 1 export rxd0 --any-host --transport rdma
	is "rxadm: export: the transport rdma has no address by default; say --addr, with one of an RDMA device (see: rdma link)" "$stderr"
	rx 1 export rxd0 --any-host --transport rdma --port 4420
	has "the transport rdma has no address by default" "$stderr"
	rm "$root/etc/machine-id"
	rx 1 export rxd0 --any-host
	is "rxadm: export: /etc/machine-id has no ID of which to make a name; run: systemd-machine-id-setup, or say --nqn" "$stderr"
}

@test "a dry run shows every step, the links of the ports last" {
	rx export rxd0 --nqn $NQN --host $HOST --addr 192.0.2.1 --addr "[2001:db8::1]:8009" --dry-run
	is "mkdir hosts/HOST
mkdir SUBSYS
echo $SERIAL >SUBSYS/attr_serial
echo rxdsk >SUBSYS/attr_model
echo 0 >SUBSYS/attr_allow_any_host
ln -s hosts/HOST SUBSYS/allowed_hosts/HOST
mkdir SUBSYS/namespaces/1
echo /dev/rxd0 >SUBSYS/namespaces/1/device_path
echo 80a6343e-e92c-54d3-b5f1-4df8ccf5c7c4 >SUBSYS/namespaces/1/device_uuid
echo 80a6343e-e92c-54d3-b5f1-4df8ccf5c7c4 >SUBSYS/namespaces/1/device_nguid
echo 1 >SUBSYS/namespaces/1/enable
mkdir ports/1
echo tcp >ports/1/addr_trtype
echo ipv4 >ports/1/addr_adrfam
echo 192.0.2.1 >ports/1/addr_traddr
echo 4420 >ports/1/addr_trsvcid
mkdir ports/2
echo tcp >ports/2/addr_trtype
echo ipv6 >ports/2/addr_adrfam
echo 2001:db8::1 >ports/2/addr_traddr
echo 8009 >ports/2/addr_trsvcid
ln -s SUBSYS ports/1/SUBSYS
ln -s SUBSYS ports/2/SUBSYS" "$(steps)"
	is "" "$(find "$root$T" "$root/run/rxadm" -mindepth 1 ! -name subsystems ! -name ports ! -name hosts)"
}

@test "without an address it is this machine's own, and loop has none" {
	rx export rxc0 --any-host --dry-run
	has "echo 127.0.0.1 >$T/ports/1/addr_traddr" "$output"
	has "echo 4420 >$T/ports/1/addr_trsvcid" "$output"
	has "echo rxcache >" "$output"
	[[ $output != *hosts/* ]]
	rx export rxc0 --any-host --port 9000 --dry-run
	has "echo 9000 >$T/ports/1/addr_trsvcid" "$output"
	rx export rxc0 --any-host --transport loop --dry-run
	has "echo loop >$T/ports/1/addr_trtype" "$output"
	[[ $output != *addr_traddr* ]]
	rx export rxc0 --any-host --transport rdma --addr 192.0.2.1 --dry-run
	has "echo rdma >$T/ports/1/addr_trtype" "$output"
}

@test "the name of a device is the same each time, and another on another machine" {
	rx export rxd0 --any-host --dry-run
	first=$output
	rx export rxd0 --any-host --dry-run
	is "$first" "$output"
	rx export rxd1 --any-host --dry-run
	[ "$first" != "${output//rxd1/rxd0}" ]
	[[ $output != *0123456789abcdef* ]]
	echo ffff456789abcdef0123456789abcdef >"$root/etc/machine-id"
	rx export rxd0 --any-host --dry-run
	[ "$first" != "$output" ]
	grep -qE '^mkdir .*/nqn.2014-08.org.nvmexpress:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' <<<"$output"
}

@test "a port and a host that are there are used again" {
	port 3 tcp ipv6 2001:db8:0:0::1 4420
	mkdir "$root$T/hosts/$HOST"
	rx export rxd0 --nqn $NQN --host $HOST --addr 2001:db8::1 --addr 192.0.2.1 --dry-run
	[[ $output != *"mkdir $T/hosts"* ]]
	[[ $output != *"mkdir $T/ports/3"* ]]
	has "mkdir $T/ports/1" "$output"
	has "ln -s SUBSYS ports/3/SUBSYS
ln -s SUBSYS ports/1/SUBSYS" "$(steps)"
}

@test "modules that are not loaded" {
	rm -r "$root"/sys/module/*
	rx 3 export rxd0 --any-host
	is "rxadm: export rxd0: the kernel's module nvmet is not loaded, and can't be; as root see: modprobe -v nvmet" "$stderr"
	rx export rxd0 --any-host --dry-run
	is "modprobe nvmet
modprobe nvmet-tcp" "$(head -n 2 <<<"$output")"
	# The kernel's own program loads them.
	mkdir -p "$root/proc/sys/kernel"
	echo "$BATS_TEST_TMPDIR/modprobe" >"$root/proc/sys/kernel/modprobe"
	printf '#!/bin/sh\necho "$@" >>%s\n[ $3 != nvme-loop ]\n' "$BATS_TEST_TMPDIR/loaded" >"$BATS_TEST_TMPDIR/modprobe"
	chmod +x "$BATS_TEST_TMPDIR/modprobe"
	rx 3 export rxd0 --any-host --transport loop
	is "rxadm: export rxd0: the kernel's module nvme-loop is not loaded, and can't be; as root see: modprobe -v nvme-loop" "$stderr"
	is "-q -- nvmet
-q -- nvme-loop" "$(cat "$BATS_TEST_TMPDIR/loaded")"
	rm -r "$root$T"
	rx 2 export rxd0 --any-host
	is "rxadm: export rxd0: configfs is not mounted; run: mount -t configfs none /sys/kernel/config" "$stderr"
}

@test "a device in use, or that can't be written, is not exported" {
	sys_mount 259:0 /mnt
	sys_disk rxd0 259:0
	rx 2 export rxd0 --any-host
	is "rxadm: export rxd0: mounted on /mnt; run: umount /mnt" "$stderr"
	mkdir -p "$root/sys/block/loop3/loop"
	echo /dev/rxd1 >"$root/sys/block/loop3/loop/backing_file"
	rx 2 export rxd1 --any-host
	is "rxadm: export rxd1: in use by /dev/loop3; run: losetup -d /dev/loop3" "$stderr"
	replay <<-END
		>* rxdsk disk-get name=rxd1
		< name=rxd1 $DISK holder=rxc0
	END
	rx 2 export rxd1 --any-host
	is "rxadm: export rxd1: is the memory of rxc0, which has its data; export the cache instead" "$stderr"
	replay <<-END
		>* rxdsk disk-get name=rxd1
		< name=rxd1 $DISK read-only=yes
	END
	rx 2 export rxd1 --any-host
	is "rxadm: export rxd1: is read-only, and the kernel's target opens a device for writing only; if it may be written, run: blockdev --setrw /dev/rxd1" "$stderr"
}

@test "a step that fails undoes the others" {
	# A folder of plain files has no attributes in it.
	rx 2 export rxd0 --nqn $NQN --host $HOST
	is "rxadm: export rxd0: kernel: No such file or directory, at: echo $SERIAL >$T/subsystems/$NQN/attr_serial; it is undone, see: dmesg" "$stderr"
	is "exports.lock" "$(ls "$root/run/rxadm")"
	is "" "$(find "$root$T" -mindepth 2)"
}

@test "the list" {
	rx list --exports
	is "rxadm: no exports; make one: rxadm export rxd0 --host HOSTNQN" "$stderr"
	ours
	subsystem nqn.2024-01.com.example:x /dev/rxc0
	echo 1 >"$root$T/subsystems/nqn.2024-01.com.example:x/attr_allow_any_host"
	subsystem nqn.2024-01.com.example:y /dev/sda
	subsystem nqn.2024-01.com.example:z /dev/rxd1 0
	port 5 rdma ipv6 ::1 4420 nqn.2024-01.com.example:x
	port 6 loop "" "" "" nqn.2024-01.com.example:x
	rx list --exports -r
	is "NAME NQN TRANSPORT ADDR PORT HOSTS STATE
rxd0 $NQN tcp 192.0.2.1 4420 $HOST complete
rxc0 nqn.2024-01.com.example:x rdma ::1 4420 any foreign
rxc0 nqn.2024-01.com.example:x loop - - any foreign" "$output"
	rx list --exports --json
	is '{"name":"rxd0","nqn":"'$NQN'","transport":"tcp","address":"192.0.2.1","port":4420,"hosts":["'$HOST'"],"state":"complete"}' "$(jq -c '.exports[0]' <<<"$output")"
	is '["loop",null,null,["any"],"foreign"]' "$(jq -c '.exports[2] | [.transport, .address, .port, .hosts, .state]' <<<"$output")"
	rx list --exports rxd0 -nr -o STATE,NAME
	is "rxd0 complete" "$output"
	rx 2 list --exports rxd1
	is "rxadm: list rxd1: is not exported; see: rxadm list --exports" "$stderr"
	rx 1 list --exports -o SIZE
	has "no column 'SIZE' of exports" "$stderr"
	rx 1 list --exports --disks
	has "exclude each other" "$stderr"
	rm "$root$T/ports/1/subsystems/$NQN"
	rx list --exports rxd0 -nr
	is "rxd0 $NQN - - - $HOST half" "$output"
	# A partition, and a number of a port that the kernel reads as 1.
	subsystem nqn.2024-01.com.example:z /dev/rxd1p2
	port 0x1 tcp ipv4 192.0.2.1 4420
	rx list --exports -nr -o NAME,STATE
	is "rxd0 half
rxc0 foreign
rxc0 foreign
rxd1p2 foreign" "$output"
}

@test "a port whose number is not written in decimals is passed over" {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK openers=0
	END
	port 0x1 tcp ipv4 192.0.2.1 4420
	rx export rxd0 --any-host --nqn $NQN --addr 192.0.2.1 --dry-run
	has "mkdir $T/ports/2" "$output"
}

@test "who uses a device" {
	ours
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK openers=1
		>* rxdsk disk-get name=rxd1
		< name=rxd1 $DISK openers=1
		>* rxdsk disk-del name=rxd0 validate
		! EBUSY the disk is open, mounted or otherwise in use
		>* rxdsk disk-del name=rxd1 validate
		! EBUSY the disk is open, mounted or otherwise in use
	END
	rx 2 detach rxd0 --dry-run
	is "rxadm: detach rxd0: exported as $NQN; run: rxadm unexport rxd0" "$stderr"
	rx 2 export rxd0 --any-host
	is "rxadm: export rxd0: exported as $NQN; run: rxadm unexport rxd0" "$stderr"
	# down ends that first.
	echo "rxd0 disk size=1G" >"$root/etc/rxtab"
	rx down --dry-run
	is "[#] rxadm unexport rxd0
[#] rxadm detach rxd0" "$output$stderr"
	subsystem nqn.2024-01.com.example:x /dev/rxd1
	rx 2 detach rxd1 --dry-run
	is "rxadm: detach rxd1: exported as nqn.2024-01.com.example:x by another program; end that there, or run: echo 0 >$T/subsystems/nqn.2024-01.com.example:x/namespaces/1/enable" "$stderr"
	# A name of ours that another program has given to something else since.
	echo 1 >"$root$T/subsystems/$NQN/attr_serial"
	rx 2 detach rxd0 --dry-run
	has "exported as $NQN by another program" "$stderr"
	echo 0 >"$root$T/subsystems/$NQN/namespaces/1/enable"
	rx 2 export rxd1 --any-host --nqn $NQN
	has "exported as nqn.2024-01.com.example:x by another program" "$stderr"
}

@test "a name that is taken" {
	ours
	rx 2 export rxd1 --any-host --nqn $NQN
	is "rxadm: export rxd1: $NQN is the name of the export of rxd0; choose another --nqn" "$stderr"
	subsystem nqn.2024-01.com.example:x /dev/sda
	rx 2 export rxd1 --any-host --nqn nqn.2024-01.com.example:x
	is "rxadm: export rxd1: nqn.2024-01.com.example:x was made by another program; choose another --nqn" "$stderr"
}

@test "unexport shows its steps, and takes what nobody else uses" {
	rx 2 unexport rxd0
	is "rxadm: unexport rxd0: is not exported; see: rxadm list --exports" "$stderr"
	rx 1 unexport store
	is "rxadm: unexport: 'store' is no disk, cache or NQN; see: rxadm list --exports" "$stderr"
	rx 2 unexport $NQN
	is "rxadm: unexport $NQN: is not exported; see: rxadm list --exports" "$stderr"
	ours
	for words in "rxd0 store" "store rxd0"; do
		rx 1 unexport $words
		is "rxadm: unexport: 'store' is no disk, cache or NQN; see: rxadm list --exports" "$stderr"
		[ -e "$root/run/rxadm/export-rxd0" ]
	done
	rx unexport $NQN --dry-run
	is "rm ports/1/SUBSYS
echo 0 >SUBSYS/namespaces/1/enable
rmdir SUBSYS/namespaces/1
rm SUBSYS/allowed_hosts/HOST
rmdir SUBSYS
rmdir ports/1
rmdir hosts/HOST" "$(steps)"
	subsystem nqn.2024-01.com.example:x /dev/rxd1
	ln -s "$root$T/subsystems/nqn.2024-01.com.example:x" "$root$T/ports/1/subsystems/nqn.2024-01.com.example:x"
	ln -s "$root$T/hosts/$HOST" "$root$T/subsystems/nqn.2024-01.com.example:x/allowed_hosts/$HOST"
	rx unexport rxd0 --dry-run
	is "rmdir SUBSYS" "$(steps | tail -n 1)"
	rx 2 unexport rxd1
	is "rxadm: unexport rxd1: was exported by another program; end that there, see: rxadm list --exports" "$stderr"
	# A port that has got another address is not ours any more.
	rm "$root$T/ports/1/subsystems/nqn.2024-01.com.example:x" "$root$T/subsystems/nqn.2024-01.com.example:x/allowed_hosts/$HOST"
	echo 192.0.2.2 >"$root$T/ports/1/addr_traddr"
	rx unexport rxd0 --dry-run
	is "rmdir hosts/HOST" "$(steps | tail -n 1)"
	[[ $output != *"rmdir $T/ports"* ]]
}

@test "what was begun and not ended is removed by the next of them" {
	record making <<<"own-host $HOST
port 1 own tcp ipv4 192.0.2.1 4420"
	mkdir "$root$T/hosts/$HOST" "$root$T/ports/1"
	rx 2 export rxd1 --any-host --nqn $NQN
	has "rxadm: export rxd0: an export as $NQN had been begun, but not ended; it is removed" "$stderr"
	is "" "$(find "$root$T" -mindepth 2)"
	is "exports.lock" "$(ls "$root/run/rxadm")"
	# The target was unloaded.
	record made </dev/null
	echo "rxd1 disk size=1G" >"$root/etc/rxtab"
	rx up
	has "rxadm: up rxd0: its export as $NQN is gone from the target, and its record is removed" "$stderr"
	is "exports.lock" "$(ls -I "tab-*.lock" "$root/run/rxadm")"
}

@test "completion offers what is exported" {
	ours
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
	END
	rx __words unexport
	has $NQN "$output"
	rx __words export rxd0 --nqn
	is "" "$output"
	rx __words export rxd0 --transport
	is "tcp
rdma
loop" "$output"
	rx __words export rxd0 --host $HOST
	has --host "$output"
}

tab() { cat >"$root/etc/rxtab"; }

@test "the table: what is wrong" {
	tab <<-END
		rxd0 disk size=1G,export=tcp
		rxd1 disk size=1G,host=$HOST
		rxd2 disk size=1G,export=fc:1,any-host
		rxd3 disk size=1G,export=tcp:storage,any-host
		rxd4 disk size=1G,export=tcp,any-host,host=$HOST
		rxd5 disk size=1G,export=tcp,export=loop,any-host
		rxd6 disk size=1G,export=tcp,export=tcp:127.0.0.1:4420,any-host
		rxc7 cache size=1G,origin=/dev/disk/by-id/y,export=tcp,any-host,read-only
		rxd8 disk size=1G,export=tcp,nqn=$NQN,any-host
		rxd9 disk size=1G,export=tcp,nqn=$NQN,any-host
		rxd10 disk size=1G,export=tcp,host=web1
		rxc0 cache disk=rxd8,origin=/dev/disk/by-id/x
		rxd11 disk size=1G,export=rdma,any-host
		rxd12 disk size=1G,export=rdma:192.0.2.1,any-host
	END
	rx 1 check-tab
	is "/etc/rxtab:1: export lets no host in (host=HOSTNQN, or any-host for all)
/etc/rxtab:2: host makes no sense without export (export=tcp:192.0.2.1)
/etc/rxtab:3: export 'fc:1' is not TRANSPORT:ADDR:PORT (tcp:192.0.2.1:4420, tcp:[2001:db8::1], rdma:..., loop)
/etc/rxtab:4: export 'tcp:storage' is not TRANSPORT:ADDR:PORT (tcp:192.0.2.1:4420, tcp:[2001:db8::1], rdma:..., loop)
/etc/rxtab:5: host and any-host exclude each other (host=HOSTNQN, or any-host for all)
/etc/rxtab:6: export 'tcp' and 'loop' have two transports (one for all)
/etc/rxtab:7: export 'tcp:127.0.0.1:4420' is given twice (once)
/etc/rxtab:8: export and read-only exclude each other (the kernel's target opens a device for writing)
/etc/rxtab:10: nqn '$NQN' is that of rxd8 in line 9 already (one for each)
/etc/rxtab:11: host 'web1' is no NQN (nqn.2014-08.org.nvmexpress:uuid:..., nqn.2024-01.com.example:store)
/etc/rxtab:12: its disk rxd8 is exported, see line 9 (one without export; the cache can be exported)
/etc/rxtab:13: export 'rdma' is not TRANSPORT:ADDR:PORT (tcp:192.0.2.1:4420, tcp:[2001:db8::1], rdma:..., loop)" "$(grep -v warning <<<"$stderr")"
	tab <<<"rxd0 disk size=1G,export=tcp,host=$HOST,host=$HOST"
	rx 1 check-tab
	is "/etc/rxtab:1: host '$HOST' is given twice (once)" "$(grep -v warning <<<"$stderr")"
	tab <<<"rxd0 disk size=1G,export=tcp$(printf ',host=nqn.2024-01.com.example:%s' $(seq 120))"
	rx 1 check-tab
	is "/etc/rxtab:1: export has 121 addresses and hosts (at most 120)" "$(grep -v warning <<<"$stderr")"
	sed -i 's/:120$/:119/; s/,host=[^,]*:119$//' "$root/etc/rxtab"
	rx check-tab
	rx up --dry-run
	has "[#] rxadm export rxd0" "$output"
}

@test "the table: up exports, says what differs, and down unexports" {
	tab <<-END
		rxd0 disk size=1G,export=tcp:192.0.2.1,nqn=$NQN,host=$HOST
	END
	rx up --dry-run --no-export
	is "" "$output"
	rx up --dry-run
	is "[#] rxadm export rxd0 --nqn $NQN --transport tcp --addr 192.0.2.1 --host $HOST" "$output"
	ours
	rx up
	is "" "$output$stderr"
	sed -i 's/host=[^,]*/any-host/' "$root/etc/rxtab"
	rx 2 up
	is "rxadm: up rxd0: is exported to other hosts than the table says; change line 1, or, if its hosts may lose it: rxadm unexport rxd0, then: rxadm up rxd0" "$stderr"
	echo "rxd0 disk size=1G,export=tcp:192.0.2.1,export=tcp:[::1]:5,nqn=$NQN,host=$HOST" >"$root/etc/rxtab"
	rx 2 up
	has "is not exported at [::1]:5, the table says so" "$stderr"
	echo "rxd0 disk size=1G,export=tcp:192.0.2.1,nqn=${NQN}2,host=$HOST" >"$root/etc/rxtab"
	rx 2 up
	has "is exported as $NQN, the table says ${NQN}2" "$stderr"
	rx down --dry-run
	is "[#] rxadm unexport rxd0
[#] rxadm detach rxd0" "$output"
	# A part of it is missing.
	echo "rxd0 disk size=1G,export=tcp:192.0.2.1,nqn=$NQN,host=$HOST" >"$root/etc/rxtab"
	rm "$root$T/ports/1/subsystems/$NQN"
	rx up --dry-run
	is "[#] rxadm export rxd0 --nqn $NQN --transport tcp --addr 192.0.2.1 --host $HOST" "$output"
	# Only what is missing is made.
	before=$(stat -c %y "$root$T/subsystems/$NQN"/{attr_serial,namespaces/1,namespaces/1/enable})
	rx up
	is "" "$stderr"
	is "$before" "$(stat -c %y "$root$T/subsystems/$NQN"/{attr_serial,namespaces/1,namespaces/1/enable})"
	rx list --exports -nr -o STATE
	is complete "$output"
	rm "$root$T/subsystems/$NQN/allowed_hosts/$HOST"
	rx up
	rx list --exports -nr -o STATE
	is complete "$output"
	# The table says nothing of it.
	echo "rxd0 disk size=1G" >"$root/etc/rxtab"
	rx up
	is "rxadm: up rxd0: is exported as $NQN, and the table does not say so; to end that: rxadm unexport rxd0" "$stderr"
	echo "rxd0 disk size=1G,export=tcp:192.0.2.1,nqn=$NQN,host=$HOST" >"$root/etc/rxtab"
	# It serves nobody, so it is made anew.
	echo 0 >"$root$T/subsystems/$NQN/namespaces/1/enable"
	rx up --dry-run
	is "[#] rxadm unexport rxd0
[#] rxadm export rxd0 --nqn $NQN --transport tcp --addr 192.0.2.1 --host $HOST" "$output"
}

@test "a record is not lost to another export" {
	ours
	echo 0 >"$root$T/subsystems/$NQN/namespaces/1/enable"
	rx 2 export rxd0 --any-host --nqn nqn.2024-01.com.example:other
	is "rxadm: export rxd0: is half exported as $NQN; run: rxadm unexport rxd0" "$stderr"
	rx 2 export rxd0 --any-host --nqn $NQN
	is "rxadm: export rxd0: is half exported as $NQN; run: rxadm unexport rxd0" "$stderr"
	[ -e "$root/run/rxadm/export-rxd0" ]
	# What is begun is removed before, which a dry run shows.
	sed -i s/made/making/ "$root/run/rxadm/export-rxd0"
	rx export rxd0 --any-host --nqn $NQN --dry-run
	has "rmdir $T/subsystems/$NQN" "$output"
}

@test "without a record nothing is begun" {
	mkdir "$root/run/rxadm/.export-rxd0.new"
	rx 2 export rxd0 --nqn $NQN --host $HOST
	is "rxadm: export rxd0: kernel: Is a directory, at: the record in /run/rxadm; it is undone, see: dmesg" "$stderr"
	is "" "$(find "$root$T" -mindepth 2)"
}

@test "an export ends also if its record can't be written" {
	mkdir "$root/run/rxadm/.export-rxd0.new"
	record making <<<"own-host $HOST
port 1 own tcp ipv4 192.0.2.1 4420"
	mkdir "$root$T/hosts/$HOST" "$root$T/ports/1" "$root$T/subsystems/$NQN"
	rx unexport rxd0
	is "" "$stderr"
	is "" "$(find "$root$T" -mindepth 2)"
	is "exports.lock" "$(ls "$root/run/rxadm" | xargs)"
}

@test "what others put into a port of ours does not keep the end" {
	record making <<<"port 1 own tcp ipv4 192.0.2.1 4420"
	mkdir -p "$root$T/ports/1/referrals/other"
	rx 2 unexport rxd1
	is "exports.lock" "$(ls "$root/run/rxadm")"
	[ -d "$root$T/ports/1/referrals/other" ]
}

@test "unexport of a name that another program has by now says so" {
	ours
	echo 1 >"$root$T/subsystems/$NQN/attr_serial"
	rx 2 unexport rxd0
	is "rxadm: unexport rxd0: $NQN belongs to another program by now, and stays; only the record of our export is removed" "$stderr"
	[ -d "$root$T/subsystems/$NQN" ]
	is "exports.lock" "$(ls "$root/run/rxadm")"
}

@test "a subsystem that another program made after a kill is not touched" {
	record making </dev/null
	subsystem $NQN /dev/sda
	rx 2 unexport rxd1
	[ -d "$root$T/subsystems/$NQN/namespaces/1" ]
	is 1 "$(cat "$root$T/subsystems/$NQN/namespaces/1/enable")"
	is "exports.lock" "$(ls "$root/run/rxadm")"
}

@test "an export that hangs in another process does not hold up the table" {
	record making </dev/null
	flock "$root/run/rxadm/exports.lock" sh -c "echo >$BATS_TEST_TMPDIR/has; exec sleep 8" 3>&- &
	until [ -e "$BATS_TEST_TMPDIR/has" ]; do :; done
	echo "rxd1 disk size=1G" >"$root/etc/rxtab"
	rx up
	[ -e "$root/run/rxadm/export-rxd0" ]
	is "" "$stderr"
	# A signal ends the wait of an export.
	run -124 timeout 1 "$RXADM" unexport rxd0
	wait
}

@test "exports that cannot be seen, because configfs is not mounted, are not gone" {
	ours
	mv "$root$T" "$root/away"
	for verb in "unexport rxd0" "list --exports" "list rxd0 --exports -j"; do
		rx 2 $verb
		has "configfs is not mounted; run: mount -t configfs none /sys/kernel/config" "$stderr"
		[[ $output != *rxd0* ]]
	done
	rmdir "$root/sys/kernel/config"
	rx 2 unexport rxd0
	has "/sys is not mounted, or this kernel has no configfs" "$stderr"
	rx 2 export rxd1 --any-host
	[ -e "$root/run/rxadm/export-rxd0" ]
	# Without the target there are none.
	rm -r "$root/sys/module/nvmet"
	rx unexport rxd0
	[ ! -e "$root/run/rxadm/export-rxd0" ]
}
