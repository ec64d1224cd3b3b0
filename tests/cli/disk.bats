#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# attach, detach, resize and erase.

load helper

@test "attach prints the new name and nothing else" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	rx attach 1G
	is "rxd0" "$output"
	is "" "$stderr"
}

@test "attach passes every option" {
	replay <<-END
		> rxdsk disk-new name=rxd7 size=1073741824 block-size=4096 queues=3
		< name=rxd7 $DISK
	END
	rx attach 1024M --name rxd7 --block 4K --queues 3
	is "rxd7" "$output"
}

@test "attach with a queue mode, which the list and JSON show" {
	replay <<-END
		> rxdsk disk-new size=1073741824 queue-mode=bio
		< name=rxd0 size=1073741824 block-size=512 read-only=no queue-mode=bio major=259 minor=0
	END
	rx attach 1G --queue-mode bio --json
	is "bio null" "$(json '.disks[0] | "\(.queue_mode) \(.queues)"')"
	replay <<-END
		> rxdsk disk-new size=1073741824 queue-mode=mq
		< name=rxd0 $DISK
	END
	rx attach 1G --queue-mode mq
	is rxd0 "$output"
}

@test "attach --prealloc waits until the disk has its memory" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-new-ntf name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-change-ntf name=rxd1 $DISK state=active prealloc=yes
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active used=1073741824 prealloc=yes
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active used=1073741824 prealloc=yes
	END
	rx attach 1G --prealloc --json
	is "rxd0 active true null 1073741824" "$(json '.disks[0] | "\(.name) \(.state) \(.prealloc) \(.error) \(.used)"')"
	is "" "$stderr"
}

@test "attach --prealloc: refused at once, and on the way" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		! ENOSPC less memory than that is available above min_free
	END
	rx 2 attach 1G --prealloc
	is "rxadm: attach 1G: kernel: less memory than that is available above min_free; ask for less, free memory, or lower min_free as far as the watermarks allow; see: rxdsk(4)" "$stderr"
	replay <<-END
		> rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-new-ntf name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-del-ntf name=rxd0 $DISK state=detaching prealloc=yes error=28
	END
	rx 2 attach 1G --prealloc
	is "" "$output"
	is "rxadm: attach 1G: kernel: the memory ran out, or min_free was reached, on the way; ask for less, free memory, or lower min_free as far as the watermarks allow; see: rxdsk(4)" "$stderr"
	replay <<-END
		> rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-new-ntf name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-del-ntf name=rxd0 $DISK state=detaching prealloc=yes
	END
	rx 2 attach 1G --prealloc
	is "rxadm: attach 1G: rxd0 is gone, and no reason has arrived; did somebody detach it?" "$stderr"
}

@test "attach --prealloc is not misled by the end of an earlier disk of that name" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-del-ntf name=rxd0 $DISK state=detaching prealloc=yes
		@ rxdsk disk-new-ntf name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active used=1073741824 prealloc=yes
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active used=1073741824 prealloc=yes
	END
	rx attach 1G --prealloc
	is rxd0 "$output"
	is "" "$stderr"
}

@test "attach --numa: a node, all in turn, and neither" {
	replay <<-END
		> rxdsk disk-new size=1073741824 node=1
		< name=rxd0 $DISK node=1 interleave=no used-nodes=0,4096
	END
	rx attach 1G --numa 1 --json
	is "1 false [0,4096]" "$(json '.disks[0] | "\(.node) \(.interleave) \(.used_nodes)"')"
	replay <<-END
		> rxdsk disk-new size=1073741824 interleave=yes
		< name=rxd0 $DISK interleave=yes
	END
	rx attach 1G --numa interleave --json
	is "null true null" "$(json '.disks[0] | "\(.node) \(.interleave) \(.used_nodes)"')"
	replay </dev/null
	rx 1 attach 1G --numa all
	has "invalid numa: 'all' (the number of a node, or interleave)" "$stderr"
	rx 1 attach 1G --numa 12345
	replay <<-END
		> rxdsk disk-new size=1073741824 node=7
		! EINVAL there is no such NUMA node, or it has no memory for disks
	END
	rx 2 attach 1G --numa 7
	has "kernel: there is no such NUMA node" "$stderr"
}

