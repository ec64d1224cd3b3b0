#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# rxadm bench, with a program in fio's place. What it measures of real devices is in kernel/290-bench.

load helper

TERMINAL=$BATS_TEST_DIRNAME/terminal.py
READS="randread-4k randread-4k-x32 read-4k-x32 randread-1m read-1m"

setup() {
	sysroot
	sys_disk rxd0 259:0
	sys_disk rxc0 259:7
	sys_disk sdb 8:16
	mkdir -p "$RXADM_SYSROOT/usr/bin"
	stub answer
}

# stub MODE: a fio that notes its words and its number, and answers, or does something else.
stub() {
	cat >"$RXADM_SYSROOT/usr/bin/fio" <<-END
		#!/bin/bash
		echo "\$*" >>"$BATS_TEST_TMPDIR/said"
		echo "\$\$" >"$BATS_TEST_TMPDIR/pid"
		path=none side=read iops=1000
		for word in "\$@"; do
			case \$word in
			--filename=*) path=\${word#*=} ;;
			--rw=*write) side=write ;;
			esac
		done
		case \$path in /dev/rxc0) iops=50000.5 ;; /dev/sdb) iops=200.25 ;; none) iops=1000000 ;; esac
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

@test "a disk: each job that reads, then fio alone; the table" {
	disk
	rx bench rxd0 --time 100ms
	is "" "$stderr"
	is "rxd0  RAM disk, 256M of it; 100ms for each job; LIMIT is memory without a disk" "${lines[0]}"
	is "JOB IOPS MIB/S MEAN P99 LIMIT RATIO" "$(tr -s ' ' <<<"${lines[1]}" | sed 's/ $//')"
	is "$READS" "$(sed -n '3,$s/ .*//p' <<<"$output" | paste -sd' ')"
	has " 1000 3.91 1.5us 9.2us " "$(tr -s ' ' <<<"${lines[2]}")"
	is "$(for job in $READS; do printf "$job %s\n" /dev/rxd0 none none none; done)" \
		"$(said | sed 's/.*--name=\([^ ]*\) --filename=\([^ ]*\) .*/\1 \2/')"
	is 20 "$(said | grep -c -e '--readonly .*--thread .*--output-format=json$')"
}

@test "a disk's limit: what fio does alone, and a copy, take less time than the limit says" {
	disk
	rx bench rxd0 --jobs randread-4k -j --time 100ms
	json '.jobs[0].limit | select(.iops > 1000 and .iops < 1000000 and .p99_ns == null) | .mean_ns * .iops | round' >"$BATS_TEST_TMPDIR/one"
	between=$(cat "$BATS_TEST_TMPDIR/one")
	[ "$between" -gt 900000000 ] && [ "$between" -lt 1100000000 ]
}

@test "a cache: one pass to warm it, each job on it and on its origin" {
	cache
	rx bench rxc0 --time 100ms --jobs randread-4k-x32,read-1m
	is "rxc0  cache of /dev/sdb, 256M of it, warm; 100ms for each job; LIMIT is the origin itself" "${lines[0]}"
	is "JOB IOPS MIB/S MEAN P99 HIT% LIMIT RATIO" "$(tr -s ' ' <<<"${lines[1]}" | sed 's/ $//')"
	is "randread-4k-x32 50000 3.91 1.5us 9.2us - 200 250" "$(tr -s ' ' <<<"${lines[2]}" | sed 's/ $//')"
	is "warming /dev/rxc0
randread-4k-x32 /dev/rxc0
randread-4k-x32 /dev/sdb
read-1m /dev/rxc0
read-1m /dev/sdb" "$(said | sed 's/.*--name=\([^ ]*\) --filename=\([^ ]*\) .*/\1 \2/')"
	is "" "$(said | grep -v -e --readonly)"
	said | sed -n 1p | grep -v time_based | grep -q -e --rw=read
	# No more than half of what the cache can hold.
	cache max-share=67108864
	rx bench rxc0 --jobs read-1m
	has "32M of it" "${lines[0]}"
	said | tail -n 1 | grep -q -e --size=33554432
}

