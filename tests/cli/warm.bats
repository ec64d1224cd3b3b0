#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# save and load: the list of the blocks that a cache holds, in its file, and what is said of one that can't be used.

load helper

setup() {
	sysroot
	sys_disk sdb 8:16
	mkdir -p "$RXADM_SYSROOT/var/lib" "$RXADM_SYSROOT/run" "$RXADM_SYSROOT/sys/class/block/sdb/device"
	echo "naa.5000c500a1b2c3d4" >"$RXADM_SYSROOT/sys/class/block/sdb/device/wwid"
	DIR=$RXADM_SYSROOT/var/lib/rxdsk
}

list_file() { echo "$DIR"/*.warm; }

# of_cache [ATTRIBUTES]: what the kernel says of rxc0, and the one part of its list.
of_cache() {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-blocks name=rxc0
		< name=rxc0 block-size=4096 ${1:-id=5 blocks=40}
	END
}

# What an unmap of rxc0 says and hears.
unmapped() {
	cat <<-END
		> rxcache join
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-del name=rxc0
		@ rxcache cache-del-ntf name=rxc0 id=5 $ACTIVE
	END
}

# in_two_parts ANSWER: a save of four blocks in two parts, and what the kernel answers to the second request.
in_two_parts() {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-blocks name=rxc0
		< name=rxc0 id=5 block-size=4096 blocks=40,7 cursor=1024
		> rxcache cache-blocks name=rxc0 cursor=1024
		$1
	END
}
saved() {
	in_two_parts "< name=rxc0 id=5 block-size=4096 blocks=44,400000"
	rx save-list rxc0
}

@test "save asks for all parts, and writes a file of the origin for root alone" {
	saved
	is "" "$stderr"
	[[ $output =~ ^"rxc0: 4 blocks of /dev/sdb listed in /var/lib/rxdsk/device-wwid-naa.5000c500a1b2c3d4-"[0-9a-f]{8}".warm, "[0-9]+B$ ]] ||
		{ echo "$output" && return 1; }
	is "600" "$(stat -c %a "$(list_file)")"
	is "1" "$(ls -A "$DIR" | wc -l)"
}

@test "a list has its blocks in order, the same bytes each time but for the date" {
	saved
	# Blocks 1, 10, 11 and 100000, with heat 3 for the first.
	# The distances less one: 1, 8, 0 and 99988, times 4.
	is "7 32 0 399952" "$(zstd -dqc "$(list_file)" | tail -c 32 | od -An -v -td8 -w8 | xargs)"
}

@test "save of a cache that holds nothing leaves the list that is there" {
	saved
	sum=$(sha256sum <"$(list_file)")
	of_cache id=5
	rx save-list rxc0
	is "rxadm: save-list rxc0: holds no blocks; the list from before stays, if there is one" "$stderr"
	is "$sum" "$(sha256sum <"$(list_file)")"
}

@test "save of a cache that dies meanwhile leaves the list that is there" {
	saved
	sum=$(sha256sum <"$(list_file)")
	in_two_parts "! ENODATA the origin is gone, and with it the cached blocks"
	rx 2 save-list rxc0
	is "rxadm: save-list rxc0: kernel: the origin is gone, and with it the cached blocks" "$stderr"
	is "$sum" "$(sha256sum <"$(list_file)")"
}

@test "save keeps what of the last list is not loaded yet" {
	saved
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	echo "id=5 state=loading size=16384 loaded=8192 next=45056" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	of_cache
	rx save-list rxc0
	has "rxc0: 3 blocks of /dev/sdb" "$output"
}

# A max share of two blocks, in a cache with room for many.
@test "neither save nor load goes beyond the max share" {
	local limited="name=rxc0 id=5 $ACTIVE max-share=8192"
	saved
	cp "$(list_file)" "$BATS_TEST_TMPDIR/four"
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	echo "id=5 state=loading size=16384 loaded=0 next=0" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	replay <<-END
		> rxcache cache-get name=rxc0
		< $limited
		> rxcache cache-blocks name=rxc0
		< name=rxc0 block-size=4096 id=5 blocks=40
	END
	rx save-list rxc0
	has "rxc0: 2 blocks of /dev/sdb" "$output"
	cp "$BATS_TEST_TMPDIR/four" "$(list_file)"
	truncate -s 1G "$RXADM_SYSROOT/dev/rxc0"
	dd if="$RXADM_SYSROOT/dev/rxc0" of=/dev/null bs=64K count=1 iflag=direct 2>/dev/null || skip "no O_DIRECT here"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< $limited
	END
	rx load-list rxc0
	has "rxc0: 8K loaded in" "$output"
}

@test "save does not replace a list that can't be read" {
	saved
	file=$(list_file)
	mv "$file" "$BATS_TEST_TMPDIR/kept"
	ln -s "$BATS_TEST_TMPDIR/kept" "$file"
	sum=$(sha256sum <"$file")
	of_cache
	rx 5 save-list rxc0
	has " can't be read: Too many levels of symbolic links; nothing was saved, remove the file if it stays so" "$stderr"
	[ -L "$file" ]
	is "$sum" "$(sha256sum <"$file")"
}

@test "save of a cache that was mapped anew meanwhile is refused" {
	of_cache "id=6 blocks=40"
	rx 2 save-list rxc0
	is "rxadm: save-list rxc0: was unmapped and mapped anew meanwhile; try again" "$stderr"
	[ ! -e "$DIR" ]
}

@test "save needs the directory above its own" {
	rmdir "$RXADM_SYSROOT/var/lib"
	of_cache
	rx 5 save-list rxc0
	has ": No such file or directory; the list from before stays, if there is one" "$stderr"
}

@test "save needs an active cache" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $CACHE state=draining origin=sdb
	END
	rx 2 save-list rxc0
	is "rxadm: save-list rxc0: is draining; see: rxadm list" "$stderr"
}

@test "unmap --save saves, and unmaps" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-blocks name=rxc0
		< name=rxc0 id=5 block-size=4096 blocks=40
		$(unmapped)
	END
	rx unmap --save rxc0
	[ -e "$(list_file)" ]
}

@test "unmap --save leaves a cache whose list can't be saved" {
	rmdir "$RXADM_SYSROOT/var/lib"
	of_cache
	rx 5 unmap --save rxc0
	has "rxadm: unmap rxc0: its list was not saved, so it stays; to unmap it all the same: rxadm unmap rxc0" "$stderr"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		>* rxcache cache-blocks name=rxc0
		! EPERM CAP_SYS_ADMIN is needed
	END
	rx 2 save-list rxc0
	said=${stderr/save-list/unmap}
	rx 2 unmap --save rxc0
	is "$said" "$stderr"
}

# refused REASON: by load, with nothing opened.
refused() {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE${2:-}
	END
	rx 5 load-list rxc0
	[[ $stderr = "rxadm: load-list rxc0: starts cold: "*"$1"* ]] || { echo "$stderr" && return 1; }
	is 1 "$(wc -l <<<"$stderr")"
	is "" "$output"
}

@test "load names what is wrong with a list" {
	refused "no list of its origin was saved so far (/var/lib/rxdsk/device-wwid-"
	saved
	cp "$(list_file)" "$BATS_TEST_TMPDIR/good"
	file=$(list_file)
	truncate -s 30 "$file"
	refused "is cut short"
	printf 'not a list, but long enough to be one, if only it were one, is it not?' >"$file"
	refused "is no list of blocks"
	cp "$BATS_TEST_TMPDIR/good" "$file"
	zstd -dqc "$file" >"$BATS_TEST_TMPDIR/other"
	printf '\003' | dd of="$BATS_TEST_TMPDIR/other" bs=1 seek=8 conv=notrunc status=none
	zstd -qf --check "$BATS_TEST_TMPDIR/other" -o "$file"
	refused "is of another version of rxadm"
	cp "$BATS_TEST_TMPDIR/good" "$file"
	printf '\377\377' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") - 2)) conv=notrunc status=none
	refused "is damaged (wrong checksum)"
	cp "$BATS_TEST_TMPDIR/good" "$file"
	refused "is of an origin that was larger" " origin-size=4096"
}

@test "load by a user who may not read the list says so, not that the cache starts cold" {
	saved
	if [ "$(id -u)" = 0 ]; then
		printf '#!/bin/sh\nexec setpriv --bounding-set -all "%s" "$@"\n' "$RXADM" >"$BATS_TEST_TMPDIR/powerless"
		chmod 755 "$BATS_TEST_TMPDIR/powerless"
		RXADM=$BATS_TEST_TMPDIR/powerless
	fi
	chmod 000 "$(list_file)"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx 5 load-list rxc0
	[[ $stderr = "rxadm: load-list rxc0: /var/lib/rxdsk/device-wwid-"*".warm is for root alone; run it as root" ]] || { echo "$stderr" && return 1; }
}

@test "a list stays good when its origin grows" {
	saved
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	echo "id=5 state=loading size=16384 loaded=8192 next=45056" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	# Block 3000000 is beyond the end that the origin had.
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE origin-size=17179869184
		> rxcache cache-blocks name=rxc0
		< name=rxc0 id=5 block-size=4096 blocks=12000000
	END
	rx save-list rxc0
	has "rxc0: 3 blocks of /dev/sdb" "$output"
	is "" "$stderr"
	refused "is of an origin that was larger"
}

@test "save lists no block behind the end that the cache had when it was asked" {
	of_cache "id=5 blocks=40,8388604,8388608"
	rx save-list rxc0
	has "rxc0: 2 blocks of /dev/sdb" "$output"
	rm "$(list_file)"
	of_cache "id=5 blocks=8388608"
	rx save-list rxc0
	has "rxadm: save-list rxc0: holds no blocks" "$stderr"
}

@test "a cache without a list is waiting no longer, but one that is loaded stays so" {
	state=$RXADM_SYSROOT/run/rxadm/warm-rxc0
	mkdir -p "${state%/*}"
	echo "id=5 state=waiting size=0 loaded=0 next=0" >"$state"
	refused "no list of its origin was saved"
	[ ! -e "$state" ]
	echo "id=5 state=loaded size=16384 loaded=16384 next=0" >"$state"
	refused "no list of its origin was saved"
	[ -e "$state" ]
}

@test "load refuses the list of another origin, whatever its file is called" {
	saved
	echo "naa.5000c500ffffffff" >"$RXADM_SYSROOT/sys/class/block/sdb/device/wwid"
	refused "no list of its origin was saved"
	other=$(sed -n 's/.*(\(.*\)).*/\1/p' <<<"$stderr")
	cp "$(list_file)" "$RXADM_SYSROOT$other"
	refused "is of another origin"
}