@test "attach and set --limit: shown, and refused for caches" {
	replay <<-END
		> rxdsk disk-new size=1073741824 limit=8388608
		< name=rxd0 $DISK limit=8388608
	END
	rx attach 1G --limit 8M --json
	is 8388608 "$(json '.disks[0].limit')"
	replay <<-END
		> rxdsk disk-set name=rxd0 limit=0
		< name=rxd0 $DISK limit=0
	END
	rx set rxd0 --limit 0B --json
	is 0 "$(json '.disks[0].limit')"
	replay <<-END
		> rxdsk disk-set name=rxd0 limit=4096
		! EINVAL a preallocated disk has all of its memory, so it has no limit
	END
	rx 2 set rxd0 --limit 4K
	has "kernel: a preallocated disk has all of its memory" "$stderr"
	replay </dev/null
	rx 1 set rxd0 --limit 4M --mode around
	is "rxadm: set rxd0: --mode is for caches; of a disk only --limit can be set" "$stderr"
	rx 1 set rxc0 --limit 4M
	is "rxadm: set rxc0: --limit is for disks; the size of a cache is its limit: rxadm set rxc0 --size" "$stderr"
}

@test "attach --zero-detect: shown" {
	replay <<-END
		> rxdsk disk-new size=1073741824 zero-detect=yes
		< name=rxd0 $DISK zero-detect=yes
	END
	rx attach 1G --zero-detect --json
	is true "$(json '.disks[0].zero_detect')"
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK zero-detect=no
		< name=rxd1 $DISK zero-detect=yes
		>* rxcache cache-get dump
	END
	rx list --disks -n -r -o NAME,ZERO-DETECT
	is "rxd0 no"$'\n'"rxd1 yes" "$output"
}

@test "list shows where the memory of disks lies" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK interleave=no used-nodes=1048576,4096,0
		< name=rxd1 $DISK interleave=yes
		< name=rxd2 $DISK node=3
		>* rxcache cache-get dump
	END
	rx list --disks -n -r -o NAME,NODE,INTERLEAVE,USED-NODES
	is "rxd0 - no 1M,4K,0B
rxd1 - yes -
rxd2 3 - -" "$output"
}

@test "resize and erase of a preallocated disk wait for its memory" {
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-change-ntf name=rxd0 size=2147483648 state=active prealloc=yes
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=2147483648 state=active prealloc=yes
	END
	rx resize rxd0 2G --json
	is 2147483648 "$(json '.disks[0].size')"
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active prealloc=yes error=28
	END
	rx 2 resize rxd0 2G
	has "resize rxd0 2G: kernel: the memory ran out, or min_free was reached, on the way; ask for less" "$stderr"
	# Another one detached, shrank or grew it; the error is that of the last request.
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-del-ntf name=rxd0 $DISK state=detaching prealloc=yes
	END
	rx 2 resize rxd0 2G
	is "rxadm: resize rxd0 2G: rxd0 is gone, and no reason has arrived; did somebody detach it?" "$stderr"
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active prealloc=yes
	END
	rx 2 resize rxd0 2G
	is "rxadm: resize rxd0 2G: somebody else has changed its size meanwhile; see: rxadm list rxd0" "$stderr"
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=2147483648 state=active prealloc=yes error=28
	END
	rx resize rxd0 2G
	is "" "$output$stderr"
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		< name=rxd0 $DISK state=preparing prealloc=yes
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing prealloc=yes
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active prealloc=yes
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active prealloc=yes
	END
	rx erase rxd0
	is "" "$output$stderr"
}

