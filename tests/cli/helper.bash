# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# Helpers of the command line tests: rxadm against a recording, see replay/replay.c for its form.

bats_require_minimum_version 1.5.0

# bats looks at the stack before each command, so that it can say where a test failed. That takes a third of the time of all tests,
# and where a command failed is known then, too. bats sets both traps after this file was read.
bats_debug_trap() {
	[ "${FUNCNAME[1]}" != bats_setup_tracing ] || return 0
	trap - DEBUG
	trap 'bats_error_trap; failed_here' ERR
}
failed_here() { bats_capture_stack_trace; }

RXADM=${RXADM:-$BATS_TEST_DIRNAME/../../rxadm/rxadm}
# The overview, and the pages of the verbs.
MAN=$BATS_TEST_DIRNAME/../../man/rxadm.8
VERB_PAGES=("${MAN%.8}"-*.8)

# What a kernel says of an unused disk, and of an active cache.
DISK="size=1073741824 block-size=512 queues=2 read-only=no used=0 freeing=0 openers=0 major=259 minor=0 no-space=0 slow-writes=0"
STATS="stats.reads=0 stats.writes=0 stats.flushes=0 stats.discards=0 stats.read-hit=0 stats.read-miss=0 stats.read-join=0 stats.read-bypass-memory=0 stats.read-bypass-write=0 stats.read-bypass-fill=0"
CACHE="disk=rxd0 block-size=4096 mode=write-through write-allocate=yes own-disk=no floor=134217728 size=1073741824 cached=4096 metadata=16384"
STARTING="$CACHE state=starting origin-major=8 origin-minor=16 $STATS"
ACTIVE="$CACHE state=active origin=sdb origin-size=8589934592 origin-major=8 origin-minor=16 openers=0 read-only=no major=259 minor=7 $STATS"

# The recording that rxadm is to follow, from standard input.
replay() {
	local text
	IFS='' read -d '' -r text || true
	printf '%s' "$text" >"$BATS_TEST_TMPDIR/replay"
	export RXADM_REPLAY=$BATS_TEST_TMPDIR/replay
}

# An empty /proc, /sys and /dev of our own.
sysroot() {
	export RXADM_SYSROOT=$BATS_TEST_TMPDIR/root
	mkdir -p "$RXADM_SYSROOT"/{dev,proc/self,sys/block,sys/class/block,sys/dev/block}
	: >"$RXADM_SYSROOT/proc/self/mountinfo"
}

# sys_disk NAME MAJ:MIN [PARTITION MAJ:MIN]…
sys_disk() {
	local root=$RXADM_SYSROOT/sys name=$1 dir
	dir=$root/devices/virtual/block/$1
	mkdir -p "$dir"/{holders,slaves}
	ln -s "../devices/virtual/block/$1" "$root/block/$1"
	ln -s "../../devices/virtual/block/$1" "$root/class/block/$1"
	ln -s "../../devices/virtual/block/$1" "$root/dev/block/$2"
	: >"$RXADM_SYSROOT/dev/$1"
	shift 2
	while [ $# -gt 0 ]; do
		mkdir -p "$dir/$1/holders"
		ln -s "../../devices/virtual/block/$name/$1" "$root/class/block/$1"
		ln -s "../../devices/virtual/block/$name/$1" "$root/dev/block/$2"
		shift 2
	done
}

# sys_mount MAJ:MIN WHERE [SOURCE]
sys_mount() {
	echo "30 1 $1 / $2 rw,relatime shared:1 - ext4 ${3:-/dev/root} rw" >>"$RXADM_SYSROOT/proc/self/mountinfo"
}

# trace NAME NUMBER…: an RXT file of reads of these blocks.
trace() {
	local file=$BATS_TEST_TMPDIR/$1.rxt
	shift
	printf '%s\n' "$@" | python3 -c 'import struct, sys; sys.stdout.buffer.write(b"".join(struct.pack("<Q", int(n)) for n in sys.stdin))' >"$file"
}

# rx [EXPECTED-STATUS] ARGUMENT…: runs rxadm, with $output and $stderr apart, as bats leaves them. What "run" of bats does for that takes
# twice as long as rxadm.
rx() {
	local want=0 said=$BATS_TEST_TMPDIR/rx.$BASHPID IFS=$' \t\n'
	case $1 in [0-9] | [0-9][0-9] | [0-9][0-9][0-9]) want=$1 && shift ;; esac
	status=0
	"$RXADM" "$@" >"$said.out" 2>"$said.err" || status=$?
	IFS='' read -d '' -r output <"$said.out" || true
	while [[ $output = *$'\n' ]]; do output=${output%$'\n'}; done
	read -d '' -r stderr <"$said.err" || true
	IFS=$'\n' read -d '' -r -a lines <<<"$output" || true
	if [ "$status" != "$want" ]; then
		echo "rxadm $*: status $status, not $want"
		echo "stdout: $output"
		echo "stderr: $stderr"
		return 1
	fi
	# For setup_suite.bash. Also runs the simulators, whose JSON is their own.
	[[ $RXADM != */rxs* ]] || return 0
	IFS=$'\x1f'
	printf '%s\n%s\n\x1e\n' "$status$IFS$*" "$output" >>"$BATS_SUITE_TMPDIR/json"
}

# in_terminal STEP… -- ARGUMENT…: runs rxadm in a terminal, with the steps of terminal.py.
in_terminal() {
	local steps=()
	while [ "$1" != -- ]; do steps+=("$1") && shift; done
	shift
	"$TERMINAL" 80x24 "${steps[@]}" -- "$RXADM" "$@"
}

# What is asked and answered, for replay, if the disk rxd0 and the cache rxc0 are all there is.
one_of_each() {
	cat <<-END
		> rxdsk disk-get dump
		< name=rxd0 $DISK
		> rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
}

# there_are NAME…: the recording of a kernel that has these, and is asked for nothing else.
there_are() {
	local name
	for name; do
		case $name in
		rxd*) printf '>* rxdsk disk-get name=%s\n< name=%s %s\n' "$name" "$name" "$DISK" ;;
		*) printf '>* rxcache cache-get name=%s\n< name=%s id=5 %s\n' "$name" "$name" "$ACTIVE" ;;
		esac
	done >"$BATS_TEST_TMPDIR/there"
	replay <"$BATS_TEST_TMPDIR/there"
}

# is WANTED GOT
is() {
	[ "$1" = "$2" ] && return
	echo "wanted: $1"
	echo "got:    $2"
	return 1
}

# has PART TEXT
has() {
	[[ $2 = *"$1"* ]] && return
	echo "no '$1' in: $2"
	return 1
}

# json JQ-EXPRESSION: what it makes of $output.
json() {
	jq -r "$1" <<<"$output"
}
