#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Error texts and exit statuses: what, the kernel's words, and the next step.

load helper

@test "status 3: module absent" {
	replay <<-END
		absent rxdsk
		absent rxcache
	END
	for verb in "attach 1G" "detach rxd0" list stat monitor "erase rxd0"; do
		rx 3 $verb
		is "rxadm: rxdsk is not loaded; run: modprobe rxdsk" "$stderr"
		is "" "$output"
	done
	for verb in "unmap rxc0" "set rxc0 --mode around" "drop rxc0" "list --caches"; do
		rx 3 $verb
		is "rxadm: rxcache is not loaded; run: modprobe rxcache" "$stderr"
	done
}

@test "status 3: module that is being removed" {
	replay <<-END
		> rxdsk disk-get dump
		! EPROTONOSUPPORT
	END
	rx 3 list
	is "rxadm: rxdsk is not loaded; run: modprobe rxdsk" "$stderr"
}

@test "status 3: module older than the tool" {
	replay <<-END
		> rxcache cache-set name=rxc0 mode=write-around
		! EOPNOTSUPP
	END
	rx 3 set rxc0 --mode around
	has "older than this rxadm" "$stderr"
	replay <<-END
		> rxcache cache-set name=rxc0 min-share-percent=20
		! EINVAL Unknown attribute type
	END
	rx 3 set rxc0 --min-share 20%
	is "rxadm: set rxc0: the module that is loaded is older than this rxadm; load the one that came with it" "$stderr"
	replay <<-END
		>* rxdsk disk-new size=1073741824 validate
		> rxcache cache-new size=1073741824 origin=/dev/sdb own-disk=yes validate
		! EINVAL Unsupported attribute
	END
	rx 3 map --size 1G /dev/sdb --dry-run
	has "older than this rxadm" "$stderr"
}

@test "a refusal that the kernel explains is not taken for an old module" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		! EOPNOTSUPP not on this machine
	END
	rx 2 attach 1G
	has "kernel: not on this machine" "$stderr"
}

@test "EPERM" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		! EPERM CAP_SYS_ADMIN is needed
	END
	rx 2 attach 1G
	is "rxadm: attach: needs CAP_SYS_ADMIN; run it as root" "$stderr"
	is "" "$output"
}

@test "EBUSY of a disk that is a cache's memory" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is claimed
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0
	END
	rx 2 detach rxd0
	is "rxadm: detach rxd0: in use by rxc0; run: rxadm unmap rxc0" "$stderr"
}

@test "EBUSY of a disk that several caches share" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0,rxc7
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is claimed
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0,rxc7
	END
	rx 2 detach rxd0
	is "rxadm: detach rxd0: in use by rxc0,rxc7; run: rxadm unmap rxc0 rxc7" "$stderr"
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		! EBUSY the disk is claimed
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK holder=rxc0,rxc7
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $STARTING
		> rxcache cache-get name=rxc7
		< name=rxc7 id=6 $ACTIVE
	END
	rx 2 resize rxd0 2G
	is "rxadm: resize rxd0 2G: is the memory of rxc0,rxc7; run: rxadm set rxc7 --size 2G" "$stderr"
}

@test "every size of a disk that is the memory of a cache has the same way" {
	for size in 536870912 1073741824 2147483648; do
		for why in "EBUSY the disk is claimed" "EINVAL the disk would get smaller" "EINVAL same size"; do
			replay <<-END
				> rxdsk disk-resize name=rxd0 size=$size
				! $why
				>* rxdsk disk-get name=rxd0
				< name=rxd0 $DISK holder=rxc0
			END
			rx 2 resize rxd0 ${size}B
			has "resize rxd0 ${size}B: is the memory of rxc0; run: rxadm set rxc0 --size " "$stderr"
		done
	done
}

@test "EBUSY of a mounted disk" {
	sysroot
	sys_disk rxd0 259:0
	sys_mount 259:0 /mnt
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		! EBUSY the disk is open
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
	END
	rx 2 detach rxd0
	is "rxadm: detach rxd0: mounted on /mnt; run: umount /mnt" "$stderr"
}