@test "the share of hits is that of the reads of the job" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE stats.read-hit=100 stats.read-miss=900
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE stats.read-hit=100 stats.read-miss=900
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE stats.read-hit=175 stats.read-miss=925
	END
	rx bench rxc0 --jobs read-1m --json
	is 0.75 "$(json '.jobs[0].hit_ratio')"
}

@test "JSON, columns, and other sizes" {
	cache
	rx bench rxc0 --jobs read-1m --size 5M --json
	is 'rxc0 cache /dev/sdb 5242880 2000000000 fio-3.33 origin' "$(json '.bench | "\(.device) \(.kind) \(.origin) \(.size) \(.time_ns) \(.fio) \(.limit)"')"
	is '{"name":"read-1m","rw":"read","block":1048576,"depth":1,"engine":"psync","iops":50000.5,"bytes_per_s":4096000,"mean_ns":1501,"p99_ns":9216,"hit_ratio":null,"limit":{"iops":200.25,"bytes_per_s":4096000,"mean_ns":1501,"p99_ns":9216,"ratio":249.69},"before":{"iops":null,"ratio":null}}' \
		"$(json '.jobs[0] | tojson')"
	rx bench rxc0 --jobs read-1m -n -r -o JOB,DEPTH,LIMIT
	is "read-1m 1 200" "$output"
	rx 1 bench rxc0 -o FROB
	is "rxadm: no column 'FROB' of jobs; did you mean 'JOB'? (rxadm help bench)" "$stderr"
	rx 1 bench rxc0 --size 9G
	is "rxadm: bench rxc0: --size 9G is more than the 8G of the device" "$stderr"
	rx 1 bench rxc0 --size 1000K
	has "requests of 1M have to fit into --size" "$stderr"
	disk "used=0 size=524288"
	rx 1 bench rxd0
	has "requests of 1M have to fit into the disk" "$stderr"
}

@test "writes: never without --write-ok, and the error says whose data it is" {
	disk
	rx 1 bench rxd0 --jobs read-1m,write-1m
	is "rxadm: bench rxd0: writes destroy the data in its first 256M; if that is meant, add --write-ok" "$stderr"
	cache
	rx 1 bench rxc0 --jobs randwrite-4k
	is "rxadm: bench rxc0: writes destroy the data of its origin /dev/sdb, the first 256M of it; if that is meant, add --write-ok" "$stderr"
	is "" "$(said)"
	rx bench rxc0 --jobs write-1m --write-ok
	is "write-1m 50000 3.91 1.5us 9.2us - - -" "$(tail -n 1 <<<"$output" | tr -s ' ' | sed 's/ $//')"
	# The origin is never written past the cache, and a write has no limit.
	is "write-1m /dev/rxc0" "$(said | sed 's/.*--name=\([^ ]*\) --filename=\([^ ]*\) .*/\1 \2/')"
	disk
	: >"$BATS_TEST_TMPDIR/said"
	rx bench rxd0 --write-ok --jobs read-1m,write-1m
	is "writing read-1m read-1m read-1m read-1m write-1m write-1m write-1m write-1m" "$(said | sed 's/.*--name=\([^ ]*\) .*/\1/' | paste -sd' ')"
	rx bench rxd0 --write-ok --time 100ms
	is 12 "$(wc -l <<<"$output")"
}