@test "list shows the queue mode, and none of a module that does not say it" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK queue-mode=mq
		< name=rxd1 size=1073741824 queue-mode=bio
		< name=rxd2 size=1073741824 queues=2
		>* rxcache cache-get dump
	END
	rx list --disks -n -r -o NAME,QUEUES,QUEUE-MODE
	is "rxd0 2 mq
rxd1 - bio
rxd2 2 -" "$output"
}

@test "attach: a queue mode there is not, and queues where there are none" {
	rx 1 attach 1G --queue-mode rq
	replay <<-END
		> rxdsk disk-new size=1073741824 queues=2 queue-mode=bio
		! EINVAL a disk with queue mode bio has no queues
	END
	rx 2 attach 1G --queues 2 --queue-mode bio
	is "rxadm: attach 1G: kernel: a disk with queue mode bio has no queues; see: rxadm help attach" "$stderr"
}

@test "attach --json prints the disk object" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	rx attach 1G --json
	is "1 rxd0 1073741824 null" "$(json '"\(.rxadm) \(.disks[0].name) \(.disks[0].size) \(.disks[0].cache)"')"
}

@test "attach -q prints nothing" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	rx attach 1G -q
	is "" "$output$stderr"
}

@test "attach waits for the device node, and says nothing if it does not come" {
	sysroot
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	(sleep 0.3; : >"$RXADM_SYSROOT/dev/rxd0") &
	rx attach 1G
	is "rxd0" "$output"
	[ -e "$RXADM_SYSROOT/dev/rxd0" ]
}

@test "attach waits until udev has processed the device" {
	sysroot
	mkdir -p "$RXADM_SYSROOT"/{run/udev/data,sys/class/block/rxd0}
	echo 259:0 >"$RXADM_SYSROOT/sys/class/block/rxd0/dev"
	: >"$RXADM_SYSROOT/run/udev/control"
	: >"$RXADM_SYSROOT/dev/rxd0"
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	(sleep 0.3; : >"$BATS_TEST_TMPDIR/done"; : >"$RXADM_SYSROOT/run/udev/data/b259:0") &
	rx attach 1G
	[ -e "$BATS_TEST_TMPDIR/done" ]
}

@test "attach without a reply from the kernel is no success" {
	replay <<-END
		> rxdsk disk-new size=1073741824
	END
	rx 2 attach 1G
	is "" "$output"
}

@test "attach refused by the kernel prints no name" {
	replay <<-END
		> rxdsk disk-new size=1152921504606846976
		! EINVAL the size must be 4 KiB to 1 EiB
	END
	rx 2 attach 1E
	is "" "$output"
	is "rxadm: attach 1E: kernel: the size must be 4 KiB to 1 EiB; see: rxadm help attach" "$stderr"
}

@test "attach with a name in use" {
	replay <<-END
		> rxdsk disk-new name=rxd0 size=1073741824
		! EEXIST a disk of that name exists
	END
	rx 2 attach 1G --name rxd0
	has "attach 1G: kernel: a disk of that name exists; choose another --name" "$stderr"
}

@test "attach sends nothing when the words are wrong" {
	replay </dev/null
	rx 1 attach 1024
	rx 1 attach
	rx 1 attach rxd0
	has "rxadm attach 1G --name rxd0" "$stderr"
	rx 1 attach 1G --name rxc0
	rx 1 attach 1G --name foo
	rx 1 attach 1G 2G
	rx 1 attach 1G --frob
	rx 1 attach 1G --queues none
	rx 1 attach 1G --block 4Q
}

@test "detach" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
	END
	rx detach /dev/rxd0
	is "" "$output$stderr"
}

@test "detach waits for the end: events of others say nothing, nor does one from before" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd1
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active
		@ overrun
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=detaching
		@ rxdsk disk-del-ntf name=rxd0
	END
	rx detach rxd0
	is "" "$output$stderr"
}