@test "ENOMEM" {
	replay <<-END
		> rxdsk disk-new size=68719476736
		! ENOMEM 3.1G available, 64G asked
	END
	rx 2 attach 64G
	is "rxadm: attach 64G: kernel: 3.1G available, 64G asked; ask for less or free memory, see: rxadm list" "$stderr"
}

@test "a smaller size" {
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=1073741824
		! EINVAL the disk would get smaller
		> rxdsk disk-get name=rxd0
		< name=rxd0 size=2147483648
	END
	rx 2 resize rxd0 1G
	is "rxadm: resize rxd0 1G: is 2G and disks only grow; copy the data off, detach, attach 1G, or add --shrink to lose what lies beyond 1G" "$stderr"
}

@test "a size without a unit" {
	rx 1 attach 1024
	is "rxadm: attach: size '1024' has no unit; say 1024M or 1024B" "$stderr"
	said "attach: size '1.5' has no unit; say 1.5M or 1.5G" attach 1.5
}

@test "a number that is too large or too small is one, and a long value hides no reason" {
	local nines=$(printf '%0300d' 0 | tr 0 9) nine
	nine="'${nines:0:60}...'"
	said "attach: '4294967295' is too large; say at most 4294967294" attach 1G --queues 4294967295
	said "attach: '0' is too small; say 1 or more" attach 1G --queues 0
	said "attach: '-1' is no number; say 1 or more" attach 1G --queues -1
	said "attach: $nine is too large; say at most 4294967294" attach 1G --queues "$nines"
	said "attach: size $nine is too big; the largest disk has 1E" attach "${nines}G"
	said "resize rxd0: size $nine is too big; the largest disk has 1E" resize rxd0 "${nines}G"
	said "detach: time $nine is too long" detach rxd0 --wait "$nines"
	said "map: invalid mode: $nine (use through|around|bypass)" map --size 1G /dev/sdb --mode "$nines"
	said "map: $nine is no share of a disk; say for example 25%, at most 100%, or 2G" map --size 1G /dev/sdb --max-share "$nines%"
	said "map: $nine is no distance to read ahead; say auto, off, or for example 512K (at least 4K)" map --size 1G /dev/sdb --read-ahead "$nines"
	said "attach: invalid numa: $nine (the number of a node, or interleave)" attach 1G --numa "$nines"
	said "save: $nine is no level; say 1 to 19" save rxd0 file "--zstd=$nines"
	said "export: $nine is no address; say for example 192.0.2.1 or [2001:db8::1]:4420" export rxd0 --any-host --addr "$nines"
	echo "rxd0 disk size=${nines}G" >"$BATS_TEST_TMPDIR/tab"
	rx 1 check-tab --tab "$BATS_TEST_TMPDIR/tab"
	is "$BATS_TEST_TMPDIR/tab:1: size $nine is too big (the largest disk has 1E)" "$stderr"
}

@test "a verb misspelt" {
	rx 1 atach 1G
	is "rxadm: no verb 'atach'; did you mean 'attach'? (rxadm help)" "$stderr"
	rx 1 frobnicate
	is "rxadm: no verb 'frobnicate'; see: rxadm help" "$stderr"
	rx 1 att 1G
	has "no verb 'att'" "$stderr"
}

# said WANTED ARGUMENT…: the error of a wrong command line.
said() {
	local want=$1
	shift
	rx 1 "$@"
	is "rxadm: $want" "$stderr"
}

