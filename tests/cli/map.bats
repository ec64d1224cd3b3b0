#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# map, unmap, set and drop. The end of map and unmap is an event.

load helper

# Recordings of what map and unmap do again and again. The cache is rxc0, and its id is 5.

OWN_DISK="disk=rxd4 origin=/dev/sdb own-disk=yes"

# map_starts [ATTRIBUTES]: the request and its reply; the end is map_done or map_failed.
map_starts() {
	echo "> rxcache cache-new ${*:-disk=rxd0 origin=/dev/sdb}"
	echo "< name=rxc0 id=5 $STARTING"
}
map_done() { echo "@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE"; }
map_failed() { echo "@ rxcache cache-del-ntf name=rxc0 id=5 $CACHE state=failed error=$1 message=\"$2\""; } # ERRNO TEXT

# cache_is ATTRIBUTES: what the answer is when the tool asks for the cache.
cache_is() {
	echo "> rxcache cache-get name=rxc0"
	echo "< name=rxc0 id=5 $1"
}

# unmap_starts ATTRIBUTES: of a cache that has these; the end is unmap_done.
unmap_starts() {
	echo "> rxcache join"
	cache_is "$1"
	echo "> rxcache cache-del name=rxc0"
}
unmap_done() { echo "@ rxcache cache-del-ntf name=rxc0 id=5 ${*:-$CACHE} state=draining"; } # [ATTRIBUTES]

# The disk of map --size 4G, which unmap removes again.
disk_made() {
	echo "> rxcache join"
	echo "> rxdsk disk-new size=4294967296"
	echo "< name=rxd4 $DISK"
}
disk_removed() {
	echo "> rxdsk join"
	echo "> rxdsk disk-get name=rxd4"
	echo "< name=rxd4 $DISK"
	echo "> rxdsk disk-del name=rxd4"
	echo "@ rxdsk disk-del-ntf name=rxd4"
}

@test "map listens before it asks, and prints the name when the event comes" {
	replay <<-END
		> rxcache join
		$(map_starts)
		$(map_done)
	END
	rx map rxd0 /dev/sdb
	is "rxc0" "$output"
	is "" "$stderr"
}

@test "map passes every option" {
	replay <<-END
		> rxcache join
		> rxcache cache-new name=rxc3 disk=rxd0 origin=/dev/sdb block-size=16384 mode=write-around write-allocate=no erase floor=1048576 read-only=yes
		< name=rxc3 id=5 $STARTING
		@ rxcache cache-new-ntf name=rxc3 id=5 $ACTIVE
	END
	rx map /dev/rxd0 sdb --name rxc3 --block 16K --mode around --no-write-allocate --erase --floor 1M --read-only
	is "rxc3" "$output"
}

@test "map --json prints the cache object as it is when active" {
	replay <<-END
		> rxcache join
		$(map_starts)
		$(map_done)
	END
	rx map rxd0 sdb -j
	is "rxc0 active /dev/sdb 259" "$(json '.caches[0] | "\(.name) \(.state) \(.origin) \(.major)"')"
}

@test "map ignores the events of other caches, also of one of the same name" {
	replay <<-END
		> rxcache join
		$(map_starts)
		@ rxcache cache-del-ntf name=rxc0 id=4 $CACHE state=failed error=5 message="not ours"
		@ rxcache cache-new-ntf name=rxc1 id=6 $ACTIVE
		$(map_failed 5 "origin can not be opened")
	END
	rx 2 map rxd0 /dev/sdb
	is "" "$output"
	is "rxadm: map rxd0 /dev/sdb: kernel: origin can not be opened" "$stderr"
}

@test "map says why an origin cannot be opened, and what to do" {
	failed_with() {
		replay <<-END
			> rxcache join
			$(map_starts)
			$(map_failed "$1" "cannot open origin")
		END
		rx 2 map rxd0 /dev/sdb
		is "rxadm: map rxd0 /dev/sdb: kernel: cannot open origin: $2" "$stderr"
	}
	failed_with 123 "No medium found; insert a medium, or log in to the target; see: lsblk"
	failed_with 19 "No such device; see: lsblk"
	failed_with 5 "Input/output error"
}

