#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# rx-up [--wait]: sets up the caches of the initramfs's table whose origins are there. With --wait it waits for origins, each
# for its line's time-out, but not for those that are made of others. Whatever goes wrong is said in the kernel's log, and the
# root file system then comes from the origin.

wait=${1-}
state=/run/initramfs/rxadm

note() { echo "<4>rxadm: $*" >/dev/kmsg 2>/dev/null || :; }

ignored() {
	read -r line </proc/cmdline || :
	set -f
	for word in $line; do
		case $word in
		rxtab=0 | rxtab=no | rxtab=off | rxtab=false | rxtab=n | rxtab=f) set +f && return 0 ;;
		rd.rxtab=0 | rd.rxtab=no | rd.rxtab=off | rd.rxtab=false | rd.rxtab=n | rd.rxtab=f) set +f && return 0 ;;
		esac
	done
	set +f
	return 1
}

release() { [ ! -x /usr/lib/udev/rx-origin ] || /usr/lib/udev/rx-origin release "$1" >/dev/null 2>&1 || :; }

# option NAME: sets $value to what the line says, or to nothing.
option() {
	value=
	IFS=,
	for word in $options; do
		case $word in
		"$1="*) value=${word#*=} ;;
		esac
	done
	unset IFS
}

# wait_for ORIGIN TIME
wait_for() {
	[ ! -e "$1" ] || return 0
	[ "$wait" = --wait ] || return 1
	case $1 in
	/dev/disk/by-id/dm-* | /dev/disk/by-id/lvm-* | /dev/disk/by-id/md-* | /dev/dm-* | /dev/md*) return 1 ;;
	/dev/disk/*) ;;
	/dev/*/*) return 1 ;;
	esac
	udevadm wait --timeout="$2" "$1" >/dev/null 2>&1
}

# A failure is final: what could not be mapped now is about to be mounted.
up() {
	if ! why=$(rxadm up --tab /etc/rxtab "$1" 2>&1 </dev/null); then
		: >"$state/failed/$1"
		note "up $1: $why"
	fi
	release "$1"
}

bring_up() {
	while read -r name type options _ <&3 || [ -n "$name" ]; do
		case $name in '' | '#'*) continue ;; esac
		if [ -e "/sys/block/$name" ] || [ -e "$state/failed/$name" ]; then
			continue
		fi
		if [ "$type" = cache ]; then
			option timeout
			time=${value:-30s}
			option origin
			if ! wait_for "$value" "$time"; then
				note "$name: $value is not there yet"
				continue
			fi
		fi
		up "$name"
	done 3</etc/rxtab
}

! ignored || exit 0
[ -s /etc/rxtab ] || exit 0

mkdir -p "$state/failed"
if modprobe -q -a rxdsk rxcache; then
	bring_up
	# The links are the caches' when the root file system is mounted.
	udevadm settle --timeout=10
elif [ ! -e "$state/no-module" ]; then
	: >"$state/no-module"
	note "no module rxdsk or rxcache for this kernel: the root file system is not cached"
	release all
fi
exit 0