@test "the same mistake has the same status in every verb" {
	sysroot
	replay </dev/null
	cd "$BATS_TEST_TMPDIR"
	mkdir -p dir "$RXADM_SYSROOT/run"
	# A file or directory that is not there.
	for words in "up --tab none" "down --tab none" "check-tab --tab none" "restore none rxd0" "restore none --attach" \
		"restore dir rxd0" "advise --trace none" "advise --trace dir" "check-tab --tab dir"; do
		# shellcheck disable=SC2086
		rx 1 $words
		[ -n "$stderr" ]
	done
	there_are rxd0
	for words in "save rxd0 none/image" "save rxd0 dir" "save rxd0 dir/"; do
		# shellcheck disable=SC2086
		rx 1 $words
	done
	# A disk or cache that is not there.
	replay <<-END
		$(printf '>* %s\n! ENODEV nothing has this name\n' "rxdsk disk-get name=rxd9" "rxcache cache-get name=rxc9" \
			"rxdsk disk-del name=rxd9" "rxdsk disk-resize name=rxd9 size=1048576" "rxdsk disk-erase name=rxd9" \
			"rxdsk disk-set name=rxd9 limit=1048576" "rxcache cache-del name=rxc9" "rxcache cache-set name=rxc9 mode=bypass" \
			"rxcache cache-drop name=rxc9" "rxcache cache-verify name=rxc9" "rxcache cache-unpin name=rxc9" \
			"rxcache cache-reset-stats name=rxc9")
		$(printf '>* %s\n' "rxdsk join" "rxcache join" "rxdsk disk-get dump" "rxcache cache-get dump")
	END
	for words in "list rxd9" "list rxc9" "stat rxd9" "stat rxc9" "advise rxc9" "detach rxd9" "resize rxd9 1M" "erase rxd9" \
		"set rxd9 --limit 1M" "save rxd9 file" "unmap rxc9" "set rxc9 --mode bypass" "save-list rxc9" "load-list rxc9" "drop rxc9" \
		"verify rxc9" "pin rxc9 0+4K" "unpin rxc9 --all" "bench rxd9" "bench rxc9" "stat --reset rxc9" "unexport rxd9" "list --exports rxd9"; do
		# shellcheck disable=SC2086
		rx 2 $words
		has "; see: rxadm list" "$stderr"
	done
	rx 1 metrics --file none/metrics
}

@test "words of other tools name the verb that is meant" {
	said "no verb 'create'; say: rxadm attach SIZE, or of a cache: rxadm map [rxdN] ORIGIN" create
	said "no verb 'add'; say: rxadm attach 1G" add 1G rxd3
	said "no verb 'create'; say: rxadm map [rxdN] ORIGIN" create rxd0 /dev/sdb
	said "no verb 'create'; say: rxadm map [rxdN] ORIGIN" create /dev/sdb --size 1G
	said "no verb 'remove'; say: rxadm detach rxd0" remove /dev/rxd0
	said "no verb 'rm'; say: rxadm unmap rxc0 rxc1" rm rxc0 rxc1
	said "no verb 'rm'; say: rxadm unmap rxc0" rm rxd0 rxc0
	said "no verb 'grow'; say: rxadm set rxc0 --size SIZE" grow rxc0 2G
	said "no verb 'freeze'; say: rxadm set rxc0 --frozen yes" freeze rxc0
	said "no verb 'create'; say: rxadm attach 1G" create 1G
	said "no verb 'create'; say: rxadm attach SIZE, or of a cache: rxadm map [rxdN] ORIGIN" help create
	said "no verb 'delete'; say: rxadm detach rxdN..., or of a cache: rxadm unmap rxcN..." delete
	said "no verb 'destroy'; say: rxadm detach rxd3" destroy rxd3 --wait 3
	said "no verb 'show'; say: rxadm list [rxdN|rxcN...]" show
	said "no verb 'status'; say: rxadm list rxc0" status rxc0
	said "no verb 'flush'; say: rxadm erase rxd0" flush rxd0
	said "no verb 'flush'; say: rxadm drop rxc0" flush rxc0
	said "no verb 'load'; say: rxadm load-list rxc0" load rxc0
	said "no verb 'backup'; say: rxadm save rxd0 FILE" backup rxd0
	for word in $(sed -n 's/^\t{ "\([a-z]*\)", .*/\1/p; s/.*}, { "\([a-z]*\)", .*/\1/p' "$BATS_TEST_DIRNAME/../../rxadm/help.c"); do
		rx 1 "$word"
		has "no verb '$word'; say: rxadm " "$stderr"
		rx help "$(sed 's/.*say: rxadm \([a-z-]*\).*/\1/' <<<"$stderr")"
	done
}

