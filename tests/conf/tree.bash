# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Scripts of conf/ in a tree of their own, $R, and with stubs for the commands that they call.

CONF=$BATS_TEST_DIRNAME/../../conf
R=$BATS_TEST_TMPDIR

# in_tree FILE TARGET: a copy of FILE whose absolute paths lie in $R. There are no block devices in there.
in_tree() {
	mkdir -p "$(dirname "$2")"
	sed -E "2,\$s#(^|[[:blank:]\"'=<>(|])/(etc|run|sys|proc|dev|conf|scripts|usr|lib|var|cryptroot)/#\1$R/\2/#g; s/\[ ! -b /[ ! -e /; s#>(\S+/kmsg)#>>\1#" "$CONF/$1" >"$2"
	chmod 755 "$2"
}

# stub NAME: a command that is logged; the rest of it is read from standard input.
stub() {
	{
		printf '#!/bin/sh\nR=%s\necho "%s $*" >>"$R/log"\n' "$R" "$1"
		cat
	} >"$R/bin/$1"
	chmod 755 "$R/bin/$1"
}

# called COMMAND: its calls.
called() { sed -n "s#$R##g; s/^$1 //p" "$R/log" | paste -sd ';'; }

# What a script has written to the log of the kernel.
said() { sed "s#$R##g" "$R/dev/kmsg"; }
