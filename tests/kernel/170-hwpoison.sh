# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Pages whose memory fails, by the kernel's own injector (hwpoison-inject).

BUDDY=10 HWPOISON=19

# flags_of PFN: what /proc/kpageflags says of it; flag PFN BIT: one of them.
flags_of() { dd if=/proc/kpageflags bs=8 skip=$(($1)) count=1 2>/dev/null | od -An -t u8 | tr -d ' '; }
flag() { echo $((($(flags_of "$1") >> $2) & 1)); }

# hwpoison_begin: what the others need.
hwpoison_begin() {
	modprobe hwpoison-inject
	defer "rmmod hwpoison_inject"
	mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
}

# hwpoison PFN: the page fails.
hwpoison() {
	# The kernel marks it and then says that it can do nothing else about it.
	echo "$1" 2>echo.log >/sys/kernel/debug/hwpoison/corrupt-pfn || true
	expect "the kernel's mark" 1 "$(flag "$1" $HWPOISON)"
}

# gone PFN: whether it has failed and is not free for another use.
gone() { [ "$(flag "$1" $BUDDY)" = 0 ] && [ "$(flag "$1" $HWPOISON)" = 1 ]; }