@test "the name of the new one is an option" {
	said "attach: the name of the new one is an option; say: rxadm attach 1G --name rxd3" attach 1G rxd3
	said "attach: the name of the new one is an option; say: rxadm attach 1G --name rxd3" attach rxd3 1G
	said "map: the name of the new one is an option; say: rxadm map rxd0 /dev/sdb --name rxc1" map rxd0 /dev/sdb rxc1
	said "map: the name of the new one is an option; say: rxadm map /dev/sdb --name rxc1" map /dev/sdb rxc1
	said "restore: 'rxd1' is one too many; say: rxadm restore FILE [rxdN]" restore x rxd0 rxd1
	said "version: 'x' is one too many; say: rxadm version" version x
	said "map: the name of the new one is an option; say: --name rxc1" map --size 1G /dev/sdb rxc1
	said "attach: 'rxc3' is one too many; say: rxadm attach SIZE" attach 1G rxc3
	said "detach: 'x' is no disk; say for example rxd0" detach x rxd3
}

@test "an option misspelt" {
	rx 1 list --jsn
	is "rxadm: list: no option '--jsn'; did you mean '--json'? (rxadm help list)" "$stderr"
	rx 1 --jsn
	has "did you mean '--json'?" "$stderr"
}

@test "a column misspelt" {
	replay </dev/null
	rx 1 list -o NAME,CACHD
	has "no column 'CACHD'; did you mean 'CACHE" "$stderr"
	rx 1 list -o NAME,,SIZE
	rx 1 stat -o FROB
}

@test "status 4: some of several" {
	replay <<-END
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxcache cache-get name=rxc9
		! ENODEV no such cache
	END
	rx 4 list rxd0 rxc9 -n
	has "rxd0" "$output"
	is "rxadm: list rxc9: kernel: no such cache; see: rxadm list" "$stderr"
}

@test "when all of several fail, their order does not matter" {
	replay <<-END
		absent rxcache
		>* rxdsk disk-get name=rxd9
		! ENODEV nothing
	END
	rx 3 list rxd9 rxc9
	rx 3 list rxc9 rxd9
}

@test "an error without words of the kernel has the system's" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		! ENODEV
	END
	rx 2 attach 1G
	has "kernel: No such device;" "$stderr"
}

@test "status 5: output that can't be written" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
	END
	run --separate-stderr bash -c '"$0" list >/dev/full' "$RXADM"
	is 5 "$status"
	is "rxadm: can't write the output: No space left on device" "$stderr"
}

@test "a reader that leaves is no error" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
	END
	run --separate-stderr bash -c 'set -o pipefail; { sleep 0.2; "$0" list; } | true' "$RXADM"
	is 0 "$status"
	is "" "$stderr"
}

@test "closed standard output does no harm to verbs that print nothing" {
	replay <<-END
		> rxdsk join
		> rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		> rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf name=rxd0
	END
	run --separate-stderr bash -c '"$0" detach rxd0 >&-' "$RXADM"
	is 0 "$status"
	is "" "$stderr"
}

@test "with --json errors are text on stderr and JSON on stdout" {
	replay <<-END
		> rxdsk disk-new size=1073741824
		! EPERM no
	END
	rx 2 attach 1G --json
	is "attach null" "$(json '.messages[0] | "\(.verb) \(.object)"')"
	has "rxadm: attach:" "$stderr"
}

@test "names that would move the cursor are printed safely" {
	rx 1 "$(printf 'a\033[2Jb')"
	is "rxadm: no verb 'a\x1b[2Jb'; see: rxadm help" "$stderr"
}

@test "the same for output of more than one buffer" {
	{
		echo ">* rxdsk disk-get dump"
		seq -f "< name=rxd%.0f $DISK" 0 2999
		echo ">* rxcache cache-get dump"
	} >"$BATS_TEST_TMPDIR/many"
	replay <"$BATS_TEST_TMPDIR/many"
	for how in "" -j -jp; do
		run --separate-stderr bash -c '"$0" list $1 | head -c 10; exit ${PIPESTATUS[0]}' "$RXADM" "$how"
		is 0 "$status"
		is "" "$stderr"
		run --separate-stderr bash -c '"$0" list $1 >/dev/full' "$RXADM" "$how"
		is 5 "$status"
		has "can't write the output" "$stderr"
	done
}
