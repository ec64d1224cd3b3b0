#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Disks of /etc/rxtab with an image. What must never happen: a good image that a disk without its content is saved over, and a disk that
# is used without its image.

load helper

setup() {
	sysroot
	mkdir -p "$RXADM_SYSROOT/etc" "$RXADM_SYSROOT/run"
	D=$(realpath "$BATS_TEST_TMPDIR")/images
	IMAGE=$D/rxd0.img
	mkdir -m 700 "$D"
	tab <<<"rxd0 disk size=1M,image=$IMAGE"
}

tab() { cat >"$RXADM_SYSROOT/etc/rxtab"; }

# The disk is there, as the only one since the last boot, or as another one of this name.
sized() {
	[ -e "$RXADM_SYSROOT/sys/class/block/rxd0" ] || sys_disk rxd0 259:0
	truncate -s "$1" "$RXADM_SYSROOT/dev/rxd0"
	echo "${2:-7}" >"$RXADM_SYSROOT/sys/class/block/rxd0/diskseq"
}

IS="name=rxd0 ${DISK/1073741824/1048576}"
USED=${IS/used=0/used=4096}
LARGE=${IS/1048576/2097152}

# Its image is one of a disk with this text.
image_of() {
	sized "${2:-1M}"
	printf '%s' "$1" | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
	there "${3:-$IS}"
	rx save rxd0 "$IMAGE"
	truncate -s 0 "$RXADM_SYSROOT/dev/rxd0"
	truncate -s 1M "$RXADM_SYSROOT/dev/rxd0"
}

# What the kernel says of the parts of the disk that have memory.
parts() { printf '%s\n' ">* rxdsk disk-extents name=rxd0" "< extents=0,4096"; }

# there STATE: the disk is there.
there() {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< $1
		$(parts)
	END
}

text_of_disk() { head -c "${1:-5}" "$RXADM_SYSROOT/dev/rxd0" | tr -d '\0'; }
awaited() { [ -e "$RXADM_SYSROOT/run/rxadm/restore-rxd0" ]; }
marked() { [ -e "$RXADM_SYSROOT/run/rxadm/image-rxd0" ]; }

@test "up without an image says so, and the disk may be saved" {
	sized 1M
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxdsk disk-new name=rxd0 size=1048576
		< $IS
	END
	rx up
	is "[#] rxadm attach 1M --name rxd0" "$output"
	is "rxadm: up rxd0: no image yet in $IMAGE, the disk is empty" "$stderr"
	marked
	! awaited
}

