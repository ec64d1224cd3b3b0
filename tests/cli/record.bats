#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# record and play without a kernel: arguments, why there can be no record, and which lists are played.

load helper

setup() {
	sysroot
	sys_disk sdb 8:16
	mkdir -p "$RXADM_SYSROOT/var/lib" "$RXADM_SYSROOT/run" "$RXADM_SYSROOT/sys/class/block/sdb/device" \
		"$RXADM_SYSROOT/sys/kernel/security"
	echo "naa.5000c500a1b2c3d4" >"$RXADM_SYSROOT/sys/class/block/sdb/device/wwid"
	LIST=$BATS_TEST_TMPDIR/list
	T=$RXADM_SYSROOT/sys/kernel/tracing
}

# cache [ATTRIBUTES]: what the kernel says of rxc0.
cache() {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 ${*:-$ACTIVE}
	END
}

# list VERSION IDENTITY SIZE BYTE…: a file of these blocks, in blocks of 4K, with the right checksum.
list() {
	python3 - "$LIST" "$@" <<-'END'
		import struct, sys
		path, version, identity, size = sys.argv[1:5]
		blocks = bytes(int(b) for b in sys.argv[5:])
		body = struct.pack("<QQQII", int(size), 1, len(blocks), 4096, len(identity)) + identity.encode() + blocks
		data = b"RXWARM\r\n" + struct.pack("<IQ", int(version), len(body) + 28) + body
		crc = 2**64 - 1
		for b in data:
		    crc ^= b
		    for _ in range(8):
		        crc = crc >> 1 ^ (0xc96c5795d7870f42 if crc & 1 else 0)
		open(path, "wb").write(data + struct.pack("<Q", crc ^ (2**64 - 1)))
	END
}

@test "arguments of record and play" {
	replay </dev/null
	rx 1 record rxc0
	has "record: one more is missing; say: rxadm record rxcN FILE" "$stderr"
	rx 1 play rxc0 a b
	has "play: 'b' is one too many" "$stderr"
	rx 1 record rxd0 "$LIST"
	has "rxd0" "$stderr"
	for bad in 0s 30x never ''; do
		rx 1 record rxc0 "$LIST" --until "$bad"
		has "record: '$bad' is no end; say idle, or a time, for example 30s or 2m" "$stderr"
	done
	rx 1 play rxc0 "$LIST" --until idle
	has "play: no option '--until'" "$stderr"
}

@test "record finds out first whether it can write the file" {
	cache
	rx 1 record rxc0 "$BATS_TEST_TMPDIR/none/list"
	is "rxadm: record rxc0: $BATS_TEST_TMPDIR/none/list: No such file or directory" "$stderr"
	rx 1 record rxc0 "$BATS_TEST_TMPDIR"
	is "rxadm: record rxc0: $BATS_TEST_TMPDIR: is no regular file" "$stderr"
	ln -s elsewhere "$LIST"
	rx 1 record rxc0 "$LIST"
	has "is no regular file" "$stderr"
	rx 1 record rxc0 ''
	has "No such file or directory" "$stderr"
	rx 1 record rxc0 "$BATS_TEST_TMPDIR/no/"
	has "No such file or directory" "$stderr"
	rx 1 record rxc0 "$BATS_TEST_TMPDIR/$(printf '%0252d' 0)"
	has "File name too long" "$stderr"
}

@test "only root can record" {
	cache
	chmod 555 "$RXADM_SYSROOT/run"
	if [ "$(id -u)" = 0 ]; then
		printf '#!/bin/sh\nexec setpriv --bounding-set -all "%s" "$@"\n' "$RXADM" >"$BATS_TEST_TMPDIR/powerless"
		chmod +x "$BATS_TEST_TMPDIR/powerless"
		RXADM=$BATS_TEST_TMPDIR/powerless
	fi
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: only root can trace reads" "$stderr"
}

