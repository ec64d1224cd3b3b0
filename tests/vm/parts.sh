# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs that consist of parts. Each part ends with a total, "N passed, N failed[, N skipped]"; so does the whole.

passed=0 failed=0 skipped=0
parts_work='' parts_pid='' parts_seen=()

# total_last LOG: the last total in it, or nothing.
total_last() { grep -E '^[0-9]+ passed, [0-9]+ failed' "$1" | tail -n 1; }

# total_add LINE
total_add() {
	local word n
	for word in passed failed skipped; do
		n=$(sed -n "s/^\(.* \)\{0,1\}\([0-9][0-9]*\) $word.*/\2/p" <<<"$1")
		printf -v "$word" %d $((${!word} + ${n:-0}))
	done
}

# Prints the sum; whether it is a success.
total_end() {
	if [ "$skipped" -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

parts_finish() {
	local rc=$?
	trap - EXIT
	if [ -n "$parts_pid" ]; then
		kill "$parts_pid" 2>/dev/null
		wait "$parts_pid"
	fi
	rm -rf "$parts_work"
	exit "$rc"
}

parts_begin() {
	parts_work=$(mktemp -d "${TMPDIR:-/tmp}/rxparts.XXXXXX")
	trap parts_finish EXIT
	trap 'exit 130' INT TERM HUP
}

# part NAME CMD…: shows what it prints. One that failed, but not by its total, failed once.
part() {
	local name=$1 begun=$SECONDS line rc=0 log=$parts_work/log
	shift
	printf '# %s: %s\n' "$name" "$*"
	: >"$log"
	"$@" >"$log" 2>&1 </dev/null &
	parts_pid=$!
	# In the background: a trap runs only while the shell waits.
	tail -n +1 -s 0.2 -f --pid="$parts_pid" "$log" &
	wait $!
	wait "$parts_pid" || rc=$?
	parts_pid=''
	line=$(total_last "$log")
	line=${line:-0 passed, 0 failed}
	if [ "$rc" != 0 ] && [[ $line = *" 0 failed"* ]]; then
		echo "not ok - $name (exit $rc)"
		line=${line/ 0 failed/ 1 failed}
	fi
	total_add "$line"
	parts_seen+=("# $name: $((SECONDS - begun)) s, $line")
}

parts_end() {
	printf '%s\n' "${parts_seen[@]}"
	total_end
}