@test "detach of a disk that somebody else is detaching waits too" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=detaching
		> rxdsk disk-del name=rxd0
		! EALREADY the disk is being detached
		@ overrun
		> rxdsk disk-get name=rxd0
		! ENODEV there is no disk of that name
	END
	rx detach rxd0
	is "" "$output$stderr"
}

@test "detach: Ctrl-C leaves it to the kernel and says so" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		@ interrupt
	END
	rx 130 detach rxd0
	has "detach rxd0: interrupted; the kernel goes on detaching rxd0" "$stderr"
}

@test "detach of several: each is tried, each failure reported, status 4" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
		> rxdsk join
		> rxdsk disk-get name=rxd1
		! ENODEV there is no disk of that name
		> rxdsk join
		> rxdsk disk-get name=rxd2
		< name=rxd2 $DISK
		> rxdsk disk-del name=rxd2
		@ rxdsk disk-del-ntf name=rxd2
	END
	rx 4 detach rxd0 rxd1 rxd2 --json
	is "rxd0 rxd2" "$(json '[.disks[].name] | join(" ")')"
	is "rxadm: detach rxd1: kernel: there is no disk of that name; see: rxadm list" "$stderr"
}

@test "detach of several that all fail has the status of the failure" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		! ENODEV
		> rxdsk join
		> rxdsk disk-get name=rxd1
		! ENODEV
	END
	rx 2 detach rxd0 rxd1
	is "" "$output"
	is 2 "$(wc -l <<<"$stderr")"
}

@test "detach checks all its words before it sends anything" {
	replay </dev/null
	rx 1 detach rxd0 sda
	has "'sda' is no disk" "$stderr"
	rx 1 detach rxc0
	is "rxadm: detach rxc0: is a cache, not a disk; say: rxadm unmap rxc0" "$stderr"
}

@test "a path below /dev that is not there is no disk, whatever its last word" {
	replay </dev/null
	rx 1 erase /dev/disk/by-label/rxd0
	is "rxadm: erase: '/dev/disk/by-label/rxd0' is no disk; say for example rxd0" "$stderr"
	rx 1 detach /dev/disk/by-label/rxd0
	rx 1 resize /dev/disk/by-label/rxd0 1G --shrink
	rx 1 restore "$BATS_TEST_FILENAME" /dev/disk/by-label/rxd0
	rx 1 down /dev/disk/by-label/rxd0
	rx 1 export /dev/disk/by-label/rxd0 --any-host
}

@test "resize grows" {
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 size=2147483648 state=active
	END
	rx resize rxd0 2G
	is "" "$output$stderr"
}

@test "resize waits for a disk that grows when its I/O has ended" {
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $DISK state=preparing
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=preparing
		@ rxdsk disk-change-ntf name=rxd0 size=2147483648 state=active
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=2147483648 state=active
	END
	rx resize rxd0 2G --json
	is 2147483648 "$(json '.disks[0].size')"
	# What it cleared before shows again when it has grown.
	replay <<-END
		> rxdsk join
		> rxdsk disk-resize name=rxd0 size=4096 shrink
		< name=rxd0 size=4096 state=clearing freeing=8192
		@ rxdsk disk-change-ntf name=rxd0 size=4096 state=preparing freeing=8192
		@ rxdsk disk-change-ntf name=rxd0 size=8192 state=clearing freeing=8192
		@ rxdsk disk-change-ntf name=rxd0 size=8192 state=active freeing=0
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=8192 state=active freeing=0
	END
	rx resize rxd0 4K --shrink --json
	is "8192 active" "$(json '.disks[0] | "\(.size) \(.state)"')"
}

@test "resize shrinks when that is said" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-resize name=rxd0 size=4096 shrink
		< name=rxd0 $DISK state=clearing
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active
	END
	rx resize rxd0 4K --shrink
	is "" "$output$stderr"
}

@test "resize: another EINVAL is not taken for a shrink" {
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		! EINVAL the name is missing
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx 2 resize rxd0 2G
	has "kernel: the name is missing" "$stderr"
}

