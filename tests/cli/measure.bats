#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rxadm bench, with a program in fio's place. What it measures of real devices is in kernel/290-bench.

load helper

READS="randread-1m randread-4k randread-4k-x32 read-1m read-4k-x32"

setup() {
	sysroot
	sys_disk rxd0 259:0
	sys_disk rxc0 259:7
	sys_disk sdb 8:16
	mkdir -p "$RXADM_SYSROOT/usr/bin" "$RXADM_SYSROOT/usr/share/rxdsk" "$RXADM_SYSROOT/dev/block"
	ln -s "$BATS_TEST_DIRNAME/../../conf/fio" "$RXADM_SYSROOT/usr/share/rxdsk/fio"
	stub answer
}

# stub MODE: a fio that notes its words and its number, and answers, or does something else.
stub() {
	cat >"$RXADM_SYSROOT/usr/bin/fio" <<-END
		#!/bin/bash
		echo "\$*" >>"$BATS_TEST_TMPDIR/said"
		echo "\$\$" >"$BATS_TEST_TMPDIR/pid"
		side=read iops=1000
		for word in "\$@"; do
			case \$word in
			--filename=/dev/rxc0) iops=50000.5 ;;
			--filename=/dev/sdb) iops=200.25 ;;
			--filename=/proc/self/fd/*) iops=4000 ;;
			*write*) side=write ;;
			esac
		done
		answer() {
			echo "note: words before the answer"
			printf '{"fio version":"fio-3.33","jobs":[{"error":%s,"%s":{"total_ios":100,"iops":%s,"bw_bytes":4096000,"lat_ns":{"mean":1500.5,"percentile":{"99.000000":9216}}}}]}\n' "\${1:-0}" \$side \$iops
		}
		$1
	END
	chmod +x "$RXADM_SYSROOT/usr/bin/fio"
	: >"$BATS_TEST_TMPDIR/said"
}

said() { cat "$BATS_TEST_TMPDIR/said"; }

# runs: what fio was asked for, "DEVICE JOB" each, and "pass" where a job had no time.
runs() {
	said | sed 's/^--filename=\([^ ]*\) \(.*\)[ =/]\([^ ]*\)$/\1 \3 \2/; s/ .*--time_based=0/ pass/; s/^\([^ ]* [^ .]*\).*/\1/
		s|^/proc/self/fd/[0-9]*|memory|'
}

disk() {
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK ${1:-used=1073741824}
	END
}

cache() {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE ${1:-}
	END
}

@test "a disk: each job that reads, then the same in memory; the table" {
	disk
	rx bench rxd0 --time 100ms
	is "" "$stderr"
	is "JOB IOPS MIB/S MEAN P99 LIMIT RATIO" "$(tr -s ' ' <<<"${lines[0]}" | sed 's/ $//')"
	is "$READS" "$(sed -n '2,$s/ .*//p' <<<"$output" | paste -sd' ')"
	has " 1000 3.91 1.5us 9.2us 4000 0.25" "$(tr -s ' ' <<<"${lines[1]}")"
	is "$(for job in $READS; do printf "%s $job\n" /dev/rxd0 memory; done)" "$(runs)"
	is 5 "$(said | grep -c -e '--size=268435456 .*--direct=1 --time_based=1 --runtime=100ms .*--readonly')"
	is 5 "$(said | grep -c -e '--size=67108864 --ioengine=psync --direct=0 --time_based=1 --runtime=100ms .*--readonly')"
}

@test "a cache: one pass to warm it, each job on it and on its origin" {
	cache
	rx bench rxc0 --jobs randread-4k-x32,read-1m
	is "randread-4k-x32 50000 3.91 1.5us 9.2us 200 250" "$(tr -s ' ' <<<"${lines[1]}" | sed 's/ $//')"
	is "/dev/rxc0 pass
/dev/rxc0 randread-4k-x32
/dev/sdb randread-4k-x32
/dev/rxc0 read-1m
/dev/sdb read-1m" "$(runs)"
	is "" "$(said | grep -v -e --readonly)"
	# No more than half of what the cache can hold.
	cache max-share=67108864
	rx bench rxc0 --jobs read-1m --json
	said | tail -n 1 | grep -q -e --size=33554432
	is '{"name":"read-1m","iops":50000.5,"bytes_per_s":4096000,"mean_ns":1501,"p99_ns":9216,"limit":{"iops":200.25,"ratio":249.69}}' \
		"$(json '.jobs[0] | tojson')"
}

@test "writes: never without --write-ok, and never on the origin itself" {
	disk
	rx 1 bench rxd0 --jobs read-1m,write-1m
	is "rxadm: bench rxd0: writes destroy the data of the disk, its first 256M; if that is meant, add --write-ok" "$stderr"
	cache
	rx 1 bench rxc0 --jobs randwrite-4k
	is "rxadm: bench rxc0: writes destroy the data of its origin, its first 256M; if that is meant, add --write-ok" "$stderr"
	is "" "$(said)"
	rx bench rxc0 --jobs write-1m --write-ok
	is "write-1m 50000 3.91 1.5us 9.2us - -" "$(tail -n 1 <<<"$output" | tr -s ' ' | sed 's/ $//')"
	is "/dev/rxc0 pass
/dev/rxc0 write-1m" "$(runs)"
	disk
	: >"$BATS_TEST_TMPDIR/said"
	rx bench rxd0 --write-ok --jobs write-1m
	is "pass write-1m write-1m" "$(runs | sed 's/.* //' | paste -sd' ')"
	has "/write-1m.fio" "$(said | head -n 1)"
}