@test "map survives lost events: it asks, and finds the cache active" {
	replay <<-END
		> rxcache join
		$(map_starts)
		@ overrun
		$(cache_is "$STARTING")
		$(cache_is "$ACTIVE")
	END
	rx map rxd0 /dev/sdb
	is "rxc0" "$output"
}

@test "map whose failure event was lost says so" {
	replay <<-END
		> rxcache join
		$(map_starts)
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx 2 map rxd0 /dev/sdb
	is "" "$output"
	has "went away" "$stderr"
}

@test "map: a later cache of the same name is not taken for ours" {
	replay <<-END
		> rxcache join
		$(map_starts)
		> rxcache cache-get name=rxc0
		< name=rxc0 id=6 $ACTIVE
	END
	rx 2 map rxd0 /dev/sdb
	is "" "$output"
}

@test "map --wait gives up in time and says what goes on" {
	replay <<-END
		> rxcache join
		$(map_starts)
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $STARTING
	END
	rx 2 map rxd0 /dev/sdb --wait 0.2
	is "" "$output"
	is "rxadm: map rxd0 /dev/sdb: not done in time, and still being made as rxc0; see: rxadm list, or undo it: rxadm unmap rxc0" "$stderr"
}

@test "map: Ctrl-C ends by the signal and says what goes on" {
	replay <<-END
		> rxcache join
		$(map_starts)
		@ interrupt
	END
	rx 130 map rxd0 /dev/sdb
	is "" "$output"
	has "interrupted; the kernel goes on making rxc0" "$stderr"
}

@test "map --size attaches a disk of its own" {
	replay <<-END
		$(disk_made)
		$(map_starts "$OWN_DISK")
		$(map_done)
	END
	rx map --size 4G /dev/sdb
	is "rxc0" "$output"
}

@test "map --size detaches the disk if it is refused" {
	replay <<-END
		$(disk_made)
		> rxcache cache-new $OWN_DISK
		! EINVAL read-ahead must be 0, 1, or at least 4096 bytes
		$(disk_removed)
	END
	rx 2 map --size 4G /dev/sdb
	is "" "$output"
	has "map /dev/sdb: kernel: read-ahead must be" "$stderr"
}

@test "map --size detaches the disk if it fails later" {
	replay <<-END
		$(disk_made)
		$(map_starts "$OWN_DISK")
		$(map_failed 95 "zoned origins are not supported")
		$(disk_removed)
	END
	rx 2 map --size 4G /dev/sdb
	has "kernel: zoned origins are not supported" "$stderr"
}

@test "map --size leaves the disk to a cache that may still come" {
	replay <<-END
		$(disk_made)
		$(map_starts "$OWN_DISK")
		$(cache_is "$STARTING")
	END
	rx 2 map --size 4G /dev/sdb --wait 0
	has "rxadm unmap rxc0" "$stderr"
}

@test "map --size makes no disk when the cache module is absent" {
	replay <<-END
		absent rxcache
	END
	rx 3 map --size 4G /dev/sdb
	is "rxadm: rxcache is not loaded; run: modprobe rxcache" "$stderr"
}

@test "map --size waits for udev to let the new disk go" {
	replay <<-END
		$(disk_made)
		> rxcache cache-new $OWN_DISK
		! EBUSY the disk is open
		> rxcache cache-get dump
		> rxcache cache-new $OWN_DISK
		! EBUSY the disk is open
		> rxdsk disk-get name=rxd4
		< name=rxd4 $DISK
		$(map_starts "$OWN_DISK")
		$(map_done)
	END
	sysroot
	: >"$RXADM_SYSROOT/dev/rxc0"
	rx map --size 4G /dev/sdb
	is "rxc0" "$output"
}