@test "up --dry-run, and --json" {
	image_of hello
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
	END
	rx up --dry-run
	is "[#] rxadm attach 1M --name rxd0 --awaits-image
[#] rxadm restore $IMAGE rxd0" "$output"
	! marked
	! awaited
	rx up --dry-run --json
	is "would-make 2" "$(json '"\(.lines[0].result) \(.lines[0].steps | length)"')"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
		>* rxdsk disk-new name=rxd0 size=1048576
		! ENOMEM 512K are available
	END
	rx 2 up --json
	is "failed 1 attach 1M kernel: 512K are available; ask for less or free memory, see: rxadm list" "$(json '"\(.lines[0].result) \(.lines[0].steps | length) \(.messages[0] | "\(.verb) \(.object) \(.text)")"')"
	# It could not be made, so it awaits nothing.
	! awaited
}

@test "attach --awaits-image keeps a disk from systemd until it is restored" {
	image_of hello
	replay <<-END
		> rxdsk disk-new name=rxd0 size=1048576
		< $IS
	END
	rx attach 1M --name rxd0 --awaits-image
	awaited
	! marked
	there "$IS"
	rx restore "$IMAGE" rxd0
	is hello "$(text_of_disk)"
	! awaited
	marked
	rx 1 attach 1M --awaits-image
}

@test "a part of the image, or what else is there meanwhile, is lost only for a whole image" {
	image_of hello
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	: >"$RXADM_SYSROOT/run/rxadm/restore-rxd0"
	cd "$BATS_TEST_TMPDIR"
	printf 'part' | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
	printf X | dd of="$IMAGE" bs=1 seek=$(($(stat -c %s "$IMAGE") - 3)) conv=notrunc status=none
	there "$USED"
	rx 5 up
	has "is damaged: " "$stderr"
	has "; nothing was changed" "$stderr"
	is part "$(text_of_disk)"
	awaited
	# Whoever restores it by hand does not wait for the image any more.
	cp "$IMAGE" broken
	rm "$IMAGE"
	image_of hello
	there "$USED"
	rx restore "$IMAGE" rxd0
	! awaited
	rx 5 restore broken rxd0
	is hello "$(text_of_disk)"
}

@test "a restore that was stopped is done again, and the disk is not saved meanwhile" {
	image_of hello
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	: >"$RXADM_SYSROOT/run/rxadm/restore-rxd0"
	there "$USED"
	rx 2 down --dry-run
	has "does not have the content of its image" "$stderr"
	rx up
	is "[#] rxadm restore $IMAGE rxd0" "$output"
	is hello "$(text_of_disk)"
	! awaited
	marked
	: >"$RXADM_SYSROOT/run/rxadm/restore-rxd0"
	rm "$IMAGE"
	rx 2 up
	has "was to have the image $IMAGE, which is not there any more; the disk may have a part of it; put the image back and run: rxadm up rxd0; or to begin with an empty disk: rxadm down rxd0 --no-save, then: rxadm up rxd0" "$stderr"
}

@test "a disk that is attached by hand is not the one that a killed up would have made" {
	image_of hello
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	: >"$RXADM_SYSROOT/run/rxadm/restore-rxd0"
	replay <<-END
		> rxdsk disk-new name=rxd0 size=1048576
		< $IS
	END
	rx attach 1M --name rxd0
	! awaited
	there "$USED"
	rx 2 up
	has "holds data that did not come from its image" "$stderr"
}

@test "a disk that is there: an empty one gets the image, one with other data stays, one without an image may be saved" {
	image_of hello
	there "$USED"
	rx 2 up
	is "" "$output"
	is "rxadm: up rxd0: holds data that did not come from its image $IMAGE, so neither is replaced; to keep the data: mv $IMAGE $IMAGE.old, then: rxadm up rxd0; to have the image: rxadm detach rxd0, then: rxadm up rxd0" "$stderr"
	! marked
	there "$IS"
	rx up
	is "[#] rxadm restore $IMAGE rxd0" "$output"
	marked
	# Another disk of the same name: what was noted does not hold for it.
	sized 1M 8
	there "$USED"
	rx 2 up
	has "holds data that did not come from its image" "$stderr"
	rx 2 down
	mv "$IMAGE" "$IMAGE.old"
	rx up
	is "" "$output$stderr"
	marked
}

@test "a disk whose restore by hand was killed, or failed, is not saved over its image" {
	image_of hello
	there "$IS"
	rx up
	marked
	sum=$(sha256sum "$IMAGE")
	rx restore "$IMAGE" rxd0
	marked
	# No file of the process may be longer than 1 KiB, and the first piece is.
	for how in : "trap '' XFSZ"; do
		there "$USED"
		run bash -c "$how; ulimit -c 0 -f 1; exec '$RXADM' restore '$IMAGE' rxd0"
		[ "$status" != 0 ]
		! marked
		rx 2 down
		has "does not have the content of its image $IMAGE, so it is not saved over that" "$stderr"
		is "$sum" "$(sha256sum "$IMAGE")"
		there "$IS"
		rx up
		marked
	done
}

@test "a place that is not there is no missing image" {
	sized 1M
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
	END
	tab <<<"rxd0 disk size=1M,image=$D/none/a"
	rx 2 up
	is "" "$output"
	is "rxadm: up rxd0: the directory $D/none of its image is missing; run: mkdir -p -m 700 $D/none, then: rxadm up rxd0" "$stderr"
	tab <<<"rxd0 disk size=1M,image=$IMAGE"
	echo "UUID=1 $D ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	echo "/dev/sda1 / ext4 rw 0 0" >"$RXADM_SYSROOT/proc/self/mounts"
	rx 2 up
	is "rxadm: up rxd0: $D is not mounted, and its image $IMAGE lies there; run: mount $D, then: rxadm up rxd0" "$stderr"
	there "$USED"
	rx 2 down
	has "$D is not mounted, and its image $IMAGE lies there; run: mount $D, then: rxadm down rxd0" "$stderr"
	echo "/dev/sda2 $D ext4 rw 0 0" >>"$RXADM_SYSROOT/proc/self/mounts"
	rx down --dry-run
	echo "UUID=1 $D/ ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
	rx down --dry-run
}

@test "down saves, and then detaches; --no-save does not" {
	sized 1M
	printf new | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
	there "$USED"
	rx down --dry-run
	is "[#] rxadm save rxd0 $IMAGE --freeze
[#] rxadm detach rxd0" "$output"
	[ ! -e "$IMAGE" ]
	goes() {
		there "$USED"
		printf '%s\n' ">* rxdsk join" ">* rxdsk disk-del name=rxd0" "@ rxdsk disk-del-ntf name=rxd0" >>"$RXADM_REPLAY"
	}
	goes
	rx down --no-save
	is "[#] rxadm detach rxd0" "$output"
	[ ! -e "$IMAGE" ]
	goes
	rx down
	is "[#] rxadm save rxd0 $IMAGE --freeze
[#] rxadm detach rxd0" "$output"
	is "" "$stderr"
	is 600 "$(stat -c %a "$IMAGE")"
	! marked
	there "$IS"
	rx up
	is new "$(text_of_disk)"
}

@test "a disk that can't be saved is not detached" {
	sized 1M
	there "$USED"
	rx up
	mv "$RXADM_SYSROOT/dev/rxd0" "$BATS_TEST_TMPDIR/gone"
	rx 2 down
	is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	has "rxadm: down rxd0: could not be saved to its image $IMAGE, see above; put that right, then: rxadm down rxd0; or to lose what is on the disk: rxadm down rxd0 --no-save" "$stderr"
	mv "$BATS_TEST_TMPDIR/gone" "$RXADM_SYSROOT/dev/rxd0"
	# The disk came from the image of the line as it was.
	marked
	image_of other
	there "$USED"
	tab <<<"rxd0 disk sice=1M,image=$D/b"
	rx 2 down rxd0
	has "its line has an error, so it is not saved to its image; correct line 1, or to lose what is on the disk: rxadm down rxd0 --no-save" "$stderr"
}

@test "an image fits a larger disk, whose rest is empty then" {
	image_of hello
	sized 2M
	printf rest | dd of="$RXADM_SYSROOT/dev/rxd0" bs=1M seek=1 conv=notrunc status=none
	there "${LARGE/used=0/used=4096}"
	rx restore "$IMAGE" rxd0
	is hello "$(text_of_disk)"
	is "" "$(tail -c 1M "$RXADM_SYSROOT/dev/rxd0" | tr -d '\0')"
}

HOST=nqn.2014-08.org.nvmexpress:uuid:11111111-1111-4111-8111-111111111111
NQN=nqn.2024-01.com.example:store
T=/sys/kernel/config/nvmet

# target [exported]: the kernel has its NVMe target, and there the disk is exported as the line says.
target() {
	local root=$RXADM_SYSROOT dir=$RXADM_SYSROOT$T/subsystems/$NQN
	mkdir -p "$root$T"/{subsystems,ports,hosts} "$root"/sys/module/{nvmet,nvmet_tcp} "$root/run/rxadm"
	[ $# = 1 ] || return 0
	mkdir -p "$dir"/{allowed_hosts,namespaces/1} "$root$T/hosts/$HOST" "$root$T/ports/1/subsystems"
	echo /dev/rxd0 >"$dir/namespaces/1/device_path"
	echo 1 >"$dir/namespaces/1/enable"
	echo 0 >"$dir/attr_allow_any_host"
	echo b0eb46709ee25c44ba9e >"$dir/attr_serial"
	ln -s "$root$T/hosts/$HOST" "$dir/allowed_hosts/$HOST"
	for attr in trtype=tcp adrfam=ipv4 traddr=192.0.2.1 trsvcid=4420; do echo "${attr#*=}" >"$root$T/ports/1/addr_${attr%=*}"; done
	ln -s "$dir" "$root$T/ports/1/subsystems/$NQN"
	printf '%s\n' "stage made" "nqn $NQN" "any-host no" "host $HOST" "port 1 own tcp ipv4 192.0.2.1 4420" >"$root/run/rxadm/export-rxd0"
}

exported() { tab <<<"rxd0 disk size=$1,image=$IMAGE,export=tcp:192.0.2.1,nqn=$NQN,host=$HOST"; }

@test "a disk with image and export is restored before it is exported, and unexported before it is saved" {
	image_of hello
	target
	exported 1M
	replay <<-END
		>* rxdsk disk-get name=rxd0
		! ENODEV no
	END
	rx up --dry-run
	is "[#] rxadm attach 1M --name rxd0 --awaits-image
[#] rxadm restore $IMAGE rxd0
[#] rxadm export rxd0 --nqn $NQN --transport tcp --addr 192.0.2.1 --host $HOST" "$output"
	rm "$IMAGE"
	there "$USED"
	rx up --no-export
	marked
	target exported
	rx up
	is "" "$output$stderr"
	rx down --dry-run
	is "[#] rxadm unexport rxd0
[#] rxadm save rxd0 $IMAGE --freeze
[#] rxadm detach rxd0" "$output"
	is "" "$stderr"
}

@test "a disk that grows while it is exported is saved by the next down" {
	sized 1M
	there "$USED"
	rx up
	marked
	target exported
	exported 2M
	there "$USED"
	printf '%s\n' ">* rxdsk disk-resize name=rxd0 size=2097152" "< $LARGE" >>"$RXADM_REPLAY"
	rx up
	is "[#] rxadm resize rxd0 2M" "$output"
	is "rxadm: up rxd0: is exported, so it is not saved to its image $IMAGE now, but by the next down, after the end of its export" "$stderr"
	marked
	there "$LARGE"
	rx down --dry-run
	is "[#] rxadm unexport rxd0
[#] rxadm save rxd0 $IMAGE --freeze
[#] rxadm detach rxd0" "$output"
}

# What is at its place by now is not what the disk came from.
kept() {
	sum=$(sha256sum "$IMAGE")
	there "$USED"
	rx 2 "$@" rxd0
	has "does not have the content of its image $IMAGE, so it is not saved over that; to keep what is on the disk: mv $IMAGE $IMAGE.old" "$stderr"
	is "$sum" "$(sha256sum "$IMAGE")"
}

@test "an image that has come to its place meanwhile is not lost" {
	# Its file system is mounted after up, by something that is not in fstab.
	cd "$BATS_TEST_TMPDIR"
	image_of better 1M "$USED"
	mv "$IMAGE" better
	image_of good
	mv "$IMAGE" good
	there "$IS"
	rx up
	marked
	cp good "$IMAGE"
	kept down
	kept __image
	# What is empty gets it.
	there "$IS"
	rx up
	is good "$(text_of_disk)"
	is "[#] rxadm restore $IMAGE rxd0" "$output"
	# Another one is put in its place, in the same file and as another.
	cat better >"$IMAGE"
	kept down
	mv better "$IMAGE"
	kept __image
	# It may be absent.
	mv "$IMAGE" better
	there "$USED"
	rx __image rxd0
	mv better "$IMAGE"
	kept down
}

@test "an image that comes to its place during a save stays" {
	image_of good
	mv "$IMAGE" "$BATS_TEST_TMPDIR/good"
	sized 64M
	head -c 64M /dev/urandom >"$RXADM_SYSROOT/dev/rxd0"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< ${IS/size=1048576/size=67108864}
		>* rxdsk disk-extents name=rxd0
		< extents=0,67108864
	END
	# On a busy host it may have ended before it is stopped.
	stopped() {
		rm -f "$IMAGE"
		"$RXADM" save rxd0 "$IMAGE" 2>"$BATS_TEST_TMPDIR/said" &
		until new=$(compgen -G "$IMAGE.rxadm-save-*") || ! kill -0 $! 2>/dev/null; do :; done
		kill -STOP $! 2>/dev/null || return 1
		[ -e "$new" ] || { kill -KILL $!; return 1; }
	}
	until stopped; do :; done
	mv "$BATS_TEST_TMPDIR/good" "$IMAGE"
	sum=$(sha256sum "$IMAGE")
	kill -CONT $!
	rc=0
	wait $! || rc=$?
	is 2 $rc
	has "save rxd0: $IMAGE has changed since the save began, so it stays; what was written is removed again; save again, or say another FILE" "$(cat "$BATS_TEST_TMPDIR/said")"
	is "$sum" "$(sha256sum "$IMAGE")"
	is rxd0.img "$(ls "$D")"
}

@test "an image is that of its disk after each save, also by hand, and by one that was killed" {
	sized 1M
	there "$USED"
	rx up
	for n in 1 2; do
		rx __image rxd0
		is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	done
	cd "$D"
	rx save rxd0 ./rxd0.img
	rx __image rxd0
	# A save elsewhere does not make another image its own.
	rx save rxd0 elsewhere
	rx __image rxd0
	rx save rxd0 elsewhere
	mv elsewhere rxd0.img
	rx __image rxd0
	cp rxd0.img elsewhere
	cp elsewhere rxd0.img
	touch rxd0.img
	rx __image rxd0
	# The mark can't be written: neither is the image.
	sum=$(sha256sum rxd0.img)
	mv "$RXADM_SYSROOT/run/rxadm/image-rxd0" mark
	mkdir "$RXADM_SYSROOT/run/rxadm/image-rxd0"
	rx 2 __image rxd0
	rmdir "$RXADM_SYSROOT/run/rxadm/image-rxd0"
	mv mark "$RXADM_SYSROOT/run/rxadm/image-rxd0"
	is "$sum" "$(sha256sum rxd0.img)"
	rx __image rxd0
}

@test "the file system of an image goes and comes back" {
	image_of other
	mv "$IMAGE" "$BATS_TEST_TMPDIR/other"
	image_of good
	there "$IS"
	rx up
	there "$USED"
	rx __image rxd0
	cd "$BATS_TEST_TMPDIR"
	mv "$D" away
	mkdir "$D"
	rx up
	for n in 1 2 3; do
		printf $n | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
		rx __image rxd0
		is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	done
	mv "$D" below
	mv away "$D"
	for n in 1 2; do
		printf a$n | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
		rx __image rxd0
		is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	done
	mv other "$IMAGE"
	kept down
}

@test "a restore by hand is from the image of the table, however it is spelled" {
	image_of good
	there "$IS"
	rx up
	image_of other
	cd "$D"
	for image in rxd0.img ./rxd0.img "$D/../images/rxd0.img" -; do
		rx restore "$image" rxd0 <rxd0.img
		rx __image rxd0
		is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	done
	# From another one, it is saved as before.
	cp rxd0.img elsewhere
	printf more | dd of="$RXADM_SYSROOT/dev/rxd0" conv=notrunc status=none
	rx restore elsewhere rxd0
	rx __image rxd0
	is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
}

@test "the timer saves what down would save, and nothing else" {
	sized 1M
	there "$USED"
	rx up
	rx __image rxd0
	is "[#] rxadm save rxd0 $IMAGE --freeze" "$output"
	is "" "$stderr"
	sized 1M 8
	sum=$(sha256sum "$IMAGE")
	rx 2 __image rxd0
	has "rxadm: save rxd0: does not have the content of its image $IMAGE" "$stderr"
	is "$sum" "$(sha256sum "$IMAGE")"
	replay <<-END
		> rxdsk disk-get name=rxd0
		! ENODEV no
	END
	rx __image rxd0
	is "" "$output$stderr"
	replay </dev/null
	rx 1 __image rxd1
	has "rxadm: save rxd1: has no good line with an image; see: rxadm check-tab" "$stderr"
	rx 1 __image
}

# check STATUS: what check-tab says, without the lines' beginning.
check() {
	rx "$1" check-tab
	sed 's/^[^ ]*:[0-9]*: //' <<<"$stderr"
}

@test "check-tab: the place of the image" {
	sys_disk rxd0 259:0 rxd0p1 259:1
	sys_disk sdb 8:16
	is "" "$(check 0)"
	tab <<<"rxd0 disk size=1M,image=$D/none/a"
	is "warning: image '$D/none/a': the directory $D/none is not there now (mkdir -p -m 700 $D/none, or mount it)" "$(check 0)"
	tab <<<"rxd0 disk size=1M,image=$IMAGE"
	chmod 1777 "$D"
	is "warning: image '$IMAGE': every user may write to $D, and so replace the image (chmod o-w $D)" "$(check 0)"
	chmod 700 "$D"
	if [ "$(id -u)" = 0 ]; then
		chown 4711 "$D"
		is "warning: image '$IMAGE': $D belongs to user 4711, who may replace the image (chown root $D)" "$(check 0)"
		chown 0 "$D"
	fi
	mkdir "$IMAGE"
	is "image '$IMAGE' is no regular file (the path of a file)" "$(check 1)"
	rmdir "$IMAGE"
	ln -s elsewhere "$IMAGE"
	is "image '$IMAGE' is a symbolic link, over which no image is saved (the path that it leads to)" "$(check 1)"
	: >"$D/elsewhere"
	has "is a symbolic link" "$(check 1)"
	rm "$IMAGE"
	ln -s images "$D/../link"
	tab <<<"rxd0 disk size=1M,image=${D%/images}/link/a"
	is "image '${D%/images}/link/a': ${D%/images}/link leads to $D (that path)" "$(check 1)"
}

@test "check-tab: an image that lies on its own disk, now or by fstab" {
	sys_disk rxd0 259:0 rxd0p1 259:1
	: >"$RXADM_SYSROOT/dev/rxd0p1"
	sys_mount 259:1 "$D"
	is "image '$IMAGE' lies on the disk itself, which is mounted on $D (a path on another file system)" "$(check 1)"
	: >"$RXADM_SYSROOT/proc/self/mountinfo"
	is "" "$(check 0)"
	mkdir -p "$RXADM_SYSROOT/dev/disk/by-uuid"
	ln -s ../../rxd0p1 "$RXADM_SYSROOT/dev/disk/by-uuid/abc"
	for device in /dev/rxd0 /dev/rxd0p1 /dev/disk/by-id/rx-rxd0 UUID=abc; do
		echo "$device ${D%/images}/ ext4 defaults 0 2" >"$RXADM_SYSROOT/etc/fstab"
		has "lies on the disk itself, which is mounted on ${D%/images}" "$(check 1)"
	done
	printf '%s\n' "/dev/rxd0 ${D%/images}/imag ext4 defaults 0 2" "/dev/rxd1 $D ext4 defaults 0 2" "/dev/rxd0 none swap sw 0 0" >"$RXADM_SYSROOT/etc/fstab"
	[[ $(check 0) != *itself* ]]
}

@test "check-tab: an image in memory" {
	sys_disk rxd0 259:0
	printf '%s\n' "/dev/sda1 / ext4 rw 0 0" "tmpfs ${D%/images} tmpfs rw 0 0" "tmpfs $D.x tmpfs rw 0 0" >"$RXADM_SYSROOT/proc/self/mounts"
	is "warning: image '$IMAGE' lies on ${D%/images}, which is in memory and empty after a boot (a path on a disk)" "$(check 0)"
	echo "/dev/sdb1 $D ext4 rw 0 0" >>"$RXADM_SYSROOT/proc/self/mounts"
	is "" "$(check 0)"
}

@test "check-tab: an image behind the network" {
	sys_disk rxd0 259:0
	echo "server:/x $D nfs defaults 0 0" >"$RXADM_SYSROOT/etc/fstab"
	is "warning: image '$IMAGE' lies on $D, which needs the network (add the option _netdev)" "$(check 0)"
	tab <<<"rxd0 disk size=1M,image=$IMAGE,_netdev"
	is "" "$(check 0)"
}

@test "a disk on which another up works is waited for, and its note of the restore stays" {
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	: >"$RXADM_SYSROOT/run/rxadm/restore-rxd0"
	: >"$IMAGE"
	replay <<<"> nothing is asked"
	exec 8>"$RXADM_SYSROOT/run/rxadm/tab-rxd0.lock"
	flock 8
	for verb in up down; do
		"$RXADM" $verb rxd0 2>"$BATS_TEST_TMPDIR/err" 3>&- 8>&- &
		for _ in {1..200}; do
			! grep -q "$verb rxd0: waits for another rxadm that works on it" "$BATS_TEST_TMPDIR/err" || break
			sleep 0.05
		done
		kill -TERM $!
		rc=0; wait $! || rc=$?; is 143 $rc
		has "interrupted; 0 of 1 done" "$(cat "$BATS_TEST_TMPDIR/err")"
		[ -e "$RXADM_SYSROOT/run/rxadm/restore-rxd0" ]
	done
	exec 8>&-
}

@test "what other users may read in /run they can, whatever the umask of root is" {
	mode() { stat -c %a "$RXADM_SYSROOT/run/rxadm"; }
	umask 077
	there ""
	rx 2 up
	is 755 "$(mode)"
	# An older rxadm has made it.
	chmod 700 "$RXADM_SYSROOT/run/rxadm"
	rx 2 up
	is 755 "$(mode)"
}
