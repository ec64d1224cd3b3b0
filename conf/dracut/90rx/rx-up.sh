#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# rx-up [--wait]: sets up the caches of the initramfs's table whose origins are there. With --wait it waits for origins, each
# for its line's time-out, but not for those that are made of others. Whatever goes wrong is said in the kernel's log, and the
# root file system then comes from the origin.

. /usr/lib/udev/rx-initrd

waits=no
[ "${1-}" != --wait ] || waits=yes
not_up() { :; }

[ -s /etc/rxtab ] || exit 0
! ignored || exit 0
bring_up
# The links are the caches' when the root file system is mounted.
udevadm settle --timeout=10
exit 0