@test "map --size: a signal before the cache leaves no disk" {
	replay <<-END
		$(disk_made)
		$(disk_removed)
	END
	sysroot
	mkdir -p "$RXADM_SYSROOT"/{run/udev/data,sys/class/block/rxd4}
	echo 259:4 >"$RXADM_SYSROOT/sys/class/block/rxd4/dev"
	: | tee "$RXADM_SYSROOT/run/udev/control" "$RXADM_SYSROOT/dev/rxd4"
	"$RXADM" map --size 4G /dev/sdb 3>&- &
	pid=$!
	# It waits for udev to have seen the disk.
	until find "/proc/$pid/fd" -lname '*inotify*' | grep -q .; do
		kill -0 "$pid"
	done
	kill "$pid"
	wait "$pid" && rc=0 || rc=$?
	is 143 "$rc"
}

@test "map of a disk that holds data" {
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd0 origin=/dev/sdb
		! ENOTEMPTY the disk holds data
	END
	rx 2 map rxd0 /dev/sdb
	is "rxadm: map rxd0 /dev/sdb: the disk holds data that the cache would overwrite (kernel: the disk holds data); if it may be lost, add --erase" "$stderr"
}

@test "map of an origin that is mapped already names the cache" {
	replay <<-END
		> rxcache join
		> rxcache cache-new disk=rxd1 origin=/dev/sdb
		! EBUSY origin is mapped already
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	rx 2 map rxd1 /dev/sdb
	is "rxadm: map rxd1 /dev/sdb: /dev/sdb is mapped already; use /dev/rxc0, or run: rxadm unmap rxc0" "$stderr"
}

@test "map of an origin that is mounted names the mount point" {
	sysroot
	sys_disk sdb 8:16 sdb1 8:17
	sys_mount 8:17 /srv/data
	replay </dev/null
	rx 2 map rxd0 /dev/sdb
	is "rxadm: map rxd0 /dev/sdb: /dev/sdb is mounted on /srv/data; run: umount /srv/data" "$stderr"
	# The kernel's answer, too, for whoever mounts it in between.
	replay <<-END
		> rxcache join
		$(map_starts)
		$(map_failed 16 "origin is mounted or in use")
	END
	RXADM_NO_PREFLIGHT=1 rx 2 map rxd0 /dev/sdb
	is "rxadm: map rxd0 /dev/sdb: /dev/sdb is mounted on /srv/data; run: umount /srv/data" "$stderr"
}

@test "map sends nothing when the words are wrong" {
	replay </dev/null
	rx 1 map
	rx 1 map /dev/sdb
	has "rxadm map --size 1G /dev/sdb" "$stderr"
	rx 1 map --size 4G rxd0 /dev/sdb
	rx 1 map --size 4 /dev/sdb
	rx 1 map rxc0 /dev/sdb
	rx 1 map rxd0 /dev/sdb --mode back
	is "rxadm: map: invalid mode: 'back' (use through|around|bypass)" "$stderr"
	rx 1 map rxd0 /dev/sdb --name rxd1
	rx 1 map rxd0 a b
}

@test "map wants a block device" {
	unset RXADM_REPLAY
	rx 1 map rxd0 /dev/null
	has "/dev/null is no block device" "$stderr"
	rx 1 map rxd0 /dev/no-such-device
	has "No such file" "$stderr"
}

@test "unmap waits for the event" {
	replay <<-END
		$(unmap_starts "$ACTIVE")
		@ rxcache cache-change-ntf name=rxc0 id=5 $CACHE state=draining
		$(unmap_done)
	END
	rx unmap rxc0
	is "" "$output$stderr"
}