@test "record says why it can't trace" {
	cache
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: this kernel was built without tracing (CONFIG_EVENT_TRACING)" "$stderr"
	mkdir -p "$T"
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: /sys/kernel/tracing is not mounted; run: mount -t tracefs tracefs /sys/kernel/tracing" "$stderr"
	echo "none integrity [confidentiality]" >"$RXADM_SYSROOT/sys/kernel/security/lockdown"
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: the kernel is locked down (confidentiality), which forbids tracing" "$stderr"
	mkdir -p "$T/instances"
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: the module rxcache has no tracepoints here (CONFIG_EVENT_TRACING)" "$stderr"
	is "" "$(ls "$T/instances")"
	# An instance that can't be removed is in use.
	echo "[none] integrity confidentiality" >"$RXADM_SYSROOT/sys/kernel/security/lockdown"
	mkdir -p "$T/instances/rxadm-rxc0/used"
	rx 2 record rxc0 "$LIST"
	has "/sys/kernel/tracing/instances/rxadm-rxc0: " "$stderr"
	is "" "$output"
	is "" "$(find "$BATS_TEST_TMPDIR" -name "list*")"
}

@test "record needs an active cache, and --dry-run records nothing" {
	cache "$CACHE" state=draining origin=sdb
	rx 2 record rxc0 "$LIST"
	is "rxadm: record rxc0: is draining; see: rxadm list" "$stderr"
	cache
	rx record rxc0 "$LIST" --dry-run --until 30
	is "" "$output$stderr"
	[ ! -e "$LIST" ]
}

# refused_list TEXT
refused_list() {
	rx 5 play rxc0 "$LIST"
	is "rxadm: play rxc0: $LIST $1" "$stderr"
}

@test "play names what is wrong with a list" {
	cache
	refused_list "can't be read: No such file or directory"
	list 2 device/wwid=naa.5000c500ffffffff 8589934592 20
	refused_list "is of another origin"
	list 2 device/wwid=naa.5000c500a1b2c3d4 9589934592 20
	refused_list "is of an origin that was larger"
	list 2 device/wwid=naa.5000c500a1b2c3d4 8589934592 20 1
	refused_list "has a block twice"
	list 3 device/wwid=naa.5000c500a1b2c3d4 8589934592 20
	refused_list "is of another version of rxadm"
	list 2 device/wwid=naa.5000c500a1b2c3d4 8589934592 20
	truncate -s 30 "$LIST"
	refused_list "is cut short"
}

@test "play refuses a list that is longer than one of the whole origin" {
	cache "${ACTIVE/8589934592/65536}"
	list 2 device/wwid=naa.5000c500a1b2c3d4 65536 20
	truncate -s 1G "$LIST"
	printf '\0\0\0\100' | dd of="$LIST" bs=1 seek=12 conv=notrunc status=none
	refused_list "is longer than a list of the whole origin"
}

@test "play opens only regular files" {
	cache
	mkfifo "$LIST"
	refused_list "is no regular file"
	rm "$LIST"
	ln -s /dev/null "$LIST"
	refused_list "is no regular file"
	rm "$LIST"
	mkdir "$LIST"
	refused_list "is no regular file"
}

@test "play of both kinds of lists, and into a cache that keeps nothing" {
	cache
	list 2 device/wwid=naa.5000c500a1b2c3d4 8589934592 20 3
	rx play rxc0 "$LIST" --dry-run
	# There is no such device here, so it gets no further.
	rx 2 play rxc0 "$LIST"
	has "rxadm: play rxc0: /dev/rxc0: " "$stderr"
	list 1 device/wwid=naa.5000c500a1b2c3d4 8589934592 20 3
	rx 2 play rxc0 "$LIST"
	has "rxadm: play rxc0: /dev/rxc0: " "$stderr"
	cache "$ACTIVE" frozen=yes
	rx 2 play rxc0 "$LIST"
	is "rxadm: play rxc0: is frozen, and keeps nothing new; run: rxadm set rxc0 --freeze no" "$stderr"
	cache "${ACTIVE/write-through/bypass}"
	rx 2 play rxc0 "$LIST"
	is "rxadm: play rxc0: is in bypass mode, which keeps nothing; run: rxadm set rxc0 --mode through" "$stderr"
}

@test "load leaves an ordered list to play" {
	cache
	rx 5 load rxc0
	file=$(sed -n 's/.*(\(.*\)).*/\1/p' <<<"$stderr")
	mkdir -p "$RXADM_SYSROOT${file%/*}"
	list 2 device/wwid=naa.5000c500a1b2c3d4 8589934592 20 3
	cp "$LIST" "$RXADM_SYSROOT$file"
	rx 5 load rxc0
	is "rxadm: load rxc0: starts cold: $file has the reads of a start in their order; for that there is: rxadm play" "$stderr"
}

@test "completion of record" {
	cache
	rx __words record rxc0 x --until
	is "idle" "$output"
}