@test "writes: never on what is mounted, held or open" {
	cache openers=1
	sys_mount 259:7 /srv
	rx 2 bench rxc0 --write-ok
	is "rxadm: bench rxc0: mounted on /srv; run: umount /srv" "$stderr"
	rx bench rxc0 --jobs read-1m
	: >"$RXADM_SYSROOT/proc/self/mountinfo"
	mkdir "$RXADM_SYSROOT/sys/class/block/rxc0/holders/md0"
	rx 2 bench rxc0 --write-ok
	has "in use by md0" "$stderr"
	rmdir "$RXADM_SYSROOT/sys/class/block/rxc0/holders/md0"
	cache openers=1
	rx 2 bench rxc0 --write-ok
	has "is in use, and writes would destroy what others see" "$stderr"
	disk holder=rxc0
	rx 2 bench rxd0
	is "rxadm: bench rxd0: is the memory of rxc0, and nobody else can read it; measure the cache instead" "$stderr"
}

@test "a fio that is absent, fails, is killed, or answers something else" {
	disk
	for answer in true "echo '{}'" "echo '{\"jobs\":3}'" "echo '{\"jobs\":[{\"error\":0}]}'" "answer | tr 1 x"; do
		stub "$answer"
		rx 2 bench rxd0 --jobs read-1m
		has "fio failed with status 0; is it installed? Its command was: " "$stderr"
	done
	stub "answer 5; exit 1"
	rx 2 bench rxd0 --jobs read-1m
	has "fio failed with status 1; " "$stderr"
	stub 'answer; kill -9 $$'
	rx 2 bench rxd0 --jobs read-1m
	is "rxadm: bench rxd0: fio was killed by signal 9 (Killed); try again" "$stderr"
	rm "$RXADM_SYSROOT/usr/bin/fio"
	# Nothing that the path or the folder offers.
	printf '#!/bin/sh\ntouch %s/ran\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/fio"
	chmod +x "$BATS_TEST_TMPDIR/fio"
	cd "$BATS_TEST_TMPDIR"
	PATH=$BATS_TEST_TMPDIR:$PATH rx 2 bench rxd0
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

# polls CONDITION…: until it holds.
polls() {
	for _ in $(seq 200); do
		! "$@" || return 0
		sleep 0.05
	done
	return 1
}

gone() { ! kill -0 "$(cat "$BATS_TEST_TMPDIR/pid")" 2>/dev/null; }

@test "nothing goes on: Ctrl-C, and rxadm killed at once" {
	disk
	for signal in INT TERM KILL; do
		rm -f "$BATS_TEST_TMPDIR/pid"
		# A fio that ends by no other signal.
		stub "trap '' INT TERM HUP; exec sleep 100"
		# A job in the background would ignore Ctrl-C.
		(trap - INT; exec env --default-signal=INT "$RXADM" bench rxd0 --jobs read-1m >"$BATS_TEST_TMPDIR/out" 2>&1) &
		polls [ -s "$BATS_TEST_TMPDIR/pid" ]
		run -1 gone
		kill -"$signal" $!
		run wait $!
		polls gone
	done
}

@test "--dry-run prints fio's commands and runs none; where io_uring is off it is libaio" {
	cache
	rx bench rxc0 --jobs randread-4k-x32 --dry-run
	is 3 "${#lines[@]}"
	has "--filename=/dev/rxc0 --size=268435456 --ioengine=io_uring --direct=1 --time_based=1 --runtime=2000ms --output-format=json --readonly" "${lines[1]}"
	rx bench rxc0 --jobs randread-4k-x32 --dry-run --json
	is "true 3" "$(json '"\(.dry_run) \(.steps | length)"')"
	mkdir -p "$RXADM_SYSROOT/proc/sys/kernel"
	echo 2 >"$RXADM_SYSROOT/proc/sys/kernel/io_uring_disabled"
	rx bench rxc0 --jobs randread-4k-x32 --dry-run
	has "--ioengine=libaio" "${lines[1]}"
	is "" "$(said)"
}

@test "the jobs are in the manual, and complete" {
	for job in $("$RXADM" __words bench --jobs); do
		grep -qE "^\.It Cm (.* , )?$job( |\$)" "$BATS_TEST_DIRNAME"/../../man/rxadm*.8 || { echo "$job is in no manual" && return 1; }
	done
	is 8 "$("$RXADM" __words bench --jobs | wc -l)"
	has :comma "$("$RXADM" __words --describe bench --jobs)"
	has LIMIT "$("$RXADM" __words bench -o)"
}

@test "-o chooses columns, of JSON too" {
	cache
	rx bench rxc0 --jobs read-1m -o JOB,RATIO
	is "JOB RATIO
read-1m 250" "$(tr -s ' ' <<<"$output" | sed 's/ $//')"
	rx bench rxc0 --jobs read-1m -o JOB,RATIO --json
	is '{"name":"read-1m","limit":{"ratio":249.69}}' "$(json '.jobs[0] | tojson')"
}

@test "wrong words" {
	replay </dev/null
	rx 1 bench
	rx 1 bench rxd0 rxd1
	rx 1 bench sdb
	cache
	rx 1 bench rxc0 --jobs frob
	is "rxadm: bench: no job 'frob'; there are: randread-1m, randread-4k, randread-4k-x32, randwrite-4k, randwrite-4k-x32, read-1m, read-4k-x32, write-1m" "$stderr"
	rx 1 bench rxc0 --jobs ../fio/read-1m
	rx 1 bench rxc0 -o FROB
	is "rxadm: no column 'FROB' of jobs; did you mean 'JOB'? (rxadm bench -o help)" "$stderr"
	rx 1 bench rxc0 --size 9G
	is "rxadm: bench rxc0: measures 1M or more, and no more than the 8G of the device; see --size" "$stderr"
}