@test "unmap detaches a disk that map made" {
	replay <<-END
		$(unmap_starts "disk=rxd4 own-disk=yes state=active")
		$(unmap_done disk=rxd4 own-disk=yes)
		$(disk_removed)
	END
	rx unmap rxc0 --json
	is "rxc0 rxd4" "$(json '"\(.caches[0].name) \(.disks[0].name)"')"
}

# keeps_disk SHARERS LINE…: what follows the end of rxc0, whose disk stays.
keeps_disk() {
	local sharers=$1
	shift
	replay <<-END
		$(unmap_starts "disk=rxd4 own-disk=yes sharers=$sharers state=active")
		$(unmap_done disk=rxd4 own-disk=yes "sharers=$sharers")
		> rxdsk join
		> rxdsk disk-get name=rxd4
		$(printf '%s\n' "$@")
	END
	rx unmap rxc0 --json
	is "rxc0 null" "$(json '"\(.caches[0].name) \(.disks[0].name)"')"
	is "" "$stderr"
}

@test "unmap keeps the disk for a cache that shares it" {
	keeps_disk 2 "< name=rxd4 $DISK holder=rxc7"
}

@test "unmap keeps the disk for a cache that joined it while the unmap waited" {
	keeps_disk 1 "< name=rxd4 $DISK holder=rxc7"
	# Or still later.
	keeps_disk 1 "< name=rxd4 $DISK" "> rxdsk disk-del name=rxd4" "! EBUSY the disk is in use" \
		"> rxdsk disk-get name=rxd4" "< name=rxd4 $DISK holder=rxc7"
}

@test "unmap of two caches at once that share a disk: one detaches it" {
	replay <<-END
		$(unmap_starts "disk=rxd4 own-disk=yes sharers=2 state=active")
		$(unmap_done disk=rxd4 own-disk=yes sharers=2)
		$(disk_removed)
	END
	rx unmap rxc0 --json
	is "rxc0 rxd4" "$(json '"\(.caches[0].name) \(.disks[0].name)"')"
	for sharers in 1 2; do
		keeps_disk $sharers "! ENODEV no such disk"
		keeps_disk $sharers "< name=rxd4 $DISK" "> rxdsk disk-del name=rxd4" "! ENODEV no such disk"
	done
}

@test "unmap whose event was lost finds the cache gone" {
	replay <<-END
		$(unmap_starts "$ACTIVE")
		@ overrun
		$(cache_is "$CACHE state=draining")
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx unmap rxc0
}

@test "unmap finds the name taken by a later cache" {
	replay <<-END
		$(unmap_starts "$ACTIVE")
		> rxcache cache-get name=rxc0
		< name=rxc0 id=9 $STARTING
	END
	rx unmap rxc0
}

@test "unmap of what is being unmapped waits for that" {
	replay <<-END
		$(unmap_starts "$CACHE state=draining")
		! EALREADY is being unmapped
		$(unmap_done)
	END
	rx unmap rxc0
}

@test "unmap --wait gives up in time" {
	replay <<-END
		$(unmap_starts "$ACTIVE")
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $CACHE state=draining
	END
	rx 2 unmap rxc0 --wait 200ms
	has "not done in time" "$stderr"
}

@test "unmap: Ctrl-C says what is left to do" {
	local what="rxadm: unmap rxc0: interrupted; the kernel goes on by itself; see: rxadm list"
	interrupted() { # SHARERS HOLDER
		replay <<-END
			$(unmap_starts "disk=rxd4 own-disk=yes sharers=$1 state=active")
			@ interrupt
			> rxdsk disk-get name=rxd4
			< name=rxd4 $DISK holder=$2
		END
		rx 130 unmap rxc0
	}
	interrupted 1 rxc0
	is "$what, and when it is gone: rxadm detach rxd4" "$stderr"
	interrupted 2 rxc0
	is "$what, and when it is gone: rxadm detach rxd4" "$stderr"
	# A disk with other caches on it stays.
	interrupted 1 rxc0,rxc7
	is "$what" "$stderr"
}