@test "writes: never on what is mounted, swap, held, open or read-only" {
	cache
	sys_mount 259:7 /srv
	rx 2 bench rxc0 --write-ok
	is "rxadm: bench rxc0: mounted on /srv; run: umount /srv" "$stderr"
	rx bench rxc0 --jobs read-1m
	sysroot
	: >"$RXADM_SYSROOT/proc/self/mountinfo"
	echo "/dev/rxc0 partition 1 0 -2" >"$RXADM_SYSROOT/proc/swaps"
	rx 2 bench rxc0 --write-ok
	has "in use as swap" "$stderr"
	rm "$RXADM_SYSROOT/proc/swaps"
	mkdir "$RXADM_SYSROOT/sys/class/block/rxc0/holders/md0"
	rx 2 bench rxc0 --write-ok
	has "in use by md0" "$stderr"
	rmdir "$RXADM_SYSROOT/sys/class/block/rxc0/holders/md0"
	cache openers=1
	rx 2 bench rxc0 --write-ok
	has "is in use, and writes would destroy what others see" "$stderr"
	cache read-only=yes
	rx 2 bench rxc0 --write-ok
	is "rxadm: bench rxc0: is read-only; leave out --write-ok, and choose jobs that read with --jobs" "$stderr"
	rx bench rxc0 --jobs read-1m --write-ok
	disk holder=rxc0
	rx 2 bench rxd0
	is "rxadm: bench rxd0: is the memory of rxc0, and nobody else can read it; say: rxadm bench rxc0" "$stderr"
	cache state=draining
	rx 2 bench rxc0
	is "rxadm: bench rxc0: is draining; see: rxadm list" "$stderr"
}

@test "a disk that holds no data is no measure of memory" {
	disk used=1048576
	rx bench rxd0 --jobs read-1m
	is "rxadm: bench rxd0: only 1M of the disk hold data, and reads of the rest find no memory to copy; to fill it first: --write-ok" "$stderr"
	rx bench rxd0 --jobs read-1m --dry-run
	[[ $output != *--name=writing* ]]
	rx bench rxd0 --jobs read-1m --write-ok --dry-run
	has "--name=writing" "${lines[0]}"
	rx bench rxd0 --jobs read-1m -q
	is "" "$stderr"
}

@test "no fio: what to install" {
	disk
	rm "$RXADM_SYSROOT/usr/bin/fio"
	rx 3 bench rxd0
	is "rxadm: bench rxd0: needs the program fio, which is not installed; install it: apt install fio, or dnf install fio" "$stderr"
	# Nothing that the path or the folder offers.
	printf '#!/bin/sh\ntouch %s/ran\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/fio"
	chmod +x "$BATS_TEST_TMPDIR/fio"
	cd "$BATS_TEST_TMPDIR"
	PATH=$BATS_TEST_TMPDIR:$PATH rx 3 bench rxd0
	[ ! -e "$BATS_TEST_TMPDIR/ran" ]
}

@test "an answer that is none, and a fio that fails or is killed" {
	disk
	for answer in true "echo words" "echo '{}'" "echo '{\"jobs\":[]}'" "echo '{\"jobs\":3}'" "echo '{\"jobs\":[{\"error\":0}]}'" \
		"echo '{\"jobs\":[{\"error\":0,\"read\":{\"total_ios\":0}}]}'" "answer | tr 1 x" "answer | head -c 99" "iops=-1; answer" \
		"iops='\"many\"'; answer"; do
		stub "$answer"
		rx 2 bench rxd0 --jobs read-1m --json
		is "rxadm: bench rxd0: read-1m: fio ended with status 0 and printed no figures that rxadm understands; its command is in: rxadm bench rxd0 --jobs read-1m --dry-run" "$stderr"
		is '["messages","rxadm"]' "$(json 'keys | tojson')"
	done
	stub "answer 5; echo 'fio: io_u error: Input/output error' >&2; exit 1"
	rx 2 bench rxd0 --jobs read-1m
	is "rxadm: bench rxd0: read-1m: fio: io_u error: Input/output error; its command is in: rxadm bench rxd0 --jobs read-1m --dry-run" "$stderr"
	stub 'answer; kill -9 $$'
	rx 2 bench rxd0 --jobs read-1m
	is "rxadm: bench rxd0: read-1m: fio was killed by signal 9 (Killed), and nothing of it goes on; try again" "$stderr"
	stub "yes"
	rx 2 bench rxd0 --jobs read-1m
	printf '#!/nowhere\n' >"$RXADM_SYSROOT/usr/bin/fio"
	rx 2 bench rxd0
	has "can't be run; install fio anew" "$stderr"
}

