#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Compiles every probe/have_*.c against the kernel headers in KDIR, with that
# kernel's own flags, and writes rx_have.h with one RX_HAVE_* for each that
# compiles.
#
#   module/compat/probe.sh KDIR
#
# The script fails if probe/sane.c does not compile or probe/broken.c does:
# the answers then mean nothing, because headers are missing or the compiler is
# wrong. It also fails for a kernel of 32 bits, where probe/bits64.c does not
# compile.
set -eu

[ $# = 1 ] || { echo "usage: probe.sh KDIR" >&2; exit 2; }
kdir=$1
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$kdir/Makefile" ] || {
	echo "probe: no kernel headers in '$kdir'; install linux-headers for this kernel or say KDIR=" >&2
	exit 1
}

work=$(mktemp -d "${TMPDIR:-/tmp}/rxprobe.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$here"/probe/*.c "$work"
for f in "$work"/*.c; do
	b=${f##*/}
	echo "always-y += ${b%.c}.o"
done >"$work/Kbuild"
echo 'ccflags-y += -Werror' >>"$work/Kbuild"

env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
	make -k -C "$kdir" M="$work" modules >"$work/log" 2>&1 || true

if [ ! -f "$work/sane.o" ] || [ -f "$work/broken.o" ]; then
	echo "probe: the kernel's build system gives no usable answers:" >&2
	tail -n 30 "$work/log" >&2
	exit 1
fi
if [ ! -f "$work/bits64.o" ]; then
	echo "probe: the kernel of '$kdir' has 32 bits: rxdsk and rxcache need a 64-bit kernel" >&2
	exit 1
fi
{
	echo '/* SPDX-License-Identifier: GPL-2.0-only */'
	echo '/* Written by probe.sh; not to be edited or committed. */'
	for f in "$work"/have_*.c; do
		b=${f##*/have_}
		b=$(echo "${b%.c}" | tr '[:lower:]' '[:upper:]')
		[ -f "${f%.c}.o" ] && echo "#define RX_HAVE_$b 1"
	done
} >"$work/rx_have.h"
cmp -s "$work/rx_have.h" "$here/rx_have.h" ||
	cp "$work/rx_have.h" "$here/rx_have.h"