@test "unmap of a mounted cache is refused and keeps the disk" {
	sysroot
	sys_disk rxc0 259:7
	sys_mount 259:7 /mnt
	replay <<-END
		$(unmap_starts "disk=rxd4 own-disk=yes state=active")
		! EBUSY is open
	END
	rx 2 unmap rxc0
	is "rxadm: unmap rxc0: mounted on /mnt; run: umount /mnt" "$stderr"
}

@test "set changes what is said, and only that" {
	replay <<-END
		> rxcache cache-set name=rxc0 mode=write-around write-allocate=no floor=1048576
		< name=rxc0 id=5 $ACTIVE
	END
	rx set rxc0 --mode around --write-allocate no --floor 1M
	replay <<-END
		> rxcache cache-set name=rxc0 mode=write-through
		< name=rxc0 id=5 $ACTIVE
	END
	rx set rxc0 --mode through
	replay <<-END
		> rxcache cache-set name=rxc0 frozen=yes
		< name=rxc0 id=5 $ACTIVE frozen=yes
	END
	rx set rxc0 --frozen yes
	replay <<-END
		> rxcache cache-set name=rxc0 frozen=no
		< name=rxc0 id=5 $ACTIVE frozen=no
	END
	rx set rxc0 --frozen no
	replay </dev/null
	rx 1 set rxc0
	has "nothing to set" "$stderr"
	rx 1 set rxd0 --mode through
}

@test "drop" {
	replay <<-END
		> rxcache cache-drop name=rxc0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=no
	END
	rx drop rxc0
	is "" "$output$stderr"
}

@test "--dry-run has the kernel check a cache whose disk is not there yet" {
	replay <<-END
		>* rxdsk disk-new size=1073741824 validate
		> rxcache cache-new size=1073741824 origin=/dev/sdb compress=lz4 own-disk=yes validate
		! EOPNOTSUPP this kernel has no such compressor
	END
	rx 2 map --size 1G --compress lz4 /dev/sdb --dry-run
	is "" "$output"
	has "this kernel has no such compressor" "$stderr"
	replay <<-END
		>* rxdsk disk-new size=1073741824 validate
		> rxcache cache-new size=1073741824 origin=/dev/sdb own-disk=yes validate
	END
	rx map --size 1G /dev/sdb --dry-run --json
	is "NEW-DISK null" "$(json '.requests[1].attributes | "\(.disk) \(.size)"')"
}

@test "--dry-run says what would be done, and has the kernel check it" {
	replay </dev/null
	rx map --size 1G /dev/sdb --dry-run
	is "would attach a disk, size 1G
would map /dev/sdb to that disk" "$output"
	rx map rxd0 /dev/sdb --name rxc3 --mode bypass --dry-run
	is "would map /dev/sdb to rxd0 as rxc3, mode bypass" "$output"
	rx unmap rxc0 --dry-run
	is "would unmap rxc0" "$output"
	rx set rxc0 --mode around --dry-run
	is "would change rxc0, mode write-around" "$output"
	rx set rxc0 --read-ahead off --dry-run
	is "would change rxc0, read ahead off" "$output"
	rx drop rxc0 --dry-run
	is "would drop the cached blocks of rxc0" "$output"
	replay <<-END
		> rxcache cache-new disk=rxd0 origin=/dev/sdb validate
		! ENOTEMPTY the disk holds data
	END
	rx 2 map rxd0 /dev/sdb --dry-run
	is "" "$output"
	has "kernel: the disk holds data" "$stderr"
}

@test "unmap of what is still starting waits for that first" {
	replay <<-END
		> rxcache join
		$(cache_is "$STARTING")
		$(map_done)
		> rxcache cache-del name=rxc0
		$(unmap_done)
	END
	rx unmap rxc0
}

