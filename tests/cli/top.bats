#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# top: a live screen in a terminal, reports elsewhere.

load helper

TERMINAL=$BATS_TEST_DIRNAME/terminal.py

setup() {
	sysroot
	sys_disk rxd0 259:0
	sys_disk rxc0 259:7
	echo "MemTotal: 16777216 kB
MemFree: 1048576 kB
MemAvailable: 8388608 kB" >"$RXADM_SYSROOT/proc/meminfo"
	counters rxd0 "10 0 80 3 20 0 160 5 1 0 8 4 0 32 1 0 0"
	counters rxc0 "100 0 800 1000 0 0 0 0 0 0 0 0 0 0 0 0 0"
}

# counters NAME FIELDS: of the device that is there.
counters() { echo "$2" >"$RXADM_SYSROOT/sys/block/$1/stat"; }

# module NAME STATE
module() { mkdir -p "$RXADM_SYSROOT/sys/module/$1" && echo "$2" >"$RXADM_SYSROOT/sys/module/$1/initstate"; }

# Always the same disk and cache.
still() {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK used=5242880 holder=rxc0
		< name=rxd1 $DISK used=8192
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.read-hit=90 stats.read-miss=10
	END
}

# terminal WxH STEP… -- ARGUMENT…: of rxadm top, in a terminal; its output is what the steps show.
terminal() {
	local words=()
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	TERM=xterm run --separate-stderr "$TERMINAL" "${words[@]}" -- "$RXADM" top "${@:2}"
	if [ "$status" != 0 ]; then
		echo "$output"
		echo "$stderr"
		return 1
	fi
}

@test "every column of top has a key, below rates or of the object itself" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	for column in $("$RXADM" top -o help | sed -n "/^Columns of rates/,\$s/^  [* ] \([^ ]*\) .*/\1/p"); do
		rx top -j -i 10ms -c 1 -o "$column"
		json '[.disks[0], .caches[0]] | map([paths] | length) | add > 0' | grep -qx true || { echo "$column: $output" && return 1; }
	done
	rx top -j -i 10ms -c 1 -o STATE,USED,HIT%
	is '{"rates":{"state":"idle","used":0,"hit_ratio":null}}' "$(json '.disks[0] | {rates} | tojson')"
}

@test "a report is of the last interval" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK used=5242880
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.read-hit=90 stats.read-miss=10
		> rxdsk disk-get dump
		< name=rxd0 $DISK used=5242880
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.read-hit=91 stats.read-miss=13
	END
	(sleep 0.5 && counters rxc0 "104 0 2048800 1006 2 0 16 9 0 0 0 0 0 0 0 0 0") &
	rx top
	wait
	has "in the last 1s" "${lines[0]}"
	is "memory  5M of 1G in 1 disk, index of 1 cache 16K; 8G of 16G available, 1G free" "${lines[1]}"
	[[ ${lines[2]} =~ ^total\ \ \ [34]\ reads/s,\ [0-9.]+\ MiB/s\;\ [12]\ writes/s,\ 0.0\ MiB/s\;\ hit\ 25.0%$ ]] || has nothing "${lines[2]}"
	is "NAME STATE SIZE USED HIT% ALL% R/S RMIB/S W/S WMIB/S R-MS W-MS ORIGIN" "$(tr -s ' ' <<<"${lines[3]}")"
	is "rxd0 idle 1G 5M - - 0 0 0 0 - - -" "$(tr -s ' ' <<<"${lines[4]}")"
	[[ ${lines[5]} =~ ^rxc0\ active\ +1G\ +4K\ 25.0\ 87.5\ +[34]\.[0-9]\ +[0-9.]+\ +[12]\.[0-9]\ .*\ 1.50\ 4.50\ /dev/sdb$ ]] || has nothing "${lines[5]}"
	is 6 "${#lines[@]}"
}