# gone PID: polls until there is no such process.
gone() {
	for _ in $(seq 200); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}

# begun: waits for the stub's number.
begun() {
	for _ in $(seq 200); do
		[ ! -s "$BATS_TEST_TMPDIR/pid" ] || return 0
		sleep 0.05
	done
	return 1
}

@test "nothing goes on: Ctrl-C, and rxadm killed at once" {
	disk
	for signal in INT TERM HUP KILL; do
		rm -f "$BATS_TEST_TMPDIR/pid"
		# A fio that ends by no other signal.
		stub "trap '' INT TERM HUP; exec sleep 100"
		# A job in the background would ignore Ctrl-C.
		(trap - INT; exec env --default-signal=INT "$RXADM" bench rxd0 --jobs read-1m >"$BATS_TEST_TMPDIR/out" 2>&1) &
		begun
		kill -0 "$(cat "$BATS_TEST_TMPDIR/pid")"
		kill -"$signal" $!
		run wait $!
		gone "$(cat "$BATS_TEST_TMPDIR/pid")"
		case $signal in
		KILL) is "" "$(cat "$BATS_TEST_TMPDIR/out")" ;;
		*) is "rxadm: bench rxd0: interrupted; fio has ended" "$(cat "$BATS_TEST_TMPDIR/out")" ;;
		esac
	done
}

@test "progress on a terminal, and none in a pipe" {
	export TERM=xterm
	disk
	stub "[ \$path = none ] || sleep 1.5; answer"
	"$TERMINAL" 100x24 "expect:rxadm bench rxd0: 2" "expect:read-1m on rxd0, 0 IOPS" "expect:LIMIT is memory" gone:%, end:0 -- \
		"$RXADM" bench rxd0 --jobs read-1m,randread-4k --time 2s
	rx bench rxd0 --jobs read-1m
	is "" "$stderr"
}

@test "--compare: ratios to an earlier run, and a hint if that was another one" {
	cache
	rx bench rxc0 --jobs read-1m,randread-4k --json
	jq -c '.jobs[0].iops = 25000.25' <<<"$output" >"$BATS_TEST_TMPDIR/before"
	rx bench rxc0 --jobs read-1m,randread-4k,read-4k-x32 --compare "$BATS_TEST_TMPDIR/before"
	is "" "$stderr"
	has "BEFORE CHANGE" "$(tr -s ' ' <<<"${lines[1]}")"
	is "read-1m 25000 2.00,randread-4k 50000 1.00,read-4k-x32 - -" \
		"$(sed 1,2d <<<"$output" | awk '{ print $1, $(NF - 1), $NF }' | paste -sd,)"
	rx bench rxc0 --jobs read-1m --compare "$BATS_TEST_TMPDIR/before" --json
	is "25000.25 2" "$(json '.jobs[0].before | "\(.iops) \(.ratio)"')"
	rx bench rxc0 --jobs read-1m --compare "$BATS_TEST_TMPDIR/before" --time 1s
	is "rxadm: bench rxc0: $BATS_TEST_TMPDIR/before has 256M of rxc0, 2s for each job; with --size and --time the two compare better" "$stderr"
}