@test "unmap of what comes to nothing while it starts takes its disk away" {
	replay <<-END
		> rxcache join
		$(cache_is "disk=rxd4 own-disk=yes state=starting")
		@ rxcache cache-del-ntf name=rxc0 id=5 disk=rxd4 own-disk=yes state=failed error=5
		$(disk_removed)
	END
	rx unmap rxc0
}

@test "unmap --wait of what goes on starting" {
	replay <<-END
		> rxcache join
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $STARTING
	END
	rx 2 unmap rxc0 --wait 0.1
	is "rxadm: unmap rxc0: not done in time: it is still starting; see: rxadm list, or wait: rxadm unmap rxc0" "$stderr"
}

@test "--wait covers all steps together" {
	replay <<-END
		> rxcache join
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $CACHE state=draining
		>* rxcache cache-del name=rxc0
		! EALREADY is being unmapped
	END
	SECONDS=0
	rx 2 unmap rxc0 --wait 1
	[ "$SECONDS" -le 3 ]
}

@test "a size is a share of the memory, too" {
	page=$(getconf PAGESIZE)
	rx set rxc0 --floor 25% --dry-run
	is "would change rxc0, floor $(($(getconf _PHYS_PAGES) / 4 * page / 1024))K" "$output"
	rx 1 map /dev/sda --size 101%
	has "'101%' is no share of the memory; say for example 25%, at most 100%" "$stderr"
}

@test "min and max shares are sizes or shares of the disk" {
	there_are rxd0 rxc0
	rx map rxd0 /dev/sdb --min-share 512M --max-share 50% --dry-run
	is "would map /dev/sdb to rxd0, min share 512M, max share 50%" "$output"
	rx set rxc0 --min-share 0% --max-share 1.5G --dry-run
	is "would change rxc0, min share 0%, max share 1536M" "$output"
	for share in 101% 12.5% %; do
		rx 1 set rxc0 --min-share $share
		has "'$share' is no share of a disk; say for example 25%, at most 100%, or 2G" "$stderr"
	done
	for share in 0% 0B 0.0G; do
		rx 1 set rxc0 --max-share $share
		has "set: max-share '$share' leaves it no memory; say for example 50%, or 100% for no bound" "$stderr"
		rx 1 map rxd0 /dev/sdb --max-share $share
	done
	rx 1 set rxc0 --max-share 7
	has "size '7' has no unit" "$stderr"
	replay <<-END
		> rxcache cache-set name=rxc0 min-share-percent=60
		! EINVAL the min shares of the caches on the disk would be over 100 % of it
	END
	rx 2 set rxc0 --min-share 60%
	is "rxadm: set rxc0: kernel: the min shares of the caches on the disk would be over 100 % of it; choose a smaller --min-share, or first lower others; see: rxadm list -o NAME,DISK,MIN-SHARE" "$stderr"
	replay <<-END
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE sharers=2 min-share=536870912 max-share=1073741824 min-share-percent=50 max-share-percent=100
		< name=rxc1 id=6 $ACTIVE sharers=2 min-share=0 max-share=268435456
	END
	rx list --caches --noheadings --raw -o NAME,SHARERS,MIN-SHARE,MAX-SHARE
	is "rxc0 2 512M 1G
rxc1 2 0B 256M" "$output"
	replay <<-END
		> rxcache cache-get dump
		< name=rxc1 id=6 $ACTIVE sharers=2 min-share=0 max-share=268435456
	END
	rx list --caches --json
	is "0 null 268435456 null" "$(json '.caches[0] | "\(.min_share) \(.min_share_percent) \(.max_share) \(.max_share_percent)"')"
}

@test "map --max makes a cache without a floor" {
	replay </dev/null
	rx map --max 4G /dev/sdb --dry-run
	is "would attach a disk, size 4G
would map /dev/sdb to that disk, floor 0B" "$output"
	for other in "--size 1G" "--floor 1M" --erase; do
		rx 1 map --max 4G $other /dev/sdb
		has "exclude each other" "$stderr"
	done
	rx 1 map --max 4G rxd0 /dev/sdb
	has "--max makes a disk, 'rxd0' names one" "$stderr"
}