@test "JSON has the shape of stat --interval, and the rates" {
	still
	(sleep 0.5 && counters rxc0 "104 0 832 1006 2 0 16 9 0 0 0 0 0 0 0 0 0") &
	rx top --json --count 1
	wait
	is 1 "${#lines[@]}"
	is "4 4 1500000 2 4500000" "$(json '.interval_ns as $ns | .caches[0].rates | def n: . * $ns / 1e9 | round;
		"\(.reads_per_s | n) \(.read_bytes_per_s / 4096 | n) \(.read_await_ns) \(.writes_per_s | n) \(.write_await_ns)"')"
	is "0.9 null 4 90" "$(json '.caches[0] | "\(.rates.hit_ratio_all) \(.hit_ratio) \(.io.reads) \(.stats.read_hit + 90)"')"
	is "5251072 16384 17179869184 8589934592" "$(json '.memory | "\(.disks_used) \(.index) \(.machine) \(.available)"')"
	local top=$output
	rx stat --json --interval 10ms --count 1
	is "$(json '[.disks[0], .caches[0] | keys] | tostring')" \
		"$(jq -r '[.disks[0], .caches[0] | del(.rates) | keys] | tostring' <<<"$top")"
	is "$(json 'keys | tostring')" "$(jq -r 'del(.memory) | keys | tostring' <<<"$top")"
	rx top --json --interval 10ms --count 1 -o NAME,R/S --caches
	is '{"name":"rxc0","rates":{"reads_per_s":0.00}}' "$(jq -c '.caches[0]' <<<"$output" | sed 's/:0}/:0.00}/')"
	is "false" "$(json 'has("disks")')"
}

@test "reports go on with an interval, and end with a count or a signal" {
	still
	rx top --interval 10ms --count 3
	is 3 "$(grep -c '^rxc0 ' <<<"$output")"
	is 3 "$(grep -c 'in the last 10ms' <<<"$output")"
	rx top -c 2 -i 10ms -j
	is 2 "${#lines[@]}"
	for signal in INT TERM HUP; do
		run --separate-stderr timeout --preserve-status -s $signal 0.8 "$RXADM" top -i 50ms -j
		is 0 "$status"
		[ "${#lines[@]}" -ge 2 ]
		json . >/dev/null
	done
}

@test "it stops when nobody reads it, also between two reports" {
	still
	SECONDS=0
	run --separate-stderr bash -c '"$0" top -i 50ms | head -n 2; exit ${PIPESTATUS[0]}' "$RXADM"
	is 0 "$status"
	is "" "$stderr"
	run --separate-stderr bash -c '"$0" top -i 30s | true; exit ${PIPESTATUS[0]}' "$RXADM"
	is 0 "$status"
	is "" "$stderr"
	[ "$SECONDS" -lt 8 ]
}

@test "devices come, go and come again under their old name" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		< name=rxd1 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.read-hit=90 stats.read-miss=10
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		< name=rxd2 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=6 $ACTIVE stats.read-hit=1 stats.read-miss=3
		> rxdsk disk-get dump
		> rxcache cache-get dump
	END
	rx top -i 20ms -c 2 -j
	is "rxd0 rxd2 rxc0 0.25 0.25" "$(jq -r '"\(.disks[0].name) \(.disks[1].name) \(.caches[0] | "\(.name) \(.hit_ratio) \(.rates.hit_ratio_all)")"' <<<"${lines[0]}")"
	is "0 0" "$(jq -r '"\(.disks | length) \(.caches | length)"' <<<"${lines[1]}")"
}

@test "absent modules" {
	replay <<-END
		absent rxdsk
		absent rxcache
	END
	rx 3 top
	is "rxadm: rxdsk is not loaded; run: modprobe rxdsk" "$stderr"
	is "" "$output"
	rx 3 top --caches
	is "rxadm: rxcache is not loaded; run: modprobe rxcache" "$stderr"
	replay <<-END
		absent rxcache
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
	END
	rx top -i 10ms -c 2
	has "rxd0" "$output"
}

