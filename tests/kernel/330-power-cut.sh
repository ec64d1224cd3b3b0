# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# A power failure at any moment: dm-log-writes logs the origin's writes in the order in which they were safe, and the origin
# is rebuilt from the log up to each flush. The tests of the file systems source this.

# record SIZE: runs the workload on the cache over a logged origin; leaves the log in $log, the promises in journal.
record() {
	null=$(make_null_blk "$1")
	log=$(make_null_blk 256M)
	modprobe dm-log-writes
	o=$(make_dm logged "0 $(sectors_of "$null") log-writes $null $log")
	c=$(map_cache --size 16M "$o")
	make_fs "/dev/$c" >mkfs 2>&1 || fail "mkfs: $(cat mkfs)"
	mkdir mnt
	mount "/dev/$c" mnt
	defer "umount $RX_TMP/mnt"
	sync -f mnt
	dmsetup message rxt-logged 0 mark begin
	check "workload" synced write mnt "$RX_SEED" "$((RX_SECONDS / 4))" rxt-logged >journal
	umount mnt
	rxadm unmap "$c"
	dmsetup remove --retry rxt-logged
	check "the log" replay list "$log" >entries
	expect "promises in the log" "$(wc -l <journal)" "$(grep -c 'M .* [+=]\.' entries)"
}

# The moments to look at: behind each entry that made something safe, and each promise; with a 1 behind a promise that a
# flush alone has kept, with no log of the file system to help: a file overwritten in place.
points() {
	awk '$2 ~ /M/ && $NF == "begin" { on = 1 }
		on && ($2 ~ /[FU]/ || $NF ~ /^=/) {
			n = split($NF, word, ".")
			print $1 + 1, n == 3 && word[3] % 4 == 1
		}' entries
}

# flush_alone FROM TO: the first line of such a promise, or nothing.
flush_alone() { awk -v from="$1" -v to="$2" 'NR >= from && NR < to && $2 { print NR; exit }' points; }

# promised N: what was said before entry N, in the form of the journal.
promised() { awk -v n="$1" '$1 >= n { exit } $2 ~ /M/ && $NF ~ /^[+=]\./ { gsub("[.]", " ", $NF); print $NF }' entries; }

# look AT: power fails before entry AT; the machine comes back with the bare origin.
look() {
	# Recovery writes to it.
	cp --sparse=always image after
	l=$(losetup -f --show after)
	mount "$l" mnt 2>err || fail "no mount after entry $1: $(cat err; dmesg | tail -n 5)"
	promised "$1" >before
	rc=0
	synced check mnt "$RX_SEED" <before >out || rc=$?
	umount mnt
	[ $rc = 0 ] || fail "after entry $1: $(cat out)"
	check_fs "$l" >fsck 2>&1 || fail "the file system after entry $1: $(cat fsck)"
	losetup -d "$l"
	kept=$(awk '{ print $1 }' out)
}

# Looks at as many moments, evenly spread, as there is time for; with enough (-t) at all.
look_at_all() {
	modprobe loop
	truncate -s "$(bytes_of "$1")" image
	points >points
	total=$(wc -l <points) at=0 n=0 line=0 kept=0
	[ "$total" -ge 50 ] || fail "only $total moments"
	begin=$(uptime_ms) time=$((RX_SECONDS * 1000))
	while [ $line -lt "$total" ]; do
		left=$((begin + time - $(uptime_ms)))
		each=$(((time - left) / (n + 1) + 1))
		step=$((left > 0 ? (total - line) * each / left + 1 : total))
		[ $step -le $((total / 4 + 1)) ] || step=$((total / 4 + 1))
		line=$((line + step))
		[ $line -le "$total" ] || line=$total
		alone=$(flush_alone $line $((line + step)))
		[ $((n % 4)) = 3 ] || line=${alone:-$line}
		next=$(sed -n "${line}p" points | cut -d' ' -f1)
		replay run "$log" image $at "$next"
		at=$next
		look "$at"
		n=$((n + 1))
	done
	note "$(wc -l <journal) promises, $(wc -l <entries) entries; looked at $n of $total moments"
	expect "files promised in the end" 12 "$kept"
}
