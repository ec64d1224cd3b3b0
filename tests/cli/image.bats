#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# save and restore of disks, whose node is a plain file here: the command line, refusals, damaged images, and what is left behind.

load helper

TERMINAL=$BATS_TEST_DIRNAME/terminal.py

SMALL="size=1048576 block-size=512 queues=2 read-only=no used=0 freeing=0 openers=0 major=259 minor=0 state=active"

setup() {
	sysroot
	cd "$BATS_TEST_TMPDIR" || return 1
	disk rxd0 "$SMALL"
	sys_disk rxd0 259:0
	node=$RXADM_SYSROOT/dev/rxd0
	python3 -c 'import random, sys; r = random.Random(1)
for n in range(256): sys.stdout.buffer.write(bytes(4096) if n % 3 else r.randbytes(4096) if n % 2 else b"rx" * 2048)' >"$node"
	cp "$node" original
}

# disk NAME ATTRIBUTES: what the kernel says of it.
disk() {
	replay <<-END
		>* rxdsk disk-get name=$1
		< name=$1 id=3 $2
		>* rxdsk disk-extents name=$1
		< id=3 extents=0,1048576
	END
}

unchanged() { cmp original "$node"; }

@test "the same bytes come back, and zeroes take no place" {
	rx save rxd0 image
	is "rxd0: 344K of 1M saved in image, $(numfmt --to=iec --round=nearest --format=%.1f "$(stat -c %s image)")" "$output"
	zstd -tq image
	is "" "$stderr"
	is 600 "$(stat -c %a image)"
	tr '\0' x <original >"$node"
	rx restore image rxd0
	has "rxd0: 344K of 1M restored, saved as rxd0 by " "$output"
	unchanged
}

@test "compressed, through pipes, and quietly" {
	rx save rxd0 plain -q
	rx save rxd0 packed --zstd -q
	rx save rxd0 small --zstd=19 -q
	is "" "$output$stderr"
	[ "$(stat -c %s plain)" -lt 200000 ]
	[ "$(stat -c %s small)" -lt "$(stat -c %s plain)" ]
	for image in plain packed small; do
		: >"$node" && truncate -s 1M "$node"
		"$RXADM" restore - rxd0 -q < <(cat "$image")
		unchanged
		: >"$node" && truncate -s 1M "$node"
		"$RXADM" restore - rxd0 -q <"$image"
		unchanged
	done
	"$RXADM" save rxd0 - | cat >piped
	rx restore piped rxd0 --dry-run --json
	is '{"dry_run":true,"requests":[]}' "$(jq -c 'del(.rxadm, .image)' <<<"$output")"
}

@test "JSON says whose memory it is, and what it takes" {
	rx save rxd0 image --zstd --json
	is "image rxd0 1048576 512 352256 0" "$(json '.image | "\(.file) \(.disk) \(.size) \(.block) \(.bytes) \(.frozen | length)"')"
	is "$(stat -c %s image)" "$(json .image.stored)"
	is "$(hostname)" "$(json .image.host)"
	is rxd0 "$(json '.disks[0].name')"
	saved=$(json '.image | del(.file)')
	rx restore - rxd0 --json <image
	is "$saved" "$(json '.image | del(.file)')"
	is null "$(json .image.file)"
}

@test "a dry run says whose memory an image has, once it is found to be whole" {
	rx save rxd0 image --zstd --json
	saved=$(json '.image | del(.file)')
	said="image: 344K of 1M, saved as rxd0 by $(hostname) at $(json .image.time)"
	tr '\0' x <original >"$node"
	cp "$node" original
	rx restore image rxd0 --dry-run
	is "$said" "$output"
	rx restore - rxd0 --dry-run <image
	is "${said/image:/-:}" "$output"
	rx restore image rxd0 --dry-run --json
	is "$saved image" "$(json '.image | del(.file)') $(json .image.file)"
	rx restore image rxd0 --dry-run --quiet
	is "" "$output"
	rx restore image --attach --dry-run
	is "$said
would attach a disk, size 1M, block size 512B" "$output"
	rx restore image --attach --dry-run --json
	is "$saved disk-new" "$(json '.image | del(.file)') $(json '.requests[0].request')"
	# Nothing is said of an image that is damaged, or does not fit.
	flip 1000
	rx 5 restore broken --attach --dry-run --json
	is "messages rxadm" "$(json 'keys | join(" ")')"
	disk rxd0 "$SMALL size=524288"
	rx 2 restore image rxd0 --dry-run
	is "" "$output"
	unchanged
}