@test "--compare: a file of another shape is refused before anything is measured" {
	cache
	rx bench rxc0 --jobs read-1m --json
	good=$output file=$BATS_TEST_TMPDIR/file
	: >"$BATS_TEST_TMPDIR/said"
	for change in 'del(.rxadm)' '.rxadm = 2' 'del(.bench)' '.bench = []' 'del(.jobs)' '.jobs = {}' '.jobs[0] = 3' 'del(.jobs[0].name)' \
		'.jobs[0].iops = "x"' '.jobs[0].iops = 0' 'del(.jobs[0].block)' 'del(.jobs[0].engine)' '.jobs[0].name = ("x" * 99)' '[.]'; do
		jq -c "$change" <<<"$good" >"$file"
		rx 1 bench rxc0 --jobs read-1m --compare "$file"
		is "rxadm: bench rxc0: $file is no output of rxadm bench --json; make one without -o" "$stderr"
	done
	jq -c '.jobs[0].engine = "libaio"' <<<"$good" >"$file"
	rx 1 bench rxc0 --jobs read-1m --compare "$file"
	has "has another job named read-1m; measure again" "$stderr"
	echo "$good" >"$file"
	rx 1 bench rxc0 --jobs randread-4k --compare "$file"
	has "has none of these jobs" "$stderr"
	echo words >"$file"
	rx 1 bench rxc0 --compare "$file"
	has "is no JSON" "$stderr"
	rx 1 bench rxc0 --compare "$BATS_TEST_TMPDIR"
	has "is no file of rxadm bench --json" "$stderr"
	rx 1 bench rxc0 --compare "$file.absent"
	has "can't be read: No such file" "$stderr"
	is "" "$(said)"
}

@test "--dry-run prints fio's commands and runs none; where io_uring is off it is libaio" {
	cache
	rx bench rxc0 --jobs randread-4k-x32 --dry-run
	is "fio --name=randread-4k-x32 --filename=/dev/rxc0 --rw=randread --bs=4096 --size=268435456 --ioengine=io_uring --iodepth=32 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16 --readonly --time_based --runtime=2000ms --norandommap --randrepeat=0 --direct=1 --thread --lat_percentiles=1 --clat_percentiles=0 --eta=never --output-format=json" "${lines[1]}"
	is 3 "${#lines[@]}"
	has "--name=warming" "${lines[0]}"
	has "--filename=/dev/sdb" "${lines[2]}"
	rx bench rxc0 --jobs randread-4k-x32 --dry-run --json
	is "true 3 fio" "$(json '"\(.dry_run) \(.commands | length) \(.commands[0][:3])"')"
	mkdir -p "$RXADM_SYSROOT/proc/sys/kernel"
	echo 2 >"$RXADM_SYSROOT/proc/sys/kernel/io_uring_disabled"
	rx bench rxc0 --jobs randread-4k-x32 --dry-run
	has "--ioengine=libaio" "${lines[1]}"
	is "" "$(said)"
}

@test "the jobs are those of rx-tuning(7) and of the help, and complete" {
	tree=$BATS_TEST_DIRNAME/../..
	for job in $("$RXADM" __words bench --jobs); do
		grep -qE "^\.It Cm (.* , )?$job( |\$)" "$tree/man/rxadm-advise.8" || { echo "$job is not in rxadm-advise(8)" && return 1; }
		has "  $job " "$("$RXADM" help bench)"
	done
	is 10 "$("$RXADM" __words bench --jobs | wc -l)"
	has :comma "$("$RXADM" __words --describe bench --jobs)"
	grep -q 'rxadm bench' "$tree/man/rx-tuning.7"
	has "rxc0 rxd0" "$(one_of_each | { replay; "$RXADM" __words bench; } | grep -v ^- | sort | paste -sd' ')"
	has BEFORE "$("$RXADM" __words bench -o)"
}

@test "wrong words" {
	replay </dev/null
	rx 1 bench
	rx 1 bench rxd0 rxd1
	rx 1 bench sdb
	rx 1 bench rxd0 --jobs frob
	has "no job 'frob'; see: rxadm help bench" "$stderr"
	rx 1 bench rxd0 --jobs read-1m,read-1m
	has "read-1m is named twice" "$stderr"
	rx 1 bench rxd0 --jobs ''
	rx 1 bench rxd0 --time 99ms
	has "100ms to 1h" "$stderr"
}