@test "a module that goes is not loaded again by asking; one that comes is asked" {
	replay <<-END
		$(one_of_each)
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		! ENOENT
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=1 $ACTIVE
	END
	(sleep 2.5 && module rxcache live) &
	rx top -i 1s -c 3 -j
	wait
	is "0 0 1" "$(json '.caches | length' | tr '\n' ' ' | sed 's/ $//')"
}

@test "a module that is being removed counts as absent" {
	replay <<-END
		$(one_of_each)
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		! EPROTONOSUPPORT
	END
	rx top -i 10ms -c 1 -j
	is "1 0" "$(json '"\(.disks | length) \(.caches | length)"')"
}

@test "a refusal of the kernel ends reports with its words" {
	replay <<-END
		> rxdsk disk-get dump
		! EPROTO garbled
	END
	rx 2 top
	has "garbled" "$stderr"
}

@test "order, choice of devices and columns" {
	still
	rx top -i 10ms -c 1 -r -n -o NAME
	is "rxd0 rxd1 rxc0" "$(echo $output)"
	rx top -i 10ms -c 1 -r -n -o NAME --sort memory
	is "rxd0 rxd1 rxc0" "$(echo $output)"
	rx top -i 10ms -c 1 -r -n -o NAME --sort memory --reverse
	is "rxc0 rxd1 rxd0" "$(echo $output)"
	rx top -i 10ms -c 1 -r -n -o NAME --sort hit
	rx top -i 10ms -c 1 -r -n -o NAME --disks
	is "rxd0 rxd1" "$(echo $output)"
	rx top -i 10ms -c 1 -r -n -o NAME,USED,DISK --caches -b
	is "rxc0 4096 rxd0" "$output"
	rx top -i 10ms -c 1 -r -n -o NAME,CACHE rxd0 /dev/rxc0
	is "rxd0 rxc0 rxc0 -" "$(echo $output)"
}

@test "a named device that is not there" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		> rxdsk disk-get name=rxd7
		! ENODEV no such disk
	END
	rx 2 top rxd7
	is "rxadm: top rxd7: kernel: no such disk; see: rxadm list" "$stderr"
}

@test "wrong words" {
	replay </dev/null
	rx 1 top --disks rxc0
	is "rxadm: top rxc0: is a cache, not a disk" "$stderr"
	rx 1 top --interval 1us
	is "rxadm: top: the interval is 10ms to 24h" "$stderr"
	rx 1 top --interval 48h
	rx 1 top --count 0
	rx 1 top --sort size
	is "rxadm: top: invalid sort: 'size' (use name|io|bytes|hit|memory|latency)" "$stderr"
	rx 1 top --disks --caches
	rx 1 top rxx0
	rx 1 top -o HITS
	is "rxadm: no column 'HITS'; did you mean 'HIT%'? (rxadm top -o help)" "$stderr"
	rx 1 top -o MOUNTPOINT
}

@test "every column of top is in help, the manual and completion" {
	"$RXADM" top -o help | sed -n "/^Columns of rates/,/^\$/s/^  \([* ]\) \([A-Z%:/-]*\) .*/\2\1/p" | tr -d ' ' | sort >"$BATS_TEST_TMPDIR/tool"
	sed -n "/^\.Ss Columns of rates/,/^\.S[sh] /s/^\.It Cm //p" "${VERB_PAGES[@]}" | sed 's/ \*/*/g; s/ , /\n/g' | sort >"$BATS_TEST_TMPDIR/man"
	[ -s "$BATS_TEST_TMPDIR/tool" ]
	diff -u "$BATS_TEST_TMPDIR/tool" "$BATS_TEST_TMPDIR/man"
	is "$(sort <"$BATS_TEST_TMPDIR/tool" | tr -d '*' | sort)" "$("$RXADM" __words top -o | sort)"
	rx __words top --sort
	has "latency" "$output"
}