@test "erase" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		< name=rxd0 $DISK
	END
	rx erase rxd0
	is "" "$output$stderr"
}

@test "erase waits until its memory is free" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		< name=rxd0 $DISK state=clearing
		@ rxdsk disk-change-ntf name=rxd1 $DISK state=active
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=clearing
		@ rxdsk disk-change-ntf name=rxd0 $DISK state=active
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active
	END
	rx erase rxd0 --json
	is active "$(json '.disks[0].state')"
	is "" "$stderr"
}

@test "erase: an event that was lost is made up for" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		< name=rxd0 $DISK state=clearing
		@ overrun
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=active
	END
	rx erase rxd0
	is "" "$output$stderr"
}

@test "erase ends after --wait, and the erase is done all the same" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		< name=rxd0 $DISK state=clearing
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK state=clearing
	END
	rx 2 erase rxd0 --wait 0
	has "erase rxd0: done, but its memory is still being freed" "$stderr"
}

@test "erase is for disks, and drop for caches" {
	replay </dev/null
	rx 1 erase rxc0
	is "rxadm: erase rxc0: is a cache, not a disk; say: rxadm drop rxc0" "$stderr"
	rx 1 drop rxd0
	is "rxadm: drop rxd0: is a disk, not a cache; say: rxadm erase rxd0" "$stderr"
	rx 1 save rxc0 file
	is "rxadm: save rxc0: is a cache, not a disk; say: rxadm save-list rxc0" "$stderr"
	rx 1 save-list rxd0
	is "rxadm: save-list rxd0: is a disk, not a cache; say: rxadm save rxd0 FILE" "$stderr"
}

@test "erase of a read-only disk" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-erase name=rxd0
		! EROFS the disk is set read-only (blockdev --setro)
	END
	rx 2 erase rxd0
	has "kernel: the disk is set read-only (blockdev --setro); if its content may be changed, run: blockdev --setrw" "$stderr"
}

@test "--dry-run says what would be done, and has the kernel check it" {
	replay </dev/null
	rx attach 1G --dry-run
	is "would attach a disk, size 1G" "$output"
	rx attach 1G --name rxd3 --block 4K --queues 2 --prealloc --dry-run
	is "would attach rxd3, size 1G, block size 4K, queues 2, prealloc yes" "$output"
	rx detach rxd0 rxd1 --dry-run
	is "would detach rxd0
would detach rxd1" "$output"
	rx resize rxd0 2G --shrink --dry-run
	is "would change rxd0, size 2G, shrink" "$output"
	rx erase rxd0 --dry-run
	is "would erase all data of rxd0" "$output"
	replay <<-END
		> rxdsk disk-del name=rxd0 validate
		! ENODEV there is no disk of that name
	END
	rx 2 detach rxd0 --dry-run
	is "" "$output"
	has "rxadm: detach rxd0: kernel: there is no disk of that name" "$stderr"
	replay <<-END
		> rxdsk disk-set name=rxd1 limit=4096 validate
		! EINVAL a preallocated disk has all of its memory, so it has no limit
	END
	rx 2 set rxd1 --limit 4K --dry-run
	has "kernel: a preallocated disk has all of its memory" "$stderr"
}

@test "attach: Ctrl-C before the node is there leaves no disk without its name" {
	sysroot
	replay <<-END
		> rxdsk disk-new size=1073741824
		< name=rxd0 $DISK
	END
	"$RXADM" attach 1G >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	# It waits for the node. SIGINT is ignored in the background.
	for _ in {1..200}; do
		! ls -l "/proc/$!/fd" | grep -q inotify || break
		sleep 0.05
	done
	kill -TERM $!
	rc=0; wait $! || rc=$?; is 143 $rc
	is rxd0 "$(cat "$BATS_TEST_TMPDIR/out")"
	is "rxadm: attach 1G: interrupted; rxd0 is attached; to undo it, run: rxadm detach rxd0" "$(cat "$BATS_TEST_TMPDIR/err")"
}
