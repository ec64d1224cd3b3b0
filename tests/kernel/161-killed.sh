# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Kills rxadm while it makes or ends an export, or has its calls fail; tests source this after 160-export.sh.

# killed CALL N COMMAND…: kills it when it makes that call for the Nth time. Status 1: it did not come so far.
killed() {
	kill_call=$1 nth=$2
	shift 2
	rx_rc=0
	strace -qq -o /dev/null -e "trace=$kill_call" -e "inject=$kill_call:signal=KILL:when=$nth" "$@" >killed.log 2>&1 || rx_rc=$?
	[ $rx_rc != 0 ] || return 1
	[ $rx_rc = 137 ] || fail "killed at $kill_call $nth: exit $rx_rc, $(cat killed.log)"
}

# failing WHAT COMMAND…: calls fail as strace's inject= says. Status 1: nothing failed.
failing() {
	inject=$1
	shift
	rx_rc=0
	strace -f --seccomp-bpf -qq -o /dev/null -e "trace=${inject%%:*}" -e "inject=$inject" "$@" >failing.log 2>&1 || rx_rc=$?
	[ $rx_rc != 0 ] || return 1
	errors=$((errors + 1))
}

# A subsystem, port and host of another program. The port has the address of our export.
foreign() {
	mkdir "$NVMET/hosts/$HOST2" "$NVMET/subsystems/nqn.2024-01.com.example:other" "$NVMET/ports/7"
	defer "exports_end; rm $NVMET/ports/7/subsystems/*; rmdir $NVMET/ports/7 $NVMET/subsystems/nqn.2024-01.com.example:other $NVMET/hosts/$HOST2"
	echo tcp >"$NVMET/ports/7/addr_trtype"
	echo ipv4 >"$NVMET/ports/7/addr_adrfam"
	echo 127.0.0.1 >"$NVMET/ports/7/addr_traddr"
	echo 4420 >"$NVMET/ports/7/addr_trsvcid"
	theirs=$(target_items | sort)
}

only_theirs() {
	expect "what is there after $1" "$theirs" "$(target_items | sort)"
	expect "links of port 7 after $1" "" "$(ls "$NVMET/ports/7/subsystems")"
	expect "records after $1" "" "$(records_left)"
}

EXPORT="--host $HOST1 --host $HOST2 --addr 127.0.0.1 --addr 127.0.0.2"

# mend N: one of the three ways.
mend() {
	case $(($1 % 3)) in
	0)
		check "unexport $1" rxadm unexport "$d" 2>mend.log
		;;
	1)
		echo "$d disk size=16M" >tab
		check "up $1" rxadm up -q --tab tab "$d" 2>mend.log
		;;
	2)
		check "export $1" rxadm export -q rxd1 --any-host --addr 127.0.0.3 2>mend.log
		check "unexport of the other" rxadm unexport rxd1
		;;
	esac
}

# An export that was made to its end, but for the message, stays. Of any other nothing may be used. Now and then, what removes it is
# killed too.
settle() {
	if grep -qx "stage made" "/run/rxadm/export-$d" 2>/dev/null; then
		expect "both addresses" "complete complete" "$(exports_of "$d" state | xargs)"
		check "unexport" rxadm unexport "$d"
	elif [ -e "/run/rxadm/export-$d" ]; then
		[ "$(exports_of "$d" state | grep -c complete)" = 0 ] || fail "it is not made to the end, but listed so"
		[ $((half % 4)) != 1 ] || killed rmdir 2 rxadm unexport "$d" || true
		[ ! -e "/run/rxadm/export-$d" ] || mend "$half"
	fi
}

# making STRIDE, ending STRIDE: each change of configfs is one of these calls; every STRIDE-th of them is a kill.
making() {
	for call in mkdir write symlink rename; do
		n=$((1 + RX_SEED % $1))
		# shellcheck disable=SC2086
		while killed "$call" $n rxadm export "$d" $EXPORT; do
			half=$((half + 1))
			settle
			only_theirs "a kill at $call $n"
			n=$((n + $1))
		done
		check "unexport" rxadm unexport "$d"
		only_theirs "an export"
	done
}