@test "1,000 disks" {
	replay < <(
		echo "absent rxcache"
		echo ">* rxdsk disk-get dump"
		for i in {0..999}; do echo "< name=rxd$i $DISK"; done
	)
	rx top -i 10ms -c 1 -r -n
	is 1000 "${#lines[@]}"
	terminal 80x24 expect:rxd0 "expect:1-18 of 1000" "send:\\x1b[6~" "expect:19-36 of 1000" "send:\\x1b[F" expect:rxd999 send:r \
		"expect:by name, reversed" "expect:1-18 of 1000" expect:rxd999 send:q end:0 -- -i 1s
}

@test "the screen: keys" {
	still
	terminal 100x24 "expect:rxc0   active    1G" "expect:q quit" show: send:q end:0 -- -i 100ms
	is "memory  5M of 2G in 2 disks, index of 1 cache 16K; 8G of 16G available, 1G free" "${lines[1]}"
	has "/dev/sdb" "$output"
	terminal 100x24 expect:rxc0 send:d gone:rxc0 "expect:disks only" send:c "gone:rxd1 " expect:rxc0 send:a "expect:rxd1 " \
		send:m "expect:by memory" send:r "expect:by memory, reversed" "send:?" "expect:sort by hit ratio" send:x "gone:sort by hit" \
		send:p expect:PAUSED send:p gone:PAUSED send:+ "expect:every 200ms" send:- "expect:every 100ms" \
		show: send:q end:0 -- -i 100ms
	is "NAME rxc0 rxd1 rxd0" "$(sed -n 's/^\(NAME\|rx[dc][0-9]\) .*/\1/p' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
}

@test "the screen: rates come by themselves, a count ends it" {
	still
	terminal 100x24 "expect:rxc0 " "run:echo 10000100 0 800 5001000 0 0 0 0 0 0 0 0 0 0 0 >$RXADM_SYSROOT/sys/block/rxc0/stat" \
		"expect: 0.50 " "gone: 0.50 " end:0 -- -i 200ms -c 15
}

@test "the screen: the window gets another size, too small and large again" {
	still
	terminal 80x24 "expect:rxc0 " size:120x10 "expect:/dev/sdb" "expect:ALL%" size:30x5 "gone:R-MS" "expect:rxd0 " size:12x2 \
		"expect:needs 20x3" size:1x1 size:80x24 "expect:memory  5M" "expect:rxc0 " send:q end:0 -- -i 60s
}

@test "the screen: signals leave the terminal as it was" {
	still
	terminal 80x24 "expect:rxc0 " "send:\\x03" end:0 --
	for signal in INT TERM HUP; do
		terminal 80x24 "expect:rxc0 " signal:SIG$signal end:0 --
	done
	for signal in QUIT SEGV ABRT USR1; do
		terminal 80x24 "expect:rxc0 " signal:SIG$signal "end:-$(kill -l $signal)" --
	done
}

@test "the screen: a terminal that takes nothing does not keep it from ending" {
	still
	terminal 80x24 "expect:rxc0 " "send:\\x13" hold: signal:SIGTERM end:0 -- -i 10ms
	terminal 250x100 "expect:rxc0 " hold: signal:SIGTERM end:0 -- -i 10ms
}

