# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs that consist of parts. Each part ends with a total, "N passed, N failed[, N skipped]", and the whole run ends with the sum.

passed=0 failed=0 skipped=0
# parts_last: the process of the part that was queued last.
parts_work='' parts_seen=() parts_last=''
declare -A parts_pid=() parts_text=()

# total_last LOG: prints the last total in LOG, or nothing.
total_last() { grep -E '^[0-9]+ passed, [0-9]+ failed' "$1" | tail -n 1; }

# total_add LINE: adds the total in LINE to the sum.
total_add() {
	local word n
	for word in passed failed skipped; do
		n=$(sed -n "s/^\(.* \)\{0,1\}\([0-9][0-9]*\) $word.*/\2/p" <<<"$1")
		printf -v "$word" %d $((${!word} + ${n:-0}))
	done
}

# Prints the sum. Succeeds if something passed and nothing failed.
total_end() {
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# tally NAME LOG RC: adds a part's last total. A part without a total counts as one failure, and so does a part that failed although
# its total has no failure.
tally() {
	local name=$1 log=$2 rc=$3 line
	line=$(total_last "$log")
	if [ -n "$line" ]; then
		total_add "$line"
		[[ "$rc" = 0 || "$line" != *' 0 failed'* ]] && return
	fi
	echo "not ok - $name (exit $rc${line:+, $line})"
	failed=$((failed + 1))
}

# show_log PID LOG [END]: shows the log of a process until it ends. The log is no pipe, because a process that a test left would keep a
# pipe open for ever. tail runs in the background, because the shell runs traps only while it waits. If the file END is there, the process
# has ended, and its number may be another's by now.
show_log() {
	# The process may not have got so far as to make it.
	: >>"$2"
	if [ -e "${3:-}" ]; then
		cat "$2"
	else
		tail -n +1 -s 0.2 -f --pid="$1" "$2" &
		wait $!
	fi
}

# follow PID LOG [END]: the same for a background job, and returns its status.
follow() {
	show_log "$@"
	wait "$1"
}

parts_finish() {
	local rc=$? pid
	trap - EXIT
	for pid in $(jobs -pr); do kill "$pid" 2>/dev/null; done
	wait
	rm -rf "$parts_work"
	exit "$rc"
}

parts_begin() {
	parts_work=$(mktemp -d "${TMPDIR:-/tmp}/rxparts.XXXXXX")
	trap parts_finish EXIT
	trap 'exit 130' INT TERM HUP
}

# part_run BEFORE NAME CMD…: runs a part when the process BEFORE has ended, and writes the seconds and the processor seconds that it
# and its children took. Whoever ends this shell ends what it waits for.
part_run() {
	local before=$1 name=$2 rc=0 since
	shift 2
	trap 'kill $! 2>/dev/null' TERM
	if [ -n "$before" ]; then
		tail --pid="$before" -f /dev/null &
		wait $! || exit
	fi
	since=$SECONDS
	"$@" &
	wait $! || rc=$?
	# In a pipe, times would be that of another shell, which had no children.
	{ echo "$((SECONDS - since))" && times; } >"$parts_work/$name.took"
	exit "$rc"
}

# part_start NAME CMD…: starts a part beside those that follow, until part_show shows it.
part_start() {
	local name=$1
	shift
	parts_text[$name]="$name: $*"
	part_run "${parts_before:-}" "$name" "$@" >"$parts_work/$name.log" 2>&1 </dev/null &
	parts_pid[$name]=$!
}

# part_queue NAME CMD…: the same once the parts that were queued before have ended.
part_queue() {
	local name=$1
	shift
	parts_before=$parts_last part_start "$name" "$@"
	parts_last=${parts_pid[$name]}
}

# took FILE: what part_run has written there, for people.
took() { awk -F'[ms ]+' 'NR == 1 { s = $1 } END { printf "%d s, %.0f of a processor", s, ($1 + $3) * 60 + $2 + $4 }' "$1"; }

# part_show NAME: waits for a part that was started, shows its output and adds its total.
part_show() {
	local name=$1 rc=0 log=$parts_work/$1.log
	printf '# %s\n' "${parts_text[$name]}"
	follow "${parts_pid[$name]}" "$log" "$parts_work/$name.took" || rc=$?
	unset "parts_pid[$name]"
	tally "$name" "$log" "$rc"
	parts_seen+=("# $name: $(took "$parts_work/$name.took"), exit $rc, $(total_last "$log")")
}

# part NAME CMD…: runs a part, shows its output and adds its total.
part() {
	part_start "$@"
	part_show "$1"
}

parts_end() {
	printf '%s\n' "${parts_seen[@]}"
	total_end
}
