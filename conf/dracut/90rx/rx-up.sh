#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# rx-up [--wait | --give-up]: sets up the caches of the initramfs's table whose origins are there. With --wait it waits for
# origins, each for its line's time-out, but not for those that are made of others; with --give-up it first leaves all origins
# to LVM and md, since the root file system has not come. Whatever goes wrong is said in the kernel's log, and the root file
# system then comes from the origin.

. /usr/lib/udev/rx-initrd

waits=no
[ "${1-}" != --wait ] || waits=yes

# dracut has no way to say that the root file system is on another device now than root= says: by UUID= or LABEL= udev's links
# say so.
may_map() {
	read -r words </proc/cmdline || :
	root=
	set -f
	for word in $words; do
		case $word in root=*) root=${word#root=} ;; esac
	done
	set +f
	root=${root#block:}
	case $root in
	"$1" | "$1"-part[0-9]*) return 1 ;;
	/dev/*) ;;
	*) return 0 ;;
	esac
	root=$(readlink -f "$root") && root=$(readlink -f "/sys/class/block/${root##*/}") && origin=$(readlink -f "$1") || return 0
	origin=$(readlink -f "/sys/class/block/${origin##*/}")
	[ "$root" != "$origin" ] && { [ "${root%/*}" != "$origin" ] || [ ! -e "$root/partition" ]; }
}

[ -s /etc/rxtab ] || [ -s /etc/rxtab.held ] || exit 0
! ignored || exit 0
if [ "${1-}" = --give-up ] && [ ! -e "$state/released/all" ]; then
	note "the root file system has not come: origins are left to LVM and md"
	release all
fi
# rx-initrd.service may be at it while dracut's queue runs; what it leaves is tried the next time. dracut has rm and ln in any case,
# and rmdir not.
mkdir -p "$state"
ln -s "$$" "$state/busy" 2>/dev/null || exit 0
trap 'rm -f "$state/busy"' EXIT
trap 'exit 143' HUP INT TERM
[ ! -s /etc/rxtab ] || bring_up
# The links are the caches' when the root file system is mounted.
udevadm settle --timeout=10
exit 0