@test "the screen: Ctrl-Z, fg, bg and kill in a shell" {
	still
	local dir=$BATS_TEST_TMPDIR
	# Waits until the process is in one of these states; gone is all of them.
	state() { echo "timeout 9 sh -c 'while grep -qs ^State:.[^$1] /proc/\$(cat $dir/pid)/status; do sleep 0.1; done'"; }
	shell() { TERM=xterm "$TERMINAL" 80x24 'expect:PROMPT>' "$@" end:0 -- env HISTFILE= PS1='PROMPT>' DIR="$dir" RXADM="$RXADM" bash --norc --noprofile -i; }
	shell 'send:stty -g >$DIR/0; $RXADM top\n' "expect:rxc0 " 'send:\x1a' expect:Stopped 'send:stty -g >$DIR/1; fg\n' "expect:rxc0 " \
		send:q gone:rxc0 'send:echo "<$?>"; stty -g >$DIR/2; exit\n' "expect:<0>"
	cmp "$dir/0" "$dir/1"
	cmp "$dir/0" "$dir/2"
	# In the background it stops, as every program that wants the terminal.
	shell 'send:$RXADM top\n' "expect:rxc0 " 'send:\x1a' expect:Stopped 'send:bg\n' 'expect:top &' 'send:\n' 'send:fg\n' "expect:rxc0 " \
		send:q gone:rxc0 'send:stty -g >$DIR/3; exit\n'
	cmp "$dir/0" "$dir/3"
	# Bash 5.2 sometimes does not notice; then it warns of a stopped job before it ends.
	echo "echo \$\$ >$dir/pid; exec $RXADM top" >"$dir/run"
	shell 'send:sh $DIR/run\n' "expect:rxc0 " 'send:\x1a' expect:Stopped 'send:kill %1\n' \
		"run:$(state XZ)" \
		'send:stty -g >$DIR/4; exit 0\nexit 0\n'
	cmp "$dir/0" "$dir/4"
	shell 'send:$RXADM top &\n' 'expect:[1]' 'send:wait; jobs\n' 'expect:Stopped' 'send:fg\n' "expect:rxc0 " send:q gone:rxc0 \
		'send:stty -g >$DIR/5; exit\n'
	cmp "$dir/0" "$dir/5"
	# Stopped by somebody else it could not put the terminal back, and draws all of it again.
	shell 'send:sh $DIR/run\n' "expect:rxc0 " "run:kill -STOP \$(cat $dir/pid)" expect:Stopped 'send:fg\n' gone:Stopped "expect:rxc0 " \
		send:q gone:rxc0 'send:stty -g >$DIR/6; exit\n'
	cmp "$dir/0" "$dir/6"
	# The same, and killed while the shell, which reads keys one by one, has the terminal.
	shell 'send:tty >$DIR/tty; stty tostop; sh $DIR/run\n' "expect:rxc0 " "run:kill -STOP \$(cat $dir/pid)" expect:Stopped 'send:bg\n' \
		"expect:run &" "run:$(state T)" "run:kill -TERM \$(cat $dir/pid); kill -CONT \$(cat $dir/pid)" "run:$(state XZ)" \
		"run:stty -a -F \$(cat $dir/tty) | grep -q -- -icanon" 'send:stty -tostop; exit 0\nexit 0\n'
}

@test "the screen: a module that is absent, and comes" {
	replay <<-END
		> rxdsk disk-get dump
		! ENOENT
		> rxcache cache-get dump
		! ENOENT
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
	END
	module rxdsk going
	terminal 80x24 "expect:rxdsk is not loaded; run: modprobe rxdsk" "run:echo live >$RXADM_SYSROOT/sys/module/rxdsk/initstate" "expect:rxd0 " \
		"gone:not loaded" send:q end:0 -- -i 300ms
}

@test "the screen: names without UTF-8, and names that would move the cursor" {
	mkdir -p "$RXADM_SYSROOT/sys/devices/virtual/block/sdb/dm"
	ln -s ../../devices/virtual/block/sdb "$RXADM_SYSROOT/sys/class/block/sdb"
	printf 'd\xc3\xa4ta\033[2J' >"$RXADM_SYSROOT/sys/class/block/sdb/dm/name"
	still
	LC_ALL=C terminal 120x24 "expect:/dev/mapper/d??ta?[2J" send:q end:0 --
	LC_ALL=C.UTF-8 terminal 120x24 "expect:/dev/mapper/däta?[2J" send:q end:0 --
}

@test "no screen on a dumb terminal, and none for JSON" {
	still
	for name in dumb ''; do
		run --separate-stderr "$TERMINAL" 120x24 end:0 show: -- env TERM=$name "$RXADM" top -i 10ms -c 1
		is 0 "$status"
		has "in the last 10ms" "$output"
		[[ $output != *quit* ]]
	done
	terminal 120x60 'expect:"interval_ns"' end:0 -- --json -i 10ms -c 1
	terminal 120x24 end:0 show: -- --raw -i 10ms -c 1 -o NAME
	has "rxc0" "$output"
}