@test "the boot is told by its random ID" {
	mkdir -p "$RXADM_SYSROOT/proc/sys/kernel/random"
	echo 01234567-89ab-cdef-0123-456789abcdef >"$RXADM_SYSROOT/proc/sys/kernel/random/boot_id"
	rx save rxd0 image --json
	is 01234567-89ab-cdef-0123-456789abcdef "$(json .image.boot_id)"
	is 0123456789abcdef0123456789abcdef "$(od -An -tx1 -j 40 -N 16 image | tr -d ' \n')"
}

@test "the command line" {
	rx 1 save rxd0
	is "rxadm: save: an image of a disk goes into one FILE; say: rxadm save rxd0 FILE" "$stderr"
	rx 1 save rxd0 a b
	rx 1 save rxd0 image --zstd=20
	is "rxadm: save: '20' is no level; say 1 to 19" "$stderr"
	rx 1 save rxd0 image --zstd=fast
	# The level is never the next word.
	rx 1 save rxd0 image --zstd 5
	rx 1 save rxd0 - --json
	has "can't both go to standard output" "$stderr"
	rx 1 restore
	rx 1 restore image
	is "rxadm: restore: into which disk? say: rxadm restore image rxdN, or --attach to make one" "$stderr"
	rx 1 restore image rxd0 --attach
	has "--attach makes a disk, and rxd0 is named too" "$stderr"
	rx 1 restore image rxc0
	rx 1 restore image rxd0 --name rxd1
	has "--name needs --attach too" "$stderr"
	rx 1 restore image --attach --name disk
	unchanged
}

@test "an image is nothing for a terminal" {
	in_terminal "expect:an image is nothing for a terminal" end:1 -- save rxd0 -
	in_terminal "expect:standard input is a terminal" end:1 -- restore - rxd0
}

@test "files that can't be written, or replaced" {
	rx 1 save rxd0 none/image
	is "rxadm: save rxd0: none/image: there is no directory none; make it first" "$stderr"
	rx 1 save rxd0 /dev/null
	has "is no regular file, and would be replaced by one" "$stderr"
	ln -s elsewhere link
	rx 1 save rxd0 link
	rx 1 save rxd0 dir/
	mkdir dir
	rx 1 save rxd0 dir
	[ ! -e elsewhere ]
	rx 1 restore none rxd0
	is "rxadm: restore none: No such file or directory" "$stderr"
	rx 1 restore dir rxd0
	has "is no regular file" "$stderr"
	mkfifo fifo
	rx 1 restore fifo rxd0
	has "is no regular file; say - and send it into standard input" "$stderr"
}

@test "what a save that was killed has left goes, and nothing else" {
	touch image.rxadm-save-abcdef image.rxadm-save-abcdefg image.rxadm-save- other.rxadm-save-abcdef
	ln -s original image.rxadm-save-linked
	exec 9<image.rxadm-save-abcdef
	flock 9
	rx save rxd0 image
	[ -e image.rxadm-save-abcdef ]
	exec 9<&-
	rx save rxd0 image
	is "rxadm: save rxd0: image.rxadm-save-abcdef removed, which a save that was killed had left" "$stderr"
	is "image image.rxadm-save- image.rxadm-save-abcdefg image.rxadm-save-linked" "$(echo image*)"
	[ -e other.rxadm-save-abcdef ]
}

@test "where files can't be locked, a save does without" {
	echo 'int flock(int fd, int how) { (void)fd; (void)how; extern int *__errno_location(void); *__errno_location() = 37; return -1; }' >noflock.c
	cc -shared -fPIC -o noflock.so noflock.c || skip "no compiler"
	LD_PRELOAD=$PWD/noflock.so rx save rxd0 image -q
	is "" "$stderr"
	rx restore image rxd0 -q
	unchanged
}

@test "a failure leaves the old file, and no other" {
	echo old >image
	truncate -s 4K "$node"
	rx 2 save rxd0 image
	is "rxadm: save rxd0: can't be read: Input/output error; what was written is removed again" "$stderr"
	is "old image" "$(cat image) $(echo image*)"
}