ending() {
	for call in unlink write rmdir rename; do
		n=$((1 + RX_SEED % $1))
		# shellcheck disable=SC2086
		while check "export" rxadm export -q "$d" $EXPORT &&
			killed "$call" $n rxadm unexport "$d"; do
			half=$((half + 1))
			settle
			only_theirs "the end's kill at $call $n"
			n=$((n + $1))
		done
		only_theirs "an end"
	done
}

# An export whose name could not be printed is there, with status 5. Of any other nothing is.
whole_or_nothing() {
	if [ $rx_rc = 5 ]; then
		expect "addresses after $1" "complete complete" "$(exports_of "$d" state | xargs)"
		check "unexport" rxadm unexport "$d"
	else
		expect "status after $1: $(cat failing.log)" 2 $rx_rc
	fi
	only_theirs "$1"
}

# erring STRIDE: every STRIDE-th change of configfs or of the record fails.
erring() {
	for call in mkdir write symlink rename; do
		n=$((1 + RX_SEED % $1))
		# shellcheck disable=SC2086
		while failing "$call:error=EIO:when=$n" rxadm export "$d" $EXPORT; do
			whole_or_nothing "an error at $call $n"
			n=$((n + $1))
		done
		check "unexport" rxadm unexport -q "$d"
	done
}

# The record of an export can't be written any more, and then rxadm is killed too.
unrecorded() {
	# shellcheck disable=SC2086
	{
		failing rename:error=ENOSPC:when=2+ rxadm export "$d" $EXPORT || fail "an export without its second record"
		whole_or_nothing "records that can't be written"
		grep -q "at: the record in /run/rxadm; it is undone, see: dmesg" failing.log || fail "$(cat failing.log)"
		check "export" rxadm export -q "$d" $EXPORT
	}
	must_fail "an end without a record fails" failing rename:error=ENOSPC:when=1+ rxadm unexport "$d"
	only_theirs "an end without a record"
	echo "$d disk size=16M,export=tcp:127.0.0.1,export=tcp:127.0.0.2,host=$HOST1,host=$HOST2" >whole
	for n in 1 2; do
		check "up $n" rxadm up -q --tab whole "$d"
		strace -qq -o /dev/null -e trace=rename,rmdir -e inject=rename:error=ENOSPC:when=1+ -e inject=rmdir:signal=KILL:when=$n rxadm unexport "$d" || true
		expect "addresses after kill $n" half "$(exports_of "$d" state | xargs)"
		[ $n = 1 ] || check "unexport after kill $n" rxadm unexport "$d"
	done
	only_theirs "kills without a record"
}

# What was made can't be removed again: the message says so, and the next run removes it.
stuck() {
	rx_rc=0
	# shellcheck disable=SC2086
	strace -qq -o /dev/null -e trace=symlink,rmdir -e inject=symlink:error=EIO:when=1 -e inject=rmdir:error=EIO:when=1 rxadm export "$d" $EXPORT >failing.log 2>&1 || rx_rc=$?
	expect "status" 2 $rx_rc
	grep -q "it can't be undone, see above" failing.log || fail "$(cat failing.log)"
	check "unexport" rxadm unexport "$d"
	only_theirs "an export that could not be undone"
}

# killed_at STRIDE LEAST: at least so many kills must have come about.
killed_at() {
	export_begin
	d=$(attach_disk 16M)
	check "a second" attach_disk 16M >/dev/null
	modprobe nvmet-tcp
	foreign
	half=0 errors=0
	erring "$1"
	unrecorded
	stuck
	note "$errors errors"
	making "$1"
	note "killed $half times in the making"
	ending "$1"
	note "$half times in all"
	[ $half -ge "$2" ] || fail "only $half kills"
}