@test "set --size listens before it asks, and returns at the end" {
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296 floor=1048576
		< name=rxc0 id=5 state=active resize.running=yes resize.size=4294967296
		@ rxcache cache-change-ntf name=rxc0 id=5 state=active cause=set resize.running=yes resize.size=4294967296
		@ rxcache cache-change-ntf name=rxc0 id=5 state=active cause=resized resize.running=no resize.size=4294967296
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 state=active resize.running=no resize.size=4294967296
	END
	rx set rxc0 --size 4G --floor 1M
	is "" "$output$stderr"
}

@test "set --size says why it had no effect, or could not wait for the end" {
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296
		< name=rxc0 id=5 state=active resize.running=yes
		@ rxcache cache-change-ntf name=rxc0 id=5 state=active cause=resized resize.running=no resize.size=4294967296 resize.error=12 resize.message=no\\040memory
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 state=active resize.running=no resize.size=4294967296 resize.error=12 resize.message=no\\040memory
	END
	rx 2 set rxc0 --size 4G
	has "rxadm: set rxc0: kernel: no" "$stderr"
	has "ask for less or free memory" "$stderr"
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296
		< name=rxc0 id=5 state=active resize.running=yes
		@ rxcache cache-del-ntf name=rxc0 id=5 state=draining
	END
	rx 2 set rxc0 --size 4G
	is "rxadm: set rxc0: the cache was unmapped before the end; see: rxadm list" "$stderr"
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296
		! EALREADY is being resized already
	END
	rx 2 set rxc0 --size 4G
	is "rxadm: set rxc0: kernel: is being resized already; see: rxadm stat" "$stderr"
	replay </dev/null
	rx 1 set rxc0 --mode through --wait 3
	has "--wait needs --size too" "$stderr"
}

@test "set --size that is not done in time goes on, and where is told" {
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296
		< name=rxc0 id=5 state=active resize.running=yes
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 state=active resize.running=yes
	END
	rx 2 set rxc0 --size 4G --wait 0
	is "rxadm: set rxc0: not done in time; the kernel goes on, see: rxadm stat rxc0" "$stderr"
}

@test "set --size is not ended by what became of another change before it" {
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4294967296
		< name=rxc0 id=5 state=active resize.running=yes resize.size=4294967296
		@ rxcache cache-change-ntf name=rxc0 id=5 state=active cause=resized resize.running=no resize.size=1073741824 resize.error=12 resize.message=no
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 state=active resize.running=yes resize.size=4294967296
		@ rxcache cache-change-ntf name=rxc0 id=5 state=active cause=resized resize.running=no resize.size=4294967296
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 state=active resize.running=no resize.size=4294967296
	END
	rx set rxc0 --size 4G
	is "" "$output$stderr"
}

@test "set --grow asks for nothing but a look at the origin" {
	replay <<-END
		> rxcache cache-set name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx set rxc0 --grow
	is "" "$output$stderr"
}

@test "drop waits until its blocks are dropped" {
	replay <<-END
		> rxcache cache-drop name=rxc0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=yes
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=yes
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE cause=drop working=no
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=no
	END
	rx drop rxc0
	is "" "$output$stderr"
	replay <<-END
		> rxcache cache-drop name=rxc0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=yes
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=yes
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE working=yes
	END
	rx 2 drop rxc0 --wait 0
	is "rxadm: drop rxc0: not done in time; the kernel goes on, see: rxadm list rxc0" "$stderr"
}

@test "set waits until bypass mode is left, and shows the cache then" {
	replay <<-END
		> rxcache cache-set name=rxc0 mode=write-through
		< name=rxc0 id=5 $ACTIVE mode=bypass working=yes
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=write-through working=no
	END
	rx set rxc0 --mode through --json
	is write-through "$(json '.caches[0].mode')"
}
