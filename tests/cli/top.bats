#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# top: a live screen.

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
		< name=rxd0 $DISK used=8192 holder=rxc0
		< name=rxd1 $DISK used=5242880
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

@test "without a terminal it says what has reports" {
	replay </dev/null
	rx 1 top
	is "rxadm: top: draws on a terminal only; for reports: rxadm stat --interval 1s" "$stderr"
	rx 1 top --json
	is "rxadm: top: prints no JSON; say: rxadm stat --json --interval 1s" "$stderr"
	for name in dumb ''; do
		run --separate-stderr "$TERMINAL" 120x24 "expect:for reports: rxadm stat" end:1 -- env TERM=$name "$RXADM" top
		is 0 "$status"
	done
	terminal 120x24 "expect:for reports: rxadm stat" end:1 -- --raw
	run --separate-stderr "$TERMINAL" 120x24 "expect:for reports: rxadm stat" end:1 -- env TERM=xterm sh -c '"$0" top </dev/null' "$RXADM"
	is 0 "$status"
}

@test "a named device that is not there" {
	replay <<-END
		> rxdsk disk-get name=rxd7
		! ENODEV no such disk
	END
	terminal 100x24 "expect:rxadm: top rxd7: kernel: no such disk; see: rxadm list" end:2 -- rxd7
}

@test "wrong words" {
	replay </dev/null
	rx 1 top --interval 1us
	is "rxadm: top: the interval is 10ms to 24h" "$stderr"
	rx 1 top --interval 48h
	rx 1 top rxx0
	rx 1 top -o NAME
	is "rxadm: top: --output chooses columns, and it shows none; leave it out" "$stderr"
}

@test "a refusal of the kernel, at the start and later" {
	replay <<-END
		> rxdsk disk-get dump
		! EPROTO garbled
	END
	terminal 100x24 expect:garbled end:2 --
	replay <<-END
		$(one_of_each)
		>* rxdsk disk-get dump
		! EPROTO garbled
	END
	terminal 100x24 "expect:kernel: garbled" "expect:rxc0 " send:q end:0 -- -i 100ms
}

@test "the screen: keys" {
	still
	terminal 100x24 "expect:rxc0   active" "expect:q quit" show: send:q end:0 -- -i 100ms
	is "memory  5M of 2G in disks, 16K in indexes; 8G of 16G available" "${lines[1]}"
	is "NAME   STATE     HIT%    R/S RMIB/S    W/S WMIB/S R-TIME W-TIME   USED ORIGIN" "$(grep ^NAME <<<"$output")"
	is "q quit  sort by:  n NAME  h HIT%  r R/S  w W/S  t R-TIME  u USED" "$(tail -n 1 <<<"$output")"
	has "/dev/sdb" "$output"
	terminal 100x24 expect:rxc0 "expect:by NAME" send:u "expect:by USED" "send:\\x1bOnh" "expect:by HIT%" "send:\\x1b[6~u\\x1b[n" "expect:by USED" show: send:xQ end:0 -- -i 100ms
	is "NAME rxd1 rxd0 rxc0" "$(sed -n 's/^\(NAME\|rx[dc][0-9]\) .*/\1/p' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
}

@test "the screen: only the named devices" {
	replay <<-END
		> rxdsk disk-get name=rxd1
		< name=rxd1 $DISK
		>* rxdsk disk-get dump
		< name=rxd0 $DISK used=8192 holder=rxc0
		< name=rxd1 $DISK used=5242880
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	terminal 100x24 "expect:rxd1 " show: send:q end:0 -- rxd1
	is "NAME rxd1" "$(sed -n 's/^\(NAME\|rx[dc][0-9]\) .*/\1/p' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
}

@test "1,000 disks" {
	replay < <(
		echo "absent rxcache"
		echo ">* rxdsk disk-get dump"
		for i in {0..999}; do echo "< name=rxd$i $DISK"; done
	)
	terminal 80x24 "expect:rxd18 " "expect:by NAME  19 of 1000 rows" send:q end:0 -- -i 1s
}

@test "the screen: rates come by themselves" {
	still
	terminal 100x24 "expect:rxc0 " "run:echo 10000100 0 800 5001000 0 0 0 0 0 0 0 0 0 0 0 >$RXADM_SYSROOT/sys/block/rxc0/stat" \
		"expect: 500us " "gone: 500us " send:q end:0 -- -i 200ms
}

@test "the screen: devices come, go and come again under their old name" {
	replay <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.read-hit=90 stats.read-miss=10
		> rxdsk disk-get dump
		< name=rxd2 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=6 $ACTIVE stats.read-hit=1 stats.read-miss=3
		>* rxdsk disk-get dump
		>* rxcache cache-get dump
	END
	terminal 80x24 "expect:rxd0 " "expect:rxd2 " "expect:active    25.0" "gone:rxd0 " "expect:no disks and no caches" send:q end:0 -- -i 500ms
}

@test "the screen: the window gets another size, too small and large again" {
	still
	terminal 80x24 "expect:rxc0 " size:120x10 "expect:/dev/sdb" size:30x7 "gone:R-TIME" "expect:rxd0 " size:12x2 \
		"expect:q quit" size:1x1 size:80x24 "expect:memory  5M" "expect:rxc0 " send:q end:0 -- -i 60s
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
	# The same, and killed while the shell, which reads keys one by one, has the terminal. It may be killed before it stops again.
	shell 'send:tty >$DIR/tty; stty tostop; sh $DIR/run\n' "expect:rxc0 " "run:kill -STOP \$(cat $dir/pid)" expect:Stopped 'send:bg\n' \
		"expect:run &" "run:$(state T)" "run:kill -TERM \$(cat $dir/pid) && { kill -CONT \$(cat $dir/pid) 2>/dev/null || :; }" "run:$(state XZ)" \
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

@test "the screen: a module that goes is not loaded again by asking; one that comes is asked" {
	replay <<-END
		$(one_of_each)
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		! ENOENT
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=1 $ACTIVE
	END
	terminal 80x24 "expect:rxc0 " "gone:rxc0 " "run:sleep 0.5" "run:mkdir -p $RXADM_SYSROOT/sys/module/rxcache; echo live >$RXADM_SYSROOT/sys/module/rxcache/initstate" \
		"expect:rxc0 " send:q end:0 -- -i 200ms
}

@test "the screen: names without UTF-8, and names that would move the cursor" {
	mkdir -p "$RXADM_SYSROOT/sys/devices/virtual/block/sdb/dm"
	ln -s ../../devices/virtual/block/sdb "$RXADM_SYSROOT/sys/class/block/sdb"
	printf 'd\xc3\xa4ta\033[2J' >"$RXADM_SYSROOT/sys/class/block/sdb/dm/name"
	still
	LC_ALL=C terminal 120x24 "expect:/dev/mapper/d??ta?[2J" send:q end:0 --
	LC_ALL=C.UTF-8 terminal 120x24 "expect:/dev/mapper/däta?[2J" send:q end:0 --
}