# made_and_removed BLOCK-SIZE: a disk is made for the image, and removed again.
made_and_removed() {
	replay <<-END
		> rxdsk disk-new size=1048576 block-size=$1
		< name=rxd5 $SMALL
		> rxdsk join
		>* rxdsk disk-get name=rxd5
		< name=rxd5 $SMALL
		> rxdsk disk-del name=rxd5
		@ rxdsk disk-del-ntf name=rxd5
	END
}

# broken WHAT [late]: the image BROKEN is refused with WHAT, and the disk stays. No new disk is made or, with "late", it is removed
# again: only what begins and ends the file is read before that.
broken() {
	local then="nothing was changed"
	rx 5 restore broken rxd0
	is "rxadm: restore broken: $1; $then" "$stderr"
	"$RXADM" restore - rxd0 2>/dev/null < <(cat broken) && return 1
	cp "$RXADM_REPLAY" before
	if [ $# = 2 ]; then
		then="the new disk is removed again"
		truncate -s 1M "$RXADM_SYSROOT/dev/rxd5"
		made_and_removed 512
	fi
	rx 5 restore broken --attach
	is "rxadm: restore broken: $1; $then" "$stderr"
	cp before "$RXADM_REPLAY"
	unchanged
}

flip() { python3 -c 'import sys; d = bytearray(open("image", "rb").read()); d[int(sys.argv[1])] ^= 1; open("broken", "wb").write(d)' "$1"; }

@test "an interrupt ends a save soon, also one that compresses hard" {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 id=3 ${SMALL/1048576/16777216}
		>* rxdsk disk-extents name=rxd0
		< id=3 extents=0,16777216
	END
	python3 -c 'import random, sys; sys.stdout.buffer.write(random.Random(1).randbytes(1 << 24).translate(b"rxdsk ab" * 32))' >"$node"
	rx 143 save rxd0 image --zstd=16 &
	save=$!
	until compgen -G "image.rxadm-save-*" >"$BATS_TEST_TMPDIR/new" && [ -s "$(cat "$BATS_TEST_TMPDIR/new")" ]; do kill -0 $save && sleep 0.01; done
	pkill -TERM -f "^$RXADM save rxd0 image --zstd=16"
	wait $save
	[ "$(echo image*)" = "image*" ]
}

@test "damaged images change nothing" {
	rx save rxd0 image
	size=$(stat -c %s image)
	flip 0 && broken "is no image of a disk"
	flip 16 && broken "has another version of the format; use the rxadm that made it, or a newer one"
	flip 26 && broken "is damaged: its header is not what was saved"
	flip 152 && broken "is damaged: its header has wrong fields"
	flip 256 && broken "is damaged: no frame of zstd is where it should be"
	flip $((size / 2)) && broken "is damaged: its checksum is wrong" late
	flip $((size - 17)) && broken "is damaged: its checksum is wrong" late
	flip $((size - 1)) && broken "is damaged: it does not end as it should"
	for cut in 0 7 287 1000 $((size - 1)); do
		head -c "$cut" image >broken
		broken "is cut short"
	done
	(cat image && echo) >broken
	broken "goes on behind its end"
	cp original broken
	broken "is no image of a disk"
}

@test "a disk that the image does not fit" {
	rx save rxd0 image
	disk rxd0 "$SMALL size=524288"
	rx 2 restore image rxd0
	is "rxadm: restore rxd0: is 512K, and the image is of a disk of 1M; run: rxadm resize rxd0 1M, or: rxadm restore image --attach" "$stderr"
	disk rxd0 "$SMALL block-size=4096"
	rx 2 restore image rxd0
	is "rxadm: restore rxd0: has blocks of 4K, and the image is of a disk with blocks of 512B; run: rxadm restore image --attach" "$stderr"
	disk rxd0 "$SMALL read-only=yes"
	rx 2 restore image rxd0
	is "rxadm: restore rxd0: is set read-only; if its content may be changed, run: blockdev --setrw /dev/rxd0" "$stderr"
	disk rxd0 "$SMALL state=preparing"
	rx 2 restore image rxd0
	rx 2 save rxd0 image
	is "rxadm: save rxd0: is still taking its memory; wait for the end, see: rxadm list" "$stderr"
	unchanged
}

@test "memory that is not there" {
	rx save rxd0 image
	has_no_memory() {
		cat >>"$BATS_TEST_TMPDIR/replay" <<-END
			>* rxdsk disk-new size=$1 prealloc=yes validate
			! ENOSPC less memory than that is available above min_free
		END
	}
	has_no_memory 352256
	rx 2 restore image rxd0
	is "rxadm: restore image: needs 344K of memory more than the disk has (kernel: less memory than that is available above min_free); nothing was changed, free memory, or lower min_free, see: rxdsk(4)" "$stderr"
	rx 2 restore image rxd0 --dry-run
	rx 2 restore image --attach
	unchanged
	disk rxd0 "$SMALL used=300000"
	has_no_memory 352256
	rx restore image rxd0
	disk rxd0 "$SMALL prealloc=yes"
	has_no_memory 352256
	rx restore image rxd0
}

@test "a disk that others use" {
	rx save rxd0 image
	sys_mount 259:0 /mnt/a
	rx 2 save rxd0 image
	is "rxadm: save rxd0: mounted on /mnt/a; add --freeze, or run: umount /mnt/a" "$stderr"
	rx 2 restore image rxd0
	is "rxadm: restore rxd0: mounted on /mnt/a; run: umount /mnt/a" "$stderr"
	: >"$RXADM_SYSROOT/proc/self/mountinfo"
	disk rxd0 "$SMALL holder=rxc0"
	for how in "save rxd0 image" "save rxd0 image --freeze" "restore image rxd0"; do
		# shellcheck disable=SC2086
		rx 2 $how
		has "rxd0: in use by rxc0; run: rxadm unmap rxc0" "$stderr"
	done
	disk rxd0 "$SMALL"
	mkdir "$RXADM_SYSROOT/sys/block/rxd0/holders/dm-0"
	for how in "save rxd0 image" "save rxd0 image --freeze" "restore image rxd0"; do
		# shellcheck disable=SC2086
		rx 2 $how
		has "rxd0: in use by dm-0" "$stderr"
	done
	unchanged
}

@test "--attach makes a disk of the image's size, and it goes when that fails" {
	disk rxd0 "$SMALL block-size=4096"
	rx save rxd0 image
	replay <<-END
		>* rxdsk disk-get name=rxd5
		! ENODEV
	END
	rx restore image --attach --name rxd5 --dry-run
	has "would attach rxd5, size 1M, block size 4K" "$output"
	truncate -s 1M "$RXADM_SYSROOT/dev/rxd5"
	replay <<-END
		> rxdsk disk-new size=1048576 block-size=4096
		< name=rxd5 $SMALL
		>* rxdsk disk-get name=rxd5
		< name=rxd5 $SMALL
	END
	rx restore image --attach
	has "rxd5: 344K of 1M restored" "$output"
	cmp original "$RXADM_SYSROOT/dev/rxd5"
	# A node that can't be opened for writing.
	rm "$RXADM_SYSROOT/dev/rxd5"
	mkdir "$RXADM_SYSROOT/dev/rxd5"
	made_and_removed 4096
	rx 2 restore image --attach
	has "Is a directory" "$stderr"
}

@test "no room for what comes from a pipe, or for the image" {
	rx save rxd0 image
	# The files of this process have no more than 64 KiB.
	run bash -c "trap '' XFSZ; ulimit -f 64; cat image | TMPDIR=$PWD '$RXADM' restore - rxd0"
	is 2 "$status"
	has "$PWD: File too large; an image from a pipe is kept there until it is restored, so set TMPDIR" "$output"
	unchanged
	before=$(sha256sum image)
	run bash -c "trap '' XFSZ; ulimit -f 64; '$RXADM' save rxd0 image"
	is 5 "$status"
	has "image: File too large; what was written is removed again, free space or say another FILE" "$output"
	is "$before image" "$(sha256sum image) $(echo image*)"
	run bash -c "TMPDIR=$PWD/none; export TMPDIR; cat image | '$RXADM' restore - rxd0"
	has "none: No such file or directory" "$output"
}

@test "a reader that goes away" {
	run bash -c "'$RXADM' save rxd0 - | true; echo \${PIPESTATUS[0]}"
	has "standard output: Broken pipe; the image is not whole" "$output"
}