@test "load into a cache that is bypassed" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=bypass
	END
	rx 2 load-list rxc0
	is "rxadm: load-list rxc0: is in bypass mode, which keeps nothing; run: rxadm set rxc0 --mode through" "$stderr"
}

@test "load into a cache that is frozen" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE frozen=yes
	END
	rx 2 load-list rxc0
	is "rxadm: load-list rxc0: is frozen, and keeps nothing new; run: rxadm set rxc0 --frozen no" "$stderr"
}

@test "stat and list show how far a cache is loaded" {
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	echo "id=5 state=loaded size=16384 loaded=16384 next=0" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx stat rxc0
	has "  warm        100 % of 16K loaded" "$output"
	# Nobody has the state locked, so nobody loads.
	echo "id=5 state=loading size=16384 loaded=4096 next=0" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	rx stat rxc0
	has "  warm        25 % of 16K loaded, stopped" "$output"
	rx list rxc0 -n -o WARM,WARM%
	is "stopped 25.0" "$(tr -s ' ' <<<"${output# }")"
	rx list rxc0 --json
	is '{"state":"stopped","ratio":0.25,"size":16384,"loaded":4096}' "$(json '.caches[0].warm | tojson')"
	# That of an earlier cache of the same name.
	echo "id=4 state=loaded size=16384 loaded=16384 next=0" >"$RXADM_SYSROOT/run/rxadm/warm-rxc0"
	rx list rxc0 --json
	is '{"state":null,"ratio":null,"size":null,"loaded":null}' "$(json '.caches[0].warm | tojson')"
}

@test "up maps a line that says warm with --warm, and down saves" {
	echo "rxc0 cache origin=/dev/sdb,size=1G,warm" >"$BATS_TEST_TMPDIR/rxtab"
	replay <<-END
		>* rxcache cache-get name=rxc0
		! ENODEV there is no cache of that name
	END
	rx up --dry-run --tab "$BATS_TEST_TMPDIR/rxtab"
	is "[#] rxadm map /dev/sdb --name rxc0 --size 1G --warm" "$output"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx down --dry-run --tab "$BATS_TEST_TMPDIR/rxtab"
	is "[#] rxadm unmap rxc0 --save" "$output"
}

@test "down goes on when a list can't be saved, and --no-save saves none" {
	echo "rxc0 cache origin=/dev/sdb,size=1G,warm" >"$BATS_TEST_TMPDIR/rxtab"
	rmdir "$RXADM_SYSROOT/var/lib"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		>* rxcache cache-blocks name=rxc0
		< name=rxc0 id=5 block-size=4096 blocks=40
		$(unmapped | sed 's/^> />* /')
	END
	rx down --tab "$BATS_TEST_TMPDIR/rxtab"
	is "[#] rxadm unmap rxc0 --save
[#] rxadm unmap rxc0" "$output"
	has ": No such file or directory; the list from before stays, if there is one" "$stderr"
	replay <<-END
		$(unmapped | sed 's/^> />* /')
	END
	rx down --no-save --tab "$BATS_TEST_TMPDIR/rxtab"
	is "[#] rxadm unmap rxc0" "$output"
	is "" "$stderr"
}

@test "a disk is not warm" {
	echo "rxd0 disk size=1G,warm" >"$BATS_TEST_TMPDIR/rxtab"
	rx 1 check-tab --tab "$BATS_TEST_TMPDIR/rxtab"
	has "option 'warm' is not for a disk" "$stderr"
}

@test "the units of a line that says warm" {
	echo "rxc0 cache origin=/dev/disk/by-id/x,size=1G,warm" >"$BATS_TEST_TMPDIR/rxtab"
	mkdir -p "$RXADM_SYSROOT/etc" "$BATS_TEST_TMPDIR/units"
	cp "$BATS_TEST_TMPDIR/rxtab" "$RXADM_SYSROOT/etc/rxtab"
	SYSTEMD_IN_INITRD=0 rx __generator "$BATS_TEST_TMPDIR/units"
	grep -qx "Wants=rxadm-warm@rxc0.service" "$BATS_TEST_TMPDIR/units/rxadm@rxc0.service"
	grep -q "^ExecStop=.* down --no-save rxc0 " "$BATS_TEST_TMPDIR/units/rxadm@rxc0.service"
	echo "rxc0 cache origin=/dev/disk/by-id/x,size=1G" >"$RXADM_SYSROOT/etc/rxtab"
	rm -r "$BATS_TEST_TMPDIR/units"
	mkdir "$BATS_TEST_TMPDIR/units"
	SYSTEMD_IN_INITRD=0 rx __generator "$BATS_TEST_TMPDIR/units"
	is 0 "$(grep -c 'warm\|save' "$BATS_TEST_TMPDIR/units/rxadm@rxc0.service")"
	conf=$BATS_TEST_DIRNAME/../../conf
	# The unit saves before the cache's stops, and a timer saves as well.
	for line in After=rxadm@%i.service PartOf=rxadm@%i.service RequiresMountsFor=/var/lib/rxdsk Wants=rxadm-save@%i.timer \
		"ExecStop=-/usr/sbin/rxadm save-list %i"; do
		grep -qxF "$line" "$conf/rxadm-warm@.service" || { echo "no $line" && return 1; }
	done
}
