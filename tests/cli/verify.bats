#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# verify. Its end is an event; what it found is in the cache's attributes.

load helper

@test "verify listens before it asks, waits for the event, and says what it compared" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=1 verify.compared=0 verify.skipped=0 verify.mismatches=0 verify.errors=0
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=1 verify.compared=7 verify.skipped=0 verify.mismatches=0 verify.errors=0
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=1234 verify.skipped=2 verify.mismatches=0 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=1234 verify.skipped=2 verify.mismatches=0 verify.errors=0
	END
	rx verify rxc0
	is "rxc0: 1234 cached blocks compared with /dev/sdb, none differs, 2 skipped (written or dropped meanwhile)" "$output"
	is "" "$stderr"
}

@test "verify is not ended by the end of another one before it" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=1
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=1 verify.skipped=0 verify.mismatches=0 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=1
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
	END
	rx verify rxc0
	is "rxc0: 9 cached blocks compared with /dev/sdb, none differs" "$output"
}

@test "verify ends with status 5 and says what to do if blocks differ" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0 sample=100
		< name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=100
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE mode=bypass verify.running=no verify.sample=100 verify.compared=9 verify.skipped=0 verify.mismatches=3 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=bypass verify.running=no verify.sample=100 verify.compared=9 verify.skipped=0 verify.mismatches=3 verify.errors=0
	END
	rx 5 verify rxc0 --sample 1/100
	is "rxc0: 9 cached blocks compared with /dev/sdb, 3 differ" "$output"
	is "rxadm: verify rxc0: bypassed from now on: the origin was written behind the cache, or memory failed; see dmesg, and to use the cache again: rxadm set rxc0 --mode through" "$stderr"
}

@test "verify of several ends with status 5 if one of them differs, whatever the others do" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes verify.sample=1
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE mode=bypass verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=3 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=bypass verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=3 verify.errors=0
		> rxcache join
		> rxcache cache-verify name=rxc1
		< name=rxc1 id=6 $ACTIVE verify.running=yes verify.sample=1
		@ rxcache cache-change-ntf name=rxc1 id=6 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
		> rxcache cache-get name=rxc1
		< name=rxc1 id=6 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
		> rxcache join
		> rxcache cache-verify name=rxc2
		! ENODEV there is no cache of that name
	END
	rx 5 verify rxc0 rxc1 rxc2
}

@test "verify of an origin that can't be read" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=2
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=2
	END
	rx 5 verify rxc0
	is "rxadm: verify rxc0: 2 reads of the origin failed; see dmesg" "$stderr"
}

@test "verify --json" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0
	END
	rx verify rxc0 -j
	is "false 9 0" "$(json '.caches[0].verify | "\(.running) \(.compared) \(.mismatches)"')"
}

@test "verify of a cache that is unmapped meanwhile" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
		@ rxcache cache-del-ntf name=rxc0 id=5 $ACTIVE state=draining verify.running=yes
	END
	rx 2 verify rxc0
	is "rxadm: verify rxc0: the cache was unmapped before the end; see: rxadm list" "$stderr"
}

@test "verify that does not end in time goes on" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
	END
	rx 2 verify rxc0 --wait 0
	is "rxadm: verify rxc0: not done in time; it goes on, see: rxadm stat rxc0, or stop it: rxadm verify rxc0 --stop" "$stderr"
}

@test "verify that somebody stops" {
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=yes
		@ rxcache cache-change-ntf name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0 verify.stopped=yes
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE verify.running=no verify.sample=1 verify.compared=9 verify.skipped=0 verify.mismatches=0 verify.errors=0 verify.stopped=yes
	END
	rx 2 verify rxc0
	is "rxadm: verify rxc0: stopped before its end; to begin again: rxadm verify rxc0" "$stderr"
}

@test "verify --stop" {
	replay <<-END
		> rxcache cache-verify name=rxc0 stop
	END
	rx verify rxc0 --stop
	is "" "$output"
	replay <<-END
		> rxcache cache-verify name=rxc0 stop
		! EALREADY is not being verified
	END
	rx 2 verify rxc0 --stop
	is "rxadm: verify rxc0: kernel: is not being verified" "$stderr"
}

@test "verify --dry-run" {
	rx verify rxc0 --sample 1/8 --dry-run
	is "would verify rxc0, sample 8" "$output"
	rx verify rxc0 --stop --dry-run
	is "would verify rxc0, stop" "$output"
}

@test "list and stat say bypass and mismatch" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=bypass
	END
	rx list rxc0 -n -o STATE,MODE
	is "bypass bypass" "$(tr -s ' ' <<<"$output")"
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE mode=bypass verify.running=no verify.sample=1 verify.compared=9 verify.skipped=1 verify.mismatches=3 verify.errors=0
	END
	rx list rxc0 -n -o STATE,MODE,VERIFIED,MISMATCHES
	is "mismatch bypass 9 3" "$(tr -s ' ' <<<"$output")"
	rx list rxc0 -j
	is "mismatch bypass 3" "$(json '.caches[0] | "\(.state) \(.mode) \(.verify.mismatches)"')"
	rx stat rxc0
	has "verify      9 blocks compared with the origin, 3 differed, 1 skipped" "$output"
}

@test "list and stat say frozen, if it is not bypassed" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE frozen=yes stats.read-bypass-frozen=3
	END
	rx list rxc0 -n -o STATE,FROZEN,BYPASS,BYPASS-FROZEN
	is "frozen yes 3 3" "$(tr -s ' ' <<<"$output")"
	rx list rxc0 -j
	is "frozen true 3" "$(json '.caches[0] | "\(.state) \(.frozen) \(.stats.read_bypass_frozen)"')"
	rx stat rxc0
	has "write-through, active, frozen" "$output"
	has "100 % of the blocks read bypassed it: frozen" "$output"
	has "0 in bypass mode, 3 while frozen" "$output"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE frozen=yes mode=bypass
	END
	rx list rxc0 -n -o STATE,FROZEN
	is "bypass yes" "$(tr -s ' ' <<<"$output")"
}

@test "wrong words" {
	replay </dev/null
	rx 1 verify
	rx 1 verify rxd0
	for sample in 8 1/0 1/10001 2/8 1/8x 1/; do
		rx 1 verify rxc0 --sample "$sample"
		has "say 1/N with N from 1 to 10000" "$stderr"
	done
	rx 1 verify rxc0 --stop --sample 1/8
}
